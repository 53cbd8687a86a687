//! Heuristics for Go.

use tussle_core::Evaluator;

use super::{Go, State};

/// Heuristic for Go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eval {
    /// Own stones minus the opponent's.
    Stones,
    /// Own area minus the opponent's, with komi, as if the game ended now.
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
        let max = match self {
            Eval::Stones => points,
            Eval::Area => points + game.options.komi.abs(),
        };
        Some((-max, max))
    }

    fn is_antisymmetric(&self) -> bool {
        true
    }
}
