//! Questions about a position that are answered by yes or no.

use tussle_core::{Bound, Report, StopReason};

/// Goal of a player, for a search that only asks whether the player can reach it.
///
/// Alpha-beta answers with null windows, which costs less than finding the best move. It searches deeper
/// until the answer is proven or a limit is reached. Evaluations never decide the answer.
///
/// With iterative deepening, a win or a loss that the search finds early proves only a yes to
/// [`WIN`](Self::WIN) or a no to [`NOT_LOSS`](Self::NOT_LOSS). Other answers need a search to the end.
///
/// A claim about the other player is the negation of one about the player to move. In a zero-sum game, the
/// opponent forces at least 3 exactly if the player to move cannot reach more than -3.
///
/// ```
/// use tussle_core::{Game, Limits, NoEvaluation};
/// # use tussle_core::{Turn, ZeroSum};
/// use tussle_search::{Agent, AlphaBeta, AlphaBetaOptions, Goal, Query};
/// # struct Heap(u32);
/// # impl Game for Heap {
/// #     type State = (u32, usize);
/// #     type Move = u32;
/// #     fn start(&self) -> (u32, usize) { (self.0, 0) }
/// #     fn turn(&self, &(left, player): &(u32, usize)) -> Turn {
/// #         if left == 0 { Turn::Over } else { Turn::Player(player) }
/// #     }
/// #     fn moves(&self, &(left, _): &(u32, usize), out: &mut Vec<u32>) { out.extend(1..=left.min(3)); }
/// #     fn play(&self, s: &mut (u32, usize), take: u32) { *s = (s.0 - take, 1 - s.1); }
/// #     fn utility(&self, &(_, player): &(u32, usize), who: usize) -> f64 {
/// #         if who == player { -1.0 } else { 1.0 }
/// #     }
/// # }
/// # impl ZeroSum for Heap {}
///
/// // A move takes one, two or three counters; the player who takes the last one wins. Heaps of a
/// // multiple of four are lost.
/// let mut search = AlphaBeta::new(AlphaBetaOptions::default(), NoEvaluation);
/// for (counters, wins) in [(8, false), (10, true)] {
///     let game = Heap(counters);
///     let query = Query::new(&Limits::none()).goal(Goal::WIN);
///     let report = search.run(&game, &game.start(), query)?;
///     assert_eq!(Goal::answer(&report), Some(wins));
/// }
/// # Ok::<(), tussle_search::SearchError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// A utility of this much or more for the player to move.
    AtLeast(f64),
    /// A utility above this one for the player to move.
    MoreThan(f64),
}

impl Goal {
    /// A win.
    pub const WIN: Self = Self::MoreThan(0.0);
    /// A win or a draw.
    pub const NOT_LOSS: Self = Self::AtLeast(0.0);

    /// Returns the proven answer of a search with a goal: true if the best move reaches it. `None` if a
    /// limit ended the search before.
    #[must_use]
    pub fn answer<M>(report: &Report<M>) -> Option<bool> {
        let best = report.lines.first()?;
        (report.stopped == StopReason::Proven).then_some(best.bound != Bound::Upper)
    }

    /// Converts the utility to another scale that keeps the order.
    pub(crate) fn map(self, scale: impl FnOnce(f64) -> f64) -> Self {
        match self {
            Self::AtLeast(utility) => Self::AtLeast(scale(utility)),
            Self::MoreThan(utility) => Self::MoreThan(scale(utility)),
        }
    }
}
