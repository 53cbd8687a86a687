//! Conversion between records and rows.

use rusqlite::types::Type;
use rusqlite::{Connection, Row, Statement};
use serde::{Deserialize, Serialize};

use tussle_engine::UnknownVerdict;

use crate::{Ending, MoveNote, Record, Replay};

/// Statement that writes one record.
pub(super) const INSERT: &str = "INSERT INTO games (id, pair, game, seats, start, opening, moves, \
     utilities, verdict, culprit, what, evidence, deterministic, overruns, notes) \
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

/// Query that reads records, with the columns in the order of [`record`].
pub(super) const SELECT: &str = "SELECT id, pair, game, seats, start, opening, moves, utilities, \
     verdict, culprit, what, evidence, deterministic, overruns, notes FROM games";

type BoxedError = Box<dyn std::error::Error + Send + Sync>;

/// Notes of a game as columns, which are shorter than rows: each key occurs once, and columns of default values are left
/// out.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Columns {
    #[serde(rename = "s", skip_serializing_if = "Vec::is_empty")]
    seat: Vec<Option<usize>>,
    #[serde(rename = "us", skip_serializing_if = "Vec::is_empty")]
    used: Vec<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left: Vec<u64>,
    #[serde(rename = "o", skip_serializing_if = "Vec::is_empty")]
    overrun: Vec<bool>,
    #[serde(rename = "v", skip_serializing_if = "Vec::is_empty")]
    value: Vec<Option<f64>>,
    #[serde(rename = "end", skip_serializing_if = "Vec::is_empty")]
    ending: Vec<Option<Ending>>,
    #[serde(rename = "d", skip_serializing_if = "Vec::is_empty")]
    depth: Vec<u32>,
    #[serde(rename = "n", skip_serializing_if = "Vec::is_empty")]
    nodes: Vec<u64>,
    #[serde(rename = "l", skip_serializing_if = "Vec::is_empty")]
    leaves: Vec<u64>,
    #[serde(rename = "e", skip_serializing_if = "Vec::is_empty")]
    evaluations: Vec<u64>,
    #[serde(rename = "p", skip_serializing_if = "Vec::is_empty")]
    pruned: Vec<u64>,
    /// Microseconds used for the late move that ended the game; else 0.
    #[serde(skip_serializing_if = "is_zero")]
    late: u64,
}

