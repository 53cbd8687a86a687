//! Examiner of programs that speak the JSON protocol.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tussle_catalog::{AnyGame, AnyPosition};
use tussle_core::{Payoffs, Rng, TimeControl, Turn};

use super::grammar::{ReplyUnit, Request, Times, listed_moves};
use crate::check::pace::MoveTime;
use crate::check::positions::{self, fault_of};
use crate::check::probe::{AnswerTime, Probe, quoted};
use crate::check::time::{Answer, Timed, keeps_clock, keeps_short, keeps_small_banks, whole_game};
use crate::check::{
    Examination, Finding, LATE_ANSWER_GRACE, Outcome, PRINT, Problem, RESIGNS, Step, failed,
    farewell, fine, run, starts, warning,
};
use crate::external::told_millis;
use crate::{CheckError, Fault, Point, Verdict};

/// Examines a program that speaks JSON lines.
pub(super) fn examine(
    probe: Probe,
    game: Arc<dyn AnyGame>,
    clock: Option<TimeControl>,
    each: &mut dyn FnMut(&Point),
) -> Result<Vec<Point>, CheckError> {
    run(&mut Json::new(probe, game), &steps(clock), each)
}

/// Returns the steps of the test, in this order. Short times are only tested if no time control is given.
fn steps(clock: Option<TimeControl>) -> Vec<Step<Json>> {
    let mut steps = vec![
        Step::needed("starts", |json: &mut Json| starts(&mut json.probe)),
        Step::needed("first move", Json::first_move),
        Step::new("clock", keeps_clock),
    ];
    if clock.is_none() {
        steps.extend([
            Step::new("move_ms 200", |json| keeps_short(json, 200)),
            Step::new("move_ms 50", |json| keeps_short(json, 50)),
            Step::new("bank of time", |json| keeps_small_banks(json, &[1000])),
        ]);
    }
    steps.extend([
        Step::new("id sent back", Json::sends_id_back),
        Step::new("moves in random positions", Json::random_positions),
        Step::new("unknown fields", Json::survives_fields),
        Step::new("large numbers", Json::survives_numbers),
        Step::new("whole game as the first player", |json| whole_game(json, 0)),
        Step::new("whole game as the last player", |json| {
            whole_game(json, json.game.players() - 1)
        }),
        Step::new("starts again after a game", Json::resets),
        Step::new("same moves with the same seed", Json::repeats),
        Step::new("value, depth, nodes and moves", Json::judges_remarks),
        Step::new("nothing else on standard output", Json::is_quiet),
        Step::new("end of input", |json| farewell(&mut json.probe, None)),
    ]);
    steps
}

struct Json {
    probe: Probe,
    game: Arc<dyn AnyGame>,
    rng: Rng,
    id: u64,
    game_id: u64,
    /// Problem of a reply whose optional fields cannot be used.
    odd: Option<Problem>,
    /// Problem of a reply whose list of moves is invalid.
    wrong_list: Option<Problem>,
}

impl Examination for Json {
    fn probe(&mut self) -> &mut Probe {
        &mut self.probe
    }

    fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    fn greet(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

impl Timed for Json {
    fn timed(&mut self, position: &dyn AnyPosition, given: MoveTime) -> Result<Answer, Fault> {
        self.asked_within(position, &Extra::default(), given)
    }

    fn game(&self) -> Arc<dyn AnyGame> {
        Arc::clone(&self.game)
    }

    fn begin(&mut self, _seat: usize) -> Result<(), Fault> {
        self.game_id += 1;
        Ok(())
    }
}

/// Fields of a request besides the position and the clock.
struct Extra {
    seed: u64,
    more: Option<(&'static str, Value)>,
}

impl Default for Extra {
    fn default() -> Self {
        Self { seed: 1, more: None }
    }
}

impl Json {
    fn new(probe: Probe, game: Arc<dyn AnyGame>) -> Self {
        Self { probe, game, rng: Rng::new(1), id: 0, game_id: 0, odd: None, wrong_list: None }
    }

    /// Asks for a move. Returns the whole reply or its problem, and its time.
    fn ask(
        &mut self,
        position: &dyn AnyPosition,
        extra: &Extra,
        given: MoveTime,
    ) -> Result<(Result<Value, Problem>, AnswerTime), Fault> {
        self.id += 1;
        let Turn::Player(player) = position.turn() else {
            return Err(Fault::new(Verdict::Host, "was asked where no player is to move"));
        };
        let players = self.game.players();
        let request = Request {
            id: self.id,
            op: "move",
            game: self.game.spec(),
            game_id: self.game_id,
            player,
            players,
            position: position.text(),
            start: None,
            history: position.history(),
            moves: position.moves(),
            seed: extra.seed,
            clock: times(&given, players),
            nodes: None,
            depth: None,
        };
        let mut request = serde_json::to_value(request).unwrap_or_default();
        if let Some((key, value)) = &extra.more {
            request[*key] = value.clone();
        }
        let began = Instant::now();
        self.probe.say(&request.to_string())?;
        let line =
            self.probe.hear(began + given.limit() + LATE_ANSWER_GRACE).map_err(|mut fault| {
                fault.what = format!("{} (it had {})", fault.what, given.words());
                fault
            })?;
        let took = self.probe.took(began);
        match serde_json::from_str::<Value>(&line) {
            Ok(reply) if reply.is_object() => {
                if self.odd.is_none() {
                    self.odd = odd_remark(self.game.payoffs(), &reply);
                }
                if self.wrong_list.is_none() {
                    self.wrong_list = wrong_list(position, self.game.payoffs(), &reply);
                }
                Ok((Ok(reply), took))
            }
            other => {
                self.probe.end(); // the next line may be the missing reply
                Ok((Err(not_an_object(position, self.id, &line, other.err())), took))
            }
        }
    }

    /// Asks for a move and checks it.
    fn asked(&mut self, position: &dyn AnyPosition, extra: &Extra) -> Result<Answer, Fault> {
        let given = self.probe.given(position);
        self.asked_within(position, extra, given)
    }

    fn asked_within(
        &mut self,
        position: &dyn AnyPosition,
        extra: &Extra,
        given: MoveTime,
    ) -> Result<Answer, Fault> {
        let (reply, took) = self.ask(position, extra, given)?;
        let (finding, mv) = match reply {
            Ok(reply) => self.judged(position, &reply, given),
            Err(problem) => (Finding::Failed(problem), String::new()),
        };
        Ok((finding, mv, took))
    }

    /// Returns the finding about a reply, and its move.
    fn judged(
        &self,
        position: &dyn AnyPosition,
        reply: &Value,
        given: MoveTime,
    ) -> (Finding, String) {
        if reply["resign"] == json!(true) {
            return (Finding::Fine("it resigned".into()), RESIGNS.to_owned());
        }
        let expected = format!("{{\"id\":{},\"move\":M}} with one of `moves`", self.id);
        let Some(mv) = reply["move"].as_str() else {
            let fix = "answer with an object whose key `move` has one of the texts in `moves`, even \
                        if less time is left than the program keeps in reserve (set the clock of its \
                        matches with --clock)";
            let received = format!("`{reply}`, without a move (it had {})", given.words());
            let problem = Problem::new(received, expected, fix).because("no move").about_time();
            return (Finding::Failed(problem), String::new());
        };
        let finding = match fault_of(position, mv) {
            None => Finding::Fine(String::new()),
            Some(received) => Finding::Failed(
                Problem::new(
                    format!("the move {received}"),
                    expected,
                    "choose one of the `moves` of the same request",
                )
                .because("illegal move"),
            ),
        };
        (finding, mv.to_owned())
    }

    fn first_move(&mut self) -> Outcome {
        let position = positions::first(&self.game, &mut self.rng);
        let (finding, mv, _) = self.asked(position.as_ref(), &Extra::default())?;
        Ok(if let Finding::Fine(_) = finding { Finding::Fine(mv) } else { finding })
    }

    fn sends_id_back(&mut self) -> Outcome {
        for id in [41, 1_000_000] {
            self.id = id;
            let position = positions::first(&self.game, &mut self.rng);
            let given = self.probe.given(position.as_ref());
            let reply = match self.ask(position.as_ref(), &Extra::default(), given)?.0 {
                Ok(reply) => reply,
                Err(problem) => return Ok(Finding::Failed(problem)),
            };
            let finding = self.judged(position.as_ref(), &reply, given).0;
            if let Finding::Failed(_) = finding {
                return Ok(finding);
            }
            let fix = "send the `id` of the request back; without it, a late reply counts as the \
                        reply to the next request";
            match reply.get("id") {
                Some(id) if id.as_u64() == Some(self.id) => {}
                None | Some(Value::Null) => {
                    let problem = Problem::new(
                        format!("`{reply}`, without an id"),
                        format!("\"id\":{}", self.id),
                        fix,
                    );
                    return Ok(Finding::Warning(problem));
                }
                Some(_) => {
                    return failed(format!("`{reply}`"), format!("\"id\":{}", self.id), fix);
                }
            }
        }
        fine()
    }

    fn random_positions(&mut self) -> Outcome {
        for plies in [1, 2, 3, 5, 8, 12] {
            let position = positions::random(&self.game, plies, &mut self.rng);
            let (finding, ..) = self.asked(position.as_ref(), &Extra::default())?;
            if let Finding::Failed(_) = finding {
                return Ok(finding);
            }
        }
        Ok(Finding::Fine("six of them".into()))
    }

    fn with(&mut self, extra: &Extra) -> Outcome {
        let position = positions::random(&self.game, 2, &mut self.rng);
        Ok(self.asked(position.as_ref(), extra)?.0)
    }

    fn survives_fields(&mut self) -> Outcome {
        let more = Some(("something_new", json!({ "list": [1, "two", null, true, "\"é\\"] })));
        self.with(&Extra { more, ..Extra::default() })
    }

    fn survives_numbers(&mut self) -> Outcome {
        self.with(&Extra { seed: u64::MAX, ..Extra::default() })
    }

    fn resets(&mut self) -> Outcome {
        self.game_id += 1;
        let position = positions::first(&self.game, &mut self.rng);
        Ok(self.asked(position.as_ref(), &Extra::default())?.0)
    }

    fn repeats(&mut self) -> Outcome {
        let mut choices = Vec::new();
        for _ in 0..2 {
            self.game_id += 1;
            let mut rng = Rng::new(3);
            let mut moves = Vec::new();
            for plies in [0, 2, 4] {
                let position = positions::random(&self.game, plies, &mut rng);
                let extra = Extra { seed: 7, more: None };
                let (finding, mv, _) = self.asked(position.as_ref(), &extra)?;
                if let Finding::Failed(_) = finding {
                    return Ok(finding);
                }
                moves.push(mv);
            }
            choices.push(moves);
        }
        let word = if choices[0] == choices[1] { "yes" } else { "no" };
        Ok(Finding::Note(word.into()))
    }

    fn judges_remarks(&mut self) -> Outcome {
        match (self.wrong_list.take(), self.odd.take()) {
            (Some(problem), _) => Ok(Finding::Failed(problem)),
            (None, Some(problem)) => Ok(Finding::Warning(problem)),
            (None, None) => fine(),
        }
    }

    fn is_quiet(&mut self) -> Outcome {
        let position = positions::first(&self.game, &mut self.rng);
        let (finding, ..) = self.asked(position.as_ref(), &Extra::default())?;
        if let Finding::Failed(_) = finding {
            return Ok(finding);
        }
        if let Some(line) = self.probe.hear_within(Duration::from_millis(100)) {
            let received = format!("`{}` after the reply", quoted(&line));
            return failed(received, "one line for each request, and no other", PRINT);
        }
        match self.probe.unasked.first() {
            None => fine(),
            Some(line) => {
                let received = format!("`{line}` before the first request");
                warning(received, "one line for each request, and no other", PRINT)
            }
        }
    }
}

/// Returns the times of a request.
fn times(given: &MoveTime, players: usize) -> Times {
    let TimeControl::Increment { base, increment } = given.clock else {
        let move_ms = given.millis();
        return Times { move_ms, left_ms: None, increment_ms: None, rival_left_ms: None };
    };
    Times {
        move_ms: told_millis(given.soft_limit(), Duration::ZERO),
        left_ms: Some(given.millis()),
        increment_ms: Some(increment.as_millis() as u64),
        rival_left_ms: Some(vec![base.as_millis() as u64; players - 1]),
    }
}

/// Returns the problem of the `moves` of a reply, if there is one.
fn wrong_list(position: &dyn AnyPosition, payoffs: Payoffs, reply: &Value) -> Option<Problem> {
    let (unit, _) = ReplyUnit::of(reply, payoffs);
    let (lines, wrong) = listed_moves(reply, &unit);
    let mut seen = HashSet::new();
    let illegal = lines.iter().find_map(|line| fault_of(position, &line.mv));
    let twice = lines.iter().find(|line| !seen.insert(&line.mv));
    let received = wrong
        .into_iter()
        .next()
        .or(illegal.map(|why| format!("the listed move {why}")))
        .or(twice.map(|line| format!("`{}` in `moves` twice", line.mv)))?;
    Some(Problem::new(
        received,
        "in `moves` each legal move at most once, as {\"move\":M,\"visits\":N,\"value\":X}",
        "list moves from `moves` of the request, with a whole number from 0 as `visits` and a number as \
         `value`; leave out what the search does not know",
    ))
}

/// Returns the problem of a line that is not a JSON object: a reply with a syntax error, a bare move, or other text.
fn not_an_object(
    position: &dyn AnyPosition,
    id: u64,
    line: &str,
    error: Option<serde_json::Error>,
) -> Problem {
    let text = line.trim().trim_matches('"');
    let received = format!("it wrote `{}`, which is not a JSON object", quoted(line));
    let expected = "one JSON object per request";
    let problem = match error {
        Some(error) if text.starts_with('{') => Problem::new(
            format!("{received}: {error}"),
            expected,
            "write it with a JSON library; numbers must be finite (NaN and Infinity are not JSON), \
             keys and texts need double quotes",
        ),
        _ if position.moves().iter().any(|mv| mv == text) => {
            let reply = json!({ "id": id, "move": text });
            Problem::new(
                received,
                expected,
                format!(
                    "answer with an object that has the move and the id of the request: {reply}"
                ),
            )
        }
        _ => Problem::new(received, "lines of the protocol and no others", PRINT),
    };
    problem.because("not a JSON object")
}

/// Returns the problem of the optional fields of a reply, if there is one.
fn odd_remark(payoffs: Payoffs, reply: &Value) -> Option<Problem> {
    let is_there = |key: &str| reply.get(key).is_some_and(|value| !value.is_null());
    let fits = |key: &str| match key {
        "value" => reply[key].is_number(),
        "depth" => reply[key].as_u64().is_some_and(|depth| u32::try_from(depth).is_ok()),
        _ => reply[key].is_u64(),
    };
    let keys = ["value", "depth", "nodes"];
    let odd: Vec<String> = keys
        .iter()
        .filter(|key| is_there(key) && !fits(key))
        .map(|key| format!("\"{key}\":{}", reply[key]))
        .collect();
    if odd.is_empty() {
        let (unit, wrong) = ReplyUnit::of(reply, payoffs);
        let value = reply["value"].as_f64().map_or(Ok(tussle_core::Value::ZERO), |x| unit.value(x));
        let of_value = || value.err().map(|why| format!("`value`, {why}"));
        return wrong.into_iter().next().or_else(of_value).map(|received| {
            Problem::new(
                received,
                "a `unit` of the game, and a `value` in its range",
                "give the unit of all values in the reply, or leave it out for evaluations",
            )
        });
    }
    Some(Problem::new(
        format!("`{}`", odd.join(",")),
        "a number as `value`, whole numbers from 0 as `depth` and `nodes`",
        "leave out what the search does not know; the arena ignores these",
    ))
}
