//! What a search answers.

use std::time::Duration;

use crate::{StopReason, Value};

/// How a game ends under best play, for the player to move at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Outcome {
    /// A win.
    Win,
    /// Neither.
    Draw,
    /// A loss.
    Loss,
}

/// How a value relates to the true one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Bound {
    /// It is the value.
    #[default]
    Exact,
    /// The value is this or more.
    Lower,
    /// The value is this or less.
    Upper,
}

impl Bound {
    /// What it is for the negated value.
    #[must_use]
    pub fn turned(self) -> Self {
        match self {
            Self::Exact => Self::Exact,
            Self::Lower => Self::Upper,
            Self::Upper => Self::Lower,
        }
    }
}

/// How a search that samples weighs a move.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SelectionStats {
    /// Mean reward, if the move was tried: from 0 for a loss to 1 for a win, or points.
    pub mean: Option<f64>,
    /// Exploration bonus, in the unit of the mean; infinite for an unvisited move, which is serialised as
    /// null.
    #[cfg_attr(feature = "serde", serde(with = "crate::infinite"))]
    pub bonus: f64,
    /// How likely it was thought to be the best before it was tried.
    pub prior: f64,
}

/// One root move and what the search found behind it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Line<M> {
    /// The root move.
    pub mv: M,
    /// Value for the player to move at the root: an evaluation, or the result once it is proven;
    /// the mean result for a search that samples.
    pub value: Value,
    /// False if there is no value for this move: a search by depth did not reach it, or the agent does not value
    /// moves. `value` is then the least utility, as a lower bound, and [`known_value`](Line::known_value) is
    /// `None`. A search that samples has `visits` for this.
    pub searched: bool,
    /// Its value for every player, in games of more than two.
    pub values: Vec<f64>,
    /// Whether `value` is exact.
    pub bound: Bound,
    /// Nodes or simulations spent behind this move.
    pub visits: u64,
    /// Only from a search that samples: how it weighs the move now.
    pub sampled: Option<SelectionStats>,
    /// The expected continuation; it begins with `mv`.
    pub pv: Vec<M>,
}

impl<M: Clone> Line<M> {
    /// A line that knows no more than its move and value.
    pub fn new(mv: M, value: impl Into<Value>) -> Self {
        Self {
            mv: mv.clone(),
            value: value.into(),
            searched: true,
            values: Vec::new(),
            bound: Bound::Exact,
            visits: 0,
            sampled: None,
            pv: vec![mv],
        }
    }

    /// A line of a move for which no value was found; no result is below `least`.
    pub fn unsearched(mv: M, least: impl Into<Value>) -> Self {
        Self { searched: false, bound: Bound::Lower, ..Self::new(mv, least) }
    }
}

impl<M> Line<M> {
    /// Returns the number of the value, if the search found one.
    pub fn known_value(&self) -> Option<f64> {
        self.searched.then_some(self.value.number())
    }

    /// Returns the proven outcome: no horizon evaluation took part.
    pub fn outcome(&self) -> Option<Outcome> {
        self.value.outcome()
    }

    /// Returns the plies to the end of a proven win or loss, as [`Value::distance`] counts them.
    pub fn distance(&self) -> Option<u32> {
        self.value.distance()
    }
}

/// What a search did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SearchStats {
    /// The last completed depth in plies.
    pub depth: u32,
    /// States entered, root and leaves included; simulations for a search that samples.
    pub nodes: u64,
    /// Evaluations plus ends of the game reached.
    pub leaves: u64,
    /// Heuristic evaluations.
    pub evaluations: u64,
    /// Nodes at which a cut happened.
    pub cutoffs: u64,
    /// Children skipped at those nodes.
    pub pruned: u64,
    /// Positions answered by the transposition table.
    pub table_hits: u64,
    /// Random games played.
    pub playouts: u64,
    /// Bytes held by tables and trees.
    pub bytes: u64,
}

/// The answer of a search: owned, plain data.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Report<M> {
    /// Root moves, the best first. Empty only if no player is to move at the root: the game is
    /// over, or chance moves.
    pub lines: Vec<Line<M>>,
    /// What it cost.
    pub stats: SearchStats,
    /// Why the search ended.
    pub stopped: StopReason,
    /// The time it took.
    pub elapsed: Duration,
}

impl<M> Report<M> {
    /// Creates the report of a search.
    pub fn new(
        lines: Vec<Line<M>>,
        stats: SearchStats,
        stopped: StopReason,
        elapsed: Duration,
    ) -> Self {
        Self { lines, stats, stopped, elapsed }
    }

    /// Creates the report of a search that had nothing to do: the game is over, or a source other than a search has the
    /// answer.
    pub fn finished(lines: Vec<Line<M>>, elapsed: Duration) -> Self {
        Self::new(lines, SearchStats::default(), StopReason::Finished, elapsed)
    }

    /// The move to play, unless the game is over.
    pub fn best(&self) -> Option<&M> {
        self.lines.first().map(|line| &line.mv)
    }

    /// The proven outcome of the position itself: a win if the best move wins, anything else only
    /// if the search ended with a proof, for until then another move may turn out better.
    pub fn outcome(&self) -> Option<Outcome> {
        let best = self.lines.first()?.outcome()?;
        (best == Outcome::Win || self.stopped == StopReason::Proven).then_some(best)
    }

    /// The same report with its moves written in another way; `write` is given a whole
    /// continuation at a time, because a move's text may depend on the moves before it.
    ///
    /// # Panics
    /// If `write` returns nothing for a continuation, or a continuation is empty.
    pub fn map<N>(self, mut write: impl FnMut(&[M]) -> Vec<N>) -> Report<N>
    where
        N: Clone,
    {
        let line = |line: Line<M>| {
            let pv = write(&line.pv);
            Line {
                mv: pv[0].clone(),
                value: line.value,
                searched: line.searched,
                values: line.values,
                bound: line.bound,
                visits: line.visits,
                sampled: line.sampled,
                pv,
            }
        };
        Report {
            lines: self.lines.into_iter().map(line).collect(),
            stats: self.stats,
            stopped: self.stopped,
            elapsed: self.elapsed,
        }
    }
}
