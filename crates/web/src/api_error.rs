//! Errors of requests, as HTTP status and JSON.

use axum::Json;
use axum::http::header::CONNECTION;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

/// JSON body of an [`ApiError`].
#[derive(Serialize, ToSchema)]
#[schema(as = ApiError)]
pub(crate) struct ErrorBody {
    /// Message for people.
    error: String,
}

/// Error of a rejected request: HTTP status and message.
#[derive(Debug)]
pub(crate) struct ApiError {
    pub(crate) status: StatusCode,
    pub(crate) message: String,
}

/// Maximum length of an error message in characters. Messages quote the request, which may be long.
const MAX_MESSAGE_CHARS: usize = 2000;

#[expect(
    clippy::needless_pass_by_value,
    reason = "takes string literals, strings and errors alike"
)]
impl ApiError {
    fn new(status: StatusCode, mut message: String) -> Self {
        if let Some((at, _)) = message.char_indices().nth(MAX_MESSAGE_CHARS) {
            message.truncate(at);
            message.push('…');
        }
        Self { status, message }
    }

    /// 400: the request is invalid.
    pub(crate) fn bad_request(message: impl ToString) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message.to_string())
    }

    /// 404: the requested object does not exist.
    pub(crate) fn not_found(message: impl ToString) -> Self {
        Self::new(StatusCode::NOT_FOUND, message.to_string())
    }

    /// 403: the operator of the server did not allow it.
    pub(crate) fn forbidden(message: impl ToString) -> Self {
        Self::new(StatusCode::FORBIDDEN, message.to_string())
    }

    /// 428: the user of the page has not confirmed it yet.
    pub(crate) fn unconfirmed(message: impl ToString) -> Self {
        Self::new(StatusCode::PRECONDITION_REQUIRED, message.to_string())
    }

    /// Returns true if the page may repeat the request after its user has confirmed it.
    pub(crate) fn is_unconfirmed(&self) -> bool {
        self.status == StatusCode::PRECONDITION_REQUIRED
    }

    /// 409: the request conflicts with existing state.
    pub(crate) fn conflict(message: impl ToString) -> Self {
        Self::new(StatusCode::CONFLICT, message.to_string())
    }

    /// 503: the server is at capacity.
    pub(crate) fn busy(message: impl ToString) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, message.to_string())
    }

    /// 500: an operation of the server failed.
    pub(crate) fn internal(message: impl ToString) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, message.to_string())
    }
}

impl From<tussle_catalog::Error> for ApiError {
    fn from(error: tussle_catalog::Error) -> Self {
        Self::bad_request(error)
    }
}

impl From<tussle_engine::PlayerError> for ApiError {
    fn from(error: tussle_engine::PlayerError) -> Self {
        Self::bad_request(error)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(ErrorBody { error: self.message })).into_response();
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            // Close the connection, so that a rejected client does not take the place of another.
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }
}
