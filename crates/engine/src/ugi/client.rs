//! Client for programs that speak UGI, the universal game interface.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use tussle_core::TimeControl;

use super::grammar::{Options, go_with_clocks, go_with_move_time, position_line, read_info};
use crate::external::{EngineInfo, ExternalProgram, start_deadline, told_millis};
use crate::program::Program;
use crate::seat::program::Client;
use crate::{Answer, Ask, Fault, GameStart, Verdict};

/// Client for a program that speaks UGI.
#[derive(Default)]
pub(super) struct Ugi {
    options: Options,
    /// Start position, if it is not the usual one.
    start: Option<String>,
    /// True if the answer to a request is pending.
    is_pending: bool,
}

impl Ugi {
    fn greet(
        &mut self,
        program: &mut Program,
        is_new: bool,
        start: &GameStart<'_>,
    ) -> Result<(), Fault> {
        let deadline = start_deadline();
        program.begin_move();
        if is_new {
            program.send("ugi", deadline)?;
            self.options = Options::default();
            loop {
                let line = expect(program, "`ugi` with `ugiok`", deadline)?;
                if line.split_ascii_whitespace().next() == Some("ugiok") {
                    break;
                }
                self.options.read(&line);
            }
        }
        for command in self.options.commands(start.game.spec(), start.seed) {
            program.send(&command, deadline)?;
        }
        program.send("uginewgame", deadline)?;
        program.send("isready", deadline)?;
        while expect(program, "`isready` with `readyok`", deadline)?.trim() != "readyok" {}
        Ok(())
    }
}

/// Returns a line of the answer to a request. `what` names the request and its answer for the message of a fault.
fn expect(program: &mut Program, what: &str, deadline: Instant) -> Result<String, Fault> {
    program.line(deadline).map_err(|mut fault| {
        fault.what = format!("{}; it should have answered {what}", fault.what);
        fault
    })
}

/// Waits for `bestmove` and reads the `info` lines before it. Other lines are skipped.
fn best_move(program: &mut Program, deadline: Instant) -> Result<(String, EngineInfo), Fault> {
    let mut info = EngineInfo::default();
    loop {
        let line = program.line(deadline)?;
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("bestmove") => {
                let Some(mv) = words.next() else {
                    return Err(program.protocol("`bestmove` without a move", &line));
                };
                return Ok((mv.to_owned(), info));
            }
            Some("info") => read_info(&mut info, words),
            Some(word) if word.contains('\u{fffd}') => {
                let what = "expected `bestmove`, found bytes that are not UTF-8 text";
                return Err(program.protocol(what, &line));
            }
            _ => {}
        }
    }
}

/// Returns the command that starts the search.
fn go(ask: &Ask<'_>) -> String {
    let margin = |seat| if seat == ask.player { ask.terms.margin } else { Duration::ZERO };
    let told = |seat: usize| told_millis(ask.clocks[seat].allowed(), margin(seat));
    let mut go = if let TimeControl::Increment { increment, .. } = ask.terms.clock {
        let left: Vec<u64> = (0..ask.clocks.len()).map(told).collect();
        go_with_clocks(&left, increment)
    } else {
        go_with_move_time(told(ask.player))
    };
    if let Some(depth) = ask.terms.depth {
        let _ = write!(go, " depth {depth}");
    }
    if let Some(nodes) = ask.terms.nodes {
        let _ = write!(go, " nodes {nodes}");
    }
    go
}

impl Client for Ugi {
    fn is_out_of_step(&self) -> bool {
        self.is_pending // the last search has not ended
    }

    fn begin(
        &mut self,
        program: &mut ExternalProgram,
        is_new: bool,
        start: &GameStart<'_>,
    ) -> Result<(), Fault> {
        self.is_pending = false;
        self.start = (!start.is_usual).then(|| start.start.text());
        self.greet(program.program()?, is_new, start)
    }

    fn ask(&mut self, engine: &mut ExternalProgram, ask: &Ask<'_>) -> Result<Answer, Fault> {
        let program = engine.program()?;
        if self.is_pending {
            // The answer to an earlier request is still pending and must not count for this one.
            program.begin_move();
            program.send("stop", ask.deadline)?;
            best_move(program, ask.deadline)?;
            self.is_pending = false;
        }
        engine.begin_move(ask.stop)?;
        let program = engine.program()?;
        let position = position_line(self.start.as_deref(), ask.position.history());
        // Write both lines at once, so that the program wakes up once.
        program.send(&format!("{position}\n{}", go(ask)), ask.deadline)?;
        self.is_pending = true;
        let (mv, info) = best_move(program, ask.deadline)?;
        self.is_pending = false;
        if mv == "resign" {
            return Ok(Answer::default());
        }
        let report = info.report(&mv, ask.began);
        Ok(Answer { mv: Some(mv), report, ..Answer::default() })
    }

    fn wait_for_late_answer(&mut self, engine: &mut ExternalProgram, deadline: Instant) -> bool {
        let is_pending = std::mem::take(&mut self.is_pending);
        let withheld = engine.usage().withheld;
        let answer = engine.program().and_then(|program| {
            if is_pending {
                // First give the program the time that was withheld from it, to answer without `stop`. After that, ask for
                // an answer by `stop`.
                let alone = deadline.min(Instant::now() + withheld);
                if matches!(best_move(program, alone), Err(fault) if fault.verdict == Verdict::Time)
                {
                    program.send("stop", deadline)?;
                    best_move(program, deadline)?;
                }
            }
            Ok(())
        });
        // Without a pending request, the program did not read the request.
        answer.is_ok() && is_pending
    }
}
