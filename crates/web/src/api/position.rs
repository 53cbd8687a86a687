//! Positions, dice, and whether agents can play.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use tussle_core::Rng;
use tussle_engine::PlayerSpec;
use utoipa::ToSchema;

use super::apart;
use crate::asked::Asked;
use crate::board::Seen;
use crate::place::{Place, check_agent};
use crate::refusal::Refusal;
use crate::server::Shared;

/// The position after some moves: drawing, legal moves, result
#[utoipa::path(
    post,
    path = "/position",
    request_body(content = Place, example = json!({ "game": "go:size=5", "moves": ["C3", "D3"] })),
    responses((status = 200, description = "The answer.", body = Seen)),
)]
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

/// A position in which chance moves.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Roll {
    place: Place,
    /// Seed of the whole game: the same moves get the same dice.
    seed: u64,
}

/// An outcome of chance.
#[derive(Serialize, ToSchema)]
pub(super) struct RollAnswer {
    #[serde(rename = "move")]
    mv: String,
    /// The position after it.
    after: Seen,
}

/// What chance does
#[utoipa::path(
    post,
    path = "/roll",
    request_body(content = Roll, example = json!({ "place": { "game": "backgammon" }, "seed": 7 })),
    responses((status = 200, description = "The answer.", body = RollAnswer)),
)]
pub(super) async fn roll(
    State(shared): State<Arc<Shared>>,
    Asked(Roll { place, seed }): Asked<Roll>,
) -> Result<Json<RollAnswer>, Refusal> {
    apart(move || {
        let (game, mut position) = place.open(&shared.options.catalog)?;
        let mut rng = Rng::derive(seed, &[position.history().len() as u64]);
        let outcome = position.roll(&mut rng);
        let mv = outcome.ok_or_else(|| Refusal::wrong("chance is not to move here"))?;
        position.play(&mv)?;
        Ok(Json(RollAnswer { mv, after: Seen::new(game.as_ref(), position.as_ref()) }))
    })
    .await
}

/// Agents whose specs are read at once.
const AGENTS: usize = 16;

/// A game and who is to play it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Seats {
    place: Place,
    /// Specs of agents; `human` is a person.
    #[schema(max_items = 16)]
    agents: Vec<String>,
}

/// What is wrong with each agent; null if it can play.
#[derive(Serialize, ToSchema)]
pub(super) struct SeatFaults {
    wrong: Vec<Option<String>>,
}

/// Whether agents can play a game, before they have to
#[utoipa::path(
    post,
    path = "/check",
    request_body(content = Seats, example = json!({ "place": { "game": "go:size=5" }, "agents": ["human", "mcts:foo=1"] })),
    responses((status = 200, description = "The fault of each agent.", body = SeatFaults)),
)]
pub(super) async fn check(
    State(shared): State<Arc<Shared>>,
    Asked(Seats { place, agents }): Asked<Seats>,
) -> Result<Json<SeatFaults>, Refusal> {
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
        let wrong = agents.iter().map(|spec| wrong(spec).map(|refusal| refusal.why));
        Ok(Json(SeatFaults { wrong: wrong.collect() }))
    })
    .await
}
