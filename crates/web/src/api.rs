//! Questions with one answer.

mod analyse;
mod listing;
mod position;
mod tournaments;

use std::sync::Arc;

use tussle_core::StopFlag;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::refusal::Refusal;
use crate::server::Shared;

/// Returns everything below `/api` with its description. A handler says in its `utoipa::path` where it is, so the document
/// has every route and no other.
pub(crate) fn routes() -> OpenApiRouter<Arc<Shared>> {
    OpenApiRouter::new()
        .routes(routes!(listing::games))
        .routes(routes!(listing::agents))
        .routes(routes!(listing::trees))
        .routes(routes!(position::position))
        .routes(routes!(position::roll))
        .routes(routes!(position::check))
        .routes(routes!(analyse::analyse))
        .routes(routes!(crate::explain::document))
        .routes(routes!(crate::openapi::openapi))
        .merge(tournaments::routes())
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
