//! Numbers as people write them.

use super::{Explanation, Kind};
use crate::grouped;

/// A search counts a won game as this much, less one for each ply to it: far beyond any evaluation.
const WON: f64 = 16_777_216.0;
/// No search looks further ahead.
const FURTHEST: f64 = 4096.0;

/// Beyond this, digits are no help.
const LONG: f64 = 1e15;

/// Who wins where a value says that the game is won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wins {
    /// Values are points, and a large one is nothing else.
    Never,
    /// MAX or MIN.
    OfTwo,
    /// This player, against all others.
    Of(usize),
}

impl Wins {
    /// Those of a search.
    pub(super) fn of(told: &Explanation) -> Self {
        match told.tree.nodes()[0].kind {
            _ if told.tree.has_names() => Self::Never,
            Kind::Player(player) => Self::Of(player),
            _ => Self::OfTwo,
        }
    }

    /// In how many plies from the root the game is over, if a value says so.
    pub(super) fn plies(self, value: f64) -> Option<f64> {
        let plies = WON - value.abs();
        let is_win = self != Self::Never && (0.0..=FURTHEST).contains(&plies);
        (is_win && plies.fract() == 0.0).then_some(plies)
    }

    /// A value in words.
    pub(super) fn number(self, value: f64) -> String {
        match (self, self.plies(value)) {
            (_, None) => plain(value),
            (Self::Of(player), Some(plies)) => {
                let does = if value > 0.0 { "wins" } else { "loses" };
                format!("player {} {does} in {plies}", player + 1)
            }
            (_, Some(plies)) => {
                format!("{} wins in {plies}", if value > 0.0 { "MAX" } else { "MIN" })
            }
        }
    }

    /// One value, or one for each player.
    pub(super) fn values(self, values: &[f64]) -> String {
        match values {
            [one] => self.number(*one),
            many => {
                format!("({})", many.iter().map(|&n| self.number(n)).collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// At most four digits behind the point, and none that are idle; a game won by one of two in so many plies from
/// the root is told as that.
pub(crate) fn number(number: f64) -> String {
    Wins::OfTwo.number(number)
}

fn plain(number: f64) -> String {
    if number.is_infinite() {
        return if number > 0.0 { "+inf" } else { "-inf" }.to_owned();
    }
    if number.abs() >= LONG {
        let text = format!("{number:.4e}");
        let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{power}", digits.trim_end_matches('0').trim_end_matches('.'));
    }
    let text = format!("{number:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A number and its noun.
pub(super) fn count(number: u64, noun: &str) -> String {
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
            (16_777_213.0, "MAX wins in 3"),
            (-16_777_212.0, "MIN wins in 4"),
            (1e308, "1e308"),
            (-1.5e20, "-1.5e20"),
        ];
        for (given, text) in cases {
            assert_eq!(number(given), text);
        }
        assert_eq!(Wins::OfTwo.values(&[1.0, 0.5, 0.0]), "(1, 0.5, 0)");
        assert_eq!(Wins::Never.number(16_777_213.0), "16777213");
        assert_eq!(Wins::Of(1).number(-16_777_213.0), "player 2 loses in 3");
    }
}
