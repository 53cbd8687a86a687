//! Points about time, and whole games.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tussle_catalog::text::counted;
use tussle_catalog::{AnyGame, AnyPosition, turns};
use tussle_core::{TimeControl, Turn};

use super::pace::MoveTime;
use super::probe::AnswerTime;
use super::{Examination, Finding, Outcome, Problem, RESIGNS, positions, problem_of};
use crate::{Fault, Verdict};

/// Tolerance for a late answer, which a busy machine may cause.
const LATE_GRACE: Duration = Duration::from_millis(10);
/// Tolerance for a late answer in a whole game; the points about time are stricter.
const GAME_LATE_GRACE: Duration = Duration::from_secs(1);
/// Maximum time for a whole game, after which it is not continued.
const GAME_TIMEOUT: Duration = Duration::from_mins(1);

/// Answer of a program: the finding about its move, the move, and its time.
pub(crate) type Answer = (Finding, String, AnswerTime);

/// Examination in which the program is told its time with every request.
pub(crate) trait Timed: Examination {
    /// Asks for a move and checks it.
    fn timed(&mut self, position: &dyn AnyPosition, given: MoveTime) -> Result<Answer, Fault>;

    fn game(&self) -> Arc<dyn AnyGame>;

    /// Begins a new game.
    fn begin(&mut self, seat: usize) -> Result<(), Fault>;
}

// These points ask only about the first position, because problems in other positions are not about time.

/// Checks that the program keeps the time control of its matches.
pub(crate) fn keeps_clock<T: Timed>(exam: &mut T) -> Outcome {
    let clock = exam.probe().pace.clock();
    let position = positions::first(&exam.game(), exam.rng());
    let first = MoveTime::fresh(clock, position.as_ref());
    match clock {
        TimeControl::Increment { base: bank, .. } => {
            keeps_banks(exam, position.as_ref(), &[first, first.after(bank / 10 * 9)])
        }
        TimeControl::PerMove(_) | TimeControl::FirstMove { .. } => {
            keeps(exam, position.as_ref(), &[first, first.after(Duration::ZERO)])
        }
    }
}

/// Checks that the program keeps a short time per move. If it does, later requests use this time too.
pub(crate) fn keeps_short<T: Timed>(exam: &mut T, millis: u64) -> Outcome {
    let clock = TimeControl::PerMove(Duration::from_millis(millis));
    let position = positions::first(&exam.game(), exam.rng());
    let granted = MoveTime::fresh(clock, position.as_ref()).whole();
    let outcome = keeps(exam, position.as_ref(), &[granted; 3]);
    lenient(exam, outcome)
}

/// Checks that the program keeps small time banks.
pub(crate) fn keeps_small_banks<T: Timed>(exam: &mut T, millis: &[u64]) -> Outcome {
    let game = exam.game();
    let position = positions::first(&game, exam.rng());
    let bank = |millis: &u64| {
        let bank = Duration::from_millis(*millis);
        MoveTime::fresh(
            TimeControl::Increment { base: bank, increment: Duration::ZERO },
            position.as_ref(),
        )
        .whole()
    };
    let banks: Vec<MoveTime> = millis.iter().map(bank).collect();
    let outcome = keeps_banks(exam, position.as_ref(), &banks);
    lenient(exam, outcome)
}

/// Turns a failure into a warning, because the program's matches may give it more time.
fn lenient<T: Timed>(exam: &mut T, outcome: Outcome) -> Outcome {
    let problem = match outcome {
        Ok(Finding::Failed(problem)) => problem,
        Err(fault) if fault.verdict == Verdict::Host => return Err(fault),
        Ok(other) => return Ok(other),
        Err(fault) => {
            let problem = problem_of(exam.probe(), &fault);
            exam.probe().end();
            problem
        }
    };
    let fix = format!("{}; if matches give more time, this does not matter", problem.fix);
    Ok(Finding::Warning(Problem { fix, ..problem }))
}

