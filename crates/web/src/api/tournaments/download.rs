//! A store as a file of another kind, sent while it is written: a long tournament does not fit into memory.

use std::io::{self, BufWriter, Write};
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use futures_core::Stream;
use tokio::sync::mpsc;
use tussle_arena::Tally;
use tussle_arena::export::{self, ExportError, ExportFormat};

use super::{App, apart};
use crate::asked::Named;
use crate::hall::bare;
use crate::openapi::FileForm;
use crate::refusal::Refusal;

/// Bytes that are sent at once.
const PIECE: usize = 64 << 10;

/// Pieces that wait for a slow reader.
const WAITING: usize = 4;

type Piece = Result<Bytes, ExportError>;

/// Sends what is written to it.
struct Sender(mpsc::Sender<Piece>);

impl Write for Sender {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let sent = self.0.blocking_send(Ok(Bytes::copy_from_slice(bytes)));
        sent.map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What is sent, the first piece looked at before.
struct Pieces {
    first: Option<Bytes>,
    rest: mpsc::Receiver<Piece>,
}

impl Stream for Pieces {
    type Item = Piece;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Piece>> {
        match self.first.take() {
            Some(first) => Poll::Ready(Some(Ok(first))),
            None => self.rest.poll_recv(context),
        }
    }
}

/// All games as a file; as `json` with all else that is known
#[utoipa::path(
    get,
    path = "/tournaments/{name}/export/{form}",
    operation_id = "export_tournament",
    params(
        ("name" = String, Path, description = "Name of the tournament.", example = "cup"),
        ("form" = FileForm, Path, description = "`sgf` for Go only, `json` for whole tournaments only.", example = "pgn"),
    ),
    responses((
        status = 200,
        description = "A file to be saved.",
        content((String = "application/json"), (String = "text/csv"), (String = "text/plain")),
    )),
)]
pub(super) async fn whole(
    State(shared): App,
    Named((name, form)): Named<(String, String)>,
) -> Result<Response, Refusal> {
    let format: Option<ExportFormat> = match form.as_str() {
        "json" => None,
        form => Some(form.parse().map_err(Refusal::wrong)?),
    };
    let file = format!("{}.{form}", bare(&name));
    let (sender, mut rest) = mpsc::channel(WAITING);
    let Ok(permit) = shared.hall.downloads.clone().try_acquire_owned() else {
        return Err(Refusal::busy("too many downloads at once; try again when others are done"));
    };
    let writing = tokio::spawn(apart(move || {
        let _permit = permit;
        let store = &shared.hall.read(&name)?;
        let mut out = BufWriter::with_capacity(PIECE, Sender(sender.clone()));
        let written = match format {
            Some(format) => export::write(store, format, &mut out),
            None => export::write_document(store, Tally::new(store.spec()), &mut out),
        };
        let written = written.and_then(|()| Ok(out.flush()?));
        if let Err(error) = written {
            let _ = sender.blocking_send(Err(error));
        }
        Ok(())
    }));
    // What cannot be written at all is said before anything is sent.
    let first = match rest.recv().await {
        Some(Ok(first)) => Some(first),
        Some(Err(error)) => return Err(refused(error)),
        // Nothing to write, or no store to read.
        None => {
            writing.await.map_err(Refusal::failed)??;
            None
        }
    };
    Ok(answer(&file, Body::from_stream(Pieces { first, rest })))
}

/// A file to be saved.
pub(super) fn answer(file: &str, body: Body) -> Response {
    // Other letters would need words of their own.
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let file: String = file.chars().map(|c| if plain(c) { c } else { '_' }).collect();
    let kind = match file.rsplit('.').next() {
        Some("csv") => "text/csv; charset=utf-8",
        Some("json" | "jsonl") => "application/json",
        _ => "text/plain; charset=utf-8",
    };
    let mut response = ([(CONTENT_TYPE, kind)], body).into_response();
    if let Ok(value) = HeaderValue::try_from(format!("attachment; filename=\"{file}\"")) {
        response.headers_mut().insert(CONTENT_DISPOSITION, value);
    }
    response
}

/// Why it cannot be written.
pub(super) fn refused(error: ExportError) -> Refusal {
    match error {
        ExportError::Game { .. } => Refusal::wrong(error),
        ExportError::Store(error) => crate::hall::refusal(&error),
        ExportError::Io(error) => Refusal::failed(error),
    }
}
