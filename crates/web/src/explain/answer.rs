//! What was told, on its way. It is large, so there is room for a few at a time, each until it is taken.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use futures_core::Stream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::refusal::Refusal;

/// Bytes of what is told: beyond that no browser is glad about it.
const LARGEST: usize = 16 << 20;

/// Bytes that are sent at once.
const PIECE: usize = 64 << 10;

/// Answers that are made or on their way.
pub(crate) const MOST: usize = 32;

/// Room for one.
pub(super) fn room(answers: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, Refusal> {
    let room = answers.clone().try_acquire_owned();
    room.map_err(|_| Refusal::busy("too many explanations at once; try again in a moment"))
}

/// An answer, if it is not too large.
pub(super) fn fits(answer: String) -> Result<String, Refusal> {
    if answer.len() > LARGEST {
        return Err(Refusal::wrong("this search is too large to tell: ask for fewer nodes"));
    }
    Ok(answer)
}

/// Sends an answer, which keeps its room.
pub(super) fn send(kind: &'static str, answer: String, room: OwnedSemaphorePermit) -> Response {
    let length = answer.len().to_string();
    let body = Body::from_stream(Pieces { rest: answer.into(), _room: room });
    ([(CONTENT_TYPE, kind), (CONTENT_LENGTH, length.as_str())], body).into_response()
}

struct Pieces {
    rest: Bytes,
    _room: OwnedSemaphorePermit,
}

impl Stream for Pieces {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let length = self.rest.len().min(PIECE);
        Poll::Ready((length > 0).then(|| Ok(self.rest.split_to(length))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_has_its_room_until_it_is_taken() {
        let answers = Arc::new(Semaphore::new(1));
        let response = send("text/plain", "told".to_owned(), room(&answers).unwrap());
        assert!(room(&answers).is_err());
        drop(response);
        assert!(room(&answers).is_ok());
        assert!(fits("x".repeat(LARGEST)).is_ok() && fits("x".repeat(LARGEST + 1)).is_err());
    }
}