/// Returns one column, or an empty one if all its values are default values.
fn column<T: Default + PartialEq>(notes: &[MoveNote], of: impl Fn(&MoveNote) -> T) -> Vec<T> {
    let column: Vec<T> = notes.iter().map(of).collect();
    if column.iter().all(|value| *value == T::default()) { Vec::new() } else { column }
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks so
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Columns {
    pub(crate) fn new(record: &Record) -> Self {
        let notes = &record.notes;
        Self {
            seat: column(notes, |note| note.seat),
            used: column(notes, |note| note.used),
            left: column(notes, |note| note.left),
            overrun: column(notes, |note| note.overrun),
            // JSON has no infinity and no NaN.
            value: column(notes, |note| note.value.filter(|value| value.is_finite())),
            ending: column(notes, |note| note.ending),
            depth: column(notes, |note| note.depth),
            nodes: column(notes, |note| note.nodes),
            leaves: column(notes, |note| note.leaves),
            evaluations: column(notes, |note| note.evaluations),
            pruned: column(notes, |note| note.pruned),
            late: record.late,
        }
    }

    /// Returns one note per move.
    fn notes(&self, moves: usize) -> Vec<MoveNote> {
        fn at<T: Copy + Default>(column: &[T], i: usize) -> T {
            column.get(i).copied().unwrap_or_default()
        }
        let note = |i| MoveNote {
            seat: at(&self.seat, i),
            used: at(&self.used, i),
            left: at(&self.left, i),
            overrun: at(&self.overrun, i),
            value: at(&self.value, i),
            ending: at(&self.ending, i),
            depth: at(&self.depth, i),
            nodes: at(&self.nodes, i),
            leaves: at(&self.leaves, i),
            evaluations: at(&self.evaluations, i),
            pruned: at(&self.pruned, i),
        };
        (0..moves).map(note).collect()
    }
}

/// Converts a number to the signed integer type of `SQLite`.
fn signed<T: TryInto<i64>>(number: T) -> rusqlite::Result<i64>
where
    T::Error: std::error::Error + Send + Sync + 'static,
{
    number.try_into().map_err(|e: T::Error| rusqlite::Error::ToSqlConversionFailure(Box::new(e)))
}

fn json<T: Serialize>(value: &T) -> rusqlite::Result<String> {
    let wrong = |e| rusqlite::Error::ToSqlConversionFailure(Box::new(e));
    serde_json::to_string(value).map_err(wrong)
}

/// Writes a rerun.
pub(super) fn insert_replay(connection: &Connection, replay: &Replay) -> rusqlite::Result<()> {
    let row = (signed(replay.id)?, signed(replay.seat)?, &replay.what);
    connection.execute("INSERT INTO replays (id, seat, what) VALUES (?, ?, ?)", row)?;
    Ok(())
}

/// Writes a record by the statement [`INSERT`]. Returns false if the store has a game with this number.
pub(super) fn insert(statement: &mut Statement<'_>, record: &Record) -> rusqlite::Result<bool> {
    let rows = statement.execute(rusqlite::params![
        signed(record.id)?,
        signed(record.pair)?,
        record.game,
        json(&record.seats)?,
        record.start,
        signed(record.opening)?,
        record.moves.join(" "),
        json(&record.utilities)?,
        record.verdict.as_str(),
        record.culprit.map(signed).transpose()?,
        record.what,
        json(&record.evidence)?,
        record.deterministic,
        signed(record.overruns)?,
        json(&Columns::new(record))?,
    ])?;
    Ok(rows > 0)
}

/// Reads a number that must not be negative.
fn natural<T: TryFrom<i64>>(row: &Row<'_>, index: usize) -> rusqlite::Result<T> {
    let number: i64 = row.get(index)?;
    T::try_from(number).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(index, number))
}

/// Returns the record of a row of [`SELECT`].
pub(super) fn record(row: &Row<'_>) -> rusqlite::Result<Record> {
    let id: u64 = natural(row, 0)?;
    let wrong = |index: usize, why: BoxedError| {
        let why = format!("game {id}: {why}");
        rusqlite::Error::FromSqlConversionFailure(index, Type::Text, why.into())
    };
    let text = |index: usize| row.get_ref(index)?.as_str().map_err(|e| wrong(index, e.into()));
    let seats: Vec<usize> = serde_json::from_str(text(3)?).map_err(|e| wrong(3, e.into()))?;
    let moves: Vec<String> = text(6)?.split_ascii_whitespace().map(str::to_owned).collect();
    let utilities: Vec<f64> = serde_json::from_str(text(7)?).map_err(|e| wrong(7, e.into()))?;
    if seats.len() != utilities.len() {
        return Err(wrong(7, "the numbers of seats and utilities differ".into()));
    }
    let culprit: Option<i64> = row.get(9)?;
    let culprit = culprit.map(|seat| usize::try_from(seat).ok().filter(|&seat| seat < seats.len()));
    let notes: Columns = serde_json::from_str(text(14)?).map_err(|e| wrong(14, e.into()))?;
    Ok(Record {
        id,
        pair: natural(row, 1)?,
        game: row.get(2)?,
        start: row.get(4)?,
        opening: natural(row, 5)?,
        verdict: text(8)?.parse().map_err(|e: UnknownVerdict| wrong(8, e.into()))?,
        culprit: match culprit {
            Some(None) => return Err(wrong(9, "there is no such seat".into())),
            seat => seat.flatten(),
        },
        what: row.get(10)?,
        evidence: serde_json::from_str(text(11)?).map_err(|e| wrong(11, e.into()))?,
        deterministic: row.get(12)?,
        overruns: natural(row, 13)?,
        late: notes.late,
        notes: notes.notes(moves.len()),
        seats,
        moves,
        utilities,
    })
}
