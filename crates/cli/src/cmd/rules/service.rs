//! The requests of the rules service.

use std::collections::HashMap;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use tussle_catalog::{AnyGame, AnyPosition};
use tussle_core::Turn;

use crate::turns;

/// A client that never releases its handles is stopped here, before it fills the memory.
const MOST_HANDLES: usize = 1_000_000;

/// One game's rules and the states a client holds.
pub(super) struct Service {
    game: Arc<dyn AnyGame>,
    states: HashMap<u64, Box<dyn AnyPosition>>,
    next: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    #[serde(default)]
    id: Value,
    op: Op,
    state: Option<StateRef>,
    position: Option<String>,
    #[serde(rename = "move")]
    mv: Option<String>,
    eval: Option<String>,
    player: Option<usize>,
    seed: Option<u64>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Op {
    Info,
    Start,
    Moves,
    Apply,
    Result,
    Eval,
    Draw,
    Playout,
    Release,
}

/// A state as the client names it.
#[derive(Deserialize)]
#[serde(untagged)]
enum StateRef {
    Handle(u64),
    Text(String),
}

impl Service {
    pub(super) fn new(game: Arc<dyn AnyGame>) -> Self {
        Self { game, states: HashMap::new(), next: 1 }
    }

    /// Answers one line.
    pub(super) fn answer(&mut self, line: &[u8]) -> Value {
        let request: Request = match serde_json::from_slice(line) {
            Ok(request) => request,
            Err(e) => {
                // The id of a request that is JSON but wrong can still be sent back.
                let id = serde_json::from_slice::<Map<String, Value>>(line)
                    .ok()
                    .and_then(|mut map| map.remove("id"));
                return with_id(id, json!({ "error": format!("not a request: {e}") }));
            }
        };
        let id = (!request.id.is_null()).then(|| request.id.clone());
        let answer = self.obey(&request).unwrap_or_else(|e| json!({ "error": e }));
        with_id(id, answer)
    }

    fn obey(&mut self, request: &Request) -> Result<Value, String> {
        match request.op {
            Op::Info => Ok(json!({
                "game": self.game.spec(),
                "players": self.game.players(),
                "evaluations": self.game.evaluations().iter().map(|e| e.name).collect::<Vec<_>>(),
            })),
            Op::Start => {
                let position = match &request.position {
                    Some(text) => self.game.position(text).map_err(|e| e.to_string())?,
                    None => self.game.start(),
                };
                let handle = self.keep(position)?;
                Ok(self.describe(&json!(handle), self.states[&handle].as_ref()))
            }
            Op::Release => match request.state {
                Some(StateRef::Handle(handle)) if self.states.remove(&handle).is_some() => {
                    Ok(json!({ "released": handle }))
                }
                Some(StateRef::Handle(handle)) => Err(format!("there is no handle {handle}")),
                _ => Err("`release` needs \"state\", a handle".to_owned()),
            },
            Op::Apply => {
                let mv = request.mv.as_deref().ok_or("`apply` needs \"move\", a move's text")?;
                let mut position = self.find(request.state.as_ref())?.boxed();
                position.play(mv).map_err(|e| e.to_string())?;
                // A client that names states by text gets a text back, and nothing is kept.
                if let Some(StateRef::Text(_)) = request.state {
                    return Ok(self.describe(&json!(position.text()), position.as_ref()));
                }
                let handle = self.keep(position)?;
                Ok(self.describe(&json!(handle), self.states[&handle].as_ref()))
            }
            Op::Moves => {
                let position = self.find(request.state.as_ref())?;
                let mut answer = json!({ "moves": position.moves() });
                if position.turn() == Turn::Chance {
                    answer["probabilities"] = json!(position.probabilities());
                }
                Ok(answer)
            }
            Op::Result => {
                let position = self.find(request.state.as_ref())?;
                Ok(json!({ "result": position.utilities() }))
            }
            Op::Eval => {
                let position = self.find(request.state.as_ref())?;
                let to_move = match position.turn() {
                    Turn::Player(player) => Some(player),
                    Turn::Chance | Turn::Over => None,
                };
                let player = request.player.or(to_move);
                let player = player.ok_or("nobody is to move; name a \"player\"")?;
                let name = request.eval.as_deref().unwrap_or("");
                let value = position.evaluate(name, player).map_err(|e| e.to_string())?;
                Ok(json!({ "value": value }))
            }
            Op::Draw => {
                let position = self.find(request.state.as_ref())?;
                Ok(json!({ "drawing": position.scene().text() }))
            }
            Op::Playout => {
                let mut position = self.find(request.state.as_ref())?.boxed();
                position.play_out(request.seed.unwrap_or(1));
                Ok(json!({ "result": position.utilities() }))
            }
        }
    }

    fn keep(&mut self, position: Box<dyn AnyPosition>) -> Result<u64, String> {
        if self.states.len() >= MOST_HANDLES {
            return Err(format!("{MOST_HANDLES} handles are open; release some"));
        }
        let handle = self.next;
        self.next += 1;
        self.states.insert(handle, position);
        Ok(handle)
    }

    fn find(&self, state: Option<&StateRef>) -> Result<Box<dyn AnyPosition>, String> {
        match state {
            Some(StateRef::Handle(handle)) => match self.states.get(handle) {
                Some(position) => Ok(position.boxed()),
                None => Err(format!("there is no handle {handle}")),
            },
            Some(StateRef::Text(text)) => self.game.position(text).map_err(|e| e.to_string()),
            None => Err("\"state\" is missing: a handle or a position text".to_owned()),
        }
    }

    fn describe(&self, state: &Value, position: &dyn AnyPosition) -> Value {
        let turn = position.turn();
        json!({
            "state": state,
            "position": position.text(),
            "turn": turns::turn(self.game.players(), turn),
            "player": match turn {
                Turn::Player(player) => Some(player),
                Turn::Chance | Turn::Over => None,
            },
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
