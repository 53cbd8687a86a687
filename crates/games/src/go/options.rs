//! Options of the rules.

use tussle_core::ParseError;

use super::bits::Bits;

/// Rule for a stone that recreates an earlier whole board, regardless of the player to move. The
/// empty board counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// The stone ends the game as a draw.
    Draw,
    /// The stone is illegal (positional superko).
    Positional,
    /// The stone is legal; only the simple ko rule applies.
    Off,
}

/// Utility of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Utility {
    /// +1, 0 or -1.
    Win,
    /// Difference of the areas, with komi.
    Margin,
}

/// Options of a game of Go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// Points that White gets for moving second; a multiple of one half.
    pub komi: f64,
    /// Rule for stones that recreate an earlier board.
    pub repetition: Repetition,
    /// Number of moves, passes included, after which the game ends; `None` means unlimited.
    pub cap: Option<u32>,
    /// Utility of a finished game.
    pub utility: Utility,
}

/// Maximum number of columns and of rows.
pub const MAX_SIDE: usize = 19;
/// Maximum absolute value of komi.
pub const MAX_KOMI: f64 = 1000.0;
/// Maximum [cap](Options::cap).
pub const MAX_MOVES: u32 = 1_000_000;

impl Options {
    /// Returns the default options for a board size: komi 0.5 on 5x5, 5.5 on 9x9 and 7.5 otherwise,
    /// a repetition is a draw, and the game ends after two moves per point.
    pub fn sized(width: usize, height: usize) -> Self {
        let komi = match (width, height) {
            (5, 5) => 0.5,
            (9, 9) => 5.5,
            _ => 7.5,
        };
        Self {
            width,
            height,
            komi,
            repetition: Repetition::Draw,
            cap: Some(2 * (width * height) as u32),
            utility: Utility::Win,
        }
    }

    /// Returns the `N` of the [`Go`](super::Go) for a board of this size.
    pub fn words(&self) -> usize {
        let (width, height) = (self.width, self.height);
        if Bits::<1>::fits(width, height) {
            1
        } else if Bits::<2>::fits(width, height) {
            2
        } else if Bits::<4>::fits(width, height) {
            4
        } else {
            8
        }
    }

    /// Checks that the options are in range and do not contradict each other.
    ///
    /// # Errors
    /// If an option is out of range or two options contradict each other.
    pub fn check(&self) -> Result<(), ParseError> {
        let wrong = |why: String| Err(ParseError::new(why));
        let Self { width, height, komi, .. } = *self;
        if !(1..=MAX_SIDE).contains(&width) || !(1..=MAX_SIDE).contains(&height) {
            return wrong(format!(
                "{width}x{height}: expected a board with 1 to {MAX_SIDE} columns and rows"
            ));
        }
        if !(-MAX_KOMI..=MAX_KOMI).contains(&komi) || (2.0 * komi).fract() != 0.0 {
            return wrong(format!(
                "komi={komi}: give a whole or half number of points from -{MAX_KOMI} to \
                 {MAX_KOMI}, such as 0.5 or 7"
            ));
        }
        if self.cap.is_some_and(|cap| !(1..=MAX_MOVES).contains(&cap)) {
            return wrong(format!("cap: expected 1 to {MAX_MOVES} moves, or off"));
        }
        if self.cap.is_none() && self.repetition == Repetition::Off {
            return wrong(
                "superko=off,cap=off: games might never end; turn one of them on".to_owned(),
            );
        }
        Ok(())
    }
}
