//! Extractors for the parts of a request, whose errors are answered as JSON.

use axum::Json;
use axum::extract::path::ErrorKind;
use axum::extract::rejection::{JsonRejection, PathRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::api_error::ApiError;

/// JSON body of a request.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        match Json::from_request(request, state).await {
            Ok(Json(body)) => Ok(Self(body)),
            Err(JsonRejection::MissingJsonContentType(_)) => Err(ApiError::bad_request(
                "expected JSON; send the header `content-type: application/json`",
            )),
            Err(error) => {
                Err(ApiError { status: error.status(), ..ApiError::bad_request(error.body_text()) })
            }
        }
    }
}

/// Parameters in the path of a request.
pub(crate) struct PathParams<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for PathParams<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let params = Path::from_request_parts(parts, state).await;
        params
            .map(|Path(params)| Self(params))
            .map_err(|error| ApiError::not_found(describe(&error)))
    }
}

/// Returns a message that names the part of the path that cannot be parsed.
fn describe(error: &PathRejection) -> String {
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

/// Query of a request: the parameters after `?`.
pub(crate) struct QueryParams<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for QueryParams<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let params = Query::from_request_parts(parts, state).await;
        params
            .map(|Query(params)| Self(params))
            .map_err(|error| ApiError::bad_request(error.body_text()))
    }
}
