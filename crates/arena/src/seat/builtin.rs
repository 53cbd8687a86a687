//! An agent of this process.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use tussle_catalog::AnyAgent;
use tussle_core::{Budget, Stalls};

use super::{Answer, Ask, GameStart, Seat};
use crate::os::cpu_time;
use crate::{Fault, Verdict};

/// An agent of the catalog. It starts fresh in each game.
pub struct Builtin {
    spec: String,
    agent: Option<Box<dyn AnyAgent>>,
    withheld: Duration,
}

impl Builtin {
    /// A seat for the agent with this spec.
    pub fn new(spec: &str) -> Self {
        Self { spec: spec.to_owned(), agent: None, withheld: Duration::ZERO }
    }
}

impl Seat for Builtin {
    fn begin(&mut self, start: &GameStart<'_>) -> Result<(), Fault> {
        let agent = start.game.agent(&self.spec, start.seed);
        self.agent = Some(agent.map_err(|e| Fault::new(Verdict::Crash, e.to_string()))?);
        Ok(())
    }

    fn choose(&mut self, ask: &Ask<'_>) -> Result<Answer, Fault> {
        let no_answer = |why: String| Fault::new(Verdict::Crash, why);
        let agent = self.agent.as_mut().ok_or_else(|| no_answer("no game has begun".to_owned()))?;
        let stalls = Stalls::default();
        let budget = Budget {
            stalls: Some(stalls.clone()),
            ..ask.terms.budget(&ask.clocks[ask.player], ask.began)
        };
        let worked = cpu_time();
        // An agent that panics loses its game, not everybody else's.
        let report = catch_unwind(AssertUnwindSafe(|| agent.choose(ask.position, &budget)));
        // A search neither sleeps nor waits, so whatever it was not computing it was not let to. A
        // virtual machine may also stand still without noticing; then the search has.
        // With several threads one waits for the others; then nobody can tell.
        let waits = !agent.is_deterministic();
        let withheld = ask.began.elapsed().saturating_sub(cpu_time().saturating_sub(worked));
        self.withheld = if waits { Duration::ZERO } else { withheld.max(stalls.so_far()) };
        let report = report
            .map_err(|_| {
                no_answer("the agent panicked: a fault in tussle, please report it".to_owned())
            })?
            .map_err(|e| no_answer(e.to_string()))?;
        Ok(Answer { mv: report.best().cloned(), report: Some(report) })
    }

    fn end(&mut self) {
        self.agent = None; // a tree of hundreds of megabytes, perhaps
    }

    fn withheld(&self) -> Duration {
        self.withheld
    }

    fn is_deterministic(&self) -> bool {
        self.agent.as_ref().is_none_or(|agent| agent.is_deterministic())
    }
}
