//! Layout of text for people: the width of the output, wrapped lines, tables and lists.
//!
//! On a terminal the width is the terminal's. Elsewhere it is the environment variable `COLUMNS`,
//! or 80 without it.

use std::io;

use tussle_catalog::{Param, ParamRow};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Width of output that does not go to a terminal, unless `COLUMNS` is set.
const DEFAULT_WIDTH: usize = 80;
/// Narrowest layout; on narrower terminals the terminal breaks the lines.
const MIN_WIDTH: usize = 40;
/// Blanks between two columns of a table.
const GAP: usize = 2;
/// A word longer than this may be broken to make a table fit.
const MAX_UNBROKEN_WORD: usize = 20;
/// Additional indentation of the second and further lines of a wrapped line. Lines of a search are indented
/// by 2 per ply, so that 4 cannot be taken for a child.
const HANG: usize = 4;

/// Returns the width of standard output in columns.
pub(crate) fn width() -> usize {
    width_or_columns(terminal_size::terminal_size_of(io::stdout()))
}

/// Returns the width of standard error in columns.
pub(crate) fn stderr_width() -> usize {
    width_or_columns(terminal_size::terminal_size_of(io::stderr()))
}

fn width_or_columns(terminal: Option<(terminal_size::Width, terminal_size::Height)>) -> usize {
    let columns = || std::env::var("COLUMNS").ok()?.trim().parse().ok().filter(|&n| n > 0);
    let width = terminal.map(|(width, _)| usize::from(width.0)).or_else(columns);
    width.unwrap_or(DEFAULT_WIDTH).max(MIN_WIDTH)
}

/// Wraps the lines that are wider than standard output.
pub(crate) fn fit(text: &str) -> String {
    fit_in(text, width())
}

/// Wraps the lines that are wider than this.
pub(crate) fn fit_in(text: &str, width: usize) -> String {
    let mut fitted = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if line.trim_end().width() <= width {
            fitted += line;
            continue;
        }
        let hang = indentation(line) + HANG;
        fitted += &wrapped(line.trim_end(), width, hang, 0).join("\n");
        if line.ends_with('\n') {
            fitted.push('\n');
        }
    }
    fitted
}

