//! Pages of the book as text for a terminal.

use std::path::Path;

use crate::embedded::{self, Page};
use crate::layout::{self, Table};

/// Widest line of running text, in columns; longer lines are hard to read.
const MAX_WIDTH: usize = 100;

/// Returns the width to wrap pages to: that of the output, within limits.
pub(crate) fn width() -> usize {
    layout::width().min(MAX_WIDTH)
}

/// Returns a page as plain text wrapped to a width, and the topics that it links to.
pub(crate) fn render(page: Page, width: usize) -> String {
    let mut renderer = Renderer { page, width, text: String::new(), topics: Vec::new() };
    renderer.run();
    let mut text = renderer.text.trim_end().to_owned() + "\n";
    if !renderer.topics.is_empty() {
        let topics = format!("See also (tussle docs TOPIC): {}", renderer.topics.join(", "));
        text.push('\n');
        wrap(&mut text, &topics, "", "", width);
    }
    text
}

struct Renderer {
    page: Page,
    width: usize,
    text: String,
    /// Topics of the pages that are linked to, in the order of their first link.
    topics: Vec<&'static str>,
}

impl Renderer {
    fn run(&mut self) {
        let mut lines = self.page.text.lines().peekable();
        while let Some(line) = lines.next() {
            let trimmed = line.trim_start();
            let indent = " ".repeat(line.len() - trimmed.len());
            if let Some(fence) = trimmed.get(..3).filter(|fence| *fence == "```") {
                self.paragraph_ends();
                let is_rust = trimmed[fence.len()..].starts_with("rust");
                let code: Vec<&str> = lines
                    .by_ref()
                    .take_while(|line| !line.trim_start().starts_with(fence))
                    .filter(|line| !(is_rust && line.starts_with("# "))) // hidden by rustdoc, too
                    .collect();
                // A block that fits without an indentation keeps within the width.
                let widths = code.iter().map(|line| columns(line));
                let widest = widths.filter(|&wide| wide <= self.width).max().unwrap_or(0);
                let margin = " ".repeat((self.width - widest).min(4));
                for line in code {
                    self.text += &format!("{margin}{line}");
                    self.line_ends();
                }
                self.text.push('\n');
            } else if trimmed.starts_with('|') {
                let mut rows = vec![cells(trimmed)];
                while let Some(row) = lines.next_if(|line| line.trim_start().starts_with('|')) {
                    rows.push(cells(row.trim_start()));
                }
                self.table(&rows);
            } else if let Some((marks, heading)) = heading(trimmed) {
                self.paragraph_ends();
                let heading = self.inline(heading);
                let underline = match marks {
                    1 => "=".repeat(columns(&heading)) + "\n",
                    2 => "-".repeat(columns(&heading)) + "\n",
                    _ => String::new(),
                };
                self.text += &format!("{heading}\n{underline}\n");
            } else if trimmed.is_empty() {
                self.paragraph_ends();
            } else {
                // A paragraph or a list item goes on until a line that begins something else.
                let marker = marker(trimmed);
                let mut words = trimmed[marker.len()..].to_owned();
                while let Some(more) = lines.next_if(|line| is_continuation(line)) {
                    words.push(' ');
                    words.push_str(more.trim());
                }
                let words = self.inline(&words);
                let hanging = format!("{indent}{}", " ".repeat(marker.len()));
                wrap(&mut self.text, &words, &format!("{indent}{marker}"), &hanging, self.width);
            }
        }
    }

    /// Leaves one blank line after the last text.
    fn paragraph_ends(&mut self) {
        let lines = self.text.trim_end_matches('\n').len();
        self.text.truncate(lines);
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
    }

    fn line_ends(&mut self) {
        let line = self.text.trim_end_matches(' ').len();
        self.text.truncate(line);
        self.text.push('\n');
    }

