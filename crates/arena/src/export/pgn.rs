//! Games in the form of PGN (chess): tags in brackets, then numbered moves.

use std::io::{self, Write};

use tussle_catalog::text::visible;
use tussle_catalog::turns;
use tussle_engine::Verdict;

use super::{names, result};
use crate::{Record, TournamentSpec};

/// Maximum length of a line of moves, in characters.
const MAX_LINE_CHARS: usize = 80;

/// Writes one game and an empty line.
pub(super) fn game(
    config: &TournamentSpec,
    record: &Record,
    out: &mut dyn Write,
) -> io::Result<()> {
    let names = names(config, record);
    let agents: Vec<&str> = config.agents.iter().map(|agent| agent.name.as_str()).collect();
    tag("Event", &agents.join(" v "), out)?;
    tag("Round", &format!("{}", record.pair + 1), out)?;
    tag("GameId", &record.id.to_string(), out)?;
    tag("Game", &record.game, out)?;
    for (seat, name) in names.iter().enumerate() {
        tag(&capital(&turns::player(names.len(), seat)), name, out)?;
    }
    let result = result(record);
    tag("Result", &result, out)?;
    tag("Verdict", record.verdict.as_str(), out)?;
    if record.verdict != Verdict::Normal {
        tag("Culprit", record.culprit.map(|seat| names[seat]).unwrap_or_default(), out)?;
    }
    if !record.what.is_empty() {
        tag("Termination", &record.what, out)?;
    }
    if let Some(start) = &record.start {
        tag("Start", start, out)?;
    }
    tag("Opening", &record.opening.to_string(), out)?;
    tag("PlyCount", &record.moves.len().to_string(), out)?;
    writeln!(out)?;

    let mut words = Vec::new();
    for (i, moves) in record.moves.chunks(names.len()).enumerate() {
        words.push(format!("{}.", i + 1));
        words.extend(moves.iter().map(|mv| visible(mv, |_| false)));
    }
    // PGN has no results of more than two players. `*` ends the moves without one.
    words.push(if names.len() == 2 { result } else { "*".to_owned() });
    let mut column = 0;
    for word in words {
        let width = word.chars().count();
        let gap = match column {
            0 => "",
            column if column + 1 + width > MAX_LINE_CHARS => {
                writeln!(out)?;
                ""
            }
            _ => " ",
        };
        column = if gap.is_empty() { width } else { column + 1 + width };
        write!(out, "{gap}{word}")?;
    }
    writeln!(out, "\n")
}

/// Returns a player's name as a tag: `player-3` becomes `Player3`.
fn capital(name: &str) -> String {
    let mut letters = name.chars().filter(|&c| c != '-');
    let first = letters.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

fn tag(name: &str, value: &str, out: &mut dyn Write) -> io::Result<()> {
    // A tag must be on one line.
    let value = visible(value, |c| matches!(c, '\n' | '\r'));
    let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
    writeln!(out, "[{name} \"{value}\"]")
}
