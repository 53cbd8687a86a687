//! Writing what was found. Nothing here panics when the reader has gone away.

use std::io::{self, Write as _};
use std::path::Path;

use serde::Serialize;
use tussle_core::Scene;

use crate::failure::Failure;

/// Prints text as it is.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Prints one line.
pub(crate) fn line(text: &str) -> Result<(), Failure> {
    print(&format!("{text}\n"))
}

/// Prints one JSON document on one line.
pub(crate) fn json(document: &impl Serialize) -> Result<(), Failure> {
    line(&json_text(document)?)
}

/// Writes one JSON document to a file.
pub(crate) fn json_file(path: &Path, document: &impl Serialize) -> Result<(), Failure> {
    let text = json_text(document)? + "\n";
    std::fs::write(path, text).map_err(|e| Failure::cannot_write(path, &e))
}

fn json_text(document: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(document).map_err(|e| Failure::Failed(format!("cannot write JSON: {e}")))
}

/// A scene as text, with colours if standard output shows them.
pub(crate) fn drawing(scene: &Scene) -> String {
    let choice = anstream::AutoStream::choice(&io::stdout());
    tussle_view::text(scene, choice != anstream::ColorChoice::Never)
}
