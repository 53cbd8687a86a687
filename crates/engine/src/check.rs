//! Compliance test for authors of programs: checks that a program speaks its protocol.
//!
//! Each [`Point`] says what was sent, what was received, what was expected and how to fix it. A program that fails a
//! point is restarted for the next one.

pub(crate) mod pace;
pub(crate) mod positions;
pub(crate) mod probe;
pub(crate) mod time;

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use tussle_catalog::AnyGame;
use tussle_core::{Rng, TimeControl};

use crate::program::Launch;
use crate::{CommandError, Fault, GtpGameError, Guard, PlayerSpec, Protocol, Shortage, Verdict};
use pace::Pace;
use probe::{LastWords, Probe, ProgramEnd};

/// Result of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The program does what is expected.
    Ok,
    /// Information without a judgement.
    Note,
    /// The program can play, but not everywhere or not as well as it could.
    Warning,
    /// The program must be fixed.
    Failed,
}

/// One point of the compliance test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// Subject of the point.
    pub name: &'static str,
    /// Result of the point.
    pub status: Status,
    /// Last lines that were sent; empty if the program passed.
    pub sent: Vec<String>,
    /// Description of the answer, or a remark.
    pub received: String,
    /// Lines that the program wrote to standard error, from its last traceback on.
    pub evidence: Vec<String>,
    /// Description of the expected answer; empty if the program passed.
    pub expected: String,
    /// Advice on how to fix the program; empty if it passed.
    pub fix: String,
}

impl Point {
    /// Returns the whole content of the point in one line.
    pub fn detail(&self) -> String {
        let (sent, evidence) = (self.sent.join(" | "), self.evidence.join(" | "));
        let parts = [
            ("sent: ", sent.as_str()),
            ("received: ", &self.received),
            ("standard error: ", &evidence),
            ("expected: ", &self.expected),
            ("to fix: ", &self.fix),
        ];
        if self.expected.is_empty() {
            return self.received.clone();
        }
        let parts = parts.iter().filter(|(_, text)| !text.is_empty());
        parts.map(|(name, text)| format!("{name}{text}")).collect::<Vec<_>>().join("; ")
    }
}

/// Returns the end of a message that suggests the spec of a bare command.
fn hint(spec: &str) -> String {
    let hint = tussle_catalog::program_hint(spec);
    hint.map_or_else(String::new, |hint| format!("; did you mean `{hint}`?"))
}

/// Error of a program that cannot be tested.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// The spec does not name a program.
    #[error(
        "`{spec}` is not a program: expected {}{}",
        Protocol::spec_forms(), hint(.spec)
    )]
    NotAProgram {
        /// The spec.
        spec: String,
    },
    /// The command of the program is invalid.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// The game cannot be played by GTP.
    #[error(transparent)]
    Game(#[from] GtpGameError),
    /// This machine is short of descriptors, processes or memory, and the program was not started.
    #[error(
        "this machine is short of descriptors, processes or memory: {0}; \
         raise the limits (ulimit -n, ulimit -u)"
    )]
    Short(#[source] Shortage),
}

/// Tests a program, `ugi:COMMAND`, `gtp:COMMAND` or `json:COMMAND`, on a game. Calls `each` with every point as soon as
/// it is done.
///
/// `clock` is the time control of the program's matches. Without one, the program gets 2 s per move, and problems with
/// shorter times are only warnings.
///
/// # Errors
/// If the spec does not name a program, its command is invalid, or this machine is short of the resources to start it.
pub fn check(
    spec: &str,
    game: &Arc<dyn AnyGame>,
    guard: &Guard,
    clock: Option<TimeControl>,
    each: &mut dyn FnMut(&Point),
) -> Result<Vec<Point>, CheckError> {
    let PlayerSpec::Program { protocol, command } = PlayerSpec::parse(spec) else {
        return Err(CheckError::NotAProgram { spec: spec.to_owned() });
    };
    let launch = Launch::new(&command, None, guard, None)?;
    let probe = Probe::new(launch, Pace::new(clock), protocol.lines_per_request);
    (protocol.examine)(probe, Arc::clone(game), clock, each)
}

/// Result of a step in which the program had no fault.
pub(crate) enum Finding {
    Fine(String),
    Note(String),
    Warning(Problem),
    Failed(Problem),
}

/// Problem of a program that a step found.
pub(crate) struct Problem {
    pub(crate) received: String,
    pub(crate) expected: String,
    pub(crate) fix: String,
    pub(crate) evidence: Vec<String>,
    /// Cause of the problem. Problems with the same cause are explained once.
    pub(crate) cause: Option<String>,
    /// True if more time could solve the problem.
    pub(crate) is_about_time: bool,
}

