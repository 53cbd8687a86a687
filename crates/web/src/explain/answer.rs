//! Answers with explanations. They are large, so each holds one of a few permits until it is sent.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use futures_core::Stream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::api_error::ApiError;

/// Maximum size of an answer in bytes. Larger pages are slow in browsers.
const MAX_ANSWER_BYTES: usize = 16 << 20;

/// Size of a chunk in bytes.
const CHUNK_BYTES: usize = 64 << 10;

/// Maximum number of answers that are being computed or sent.
pub(crate) const MAX_ANSWERS: usize = 32;

/// Takes a permit for an answer.
pub(super) fn permit(answers: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, ApiError> {
    let permit = answers.clone().try_acquire_owned();
    permit.map_err(|_| {
        ApiError::busy("too many explanations at the same time; try again in a moment")
    })
}

/// Returns the answer, or an error if it is too large.
pub(super) fn check_size(answer: String) -> Result<String, ApiError> {
    if answer.len() > MAX_ANSWER_BYTES {
        return Err(ApiError::bad_request(
            "the explanation of this search is larger than 16 MB; use fewer nodes",
        ));
    }
    Ok(answer)
}

/// Returns a response that holds the permit until it is sent.
pub(super) fn send(kind: &'static str, answer: String, permit: OwnedSemaphorePermit) -> Response {
    let length = answer.len().to_string();
    let body = Body::from_stream(Chunks { rest: answer.into(), _permit: permit });
    ([(CONTENT_TYPE, kind), (CONTENT_LENGTH, length.as_str())], body).into_response()
}

struct Chunks {
    rest: Bytes,
    _permit: OwnedSemaphorePermit,
}

impl Stream for Chunks {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let length = self.rest.len().min(CHUNK_BYTES);
        Poll::Ready((length > 0).then(|| Ok(self.rest.split_to(length))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_holds_its_permit_until_it_is_sent() {
        let answers = Arc::new(Semaphore::new(1));
        let response = send("text/plain", "text".to_owned(), permit(&answers).unwrap());
        assert!(permit(&answers).is_err());
        drop(response);
        assert!(permit(&answers).is_ok());
        assert!(check_size("x".repeat(MAX_ANSWER_BYTES)).is_ok());
        assert!(check_size("x".repeat(MAX_ANSWER_BYTES + 1)).is_err());
    }
}
