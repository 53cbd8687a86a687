//! A compliance test for authors of agents: does a program speak its protocol?
//!
//! Each [`Point`] says what was sent, what came, what was expected and how to mend it. A program
//! that fails a point is started anew for the next one.

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

/// How a point turned out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// As it should be.
    Ok,
    /// Nothing to judge, but good to know.
    Note,
    /// It will play, but not everywhere or not as well as it could.
    Warning,
    /// It has to be mended.
    Failed,
}

/// One point of the test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// What was looked at.
    pub name: &'static str,
    /// How it turned out.
    pub status: Status,
    /// The last lines that were sent, if it did not turn out well.
    pub sent: Vec<String>,
    /// What came, or what there is to say.
    pub came: String,
    /// Lines that the program wrote to standard error, from its last traceback on.
    pub evidence: Vec<String>,
    /// What should have come.
    pub expected: String,
    /// How to mend it.
    pub mend: String,
}

impl Point {
    /// All there is to say about it, in one line.
    pub fn detail(&self) -> String {
        let (sent, evidence) = (self.sent.join(" | "), self.evidence.join(" | "));
        let parts = [
            ("sent: ", sent.as_str()),
            ("came: ", &self.came),
            ("standard error: ", &evidence),
            ("expected: ", &self.expected),
            ("to mend: ", &self.mend),
        ];
        if self.expected.is_empty() {
            return self.came.clone();
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
    /// The spec names no program.
    #[error(
        "`{spec}` is not a program: write {}{}",
        Protocol::spec_forms(), hint(.spec)
    )]
    NotAProgram {
        /// The spec.
        spec: String,
    },
    /// The command line of the program is wrong.
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

/// Tests a program, `ugi:COMMAND`, `gtp:COMMAND` or `json:COMMAND`, on a game, and tells `each`
/// point as soon as it is done.
///
/// `clock` is the clock of the program's matches. Without one the program gets 2 s per move, and
/// what goes wrong in less time is a warning.
///
/// # Errors
/// If the spec names no program, its command cannot be read, or this machine is short of what it takes to start it.
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

/// What a step finds, unless the program fails altogether.
pub(crate) enum Finding {
    Fine(String),
    Note(String),
    Warning(Problem),
    Failed(Problem),
}

/// What is wrong.
pub(crate) struct Problem {
    pub(crate) came: String,
    pub(crate) expected: String,
    pub(crate) mend: String,
    pub(crate) evidence: Vec<String>,
    /// Problems with the same cause are told once.
    pub(crate) cause: Option<String>,
    /// No answer came in time; with more time one might.
    pub(crate) is_about_time: bool,
}

impl Problem {
    pub(crate) fn new(
        came: impl Into<String>,
        expected: impl Into<String>,
        mend: impl Into<String>,
    ) -> Self {
        let (came, expected, mend) = (came.into(), expected.into(), mend.into());
        Self { came, expected, mend, evidence: Vec::new(), cause: None, is_about_time: false }
    }

    /// Names a cause that other problems may share.
    pub(crate) fn because(self, cause: impl Into<String>) -> Self {
        Self { cause: Some(cause.into()), ..self }
    }

    /// Says that more time might help.
    pub(crate) fn about_time(self) -> Self {
        Self { is_about_time: true, ..self }
    }
}

pub(crate) type Outcome = Result<Finding, Fault>;

/// A step of the test: its name, what it does, and whether all others need it.
pub(crate) struct Step<S> {
    name: &'static str,
    run: fn(&mut S) -> Outcome,
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

/// A talk by one of the protocols.
pub(crate) trait Talk {
    fn probe(&mut self) -> &mut Probe;

    fn rng(&mut self) -> &mut Rng;

