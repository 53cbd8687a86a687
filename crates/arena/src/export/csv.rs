//! Comma-separated values (RFC 4180).

use std::io::{self, Write};

use tussle_catalog::text::visible;
use tussle_catalog::turns;

use super::{ExportError, names, result};
use crate::{Record, Store, TournamentSpec};

/// Writes a header line and a line for each game.
pub(super) fn write(store: &Store, out: &mut dyn Write) -> Result<(), ExportError> {
    let mut begun = false;
    store.for_each(|record| {
        if !begun {
            header(record.seats.len(), out)?;
            begun = true;
        }
        game(store.spec(), &record, out)
    })?;
    if !begun {
        header(2, out)?;
    }
    Ok(())
}

/// Writes a header line and the line of one game.
pub(super) fn write_game(
    config: &TournamentSpec,
    record: &Record,
    out: &mut dyn Write,
) -> Result<(), ExportError> {
    header(record.seats.len(), out)?;
    game(config, record, out)
}

fn game(config: &TournamentSpec, record: &Record, out: &mut dyn Write) -> Result<(), ExportError> {
    let names = names(config, record);
    let culprit = record.culprit.map(|seat| names[seat]).unwrap_or_default();
    let winner = record.winner().map(|index| config.agents[index].name.as_str());
    let Record { id, pair, opening, overruns, .. } = *record;
    let mut fields = vec![id.to_string(), pair.to_string(), text(&record.game)];
    fields.extend(names.iter().map(|name| text(name)));
    fields.extend([result(record), text(winner.unwrap_or_default())]);
    fields.extend([record.verdict.to_string(), text(culprit), text(&record.what)]);
    fields.push(text(record.start.as_deref().unwrap_or_default()));
    fields.extend([opening, record.moves.len()].map(|n| n.to_string()));
    fields.extend([overruns.to_string(), text(&record.moves.join(" "))]);
    Ok(writeln!(out, "{}", csv_line(&fields))?)
}

fn header(players: usize, out: &mut dyn Write) -> io::Result<()> {
    let mut fields = ["id", "pair", "game"].map(str::to_owned).to_vec();
    fields.extend((0..players).map(|seat| turns::player(players, seat)));
    let rest = ["result", "winner", "verdict", "culprit", "what", "start", "opening", "plies"];
    fields.extend(rest.map(str::to_owned));
    fields.extend(["overruns", "moves"].map(str::to_owned));
    writeln!(out, "{}", csv_line(&fields))
}

/// Returns the fields as one line of comma-separated values (RFC 4180), without a line break.
pub fn csv_line(fields: &[String]) -> String {
    let fields: Vec<_> = fields.iter().map(|field| quoted(field)).collect();
    fields.join(",")
}

/// Makes a text safe for spreadsheets and terminals. A text that a spreadsheet would read as a formula is prefixed with
/// an apostrophe, which marks it as text. Unprintable characters are escaped.
fn text(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠']);
    let mark = if is_formula { "'" } else { "" };
    format!("{mark}{}", visible(text, |_| false))
}

/// Puts a field with a comma, a quotation mark or a line break in quotation marks.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", field.replace('"', "\"\""));
    }
    field.to_owned()
}

#[cfg(test)]
mod tests {
    use super::{quoted, text};

    #[test]
    fn formulas_are_marked_and_unprintable_characters_escaped() {
        for formula in ["=1+1", "+1", "-2+3", "@SUM(1)", "=cmd|' /C calc'!A0", "＝1"] {
            assert_eq!(text(formula), format!("'{formula}"));
        }
        assert_eq!(text("\t=1"), "'\\t=1");
        assert_eq!(text("a\u{1b}]0;t\u{7}\u{202e}\nb"), "a\\u{1b}]0;t\\u{7}\\u{202e}\\nb");
        for plain in ["", "a=1", "mcts:c=1", "1-0", "'=1", " =1"] {
            assert_eq!(text(plain), plain);
        }
    }

    #[test]
    fn fields_with_commas_quotes_or_line_breaks_are_quoted() {
        assert_eq!(quoted("go:size=5"), "go:size=5");
        assert_eq!(quoted("go:size=5,komi=7"), "\"go:size=5,komi=7\"");
        assert_eq!(quoted("he said \"no\""), "\"he said \"\"no\"\"\"");
        assert_eq!(quoted("two\nlines"), "\"two\nlines\"");
        assert_eq!(quoted(""), "");
    }
}
