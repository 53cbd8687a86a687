//! Grammar of UGI: options, positions, limits, search information and results.

mod go;
mod info;

use tussle_catalog::turns;

pub(super) use go::{UgiLimits, go_with_clocks, go_with_move_time};
pub(super) use info::{info_line, read_info};

/// Options `game` and `seed`, if a program has them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Options {
    pub(super) game: bool,
    pub(super) seed: bool,
}

impl Options {
    /// Reads an option from a line `option name …`. Other options are skipped.
    pub(super) fn read(&mut self, line: &str) {
        let mut words = line.split_ascii_whitespace();
        match (words.next(), words.next(), words.next()) {
            (Some("option"), Some("name"), Some("game")) => self.game = true,
            (Some("option"), Some("name"), Some("seed")) => self.seed = true,
            _ => {}
        }
    }

    /// Returns the commands that set the options that the program has.
    pub(super) fn commands(self, game: &str, seed: u64) -> impl Iterator<Item = String> {
        let game = self.game.then(|| format!("setoption name game value {game}"));
        let seed = self.seed.then(|| format!("setoption name seed value {seed}"));
        game.into_iter().chain(seed)
    }
}

/// Returns the command `position`, from the usual start if no position is given.
pub(super) fn position_line(start: Option<&str>, moves: &[String]) -> String {
    let mut line = "position ".to_owned();
    match start {
        None => line.push_str("startpos"),
        Some(position) => {
            line.push_str("fen ");
            line.push_str(position);
        }
    }
    if !moves.is_empty() {
        line.push_str(" moves");
        for mv in moves {
            line.push(' ');
            line.push_str(mv);
        }
    }
    line
}

/// Parses the words after `position`. Returns the position, which is `None` for the usual start, and the moves; `None` if the
/// form is invalid. Positions may contain spaces, moves may not.
pub(super) fn parse_position(text: &str) -> Option<(Option<&str>, impl Iterator<Item = &str>)> {
    let is_moves = |&(at, word): &(usize, &str)| word == "moves" && is_word(text, at, word);
    let (from, moves) = match text.rmatch_indices("moves").find(is_moves) {
        Some((at, word)) => (text[..at].trim(), &text[at + word.len()..]),
        None => (text, ""),
    };
    let start = match from.split_once(char::is_whitespace) {
        None if from == "startpos" => None,
        Some(("fen", position)) => Some(position.trim()),
        _ => return None,
    };
    Some((start, moves.split_whitespace()))
}

/// Returns true if a part of a text is a whole word.
fn is_word(text: &str, at: usize, word: &str) -> bool {
    let is_space = |c: Option<char>| c.is_none_or(char::is_whitespace);
    is_space(text[..at].chars().next_back()) && is_space(text[at + word.len()..].chars().next())
}

/// Returns the answer to `query result`.
pub(super) fn result_word(utilities: Option<&[f64]>) -> String {
    match utilities {
        None => "none".to_owned(),
        Some(utilities) => match turns::winner(utilities) {
            Some(winner) => format!("p{}win", winner + 1),
            None => "draw".to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parsing_a_written_position_gives_the_same_position() {
        let moves = ["a1", "b2"].map(str::to_owned);
        for start in [None, Some("x/o moves X 3")] {
            for moves in [&moves[..], &[]] {
                let line = position_line(start, moves);
                let text = line.strip_prefix("position ").expect("the command");
                let (read, played) = parse_position(text).expect("a position");
                // A position that contains the word `moves` is ambiguous without moves after it.
                if start.is_none() || !moves.is_empty() {
                    assert_eq!(read, start);
                    assert_eq!(played.collect::<Vec<_>>(), moves);
                }
            }
        }
        for bad in ["", "start", "fen", "startpos 3", "moves a1"] {
            assert!(parse_position(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn only_options_that_the_program_has_are_set() {
        let mut options = Options::default();
        for line in ["option name seed type spin", "option name Hash", "id name game"] {
            options.read(line);
        }
        let set: Vec<String> = options.commands("tictactoe", 7).collect();
        assert_eq!(set, ["setoption name seed value 7"]);
    }
}
