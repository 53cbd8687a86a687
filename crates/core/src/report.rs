//! Report of a search: lines, values, counters.

use std::time::Duration;

use crate::{StopReason, Value};

/// Proven outcome of a position under best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Outcome {
    /// A win.
    Win,
    /// A draw.
    Draw,
    /// A loss.
    Loss,
}

/// Relation of a reported value to the true one: exact, lower bound or upper bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Bound {
    /// The reported value is the true one.
    #[default]
    Exact,
    /// The true value is the reported one or more.
    Lower,
    /// The true value is the reported one or less.
    Upper,
}

impl Bound {
    /// Returns the bound of the negated value: lower and upper change places.
    #[must_use]
    pub fn turned(self) -> Self {
        match self {
            Self::Exact => Self::Exact,
            Self::Lower => Self::Upper,
            Self::Upper => Self::Lower,
        }
    }
}

/// Numbers by which Monte Carlo tree search selects a move.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SelectionStats {
    /// Mean reward, if the move was visited: from 0 for a loss to 1 for a win, or points.
    pub mean: Option<f64>,
    /// Exploration bonus, in the unit of the mean; infinite for an unvisited move, which is serialised as
    /// null.
    #[cfg_attr(feature = "serde", serde(with = "crate::infinite"))]
    pub bonus: f64,
    /// Prior: probability of the move before its first visit.
    pub prior: f64,
}

/// Root move with its value, bound, visits and principal variation.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Line<M> {
    /// The root move.
    pub mv: M,
    /// Value for the root player: the evaluation or the proven result, or in Monte Carlo tree search
    /// the mean result.
    pub value: Value,
    /// False if there is no value for this move: a classical search did not reach it, or the agent does not value
    /// moves. `value` is then the least utility, as a lower bound, and [`known_value`](Line::known_value) is
    /// `None`. Always true in Monte Carlo tree search, which counts `visits` instead.
    pub searched: bool,
    /// Value for every player, in games of more than two.
    pub values: Vec<f64>,
    /// Relation of `value` to the true value.
    pub bound: Bound,
    /// Nodes or simulations spent on this move.
    pub visits: u64,
    /// Numbers of the selection at the end of the search; only from Monte Carlo tree search.
    pub sampled: Option<SelectionStats>,
    /// Principal variation; it begins with `mv`.
    pub pv: Vec<M>,
}

impl<M: Clone> Line<M> {
    /// Creates a line from a move and its exact value.
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

    /// Creates the line of a move without a value, where `least` is the lowest result of the game.
    pub fn unsearched(mv: M, least: impl Into<Value>) -> Self {
        Self { searched: false, bound: Bound::Lower, ..Self::new(mv, least) }
    }
}

impl<M> Line<M> {
    /// Returns the number of the value, if the search found one.
    pub fn known_value(&self) -> Option<f64> {
        self.searched.then_some(self.value.number())
    }

    /// Returns the proven outcome: one that does not depend on any evaluation.
    pub fn outcome(&self) -> Option<Outcome> {
        self.value.outcome()
    }

    /// Returns the plies to the end of a proven win or loss, as [`Value::distance`] counts them.
    pub fn distance(&self) -> Option<u32> {
        self.value.distance()
    }
}

/// Counters of one search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SearchStats {
    /// Last completed depth, in plies.
    pub depth: u32,
    /// Positions entered, including root and leaves; in Monte Carlo tree search, simulations.
    pub nodes: u64,
    /// Evaluations plus finished games reached.
    pub leaves: u64,
    /// Evaluations.
    pub evaluations: u64,
    /// Nodes with a cutoff.
    pub cutoffs: u64,
    /// Moves pruned at those nodes.
    pub pruned: u64,
    /// Positions answered by the transposition table.
    pub table_hits: u64,
    /// Playouts.
    pub playouts: u64,
    /// Memory of tables and trees, in bytes.
    pub bytes: u64,
}

/// Answer of a search, as plain data.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Report<M> {
    /// Root moves, the best first. Empty only if no player is to move at the root: the game is
    /// over, or the root is a chance node.
    pub lines: Vec<Line<M>>,
    /// Counters of the search.
    pub stats: SearchStats,
    /// Reason why the search ended.
    pub stopped: StopReason,
    /// Wall time of the search.
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

    /// Returns the best move, unless the game is over.
    pub fn best(&self) -> Option<&M> {
        self.lines.first().map(|line| &line.mv)
    }

    /// Returns the proven outcome of the root: a win if the best move wins, a draw or loss only
    /// if the search ended with a proof. Before that, another move may turn out better.
    pub fn outcome(&self) -> Option<Outcome> {
        let best = self.lines.first()?.outcome()?;
        (best == Outcome::Win || self.stopped == StopReason::Proven).then_some(best)
    }

    /// Converts the moves of the report, for example to text. `write` gets a whole principal variation per
    /// call, because the text of a move may depend on the moves before it.
    ///
    /// # Panics
    /// If `write` returns no move for a variation, or a variation is empty.
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
