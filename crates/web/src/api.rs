//! Questions with one answer.

mod position;
mod tournaments;

use std::sync::Arc;

use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};
use tussle_catalog::{AgentRow, GAMES, GameRow, LEVELS, agent_rows};

use crate::place::TREES;
use crate::refusal::Refusal;
use crate::server::Shared;

/// Everything below `/api`.
pub(crate) fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/games", get(games))
        .route("/agents", get(agents))
        .route("/trees", get(trees))
        .route("/position", post(position::position))
        .route("/roll", post(position::roll))
        .merge(tournaments::routes())
}

async fn games() -> Json<Vec<GameRow>> {
    Json(GAMES.iter().map(GameRow::from).collect())
}

async fn agents() -> Json<Vec<AgentRow>> {
    Json(agent_rows())
}

async fn trees() -> Json<Value> {
    Json(
        json!({ "trees": TREES.iter().map(|(name, _)| name).collect::<Vec<_>>(), "levels": LEVELS }),
    )
}

/// Runs what may take a while where it keeps no other request waiting.
pub(crate) async fn apart<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(Refusal::failed("this question made the server stumble")))
}