    fn table(&mut self, rows: &[Vec<String>]) {
        self.paragraph_ends();
        let is_rule =
            |row: &[String]| row.iter().all(|cell| cell.chars().all(|c| "-: ".contains(c)));
        let mut inline =
            |row: &[String]| -> Vec<String> { row.iter().map(|cell| self.inline(cell)).collect() };
        let (heading, body) = rows.split_first().map_or((&[][..], &[][..]), |(h, b)| (&h[..], b));
        let heading = inline(heading);
        let body: Vec<_> = body.iter().filter(|row| !is_rule(row)).map(|row| inline(row)).collect();
        let mut table = Table::new(heading);
        for row in body {
            table.add_row(row);
        }
        let text = table.text_in(self.width);
        self.text += text.trim_start_matches('\n');
        self.text.push('\n');
    }

    /// Returns text without the marks of Markdown, except the backticks of code.
    fn inline(&mut self, text: &str) -> String {
        let mut plain = String::new();
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            if c == '`' {
                let end = rest[1..].find('`').map_or(rest.len(), |end| end + 2);
                plain += &rest[..end];
                rest = &rest[end..];
            } else if let Some((image, label, target, after)) = link(rest) {
                if image {
                    plain += &format!("[Picture: {}]", self.inline(label));
                } else {
                    plain += &self.inline(label);
                    if target.contains("://") && !label.contains("://") {
                        plain += &format!(" <{target}>");
                    }
                    self.add_topic(target);
                }
                rest = after;
            } else if let Some(after) = rest.strip_prefix("**") {
                rest = after;
            } else if c == '*' && is_emphasis(&plain, &rest[1..]) {
                rest = &rest[1..];
            } else if let Some(after) = rest.strip_prefix("\\|") {
                plain.push('|');
                rest = after;
            } else {
                plain.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
        plain
    }

    /// Remembers the topic of a linked page.
    fn add_topic(&mut self, target: &str) {
        let path = target.split('#').next().unwrap_or_default();
        if path.is_empty() || target.contains("://") {
            return;
        }
        let folder = Path::new(self.page.path).parent().unwrap_or(Path::new(""));
        let mut parts: Vec<&str> = folder.iter().filter_map(|part| part.to_str()).collect();
        for part in path.split('/') {
            match part {
                ".." => drop(parts.pop()),
                "." => {}
                part => parts.push(part),
            }
        }
        let path = parts.join("/");
        let linked = embedded::pages().find(|page| page.path == path);
        if let Some(page) = linked.filter(|page| page.path != self.page.path)
            && !self.topics.contains(&page.topic)
        {
            self.topics.push(page.topic);
        }
    }
}

/// Splits `![label](target)after` or `[label](target)after`.
fn link(text: &str) -> Option<(bool, &str, &str, &str)> {
    let (image, rest) = match text.strip_prefix('!') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let rest = rest.strip_prefix('[')?;
    let mut depth = 0;
    let close = rest.char_indices().find_map(|(at, c)| match c {
        '[' => {
            depth += 1;
            None
        }
        ']' if depth == 0 => Some(at),
        ']' => {
            depth -= 1;
            None
        }
        _ => None,
    })?;
    let (label, rest) = rest.split_at(close);
    let (target, after) = rest.strip_prefix("](")?.split_once(')')?;
    Some((image, label, target, after))
}

/// Returns true if an asterisk between these texts begins or ends emphasis, rather than standing for a product.
fn is_emphasis(before: &str, after: &str) -> bool {
    let is_space = |c: Option<char>| c.is_none_or(char::is_whitespace);
    is_space(before.chars().next_back()) != is_space(after.chars().next())
        || before.ends_with(|c: char| c.is_alphabetic())
            && after.starts_with(|c: char| ".,;:)".contains(c))
}

/// Splits a heading into the number of its marks and its text.
fn heading(line: &str) -> Option<(usize, &str)> {
    let text = line.trim_start_matches('#');
    let marks = line.len() - text.len();
    (marks > 0).then(|| text.strip_prefix(' ')).flatten().map(|text| (marks, text))
}

/// Returns the marker of a list item or quotation with its space, or an empty text.
fn marker(line: &str) -> &str {
    if let Some(marker) = line.get(..2).filter(|marker| ["- ", "* ", "> "].contains(marker)) {
        return marker;
    }
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let end = digits + 2;
    if digits > 0 && line.get(digits..end) == Some(". ") { &line[..end] } else { "" }
}

fn is_continuation(line: &str) -> bool {
    let line = line.trim_start();
    !line.is_empty()
        && !line.starts_with("```")
        && !line.starts_with('|')
        && marker(line).is_empty()
        && heading(line).is_none()
}

/// Splits a row of a table into its cells, without the marks between them.
fn cells(row: &str) -> Vec<String> {
    let row = row.trim().trim_start_matches('|');
    let row = row.strip_suffix('|').unwrap_or(row);
    let mut cells = vec![String::new()];
    let mut last = ' ';
    for c in row.chars() {
        match (c, cells.last_mut()) {
            ('|', _) if last != '\\' => cells.push(String::new()),
            (c, Some(cell)) => cell.push(c),
            (_, None) => {}
        }
        last = c;
    }
    cells.iter().map(|cell| cell.trim().to_owned()).collect()
}

/// Appends words wrapped to a width, with one prefix for the first line and one for all others.
fn wrap(text: &mut String, words: &str, first: &str, others: &str, width: usize) {
    let mut line = first.to_owned();
    let mut is_empty = true;
    for word in words.split_whitespace() {
        if !is_empty && columns(&line) + 1 + columns(word) > width {
            *text += &format!("{}\n", line.trim_end());
            others.clone_into(&mut line);
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(word);
        is_empty = false;
    }
    *text += &format!("{}\n", line.trim_end());
}

/// Returns the width of a text on the terminal; the book has no wide characters.
fn columns(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(text: &'static str, width: usize) -> String {
        render(Page { topic: "x", title: "X", path: "how-to/x.md", text }, width)
    }

    #[test]
    fn paragraphs_and_items_are_wrapped_with_hanging_indents() {
        let text = "# Title\n\none two three\nfour **five**\n\n- six seven eight nine\n  ten\n1. *eleven*\n";
        let expected = "Title\n=====\n\none two three\nfour five\n\n- six seven\n  eight nine\n  ten\n1. eleven\n";
        assert_eq!(rendered(text, 14), expected);
    }

    #[test]
    fn code_keeps_its_lines_and_its_marks() {
        let text = "a\n\n```sh\ntussle  match *x* [y](z)\n```\n\nb `**c**`\n";
        assert_eq!(rendered(text, 40), "a\n\n    tussle  match *x* [y](z)\n\nb `**c**`\n");
    }

    #[test]
    fn hidden_lines_of_rust_are_left_out() {
        let text = "```rust\nlet x = f()?;\n# Ok::<(), E>(())\n#[inline]\n```\n";
        assert_eq!(rendered(text, 40), "    let x = f()?;\n    #[inline]\n");
    }

    #[test]
    fn code_is_indented_less_to_fit_the_width() {
        let text = "```text\n12345678\n123456789012345\n```\n";
        assert_eq!(rendered(text, 10), "  12345678\n  123456789012345\n");
    }

    #[test]
    fn links_become_topics_at_the_end() {
        let text =
            "See [the arena](arena.md#verdicts), [Go](../games/go.md) and [x](https://x.org).\n";
        let expected = "See the arena, Go and x <https://x.org>.\n\nSee also (tussle docs TOPIC): arena, games/go\n";
        assert_eq!(rendered(text, 60), expected);
    }

    #[test]
    fn tables_fit_the_width() {
        let text = "| a | b |\n|---|---|\n| one | some words that need more than one line |\n";
        let text = rendered(text, 30);
        assert!(text.lines().count() > 2 && text.lines().all(|line| columns(line) <= 30), "{text}");
        assert!(!text.contains('|') && !text.contains("---"), "{text}");
    }

    #[test]
    fn a_product_keeps_its_asterisk() {
        assert_eq!(rendered("2 * 3\n", 40), "2 * 3\n");
    }

    #[test]
    fn no_line_of_running_text_is_wider_than_the_terminal() {
        for page in embedded::pages() {
            let text = render(page, 80);
            // Lines of code stand in the page as they are printed, but for their margin.
            let is_code = |line: &&str| page.text.lines().any(|code| code.trim() == line.trim());
            for line in text.lines().filter(|line| !line.starts_with("    ") && !is_code(line)) {
                let is_one_word = line.split_whitespace().count() <= 2;
                assert!(columns(line) <= 80 || is_one_word, "{}: {line}", page.path);
            }
        }
    }
}
