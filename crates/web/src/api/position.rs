//! Positions, chance outcomes and checks of agent specs.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use tussle_core::Rng;
use tussle_engine::PlayerSpec;
use utoipa::ToSchema;

use super::run_blocking;
use crate::api_error::ApiError;
use crate::board::PositionView;
use crate::extract::JsonBody;
use crate::position_ref::{PositionRef, check_agent};
use crate::server::Shared;

/// Get the position after some moves: drawing, legal moves, result
#[utoipa::path(
    post,
    path = "/position",
    request_body(content = PositionRef, example = json!({ "game": "go:size=5", "moves": ["C3", "D3"] })),
    responses((status = 200, description = "The answer.", body = PositionView)),
)]
pub(super) async fn position(
    State(shared): State<Arc<Shared>>,
    JsonBody(place): JsonBody<PositionRef>,
) -> Result<Json<PositionView>, ApiError> {
    run_blocking(move || {
        let (game, position) = place.open(&shared.options.catalog)?;
        Ok(Json(PositionView::new(game.as_ref(), position.as_ref())))
    })
    .await
}

/// Position in which chance moves.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Roll {
    place: PositionRef,
    /// Seed of the whole game. The same seed and number of moves give the same outcome.
    seed: u64,
}

/// Chance outcome.
#[derive(Serialize, ToSchema)]
pub(super) struct RollAnswer {
    #[serde(rename = "move")]
    mv: String,
    /// Position after the outcome.
    after: PositionView,
}

/// Choose a chance outcome at random
#[utoipa::path(
    post,
    path = "/roll",
    request_body(content = Roll, example = json!({ "place": { "game": "backgammon" }, "seed": 7 })),
    responses((status = 200, description = "The answer.", body = RollAnswer)),
)]
pub(super) async fn roll(
    State(shared): State<Arc<Shared>>,
    JsonBody(Roll { place, seed }): JsonBody<Roll>,
) -> Result<Json<RollAnswer>, ApiError> {
    run_blocking(move || {
        let (game, mut position) = place.open(&shared.options.catalog)?;
        let mut rng = Rng::derive(seed, &[position.history().len() as u64]);
        let outcome = position.roll(&mut rng);
        let mv = outcome.ok_or_else(|| {
            ApiError::bad_request("place: expected a position in which chance is to move")
        })?;
        position.play(&mv)?;
        Ok(Json(RollAnswer { mv, after: PositionView::new(game.as_ref(), position.as_ref()) }))
    })
    .await
}

/// Maximum number of agents in one request.
const MAX_AGENTS: usize = 16;

/// Game and the agents that are to play it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Seats {
    place: PositionRef,
    /// Specs of the agents by seat; `human` is a person.
    #[schema(max_items = 16)]
    agents: Vec<String>,
}

/// Error of each agent; null if the agent can play.
#[derive(Serialize, ToSchema)]
pub(super) struct SeatFaults {
    wrong: Vec<Option<String>>,
}

/// Check that agents can play a game
#[utoipa::path(
    post,
    path = "/check",
    request_body(content = Seats, example = json!({ "place": { "game": "go:size=5" }, "agents": ["human", "mcts:foo=1"] })),
    responses((status = 200, description = "The error of each agent.", body = SeatFaults)),
)]
pub(super) async fn check(
    State(shared): State<Arc<Shared>>,
    JsonBody(Seats { place, agents }): JsonBody<Seats>,
) -> Result<Json<SeatFaults>, ApiError> {
    if agents.len() > MAX_AGENTS {
        let found = agents.len();
        return Err(ApiError::bad_request(format!(
            "agents: expected at most {MAX_AGENTS} specs, found {found}"
        )));
    }
    run_blocking(move || {
        let game = place.rules(&shared.options.catalog)?;
        let wrong = |spec: &String| match PlayerSpec::parse(spec) {
            _ if spec == "human" => None,
            // A program is started only when it has to move.
            PlayerSpec::Program { .. } => shared.options.check_programs().err(),
            // An agent allocates its tables only when it searches.
            PlayerSpec::Agent(_) => check_agent(game.catalog(), spec)
                .and_then(|()| game.agent(spec, 0).map(drop).map_err(ApiError::from))
                .err(),
        };
        let wrong = agents.iter().map(|spec| wrong(spec).map(|error| error.message));
        Ok(Json(SeatFaults { wrong: wrong.collect() }))
    })
    .await
}
