//! Files of the page, embedded in the binary.

use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

use crate::api_error::ApiError;

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../assets/", $name)))),*]
    };
}

/// All files of the page.
pub(crate) const FILES: &[(&str, &str)] = files![
    "index.html",
    "style.css",
    "analysis.css",
    "analysis.js",
    "app.js",
    "backgammon.js",
    "board.js",
    "charts.js",
    "clicks.js",
    "clock.js",
    "consent.js",
    "dom.js",
    "explain.css",
    "explain.js",
    "explorer.js",
    "graph.js",
    "link.js",
    "match.js",
    "moves.js",
    "net.js",
    "newgame.js",
    "play.css",
    "play.js",
    "preview.js",
    "replay.js",
    "review.js",
    "seats.js",
    "tournament-form.js",
    "tournament-games.js",
    "tournament.js",
    "tournaments.css",
    "tournaments.js",
    "types.js",
    "why.js",
];

/// Returns the page.
pub(crate) async fn index() -> Response {
    answer("index.html")
}

/// Returns a file of the page.
pub(crate) async fn file(Path(name): Path<String>) -> Response {
    answer(&name)
}

fn answer(name: &str) -> Response {
    let Some((_, text)) = FILES.iter().find(|(file, _)| *file == name) else {
        return ApiError::not_found(format!("there is no file {name}")).into_response();
    };
    let kind = match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/json",
    };
    // The files change with the binary, and a local server is fast, so browsers need not cache them.
    ([(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-cache")], *text).into_response()
}
