//! A search told step by step: a page of its own, which the board's page shows in a frame, or a JSON document.
//!
//! An address says all of it, also a tree that somebody wrote (`text=…`): nothing is kept.

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

use crate::api::HangUp;
use crate::asked::{Asked, Picked};
use crate::place::Place;
use crate::refusal::Refusal;
use crate::server::Shared;
use crate::slots::{Asker, Manner, Slot};
use work::{ExplainAnswer, Told, Wish};

/// A search that is to be read takes no longer.
const TIME: Duration = Duration::from_secs(20);

/// The page's script and style stand in it; it loads nothing, and only our own page may frame it.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      frame-ancestors 'self'; base-uri 'none'; form-action 'none'";

/// What an address asks for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Address {
    game: String,
    text: Option<String>,
    start: Option<String>,
    /// With commas between them.
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

impl From<Address> for Wish {
    fn from(asked: Address) -> Self {
        let moves = asked.moves.split(',').filter(|mv| !mv.is_empty()).map(str::to_owned);
        Self {
            place: Place {
                game: asked.game,
                text: asked.text,
                start: asked.start,
                moves: moves.collect(),
            },
            agent: asked.agent,
            nodes: asked.nodes,
            depth: asked.depth,
            seed: asked.seed,
        }
    }
}

/// The step player.
pub(crate) async fn page(
    State(shared): State<Arc<Shared>>,
    asked: Result<Picked<Address>, Refusal>,
) -> Response {
    let told = match asked {
        Ok(Picked(asked)) => run(&shared, asked.into(), |told| Ok(page::page(&told))).await,
        Err(refusal) => Err(refusal),
    };
    let mut response = match told {
        Ok((page, room)) => answer::send("text/html; charset=utf-8", page, room),
        Err(refusal) => (refusal.status, Html(page::sorry(&refusal.why))).into_response(),
    };
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    response
}

/// A search told step by step
///
/// A tree with wins and visits is worked out if no agent but mcts is named. `GET /explain` is the same as a page with a
/// player; its query has `game`, `text`, `start`, `moves` (with commas), `agent`, `nodes`, `depth` and `seed`. A long search is
/// shortened to its first 20000 steps (`cut_short` is true then), of 100000 nodes at most, of fewer where a position
/// has many moves.
#[utoipa::path(
    post,
    path = "/explain",
    operation_id = "explain",
    request_body(
        content = Wish,
        example = json!({ "place": { "game": "tree:file=lecture-alphabeta" }, "agent": "alphabeta" }),
    ),
    responses((status = 200, description = "The answer.", body = ExplainAnswer<'static>)),
)]
pub(crate) async fn document(
    State(shared): State<Arc<Shared>>,
    Asked(wish): Asked<Wish>,
) -> Result<Response, Refusal> {
    let (written, room) =
        run(&shared, wish, |told| serde_json::to_string(&told.document()).map_err(Refusal::failed))
            .await?;
    Ok(answer::send("application/json", written, room))
}

/// Waits for a turn, searches, and writes down what came of it.
async fn run(
    shared: &Shared,
    wish: Wish,
    write: impl FnOnce(Told) -> Result<String, Refusal> + Send + 'static,
) -> Result<(String, OwnedSemaphorePermit), Refusal> {
    let room = answer::room(&shared.answers)?;
    let stop = StopFlag::default();
    let _hang_up = HangUp(stop.clone());
    let agent = wish.agent.clone().unwrap_or_default();
    let shares = [&shared.scripts];
    let (flag, memory) = (stop.clone(), shared.options.limits.memory);
    let time = Some(TIME.min(shared.options.limits.time));
    let asker = Asker { shares: &shares, agent: &agent, manner: Manner::GoesOn, time, stop: &stop };
    let catalog = shared.options.catalog.clone();
    let work = move |_: &mut Slot| wish.tell(&catalog, memory, &flag).and_then(write);
    let written = shared.slots.run(asker, || (), work).await?;
    Ok((answer::fits(written)?, room))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_ends_with_the_request_that_asked_for_it() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let stop = StopFlag::default();
        let raises = HangUp(stop.clone());
        let request = async move {
            let _raises = raises;
            std::future::pending::<()>().await;
        };
        let hung_up = async {
            let timeout = tokio::time::timeout(Duration::from_millis(1), request);
            timeout.await.is_err()
        };
        assert!(runtime.block_on(hung_up));
        assert!(stop.is_stopped());
    }
}
