//! JSON that is safe to print in a terminal.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use tussle_catalog::text::is_unprintable;

/// Writes a document on one line. Characters that a terminal would interpret or reorder are escaped; a JSON parser
/// reads the same text.
///
/// # Errors
/// If the document cannot be written.
pub fn write_json(document: &impl Serialize, out: &mut dyn Write) -> serde_json::Result<()> {
    document.serialize(&mut Serializer::with_formatter(out, Printable))
}

/// Compact JSON without unprintable characters.
struct Printable;

impl Formatter for Printable {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, c)) = rest.char_indices().find(|(_, c)| is_unprintable(*c)) {
            out.write_all(&rest.as_bytes()[..at])?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
            rest = &rest[at + c.len_utf8()..];
        }
        out.write_all(rest.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_text_is_read_back_the_same() {
        let text = "a\u{1b}\u{7f}\u{9b}\u{202e}\u{2028}\u{e0041}b\n\"\\é❤\u{fe0f}";
        let mut out = Vec::new();
        write_json(&[text], &mut out).unwrap();
        let written = String::from_utf8(out).unwrap();
        assert_eq!(written, r#"["a\u001b\u007f\u009b\u202e\u2028\udb40\udc41b\n\"\\é❤️"]"#,);
        assert_eq!(serde_json::from_str::<Vec<String>>(&written).unwrap(), [text]);
    }
}
