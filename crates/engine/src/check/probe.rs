//! A program under test, and what was said to it.

use std::fmt;
use std::time::{Duration, Instant};

use tussle_catalog::AnyPosition;

use super::pace::{Pace, TimeGranted};
use crate::Fault;
use crate::Verdict;
use crate::guard::Notice;
use crate::program::{Launch, Program, REST, START, Sleep, harmless};

/// Characters of a sent line that are shown; of longer lines the middle is left out.
const MAX_SENT_CHARS: usize = 4000;
/// Characters of a program's line that are quoted in a message.
const MAX_QUOTED_CHARS: usize = 160;
/// Time in which a program that starts usually begins to wait for its first line.
const SETTLE_TIMEOUT: Duration = Duration::from_secs(5);
/// Time in which the reason for the end of a program's output must be known.
const REASON_TIMEOUT: Duration = Duration::from_secs(1);
/// Time between two looks at a program.
const POLL_INTERVAL: Duration = Duration::from_millis(5);
/// Time in which what a program has kept in its buffer appears once its input is closed.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(2);
/// Time that a slow program gets for its answer, before its input is closed.
const LATE_ANSWER_TIMEOUT: Duration = Duration::from_secs(2);

/// Wait for a processor that is mentioned with the time of an answer.
const MIN_SHOWN_WAIT: Duration = Duration::from_millis(1);

/// End of a program under test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ProgramEnd {
    /// The program ended by itself and left this many processes running.
    Exited { code: i32, left: usize },
    /// A signal of this number ended the program.
    Killed(i32),
    /// The guard ended the program, or has failed.
    Guard(Notice),
}

impl fmt::Display for ProgramEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exited { code, .. } => write!(f, "it ended with exit code {code}"),
            Self::Killed(signal) => write!(f, "signal {signal} ended it"),
            Self::Guard(notice) => write!(f, "{notice:?}"),
        }
    }
}

/// A program that is started as often as needed.
pub(crate) struct Probe {
    launch: Launch,
    program: Option<Program>,
    /// Number of sent lines that are kept.
    kept: usize,
    /// The latest lines that were sent.
    sent: Vec<String>,
    /// When the latest line was sent.
    asked: Instant,
    /// Lines that came before anything was asked.
    pub(crate) unasked: Vec<String>,
    /// The time that the program is given.
    pub(crate) pace: Pace,
    /// The step so far has given less time than a program may need.
    was_brisk: bool,
    /// When the program was started.
    started: Instant,
    /// The program has computed since its start.
    is_busy: bool,
}

/// Time from a request to its answer.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AnswerTime {
    wall: Duration,
    /// The part for which the program waited for a processor, not by its own fault.
    withheld: Duration,
}

impl AnswerTime {
    /// Returns the time that the program had: what this machine withheld from it does not count.
    pub(crate) fn own(&self) -> Duration {
        self.wall.saturating_sub(self.withheld)
    }
}

impl fmt::Display for AnswerTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1?}", self.wall)?;
        if self.withheld < MIN_SHOWN_WAIT {
            return Ok(());
        }
        write!(f, " (of which it waited {:.1?} for a processor)", self.withheld)
    }
}

/// Behaviour of a silent program while more time passes and when its input is closed.
pub(crate) enum LastWords {
    /// It waited, and wrote this line as soon as its input was closed: it was in its buffer.
    Unflushed(String),
    /// It answered in the end, this long after the request.
    Late(Duration),
    /// Nothing; it was computing.
    Busy,
    /// Nothing; it was waiting or asleep.
    Silent,
}

impl Probe {
    /// `kept` is how many of the lines that were sent are shown with a problem.
    pub(crate) fn new(launch: Launch, pace: Pace, kept: usize) -> Self {
        Self {
            launch,
            program: None,
            kept,
            sent: Vec::new(),
            asked: Instant::now(),
            unasked: Vec::new(),
            pace,
            was_brisk: false,
            started: Instant::now(),
            is_busy: false,
        }
    }

    /// Starts the program.
    pub(crate) fn start(&mut self) -> Result<(), Fault> {
        self.program = None; // what is left of the old one goes first
        self.program = Some(self.launch.start()?);
        (self.started, self.is_busy) = (Instant::now(), false);
        Ok(())
    }

    /// Returns the time to give in a point that is not about time.
    pub(crate) fn given(&mut self, position: &dyn AnyPosition) -> TimeGranted {
        self.was_brisk |= self.pace.is_brisk();
        TimeGranted::fresh(self.pace.now(), position)
    }

    /// Waits until the program waits for its first line. Returns false if it still computes.
    pub(crate) fn settle(&mut self) -> Result<bool, Fault> {
        let until = Instant::now() + SETTLE_TIMEOUT;
        self.is_busy = !self.rests(until, true)?;
        Ok(!self.is_busy)
    }

