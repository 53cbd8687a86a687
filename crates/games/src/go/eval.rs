//! What an unfinished game of Go seems to be worth.

use tussle_core::Evaluator;

use super::{Go, State};

/// A heuristic of Go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eval {
    /// Own stones minus the rival's.
    Stones,
    /// Own points minus the rival's, komi included, if the game ended now.
    Area,
}

impl<const N: usize> Evaluator<Go<N>> for Eval {
    #[inline]
    fn value(&self, game: &Go<N>, state: &State<N>, player: usize) -> f64 {
        let black = match self {
            Eval::Stones => {
                let [black, white] = state.stones.map(|stones| f64::from(stones.count()));
                black - white
            }
            Eval::Area => game.score(state),
        };
        if player == 0 { black } else { 0.0 - black } // no -0
    }

    fn range(&self, game: &Go<N>) -> Option<(f64, f64)> {
        let points = f64::from(game.cells.count());
        let most = match self {
            Eval::Stones => points,
            Eval::Area => points + game.options.komi.abs(),
        };
        Some((-most, most))
    }

    fn is_antisymmetric(&self) -> bool {
        true
    }
}
