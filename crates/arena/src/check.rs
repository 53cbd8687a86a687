//! A compliance test for authors of agents: does a program speak its protocol?
//!
//! Each [`Point`] says what was sent, what came, what was expected and how to mend it. A program
//! that fails a point is started anew for the next one.

mod gtp;
mod json;
mod positions;
mod probe;
mod ugi;

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use tussle_catalog::{AnyGame, AnyPosition, turns};
use tussle_core::{Rng, Turn};

use crate::program::Launch;
use crate::{Fault, Guard, Protocol, Verdict, Wanted};
use probe::Probe;

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
    /// What should have come.
    pub expected: String,
    /// How to mend it.
    pub mend: String,
}

impl Point {
    /// All there is to say about it, in one line.
    pub fn detail(&self) -> String {
        let sent = self.sent.join(" | ");
        let parts = [
            ("sent: ", sent.as_str()),
            ("came: ", &self.came),
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

/// Tests a program, `ugi:COMMAND`, `gtp:COMMAND` or `json:COMMAND`, on a game, and tells `each`
/// point as soon as it is done.
///
/// # Errors
/// If the spec names no program, or its command cannot be read.
pub fn check(
    spec: &str,
    game: &Arc<dyn AnyGame>,
    guard: &Guard,
    each: &mut dyn FnMut(&Point),
) -> Result<Vec<Point>, String> {
    let Wanted::Program { protocol, command } = Wanted::parse(spec) else {
        return Err(format!(
            "`{spec}` is no program: write ugi:COMMAND, gtp:COMMAND or json:COMMAND"
        ));
    };
    let probe = Probe::new(Launch::new(&command, None, guard, None)?);
    let game = Arc::clone(game);
    match protocol {
        Protocol::Ugi => Ok(run(&mut ugi::Ugi::new(probe, game), ugi::STEPS, each)),
        Protocol::Gtp => Ok(run(&mut gtp::Gtp::new(probe, game)?, gtp::STEPS, each)),
        Protocol::Json => Ok(run(&mut json::Json::new(probe, game), json::STEPS, each)),
    }
}

/// What a step finds, unless the program fails altogether.
enum Finding {
    Fine(String),
    Note(String),
    Warning(Problem),
    Failed(Problem),
}

/// What is wrong.
struct Problem {
    came: String,
    expected: String,
    mend: String,
}

impl Problem {
    fn new(came: impl Into<String>, expected: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { came: came.into(), expected: expected.into(), mend: mend.into() }
    }
}

type Outcome = Result<Finding, Fault>;

/// A step of the test: its name, what it does, and whether all others need it.
struct Step<S> {
    name: &'static str,
    run: fn(&mut S) -> Outcome,
    is_needed: bool,
}

impl<S> Step<S> {
    const fn new(name: &'static str, run: fn(&mut S) -> Outcome) -> Self {
        Self { name, run, is_needed: false }
    }

    const fn needed(name: &'static str, run: fn(&mut S) -> Outcome) -> Self {
        Self { name, run, is_needed: true }
    }
}

/// A talk by one of the protocols.
trait Talk {
    fn probe(&mut self) -> &mut Probe;

    /// Brings a program that was just started to where steps begin.
    fn greet(&mut self) -> Result<(), Fault>;
}

fn run<S: Talk>(talk: &mut S, steps: &[Step<S>], each: &mut dyn FnMut(&Point)) -> Vec<Point> {
    let mut points = Vec::new();
    let mut tell = |point: Point| {
        each(&point);
        points.push(point);
    };
    for (number, step) in steps.iter().enumerate() {
        talk.probe().forget();
        // The first step starts the program itself.
        let ready = if number == 0 { Ok(()) } else { make_ready(talk) };
        let (finding, is_lost) = match ready {
            Ok(()) => (finding((step.run)(talk)), false),
            Err(fault) => (finding(Err(fault)), true),
        };
        let point = point(step.name, finding, talk.probe().sent());
        let failed = point.status == Status::Failed;
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
    points
}

/// Starts the program again if a step before has ended it.
fn make_ready<S: Talk>(talk: &mut S) -> Result<(), Fault> {
    if talk.probe().is_running() {
        return Ok(());
    }
    talk.probe().start()?;
    talk.greet()?;
    talk.probe().forget();
    Ok(())
}

fn point_of_rest() -> Point {
    point("the rest", Finding::Note("not tried: all other points need this one".into()), &[])
}

/// Nobody reads more of what came.
const LONGEST: usize = 400;

fn point(name: &'static str, finding: Finding, sent: &[String]) -> Point {
    let (status, problem) = match finding {
        Finding::Fine(remark) => (Status::Ok, Problem::new(remark, "", "")),
        Finding::Note(remark) => (Status::Note, Problem::new(remark, "", "")),
        Finding::Warning(problem) => (Status::Warning, problem),
        Finding::Failed(problem) => (Status::Failed, problem),
    };
    let Problem { mut came, expected, mend } = problem;
    if let Some((end, _)) = came.char_indices().nth(LONGEST) {
        came.truncate(end);
        came.push('…');
    }
    let is_well = matches!(status, Status::Ok | Status::Note);
    let sent = if is_well { Vec::new() } else { sent.to_vec() };
    Point { name, status, sent, came, expected, mend }
}

/// A fault of the program is a failure with the usual advice.
fn finding(outcome: Outcome) -> Finding {
    outcome.unwrap_or_else(|fault| {
        let (expected, mend) = match fault.verdict {
            Verdict::Time | Verdict::Hang => (
                "an answer",
                "answer every command of the protocol, end the line, and flush the output after it",
            ),
            Verdict::Protocol => {
                ("lines of the protocol", "write what the protocol has and no more")
            }
            Verdict::Memory => ("less memory", "keep tables and trees within limits"),
            _ => {
                ("a program that goes on", "see what it wrote to standard error, and survive this")
            }
        };
        let mut came = format!("it {}", fault.what);
        for line in fault.evidence.iter().rev().take(3).rev() {
            came += &format!("; {line}");
        }
        Finding::Failed(Problem::new(came, expected, mend))
    })
}

/// The first step of every test.
fn starts(probe: &mut Probe) -> Outcome {
    match probe.start() {
        Ok(()) => fine(),
        Err(fault) => failed(
            fault.what,
            "a program that runs",
            "write the command as you would in a shell: is the path right, seen from this folder, \
             and may the file be executed?",
        ),
    }
}

/// What a step that only needs an answer says.
#[expect(clippy::unnecessary_wraps, reason = "steps end with it")]
fn fine() -> Outcome {
    Ok(Finding::Fine(String::new()))
}

#[expect(clippy::unnecessary_wraps, reason = "steps end with it")]
fn failed(
    came: impl Into<String>,
    expected: impl Into<String>,
    mend: impl Into<String>,
) -> Outcome {
    Ok(Finding::Failed(Problem::new(came, expected, mend)))
}

#[expect(clippy::unnecessary_wraps, reason = "steps end with it")]
fn warning(
    came: impl Into<String>,
    expected: impl Into<String>,
    mend: impl Into<String>,
) -> Outcome {
    Ok(Finding::Warning(Problem::new(came, expected, mend)))
}

/// A machine that is busy makes everybody late by this much.
const GRACE: Duration = Duration::from_millis(10);
/// Longer than the time allowed we wait only to see how late an answer is.
const PATIENCE: Duration = Duration::from_secs(2);
/// How soon a program that was told to must end.
const FAREWELL: Duration = Duration::from_secs(1);

/// What a program answers that gives the game up.
const RESIGNS: &str = "resign";

/// Plays one game: this seat is asked for a move within 20 ms, all others move at random. `ask` gives
/// what is to be said of an answer, its move, and how long it took.
fn whole_game(
    game: &Arc<dyn AnyGame>,
    seat: usize,
    rng: &mut Rng,
    mend: &str,
    mut ask: impl FnMut(&dyn AnyPosition) -> Result<(Finding, String, Duration), Fault>,
) -> Outcome {
    let mut position = game.start();
    while position.turn() != Turn::Over {
        if position.turn() != Turn::Player(seat) {
            positions::step(position.as_mut(), rng);
            continue;
        }
        let (finding, mv, took) = ask(position.as_ref())?;
        if mv == RESIGNS || matches!(finding, Finding::Failed(_)) {
            return Ok(finding);
        }
        if took > Duration::from_secs(1) {
            return failed(format!("an answer after {took:.1?}"), "within 20 ms", mend);
        }
        let _ = position.play(&mv); // it is legal
        if position.history().len() > positions::LONG {
            return Ok(Finding::Note(format!("no end after {} moves", positions::LONG)));
        }
    }
    let ended = position.utilities().map_or(String::new(), |u| turns::result(&u));
    Ok(Finding::Fine(format!("{} moves, {ended}", position.history().len())))
}

/// Judges answers that should all have come within a limit.
fn punctual(limit: Duration, took: &[Duration]) -> Finding {
    let late = took.iter().filter(|&&took| took > limit + GRACE).count();
    let slowest = took.iter().max().copied().unwrap_or_default();
    let came = format!("{late} of {} answers late, the slowest after {slowest:.1?}", took.len());
    let problem = || {
        Problem::new(
            came,
            format!("all within {limit:?}"),
            "look at the clock during the search, count from when the line was read, and keep a few \
             milliseconds back",
        )
    };
    match late {
        0 => Finding::Fine(format!("the slowest answer came after {slowest:.1?}")),
        late if late == took.len() => Finding::Failed(problem()),
        _ => Finding::Warning(problem()),
    }
}

/// Judges what a program wrote that no protocol has.
fn quiet(noise: &[String]) -> Finding {
    match noise.first() {
        None => Finding::Fine(String::new()),
        Some(first) => Finding::Warning(Problem::new(
            format!("{} other lines, the first of them `{first}`", noise.len()),
            "nothing but lines of the protocol on standard output",
            "write to standard error what is for yourself",
        )),
    }
}

/// Asks a program to go, by a line or the end of its input, and judges how it goes.
fn farewell(probe: &mut Probe, line: Option<&str>) -> Outcome {
    if let Some(line) = line {
        probe.say(line)?;
    } else {
        probe.close_input();
    }
    let how = line.map_or("at the end of its input".to_owned(), |line| format!("after `{line}`"));
    let end = probe.end_within(FAREWELL);
    Ok(match end {
        Some(Ok((0, 0))) => Finding::Fine(String::new()),
        Some(Ok((0, left))) => Finding::Warning(Problem::new(
            format!("it ended {how} and left {left} processes running"),
            "nothing left running",
            "end what you have started, and wait for it, before you end",
        )),
        Some(Ok((code, _))) => Finding::Warning(Problem::new(
            format!("it ended {how} with exit code {code}"),
            "exit code 0",
            "end normally",
        )),
        Some(Err(why)) => Finding::Failed(Problem::new(
            format!("{how}: {why}"),
            "a normal end",
            "end normally, with exit code 0",
        )),
        None => Finding::Failed(Problem::new(
            format!("it still ran {FAREWELL:?} later"),
            format!("its end {how}"),
            "read commands while you search, and leave the loop that reads them",
        )),
    })
}
