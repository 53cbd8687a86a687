//! Search with one answer, for scripts.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use serde::Deserialize;
use tussle_core::StopFlag;
use tussle_explain::AnalysisDocument;
use utoipa::ToSchema;

use super::StopOnDrop;
use crate::api_error::ApiError;
use crate::extract::JsonBody;
use crate::live::Page;
use crate::live::search::{Listener, Search, SearchNews};
use crate::position_ref::PositionRef;
use crate::server::Shared;

/// Time limit in milliseconds of a search that requests no limit.
const DEFAULT_TIME_MS: u64 = 2000;

/// Search of a position. Without a limit it takes at most two seconds.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AnalysisRequest {
    place: PositionRef,
    /// Spec of the agent: `mcts:nodes=1000` [default: alphabeta]. On a server with --allow-programs also `ugi:COMMAND`,
    /// `gtp:COMMAND` or `json:COMMAND`, but not in requests of pages, which search over the socket.
    #[serde(default = "default_agent")]
    agent: String,
    /// Seed of all random choices [default: 1].
    #[serde(default = "default_seed")]
    seed: u64,
    /// Maximum number of nodes or simulations.
    nodes: Option<u64>,
    /// Maximum depth in plies.
    depth: Option<u32>,
    /// Time limit in milliseconds. The server's own limit applies too.
    time_ms: Option<u64>,
    /// Number of moves that get an exact value [default: 1].
    #[serde(default = "default_lines")]
    lines: usize,
}

// The defaults of `tussle analyse`.
fn default_agent() -> String {
    "alphabeta".to_owned()
}

fn default_seed() -> u64 {
    1
}

fn default_lines() -> usize {
    1
}

/// Listener of a script, which receives only the final answer.
#[derive(Clone)]
struct Script;

impl Listener for Script {
    fn queued(&self) {}

    fn report(&self, _: &SearchNews<'_>) {}

    fn answer(&self, news: &SearchNews<'_>) -> Result<String, ApiError> {
        serde_json::to_string(&news.report).map_err(ApiError::internal)
    }
}

/// Search a position
///
/// If all search slots are taken, the search waits for one. It ends when the client closes the connection. Without a limit
/// it takes at most two seconds.
#[utoipa::path(
    post,
    path = "/analyse",
    request_body(
        content = AnalysisRequest,
        example = json!({ "place": { "game": "connect4", "moves": ["4", "4"] }, "agent": "mcts", "nodes": 500 }),
    ),
    responses((status = 200, description = "The answer.", body = AnalysisDocument<'static>)),
)]
pub(super) async fn analyse(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    JsonBody(request): JsonBody<AnalysisRequest>,
) -> Result<impl IntoResponse, ApiError> {
    let is_unlimited =
        request.nodes.is_none() && request.depth.is_none() && request.time_ms.is_none();
    let search = Search {
        place: request.place,
        agent: request.agent,
        role: String::new(),
        seed: request.seed,
        nodes: request.nodes,
        depth: request.depth,
        time_ms: request.time_ms.or(is_unlimited.then_some(DEFAULT_TIME_MS)),
        clock: None,
        lines: request.lines,
        heat: None,
        play: false,
        confirmed: false,
    };
    let stop_on_drop = StopOnDrop(StopFlag::default());
    let page = Page::new(shared.scripts.clone(), &headers);
    let stop = stop_on_drop.0.clone();
    let answer = Box::new(search).find(&shared, &page, 0, stop, Script).await?;
    tokio::task::spawn_blocking(move || drop(page)); // ending an external program takes a moment
    Ok(([(CONTENT_TYPE, "application/json")], answer))
}
