//! Lists of the games, agents and trees that a request may name.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use tussle_catalog::{AgentRow, GameRow, LEVELS};
use utoipa::ToSchema;

use crate::openapi::{Agent, Game};
use crate::position_ref::TREES;
use crate::server::Shared;

/// List all games and their parameters
#[utoipa::path(get, path = "/games", responses((status = 200, description = "The answer.", body = Vec<Game>)))]
pub(super) async fn games(State(shared): State<Arc<Shared>>) -> Json<Vec<GameRow>> {
    Json(shared.options.catalog.games().iter().map(GameRow::from).collect())
}

/// List all agents, presets and their parameters
#[utoipa::path(get, path = "/agents", responses((status = 200, description = "The answer.", body = Vec<Agent>)))]
pub(super) async fn agents(State(shared): State<Arc<Shared>>) -> Json<Vec<AgentRow>> {
    Json(shared.options.catalog.agent_rows())
}

#[derive(Serialize, ToSchema)]
pub(super) struct Trees {
    trees: Vec<&'static str>,
    /// Number of levels: the weakest agent is `level-1`, the strongest has this number.
    levels: usize,
}

/// List the built-in trees and the number of levels
#[utoipa::path(get, path = "/trees", responses((status = 200, description = "The answer.", body = Trees)))]
pub(super) async fn trees() -> Json<Trees> {
    Json(Trees { trees: TREES.iter().map(|(name, _)| *name).collect(), levels: LEVELS })
}
