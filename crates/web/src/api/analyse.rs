//! A search with one answer, for scripts.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use serde::Deserialize;
use serde_json::Value;
use tussle_core::StopFlag;

use super::HangUp;
use crate::asked::Asked;
use crate::live::Page;
use crate::live::search::Search;
use crate::place::Place;
use crate::refusal::Refusal;
use crate::server::Shared;

/// How long a search without any limit takes at most: somebody waits for it.
const USUAL_MS: u64 = 2000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wish {
    place: Place,
    #[serde(default = "usual_agent")]
    agent: String,
    #[serde(default = "usual_seed")]
    seed: u64,
    nodes: Option<u64>,
    depth: Option<u32>,
    time_ms: Option<u64>,
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

/// What a search finds, as `tussle analyse --json` says it.
pub(super) async fn analyse(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    Asked(wish): Asked<Wish>,
) -> Result<Json<Value>, Refusal> {
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
        confirmed: false,
    };
    let hang_up = HangUp(StopFlag::default());
    let page = Page::new(shared.scripts.clone(), &headers);
    let stop = hang_up.0.clone();
    let mut found = Box::new(search).find(&shared, &page, 0, stop, || (), |_| ()).await?;
    tokio::task::spawn_blocking(move || drop(page)); // a program takes a moment to end
    Ok(Json(found["report"].take()))
}
