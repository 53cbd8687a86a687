//! The points about time, and whole games.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tussle_catalog::text::counted;
use tussle_catalog::{AnyGame, AnyPosition, turns};
use tussle_core::{TimeControl, Turn};

use super::pace::TimeGranted;
use super::probe::AnswerTime;
use super::{Finding, Outcome, Problem, RESIGNS, Talk, positions, problem_of};
use crate::{Fault, Verdict};

/// Delay that a busy machine causes without a program's fault.
const LATE_GRACE: Duration = Duration::from_millis(10);
/// Delay in a whole game that is a fault; the points about time are stricter.
const GAME_LATE_GRACE: Duration = Duration::from_secs(1);
/// Time after which the rest of a whole game is not played.
const GAME_TIMEOUT: Duration = Duration::from_mins(1);

/// An answer: the judgement, its move, and how long it took.
pub(crate) type Answer = (Finding, String, AnswerTime);

/// A talk in which the program is told its time with every request.
pub(crate) trait Timed: Talk {
    /// Asks for a move and judges it.
    fn timed(&mut self, position: &dyn AnyPosition, given: TimeGranted) -> Result<Answer, Fault>;

    fn game(&self) -> Arc<dyn AnyGame>;

    /// Plays on in a new game.
    fn begin(&mut self, seat: usize) -> Result<(), Fault>;
}

// These points ask about the first position only: what goes wrong in others is not about time.

/// The clock of the program's matches is kept.
pub(crate) fn keeps_clock<T: Timed>(talk: &mut T) -> Outcome {
    let clock = talk.probe().pace.clock();
    let position = positions::first(&talk.game(), talk.rng());
    let first = TimeGranted::fresh(clock, position.as_ref());
    match clock {
        TimeControl::Increment { base: bank, .. } => {
            keeps_banks(talk, position.as_ref(), &[first, first.after(bank / 10 * 9)])
        }
        TimeControl::PerMove(_) | TimeControl::FirstMove { .. } => {
            keeps(talk, position.as_ref(), &[first, first.after(Duration::ZERO)])
        }
    }
}

/// A short time per move is kept. A program that keeps it is asked with it from now on.
pub(crate) fn keeps_short<T: Timed>(talk: &mut T, millis: u64) -> Outcome {
    let clock = TimeControl::PerMove(Duration::from_millis(millis));
    let position = positions::first(&talk.game(), talk.rng());
    let granted = TimeGranted::fresh(clock, position.as_ref()).whole();
    let outcome = keeps(talk, position.as_ref(), &[granted; 3]);
    lenient(talk, outcome)
}

/// Small banks are kept.
pub(crate) fn keeps_small_banks<T: Timed>(talk: &mut T, millis: &[u64]) -> Outcome {
    let game = talk.game();
    let position = positions::first(&game, talk.rng());
    let bank = |millis: &u64| {
        let bank = Duration::from_millis(*millis);
        TimeGranted::fresh(
            TimeControl::Increment { base: bank, increment: Duration::ZERO },
            position.as_ref(),
        )
        .whole()
    };
    let banks: Vec<TimeGranted> = millis.iter().map(bank).collect();
    let outcome = keeps_banks(talk, position.as_ref(), &banks);
    lenient(talk, outcome)
}

/// Short times are not those of the program's matches: what goes wrong with them is a warning.
fn lenient<T: Timed>(talk: &mut T, outcome: Outcome) -> Outcome {
    let problem = match outcome {
        Ok(Finding::Failed(problem)) => problem,
        Err(fault) if fault.verdict == Verdict::Host => return Err(fault),
        Ok(other) => return Ok(other),
        Err(fault) => {
            let problem = problem_of(talk.probe(), &fault);
            talk.probe().end();
            problem
        }
    };
    let mend = format!("{}; if matches give more time, this does not matter", problem.mend);
    Ok(Finding::Warning(Problem { mend, ..problem }))
}

/// Asks about a position with these times, and judges whether the answers came in time.
fn keeps<T: Timed>(talk: &mut T, position: &dyn AnyPosition, granted: &[TimeGranted]) -> Outcome {
    let mut times = Vec::new();
    for granted in granted {
        let (finding, _, took) = talk.timed(position, *granted)?;
        if let Finding::Failed(_) = finding {
            return Ok(finding);
        }
        times.push((granted.limit(), took));
    }
    if let Some((limit, _)) = times.iter().find(|(limit, took)| is_in_time(*limit, took.own())) {
        talk.probe().pace.quicken(*limit);
    }
    Ok(punctual(&times))
}

