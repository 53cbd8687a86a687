//! Program under test, with the lines that were sent to it.

use std::fmt;
use std::time::{Duration, Instant};

use tussle_catalog::AnyPosition;

use super::pace::{MoveTime, Pace};
use crate::Fault;
use crate::Verdict;
use crate::guard::Notice;
use crate::program::{Launch, MIN_SLEEP, Program, START_TIMEOUT, Sleep, harmless};

/// Maximum length of a sent line that is shown, in characters. Of longer lines the middle is left out.
const MAX_SENT_CHARS: usize = 4000;
/// Maximum length of a program's line that is quoted in a message, in characters.
const MAX_QUOTED_CHARS: usize = 160;
/// Maximum time to wait until a started program waits for its first line.
const SETTLE_TIMEOUT: Duration = Duration::from_secs(5);
/// Maximum time to wait for the reason why a program's output has ended.
const REASON_TIMEOUT: Duration = Duration::from_secs(1);
/// Interval at which the state of a program is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(5);
/// Maximum time to wait for buffered output after a program's input was closed.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(2);
/// Maximum time to wait for a late answer before the program's input is closed.
const LATE_ANSWER_TIMEOUT: Duration = Duration::from_secs(2);

/// Minimum wait for a processor that is mentioned with the time of an answer.
const MIN_SHOWN_WAIT: Duration = Duration::from_millis(1);

/// End of a program under test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ProgramEnd {
    /// The program exited and left `left` processes running.
    Exited { code: i32, left: usize },
    /// The signal with this number ended the program.
    Killed(i32),
    /// The supervisor ended the program, or has failed.
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

/// Program under test, which is restarted as often as needed.
pub(crate) struct Probe {
    launch: Launch,
    program: Option<Program>,
    /// Maximum number of sent lines that are kept.
    kept: usize,
    /// Latest lines that were sent.
    sent: Vec<String>,
    /// Time at which the latest line was sent.
    asked: Instant,
    /// Lines that the program wrote before the first request.
    pub(crate) unasked: Vec<String>,
    /// Time per move of the program.
    pub(crate) pace: Pace,
    /// True if the current step has given less time than the program may need.
    was_short: bool,
    /// Time at which the program was started.
    started: Instant,
    /// True if the program has not waited for input since its start.
    is_busy: bool,
}

/// Time from a request to its answer.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AnswerTime {
    wall: Duration,
    /// Part of the time for which the program waited for a processor, without its own fault.
    withheld: Duration,
}

impl AnswerTime {
    /// Returns the time without the part that this machine withheld.
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

/// Behaviour of a program without an answer, when it gets more time and then its input is closed.
pub(crate) enum LastWords {
    /// It waited, and wrote this line when its input was closed: the line was in its buffer.
    Unflushed(String),
    /// It answered this long after the request.
    Late(Duration),
    /// It wrote nothing and was computing.
    Busy,
    /// It wrote nothing and was waiting or asleep.
    Silent,
}

impl Probe {
    /// Creates the probe of a program that is not started yet. The last `kept` sent lines are shown with a problem.
    pub(crate) fn new(launch: Launch, pace: Pace, kept: usize) -> Self {
        Self {
            launch,
            program: None,
            kept,
            sent: Vec::new(),
            asked: Instant::now(),
            unasked: Vec::new(),
            pace,
            was_short: false,
            started: Instant::now(),
            is_busy: false,
        }
    }

    /// Starts the program.
    pub(crate) fn start(&mut self) -> Result<(), Fault> {
        self.program = None; // ends the old processes first
        self.program = Some(self.launch.start()?);
        (self.started, self.is_busy) = (Instant::now(), false);
        Ok(())
    }

    /// Returns the time for a move in a point that is not about time.
    pub(crate) fn given(&mut self, position: &dyn AnyPosition) -> MoveTime {
        self.was_short |= self.pace.is_short();
        MoveTime::fresh(self.pace.now(), position)
    }