    /// Brings a program that was just started to where steps begin.
    fn greet(&mut self) -> Result<(), Fault>;
}

/// Takes the steps of a protocol, and tells each point as soon as it is done.
pub(crate) fn run<S: Talk>(
    talk: &mut S,
    steps: &[Step<S>],
    each: &mut dyn FnMut(&Point),
) -> Result<Vec<Point>, CheckError> {
    let mut points: Vec<Point> = Vec::new();
    let mut tell = |point: Point| {
        each(&point);
        points.push(point);
    };
    let mut explained = Explained::default();
    for (number, step) in steps.iter().enumerate() {
        // The first step starts the program itself.
        let is_first = number == 0;
        let before = talk.rng().clone();
        let (mut finding, mut is_lost) = attempt(talk, step, is_first)?;
        let may_need_time = matches!(&finding, Finding::Failed(problem) if problem.is_about_time);
        if may_need_time && talk.probe().was_brisk() {
            // Perhaps it needs more time than the short one that it kept before.
            talk.probe().end();
            talk.probe().pace.relax();
            *talk.rng() = before;
            let again;
            (again, is_lost) = attempt(talk, step, is_first)?;
            finding = with_more_time(finding, again);
        }
        let failed = matches!(finding, Finding::Failed(_));
        let point = point(step.name, explained.told_once(step.name, finding), talk.probe().sent());
        tell(point);
        if failed {
            talk.probe().end();
            if step.is_needed || is_lost {
                tell(point_of_rest());
                break;
            }
        }
    }
    talk.probe().end();
    Ok(points)
}

/// Takes a step. Returns true with its finding if the program could not be started for it.
///
/// # Errors
/// If this machine is at fault, and not the program.
fn attempt<S: Talk>(
    talk: &mut S,
    step: &Step<S>,
    is_first: bool,
) -> Result<(Finding, bool), CheckError> {
    talk.probe().forget();
    let ready = if is_first { Ok(()) } else { make_ready(talk) };
    let is_lost = ready.is_err();
    let outcome = ready.and_then(|()| (step.run)(talk));
    let finding = match outcome {
        Err(fault) if fault.verdict == Verdict::Host => {
            return Err(CheckError::Short(Shortage(fault.what)));
        }
        Err(fault) => Finding::Failed(problem_of(talk.probe(), &fault)),
        Ok(finding) => finding,
    };
    Ok((finding, is_lost))
}

/// Judges a step that failed with a short time and was taken again with more.
fn with_more_time(short: Finding, again: Finding) -> Finding {
    match (short, again) {
        (Finding::Failed(problem), Finding::Fine(_) | Finding::Note(_)) => {
            Finding::Warning(Problem {
                came: format!("with little time: {}", problem.came),
                mend: format!("{}; with more time it does well", problem.mend),
                ..problem
            })
        }
        (_, again) => again,
    }
}

/// Causes of the problems that were told.
#[derive(Default)]
struct Explained(Vec<(String, bool, &'static str)>);

impl Explained {
    /// Turns a problem with a known cause into a note. A failure stays one after a warning, but is
    /// not explained again.
    fn told_once(&mut self, name: &'static str, finding: Finding) -> Finding {
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
                Finding::Failed(Problem { came: same, evidence: Vec::new(), ..problem })
            }
            _ => Finding::Note(same),
        }
    }
}

/// Starts the program again if a step before has ended it.
fn make_ready<S: Talk>(talk: &mut S) -> Result<(), Fault> {
    if talk.probe().is_running() {
        return Ok(());
    }
    talk.probe().start()?;
    talk.probe().settle()?;
    talk.greet()?;
    talk.probe().forget();
    Ok(())
}

fn point_of_rest() -> Point {
    point("the rest", Finding::Note("not tried: all other points need this one".into()), &[])
}

/// Nobody reads more of what came.
const MAX_SHOWN_CHARS: usize = 400;

fn point(name: &'static str, finding: Finding, sent: &[String]) -> Point {
    let (status, problem) = match finding {
        Finding::Fine(remark) => (Status::Ok, Problem::new(remark, "", "")),
        Finding::Note(remark) => (Status::Note, Problem::new(remark, "", "")),
        Finding::Warning(problem) => (Status::Warning, problem),
        Finding::Failed(problem) => (Status::Failed, problem),
    };
    let Problem { mut came, expected, mend, evidence, .. } = problem;
    if let Some((end, _)) = came.char_indices().nth(MAX_SHOWN_CHARS) {
        came.truncate(end);
        came.push('…');
    }
    let is_well = matches!(status, Status::Ok | Status::Note);
    let sent = if is_well { Vec::new() } else { sent.to_vec() };
    Point { name, status, sent, came, evidence, expected, mend }
}

/// Advice for programs that print for people.
pub(crate) const PRINT: &str = "keep standard output for replies; print for yourself to standard error, in \
                     Python with print(…, file=sys.stderr)";
/// Advice for programs whose answers do not arrive.
const FLUSH: &str = "flush the output after every line, in Python with print(…, flush=True)";

/// Explains a fault of the program.
pub(crate) fn problem_of(probe: &mut Probe, fault: &Fault) -> Problem {
    let cause = cause_of(fault);
    let evidence = from_last_traceback(&fault.evidence);
    let came = format!("it {}", fault.what);
    let problem = match fault.verdict {
        Verdict::Time | Verdict::Hang => return silence(probe, fault),
        Verdict::Protocol => Problem::new(came, "lines of the protocol and no others", PRINT),
        Verdict::Memory => Problem::new(came, "less memory", "keep tables and trees within limits"),
        _ => Problem::new(
            came,
            "a program that goes on",
            "answer a legal move whatever happens and whatever time is left (--clock names the \
             clock of its matches); standard error shows where it ended",
        ),
    };
    Problem { evidence, ..problem.because(cause) }
}

/// Explains why no answer came: it is not flushed, or the program is too slow.
fn silence(probe: &mut Probe, fault: &Fault) -> Problem {
    let waited = probe.waited();
    let none = format!("it {}: no answer within {waited:.1?}", fault.what);
    let problem = match probe.last_words() {
        LastWords::Unflushed(line) => Problem::new(
            format!(
                "{none}; `{line}` came only when its input was closed, so it was written and not \
                 flushed"
            ),
            "an answer that arrives",
            FLUSH,
        )
        .because("not flushed"),
        LastWords::Late(took) => Problem::new(
            format!("{none}; its answer came after {took:.1?}"),
            format!("an answer within {waited:.1?}"),
            "look at the clock during the search; if its matches give it more time, name their \
             clock with --clock",
        )
        .because("late")
        .about_time(),
        LastWords::Busy => Problem::new(
            format!("{none}; it was still computing"),
            format!("an answer within {waited:.1?}"),
            "look for a loop without end, and look at the clock during the search; if its matches \
             give it more time, name their clock with --clock",
        )
        .because("silent")
        .about_time(),
        LastWords::Silent => Problem::new(
            format!("{none}; it was waiting or asleep"),
            format!("an answer within {waited:.1?}"),
            format!(
                "either the answer is not flushed, or the program needs longer than {waited:.1?}: \
                 {FLUSH}, and end the line; or name the clock of its matches with --clock"
            ),
        )
        .because("silent")
        .about_time(),
    };
    Problem { evidence: from_last_traceback(&fault.evidence), ..problem }
}

/// Names the cause of a fault: faults that end at the same line of a program have the same.
fn cause_of(fault: &Fault) -> String {
    let is_place = |line: &&String| line.trim_start().starts_with("File \"");
    let place = fault.evidence.iter().rev().find(is_place);
    let words = |text: &str| text.replace(|c: char| c.is_ascii_digit(), "");
    place.cloned().unwrap_or_else(|| {
        let evidence = fault.evidence.iter().map(|line| words(line)).collect::<Vec<_>>();
        format!("{} {} {}", fault.verdict, words(&fault.what), evidence.join(" "))
    })
}

/// Returns what was written to standard error, from its last traceback on.
fn from_last_traceback(lines: &[String]) -> Vec<String> {
    let begin = lines.iter().rposition(|line| line.starts_with("Traceback ")).unwrap_or(0);
    lines[begin..].to_vec()
}

/// The first step of every test.
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
            "it still computes, before anything was asked: does it read its input?".into(),
        )),
        Err(fault) if fault.verdict == Verdict::Host => Err(fault),
        Err(fault) => Ok(Finding::Failed(Problem {
            expected: "a program that waits for its first line".into(),
            mend: "mend what standard error shows; nothing was asked yet".into(),
            ..problem_of(probe, &fault)
        })),
    }
}

