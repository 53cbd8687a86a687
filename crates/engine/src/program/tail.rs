//! Last lines of standard error.

use std::collections::VecDeque;

use tussle_catalog::text::visible;

/// Maximum number of lines that are returned.
const MAX_LINES: usize = 20;
/// Maximum number of bytes that are kept.
const MAX_BYTES: usize = 8 * 1024;

/// End of a text of any length.
#[derive(Default)]
pub(super) struct Tail {
    bytes: VecDeque<u8>,
    /// Number of bytes that were written since the request.
    since: usize,
}

/// Maximum length of a returned line, in characters.
pub(super) const MAX_LINE_CHARS: usize = 500;

impl Tail {
    pub(super) fn take(&mut self, chunk: &[u8]) {
        let chunk = &chunk[chunk.len().saturating_sub(MAX_BYTES)..];
        let excess = (self.bytes.len() + chunk.len()).saturating_sub(MAX_BYTES);
        self.bytes.drain(..excess);
        self.bytes.extend(chunk);
        self.since = (self.since + chunk.len()).min(MAX_BYTES);
    }

    /// Begins a request.
    pub(super) fn begin(&mut self) {
        self.since = 0;
    }

    /// Returns the last lines since the request, with unprintable characters escaped.
    pub(super) fn lines(&self) -> Vec<String> {
        self.last(self.since)
    }

    /// Returns the last lines, including those before the request.
    pub(super) fn all_lines(&self) -> Vec<String> {
        self.last(self.bytes.len())
    }

    fn last(&self, length: usize) -> Vec<String> {
        let bytes: Vec<u8> = self.bytes.iter().skip(self.bytes.len() - length).copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let mut last: Vec<String> =
            text.lines().rev().take(MAX_LINES).map(|line| harmless(line, MAX_LINE_CHARS)).collect();
        last.reverse();
        last
    }
}

/// Escapes characters that a terminal would interpret or reorder, and cuts the text after `max_chars` characters.
pub fn harmless(text: &str, max_chars: usize) -> String {
    let visible = |text| visible(text, |c| c == '\t');
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => visible(&text[..end]) + "…",
        None => visible(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_lines_are_kept() {
        let mut tail = Tail::default();
        for n in 0..10_000 {
            tail.take(format!("line {n}\n").as_bytes());
        }
        tail.take("and \x1b[31mred\t\u{9b}m\u{202e}der\u{2028}\u{200b}".as_bytes());
        let lines = tail.lines();
        assert_eq!(lines.len(), MAX_LINES);
        assert_eq!(lines[MAX_LINES - 2], "line 9999");
        assert_eq!(
            lines[MAX_LINES - 1],
            "and \\u{1b}[31mred\t\\u{9b}m\\u{202e}der\\u{2028}\\u{200b}"
        );
        tail.take(&vec![b'x'; 100_000]);
        assert_eq!(tail.bytes.len(), MAX_BYTES);
        assert_eq!(tail.lines()[0].chars().count(), 501);
    }

    #[test]
    fn lines_before_the_request_are_separate() {
        let mut tail = Tail::default();
        tail.take(b"warning at the start\n");
        assert_eq!(tail.lines(), ["warning at the start"]);
        tail.begin();
        assert_eq!(tail.lines(), [""; 0]);
        tail.take(b"trouble\n");
        assert_eq!(tail.lines(), ["trouble"]);
        assert_eq!(tail.all_lines(), ["warning at the start", "trouble"]);
        tail.take(&vec![b'x'; 2 * MAX_BYTES]);
        assert_eq!(tail.lines(), tail.all_lines());
    }
}
