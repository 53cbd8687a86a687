//! What an unfinished game seems to be worth.

use tussle_core::{Evaluator, Game, Turn};

use super::checkers::{BAR, turned};
use super::{Backgammon, State};

/// A heuristic of backgammon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eval {
    /// Pip count of the opponent minus one's own; `WIN` per point of a finished game.
    Pips,
    /// [`Pips`](Eval::Pips), minus 8 for each own blot that a checker of the opponent has yet to pass, plus 8 for each
    /// such blot of the opponent.
    Blots,
}

/// More than any difference of pip counts, which is 15 x 25 at most, with all blots.
const WIN: f64 = 1000.0;

/// What a blot in danger counts, in pips.
const HIT: f64 = 8.0;

/// The number of a player's blots that a rival's checker has yet to pass.
fn exposed(state: &State, player: usize) -> f64 {
    let [own, rival] = [player, 1 - player].map(|p| state.checkers[p]);
    let rival_taken = rival.taken();
    // The rival's last checker as the player counts the points; on the bar it is behind all.
    let last = if rival_taken >> BAR & 1 != 0 { 1 } else { turned(rival_taken) };
    let passed = (last & last.wrapping_neg()).wrapping_sub(1);
    // Without a rival's checker on the board, all are passed.
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
            Eval::Blots => race + HIT * (exposed(state, 1 - player) - exposed(state, player)),
        }
    }

    fn range(&self, game: &Backgammon) -> Option<(f64, f64)> {
        let most = WIN * game.payoffs().most;
        Some((-most, most))
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
    fn pips_are_what_the_rival_has_farther_to_go() {
        let start = "24:2/13:5/8:3/6:5 24:2/13:5/8:3/6:5 first opening";
        assert_eq!(value(Eval::Pips, start, 0), 0.0);
        // Pip counts 6 and 25 + 2.
        let late = "3:2/off:13 bar:1/2:1/off:13 first 11";
        assert_eq!(value(Eval::Pips, late, 0), 21.0);
        assert_eq!(value(Eval::Pips, late, 1), -21.0);
        assert_eq!(value(Eval::Pips, "off:15 6:15 second -", 0), 2.0 * WIN);
    }

    #[test]
    fn no_value_is_beyond_a_backgammon() {
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
    fn a_blot_counts_while_a_rival_has_yet_to_pass_it() {
        // The second player's last checkers stand on the first one's 5 point, and the first
        // player's are all past the blot on the second one's 1 point.
        let text = "6:1/4:1/1:1/off:12 20:2/1:1/off:12 first 11";
        let race = value(Eval::Pips, text, 0);
        assert_eq!(value(Eval::Blots, text, 0), race - HIT);
        assert_eq!(value(Eval::Blots, text, 1), HIT - race);
        // From the bar everything is in danger.
        let text = "6:1/4:1/1:1/off:12 bar:1/2:2/off:12 first 11";
        assert_eq!(value(Eval::Blots, text, 0), value(Eval::Pips, text, 0) - 3.0 * HIT);
    }
}
