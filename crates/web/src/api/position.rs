//! Positions, dice, and whether agents can play.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value, json};
use tussle_core::Rng;
use tussle_engine::PlayerSpec;

use super::apart;
use crate::asked::Asked;
use crate::board::Seen;
use crate::place::{Place, check_agent};
use crate::refusal::Refusal;
use crate::server::Shared;

/// The position after some moves: drawing, legal moves, result.
pub(super) async fn position(
    State(shared): State<Arc<Shared>>,
    Asked(place): Asked<Place>,
) -> Result<Json<Seen>, Refusal> {
    apart(move || {
        let (game, position) = place.open(&shared.options.catalog)?;
        Ok(Json(Seen::new(game.as_ref(), position.as_ref())))
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Roll {
    place: Place,
    /// Seed of the whole game: the same moves get the same dice.
    seed: u64,
}

/// What chance does.
pub(super) async fn roll(
    State(shared): State<Arc<Shared>>,
    Asked(Roll { place, seed }): Asked<Roll>,
) -> Result<Json<Value>, Refusal> {
    apart(move || {
        let (_, position) = place.open(&shared.options.catalog)?;
        let mut rng = Rng::derive(seed, &[position.history().len() as u64]);
        let outcome = position.roll(&mut rng);
        let mv = outcome.ok_or_else(|| Refusal::wrong("chance is not to move here"))?;
        Ok(Json(json!({ "move": mv })))
    })
    .await
}

/// Agents whose specs are read at once.
const AGENTS: usize = 16;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Seats {
    place: Place,
    /// Specs of agents; `human` is a person.
    agents: Vec<String>,
}

/// Whether agents can play a game, before they have to: what is wrong with each, or nothing.
pub(super) async fn check(
    State(shared): State<Arc<Shared>>,
    Asked(Seats { place, agents }): Asked<Seats>,
) -> Result<Json<Value>, Refusal> {
    if agents.len() > AGENTS {
        return Err(Refusal::wrong(format!("{AGENTS} agents are read at once, not more")));
    }
    apart(move || {
        let game = place.rules(&shared.options.catalog)?;
        let wrong = |spec: &String| match PlayerSpec::parse(spec) {
            _ if spec == "human" => None,
            // Whether it plays shows when it does.
            PlayerSpec::Program { .. } => shared.options.check_programs().err(),
            // What an agent needs for its search it takes when it searches.
            PlayerSpec::Agent(_) => check_agent(game.catalog(), spec)
                .and_then(|()| game.agent(spec, 0).map(drop).map_err(Refusal::from))
                .err(),
        };
        let wrong: Vec<_> =
            agents.iter().map(|spec| wrong(spec).map(|refusal| refusal.why)).collect();
        Ok(Json(json!({ "wrong": wrong })))
    })
    .await
}
