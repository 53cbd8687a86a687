//! Watching a search from inside.
//!
//! Explanations are recorded from the search that really runs. It tells an [`Observer`]
//! everything; the empty observer `()` compiles to nothing.
//!
//! Values in events are in the first player's frame, whoever is to move. Only what a sampling
//! search counts for a move, its mean and its total, belongs to the player who makes it. Those are
//! rewards: from 0 for a loss to 1 for a win, or points.

use crate::Value;

/// Why the rest of a node's moves was skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CutReason {
    /// A value reached beta at a maximising node.
    Beta,
    /// A value fell to alpha at a minimising node.
    Alpha,
    /// A chance node can no longer reach the window.
    Chance,
    /// The transposition table knew enough.
    Table,
    /// In a game of more than two players: the sum of values leaves nothing to gain.
    Shallow,
}

/// Where a value without a search below it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LeafKind {
    /// The game was over.
    End,
    /// The horizon: a heuristic.
    Evaluation,
    /// The transposition table.
    Table,
    /// The opening library.
    Book,
}

/// Parts of a leaf's value that mixes an evaluation with a rollout:
/// `(1 - lambda) * evaluation + lambda * rollout`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mixture {
    /// Weight of the rollout, between 0 and 1.
    pub lambda: f64,
    /// Evaluation of the leaf (v).
    pub evaluation: f64,
    /// Result of the rollout (z).
    pub rollout: f64,
}

/// One thing a search did. Tree searches open a node with `Enter` and close it with `Leave`;
/// sampling searches tell `Select`, `Expand`, `Simulate` and `BackUp` for every simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event<'a, M> {
    /// A new iteration of deepening, or a new simulation, begins.
    Iteration(u32),
    /// A node is entered by this move (`None`: the root) with this window.
    Enter {
        /// The move that led here.
        mv: Option<M>,
        /// Lower end of the window; [`Value::BELOW_ALL`] if there is none.
        alpha: Value,
        /// Upper end of the window; [`Value::ABOVE_ALL`] if there is none.
        beta: Value,
    },
    /// The node just entered has this value without further search.
    Leaf {
        /// Its value; in a search for many players, one for each.
        values: &'a [Value],
        /// Where the value came from.
        kind: LeafKind,
    },
    /// A child's value moved the window of the current node.
    Window {
        /// The child's move.
        by: M,
        /// Lower end afterwards.
        alpha: Value,
        /// Upper end afterwards.
        beta: Value,
    },
    /// The current node is worth the mean of its moves, by a model of the player to move there.
    Odds {
        /// The moves.
        moves: &'a [M],
        /// Their probabilities; they sum to 1.
        probabilities: &'a [f64],
    },
    /// The remaining moves of the current node are skipped.
    Cut {
        /// Why.
        reason: CutReason,
        /// The moves skipped.
        skipped: &'a [M],
    },
    /// The current node is done.
    Leave {
        /// Its value; in a search for many players, one for each.
        values: &'a [Value],
    },
    /// A sampling search weighed one child of the current node.
    Weigh {
        /// The child's move.
        mv: M,
        /// Its visits so far.
        visits: u64,
        /// What it has given so far.
        mean: f64,
        /// The bonus for having been visited little; infinite if never.
        bonus: f64,
    },
    /// … and went down this one.
    Select(M),
    /// The children of the current node become known.
    Expand(&'a [M]),
    /// A playout or a leaf evaluation ended with this value.
    Simulate {
        /// The result.
        value: f64,
        /// Parts of the result, if it mixes an evaluation with a rollout.
        mix: Option<Mixture>,
    },
    /// A node on the path took the result in, from the leaf up.
    BackUp {
        /// Its visits afterwards.
        visits: u64,
        /// Its total afterwards.
        total: f64,
    },
}

/// Sees every event of a search.
pub trait Observer<M> {
    /// Whether anybody looks. Searches test it before they prepare an event.
    fn is_active(&self) -> bool;

    /// Takes one event.
    fn event(&mut self, event: Event<'_, M>);
}

/// Nobody looks, which the compiler sees: it costs nothing.
impl<M> Observer<M> for () {
    #[inline]
    fn is_active(&self) -> bool {
        false
    }

    #[inline(always)]
    fn event(&mut self, _: Event<'_, M>) {}
}

/// The object-safe side of [`Observer`]: implement this to listen.
///
/// ```
/// use tussle_core::{Event, EventSink, Observer};
///
/// struct Count(u32);
/// impl EventSink<char> for Count {
///     fn take(&mut self, _: Event<'_, char>) {
///         self.0 += 1;
///     }
/// }
///
/// fn search<O: Observer<char>>(observer: &mut O) {
///     if observer.is_active() {
///         observer.event(Event::Select('a'));
///     }
/// }
///
/// let mut count = Count(0);
/// search(&mut ()); // compiles to nothing
/// search(&mut (&mut count as &mut dyn EventSink<char>));
/// assert_eq!(count.0, 1);
/// ```
pub trait EventSink<M> {
    /// Takes one event.
    fn take(&mut self, event: Event<'_, M>);
}

/// A closure listens too.
impl<M, F: FnMut(Event<'_, M>)> EventSink<M> for F {
    fn take(&mut self, event: Event<'_, M>) {
        self(event);
    }
}

impl<M> Observer<M> for &mut dyn EventSink<M> {
    #[inline]
    fn is_active(&self) -> bool {
        true
    }

    fn event(&mut self, event: Event<'_, M>) {
        self.take(event);
    }
}

/// Somebody may look: for searches where a test at every event does not matter, and compiling
/// them twice would.
impl<M> Observer<M> for Option<&mut dyn EventSink<M>> {
    fn is_active(&self) -> bool {
        self.is_some()
    }

    fn event(&mut self, event: Event<'_, M>) {
        if let Some(events) = self {
            events.take(event);
        }
    }
}