impl Problem {
    pub(crate) fn new(
        received: impl Into<String>,
        expected: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        let (received, expected, fix) = (received.into(), expected.into(), fix.into());
        Self { received, expected, fix, evidence: Vec::new(), cause: None, is_about_time: false }
    }

    /// Sets the cause, which other problems may share.
    pub(crate) fn because(self, cause: impl Into<String>) -> Self {
        Self { cause: Some(cause.into()), ..self }
    }

    /// Marks the problem as one that more time could solve.
    pub(crate) fn about_time(self) -> Self {
        Self { is_about_time: true, ..self }
    }
}

pub(crate) type Outcome = Result<Finding, Fault>;

/// Step of the test, which results in one point.
pub(crate) struct Step<S> {
    name: &'static str,
    run: fn(&mut S) -> Outcome,
    /// True if all later steps depend on this one.
    is_needed: bool,
}

impl<S> Step<S> {
    pub(crate) const fn new(name: &'static str, run: fn(&mut S) -> Outcome) -> Self {
        Self { name, run, is_needed: false }
    }

    pub(crate) const fn needed(name: &'static str, run: fn(&mut S) -> Outcome) -> Self {
        Self { name, run, is_needed: true }
    }
}

/// Examination of a program by one of the protocols.
pub(crate) trait Examination {
    fn probe(&mut self) -> &mut Probe;

    fn rng(&mut self) -> &mut Rng;

    /// Prepares a program that was just started for the next step.
    fn greet(&mut self) -> Result<(), Fault>;
}

/// Performs the steps of a protocol. Calls `each` with every point as soon as it is done.
pub(crate) fn run<S: Examination>(
    exam: &mut S,
    steps: &[Step<S>],
    each: &mut dyn FnMut(&Point),
) -> Result<Vec<Point>, CheckError> {
    let mut points: Vec<Point> = Vec::new();
    let mut tell = |point: Point| {
        each(&point);
        points.push(point);
    };
    let mut explained = ExplainedCauses::default();
    for (number, step) in steps.iter().enumerate() {
        // The first step starts the program itself.
        let is_first = number == 0;
        let before = exam.rng().clone();
        let (mut finding, mut is_lost) = attempt(exam, step, is_first)?;
        let may_need_time = matches!(&finding, Finding::Failed(problem) if problem.is_about_time);
        if may_need_time && exam.probe().was_short() {
            // The program may need more time than the short time per move that it kept before.
            exam.probe().end();
            exam.probe().pace.relax();
            *exam.rng() = before;
            let again;
            (again, is_lost) = attempt(exam, step, is_first)?;
            finding = with_more_time(finding, again);
        }
        let failed = matches!(finding, Finding::Failed(_));
        let point =
            point(step.name, explained.explain_once(step.name, finding), exam.probe().sent());
        tell(point);
        if failed {
            exam.probe().end();
            if step.is_needed || is_lost {
                tell(point_of_rest());
                break;
            }
        }
    }
    exam.probe().end();
    Ok(points)
}

/// Performs a step. Returns its finding, and true if the program could not be started for the step.
///
/// # Errors
/// If this machine is at fault and not the program.
fn attempt<S: Examination>(
    exam: &mut S,
    step: &Step<S>,
    is_first: bool,
) -> Result<(Finding, bool), CheckError> {
    exam.probe().forget();
    let ready = if is_first { Ok(()) } else { make_ready(exam) };
    let is_lost = ready.is_err();
    let outcome = ready.and_then(|()| (step.run)(exam));
    let finding = match outcome {
        Err(fault) if fault.verdict == Verdict::Host => {
            return Err(CheckError::Short(Shortage(fault.what)));
        }
        Err(fault) => Finding::Failed(problem_of(exam.probe(), &fault)),
        Ok(finding) => finding,
    };
    Ok((finding, is_lost))
}

/// Returns the finding of a step that failed with a short time per move and was repeated with more time.
fn with_more_time(short: Finding, again: Finding) -> Finding {
    match (short, again) {
        (Finding::Failed(problem), Finding::Fine(_) | Finding::Note(_)) => {
            Finding::Warning(Problem {
                received: format!("with little time: {}", problem.received),
                fix: format!("{}; the program passes with more time", problem.fix),
                ..problem
            })
        }
        (_, again) => again,
    }
}

