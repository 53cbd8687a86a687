//! What a program has written and nobody has read yet: never more than a line and a chunk.

/// The longest line.
const LINE: usize = 64 * 1024;
/// The most in one move.
const MOVE: usize = 1024 * 1024;
/// How much of what is too much is shown.
const SAMPLE: usize = 80;

/// Lines as they come in.
#[derive(Default)]
pub(super) struct Output {
    bytes: Vec<u8>,
    /// Where the first unread byte is.
    from: usize,
    /// Up to here there is no end of a line.
    looked: usize,
    /// Bytes since the move began.
    taken: usize,
}

/// Too much output, with how it begins.
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

    /// Takes in a chunk.
    pub(super) fn take(&mut self, chunk: &[u8]) -> Result<(), Excess> {
        self.bytes.drain(..self.from);
        self.looked -= self.from;
        self.from = 0;
        self.bytes.extend_from_slice(chunk);
        self.taken += chunk.len();
        let sample = || {
            let start = &self.bytes[..self.bytes.len().min(SAMPLE)];
            super::harmless(&String::from_utf8_lossy(start), super::tail::LONGEST)
        };
        if self.taken > MOVE {
            return Err(Excess::Move(sample()));
        }
        let unfinished = self.bytes.iter().rev().take_while(|&&byte| byte != b'\n').count();
        if unfinished > LINE {
            return Err(Excess::Line(sample()));
        }
        Ok(())
    }

    /// The next whole line, without its end.
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
    fn lines_are_the_same_however_they_are_cut() {
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
    fn neither_a_line_nor_a_move_is_endless() {
        let mut output = Output::default();
        let chunk = [b'x'; 16 * 1024];
        for _ in 0..4 {
            assert_eq!(output.take(&chunk), Ok(()));
        }
        assert_eq!(output.take(b"x"), Err(Excess::Line("x".repeat(SAMPLE))));

        let mut output = Output::default();
        for _ in 0..1024 * 1024 / 8 {
            output.take(b"chatter\n").unwrap();
            assert_eq!(output.line().as_deref(), Some("chatter"));
        }
        assert!(matches!(output.take(b"\n"), Err(Excess::Move(_))));
        output.begin_move();
        assert_eq!(output.take(b"\n"), Ok(()));
        assert!(output.bytes.len() < 100, "what was read is forgotten");
    }
}
