//! Explanation of a search step by step, as a page that the board shows in a frame, or as a JSON document.
//!
//! The address contains the whole request, even a tree that the user wrote (`text=…`); the server stores nothing.

pub(crate) mod answer;
mod page;
mod work;

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::CONTENT_SECURITY_POLICY;
use axum::response::{Html, IntoResponse as _, Response};
use serde::Deserialize;
use tokio::sync::OwnedSemaphorePermit;
use tussle_core::StopFlag;

use crate::api::StopOnDrop;
use crate::api_error::ApiError;
use crate::extract::{JsonBody, QueryParams};
use crate::position_ref::PositionRef;
use crate::server::Shared;
use crate::slots::{Preemption, Slot, SlotRequest};
use work::{ExplainAnswer, ExplainRequest, ExplainResult};

/// Time limit of an explained search.
const MAX_SEARCH_TIME: Duration = Duration::from_secs(20);

/// Content security policy of the step player: its script and style are inline, it loads nothing, and only pages of this
/// server may show it in a frame.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      frame-ancestors 'self'; base-uri 'none'; form-action 'none'";

/// Query of the address of the step player.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExplainQuery {
    game: String,
    text: Option<String>,
    start: Option<String>,
    /// Moves, separated by commas.
    #[serde(default)]
    moves: String,
    agent: Option<String>,
    nodes: Option<u64>,
    depth: Option<u32>,
    #[serde(default = "one")]
    seed: u64,
}

fn one() -> u64 {
    1
}

impl From<ExplainQuery> for ExplainRequest {
    fn from(query: ExplainQuery) -> Self {
        let moves = query.moves.split(',').filter(|mv| !mv.is_empty()).map(str::to_owned);
        Self {
            place: PositionRef {
                game: query.game,
                text: query.text,
                start: query.start,
                moves: moves.collect(),
            },
            agent: query.agent,
            nodes: query.nodes,
            depth: query.depth,
            seed: query.seed,
        }
    }
}

/// Returns the step player as a page.
pub(crate) async fn page(
    State(shared): State<Arc<Shared>>,
    query: Result<QueryParams<ExplainQuery>, ApiError>,
) -> Response {
    let page = match query {
        Ok(QueryParams(query)) => {
            run(&shared, query.into(), |result| Ok(page::page(&result))).await
        }
        Err(error) => Err(error),
    };
    let mut response = match page {
        Ok((page, permit)) => answer::send("text/html; charset=utf-8", page, permit),
        Err(error) => (error.status, Html(page::error_page(&error.message))).into_response(),
    };
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    response
}

/// Explain a search step by step
///
/// A tree with wins and visits is solved as an exercise, unless an agent other than mcts is named. `GET /explain` returns
/// the same as a page with a step player; its query has `game`, `text`, `start`, `moves` (separated by commas), `agent`,
/// `nodes`, `depth` and `seed`. The answer contains at most the first 20000 steps (then `cut_short` is true) of a search of
/// at most 100000 nodes, or fewer in positions with many moves.
#[utoipa::path(
    post,
    path = "/explain",
    operation_id = "explain",
    request_body(
        content = ExplainRequest,
        example = json!({ "place": { "game": "tree:file=lecture-alphabeta" }, "agent": "alphabeta" }),
    ),
    responses((status = 200, description = "The answer.", body = ExplainAnswer<'static>)),
)]
pub(crate) async fn document(
    State(shared): State<Arc<Shared>>,
    JsonBody(request): JsonBody<ExplainRequest>,
) -> Result<Response, ApiError> {
    let write = |result: ExplainResult| {
        serde_json::to_string(&result.document()).map_err(ApiError::internal)
    };
    let (document, permit) = run(&shared, request, write).await?;
    Ok(answer::send("application/json", document, permit))
}

/// Waits for a search slot, searches, and returns the written result with its permit.
async fn run(
    shared: &Shared,
    request: ExplainRequest,
    write: impl FnOnce(ExplainResult) -> Result<String, ApiError> + Send + 'static,
) -> Result<(String, OwnedSemaphorePermit), ApiError> {
    let permit = answer::permit(&shared.answers)?;
    let stop = StopFlag::default();
    let _stop_on_drop = StopOnDrop(stop.clone());
    let agent = request.agent.clone().unwrap_or_default();
    let shares = [&shared.scripts];
    let (flag, memory) = (stop.clone(), shared.options.limits.memory);
    let time = Some(MAX_SEARCH_TIME.min(shared.options.limits.time));
    let preemption = Preemption::Yield;
    let slot = SlotRequest { shares: &shares, agent: &agent, preemption, time, stop: &stop };
    let catalog = shared.options.catalog.clone();
    let work = move |_: &mut Slot| request.explain(&catalog, memory, &flag).and_then(write);
    let written = shared.slots.run(slot, || (), work).await?;
    Ok((answer::check_size(written)?, permit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_the_request_stops_its_search() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let stop = StopFlag::default();
        let stop_on_drop = StopOnDrop(stop.clone());
        let request = async move {
            let _stop_on_drop = stop_on_drop;
            std::future::pending::<()>().await;
        };
        let is_timed_out = async {
            let timeout = tokio::time::timeout(Duration::from_millis(1), request);
            timeout.await.is_err()
        };
        assert!(runtime.block_on(is_timed_out));
        assert!(stop.is_stopped());
    }
}
