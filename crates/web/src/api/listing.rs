//! Games, agents and trees that a page may name.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use tussle_catalog::{AgentRow, GameRow, LEVELS};
use utoipa::ToSchema;

use crate::openapi::{Agent, Game};
use crate::place::TREES;
use crate::server::Shared;

/// All games and their parameters
#[utoipa::path(get, path = "/games", responses((status = 200, description = "The answer.", body = Vec<Game>)))]
pub(super) async fn games(State(shared): State<Arc<Shared>>) -> Json<Vec<GameRow>> {
    Json(shared.options.catalog.games().iter().map(GameRow::from).collect())
}

/// All agents and their parameters, and the presets
#[utoipa::path(get, path = "/agents", responses((status = 200, description = "The answer.", body = Vec<Agent>)))]
pub(super) async fn agents(State(shared): State<Arc<Shared>>) -> Json<Vec<AgentRow>> {
    Json(shared.options.catalog.agent_rows())
}

#[derive(Serialize, ToSchema)]
pub(super) struct Trees {
    trees: Vec<&'static str>,
    /// Number of steps of the ladder of strength: agents `level-1` to this one.
    levels: usize,
}

/// The trees of the lectures, and how many levels of strength there are
#[utoipa::path(get, path = "/trees", responses((status = 200, description = "The answer.", body = Trees)))]
pub(super) async fn trees() -> Json<Trees> {
    Json(Trees { trees: TREES.iter().map(|(name, _)| *name).collect(), levels: LEVELS })
}
