//! Shared parts of the clients: the program behind a seat, started when it is needed and again after a fault.

use std::path::Path;
use std::time::{Duration, Instant};

use tussle_core::{Line, Report, SearchStats, StopFlag, StopReason, Value};

use crate::program::{Launch, Program, START};
use crate::{CommandError, Fault, Guard, Shortage, Usage, Verdict};

/// A program that lives from game to game.
pub(crate) struct ExternalProgram {
    launch: Launch,
    /// The line that asks it to quit; without one the end of its input does.
    farewell: Option<&'static str>,
    program: Option<Program>,
    /// The program was started by [`prepare`](ExternalProgram::prepare), for the game that begins next.
    fresh: bool,
    /// The fault of that start.
    failed: Option<Fault>,
    /// The limit that it exceeded when it was ended late.
    excess: Option<Fault>,
    /// Processor use in the move that failed.
    usage: Option<Usage>,
}

impl ExternalProgram {
    pub(crate) fn new(
        command: &str,
        folder: Option<&Path>,
        guard: &Guard,
        memory: Option<u64>,
        farewell: Option<&'static str>,
    ) -> Result<Self, CommandError> {
        let launch = Launch::new(command, folder, guard, memory)?;
        let (program, failed, excess, usage) = (None, None, None, None);
        Ok(Self { launch, farewell, program, fresh: false, failed, excess, usage })
    }

    /// Starts the program if it does not run; another fault than a shortage is kept for the game.
    pub(crate) fn prepare(&mut self) -> Result<(), Shortage> {
        match self.ensure() {
            Ok(fresh) => self.fresh = fresh,
            Err(fault) if fault.verdict == Verdict::Host => return Err(Shortage(fault.what)),
            Err(fault) => self.failed = Some(fault),
        }
        Ok(())
    }

    /// Returns true if the program was started for the game that begins next.
    pub(crate) fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// Makes sure that the program runs. Whether it was started just now.
    pub(crate) fn ensure(&mut self) -> Result<bool, Fault> {
        if let Some(fault) = self.failed.take() {
            return Err(fault);
        }
        let fresh = std::mem::take(&mut self.fresh);
        if self.program.as_mut().is_some_and(Program::is_running) {
            return Ok(fresh);
        }
        self.program = None; // what is left of the old one goes first
        self.program = Some(self.launch.start()?);
        Ok(true)
    }

    /// The running program.
    pub(crate) fn program(&mut self) -> Result<&mut Program, Fault> {
        let why = "it does not run any more since its last fault";
        self.program.as_mut().ok_or_else(|| Fault::new(Verdict::Crash, why))
    }

    /// Ends it.
    pub(crate) fn end(&mut self) {
        self.program = None;
        self.fresh = false;
    }

    /// Ends it because no answer came after the deadline either.
    pub(crate) fn end_late(&mut self) {
        self.excess = self.program.as_mut().and_then(Program::excess);
        self.end();
    }

    /// The limit that the program exceeded when it was ended late.
    pub(crate) fn excess(&mut self) -> Option<Fault> {
        self.excess.take()
    }

    /// A move begins.
    pub(crate) fn begin_move(&mut self, stop: Option<&StopFlag>) -> Result<(), Fault> {
        self.usage = None;
        let program = self.program()?;
        program.begin_move();
        program.stop_at(stop);
        program.discard_output()?;
        program.begin_request();
        Ok(())
    }

    /// Measures a move that is late, before the program is ended.
    pub(crate) fn measure(&mut self) {
        self.usage = self.program.as_ref().map(Program::usage);
    }

    /// A request has ended like this. After a fault the program is ended, unless it may be just
    /// late.
    pub(crate) fn settle<T>(&mut self, result: Result<T, Fault>) -> Result<T, Fault> {
        if let Err(fault) = &result
            && fault.verdict != Verdict::Time
        {
            self.end();
        }
        result
    }

    /// The same for what is done before a game: there a program that does not answer hangs.
    pub(crate) fn settle_start(&mut self, result: Result<(), Fault>) -> Result<(), Fault> {
        let result = result.map_err(|mut fault| {
            if fault.verdict == Verdict::Time {
                fault.verdict = Verdict::Hang;
                fault.what = format!("{} before the game", fault.what);
            }
            fault
        });
        self.settle(result)
    }

    /// Returns the processor use in the latest move.
    pub(crate) fn usage(&self) -> Usage {
        self.usage.or_else(|| self.program.as_ref().map(Program::usage)).unwrap_or_default()
    }
}

impl Drop for ExternalProgram {
    fn drop(&mut self) {
        if let Some(program) = self.program.take() {
            program.quit(self.farewell);
        }
    }
}

/// Until when what is done before a game may take.
pub(crate) fn start_deadline() -> Instant {
    Instant::now() + START
}

/// Search information of a program, as far as it gave any.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct EngineInfo {
    pub(crate) value: Option<Value>,
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    /// Expected continuation, from the chosen move on.
    pub(crate) pv: Vec<String>,
}

impl EngineInfo {
    pub(crate) fn report(&self, mv: &str, began: Instant) -> Option<Report<String>> {
        (*self != Self::default()).then(|| self.bare_report(mv, began))
    }

    /// Like [`report`](EngineInfo::report), also if the program told nothing.
    pub(crate) fn bare_report(&self, mv: &str, began: Instant) -> Report<String> {
        let mut line = Line::new(mv.to_owned(), self.value.unwrap_or(Value::ZERO));
        line.searched = self.value.is_some();
        if self.pv.first().is_some_and(|first| first == mv) {
            line.pv.clone_from(&self.pv);
        }
        let stats = SearchStats {
            depth: self.depth.unwrap_or(0),
            nodes: self.nodes.unwrap_or(0),
            ..SearchStats::default()
        };
        Report::new(vec![line], stats, StopReason::Finished, began.elapsed())
    }
}

/// Time that is told to a program, in whole milliseconds: what is allowed but for the margin, and
/// never nothing.
pub(crate) fn told_millis(allowed: Duration, margin: Duration) -> u64 {
    (allowed.saturating_sub(margin).as_millis() as u64).max(1)
}
