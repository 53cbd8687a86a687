//! The requests of the rules service.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use tussle_catalog::{AnyGame, AnyPosition, Error};
use tussle_core::{Rng, RulesError, Turn};

use crate::turns;

/// Maximum number of open handles, so that a client that never releases any does not fill the memory.
const MAX_HANDLES: usize = 1_000_000;

/// Error of a request.
#[derive(Debug, thiserror::Error)]
enum RequestError {
    #[error("not a request: {0}")]
    NotARequest(#[source] serde_json::Error),
    #[error("there is no handle {0}")]
    NoHandle(u64),
    #[error("{MAX_HANDLES} handles are open; release some")]
    TooManyHandles,
    #[error("no player is to move in this state; give a \"player\"")]
    NoPlayerToMove,
    /// The rules failed: since then every state looks finished.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The game rejects a position, a move or an evaluation.
    #[error(transparent)]
    Game(#[from] Error),
}

/// Rules of a game and the states that a client holds.
pub(super) struct Service {
    game: Arc<dyn AnyGame>,
    states: HashMap<u64, Box<dyn AnyPosition>>,
    next: u64,
    /// Number of playouts without a seed; it is the seed of the next one.
    unseeded: u64,
}

#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "lowercase", deny_unknown_fields)]
enum Request {
    Info {},
    Start {
        position: Option<String>,
    },
    Moves {
        state: StateRef,
    },
    Apply {
        state: StateRef,
        #[serde(rename = "move")]
        mv: String,
    },
    Result {
        state: StateRef,
    },
    Eval {
        state: StateRef,
        #[serde(default)]
        eval: String,
        player: Option<usize>,
    },
    Draw {
        state: StateRef,
    },
    Playout {
        state: StateRef,
        seed: Option<u64>,
    },
    Release {
        state: u64,
    },
}

/// State as the client refers to it.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a state is a handle (a whole number) or a position text")]
enum StateRef {
    Handle(u64),
    Text(String),
}

/// State found for a reference: kept under a handle, or read from a text.
enum FoundState<'a> {
    Kept(&'a (dyn AnyPosition + 'static)),
    Read(Box<dyn AnyPosition>),
}

impl Deref for FoundState<'_> {
    type Target = dyn AnyPosition + 'static;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Kept(position) => *position,
            Self::Read(position) => position.as_ref(),
        }
    }
}

impl Service {
    pub(super) fn new(game: Arc<dyn AnyGame>) -> Self {
        Self { game, states: HashMap::new(), next: 1, unseeded: 0 }
    }

    /// Answers one request line.
    pub(super) fn answer(&mut self, line: &[u8]) -> Value {
        let mut fields: Map<String, Value> = match serde_json::from_slice(line) {
            Ok(fields) => fields,
            Err(e) => return json!({ "error": format!("not a JSON object on one line: {e}") }),
        };
        let id = fields.remove("id");
        let answer = serde_json::from_value(Value::Object(fields))
            .map_err(RequestError::NotARequest)
            .and_then(|request| self.obey(request))
            .and_then(|answer| self.game.failure().map_or(Ok(answer), |error| Err(error.into())))
            .unwrap_or_else(|e| json!({ "error": e.to_string() }));
        with_id(id, answer)
    }

    fn obey(&mut self, request: Request) -> Result<Value, RequestError> {
        match request {
            Request::Info {} => Ok(json!({
                "game": self.game.spec(),
                "players": self.game.players(),
                "points": self.game.payoffs().points,
                "evaluations": self.game.evaluations().iter().map(|e| e.name).collect::<Vec<_>>(),
            })),
            Request::Start { position } => {
                let position = match position {
                    Some(text) => self.game.position(&text)?,
                    None => self.game.start(),
                };
                self.keep(position)
            }
            Request::Apply { state, mv } => {
                let mut position = self.find(&state)?.without_history();
                position.play(&mv)?;
                match state {
                    StateRef::Handle(_) => self.keep(position),
                    // A client that refers to states by text gets a text; no state is kept.
                    StateRef::Text(_) => {
                        Ok(self.describe(&json!(position.text()), position.as_ref()))
                    }
                }
            }
            Request::Moves { state } => {
                let position = self.find(&state)?;
                let mut answer = json!({ "moves": position.moves() });
                if position.turn() == Turn::Chance {
                    answer["probabilities"] = json!(position.probabilities());
                }
                Ok(answer)
            }
            Request::Result { state } => Ok(json!({ "result": self.find(&state)?.utilities() })),
            Request::Eval { state, eval, player } => {
                let position = self.find(&state)?;
                let player = player.or(turns::mover(position.turn()));
                let player = player.ok_or(RequestError::NoPlayerToMove)?;
                let value = position.evaluate(&eval, player)?;
                Ok(json!({ "value": value }))
            }
            Request::Draw { state } => Ok(json!({ "drawing": self.find(&state)?.scene().text() })),
            Request::Playout { state, seed } => {
                let mut position = self.find(&state)?.without_history();
                let seed = seed.unwrap_or_else(|| {
                    self.unseeded += 1;
                    self.unseeded
                });
                position.play_out(&mut Rng::new(seed));
                Ok(json!({ "result": position.utilities() }))
            }
            Request::Release { state } => match self.states.remove(&state) {
                Some(_) => Ok(json!({ "released": state })),
                None => Err(RequestError::NoHandle(state)),
            },
        }
    }

