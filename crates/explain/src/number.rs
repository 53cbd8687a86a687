//! Values and numbers as text.

use tussle_catalog::recording::NodeKind;
use tussle_core::format::{decimal, grouped};
use tussle_core::{Outcome, Value};

use crate::Explanation;

/// Players of a search, to whom wins in values belong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wins {
    /// Two players, MAX and MIN.
    OfTwo,
    /// One player against all others.
    Of(usize),
}

impl Wins {
    /// Returns the players of a search.
    pub(crate) fn of(told: &Explanation) -> Self {
        match told.tree.nodes()[0].kind {
            NodeKind::Player(player) => Self::Of(player),
            _ => Self::OfTwo,
        }
    }

    /// Formats a value: a win with its player and its plies from the root, anything else as a number.
    pub(crate) fn number(self, value: impl Into<Value>) -> String {
        let value = value.into();
        let is_won = match value.outcome() {
            Some(Outcome::Win) => true,
            Some(Outcome::Loss) => false,
            Some(Outcome::Draw) | None => return number(value.number()),
        };
        let who = match self {
            Self::Of(player) => {
                format!("player {} {}", player + 1, if is_won { "wins" } else { "loses" })
            }
            Self::OfTwo => format!("{} wins", if is_won { "MAX" } else { "MIN" }),
        };
        match value.distance() {
            Some(plies) => format!("{who} in {plies}"),
            None => who,
        }
    }

    /// Formats one value, or one per player.
    pub(crate) fn values<V: Copy + Into<Value>>(self, values: &[V]) -> String {
        match values {
            [one] => self.number(*one),
            many => {
                format!("({})", many.iter().map(|&n| self.number(n)).collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// Formats a number with at most four digits after the decimal point.
pub(crate) fn number(number: f64) -> String {
    decimal(number, 4)
}

/// Formats a count with its noun.
pub(crate) fn count(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let cases = [
            (8.0, "8"),
            (-0.0, "0"),
            (21.665_109, "21.6651"),
            (0.5, "0.5"),
            (-3.25, "-3.25"),
            (f64::INFINITY, "+inf"),
            (1e308, "1e308"),
            (-1.5e20, "-1.5e20"),
        ];
        for (given, text) in cases {
            assert_eq!(number(given), text);
        }
        assert_eq!(Wins::OfTwo.values(&[1.0, 0.5, 0.0]), "(1, 0.5, 0)");
        assert_eq!(Wins::OfTwo.number(Value::win(Some(3))), "MAX wins in 3");
        assert_eq!(Wins::OfTwo.number(Value::loss(Some(4))), "MIN wins in 4");
        assert_eq!(Wins::OfTwo.number(16_777_213.0), "16777213");
        assert_eq!(Wins::Of(1).number(Value::loss(Some(3))), "player 2 loses in 3");
    }
}
