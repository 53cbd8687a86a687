//! Input of lines of limited length.

use std::io::{self, BufRead, Read as _};

/// Maximum length of a line of any protocol, in bytes.
pub const MAX_LINE_BYTES: u64 = 1 << 20;

/// Reads a line. Returns `Some(false)` if the line was too long and was skipped, and `None` at the end of the input.
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
    // Skip the rest without keeping it in memory.
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
