//! Writes results for people and programs. A closed pipe is an error here, never a panic.

use std::io::{self, Write as _};
use std::path::Path;

use serde::Serialize;
use tussle_arena::export;
use tussle_catalog::file;
use tussle_catalog::text::visible;
use tussle_core::Scene;

use crate::failure::{self, Failure};
use crate::layout;

/// Prints text with its own lines and colours. Escapes characters that hide or reorder text, such as a
/// bidirectional control in the name of a tree's node.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(visible(text, char::is_control).as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Prints text for people, with lines wrapped to the width of standard output.
pub(crate) fn report(text: &str) -> Result<(), Failure> {
    print(&layout::fit(text))
}

/// Prints one line.
pub(crate) fn line(text: &str) -> Result<(), Failure> {
    print(&format!("{text}\n"))
}

/// Writes one line to standard error; errors are ignored.
pub(crate) fn tell(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", failure::visible(text));
}

/// Prints one JSON document on one line.
pub(crate) fn json(document: &impl Serialize) -> Result<(), Failure> {
    line(&json_text(document)?)
}

/// Writes one JSON document to a file.
pub(crate) fn json_file(path: &Path, document: &impl Serialize) -> Result<(), Failure> {
    write(path, json_text(document)? + "\n")
}

/// Writes a file completely or not at all.
pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Failure> {
    file::write(path, content).map_err(|e| Failure::cannot_write(path, &e))
}

/// Rejects a file that cannot be written, before the work whose result it is for.
pub(crate) fn check_writable(path: &Path) -> Result<(), Failure> {
    file::check_writable(path).map_err(|e| Failure::cannot_write(path, &e))
}

fn json_text(document: &impl Serialize) -> Result<String, Failure> {
    let wrong = |e: &dyn std::fmt::Display| Failure::Failed(format!("cannot write JSON: {e}"));
    let mut text = Vec::new();
    export::write_json(document, &mut text).map_err(|e| wrong(&e))?;
    String::from_utf8(text).map_err(|e| wrong(&e))
}

/// Returns a scene as text, with colours if standard output shows them.
pub(crate) fn drawing(scene: &Scene) -> String {
    let choice = anstream::AutoStream::choice(&io::stdout());
    tussle_view::text(scene, choice != anstream::ColorChoice::Never)
}
