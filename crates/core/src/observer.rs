//! Events of a search, for observers.
//!
//! A search sends every event to an [`Observer`]; explanations are recordings of these events. The
//! empty observer `()` compiles to nothing.
//!
//! Values in events are those of the first player, independent of the player to move. The
//! means and totals of Monte Carlo tree search are the only exception: they belong to the player who
//! makes the move, and are rewards from 0 for a loss to 1 for a win, or points.

use crate::Value;

/// Reason why the remaining moves of a node were pruned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CutReason {
    /// A value reached beta at a maximising node.
    Beta,
    /// A value fell to alpha at a minimising node.
    Alpha,
    /// The mean of a chance node can no longer reach the window.
    Chance,
    /// The value in the transposition table was sufficient.
    Table,
    /// Shallow pruning in a game of more than two players: by the limit on the sum of all values,
    /// no other move can affect the root.
    Shallow,
}

/// Source of the value of a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LeafKind {
    /// The result of a finished game.
    End,
    /// The evaluation of a position at the horizon.
    Evaluation,
    /// The transposition table.
    Table,
    /// Tactics: a move wins at once, or every move loses at once.
    Tactics,
    /// The opening book.
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

/// One action of a search. Classical searches open a node with `Enter` and close it with `Leave`;
/// Monte Carlo tree search sends `Select`, `Expand`, `Simulate` and `BackUp` for every simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event<'a, M> {
    /// A new iteration of iterative deepening, or a new simulation, starts.
    Iteration(u32),
    /// A node is entered with this window.
    Enter {
        /// The move that led to the node; `None` at the root.
        mv: Option<M>,
        /// Lower end of the window; [`Value::BELOW_ALL`] if there is none.
        alpha: Value,
        /// Upper end of the window; [`Value::ABOVE_ALL`] if there is none.
        beta: Value,
    },
    /// The node just entered has this value without further search.
    Leaf {
        /// Its value; in max^n one value per player.
        values: &'a [Value],
        /// Source of the value.
        kind: LeafKind,
    },
    /// The value of a child narrowed the window of the current node.
    Window {
        /// The child's move.
        by: M,
        /// Lower end afterwards.
        alpha: Value,
        /// Upper end afterwards.
        beta: Value,
    },
    /// The value of the current node is the mean over its moves, by an opponent model.
    Odds {
        /// The moves.
        moves: &'a [M],
        /// Their probabilities; they sum to 1.
        probabilities: &'a [f64],
    },
    /// The remaining moves of the current node are skipped.
    Cut {
        /// Reason for the cutoff.
        reason: CutReason,
        /// The moves skipped.
        skipped: &'a [M],
    },
    /// The current node is finished.
    Leave {
        /// Its value; in max^n one value per player.
        values: &'a [Value],
    },
    /// Selection compares one child of the current node.
    Weigh {
        /// The child's move.
        mv: M,
        /// Its visits so far.
        visits: u64,
        /// Mean reward of the child so far.
        mean: f64,
        /// Exploration bonus; infinite for an unvisited child.
        bonus: f64,
    },
    /// Selection enters the child after this move.
    Select(M),
    /// The children of the current node are added to the tree.
    Expand(&'a [M]),
    /// A playout or a leaf evaluation ended with this value.
    Simulate {
        /// The result.
        value: f64,
        /// Parts of the result, if it mixes an evaluation with a rollout.
        mix: Option<Mixture>,
    },
    /// The result was added to a node of the selected path. Nodes follow one another from the leaf to the root.
    BackUp {
        /// Visits of the node afterwards.
        visits: u64,
        /// Sum of the node's rewards afterwards.
        total: f64,
    },
}

/// Receiver of every event of a search.
pub trait Observer<M> {
    /// Returns true if events are wanted. Searches check it before they prepare an event.
    fn is_active(&self) -> bool;

    /// Receives one event.
    fn event(&mut self, event: Event<'_, M>);
}

/// Observer that wants no events. The compiler removes all of its code.
impl<M> Observer<M> for () {
    #[inline]
    fn is_active(&self) -> bool {
        false
    }

    #[inline(always)]
    fn event(&mut self, _: Event<'_, M>) {}
}

/// Object-safe form of [`Observer`]. Implement this trait to receive events.
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
    /// Receives one event.
    fn take(&mut self, event: Event<'_, M>);
}

/// A closure that takes events is a sink.
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

/// Optional observer, for searches in which a check per event costs little: they need not be compiled a
/// second time for `()`.
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