/// What a step that only needs an answer says.
#[expect(clippy::unnecessary_wraps, reason = "steps end with it")]
pub(crate) fn fine() -> Outcome {
    Ok(Finding::Fine(String::new()))
}

#[expect(clippy::unnecessary_wraps, reason = "steps end with it")]
pub(crate) fn failed(
    came: impl Into<String>,
    expected: impl Into<String>,
    mend: impl Into<String>,
) -> Outcome {
    Ok(Finding::Failed(Problem::new(came, expected, mend)))
}

#[expect(clippy::unnecessary_wraps, reason = "steps end with it")]
pub(crate) fn warning(
    came: impl Into<String>,
    expected: impl Into<String>,
    mend: impl Into<String>,
) -> Outcome {
    Ok(Finding::Warning(Problem::new(came, expected, mend)))
}

/// Time after the limit in which an answer is late, and not missing.
pub(crate) const LATE_ANSWER_GRACE: Duration = Duration::from_secs(2);
/// How soon a program that was told to must end.
pub(crate) const QUIT_TIMEOUT: Duration = Duration::from_secs(2);

/// What a program answers that gives the game up.
pub(crate) const RESIGNS: &str = "resign";

/// Judges what a program wrote that no protocol has.
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

/// Asks a program to go, by a line or the end of its input, and judges how it goes.
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
            "nothing left running",
            "end what you have started, and wait for it, before you end",
        )),
        Some(ProgramEnd::Exited { code, .. }) => Finding::Warning(Problem::new(
            format!("it ended {how} with exit code {code}"),
            "exit code 0",
            "end normally",
        )),
        Some(end) => Finding::Failed(Problem::new(
            format!("{how}: {end}"),
            "a normal end",
            "end normally, with exit code 0",
        )),
        None => Finding::Failed(Problem::new(
            format!("it still ran {QUIT_TIMEOUT:?} later"),
            format!("its end {how}"),
            "read commands while you search, and leave the loop that reads them",
        )),
    })
}
