//! Export of the games of a store to JSON lines, CSV, PGN and SGF.

mod csv;
mod json;
mod pgn;
mod sgf;

use std::io::{self, Write};
use std::str::FromStr;

use serde::Serialize;
use tussle_catalog::turns;

use crate::store::Columns;
use crate::{Record, Store, StoreError, Tally, TournamentSpec};

pub use csv::csv_line;
pub use json::write_json;

/// File format of exported games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// One JSON object per line, with time and statistics of each move.
    JsonLines,
    /// One line per game, for spreadsheets.
    Csv,
    /// Tags and numbered moves, as in chess.
    Pgn,
    /// A collection of Go games.
    Sgf,
}

/// Error of an export.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The output cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A game cannot be written in this format.
    #[error("game {id}: {reason}")]
    Game {
        /// Number of the game.
        id: u64,
        /// Error of the format.
        reason: tussle_catalog::Error,
    },
}

impl From<serde_json::Error> for ExportError {
    fn from(error: serde_json::Error) -> Self {
        Self::Io(error.into())
    }
}

/// JSON document of a game, with names of agents instead of indices and without the times of its moves.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = FinishedGame))]
pub struct GameDocument<'a> {
    id: u64,
    pair: u64,
    game: &'a str,
    #[serde(flatten)]
    seats: Seats<'a>,
    /// Utility of each seat.
    result: &'a [f64],
    /// Agent with the highest utility; null if several share it.
    winner: Option<&'a str>,
    verdict: &'static str,
    culprit: Option<&'a str>,
    what: &'a str,
    evidence: &'a [String],
    start: Option<&'a str>,
    /// Number of moves of the opening, which no player chose.
    opening: usize,
    moves: &'a [String],
    overruns: u64,
    deterministic: bool,
    /// True for a game that finished after the SPRT accepted a hypothesis. It does not count.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    surplus: bool,
}

#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SeatNames))]
#[serde(untagged)]
enum Seats<'a> {
    Two { first: &'a str, second: &'a str },
    Many { seats: Vec<&'a str> },
}

impl<'a> GameDocument<'a> {
    /// Creates the document of a game between the agents of this tournament.
    pub fn new(config: &'a TournamentSpec, record: &'a Record) -> Self {
        let names = names(config, record);
        Self {
            id: record.id,
            pair: record.pair,
            game: &record.game,
            result: &record.utilities,
            winner: record.winner().map(|index| config.agents[index].name.as_str()),
            verdict: record.verdict.as_str(),
            culprit: record.culprit.map(|seat| names[seat]),
            what: &record.what,
            evidence: &record.evidence,
            start: record.start.as_deref(),
            opening: record.opening,
            moves: &record.moves,
            overruns: record.overruns,
            deterministic: record.deterministic,
            surplus: false,
            seats: match names[..] {
                [first, second] => Seats::Two { first, second },
                _ => Seats::Many { seats: names },
            },
        }
    }

    /// Marks the game as surplus: finished after the SPRT accepted a hypothesis.
    #[must_use]
    pub fn surplus(self, surplus: bool) -> Self {
        Self { surplus, ..self }
    }
}

/// Returns the names of the agents by seat.
pub fn names<'a>(config: &'a TournamentSpec, record: &Record) -> Vec<&'a str> {
    record.seats.iter().map(|&index| config.agents[index].name.as_str()).collect()
}

/// Returns the result of a game as in chess (`1-0`), the utilities if there are more than two players, and `*` for a
/// void game.
pub fn result(record: &Record) -> String {
    if record.is_void() {
        return "*".to_owned();
    }
    match (record.utilities.len(), turns::winner(&record.utilities)) {
        (2, Some(0)) => "1-0".to_owned(),
        (2, Some(_)) => "0-1".to_owned(),
        (2, None) => "1/2-1/2".to_owned(),
        _ => record.utilities.iter().map(f64::to_string).collect::<Vec<_>>().join(" "),
    }
}

