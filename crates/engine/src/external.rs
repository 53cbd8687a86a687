//! Shared parts of the clients: the program of a seat, which is started when it is needed and restarted after a fault.

use std::path::Path;
use std::time::{Duration, Instant};

use tussle_core::{Line, Report, SearchStats, StopFlag, StopReason, Value};

use crate::program::{Launch, Program, START_TIMEOUT};
use crate::{CommandError, Fault, Guard, Shortage, Usage, Verdict};

/// External program that is kept running between games.
pub(crate) struct ExternalProgram {
    launch: Launch,
    /// Line that asks the program to quit. Without one, the end of its input does.
    farewell: Option<&'static str>,
    program: Option<Program>,
    /// True if [`prepare`](ExternalProgram::prepare) started the program for the next game.
    fresh: bool,
    /// Fault of that start.
    failed: Option<Fault>,
    /// Limit that the program had exceeded when it was ended after the deadline.
    excess: Option<Fault>,
    /// CPU usage in the move that failed.
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

    /// Starts the program if it is not running. A fault other than a shortage is kept for the game.
    pub(crate) fn prepare(&mut self) -> Result<(), Shortage> {
        match self.ensure() {
            Ok(fresh) => self.fresh = fresh,
            Err(fault) if fault.verdict == Verdict::Host => return Err(Shortage(fault.what)),
            Err(fault) => self.failed = Some(fault),
        }
        Ok(())
    }

    /// Returns true if the program was started for the next game.
    pub(crate) fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// Makes sure that the program is running. Returns true if it was started for this game.
    pub(crate) fn ensure(&mut self) -> Result<bool, Fault> {
        if let Some(fault) = self.failed.take() {
            return Err(fault);
        }
        let fresh = std::mem::take(&mut self.fresh);
        if self.program.as_mut().is_some_and(Program::is_running) {
            return Ok(fresh);
        }
        self.program = None; // ends the old processes first
        self.program = Some(self.launch.start()?);
        Ok(true)
    }

    /// Returns the running program.
    pub(crate) fn program(&mut self) -> Result<&mut Program, Fault> {
        let why = "is not running any more since its last fault";
        self.program.as_mut().ok_or_else(|| Fault::new(Verdict::Crash, why))
    }

    /// Ends the program.
    pub(crate) fn end(&mut self) {
        self.program = None;
        self.fresh = false;
    }

    /// Ends the program because it did not answer during the grace period either.
    pub(crate) fn end_late(&mut self) {
        self.excess = self.program.as_mut().and_then(Program::excess);
        self.end();
    }

    /// Returns the limit that the program had exceeded when it was ended after the deadline.
    pub(crate) fn excess(&mut self) -> Option<Fault> {
        self.excess.take()
    }

    /// Begins a move: discards old output and starts to measure.
    pub(crate) fn begin_move(&mut self, stop: Option<&StopFlag>) -> Result<(), Fault> {
        self.usage = None;
        let program = self.program()?;
        program.begin_move();
        program.stop_at(stop);
        program.discard_output()?;
        program.begin_request();
        Ok(())
    }

    /// Records the CPU usage of a late move, before the program is ended.
    pub(crate) fn measure(&mut self) {
        self.usage = self.program.as_ref().map(Program::usage);
    }

    /// Passes on the result of a request. Ends the program after a fault, unless it may only be late.
    pub(crate) fn settle<T>(&mut self, result: Result<T, Fault>) -> Result<T, Fault> {
        if let Err(fault) = &result
            && fault.verdict != Verdict::Time
        {
            self.end();
        }
        result
    }

    /// Like [`settle`](ExternalProgram::settle) for requests before a game, where no answer counts as a hang.
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

    /// Returns the CPU usage in the latest move.
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

/// Returns the deadline for requests before a game.
pub(crate) fn start_deadline() -> Instant {
    Instant::now() + START_TIMEOUT
}

/// Search information that a program reported with its move.
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

    /// Like [`report`](EngineInfo::report), but returns a report even if the program reported nothing.
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

/// Returns the time that a program is told it has, in whole milliseconds: the allowed time without the safety margin, but
/// at least 1.
pub(crate) fn told_millis(allowed: Duration, margin: Duration) -> u64 {
    (allowed.saturating_sub(margin).as_millis() as u64).max(1)
}
