//! Grammar of GTP: colours, vertices, moves, commands, responses and time settings.

use std::time::Duration;

use tussle_catalog::{Error, GoOptions, go_options};
use tussle_core::TimeControl;

/// Rules of Go that GTP can express.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Rules {
    pub(super) size: usize,
    pub(super) komi: f64,
}

/// Error of a game that programs cannot play by GTP.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GtpGameError {
    /// The spec of the game is invalid.
    #[error(transparent)]
    Spec(#[from] Error),
    /// The game is not Go.
    #[error("GTP is for go, not for {0}; use ugi:… or json:… for a program that plays it")]
    NotGo(String),
    /// The board is not square.
    #[error("GTP has square boards only, not {0}")]
    NotSquare(String),
}

impl Rules {
    /// Returns the rules of a game by its spec.
    ///
    /// # Errors
    /// If GTP cannot express the game.
    pub(crate) fn of(game: &str) -> Result<Self, GtpGameError> {
        let Some(GoOptions { width, height, komi, .. }) = go_options(game)? else {
            return Err(GtpGameError::NotGo(game.to_owned()));
        };
        if width != height {
            return Err(GtpGameError::NotSquare(game.to_owned()));
        }
        Ok(Self { size: width, komi })
    }

    /// Returns the commands that set up an empty board.
    pub(super) fn setup(self) -> [String; 3] {
        let Self { size, komi } = self;
        [format!("boardsize {size}"), "clear_board".to_owned(), format!("komi {komi}")]
    }
}

/// Colour of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colour {
    Black,
    White,
}

impl Colour {
    /// Reads `b`, `black`, `w` or `white`, in any case.
    pub(super) fn parse(word: &str) -> Option<Self> {
        match word.to_ascii_lowercase().as_str() {
            "b" | "black" => Some(Self::Black),
            "w" | "white" => Some(Self::White),
            _ => None,
        }
    }

    /// Returns the colour of a player, or of the move with this number, from 0.
    pub(super) fn of(player_or_ply: usize) -> Self {
        if player_or_ply.is_multiple_of(2) { Self::Black } else { Self::White }
    }

    /// Returns the whole word.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Black => "black",
            Self::White => "white",
        }
    }

    /// Returns the first letter.
    pub(super) fn letter(self) -> &'static str {
        &self.word()[..1]
    }
}

/// Letters of the columns, without I.
pub(super) const COLUMNS: &str = "ABCDEFGHJKLMNOPQRST";

/// Returns the name of a point, columns from the left and rows from below, both from 0.
pub(super) fn vertex(x: usize, y: usize) -> String {
    let letter = b'A' + x as u8 + u8::from(x >= 8);
    format!("{}{}", char::from(letter), y + 1)
}

/// Reads a point on a board of this size, columns from the left and rows from below, both from 0.
pub(super) fn parse_vertex(word: &str, width: usize, height: usize) -> Option<(usize, usize)> {
    let mut chars = word.chars();
    let letter = chars.next()?.to_ascii_uppercase();
    let x = COLUMNS.find(letter)?;
    let row: usize = chars.as_str().parse().ok()?;
    (x < width && (1..=height).contains(&row)).then(|| (x, row - 1))
}

/// Returns a move as the catalog writes it: upper-case, but for `pass`.
pub(super) fn parse_move(text: &str) -> String {
    if text.eq_ignore_ascii_case("pass") { "pass".to_owned() } else { text.to_ascii_uppercase() }
}

/// Command: an optional number, a name and arguments.
#[derive(Debug, PartialEq)]
pub(super) struct Command {
    /// Number as it was written; empty if there was none.
    pub(super) id: String,
    pub(super) name: String,
    pub(super) words: Vec<String>,
}

impl Command {
    /// Reads a line: control characters are dropped, a tab is a space, `#` begins a comment. `None` if nothing is left.
    pub(super) fn parse(line: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(line);
        let kept = text.chars().map(|c| if c == '\t' { ' ' } else { c });
        let text: String = kept.filter(|c| !c.is_control()).take_while(|&c| c != '#').collect();
        let mut words = text.split_whitespace().map(str::to_owned).peekable();
        let is_number = |word: &String| word.bytes().all(|b| b.is_ascii_digit());
        let id = words.next_if(is_number);
        // A number alone names a command that does not exist.
        let name = words.next().or_else(|| id.is_some().then(String::new))?;
        Some(Self { id: id.unwrap_or_default(), name, words: words.collect() })
    }
}

