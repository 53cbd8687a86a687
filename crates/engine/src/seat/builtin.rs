//! Seat of a built-in agent.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tussle_catalog::AnyAgent;
use tussle_core::{Limits, Stalls};

use super::{Answer, Ask, GameStart, Seat};
use crate::os::{cpu_time, own_processors, own_wait, process_cpu_time};
use crate::{Fault, Usage, Verdict};

/// Number of searches of this process that have begun.
static BEGUN: AtomicU64 = AtomicU64::new(0);
/// Number of searches of this process that have ended.
static ENDED: AtomicU64 = AtomicU64::new(0);

/// Seat of an agent of the catalog. Each game has a fresh agent.
pub(super) struct Builtin {
    spec: String,
    agent: Option<Box<dyn AnyAgent>>,
    usage: Usage,
}

impl Builtin {
    /// Creates a seat for the agent with this spec.
    pub(super) fn new(spec: &str) -> Self {
        Self { spec: spec.to_owned(), agent: None, usage: Usage::default() }
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
        let limits = Limits {
            stalls: Some(stalls.clone()),
            stop: ask.stop.cloned(),
            ..ask.terms.move_limits(&ask.clocks[ask.player], ask.began)
        };
        let meter = SearchMeter::new(ask.began, !agent.is_deterministic());
        // An agent that panics loses its game, but does not end the run.
        let report = catch_unwind(AssertUnwindSafe(|| agent.choose(ask.position, &limits)));
        let usage = meter.usage();
        // A virtual machine may pause unnoticed by its scheduler. The search has recorded such a stall.
        self.usage = Usage { stalled: stalls.total(), ..usage };
        let report = report
            .map_err(|_| {
                no_answer("the agent panicked: a bug in tussle, please report it".to_owned())
            })?
            .map_err(|e| no_answer(e.to_string()))?;
        let mv = report.best().cloned();
        Ok(Answer { mv, report: Some(report), ..Answer::default() })
    }

    fn end(&mut self) {
        self.agent = None; // its tree may take hundreds of megabytes
    }

    fn usage(&self) -> Usage {
        self.usage
    }

    fn is_deterministic(&self) -> bool {
        self.agent.as_ref().is_none_or(|agent| agent.is_deterministic())
    }
}

/// Meter of the CPU usage of a search that was started by this thread.
struct SearchMeter {
    began: Instant,
    cpu: Duration,
    /// CPU time of all threads, if the search has several.
    process_cpu: Option<Duration>,
    waited: Option<Duration>,
    /// Number of searches that had begun, if no other one was running.
    alone: Option<u64>,
}

impl SearchMeter {
    fn new(began: Instant, has_threads: bool) -> Self {
        let ended = ENDED.load(Ordering::SeqCst);
        let before = BEGUN.fetch_add(1, Ordering::SeqCst);
        let alone = (before == ended).then_some(before + 1);
        let process_cpu = has_threads.then(process_cpu_time);
        Self { began, cpu: cpu_time(), process_cpu, waited: own_wait(), alone }
    }

    fn usage(&self) -> Usage {
        let wall = self.began.elapsed();
        let cpu = cpu_time().saturating_sub(self.cpu);
        let idle = wall.saturating_sub(cpu);
        let in_queue = own_wait().zip(self.waited).map(|(now, before)| now.saturating_sub(before));
        let Some(before) = self.process_cpu else {
            let waited = in_queue.unwrap_or(idle);
            return Usage { cpu, waited, withheld: waited, ..Usage::default() };
        };
        let is_alone = self.alone == Some(BEGUN.load(Ordering::SeqCst));
        // A search does not sleep. While this thread does not compute, it waits for a processor or for another thread of
        // the search. Threads of the search may themselves cause that wait. Their CPU time is only known if no other search
        // runs in this process.
        let all = process_cpu_time().saturating_sub(before);
        let by_others = wall.saturating_sub(all / own_processors().max(1));
        let withheld = if is_alone { idle.min(by_others) } else { idle };
        Usage { cpu: if is_alone { all } else { cpu }, waited: idle, withheld, ..Usage::default() }
    }
}

impl Drop for SearchMeter {
    fn drop(&mut self) {
        ENDED.fetch_add(1, Ordering::SeqCst);
    }
}
