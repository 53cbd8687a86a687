//! The points of JSON lines.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tussle_catalog::{AnyGame, AnyPosition};
use tussle_core::{Rng, Turn};

use super::positions::{self, fault_of};
use super::probe::Probe;
use super::{
    Finding, Outcome, PATIENCE, Problem, RESIGNS, Step, Talk, failed, farewell, fine, punctual,
    starts,
};
use crate::program::START;
use crate::{Fault, Verdict};

/// The test, in this order.
pub(super) const STEPS: &[Step<Json>] = &[
    Step::needed("starts", |json| starts(&mut json.probe)),
    Step::needed("first move", Json::first_move),
    Step::new("id sent back", Json::sends_id_back),
    Step::new("moves in random positions", Json::random_positions),
    Step::new("unknown fields", Json::survives_fields),
    Step::new("large numbers", Json::survives_numbers),
    Step::new("move_ms 200", |json| json.keeps_time(200)),
    Step::new("move_ms 50", |json| json.keeps_time(50)),
    Step::new("bank of time", Json::keeps_bank),
    Step::new("whole game as the first player", |json| json.whole_game(0)),
    Step::new("whole game as the last player", |json| json.whole_game(json.game.players() - 1)),
    Step::new("starts again after a game", Json::resets),
    Step::new("same moves with the same seed", Json::repeats),
    Step::new("nothing else on standard output", Json::is_quiet),
    Step::new("end of input", |json| farewell(&mut json.probe, None)),
];

pub(super) struct Json {
    probe: Probe,
    game: Arc<dyn AnyGame>,
    rng: Rng,
    id: u64,
    game_id: u64,
}

impl Talk for Json {
    fn probe(&mut self) -> &mut Probe {
        &mut self.probe
    }

