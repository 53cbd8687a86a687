//! HTTP requests below `/api`, which have one answer each.

mod analyse;
mod listing;
mod position;
mod tournaments;

use std::sync::Arc;

use tussle_core::StopFlag;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api_error::ApiError;
use crate::server::Shared;

/// Returns all routes below `/api` with their descriptions.
///
/// Each handler declares its path in `utoipa::path`, so that the OpenAPI document has exactly these routes.
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

/// Raises the stop flag of a search when dropped, that is, when the client closes its connection.
pub(crate) struct StopOnDrop(pub(crate) StopFlag);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Runs work that may take long in the pool of blocking threads, so that other requests need not wait.
pub(crate) async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(ApiError::internal("internal error: the request panicked")))
}