/// Writes all games of a store.
///
/// # Errors
/// If the store cannot be read, the output cannot be written, or a game cannot be written in this format.
pub fn write(store: &Store, format: ExportFormat, out: &mut dyn Write) -> Result<(), ExportError> {
    match format {
        ExportFormat::JsonLines => {
            let mut tally = Tally::new(store.spec());
            store.for_each(|record| {
                let surplus = tally.is_surplus(&record);
                tally.add(&record);
                json_line(GameDocument::new(store.spec(), &record).surplus(surplus), &record, out)
            })
        }
        ExportFormat::Csv => csv::write(store, out),
        ExportFormat::Pgn => store.for_each(|record| Ok(pgn::game(store.spec(), &record, out)?)),
        ExportFormat::Sgf => store.for_each(|record| sgf::game(store.spec(), &record, out)),
    }
}

/// Writes one game.
///
/// # Errors
/// If the output cannot be written, or the game cannot be written in this format.
pub fn write_game(
    config: &TournamentSpec,
    record: &Record,
    format: ExportFormat,
    out: &mut dyn Write,
) -> Result<(), ExportError> {
    match format {
        ExportFormat::JsonLines => json_line(GameDocument::new(config, record), record, out),
        ExportFormat::Csv => csv::write_game(config, record, out),
        ExportFormat::Pgn => Ok(pgn::game(config, record, out)?),
        ExportFormat::Sgf => sgf::game(config, record, out),
    }
}

/// Writes one JSON document about a store: its specification, its games and their summary. `tally` must be without
/// games; it may have anchors.
///
/// The games are written one by one, because a long tournament does not fit into memory.
///
/// # Errors
/// If the store cannot be read or the output cannot be written.
pub fn write_document(
    store: &Store,
    mut tally: Tally,
    out: &mut dyn Write,
) -> Result<(), ExportError> {
    let mut before = "";
    out.write_all(b"{\"config\":")?;
    write_json(store.spec(), out)?;
    out.write_all(b",\"games\":[")?;
    store.for_each(|record| {
        let surplus = tally.is_surplus(&record);
        tally.add(&record);
        out.write_all(before.as_bytes())?;
        before = ",";
        write_json(&GameDocument::new(store.spec(), &record).surplus(surplus), out)?;
        Ok::<_, ExportError>(())
    })?;
    let mut rest = Vec::new();
    write_json(&tally.finish(store.replays()?), &mut rest)?;
    // The fields of the summary belong to the same object: leave out its opening brace.
    out.write_all(b"],")?;
    out.write_all(&rest[1..])?;
    out.write_all(b"\n")?;
    Ok(())
}

/// Writes one game as a line. The times and statistics of its moves come last, by column as in the store.
fn json_line(
    game: GameDocument<'_>,
    record: &Record,
    out: &mut dyn Write,
) -> Result<(), ExportError> {
    #[derive(Serialize)]
    struct Line<'a> {
        #[serde(flatten)]
        game: GameDocument<'a>,
        timing: Columns,
    }
    let line = Line { game, timing: Columns::new(record) };
    write_json(&line, out)?;
    out.write_all(b"\n")?;
    Ok(())
}

/// Error of a text that does not name a file format of exported games.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected the export format jsonl, csv, pgn or sgf, found `{0}`")]
pub struct UnknownExportFormat(pub String);

impl ExportFormat {
    /// All formats.
    pub const ALL: &[Self] = &[Self::JsonLines, Self::Csv, Self::Pgn, Self::Sgf];

    /// Returns the name, which is also the file extension.
    pub fn name(self) -> &'static str {
        match self {
            Self::JsonLines => "jsonl",
            Self::Csv => "csv",
            Self::Pgn => "pgn",
            Self::Sgf => "sgf",
        }
    }

    /// Returns the line of the help text.
    pub fn summary(self) -> &'static str {
        match self {
            Self::JsonLines => "One JSON object per line",
            Self::Csv => "Comma-separated values, one line per game",
            Self::Pgn => "Text with tags and numbered moves",
            Self::Sgf => "Game records of Go",
        }
    }
}

impl FromStr for ExportFormat {
    type Err = UnknownExportFormat;

    fn from_str(name: &str) -> Result<Self, UnknownExportFormat> {
        let known = Self::ALL.iter().find(|format| format.name() == name);
        known.copied().ok_or_else(|| UnknownExportFormat(name.to_owned()))
    }
}

#[cfg(test)]
mod tests;
