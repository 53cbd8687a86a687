//! Examiner of UGI programs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tussle_catalog::{AnyGame, AnyPosition};
use tussle_core::{Rng, TimeControl, Turn};

use super::grammar::{Options, go_with_clocks, go_with_move_time, position_line, result_word};
use crate::check::pace::MoveTime;
use crate::check::positions::{self, fault_of};
use crate::check::probe::{AnswerTime, Probe};
use crate::check::time::{Answer, Timed, keeps_clock, keeps_short, keeps_small_banks, whole_game};
use crate::check::{
    Examination, Finding, LATE_ANSWER_GRACE, Outcome, Problem, RESIGNS, Step, failed, farewell,
    fine, quiet, run, starts, warning,
};
use crate::program::START_TIMEOUT;
use crate::{CheckError, Fault, Point};

/// Examines a program that speaks UGI.
pub(super) fn examine(
    probe: Probe,
    game: Arc<dyn AnyGame>,
    clock: Option<TimeControl>,
    each: &mut dyn FnMut(&Point),
) -> Result<Vec<Point>, CheckError> {
    run(&mut Ugi::new(probe, game), &steps(clock), each)
}

/// Returns the steps of the test, in this order. Short times are only tested if no time control is given.
fn steps(clock: Option<TimeControl>) -> Vec<Step<Ugi>> {
    let mut steps = vec![
        Step::needed("starts", |ugi: &mut Ugi| starts(&mut ugi.probe)),
        Step::needed("handshake", Ugi::handshake),
        Step::needed("isready", Ugi::is_ready),
        Step::new("new game", Ugi::new_game),
        Step::new("first move", Ugi::first_move),
        Step::new("clock", keeps_clock),
    ];
    if clock.is_none() {
        steps.extend([
            Step::new("movetime 200", |ugi| keeps_short(ugi, 200)),
            Step::new("movetime 50", |ugi| keeps_short(ugi, 50)),
            Step::new("p1time and p2time", |ugi| keeps_small_banks(ugi, &[1000, 100])),
        ]);
    }
    steps.extend([
        Step::new("moves in random positions", Ugi::random_positions),
        Step::new("positions by fen", Ugi::fens),
        Step::new("depth", |ugi| ugi.answers_limit("go depth 1")),
        Step::new("nodes", |ugi| ugi.answers_limit("go nodes 100")),
        Step::new("isready while searching, stop", Ugi::stops),
        Step::new("unknown command", Ugi::survives_nonsense),
        Step::new("whole game as the first player", |ugi| whole_game(ugi, 0)),
        Step::new("whole game as the last player", |ugi| whole_game(ugi, ugi.game.players() - 1)),
        Step::new("starts again after a game", Ugi::resets),
        Step::new("queries", Ugi::queries),
        Step::new("same moves with the same seed", Ugi::repeats),
        Step::new("nothing else on standard output", Ugi::is_quiet),
        Step::new("quit", |ugi| farewell(&mut ugi.probe, Some("quit"))),
        Step::new("end of input", |ugi| farewell(&mut ugi.probe, None)),
        Step::new("quit while searching", Ugi::quits_while_searching),
    ]);
    steps
}

/// Maximum time of answers that need no search.
const QUICK_ANSWER_TIMEOUT: Duration = Duration::from_millis(500);

struct Ugi {
    probe: Probe,
    game: Arc<dyn AnyGame>,
    rng: Rng,
    name: Option<String>,
    options: Options,
    noise: Vec<String>,
}

impl Examination for Ugi {
    fn probe(&mut self) -> &mut Probe {
        &mut self.probe
    }

    fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    fn greet(&mut self) -> Result<(), Fault> {
        self.introduce()?;
        self.begin_game(1)
    }
}

