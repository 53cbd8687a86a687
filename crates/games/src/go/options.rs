//! The variants of the rules.

use tussle_core::ParseError;

use super::bits::Bits;

/// What a stone means that recreates an earlier whole board, whoever is to move then. The
/// empty board counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// It ends the game as a draw.
    Draw,
    /// It is illegal: positional superko.
    Positional,
    /// Nothing; only the simple ko rule holds.
    Off,
}

/// What a finished game is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Utility {
    /// +1, 0 or -1.
    Win,
    /// The difference of points, komi included.
    Margin,
}

/// The rules of a game of Go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// White's points for moving second; a multiple of one half.
    pub komi: f64,
    /// What recreating an earlier board means.
    pub repetition: Repetition,
    /// The game ends after so many moves, passes included.
    pub cap: Option<u32>,
    /// What a finished game is worth.
    pub utility: Utility,
}

/// Maximum number of columns and of rows.
pub const MAX_SIDE: usize = 19;
/// Maximum komi, either way.
pub const MAX_KOMI: f64 = 1000.0;
/// Maximum [cap](Options::cap).
pub const MAX_MOVES: u32 = 1_000_000;

impl Options {
    /// The usual rules on a board of this size: komi 0.5 on 5x5, 5.5 on 9x9, 7.5 otherwise; a
    /// repetition is a draw; the game ends after two moves for each point.
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

    /// The `N` of the [`Go`](super::Go) for a board of this size.
    pub fn words(&self) -> usize {
        let (width, height) = (self.width, self.height);
        if Bits::<1>::fits(width, height) {
            1
        } else if Bits::<2>::fits(width, height) {
            2
        } else {
            8
        }
    }

    /// Checks that the options are in their ranges and fit together.
    ///
    /// # Errors
    /// If they are not or do not.
    pub fn check(&self) -> Result<(), ParseError> {
        let wrong = |why: String| Err(ParseError::new(why));
        let Self { width, height, komi, .. } = *self;
        if !(1..=MAX_SIDE).contains(&width) || !(1..=MAX_SIDE).contains(&height) {
            return wrong(format!(
                "{width}x{height}: a board has 1 to {MAX_SIDE} columns and rows"
            ));
        }
        if !(-MAX_KOMI..=MAX_KOMI).contains(&komi) || (2.0 * komi).fract() != 0.0 {
            return wrong(format!(
                "komi={komi}: give a whole or half number of points from -{MAX_KOMI} to \
                 {MAX_KOMI}, such as 0.5 or 7"
            ));
        }
        if self.cap.is_some_and(|cap| !(1..=MAX_MOVES).contains(&cap)) {
            return wrong(format!("the cap may be 1 to {MAX_MOVES} moves, or off"));
        }
        if self.cap.is_none() && self.repetition == Repetition::Off {
            return wrong(
                "superko=off,cap=off: a game may then go round in circles for ever; leave one of \
                 them on"
                    .to_owned(),
            );
        }
        Ok(())
    }
}
