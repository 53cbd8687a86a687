//! A program under test, and what was said to it.

use std::time::{Duration, Instant};

use crate::Fault;
use crate::Verdict;
use crate::guard::Notice;
use crate::program::{Launch, Program, START, harmless};

/// So many of the lines that were sent are told …
const TOLD: usize = 4;
/// … and no more of each.
const LONGEST: usize = 160;

/// A program that is started as often as needed.
pub(super) struct Probe {
    launch: Launch,
    program: Option<Program>,
    /// The latest lines that were sent.
    sent: Vec<String>,
}

impl Probe {
    pub(super) fn new(launch: Launch) -> Self {
        Self { launch, program: None, sent: Vec::new() }
    }

    pub(super) fn start(&mut self) -> Result<(), Fault> {
        self.program = None; // what is left of the old one goes first
        self.program = Some(self.launch.start()?);
        Ok(())
    }

    pub(super) fn is_running(&mut self) -> bool {
        self.program.as_mut().is_some_and(Program::is_running)
    }

    /// Ends it and all that it started.
    pub(super) fn end(&mut self) {
        self.program = None;
    }

    /// Another step begins.
    pub(super) fn forget(&mut self) {
        self.sent.clear();
    }

    /// The latest lines that were sent.
    pub(super) fn sent(&self) -> &[String] {
        &self.sent
    }

    fn program(&mut self) -> Result<&mut Program, Fault> {
        let why = "does not run any more";
        self.program.as_mut().ok_or_else(|| Fault::new(Verdict::Crash, why))
    }

    /// Sends a line.
    pub(super) fn say(&mut self, line: &str) -> Result<(), Fault> {
        if self.sent.len() == TOLD {
            self.sent.remove(0);
        }
        self.sent.push(harmless(line, LONGEST));
        let program = self.program()?;
        program.begin_move();
        program.send(line, Instant::now() + START)
    }

    /// The next line.
    pub(super) fn hear(&mut self, by: Instant) -> Result<String, Fault> {
        self.program()?.line(by)
    }

    /// The next line, if one comes soon.
    pub(super) fn hear_within(&mut self, span: Duration) -> Option<String> {
        self.hear(Instant::now() + span).ok()
    }

    /// Time since `began` that the program had: what this machine kept from it does not count.
    pub(super) fn took(&self, began: Instant) -> Duration {
        let withheld = self.program.as_ref().map_or(Duration::ZERO, Program::withheld);
        began.elapsed().saturating_sub(withheld)
    }

    pub(super) fn close_input(&mut self) {
        if let Some(program) = &mut self.program {
            program.close_input();
        }
    }

    /// Waits for its end: its exit code and how many processes it left, or what else ended it; nothing
    /// if it still runs.
    pub(super) fn end_within(&mut self, span: Duration) -> Option<Result<(i32, usize), String>> {
        let end = self.program.as_mut()?.end_by(Instant::now() + span)?;
        let how = match end {
            Notice::Exited { code, left, .. } => Ok((*code, *left)),
            Notice::Killed { signal, .. } => Err(format!("signal {signal} ended it")),
            other => Err(format!("{other:?}")),
        };
        self.program = None;
        Some(how)
    }
}