    /// Keeps a state under a new handle and describes it.
    fn keep(&mut self, position: Box<dyn AnyPosition>) -> Result<Value, RequestError> {
        if self.states.len() >= MAX_HANDLES {
            return Err(RequestError::TooManyHandles);
        }
        let handle = self.next;
        self.next += 1;
        let described = self.describe(&json!(handle), position.as_ref());
        self.states.insert(handle, position);
        Ok(described)
    }

    fn find(&self, state: &StateRef) -> Result<FoundState<'_>, RequestError> {
        match state {
            StateRef::Handle(handle) => match self.states.get(handle) {
                Some(position) => Ok(FoundState::Kept(position.as_ref())),
                None => Err(RequestError::NoHandle(*handle)),
            },
            StateRef::Text(text) => Ok(FoundState::Read(self.game.position(text)?)),
        }
    }

    fn describe(&self, state: &Value, position: &dyn AnyPosition) -> Value {
        let turn = position.turn();
        json!({
            "state": state,
            "position": position.text(),
            "turn": turns::turn(self.game.players(), turn),
            "player": turns::mover(turn),
            "result": position.utilities(),
        })
    }
}

fn with_id(id: Option<Value>, mut answer: Value) -> Value {
    if let (Some(id), Value::Object(map)) = (id, &mut answer) {
        map.shift_insert(0, "id".to_owned(), id);
    }
    answer
}

#[cfg(test)]
mod tests {
    use std::io::{Error, ErrorKind};
    use std::sync::atomic::{AtomicU32, Ordering};

    use tussle_catalog::{Catalog, Entry};
    use tussle_core::{Fallible, TryGame};

    use super::*;

    /// A game without end, whose connection breaks after a number of answers.
    struct Remote(AtomicU32);

    impl Remote {
        fn answer<A>(&self, answer: A) -> Result<A, Error> {
            let left = |left: u32| left.checked_sub(1);
            let left = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, left);
            left.map(|_| answer).map_err(|_| ErrorKind::BrokenPipe.into())
        }
    }

    impl TryGame for Remote {
        type State = u32;
        type Move = u8;
        type Error = Error;

        fn start(&self) -> Result<u32, Error> {
            self.answer(0)
        }

        fn turn(&self, _: &u32) -> Result<Turn, Error> {
            self.answer(Turn::Player(0))
        }

        fn moves(&self, _: &u32) -> Result<Vec<u8>, Error> {
            self.answer(vec![1])
        }

        fn play(&self, plies: &u32, _: &u8) -> Result<u32, Error> {
            self.answer(plies + 1)
        }

        fn utility(&self, _: &u32, _: usize) -> Result<f64, Error> {
            self.answer(0.0)
        }
    }

    #[test]
    fn rules_that_fail_are_not_a_finished_game() {
        let remote = |answers: u32| {
            let game = Fallible::new(Remote(answers.into()));
            let catalog = Catalog::empty().with(Entry::new("remote", game));
            Service::new(catalog.game("remote").expect("a game"))
        };
        let start = r#"{"op":"start","id":7}"#.as_bytes();
        let sound = remote(9).answer(start);
        assert_eq!((&sound["turn"], &sound["error"]), (&json!("first"), &Value::Null));
        for answers in [0, 1] {
            let answer = remote(answers).answer(start);
            let expected = json!({ "id": 7, "error": "the rules of the game failed: broken pipe" });
            assert_eq!(answer, expected, "after {answers} answers");
        }
    }
}
