//! Buffer for a program's output, which holds at most one line and one chunk.

/// Maximum length of a line, in bytes.
const MAX_LINE_BYTES: usize = 64 * 1024;
/// Maximum output in one move, in bytes.
const MAX_MOVE_BYTES: usize = 1024 * 1024;
/// Length of the sample of excessive output that is shown, in bytes.
const SAMPLE_BYTES: usize = 80;

/// Unread output of a program.
#[derive(Default)]
pub(super) struct Output {
    bytes: Vec<u8>,
    /// Index of the first unread byte.
    from: usize,
    /// Index up to which there is no end of a line.
    looked: usize,
    /// Number of bytes since the move began.
    taken: usize,
}

/// Excessive output, with a sample of it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Excess {
    Line(String),
    Move(String),
}

impl Output {
    pub(super) fn begin_move(&mut self) {
        self.taken = 0;
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        (self.from, self.looked) = (0, 0);
    }

    /// Adds a chunk.
    pub(super) fn take(&mut self, chunk: &[u8]) -> Result<(), Excess> {
        self.bytes.drain(..self.from);
        self.looked -= self.from;
        self.from = 0;
        self.bytes.extend_from_slice(chunk);
        self.taken += chunk.len();
        let sample = || {
            let start = &self.bytes[..self.bytes.len().min(SAMPLE_BYTES)];
            super::harmless(&String::from_utf8_lossy(start), super::tail::MAX_LINE_CHARS)
        };
        if self.taken > MAX_MOVE_BYTES {
            return Err(Excess::Move(sample()));
        }
        let unfinished = self.bytes.iter().rev().take_while(|&&byte| byte != b'\n').count();
        if unfinished > MAX_LINE_BYTES {
            return Err(Excess::Line(sample()));
        }
        Ok(())
    }

    /// Returns the next complete line, without its line break.
    pub(super) fn line(&mut self) -> Option<String> {
        let Some(length) = self.bytes[self.looked..].iter().position(|&byte| byte == b'\n') else {
            self.looked = self.bytes.len();
            return None;
        };
        let end = self.looked + length;
        let line = &self.bytes[self.from..end];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let line = String::from_utf8_lossy(line).into_owned();
        (self.from, self.looked) = (end + 1, end + 1);
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_do_not_depend_on_the_size_of_chunks() {
        let text = b"one\r\n\ntwo three\nrest";
        for size in 1..text.len() {
            let mut output = Output::default();
            let mut lines = Vec::new();
            for chunk in text.chunks(size) {
                output.take(chunk).unwrap();
                lines.extend(std::iter::from_fn(|| output.line()));
            }
            assert_eq!(lines, ["one", "", "two three"], "{size}");
        }
    }

    #[test]
    fn the_output_of_a_line_and_of_a_move_is_limited() {
        let mut output = Output::default();
        let chunk = [b'x'; 16 * 1024];
        for _ in 0..4 {
            assert_eq!(output.take(&chunk), Ok(()));
        }
        assert_eq!(output.take(b"x"), Err(Excess::Line("x".repeat(SAMPLE_BYTES))));

        let mut output = Output::default();
        for _ in 0..1024 * 1024 / 8 {
            output.take(b"chatter\n").unwrap();
            assert_eq!(output.line().as_deref(), Some("chatter"));
        }
        assert!(matches!(output.take(b"\n"), Err(Excess::Move(_))));
        output.begin_move();
        assert_eq!(output.take(b"\n"), Ok(()));
        assert!(output.bytes.len() < 100, "bytes that were read are dropped");
    }
}
