//! The body of a request, as JSON; what is wrong with it is said as JSON too.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, Request};
use serde::de::DeserializeOwned;

use crate::refusal::Refusal;

/// What a request asks.
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
