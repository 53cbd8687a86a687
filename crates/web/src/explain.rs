//! A search told step by step: a page of its own, which the board's page shows in a frame, or a JSON document.
//!
//! An address says all of it, also a tree that somebody wrote (`text=…`): nothing is kept.

mod page;
mod work;

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::CONTENT_SECURITY_POLICY;
use axum::response::{Html, IntoResponse as _, Response};
use serde::Deserialize;
use serde_json::Value;
use tussle_core::StopFlag;

use crate::api::{HangUp, apart};
use crate::asked::{Asked, Picked};
use crate::place::Place;
use crate::refusal::Refusal;
use crate::server::Shared;
use work::{Told, Wish};

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
        Ok(page) => Html(page).into_response(),
        Err(refusal) => (refusal.status, Html(page::sorry(&refusal.why))).into_response(),
    };
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    response
}

/// The same as a document, as `tussle explain --json` writes it.
pub(crate) async fn document(
    State(shared): State<Arc<Shared>>,
    Asked(wish): Asked<Wish>,
) -> Result<Json<Value>, Refusal> {
    run(&shared, wish, |told| told.document().map(Json)).await
}

/// Waits for a turn, searches, and makes something of it.
async fn run<T: Send + 'static>(
    shared: &Shared,
    wish: Wish,
    make: impl FnOnce(Told) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let stop = StopFlag::default();
    let _hang_up = HangUp(stop.clone());
    let slot = shared.slots.take(&shared.scripts, 1, &stop, || ()).await?;
    let (flag, memory) = (stop.clone(), shared.options.limits.memory);
    let work = apart(move || {
        let _slot = slot; // also a panic gives it back
        wish.tell(memory, flag).and_then(make)
    });
    in_time(TIME.min(shared.options.limits.time), &stop, work).await
}

/// Raises the flag when the time is over, and waits for what was found until then.
pub(crate) async fn in_time<T>(
    time: Duration,
    stop: &StopFlag,
    work: impl Future<Output = T>,
) -> T {
    let mut work = std::pin::pin!(work);
    tokio::select! {
        done = &mut work => done,
        () = tokio::time::sleep(time) => {
            stop.stop();
            work.await
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_too_long_is_stopped_and_still_answers() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let stop = StopFlag::default();
        let work = async {
            while !stop.is_stopped() {
                tokio::task::yield_now().await;
            }
            7
        };
        assert_eq!(runtime.block_on(in_time(Duration::from_millis(1), &stop, work)), 7);
    }

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