/// Causes of the problems so far: each with true if a step failed by it, and with the name of the first step.
#[derive(Default)]
struct ExplainedCauses(Vec<(String, bool, &'static str)>);

impl ExplainedCauses {
    /// Turns a problem with a known cause into a note. A failure after a warning stays a failure, but is not explained
    /// again.
    fn explain_once(&mut self, name: &'static str, finding: Finding) -> Finding {
        let (problem, failed) = match &finding {
            Finding::Failed(problem) => (problem, true),
            Finding::Warning(problem) => (problem, false),
            Finding::Fine(_) | Finding::Note(_) => return finding,
        };
        let Some(cause) = &problem.cause else { return finding };
        let Some((_, was_failed, first)) = self.0.iter_mut().find(|(other, ..)| other == cause)
        else {
            self.0.push((cause.clone(), failed, name));
            return finding;
        };
        let same = format!("the same fault as in `{first}`");
        match finding {
            Finding::Failed(problem) if !*was_failed => {
                *was_failed = true;
                Finding::Failed(Problem { received: same, evidence: Vec::new(), ..problem })
            }
            _ => Finding::Note(same),
        }
    }
}

/// Starts the program again if an earlier step ended it.
fn make_ready<S: Examination>(exam: &mut S) -> Result<(), Fault> {
    if exam.probe().is_running() {
        return Ok(());
    }
    exam.probe().start()?;
    exam.probe().settle()?;
    exam.greet()?;
    exam.probe().forget();
    Ok(())
}

fn point_of_rest() -> Point {
    point("the rest", Finding::Note("not tried: all other points depend on this one".into()), &[])
}

/// Maximum length of the description of an answer, in characters.
const MAX_SHOWN_CHARS: usize = 400;

fn point(name: &'static str, finding: Finding, sent: &[String]) -> Point {
    let (status, problem) = match finding {
        Finding::Fine(remark) => (Status::Ok, Problem::new(remark, "", "")),
        Finding::Note(remark) => (Status::Note, Problem::new(remark, "", "")),
        Finding::Warning(problem) => (Status::Warning, problem),
        Finding::Failed(problem) => (Status::Failed, problem),
    };
    let Problem { mut received, expected, fix, evidence, .. } = problem;
    if let Some((end, _)) = received.char_indices().nth(MAX_SHOWN_CHARS) {
        received.truncate(end);
        received.push('…');
    }
    let has_passed = matches!(status, Status::Ok | Status::Note);
    let sent = if has_passed { Vec::new() } else { sent.to_vec() };
    Point { name, status, sent, received, evidence, expected, fix }
}

/// Advice for programs that print other text than protocol lines.
pub(crate) const PRINT: &str = "keep standard output for replies; print for yourself to standard error, in \
                     Python with print(…, file=sys.stderr)";
/// Advice for programs whose answers do not arrive.
const FLUSH: &str = "flush the output after every line, in Python with print(…, flush=True)";

/// Returns the problem that explains a fault of the program.
pub(crate) fn problem_of(probe: &mut Probe, fault: &Fault) -> Problem {
    let cause = cause_of(fault);
    let evidence = from_last_traceback(&fault.evidence);
    let received = format!("it {}", fault.what);
    let problem = match fault.verdict {
        Verdict::Time | Verdict::Hang => return silence(probe, fault),
        Verdict::Protocol => Problem::new(received, "lines of the protocol and no others", PRINT),
        Verdict::Memory => {
            Problem::new(received, "less memory", "keep tables and trees within limits")
        }
        _ => Problem::new(
            received,
            "a program that keeps running",
            "answer with a legal move in every case, even if little time is left (set the clock of \
             its matches with --clock); standard error shows where it ended",
        ),
    };
    Problem { evidence, ..problem.because(cause) }
}

/// Returns the problem of a program without an answer: the answer is not flushed, or the program is too slow.
fn silence(probe: &mut Probe, fault: &Fault) -> Problem {
    let waited = probe.waited();
    let none = format!("it {}: no answer within {waited:.1?}", fault.what);
    let problem = match probe.last_words() {
        LastWords::Unflushed(line) => Problem::new(
            format!(
                "{none}; `{line}` was received only after its input was closed, so it was written but \
                 not flushed"
            ),
            "an answer that arrives",
            FLUSH,
        )
        .because("not flushed"),
        LastWords::Late(took) => Problem::new(
            format!("{none}; its answer arrived after {took:.1?}"),
            format!("an answer within {waited:.1?}"),
            "check the clock during the search; if its matches give it more time, set their clock \
             with --clock",
        )
        .because("late")
        .about_time(),
        LastWords::Busy => Problem::new(
            format!("{none}; it was still computing"),
            format!("an answer within {waited:.1?}"),
            "look for an endless loop, and check the clock during the search; if its matches give it \
             more time, set their clock with --clock",
        )
        .because("silent")
        .about_time(),
        LastWords::Silent => Problem::new(
            format!("{none}; it was waiting or asleep"),
            format!("an answer within {waited:.1?}"),
            format!(
                "either the answer is not flushed, or the program needs longer than {waited:.1?}: \
                 {FLUSH}, and end the line; or set the clock of its matches with --clock"
            ),
        )
        .because("silent")
        .about_time(),
    };
    Problem { evidence: from_last_traceback(&fault.evidence), ..problem }
}

/// Returns the cause of a fault. Faults that end at the same line of a program have the same cause.
fn cause_of(fault: &Fault) -> String {
    let is_place = |line: &&String| line.trim_start().starts_with("File \"");
    let place = fault.evidence.iter().rev().find(is_place);
    let words = |text: &str| text.replace(|c: char| c.is_ascii_digit(), "");
    place.cloned().unwrap_or_else(|| {
        let evidence = fault.evidence.iter().map(|line| words(line)).collect::<Vec<_>>();
        format!("{} {} {}", fault.verdict, words(&fault.what), evidence.join(" "))
    })
}

/// Returns the lines of standard error from the last traceback on.
fn from_last_traceback(lines: &[String]) -> Vec<String> {
    let begin = lines.iter().rposition(|line| line.starts_with("Traceback ")).unwrap_or(0);
    lines[begin..].to_vec()
}

/// First step of every test: starts the program.
pub(crate) fn starts(probe: &mut Probe) -> Outcome {
    if let Err(fault) = probe.start() {
        if fault.verdict == Verdict::Host {
            return Err(fault);
        }
        return failed(
            fault.what,
            "a program that runs",
            "write the command as you would in a shell: is the path right, seen from this folder, \
             and may the file be executed?",
        );
    }
    match probe.settle() {
        Ok(true) => fine(),
        Ok(false) => Ok(Finding::Note(
            "it is computing before the first request: does it read its input?".into(),
        )),
        Err(fault) if fault.verdict == Verdict::Host => Err(fault),
        Err(fault) => Ok(Finding::Failed(Problem {
            expected: "a program that waits for its first line".into(),
            fix: "fix the error that standard error shows; there was no request yet".into(),
            ..problem_of(probe, &fault)
        })),
    }
}

/// Returns the finding of a step that passed.
#[expect(clippy::unnecessary_wraps, reason = "steps end with it")]
pub(crate) fn fine() -> Outcome {
    Ok(Finding::Fine(String::new()))
}

#[expect(clippy::unnecessary_wraps, reason = "steps end with it")]
pub(crate) fn failed(
    received: impl Into<String>,
    expected: impl Into<String>,
    fix: impl Into<String>,
) -> Outcome {
    Ok(Finding::Failed(Problem::new(received, expected, fix)))
}

#[expect(clippy::unnecessary_wraps, reason = "steps end with it")]
pub(crate) fn warning(
    received: impl Into<String>,
    expected: impl Into<String>,
    fix: impl Into<String>,
) -> Outcome {
    Ok(Finding::Warning(Problem::new(received, expected, fix)))
}

/// Grace period after the limit, in which an answer counts as late and not as missing.
pub(crate) const LATE_ANSWER_GRACE: Duration = Duration::from_secs(2);
/// Maximum time that a program may take to end after it was asked to quit.
pub(crate) const QUIT_TIMEOUT: Duration = Duration::from_secs(2);

/// Answer of a program that resigns.
pub(crate) const RESIGNS: &str = "resign";

/// Returns the finding about lines that do not belong to the protocol.
pub(crate) fn quiet(probe: &Probe, noise: &[String]) -> Finding {
    let noise: Vec<&String> = probe.unasked.iter().chain(noise).collect();
    match noise.first() {
        None => Finding::Fine(String::new()),
        Some(first) => Finding::Warning(Problem::new(
            format!("{} other lines, the first of them `{first}`", noise.len()),
            "nothing but lines of the protocol on standard output",
            PRINT,
        )),
    }
}

/// Asks a program to quit, by a line or the end of its input, and returns the finding about its end.
pub(crate) fn farewell(probe: &mut Probe, line: Option<&str>) -> Outcome {
    if let Some(line) = line {
        probe.say(line)?;
    } else {
        probe.close_input();
    }
    let how = line.map_or("at the end of its input".to_owned(), |line| format!("after `{line}`"));
    let end = probe.end_within(QUIT_TIMEOUT);
    Ok(match end {
        Some(ProgramEnd::Exited { code: 0, left: 0 }) => Finding::Fine(String::new()),
        Some(ProgramEnd::Exited { code: 0, left }) => Finding::Warning(Problem::new(
            format!("it ended {how} and left {left} processes running"),
            "no process left running",
            "before you exit, end the processes that you have started and wait for them",
        )),
        Some(ProgramEnd::Exited { code, .. }) => Finding::Warning(Problem::new(
            format!("it ended {how} with exit code {code}"),
            "exit code 0",
            "exit normally",
        )),
        Some(end) => Finding::Failed(Problem::new(
            format!("{how}: {end}"),
            "a normal exit",
            "exit normally, with exit code 0",
        )),
        None => Finding::Failed(Problem::new(
            format!("it was still running {QUIT_TIMEOUT:?} later"),
            format!("an exit {how}"),
            "read commands during the search, and leave the loop that reads them",
        )),
    })
}