    /// Waits until the program waits for its first line. Returns false if it is still computing after the timeout.
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

    /// Ends the program and all processes that it started.
    pub(crate) fn end(&mut self) {
        self.program = None;
    }

    /// Forgets the sent lines, at the beginning of a step.
    pub(crate) fn forget(&mut self) {
        self.sent.clear();
        self.was_short = false;
    }

    /// Returns the latest lines that were sent.
    pub(crate) fn sent(&self) -> &[String] {
        &self.sent
    }

    /// Returns true if the result of the step could be different with more time.
    pub(crate) fn was_short(&self) -> bool {
        self.was_short
    }

    fn program(&mut self) -> Result<&mut Program, Fault> {
        let why = "is not running any more";
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
        program.send(line, Instant::now() + START_TIMEOUT)
    }

    /// Returns the program's next line.
    pub(crate) fn hear(&mut self, by: Instant) -> Result<String, Fault> {
        // A program that is still starting may take longer for its first answer.
        let by = if self.is_busy { by.max(self.started + START_TIMEOUT) } else { by };
        let program = self.program()?;
        let line = match program.line(by) {
            Err(fault) if fault.verdict == Verdict::Crash => {
                // On a busy machine the reason arrives some time after the end of the output.
                program.end_by(Instant::now() + REASON_TIMEOUT);
                program.line(Instant::now() + REASON_TIMEOUT)?
            }
            other => other?,
        };
        self.is_busy = false;
        Ok(line)
    }

    /// Returns the program's next line if it arrives within this time.
    pub(crate) fn hear_within(&mut self, span: Duration) -> Option<String> {
        self.hear(Instant::now() + span).ok()
    }

    /// Returns the time of an answer to the line that was sent at `began`.
    pub(crate) fn took(&self, began: Instant) -> AnswerTime {
        let wall = began.elapsed();
        let withheld = self.program.as_ref().map_or(Duration::ZERO, Program::withheld);
        AnswerTime { wall, withheld: withheld.min(wall) }
    }

    /// Returns the time since the latest line was sent.
    pub(crate) fn waited(&self) -> Duration {
        self.asked.elapsed()
    }

    /// Gives a program that has not answered more time, then closes its input, and returns what it does.
    pub(crate) fn last_words(&mut self) -> LastWords {
        if self.is_busy {
            return LastWords::Busy;
        }
        if self.hear_within(LATE_ANSWER_TIMEOUT).is_some() {
            return LastWords::Late(self.waited());
        }
        let rests = self.rests(Instant::now() + 3 * MIN_SLEEP, false).unwrap_or(false);
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

    /// Waits for the end of the program. Returns `None` if it is still running after this time.
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

/// Returns a line of a program, shortened for a message.
pub(crate) fn quoted(line: &str) -> String {
    harmless(line, MAX_QUOTED_CHARS)
}

/// Returns a sent line for a message. The middle of a very long line is left out, because the clock is at the end.
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
    fn an_answer_time_is_shown_as_wall_time_with_the_wait() {
        let ms = Duration::from_millis;
        let time = AnswerTime { wall: ms(120), withheld: ms(90) };
        assert_eq!(time.own(), ms(30));
        assert_eq!(time.to_string(), "120.0ms (of which it waited 90.0ms for a processor)");
        let time = AnswerTime { wall: ms(20), withheld: Duration::from_micros(40) };
        assert_eq!(time.to_string(), "20.0ms");
    }

    #[test]
    fn a_huge_request_is_shown_with_both_ends() {
        let request = format!("{{{} \"move_ms\": 5}}", "x".repeat(2000));
        assert_eq!(shortened(&request), request);
        let huge = format!("begin{}end", "x".repeat(100_000));
        let shown = shortened(&huge);
        assert!(shown.starts_with("beginx") && shown.ends_with("xend"), "{shown}");
        assert!(shown.chars().count() < MAX_SENT_CHARS + 10);
    }
}