impl Timed for Ugi {
    fn timed(&mut self, position: &dyn AnyPosition, given: MoveTime) -> Result<Answer, Fault> {
        self.tell_position(position)?;
        let (mv, took) = self.answer_within(position, given)?;
        let finding = match mv.as_str() {
            RESIGNS => Finding::Fine("it resigned".into()),
            mv => legal(position, mv, mv),
        };
        Ok((finding, mv, took))
    }

    fn game(&self) -> Arc<dyn AnyGame> {
        Arc::clone(&self.game)
    }

    fn begin(&mut self, seat: usize) -> Result<(), Fault> {
        self.begin_game(seat as u64 + 2)
    }
}

impl Ugi {
    fn new(probe: Probe, game: Arc<dyn AnyGame>) -> Self {
        let rng = Rng::new(1);
        Self { probe, game, rng, name: None, options: Options::default(), noise: Vec::new() }
    }

    fn introduce(&mut self) -> Result<(), Fault> {
        self.probe.say("ugi")?;
        let by = Instant::now() + START_TIMEOUT;
        loop {
            let line = self.probe.hear(by)?;
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                ["ugiok"] => return Ok(()),
                ["id", "name", name @ ..] => self.name = Some(name.join(" ")),
                ["option", ..] => self.options.read(&line),
                ["id" | "info", ..] | [] => {}
                _ => self.noise.push(line),
            }
        }
    }

    fn begin_game(&mut self, seed: u64) -> Result<(), Fault> {
        for command in self.options.commands(self.game.spec(), seed) {
            self.probe.say(&command)?;
        }
        self.probe.say("uginewgame")?;
        self.wait_ready(START_TIMEOUT)
    }

    fn wait_ready(&mut self, span: Duration) -> Result<(), Fault> {
        self.probe.say("isready")?;
        let by = Instant::now() + span;
        self.hear_for("readyok", by).map(|_| ())
    }

    /// Returns the next line that begins with this word. Other lines are kept as noise.
    fn hear_for(&mut self, word: &str, by: Instant) -> Result<String, Fault> {
        loop {
            let line = self.probe.hear(by).map_err(|mut fault| {
                fault.what = format!("{}; expected `{word}`", fault.what);
                fault
            })?;
            let first = line.split_whitespace().next().unwrap_or_default();
            if first == word {
                return Ok(line);
            }
            if !["info", "id", "option", ""].contains(&first) {
                self.noise.push(line);
            }
        }
    }

    fn tell_position(&mut self, position: &dyn AnyPosition) -> Result<(), Fault> {
        self.probe.say(&position_line(None, position.history()))
    }

    /// Asks for a search of a position. Returns the move and its time.
    fn go(
        &mut self,
        position: &dyn AnyPosition,
        go: &str,
        limit: Duration,
    ) -> Result<(String, AnswerTime), Fault> {
        self.tell_position(position)?;
        self.answer(go, limit)
    }

    fn answer(&mut self, go: &str, limit: Duration) -> Result<(String, AnswerTime), Fault> {
        let began = Instant::now();
        self.probe.say(go)?;
        let line = self.hear_for("bestmove", began + limit + LATE_ANSWER_GRACE)?;
        let took = self.probe.took(began);
        Ok((line.split_whitespace().nth(1).unwrap_or_default().to_owned(), took))
    }

    /// Asks for a search of the position that was sent last. Returns the move and its time.
    fn answer_within(
        &mut self,
        position: &dyn AnyPosition,
        given: MoveTime,
    ) -> Result<(String, AnswerTime), Fault> {
        let seat = if let Turn::Player(seat) = position.turn() { seat } else { 0 };
        self.answer(&go(&given, self.game.players(), seat), given.limit())
    }

    /// Asks about a position with the time of points that are not about time.
    fn asked(&mut self, position: &dyn AnyPosition) -> Result<Answer, Fault> {
        let given = self.probe.given(position);
        self.timed(position, given)
    }

    fn handshake(&mut self) -> Outcome {
        self.introduce()?;
        let Some(name) = &self.name else {
            return warning(
                "`ugiok` without a name",
                "`id name …` before `ugiok`",
                "write `id name` and `id author`, so that other programs can show them",
            );
        };
        let options = match (self.options.game, self.options.seed) {
            (false, false) => "without the options game and seed",
            (true, false) => "with the option game",
            (false, true) => "with the option seed",
            (true, true) => "with the options game and seed",
        };
        Ok(Finding::Fine(format!("{name}, {options}")))
    }

    fn is_ready(&mut self) -> Outcome {
        self.wait_ready(START_TIMEOUT)?;
        fine()
    }

    fn new_game(&mut self) -> Outcome {
        self.begin_game(1)?;
        fine()
    }

    fn first_move(&mut self) -> Outcome {
        let position = positions::first(&self.game, &mut self.rng);
        Ok(self.asked(position.as_ref())?.0)
    }

    fn random_positions(&mut self) -> Outcome {
        for plies in [1, 2, 3, 5, 8, 12] {
            let position = positions::random(&self.game, plies, &mut self.rng);
            if let (finding @ Finding::Failed(_), ..) = self.asked(position.as_ref())? {
                return Ok(finding);
            }
        }
        Ok(Finding::Fine("six of them".into()))
    }

    fn fens(&mut self) -> Outcome {
        let position = positions::random(&self.game, 4, &mut self.rng).without_history();
        self.probe.say(&position_line(Some(&position.text()), &[]))?;
        let given = self.probe.given(position.as_ref());
        let (mv, _) = self.answer_within(position.as_ref(), given)?;
        Ok(match legal(position.as_ref(), &mv, "") {
            // A match from the usual start does not need `position fen`.
            Finding::Failed(problem) => Finding::Warning(Problem {
                fix: "read `position fen` in the form that `tussle show GAME` prints, including \
                       spaces; games with openings need it"
                    .into(),
                ..problem
            }),
            other => other,
        })
    }

    fn answers_limit(&mut self, go: &str) -> Outcome {
        let position = positions::first(&self.game, &mut self.rng);
        let (mv, took) = self.go(position.as_ref(), go, Duration::from_secs(3))?;
        Ok(legal(position.as_ref(), &mv, &format!("after {took}")))
    }

    fn stops(&mut self) -> Outcome {
        let position = positions::first(&self.game, &mut self.rng);
        self.tell_position(position.as_ref())?;
        self.probe.say("go infinite")?;
        if let Ok(early) = self.hear_for("bestmove", Instant::now() + QUICK_ANSWER_TIMEOUT / 5) {
            self.wait_ready(START_TIMEOUT)?;
            return warning(
                format!("`{early}` before `stop`"),
                "after `go infinite` no `bestmove` until `stop`",
                "hold back the move until `stop`; only analysis needs this, matches do not",
            );
        }
        if let Err(mut fault) = self.wait_ready(QUICK_ANSWER_TIMEOUT) {
            fault.what += " during a search";
            return Err(fault);
        }
        let began = Instant::now();
        self.probe.say("stop")?;
        let line = self.hear_for("bestmove", began + QUICK_ANSWER_TIMEOUT + LATE_ANSWER_GRACE)?;
        let took = self.probe.took(began);
        let mv = line.split_whitespace().nth(1).unwrap_or_default();
        let fix = "check for `stop` often during the search, on another thread";
        if took.own() > QUICK_ANSWER_TIMEOUT {
            return failed(
                format!("an answer after {took}"),
                format!("within {QUICK_ANSWER_TIMEOUT:?}"),
                fix,
            );
        }
        Ok(legal(position.as_ref(), mv, &format!("stopped after {took}")))
    }

    fn survives_nonsense(&mut self) -> Outcome {
        self.probe.say("xyzzy 1 2 3")?;
        self.wait_ready(START_TIMEOUT)?;
        fine()
    }

    fn resets(&mut self) -> Outcome {
        self.begin_game(5)?;
        let position = positions::first(&self.game, &mut self.rng);
        Ok(self.asked(position.as_ref())?.0)
    }

    fn queries(&mut self) -> Outcome {
        let mut asked: Vec<Box<dyn AnyPosition>> = vec![self.game.start()];
        for plies in [1, 4, 7] {
            asked.push(positions::random(&self.game, plies, &mut self.rng));
        }
        asked.extend(positions::finished(&self.game, &mut self.rng));
        for position in asked {
            self.tell_position(position.as_ref())?;
            let turn = position.turn();
            let result = result_word(position.utilities().as_deref());
            for (question, right) in [
                ("gameover", (turn == Turn::Over).to_string()),
                ("p1turn", (turn == Turn::Player(0)).to_string()),
                ("result", result),
            ] {
                self.probe.say(&format!("query {question}"))?;
                let Ok(line) = self.hear_for("response", Instant::now() + QUICK_ANSWER_TIMEOUT)
                else {
                    return warning(
                        format!("no answer to `query {question}`"),
                        format!("`response {right}`"),
                        "answer queries if other programs should use the engine; the arena of \
                         Tussle sends none",
                    );
                };
                let answer = line.split_whitespace().nth(1).unwrap_or_default();
                if answer != right {
                    return failed(
                        format!("`{line}` to `query {question}` about `{}`", position.text()),
                        format!("`response {right}`"),
                        "answer about the position that was sent last",
                    );
                }
            }
        }
        Ok(Finding::Fine("including a finished game".into()))
    }

    fn repeats(&mut self) -> Outcome {
        if !self.options.seed {
            return Ok(Finding::Note("it has no option `seed`".into()));
        }
        let mut choices = Vec::new();
        for _ in 0..2 {
            self.begin_game(7)?;
            let mut rng = Rng::new(3);
            let mut moves = Vec::new();
            for plies in [0, 2, 4] {
                let position = positions::random(&self.game, plies, &mut rng);
                moves.push(self.go(position.as_ref(), "go nodes 100", Duration::from_secs(3))?.0);
            }
            choices.push(moves);
        }
        let word = if choices[0] == choices[1] { "yes" } else { "no" };
        Ok(Finding::Note(word.into()))
    }

    fn is_quiet(&mut self) -> Outcome {
        // A second answer to the same request would arrive now.
        let position = positions::first(&self.game, &mut self.rng);
        self.asked(position.as_ref())?;
        while let Some(line) = self.probe.hear_within(Duration::from_millis(100)) {
            if !line.trim().is_empty() && !line.starts_with("info") {
                self.noise.push(line);
            }
        }
        Ok(quiet(&self.probe, &self.noise))
    }

    fn quits_while_searching(&mut self) -> Outcome {
        let position = positions::first(&self.game, &mut self.rng);
        self.tell_position(position.as_ref())?;
        self.probe.say("go movetime 5000")?;
        Ok(match farewell(&mut self.probe, Some("quit"))? {
            Finding::Failed(problem) => Finding::Warning(problem),
            other => other,
        })
    }
}

/// Returns the command `go` for the player in this seat.
fn go(given: &MoveTime, players: usize, seat: usize) -> String {
    let TimeControl::Increment { base, increment } = given.clock else {
        return go_with_move_time(given.millis());
    };
    let mut left = vec![base.as_millis() as u64; players];
    left[seat] = given.millis();
    go_with_clocks(&left, increment)
}

/// Returns the finding about a move.
fn legal(position: &dyn AnyPosition, mv: &str, remark: &str) -> Finding {
    match fault_of(position, mv) {
        None => Finding::Fine(remark.to_owned()),
        Some(received) => Finding::Failed(
            Problem::new(
                format!("bestmove {received}"),
                format!("a legal move in `{}`", position.text()),
                "use the last `position`, play all its moves, and write moves as \
             `tussle show GAME --json` lists them",
            )
            .because("illegal move"),
        ),
    }
}
