//! What is said when a request is refused.

use axum::Json;
use axum::http::header::CONNECTION;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

/// Body of a refusal.
#[derive(Serialize, ToSchema)]
#[schema(as = Refusal)]
pub(crate) struct RefusalBody {
    /// The reason, for people.
    error: String,
}

/// Why a request is refused, with the status that tells programs whose fault it is.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) why: String,
}

/// Refusals quote what was sent, and a quoted novel is of no use.
const LONGEST: usize = 2000;

#[expect(clippy::needless_pass_by_value, reason = "texts, errors, whatever can be said")]
impl Refusal {
    fn new(status: StatusCode, mut why: String) -> Self {
        if let Some((at, _)) = why.char_indices().nth(LONGEST) {
            why.truncate(at);
            why.push('…');
        }
        Self { status, why }
    }

    /// The request itself is wrong.
    pub(crate) fn wrong(why: impl ToString) -> Self {
        Self::new(StatusCode::BAD_REQUEST, why.to_string())
    }

    /// There is no such thing.
    pub(crate) fn missing(why: impl ToString) -> Self {
        Self::new(StatusCode::NOT_FOUND, why.to_string())
    }

    /// Whoever started the server did not allow it.
    pub(crate) fn forbidden(why: impl ToString) -> Self {
        Self::new(StatusCode::FORBIDDEN, why.to_string())
    }

    /// 428: the person at the page has not confirmed it yet.
    pub(crate) fn unconfirmed(why: impl ToString) -> Self {
        Self::new(StatusCode::PRECONDITION_REQUIRED, why.to_string())
    }

    /// Returns true if a page may ask again after its person has confirmed.
    pub(crate) fn is_unconfirmed(&self) -> bool {
        self.status == StatusCode::PRECONDITION_REQUIRED
    }

    /// It does not go together with what is there.
    pub(crate) fn conflict(why: impl ToString) -> Self {
        Self::new(StatusCode::CONFLICT, why.to_string())
    }

    /// Too many want too much.
    pub(crate) fn busy(why: impl ToString) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, why.to_string())
    }

    /// Something of ours does not work.
    pub(crate) fn failed(why: impl ToString) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, why.to_string())
    }
}

impl From<tussle_catalog::Error> for Refusal {
    fn from(error: tussle_catalog::Error) -> Self {
        Self::wrong(error)
    }
}

impl From<tussle_engine::PlayerError> for Refusal {
    fn from(error: tussle_engine::PlayerError) -> Self {
        Self::wrong(error)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(RefusalBody { error: self.why })).into_response();
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            // Whoever asks again knocks again: what was refused keeps no connection from others.
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }
}