/// Response to a command.
#[derive(Debug, PartialEq)]
pub(super) struct Response {
    /// True for `=`, false for `?`.
    pub(super) is_success: bool,
    /// Number as it was written; empty if there was none.
    pub(super) id: String,
    pub(super) text: String,
}

impl Response {
    /// Reads the first line of a response. Returns `None` if it is not one.
    pub(super) fn parse(line: &str) -> Option<Self> {
        let (is_success, rest) = match (line.strip_prefix('='), line.strip_prefix('?')) {
            (Some(rest), _) => (true, rest),
            (_, Some(rest)) => (false, rest),
            _ => return None,
        };
        let digits = rest.chars().take_while(char::is_ascii_digit).count();
        let (id, text) = rest.split_at(digits);
        Some(Self { is_success, id: id.to_owned(), text: text.trim().to_owned() })
    }

    /// Adds a line. Returns false for an empty line, which completes the response.
    pub(super) fn push(&mut self, line: &str) -> bool {
        if line.trim().is_empty() {
            return false;
        }
        self.text.push('\n');
        self.text.push_str(line);
        true
    }
}

/// Commands that tell a player its time, in whole seconds.
pub(super) struct TimeCommands {
    /// `time_settings`
    pub(super) settings: String,
    /// `time_left`
    pub(super) left: String,
}

impl TimeCommands {
    /// Creates the commands for a player with this time left. They give the time without the safety margin, but at least
    /// one second.
    pub(super) fn new(
        clock: TimeControl,
        left: Duration,
        margin: Duration,
        colour: &'static str,
    ) -> Self {
        let seconds = |time: Duration| time.saturating_sub(margin).as_secs().max(1);
        let left = seconds(left);
        let (settings, stones) = match clock {
            TimeControl::Increment { base, .. } => {
                (format!("time_settings {} 0 0", seconds(base)), 0)
            }
            TimeControl::PerMove(_) | TimeControl::FirstMove { .. } => {
                (format!("time_settings 0 {left} 1"), 1)
            }
        };
        Self { settings, left: format!("time_left {colour} {left} {stones}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parsing_a_written_vertex_gives_the_same_point() {
        for (x, y) in [(0, 0), (7, 3), (8, 3), (18, 18)] {
            assert_eq!(parse_vertex(&vertex(x, y), 19, 19), Some((x, y)));
        }
        assert_eq!((vertex(8, 0), vertex(18, 18)), ("J1".to_owned(), "T19".to_owned()));
        for bad in ["I1", "A0", "A20", "U1", "", "é1"] {
            assert_eq!(parse_vertex(bad, 19, 19), None, "{bad}");
        }
    }

    #[test]
    fn commands_are_parsed_with_numbers_comments_and_control_characters() {
        let command = |id: &str, name: &str, words: &[&str]| {
            let words = words.iter().map(|&word| word.to_owned()).collect();
            Some(Command { id: id.to_owned(), name: name.to_owned(), words })
        };
        let parsed = |line: &str| Command::parse(line.as_bytes());
        assert_eq!(parsed("7 play\tb\u{1} c3 # a comment\r\n"), command("7", "play", &["b", "c3"]));
        assert_eq!(parsed("  quit#\n"), command("", "quit", &[]));
        assert_eq!(parsed("12\n"), command("12", "", &[]));
        for nothing in ["\n", "\r\n", "# only a comment\n", " \t \u{7}\n", ""] {
            assert_eq!(parsed(nothing), None);
        }
    }

    #[test]
    fn a_response_has_its_number_and_all_its_lines() {
        let mut response = Response::parse("=7  one").expect("a response");
        assert!(response.push("two") && !response.push(" "));
        let text = "one\ntwo".to_owned();
        assert_eq!(response, Response { is_success: true, id: "7".to_owned(), text });
        let refused = Response::parse("? no").expect("a response");
        assert_eq!(
            (refused.is_success, refused.id.as_str(), refused.text.as_str()),
            (false, "", "no")
        );
        assert_eq!(Response::parse("info"), None);
    }
}
