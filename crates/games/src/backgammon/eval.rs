//! Heuristics for Backgammon.

use tussle_core::{Evaluator, Game, Turn};

use super::checkers::{BAR, turned};
use super::{Backgammon, State};

/// Heuristic for Backgammon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eval {
    /// Pip count of the opponent minus the player's own; 1000 per point of a finished game.
    Pips,
    /// [`Pips`](Eval::Pips), minus 8 for each own blot that a checker of the opponent has yet to
    /// pass, plus 8 for each such blot of the opponent.
    Blots,
}

/// Value of a point of a finished game, above any difference of pip counts (at most 15 x 25) with
/// all blots.
const WIN: f64 = 1000.0;

/// Weight of an exposed blot, in pips.
const BLOT_PIPS: f64 = 8.0;

/// Returns the number of a player's blots that some opposing checker has yet to pass.
fn exposed(state: &State, player: usize) -> f64 {
    let [own, opponent] = [player, 1 - player].map(|p| state.checkers[p]);
    let opposing = opponent.taken();
    // The lowest bit is the opponent's last checker, in the player's numbering. A checker on the
    // bar has yet to pass all points.
    let last = if opposing >> BAR & 1 != 0 { 1 } else { turned(opposing) };
    let passed = (last & last.wrapping_neg()).wrapping_sub(1);
    // Without an opposing checker, `passed` is the full set.
    f64::from((own.blots() & !passed).count_ones())
}

impl Evaluator<Backgammon> for Eval {
    #[inline]
    fn value(&self, game: &Backgammon, state: &State, player: usize) -> f64 {
        if game.turn(state) == Turn::Over {
            return WIN * game.utility(state, player);
        }
        let pips = |p: usize| f64::from(state.checkers[p].pips());
        let race = pips(1 - player) - pips(player);
        match self {
            Eval::Pips => race,
            Eval::Blots => race + BLOT_PIPS * (exposed(state, 1 - player) - exposed(state, player)),
        }
    }

    fn range(&self, game: &Backgammon) -> Option<(f64, f64)> {
        let max = WIN * game.payoffs().most;
        Some((-max, max))
    }

    fn is_antisymmetric(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tussle_core::Notation;

    fn value(eval: Eval, text: &str, player: usize) -> f64 {
        let game = Backgammon::default();
        eval.value(&game, &game.parse_position(text).unwrap(), player)
    }

    #[test]
    fn pips_is_the_difference_of_the_pip_counts() {
        let start = "24:2/13:5/8:3/6:5 24:2/13:5/8:3/6:5 first opening";
        assert_eq!(value(Eval::Pips, start, 0), 0.0);
        // Pip counts 6 and 25 + 2.
        let late = "3:2/off:13 bar:1/2:1/off:13 first 11";
        assert_eq!(value(Eval::Pips, late, 0), 21.0);
        assert_eq!(value(Eval::Pips, late, 1), -21.0);
        assert_eq!(value(Eval::Pips, "off:15 6:15 second -", 0), 2.0 * WIN);
    }

    #[test]
    fn values_are_within_the_range_of_a_backgammon() {
        let game = Backgammon::default();
        super::super::tests::random_games(20, |state| {
            for eval in [Eval::Pips, Eval::Blots] {
                let (low, high) = eval.range(&game).unwrap();
                assert!((low..=high).contains(&eval.value(&game, state, 0)));
            }
        });
        let lost_at_once = "24:2/13:5/8:3/6:5 off:15 first -";
        assert_eq!(value(Eval::Blots, lost_at_once, 0), Eval::Blots.range(&game).unwrap().0);
    }

    #[test]
    fn a_blot_counts_while_an_opposing_checker_has_yet_to_pass_it() {
        // The second player's last checkers are on the first player's point 5. All checkers of the
        // first player have passed the blot on the second player's point 1.
        let text = "6:1/4:1/1:1/off:12 20:2/1:1/off:12 first 11";
        let race = value(Eval::Pips, text, 0);
        assert_eq!(value(Eval::Blots, text, 0), race - BLOT_PIPS);
        assert_eq!(value(Eval::Blots, text, 1), BLOT_PIPS - race);
        // A checker on the bar has yet to pass every blot.
        let text = "6:1/4:1/1:1/off:12 bar:1/2:2/off:12 first 11";
        assert_eq!(value(Eval::Blots, text, 0), value(Eval::Pips, text, 0) - 3.0 * BLOT_PIPS);
    }
}