    fn greet(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

/// What a request says besides the position.
struct Extra {
    seed: u64,
    clock: Value,
    more: Option<(&'static str, Value)>,
}

impl Default for Extra {
    fn default() -> Self {
        Self { seed: 1, clock: json!({ "move_ms": 200 }), more: None }
    }
}

/// What a program that has just started may take for its first answer.
const MOVE: Duration = Duration::from_millis(200);

impl Json {
    pub(super) fn new(probe: Probe, game: Arc<dyn AnyGame>) -> Self {
        Self { probe, game, rng: Rng::new(1), id: 0, game_id: 0 }
    }

    /// Asks for a move: the whole reply, and how long it took.
    fn ask(
        &mut self,
        position: &dyn AnyPosition,
        extra: &Extra,
        limit: Duration,
    ) -> Result<(Value, Duration), Fault> {
        self.id += 1;
        let Turn::Player(player) = position.turn() else {
            return Err(Fault::new(Verdict::Host, "was to be asked when nobody is to move"));
        };
        let mut request = json!({
            "id": self.id, "op": "move", "game": self.game.spec(), "game_id": self.game_id,
            "player": player, "players": self.game.players(), "position": position.text(),
            "history": position.history(), "moves": position.moves(), "seed": extra.seed,
            "clock": extra.clock,
        });
        if let Some((key, value)) = &extra.more {
            request[*key] = value.clone();
        }
        let began = Instant::now();
        self.probe.say(&request.to_string())?;
        let line = self.probe.hear(began + limit + PATIENCE)?;
        let took = self.probe.took(began);
        let said = |what: &str| {
            let mut fault = Fault::new(Verdict::Protocol, what);
            fault.evidence.push(format!("it wrote `{line}`"));
            fault
        };
        match serde_json::from_str::<Value>(&line) {
            Ok(reply) if reply.is_object() => Ok((reply, took)),
            _ => Err(said("did not answer with a JSON object on one line")),
        }
    }

    /// Asks for a move and judges it.
    fn asked(
        &mut self,
        position: &dyn AnyPosition,
        extra: &Extra,
    ) -> Result<(Finding, String, Duration), Fault> {
        let (reply, took) = self.ask(position, extra, START)?;
        let (finding, mv) = self.judged(position, &reply);
        Ok((finding, mv, took))
    }

    /// What is to be said of a reply, and its move.
    fn judged(&self, position: &dyn AnyPosition, reply: &Value) -> (Finding, String) {
        if reply["resign"] == json!(true) {
            return (Finding::Fine("it resigned".into()), RESIGNS.to_owned());
        }
        let expected = format!("{{\"id\":{},\"move\":M}} with one of `moves`", self.id);
        let Some(mv) = reply["move"].as_str() else {
            let mend = "answer an object with the key `move`, which is one of the texts in `moves`";
            let problem = Problem::new(format!("`{reply}`"), expected, mend);
            return (Finding::Failed(problem), String::new());
        };
        let finding = match fault_of(position, mv) {
            None => Finding::Fine(String::new()),
            Some(came) => Finding::Failed(Problem::new(
                format!("the move {came}"),
                expected,
                "choose from `moves` of the request that is answered",
            )),
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
            let (reply, _) = self.ask(position.as_ref(), &Extra::default(), START)?;
            let finding = self.judged(position.as_ref(), &reply).0;
            if let Finding::Failed(_) = finding {
                return Ok(finding);
            }
            let mend = "send the `id` of the request back: otherwise a late reply is taken for \
                        that to the next request";
            match reply.get("id") {
                Some(id) if id.as_u64() == Some(self.id) => {}
                None | Some(Value::Null) => {
                    let problem = Problem::new(
                        format!("`{reply}`, without an id"),
                        format!("\"id\":{}", self.id),
                        mend,
                    );
                    return Ok(Finding::Warning(problem));
                }
                Some(_) => {
                    return failed(format!("`{reply}`"), format!("\"id\":{}", self.id), mend);
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

    fn keeps_time(&mut self, millis: u64) -> Outcome {
        let limit = Duration::from_millis(millis);
        let mut took = Vec::new();
        // The first answer of a program that has just started may take longer.
        let position = positions::first(&self.game, &mut self.rng);
        self.ask(position.as_ref(), &Extra::default(), START)?;
        for plies in [0, 3, 6] {
            let position = positions::random(&self.game, plies, &mut self.rng);
            let extra = Extra { clock: json!({ "move_ms": millis }), ..Extra::default() };
            took.push(self.ask(position.as_ref(), &extra, limit)?.1);
        }
        Ok(punctual(limit, &took))
    }

    fn keeps_bank(&mut self) -> Outcome {
        let position = positions::first(&self.game, &mut self.rng);
        let limit = Duration::from_secs(1);
        let clock = json!({ "move_ms": 50, "left_ms": 1000, "increment_ms": 0 });
        let extra = Extra { clock, ..Extra::default() };
        let (_, took) = self.ask(position.as_ref(), &extra, limit)?;
        let mend = "use `move_ms`, which is a plan for this move; `left_ms` is for the whole game";
        if took >= limit {
            let expected = "an answer before the 1000 ms of the game are over";
            return failed(format!("an answer after {took:.1?}"), expected, mend);
        }
        if took > limit / 2 {
            let expected = "less than half of what is left for the whole game";
            return super::warning(format!("the first move took {took:.1?}"), expected, mend);
        }
        fine()
    }

    /// Plays one game against random players.
    fn whole_game(&mut self, seat: usize) -> Outcome {
        self.game_id += 1;
        let (game, mut rng) = (self.game.clone(), self.rng.clone());
        let outcome = super::whole_game(&game, seat, &mut rng, "keep to `move_ms`", |position| {
            let extra = Extra { clock: json!({ "move_ms": 20 }), ..Extra::default() };
            self.asked(position, &extra)
        });
        self.rng = rng;
        outcome
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
                let extra = Extra { seed: 7, ..Extra::default() };
                moves.push(self.asked(position.as_ref(), &extra)?.1);
            }
            choices.push(moves);
        }
        let word = if choices[0] == choices[1] { "yes" } else { "no" };
        Ok(Finding::Note(word.into()))
    }

    fn is_quiet(&mut self) -> Outcome {
        let position = positions::first(&self.game, &mut self.rng);
        self.ask(position.as_ref(), &Extra::default(), MOVE)?;
        match self.probe.hear_within(Duration::from_millis(100)) {
            None => fine(),
            Some(line) => failed(
                format!("`{line}` after the reply"),
                "one line for each request, and no other",
                "write to standard error what is for yourself",
            ),
        }
    }
}
