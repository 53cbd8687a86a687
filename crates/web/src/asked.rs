//! What a request asks; what is wrong with it is said as JSON.

use axum::Json;
use axum::extract::path::ErrorKind;
use axum::extract::rejection::{JsonRejection, PathRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::refusal::Refusal;

/// Its body.
pub(crate) struct Asked<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Asked<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        match Json::from_request(request, state).await {
            Ok(Json(asked)) => Ok(Self(asked)),
            Err(JsonRejection::MissingJsonContentType(_)) => {
                Err(Refusal::wrong("send JSON: `content-type: application/json`"))
            }
            Err(error) => {
                Err(Refusal { status: error.status(), ..Refusal::wrong(error.body_text()) })
            }
        }
    }
}

/// The names in its path.
pub(crate) struct Named<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Named<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let named = Path::from_request_parts(parts, state).await;
        named.map(|Path(named)| Self(named)).map_err(|error| Refusal::missing(unreadable(&error)))
    }
}

/// Says which part of a path cannot be read: nothing has such a name.
fn unreadable(error: &PathRejection) -> String {
    let kind = match error {
        PathRejection::FailedToDeserializePathParams(inner) => Some(inner.kind()),
        _ => None,
    };
    match kind {
        Some(
            ErrorKind::ParseErrorAtIndex { value, .. }
            | ErrorKind::ParseErrorAtKey { value, .. }
            | ErrorKind::ParseError { value, .. },
        ) => format!("`{value}`: expected a whole number, 0 or more"),
        _ => error.body_text(),
    }
}

/// What stands behind the path.
pub(crate) struct Picked<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Picked<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let picked = Query::from_request_parts(parts, state).await;
        picked.map(|Query(picked)| Self(picked)).map_err(|error| Refusal::wrong(error.body_text()))
    }
}
