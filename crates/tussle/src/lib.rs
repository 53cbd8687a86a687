//! Opponents for your game: rules, games and searches in one light crate.
//!
//! Implement [`Game`] for your rules, or take one of [`games`], and hand it to an agent:
//!
//! ```
//! use tussle::games::{Connect4, connect4};
//! use tussle::prelude::*;
//! use tussle::search::{AlphaBeta, AlphaBetaOptions, Mcts, MctsOptions};
//!
//! let game = Connect4::default();
//! let mut first = Mcts::new(MctsOptions { solver: true, seed: 7, ..Default::default() });
//! let mut second = AlphaBeta::new(AlphaBetaOptions::default(), connect4::Eval::Windows).with_table();
//! let limits = Limits::nodes(500);
//!
//! let mut state = game.start();
//! while let Turn::Player(player) = game.turn(&state) {
//!     let report = match player {
//!         0 => first.search(&game, &state, &limits)?,
//!         _ => second.search(&game, &state, &limits)?,
//!     };
//!     let &mv = report.best().expect("a report has a move");
//!     game.play(&mut state, mv);
//! }
//! # Ok::<(), tussle::search::SearchError>(())
//! ```
//!
//! A game needs its rules only; [`search::Mcts`] plays it at once. Alpha-beta needs [`ZeroSum`] and an
//! [`Evaluator`], which a closure can be:
//!
//! ```
//! use tussle::prelude::*;
//! use tussle::search::{AlphaBeta, AlphaBetaOptions, Mcts, MctsOptions};
//!
//! /// Take one, two or three counters; the player who takes the last one wins.
//! struct Heap(u32);
//!
//! impl Game for Heap {
//!     type State = (u32, usize); // counters left, player to move
//!     type Move = u32;
//!
//!     fn start(&self) -> (u32, usize) { (self.0, 0) }
//!     fn turn(&self, s: &(u32, usize)) -> Turn { if s.0 == 0 { Turn::Over } else { Turn::Player(s.1) } }
//!     fn moves(&self, s: &(u32, usize), out: &mut Vec<u32>) { out.extend(1..=s.0.min(3)) }
//!     fn play(&self, s: &mut (u32, usize), take: u32) { *s = (s.0 - take, 1 - s.1) }
//!     fn utility(&self, s: &(u32, usize), who: usize) -> f64 { if who == s.1 { -1.0 } else { 1.0 } }
//! }
//! impl ZeroSum for Heap {}
//! impl Hashed for Heap {
//!     fn board_key(&self, s: &(u32, usize)) -> u64 { tussle::mix(u64::from(s.0) * 2 + s.1 as u64) }
//! }
//!
//! let (game, state) = (Heap(21), (21, 0));
//!
//! // Rules only; limits are data, and the clock starts with the search.
//! let mut mcts = Mcts::new(MctsOptions { threads: 2, keep_tree: true, ..Default::default() });
//! let report = mcts.search(&game, &state, &Limits::time(std::time::Duration::from_millis(50)))?;
//! assert_eq!(report.lines.len(), 3);
//! mcts.clear();
//!
//! // A closure as evaluation; a table, because the game is hashed.
//! let parity = evaluation_fn(&game, |s, player| if (s.0 % 4 == 0) == (s.1 == player) { -1.0 } else { 1.0 });
//! let mut alphabeta = AlphaBeta::new(AlphaBetaOptions::default(), parity).with_table();
//! let mut events = 0;
//! let mut count = |_: Event<'_, u32>| events += 1;
//! let report = alphabeta.run(&game, &state, Query::new(&Limits::depth(4)).on_event(&mut count))?;
//! assert_eq!((report.best(), events > 0), (Some(&1), true));
//!
//! // An evaluator behind a pointer.
//! let boxed: Box<dyn Evaluator<Heap>> = Box::new(evaluation_fn(&game, |s, _| f64::from(s.0 % 4)));
//! AlphaBeta::new(AlphaBetaOptions { shuffle: true, ..Default::default() }, boxed);
//! # Ok::<(), tussle::search::SearchError>(())
//! ```
//!
//! [`Match`] plays two agents against each other and has the statistics; an agent may be a closure.
//!
//! Rules that can fail, because they live in another process or language, are a [`TryGame`]. A search over its
//! [`Fallible`] returns the first error, and so does a match.
//!
//! A position in which no player is to move gives an error. Limits may be used for any number of
//! searches; no limit means no limit, so give [`search::Mcts`] one, or a [`StopFlag`].
//!
//! Nothing heavy comes along: this crate depends on its four siblings, and they on `bytemuck` alone.
//! The feature `serde` adds that crate and serialises limits, reports, clocks and options.

mod matches;

pub use matches::{Match, MatchError, MatchResult};
// Rules and capabilities of a game.
pub use tussle_core::{
    Actions, Drawn, Game, Hashed, Notation, ParseError, Payoffs, Symmetric, Turn, ZeroSum, mix,
    random_playout, zobrist,
};
// Rules that can fail.
pub use tussle_core::{Fallible, FallibleState, MoveId, RulesError, TryGame, TryZeroSum};
// Values of unfinished games.
pub use tussle_core::{Evaluations, Evaluator, FnEvaluator, Leaf, NoEvaluation, evaluation_fn};
// Limits, answers and events of searches.
pub use tussle_core::{
    Bound, CutReason, Event, EventSink, LeafKind, LimitChecker, Limits, Line, Mixture, Observer,
    Outcome, PlayerClock, Report, Rng, SearchStats, SelectionStats, Stalls, StopFlag, StopGuard,
    StopReason, TimeControl, Unit, Value, time,
};
// Drawings.
pub use tussle_core::{Anchor, Choice, Form, Ink, Mark, MarkKind, Row, Scene, Shape, Span, Spot};

/// The names that most programs need.
pub mod prelude {
    pub use tussle_core::{
        Evaluator, Event, EventSink, Game, Hashed, Limits, Line, Outcome, Report, StopFlag, Turn,
        Value, ZeroSum, evaluation_fn,
    };
    pub use tussle_search::{Agent, Query};
}

/// The games Tussle brings along.
pub mod games {
    pub use tussle_games::*;
}

/// Statistics of matches: Elo with intervals, sequential tests, ratings.
pub mod stats {
    pub use tussle_stats::*;
}

/// The searches.
pub mod search {
    pub use tussle_search::*;
}

/// The README's examples are tested with the others.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
