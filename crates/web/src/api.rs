//! Questions with one answer.

mod analyse;
mod position;
mod tournaments;

use std::sync::Arc;

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::{MethodRouter, get, post};
use axum::{Json, Router};
use serde_json::{Value, json};
use tussle_catalog::{AgentRow, GameRow, LEVELS};
use tussle_core::StopFlag;

use crate::place::TREES;
use crate::refusal::Refusal;
use crate::server::Shared;

/// How a route is asked, where it is, who answers. `assets/openapi.json` describes each.
type Route = (&'static str, &'static str, MethodRouter<Arc<Shared>>);

fn table() -> Vec<Route> {
    let own = vec![
        ("get", "/games", get(games)),
        ("get", "/agents", get(agents)),
        ("get", "/trees", get(trees)),
        ("post", "/position", post(position::position)),
        ("post", "/roll", post(position::roll)),
        ("post", "/check", post(position::check)),
        ("post", "/analyse", post(analyse::analyse)),
        ("post", "/explain", post(crate::explain::document)),
        ("get", "/openapi.json", get(openapi)),
    ];
    own.into_iter().chain(tournaments::table()).collect()
}

/// Everything below `/api`.
pub(crate) fn routes() -> Router<Arc<Shared>> {
    table()
        .into_iter()
        .fold(Router::new(), |router, (_, path, answers)| router.route(path, answers))
}

const OPENAPI: &str = include_str!("../assets/openapi.json");

/// What this is all about, for programs.
async fn openapi() -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/json")], OPENAPI)
}

async fn games(State(shared): State<Arc<Shared>>) -> Json<Vec<GameRow>> {
    Json(shared.options.catalog.games().iter().map(GameRow::from).collect())
}

async fn agents(State(shared): State<Arc<Shared>>) -> Json<Vec<AgentRow>> {
    Json(shared.options.catalog.agent_rows())
}

async fn trees() -> Json<Value> {
    Json(
        json!({ "trees": TREES.iter().map(|(name, _)| name).collect::<Vec<_>>(), "levels": LEVELS }),
    )
}

/// Ends the search when nobody waits for it any more.
pub(crate) struct HangUp(pub(crate) StopFlag);

impl Drop for HangUp {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Runs what may take a while where it keeps no other request waiting.
pub(crate) async fn apart<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(Refusal::failed("this question made the server stumble")))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_route_is_documented_and_nothing_else_is() {
        let document: Value = serde_json::from_str(OPENAPI).unwrap();
        let paths = document["paths"].as_object().unwrap();
        let told: BTreeSet<String> = paths
            .iter()
            .flat_map(|(path, ways)| {
                let ways = ways.as_object().unwrap().keys().filter(|key| *key != "parameters");
                ways.map(move |way| format!("{way} {path}"))
            })
            .filter(|route| route != "get /live") // the socket
            .collect();
        let there = table().into_iter().map(|(way, path, _)| format!("{way} /api{path}")).collect();
        assert_eq!(told, there);
    }
}
