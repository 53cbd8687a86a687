//! A search with one answer, for scripts.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use serde::Deserialize;
use tussle_core::StopFlag;
use tussle_explain::AnalysisDocument;
use utoipa::ToSchema;

use super::HangUp;
use crate::asked::Asked;
use crate::live::Page;
use crate::live::search::{Listener, Search, SearchNews};
use crate::place::Place;
use crate::refusal::Refusal;
use crate::server::Shared;

/// How long a search without any limit takes at most: somebody waits for it.
const USUAL_MS: u64 = 2000;

/// Search of a position. Without any limit it takes two seconds at most.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Wish {
    place: Place,
    /// Spec of the agent: `mcts:nodes=1000` [default: alphabeta]. With --allow-programs also `ugi:COMMAND`, `gtp:COMMAND`,
    /// `json:COMMAND`; not from pages, which search over the socket.
    #[serde(default = "usual_agent")]
    agent: String,
    /// Seed of everything random [default: 1].
    #[serde(default = "usual_seed")]
    seed: u64,
    /// Nodes or simulations.
    nodes: Option<u64>,
    /// Plies.
    depth: Option<u32>,
    /// Milliseconds. The server has a limit of its own.
    time_ms: Option<u64>,
    /// Number of moves that get an exact value [default: 1].
    #[serde(default = "usual_lines")]
    lines: usize,
}

// As `tussle analyse` has them.
fn usual_agent() -> String {
    "alphabeta".to_owned()
}

fn usual_seed() -> u64 {
    1
}

fn usual_lines() -> usize {
    1
}

/// Listener of a script, which hears nothing before the answer.
#[derive(Clone)]
struct Script;

impl Listener for Script {
    fn queued(&self) {}

    fn report(&self, _: &SearchNews<'_>) {}

    fn answer(&self, told: &SearchNews<'_>) -> Result<String, Refusal> {
        serde_json::to_string(&told.report).map_err(Refusal::failed)
    }
}

/// Search a position
///
/// Waits for its turn if the server is busy, and ends when the client hangs up. Without any limit it takes two seconds at
/// most.
#[utoipa::path(
    post,
    path = "/analyse",
    request_body(
        content = Wish,
        example = json!({ "place": { "game": "connect4", "moves": ["4", "4"] }, "agent": "mcts", "nodes": 500 }),
    ),
    responses((status = 200, description = "The answer.", body = AnalysisDocument<'static>)),
)]
pub(super) async fn analyse(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    Asked(wish): Asked<Wish>,
) -> Result<impl IntoResponse, Refusal> {
    let is_unlimited = wish.nodes.is_none() && wish.depth.is_none() && wish.time_ms.is_none();
    let search = Search {
        place: wish.place,
        agent: wish.agent,
        role: String::new(),
        seed: wish.seed,
        nodes: wish.nodes,
        depth: wish.depth,
        time_ms: wish.time_ms.or(is_unlimited.then_some(USUAL_MS)),
        clock: None,
        lines: wish.lines,
        heat: None,
        play: false,
        confirmed: false,
    };
    let hang_up = HangUp(StopFlag::default());
    let page = Page::new(shared.scripts.clone(), &headers);
    let stop = hang_up.0.clone();
    let answer = Box::new(search).find(&shared, &page, 0, stop, Script).await?;
    tokio::task::spawn_blocking(move || drop(page)); // a program takes a moment to end
    Ok(([(CONTENT_TYPE, "application/json")], answer))
}