/// Returns a line that begins with a label; where it is wrapped, the text stays right of the label.
pub(crate) fn labelled(label: &str, text: &str) -> String {
    wrapped(&format!("{label}{text}"), width(), label.width(), label.width()).join("\n") + "\n"
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// Breaks one line at blanks, and long words after separators. All lines but the first are indented by
/// `hang`; the first is not broken within `label` columns.
fn wrapped(line: &str, width: usize, hang: usize, mut label: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest = line;
    let mut prefix = String::new();
    loop {
        let room = width.saturating_sub(prefix.width()).max(1);
        if rest.width() <= room {
            lines.push(prefix + rest);
            return lines;
        }
        let (head, tail) = rest.split_at(break_point(rest, room, label));
        label = 0;
        lines.push(prefix + head.trim_end());
        rest = tail.trim_start();
        prefix = " ".repeat(hang.min(width / 2));
    }
}

/// Returns the byte index at which a text that is too wide is broken, beyond the first `label` columns.
///
/// The best place is a blank in the second half of the line. The next best are a separator, a sign within
/// a word, and the last character that fits.
fn break_point(text: &str, room: usize, label: usize) -> usize {
    let start = indentation(text);
    let (mut blank, mut separator, mut sign, mut last) = (None, None, None, None);
    let mut used = 0;
    for (index, c) in text.char_indices() {
        if c == ' ' && index > start && used > label && used <= room {
            blank = Some((index, used));
        }
        used += c.width().unwrap_or(0);
        if used > room {
            break;
        }
        let next = index + c.len_utf8();
        match c {
            _ if index < start || used <= label => {}
            ',' | ';' | '|' | '/' => separator = Some(next),
            ':' | '=' | '-' | '_' | '.' => sign = Some(next),
            _ => {}
        }
        last = Some(next);
    }
    let first = text.chars().next().map_or(0, char::len_utf8);
    match (blank, separator) {
        (Some((index, used)), Some(separator)) if 2 * used < room => index.max(separator),
        (Some((index, _)), _) => index,
        (None, separator) => separator.or(sign).or(last).unwrap_or(first),
    }
}

/// Table with column headings. Text columns are wrapped to make it fit the width of standard output;
/// where that is not enough, the columns are printed in several blocks, one below the other.
pub(crate) struct Table {
    headings: Vec<String>,
    is_number: Vec<bool>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Creates a table with these column headings.
    pub(crate) fn new<I>(headings: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<String>,
    {
        let headings: Vec<String> = headings.into_iter().map(Into::into).collect();
        Self { is_number: vec![false; headings.len()], headings, rows: Vec::new() }
    }

    /// Aligns these columns to the right. Their cells are never wrapped.
    pub(crate) fn numbers(&mut self, columns: impl IntoIterator<Item = usize>) {
        for column in columns {
            if let Some(is_number) = self.is_number.get_mut(column) {
                *is_number = true;
            }
        }
    }

    /// Adds a row. Missing cells at its end are empty.
    pub(crate) fn add_row<I>(&mut self, cells: I)
    where
        I: IntoIterator,
        I::Item: Into<String>,
    {
        let mut row: Vec<String> = cells.into_iter().map(Into::into).collect();
        row.resize(self.headings.len(), String::new());
        self.rows.push(row);
    }

    /// Returns the table as lines without trailing blanks.
    pub(crate) fn text(&self) -> String {
        self.text_in(width())
    }

    /// Returns the table as lines for this width.
    pub(crate) fn text_in(&self, width: usize) -> String {
        let all: Vec<usize> = (0..self.headings.len()).collect();
        if let Some(widths) = self.widths(&all, width) {
            return self.block(&all, &widths);
        }
        // Every block repeats the columns that name the row: those up to the first text.
        let keys = self.is_number.iter().position(|is_number| !is_number).unwrap_or(0) + 1;
        let mut blocks = Vec::new();
        let mut from = keys;
        while from < all.len() {
            let columns = |to: usize| (0..keys).chain(from..to).collect::<Vec<_>>();
            let mut to = from + 1;
            while to < all.len() && self.widths(&columns(to + 1), width).is_some() {
                to += 1;
            }
            let columns = columns(to);
            let widths = self.widths(&columns, width).unwrap_or_else(|| self.floors(&columns));
            blocks.push(self.block(&columns, &widths));
            from = to;
        }
        blocks.join("\n")
    }

    /// Returns the widths with which these columns fit, or `None` if they cannot.
    fn widths(&self, columns: &[usize], width: usize) -> Option<Vec<usize>> {
        let room = width.saturating_sub(GAP * columns.len().saturating_sub(1));
        let natural: Vec<usize> = columns.iter().map(|&column| self.natural(column)).collect();
        if natural.iter().sum::<usize>() <= room {
            return Some(natural);
        }
        let mut widths = self.floors(columns);
        // Headings of numbers are wrapped only if wrapping the text is not enough.
        let with_headings: Vec<usize> = (0..columns.len())
            .map(|i| if self.is_number[columns[i]] { natural[i] } else { widths[i] })
            .collect();
        if with_headings.iter().sum::<usize>() <= room {
            widths = with_headings;
        }
        let mut left = room.checked_sub(widths.iter().sum())?;
        while left > 0 {
            let narrow = |&i: &usize| !self.is_number[columns[i]] && widths[i] < natural[i];
            let narrowest = (0..widths.len()).filter(narrow).min_by_key(|&i| widths[i]);
            let Some(narrowest) = narrowest else { break };
            widths[narrowest] += 1;
            left -= 1;
        }
        Some(widths)
    }

    /// Returns the cells of a column, its heading first.
    fn cells(&self, column: usize) -> impl Iterator<Item = &str> {
        let cells = self.rows.iter().map(move |row| row[column].as_str());
        std::iter::once(self.headings[column].as_str()).chain(cells)
    }

    /// Returns the width of a column without wrapping.
    fn natural(&self, column: usize) -> usize {
        self.cells(column).flat_map(str::lines).map(str::width).max().unwrap_or(0)
    }

    /// Returns the least widths of these columns: the longest word; for numbers also the longest cell.
    fn floors(&self, columns: &[usize]) -> Vec<usize> {
        let longest_word = |cell: &str| cell.split_whitespace().map(str::width).max().unwrap_or(0);
        let floor = |&column: &usize| {
            if self.is_number[column] {
                let cells = self.cells(column).skip(1).map(str::width).max().unwrap_or(0);
                return cells.max(longest_word(&self.headings[column]));
            }
            let longest = self.cells(column).map(longest_word).max().unwrap_or(0);
            longest.min(MAX_UNBROKEN_WORD)
        };
        columns.iter().map(floor).collect()
    }

    /// Returns the lines of these columns.
    fn block(&self, columns: &[usize], widths: &[usize]) -> String {
        let mut text = String::new();
        self.add_lines(&mut text, columns, widths, &self.headings, true);
        for row in &self.rows {
            self.add_lines(&mut text, columns, widths, row, false);
        }
        text
    }

    fn add_lines(
        &self,
        text: &mut String,
        columns: &[usize],
        widths: &[usize],
        row: &[String],
        is_bottom_aligned: bool,
    ) {
        let mut cells: Vec<Vec<String>> = columns
            .iter()
            .zip(widths)
            .map(|(&column, &width)| {
                let lines = row[column].lines();
                lines.flat_map(|line| wrapped(line, width, indentation(line), 0)).collect()
            })
            .collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0).max(1);
        for cell in &mut cells {
            if is_bottom_aligned {
                cell.splice(0..0, vec![String::new(); height - cell.len()]);
            }
            cell.resize(height, String::new());
        }
        for n in 0..height {
            let mut line = String::new();
            let columns = columns.iter().zip(widths).zip(&cells);
            for (i, ((&column, &width), lines)) in columns.enumerate() {
                if i > 0 {
                    line += &" ".repeat(GAP);
                }
                let cell = &lines[n];
                let blanks = " ".repeat(width.saturating_sub(cell.width()));
                let [before, after] = if self.is_number[column] {
                    [blanks.as_str(), ""]
                } else {
                    ["", blanks.as_str()]
                };
                line += before;
                line += cell;
                line += after;
            }
            *text += line.trim_end();
            text.push('\n');
        }
    }
}

/// Formats a number with this many digits after the point, and `-` for an unknown one.
pub(crate) fn number(number: Option<f64>, digits: usize) -> String {
    number.map_or_else(|| "-".to_owned(), |number| format!("{number:.digits$}"))
}

/// List of terms with a description beside each.
#[derive(Default)]
pub(crate) struct Definitions {
    rows: Vec<[String; 2]>,
}

impl Definitions {
    /// Adds a term and its description.
    pub(crate) fn add(&mut self, term: impl Into<String>, description: impl Into<String>) {
        self.rows.push([term.into(), description.into()]);
    }

    /// Adds parameters, indented by this many blanks.
    pub(crate) fn add_params(&mut self, params: &[Param], indent: usize) {
        for param in params {
            let ParamRow { key, values, default, help } = param.into();
            // No upper limit that means anything to a reader.
            let values = values.replace(&format!("..{}", i64::MAX), "..");
            let default = match default {
                "" => String::new(),
                default => format!(" ({default})"),
            };
            self.add(format!("{:indent$}{key}={values}{default}", ""), help);
        }
    }

    /// Returns the list as lines. A term that is too long for its column has a line of its own.
    pub(crate) fn text(&self) -> String {
        self.text_in(width())
    }

    fn text_in(&self, width: usize) -> String {
        let limit = width / 3 + GAP;
        let terms = self.rows.iter().map(|[term, _]| term.width());
        let column = terms.filter(|&term| term <= limit).max().unwrap_or(0) + GAP;
        let mut text = String::new();
        for [term, description] in &self.rows {
            let fits = term.width() + GAP <= column;
            let line = match (fits, description.is_empty()) {
                (_, true) => fit_in(term, width),
                (true, false) => {
                    let line = format!("{term:pad$}{description}", pad = padded(term, column));
                    wrapped(&line, width, column, column).join("\n")
                }
                (false, false) => {
                    let description = format!("{:column$}{description}", "");
                    let description = wrapped(&description, width, column, 0).join("\n");
                    format!("{}\n{description}", fit_in(term, width))
                }
            };
            text += &line;
            text.push('\n');
        }
        text
    }
}

/// Returns the `width` argument of `format!`, which counts characters, that pads a text to this many columns.
fn padded(text: &str, columns: usize) -> usize {
    (columns + text.chars().count()).saturating_sub(text.width())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_wrapped_at_blanks_and_indented() {
        assert_eq!(
            fit_in("one two three\n  four five six\n", 12),
            "one two\n    three\n  four five\n      six\n"
        );
        assert_eq!(fit_in("one two", 7), "one two");
        assert_eq!(fit_in("", 7), "");
    }

    #[test]
    fn words_longer_than_a_line_are_broken_after_separators() {
        let spec = "alphabeta:order=none,tt=off";
        assert_eq!(wrapped(spec, 16, 2, 0), ["alphabeta:order=", "  none,tt=off"]);
        assert_eq!(wrapped("a:order=none,tt=off", 17, 2, 0), ["a:order=none,", "  tt=off"]);
        let match_ = "to a:order=none,tt=off,c=2";
        assert_eq!(wrapped(match_, 19, 2, 0), ["to a:order=none,", "  tt=off,c=2"]);
        assert_eq!(wrapped("xxxxxxxxxx", 4, 0, 0), ["xxxx", "xxxx", "xx"]);
        assert_eq!(wrapped("名前名前", 5, 0, 0), ["名前", "名前"]);
    }

    #[test]
    fn text_stays_right_of_its_label() {
        let line = "  label  {\"a\":1,\"b\":2}";
        assert_eq!(wrapped(line, 18, 9, 9), ["  label  {\"a\":1,", "         \"b\":2}"]);
    }

    #[test]
    fn text_columns_are_wrapped_to_fit_and_numbers_are_not() {
        let mut table = Table::new(["name", "question", "n"]);
        table.numbers([2]);
        table.add_row(["one", "how many words are there", "1234"]);
        table.add_row(["two", "why", "5"]);
        let wide = "name  question                     n\n\
                    one   how many words are there  1234\n\
                    two   why                          5\n";
        assert_eq!(table.text_in(80), wide);
        let narrow = "name  question       n\n\
                      one   how many    1234\n\
                      \u{20}     words are\n\
                      \u{20}     there\n\
                      two   why            5\n";
        assert_eq!(table.text_in(22), narrow);
    }

    #[test]
    fn headings_of_numbers_are_wrapped_before_a_table_is_split() {
        let mut table = Table::new(["who", "mean loss", "mean gain"]);
        table.numbers(1..3);
        table.add_row(["me", "0.5", "1.5"]);
        assert_eq!(table.text_in(16), "     mean  mean\nwho  loss  gain\nme    0.5   1.5\n");
        assert_eq!(
            table.text_in(12),
            "     mean\nwho  loss\nme    0.5\n\n     mean\nwho  gain\nme    1.5\n"
        );
    }

    #[test]
    fn long_terms_have_a_line_of_their_own() {
        let mut list = Definitions::default();
        list.add("a", "short");
        list.add("ab=on|off", "a longer text that is wrapped");
        list.add("  = a:b", "");
        assert_eq!(
            list.text_in(20),
            "a        short\nab=on|off\n         a longer\n         text that\n         is wrapped\n  = a:b\n"
        );
    }
}
