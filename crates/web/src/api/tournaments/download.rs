//! Download of a store in another file format.
//!
//! The file is sent while it is written, because a long tournament does not fit into memory.

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

use super::{App, run_blocking};
use crate::api_error::ApiError;
use crate::extract::PathParams;
use crate::manager::without_extension;
use crate::openapi::FileForm;

/// Size of a chunk in bytes.
const CHUNK_BYTES: usize = 64 << 10;

/// Maximum number of chunks that wait for a slow client.
const MAX_WAITING_CHUNKS: usize = 4;

type Chunk = Result<Bytes, ExportError>;

/// Writer that sends each written buffer as a chunk.
struct ChunkWriter(mpsc::Sender<Chunk>);

impl Write for ChunkWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let sent = self.0.blocking_send(Ok(Bytes::copy_from_slice(bytes)));
        sent.map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Stream of chunks. The first one was received before, to see whether writing works.
struct Chunks {
    first: Option<Bytes>,
    rest: mpsc::Receiver<Chunk>,
}

impl Stream for Chunks {
    type Item = Chunk;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Chunk>> {
        match self.first.take() {
            Some(first) => Poll::Ready(Some(Ok(first))),
            None => self.rest.poll_recv(context),
        }
    }
}

/// Download all games as a file; `json` contains the results too
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
        description = "A file to save.",
        content((String = "application/json"), (String = "text/csv"), (String = "text/plain")),
    )),
)]
pub(super) async fn whole(
    State(shared): App,
    PathParams((name, form)): PathParams<(String, String)>,
) -> Result<Response, ApiError> {
    let format: Option<ExportFormat> = match form.as_str() {
        "json" => None,
        form => Some(form.parse().map_err(ApiError::bad_request)?),
    };
    let file = format!("{}.{form}", without_extension(&name));
    let (sender, mut rest) = mpsc::channel(MAX_WAITING_CHUNKS);
    let Ok(permit) = shared.tournaments.downloads.clone().try_acquire_owned() else {
        return Err(ApiError::busy("too many downloads at the same time; try again later"));
    };
    let writing = tokio::spawn(run_blocking(move || {
        let _permit = permit;
        let store = &shared.tournaments.read(&name)?;
        let mut out = BufWriter::with_capacity(CHUNK_BYTES, ChunkWriter(sender.clone()));
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
    // An error before the first chunk can still be answered with its HTTP status.
    let first = match rest.recv().await {
        Some(Ok(first)) => Some(first),
        Some(Err(error)) => return Err(export_error(error)),
        // The file is empty, or the store cannot be read.
        None => {
            writing.await.map_err(ApiError::internal)??;
            None
        }
    };
    Ok(answer(&file, Body::from_stream(Chunks { first, rest })))
}

/// Returns a response that the browser saves as a file.
pub(super) fn answer(file: &str, body: Body) -> Response {
    // Other characters in a file name would need the encoding of RFC 5987.
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

/// Converts an error of an export.
pub(super) fn export_error(error: ExportError) -> ApiError {
    match error {
        ExportError::Game { .. } => ApiError::bad_request(error),
        ExportError::Store(error) => crate::manager::store_error(&error),
        ExportError::Io(error) => ApiError::internal(error),
    }
}
