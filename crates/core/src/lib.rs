//! The vocabulary of Tussle: games, limits of searches, and their reports.
//!
//! A game is one [`Game`] implementation: a value holding the rules, a plain-data state, a
//! `Copy` move. Further traits are optional capabilities of a game; generic code requires only
//! those that it uses:
//!
//! | trait | what it adds |
//! |---|---|
//! | [`ZeroSum`] | two players, one's gain is the other's loss |
//! | [`Hashed`] | 64-bit keys for tables and books |
//! | [`Symmetric`] | the board's symmetries |
//! | [`Tactics`] | moves that win or lose at once, found without a search |
//! | [`Actions`] | fixed numbers of moves, for masks and nets |
//! | [`Notation`] | moves and positions as text |
//! | [`Drawn`] | a drawing of a position with clickable spots: a [`Scene`] |
//!
//! Rules that can fail, because they live in another process or language, implement [`TryGame`];
//! [`Fallible`] makes a game of them.
//!
//! A search takes [`Limits`], sends its events to an [`Observer`], values unfinished games with an
//! [`Evaluator`], and returns a [`Report`]. A [`TimeControl`] gives the time limits of each move.
//!
//! This crate has no unsafe code and no dependencies, except `serde` with the feature of that name: then
//! limits, reports and clocks can be serialised.
//!
//! ```
//! use tussle_core::{Game, Rng, Turn};
//!
//! /// One heap of counters. Each move takes one, two or three; the player who takes the last one wins.
//! struct Heap(u32);
//!
//! impl Game for Heap {
//!     type State = (u32, usize); // counters left, player to move
//!     type Move = u32;
//!
//!     fn start(&self) -> Self::State {
//!         (self.0, 0)
//!     }
//!     fn turn(&self, &(left, player): &Self::State) -> Turn {
//!         if left == 0 { Turn::Over } else { Turn::Player(player) }
//!     }
//!     fn moves(&self, &(left, _): &Self::State, out: &mut Vec<u32>) {
//!         out.extend(1..=left.min(3));
//!     }
//!     fn play(&self, state: &mut Self::State, take: u32) {
//!         *state = (state.0 - take, 1 - state.1);
//!     }
//!     fn utility(&self, &(_, player): &Self::State, who: usize) -> f64 {
//!         if who == player { -1.0 } else { 1.0 } // the player to move found nothing left
//!     }
//! }
//!
//! let game = Heap(10);
//! let mut state = game.start();
//! assert_eq!(game.legal_moves(&state), [1, 2, 3]);
//! let plies = game.playout(&mut state, &mut Rng::new(1), &mut Vec::new());
//! assert!((4..=10).contains(&plies));
//! assert_eq!(game.turn(&state), Turn::Over);
//! ```

#![forbid(unsafe_code)]

mod actions;
mod bytes;
mod clock;
mod duration;
mod evaluator;
mod fallible;
pub mod format;
mod game;
mod hashed;
#[cfg(feature = "serde")]
mod infinite;
mod limits;
mod names;
mod notation;
mod observer;
mod report;
mod rng;
mod scene;
mod symmetric;
mod tactics;
mod threads;
pub mod time;
mod value;
mod zero_sum;

pub use actions::Actions;
pub use bytes::parse_bytes;
pub use clock::{PlayerClock, TimeControl};
pub use duration::{duration_text, parse_any_duration, parse_duration};
pub use evaluator::{Evaluations, Evaluator, FnEvaluator, Leaf, NoEvaluation, evaluation_fn};
pub use fallible::{Fallible, FallibleState, MoveId, RulesError, TryGame, TryNotation, TryZeroSum};
pub use game::{Game, Payoffs, Turn, random_playout};
pub use hashed::{Hashed, mix, zobrist};
pub use limits::{LimitChecker, Limits, Stalls, StopFlag, StopGuard, StopReason};
pub use notation::{Notation, ParseError};
pub use observer::{CutReason, Event, EventSink, LeafKind, Mixture, Observer};
pub use report::{Bound, Line, Outcome, Report, SearchStats, SelectionStats};
pub use rng::Rng;
pub use scene::{Anchor, Choice, Drawn, Form, Ink, Mark, MarkKind, Row, Scene, Shape, Span, Spot};
pub use symmetric::Symmetric;
pub use tactics::{
    EarliestEnds, Tactic, Tactics, generic_narrow, generic_winning_moves, retain_from,
};
pub use threads::spawn_scoped;
pub use value::{Unit, Value};
pub use zero_sum::ZeroSum;
