//! Go games as an SGF collection, which Go programs read.

use std::io::Write;

use tussle_catalog::text::visible;
use tussle_catalog::{Catalog, sgf};
use tussle_engine::Verdict;

use super::{ExportError, names};
use crate::{Record, TournamentSpec};

/// Writes one game.
pub(super) fn game(
    config: &TournamentSpec,
    record: &Record,
    out: &mut dyn Write,
) -> Result<(), ExportError> {
    let wrong = |reason| ExportError::Game { id: record.id, reason };
    let position = record.position(&Catalog::standard(), record.moves.len()).map_err(wrong)?;
    let names = names(config, record);
    let both = [names.first(), names.get(1)];
    let both = both.map(|name| visible(name.copied().unwrap_or_default(), |_| false));
    let both = [both[0].as_str(), both[1].as_str()];
    // A game that ended by the rules has its result computed from the board.
    let decided = match record.verdict {
        Verdict::Normal if position.utilities().is_some() => None,
        verdict => Some(decided(record, verdict)),
    };
    let text = sgf::write_decided(position.as_ref(), both, decided.as_deref()).map_err(wrong)?;
    out.write_all(text.as_bytes())?;
    Ok(())
}

/// Returns the SGF result of a game that was not decided on the board.
fn decided(record: &Record, verdict: Verdict) -> String {
    let winner = match record.utilities[..] {
        [black, white] if black > white => 'B',
        [black, white] if white > black => 'W',
        _ => return "Void".to_owned(),
    };
    let how = match verdict {
        Verdict::Normal => "Resign",
        Verdict::Time | Verdict::Hang => "Time",
        _ => "Forfeit",
    };
    format!("{winner}+{how}")
}
