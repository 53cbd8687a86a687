//! Output that an engine shares with its search.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Output that several threads share. Each text is written as a whole.
pub(crate) struct Output<W>(Arc<Mutex<W>>);

impl<W> Clone for Output<W> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<W: Write> Output<W> {
    pub(crate) fn new(output: W) -> Self {
        Self(Arc::new(Mutex::new(output)))
    }

    /// Writes and flushes a text.
    pub(crate) fn text(&self, text: &str) -> io::Result<()> {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        output.write_all(text.as_bytes())?;
        output.flush()
    }

    /// Writes one line.
    pub(crate) fn line(&self, text: &str) -> io::Result<()> {
        self.text(&format!("{text}\n"))
    }
}