    /// Returns true as soon as the program has slept for a while.
    fn rests(&mut self, until: Instant, listen: bool) -> Result<bool, Fault> {
        let mut sleep = Sleep::default();
        while Instant::now() < until {
            if listen {
                match self.hear(Instant::now() + POLL_INTERVAL) {
                    Ok(line) if line.trim().is_empty() => {}
                    Ok(line) => self.unasked.push(quoted(&line)),
                    Err(fault) if fault.verdict == Verdict::Time => {}
                    Err(fault) => return Err(fault),
                }
            } else {
                std::thread::sleep(POLL_INTERVAL);
            }
            if self.program()?.has_rested(&mut sleep) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.program.as_mut().is_some_and(Program::is_running)
    }

    /// Ends it and all that it started.
    pub(crate) fn end(&mut self) {
        self.program = None;
    }

    /// Another step begins.
    pub(crate) fn forget(&mut self) {
        self.sent.clear();
        self.was_brisk = false;
    }

    /// The latest lines that were sent.
    pub(crate) fn sent(&self) -> &[String] {
        &self.sent
    }

    /// Returns true if the step might have come out otherwise with more time.
    pub(crate) fn was_brisk(&self) -> bool {
        self.was_brisk
    }

    fn program(&mut self) -> Result<&mut Program, Fault> {
        let why = "does not run any more";
        self.program.as_mut().ok_or_else(|| Fault::new(Verdict::Crash, why))
    }

    /// Sends a line.
    pub(crate) fn say(&mut self, line: &str) -> Result<(), Fault> {
        if self.sent.len() == self.kept {
            self.sent.remove(0);
        }
        self.sent.push(shortened(line));
        self.asked = Instant::now();
        let program = self.program()?;
        program.begin_move();
        program.send(line, Instant::now() + START)
    }

    /// The next line.
    pub(crate) fn hear(&mut self, by: Instant) -> Result<String, Fault> {
        // A program that is still starting may take longer for its first answer.
        let by = if self.is_busy { by.max(self.started + START) } else { by };
        let program = self.program()?;
        let line = match program.line(by) {
            Err(fault) if fault.verdict == Verdict::Crash => {
                // On a busy machine the reason comes some time after the end of the output.
                program.end_by(Instant::now() + REASON_TIMEOUT);
                program.line(Instant::now() + REASON_TIMEOUT)?
            }
            other => other?,
        };
        self.is_busy = false;
        Ok(line)
    }

    /// The next line, if one comes soon.
    pub(crate) fn hear_within(&mut self, span: Duration) -> Option<String> {
        self.hear(Instant::now() + span).ok()
    }

    /// Returns the time of an answer to the line that was sent at `began`.
    pub(crate) fn took(&self, began: Instant) -> AnswerTime {
        let wall = began.elapsed();
        let withheld = self.program.as_ref().map_or(Duration::ZERO, Program::withheld);
        AnswerTime { wall, withheld: withheld.min(wall) }
    }

    /// Time since the latest line was sent.
    pub(crate) fn waited(&self) -> Duration {
        self.asked.elapsed()
    }

    /// Gives a program that has not answered more time, closes its input and looks what it does.
    pub(crate) fn last_words(&mut self) -> LastWords {
        if self.is_busy {
            return LastWords::Busy;
        }
        if self.hear_within(LATE_ANSWER_TIMEOUT).is_some() {
            return LastWords::Late(self.waited());
        }
        let rests = self.rests(Instant::now() + 3 * REST, false).unwrap_or(false);
        self.close_input();
        match self.hear_within(FLUSH_TIMEOUT) {
            Some(line) if rests => LastWords::Unflushed(quoted(&line)),
            Some(_) => LastWords::Late(self.waited()),
            None if rests => LastWords::Silent,
            None => LastWords::Busy,
        }
    }

    pub(crate) fn close_input(&mut self) {
        if let Some(program) = &mut self.program {
            program.close_input();
        }
    }

    /// Waits for the end of the program; `None` if it still runs.
    pub(crate) fn end_within(&mut self, span: Duration) -> Option<ProgramEnd> {
        let end = self.program.as_mut()?.end_by(Instant::now() + span)?;
        let end = match end {
            Notice::Exited { code, left, .. } => ProgramEnd::Exited { code: *code, left: *left },
            Notice::Killed { signal, .. } => ProgramEnd::Killed(*signal),
            other => ProgramEnd::Guard(other.clone()),
        };
        self.program = None;
        Some(end)
    }
}

/// A line that a program wrote, short enough for a message.
pub(crate) fn quoted(line: &str) -> String {
    harmless(line, MAX_QUOTED_CHARS)
}

/// A line that was sent, whole unless it is very long: the clock at its end must be seen.
fn shortened(line: &str) -> String {
    let length = line.chars().count();
    if length <= MAX_SENT_CHARS {
        return harmless(line, MAX_SENT_CHARS);
    }
    let half = MAX_SENT_CHARS / 2;
    let end: String = line.chars().skip(length - half).collect();
    format!("{} {}", harmless(line, half), harmless(&end, half))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_time_is_wall_time_and_names_the_wait() {
        let ms = Duration::from_millis;
        let time = AnswerTime { wall: ms(120), withheld: ms(90) };
        assert_eq!(time.own(), ms(30));
        assert_eq!(time.to_string(), "120.0ms (of which it waited 90.0ms for a processor)");
        let time = AnswerTime { wall: ms(20), withheld: Duration::from_micros(40) };
        assert_eq!(time.to_string(), "20.0ms");
    }

    #[test]
    fn a_request_is_shown_whole_and_a_huge_one_with_both_ends() {
        let request = format!("{{{} \"move_ms\": 5}}", "x".repeat(2000));
        assert_eq!(shortened(&request), request);
        let huge = format!("begin{}end", "x".repeat(100_000));
        let shown = shortened(&huge);
        assert!(shown.starts_with("beginx") && shown.ends_with("xend"), "{shown}");
        assert!(shown.chars().count() < MAX_SENT_CHARS + 10);
    }
}
