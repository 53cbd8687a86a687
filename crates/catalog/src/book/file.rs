//! Opening books as text: one JSON object per line, the last with a checksum.
//!
//! ```text
//! {"format":"tussle-book","version":1,"recipe":{"game":"tictactoe",…},"complete":true,"entries":627}
//! {"ply":0,"key":"90a1…","position":".../.../... x","move":"a1","value":0.0,"outcome":"draw","distance":9}
//! …
//! {"checksum":"5d3e…"}
//! ```
//! The checksum (64-bit FNV-1a) covers every byte before its line.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use tussle_core::{Bound, Line, Outcome, Payoffs, Value};

use super::{Book, BookDamage, BookEntry, BookError, Recipe};
use crate::Error;
use crate::file::read_text;

/// Version of the format.
pub const VERSION: u64 = 1;

const FORMAT: &str = "tussle-book";

/// Fields of the first line that all versions have.
#[derive(Deserialize)]
struct Mark {
    format: String,
    version: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: String,
    version: u64,
    recipe: Recipe,
    complete: bool,
    entries: usize,
}

/// Entry as its line has it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    ply: u32,
    key: String,
    position: String,
    #[serde(rename = "move")]
    mv: String,
    /// Value; null if the agent gave none.
    value: Option<f64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    values: Vec<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bound: Option<Side>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    outcome: Option<Ending>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    distance: Option<u32>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Side {
    Lower,
    Upper,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Ending {
    Win,
    Draw,
    Loss,
}

/// Returns the value of an entry as a book stores it: number and proof, without the range of the evaluation.
pub(super) fn kept_value(number: f64, outcome: Option<Outcome>, distance: Option<u32>) -> Value {
    match outcome {
        Some(outcome) => Value::result(number, &Payoffs::DUEL).proven(outcome, distance),
        None => Value::from(number),
    }
}

impl From<&BookEntry> for Row {
    fn from(entry: &BookEntry) -> Self {
        let line = &entry.line;
        let finite = line.values.iter().all(|value| value.is_finite());
        Self {
            ply: entry.ply,
            key: hex(entry.key),
            position: entry.position.clone(),
            mv: line.mv.clone(),
            value: line.known_value().filter(|value| value.is_finite()),
            values: if finite { line.values.clone() } else { Vec::new() },
            bound: match line.bound {
                Bound::Exact => None,
                Bound::Lower => Some(Side::Lower),
                Bound::Upper => Some(Side::Upper),
            },
            outcome: line.outcome().map(|outcome| match outcome {
                Outcome::Win => Ending::Win,
                Outcome::Draw => Ending::Draw,
                Outcome::Loss => Ending::Loss,
            }),
            distance: line.distance(),
        }
    }
}

impl Row {
    /// Converts the row in line number `line`.
    fn entry(self, line: usize) -> Result<BookEntry, BookDamage> {
        let Some(key) = unhex(&self.key) else {
            return Err(BookDamage::Key { line, key: self.key });
        };
        let outcome = self.outcome.map(|ending| match ending {
            Ending::Win => Outcome::Win,
            Ending::Draw => Outcome::Draw,
            Ending::Loss => Outcome::Loss,
        });
        let value = kept_value(self.value.unwrap_or(0.0), outcome, self.distance);
        let mut line = Line::new(self.mv, value);
        line.searched = self.value.is_some();
        line.values = self.values;
        line.bound = match self.bound {
            None => Bound::Exact,
            Some(Side::Lower) => Bound::Lower,
            Some(Side::Upper) => Bound::Upper,
        };
        Ok(BookEntry { ply: self.ply, key, position: self.position, line })
    }
}

/// Returns the 64-bit FNV-1a checksum. A single changed byte always changes it.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

pub(super) fn hex(word: u64) -> String {
    format!("{word:016x}")
}

/// Parses the output of [`hex`]; `None` for any other text.
fn unhex(text: &str) -> Option<u64> {
    u64::from_str_radix(text, 16).ok().filter(|&word| hex(word) == text)
}

/// Appends the line with the checksum to the lines of a book, for books that other programs write.
pub fn seal(mut lines: String) -> String {
    let sum = checksum(lines.as_bytes());
    lines.push_str(&seal_line(sum));
    lines
}

fn seal_line(sum: u64) -> String {
    format!("{{\"checksum\":\"{}\"}}\n", hex(sum))
}

/// Splits a text into the part before the last line and the last line, which has the checksum.
fn unseal(text: &str) -> Result<(&str, &str), BookDamage> {
    let lines = text.strip_suffix('\n').map(|text| text.rfind('\n').map_or(0, |at| at + 1));
    lines
        .map(|at| text.split_at(at))
        .filter(|(_, last)| last.starts_with("{\"checksum\":"))
        .ok_or_else(|| BookDamage::Unsealed { lines: text.lines().count() })
}

/// Parses one line of JSON; the error has the line and the column.
fn read<'a, T: Deserialize<'a>>(n: usize, line: &'a str) -> Result<T, BookDamage> {
    serde_json::from_str(line).map_err(|e| {
        let column = e.column();
        let place = format!(" at line {} column {column}", e.line());
        let message = e.to_string().trim_end_matches(&place).to_owned();
        BookDamage::Json { line: n, column, message }
    })
}

impl Book {
    /// Parses a book.
    ///
    /// # Errors
    /// If the text is not a book, has another version, or is damaged.
    pub fn parse(text: &str) -> Result<Self, BookError> {
        let first = text.lines().next().unwrap_or_default();
        match serde_json::from_str::<Mark>(first) {
            Ok(mark) if mark.format != FORMAT => return Err(BookError::NotABook),
            Ok(mark) if mark.version != VERSION => return Err(BookError::Version(mark.version)),
            Ok(_) => {}
            // The text starts like a book: the first line is damaged.
            Err(_) if first.starts_with(&format!("{{\"format\":\"{FORMAT}\"")) => {}
            Err(_) => return Err(BookError::NotABook),
        }
        Ok(Self::parse_lines(text)?)
    }

    fn parse_lines(text: &str) -> Result<Self, BookDamage> {
        let (body, seal) = unseal(text)?;
        let mut lines = (1..).zip(body.lines());
        let header = lines.next().map(|(n, line)| read::<Header>(n, line));
        let header = header.unwrap_or(Err(BookDamage::Empty))?;
        let mut entries: Vec<BookEntry> = Vec::new();
        let mut places = HashMap::new();
        for (n, line) in lines {
            let entry = read::<Row>(n, line)?.entry(n)?;
            if entry.ply >= header.recipe.plies {
                let (ply, plies) = (entry.ply, header.recipe.plies);
                return Err(BookDamage::Ply { line: n, ply, plies });
            }
            let order = |entry: &BookEntry| (entry.ply, entry.key);
            if entries.last().is_some_and(|last| order(last) >= order(&entry)) {
                return Err(BookDamage::Order(n));
            }
            if places.insert(entry.key, entries.len()).is_some() {
                return Err(BookDamage::Repeated(n));
            }
            entries.push(entry);
        }
        // Checked last, because the error of a line says more than a wrong checksum.
        if seal != seal_line(checksum(body.as_bytes())) {
            return Err(BookDamage::Checksum);
        }
        if entries.len() != header.entries {
            let (found, expected) = (entries.len(), header.entries);
            return Err(BookDamage::Count { found, expected });
        }
        Ok(Self { recipe: header.recipe, complete: header.complete, entries, places })
    }

    /// Returns the book as text. Equal books have equal texts.
    pub fn text(&self) -> String {
        let header = Header {
            format: FORMAT.to_owned(),
            version: VERSION,
            recipe: self.recipe.clone(),
            complete: self.complete,
            entries: self.entries.len(),
        };
        let mut text = written(&header);
        for entry in &self.entries {
            text += &written(&Row::from(entry));
        }
        seal(text)
    }

    /// Reads a book from a file.
    ///
    /// # Errors
    /// If the file cannot be read or is not a valid book.
    pub fn load(path: &str) -> Result<Self, Error> {
        let text = read_text(path.as_ref());
        text.map_err(|e| BookError::Unreadable(e.to_string()))
            .and_then(|text| Self::parse(&text))
            .map_err(|reason| Error::Book { path: path.to_owned(), reason })
    }
}

fn written(line: &impl Serialize) -> String {
    let text =
        serde_json::to_string(line).expect("plain structs without maps can always be written");
    text + "\n"
}
