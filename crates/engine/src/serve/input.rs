//! Reading lines that may be anything.

use std::io::{self, BufRead, Read as _};

/// No line of any protocol needs more.
pub const MAX_LINE_BYTES: u64 = 1 << 20;

/// Reads a line; `Some(false)` if it was too long to keep, `None` at the end.
///
/// # Errors
/// If the input cannot be read.
pub fn next_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<bool>> {
    line.clear();
    let read = input.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', line)?;
    if read == 0 {
        return Ok(None);
    }
    if line.ends_with(b"\n") || (read as u64) < MAX_LINE_BYTES {
        return Ok(Some(true));
    }
    // Skip the rest without holding it.
    loop {
        let buffer = input.fill_buf()?;
        let (skip, found) = match buffer.iter().position(|&b| b == b'\n') {
            Some(at) => (at + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        input.consume(skip);
        if found {
            return Ok(Some(false));
        }
    }
}