/// Asks about a position with each of these times, and checks that the answers are in time.
fn keeps<T: Timed>(exam: &mut T, position: &dyn AnyPosition, granted: &[MoveTime]) -> Outcome {
    let mut times = Vec::new();
    for granted in granted {
        let (finding, _, took) = exam.timed(position, *granted)?;
        if let Finding::Failed(_) = finding {
            return Ok(finding);
        }
        times.push((granted.limit(), took));
    }
    if let Some((limit, _)) = times.iter().find(|(limit, took)| is_in_time(*limit, took.own())) {
        exam.probe().pace.shorten(*limit);
    }
    Ok(punctual(&times))
}

fn is_in_time(limit: Duration, took: Duration) -> bool {
    took <= limit + LATE_GRACE
}

/// Returns the finding about answers, from their limits and times.
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
            "check the clock during the search, start to count when the line is read, and keep a few \
             milliseconds in reserve",
        )
        .because("late")
    };
    match late {
        0 => Finding::Fine(format!("an answer after {took} of {limit:?}")),
        late if late == times.len() => Finding::Failed(problem()),
        _ => Finding::Warning(problem()),
    }
}

/// Asks about a position with time banks that must last for the whole game.
fn keeps_banks<T: Timed>(exam: &mut T, position: &dyn AnyPosition, banks: &[MoveTime]) -> Outcome {
    let fix = "plan with the time that is left for the whole game: spend about a twentieth of it per \
               move";
    let mut slowest = AnswerTime::default();
    for (i, given) in banks.iter().enumerate() {
        let limit = given.limit();
        let (finding, _, took) = exam.timed(position, *given)?;
        if let Finding::Failed(_) = finding {
            return Ok(finding);
        }
        let received = || format!("an answer after {took}");
        if took.own() >= limit {
            let millis = limit.as_millis();
            let expected = format!("an answer before the {millis} ms of the game are over");
            return Ok(Finding::Failed(Problem::new(received(), expected, fix).because("bank")));
        }
        if i == 0 && took.own() > limit / 2 {
            let expected = "less than half of what is left for the whole game";
            return Ok(Finding::Warning(Problem::new(received(), expected, fix).because("bank")));
        }
        if took.own() > slowest.own() {
            slowest = took;
        }
    }
    Ok(Finding::Fine(format!("the slowest answer took {slowest}")))
}

/// Plays one game in which the program has this seat and all other players move at random.
pub(crate) fn whole_game<T: Timed>(exam: &mut T, seat: usize) -> Outcome {
    exam.begin(seat)?;
    let game = exam.game();
    let mut position = game.start();
    let mut given = exam.probe().given(position.as_ref());
    let began = Instant::now();
    while position.turn() != Turn::Over {
        if position.turn() != Turn::Player(seat) {
            positions::step(position.as_mut(), exam.rng());
            continue;
        }
        let (finding, mv, took) = exam.timed(position.as_ref(), given)?;
        if mv == RESIGNS || matches!(finding, Finding::Failed(_)) {
            return Ok(finding);
        }
        if took.own() > given.limit() + GAME_LATE_GRACE {
            let move_number = position.history().len() + 1;
            let received = format!("an answer after {took} at move {move_number}");
            let expected = format!("an answer within {}", given.words());
            let fix = "check the clock during the search";
            let problem = Problem::new(received, expected, fix).because("late").about_time();
            return Ok(Finding::Failed(problem));
        }
        given = given.after(took.own().min(given.limit().saturating_sub(LATE_GRACE)));
        let _ = position.play(&mv); // the move is legal
        let moves = position.history().len();
        if moves > positions::MAX_GAME_PLIES {
            return Ok(Finding::Note(format!("no end after {} moves", positions::MAX_GAME_PLIES)));
        }
        if began.elapsed() > GAME_TIMEOUT {
            return Ok(Finding::Note(format!(
                "stopped after {} and {GAME_TIMEOUT:?}",
                counted(moves as u64, "move")
            )));
        }
    }
    let ended = position.utilities().map_or(String::new(), |u| turns::result(&u));
    let moves = counted(position.history().len() as u64, "move");
    Ok(Finding::Fine(format!("{moves}, {ended}")))
}
