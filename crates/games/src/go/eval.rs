//! What an unfinished game of Go seems to be worth.

use tussle_core::{Args, Evaluation, Evaluations, Game};

use super::{Go, Move, State};

/// A heuristic of Go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eval {
    /// Own stones minus the rival's.
    Stones,
    /// Own points minus the rival's, komi included, if the game ended now.
    Area,
}

impl<const N: usize> Evaluations for Go<N> {
    type Eval = Eval;

    const EVALUATIONS: &'static [Evaluation] = &[
        Evaluation {
            name: "stones",
            summary: "own stones minus the rival's",
            params: &[],
            antisymmetric: true,
        },
        Evaluation {
            name: "area",
            summary: "own area minus the rival's, komi included, if the game ended now",
            params: &[],
            antisymmetric: true,
        },
    ];

    fn evaluation(&self, index: usize, _: &Args) -> Eval {
        [Eval::Stones, Eval::Area][index]
    }

    #[inline]
    fn evaluate(&self, eval: &Eval, state: &State<N>, player: usize) -> f64 {
        let black = match eval {
            Eval::Stones => {
                let [black, white] = state.stones.map(|stones| f64::from(stones.count()));
                black - white
            }
            Eval::Area => self.score(state),
        };
        if player == 0 { black } else { 0.0 - black } // no -0
    }

    fn range(&self, eval: &Eval) -> Option<(f64, f64)> {
        let points = f64::from(self.cells.count());
        let most = match eval {
            Eval::Stones => points,
            Eval::Area => points + self.options.komi.abs(),
        };
        Some((-most, most))
    }

    const HAS_LOUD_MOVES: bool = true;

    /// Captures.
    fn loud_moves(&self, state: &State<N>, out: &mut Vec<Move>) {
        let base = out.len();
        self.moves(state, out);
        let mut kept = base;
        for i in base..out.len() {
            let mv = out[i];
            if mv != Move::PASS && !self.taken_by(state, mv.0).is_empty() {
                out[kept] = mv;
                kept += 1;
            }
        }
        out.truncate(kept);
    }
}