fn is_in_time(limit: Duration, took: Duration) -> bool {
    took <= limit + LATE_GRACE
}

/// Judges answers by their limits and the times they took.
pub(crate) fn punctual(times: &[(Duration, AnswerTime)]) -> Finding {
    let late = times.iter().filter(|(limit, took)| !is_in_time(*limit, took.own())).count();
    let least_left =
        |(limit, took): &&(Duration, AnswerTime)| limit.as_secs_f64() - took.own().as_secs_f64();
    let latest = times.iter().min_by(|a, b| least_left(a).total_cmp(&least_left(b)));
    let (limit, took) = latest.copied().unwrap_or_default();
    let problem = || {
        Problem::new(
            format!("{late} of {} answers late, the latest after {took}", times.len()),
            format!("an answer within {limit:?}"),
            "look at the clock during the search, count from when the line was read, and keep a few \
             milliseconds back",
        )
        .because("late")
    };
    match late {
        0 => Finding::Fine(format!("an answer after {took} of {limit:?}")),
        late if late == times.len() => Finding::Failed(problem()),
        _ => Finding::Warning(problem()),
    }
}

/// Asks about a position with banks that have to last for the whole game.
fn keeps_banks<T: Timed>(
    talk: &mut T,
    position: &dyn AnyPosition,
    banks: &[TimeGranted],
) -> Outcome {
    let mend = "plan with the time that is left for the whole game: a twentieth of it is a good \
                beginning";
    let mut slowest = AnswerTime::default();
    for (i, given) in banks.iter().enumerate() {
        let limit = given.limit();
        let (finding, _, took) = talk.timed(position, *given)?;
        if let Finding::Failed(_) = finding {
            return Ok(finding);
        }
        let came = || format!("an answer after {took}");
        if took.own() >= limit {
            let millis = limit.as_millis();
            let expected = format!("an answer before the {millis} ms of the game are over");
            return Ok(Finding::Failed(Problem::new(came(), expected, mend).because("bank")));
        }
        if i == 0 && took.own() > limit / 2 {
            let expected = "less than half of what is left for the whole game";
            return Ok(Finding::Warning(Problem::new(came(), expected, mend).because("bank")));
        }
        if took.own() > slowest.own() {
            slowest = took;
        }
    }
    Ok(Finding::Fine(format!("the slowest answer came after {slowest}")))
}

/// Plays one game: this seat is asked, all others move at random.
pub(crate) fn whole_game<T: Timed>(talk: &mut T, seat: usize) -> Outcome {
    talk.begin(seat)?;
    let game = talk.game();
    let mut position = game.start();
    let mut given = talk.probe().given(position.as_ref());
    let began = Instant::now();
    while position.turn() != Turn::Over {
        if position.turn() != Turn::Player(seat) {
            positions::step(position.as_mut(), talk.rng());
            continue;
        }
        let (finding, mv, took) = talk.timed(position.as_ref(), given)?;
        if mv == RESIGNS || matches!(finding, Finding::Failed(_)) {
            return Ok(finding);
        }
        if took.own() > given.limit() + GAME_LATE_GRACE {
            let move_number = position.history().len() + 1;
            let came = format!("an answer after {took} at move {move_number}");
            let expected = format!("within {}", given.words());
            let mend = "look at the clock during the search";
            let problem = Problem::new(came, expected, mend).because("late").about_time();
            return Ok(Finding::Failed(problem));
        }
        given = given.after(took.own().min(given.limit().saturating_sub(LATE_GRACE)));
        let _ = position.play(&mv); // it is legal
        let moves = position.history().len();
        if moves > positions::MAX_GAME_PLIES {
            return Ok(Finding::Note(format!("no end after {} moves", positions::MAX_GAME_PLIES)));
        }
        if began.elapsed() > GAME_TIMEOUT {
            return Ok(Finding::Note(format!(
                "left after {} and {GAME_TIMEOUT:?}",
                counted(moves as u64, "move")
            )));
        }
    }
    let ended = position.utilities().map_or(String::new(), |u| turns::result(&u));
    let moves = counted(position.history().len() as u64, "move");
    Ok(Finding::Fine(format!("{moves}, {ended}")))
}
