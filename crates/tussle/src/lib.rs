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
//! let parity = |s: &(u32, usize), player| if (s.0 % 4 == 0) == (s.1 == player) { -1.0 } else { 1.0 };
//! let mut alphabeta = AlphaBeta::new(AlphaBetaOptions::default(), evaluation_fn(&game, parity)).with_table();
//!
//! // Events and progress go to closures.
//! let (mut events, mut depths, limits) = (0, 0, Limits::depth(4));
//! let (mut event, mut progress) = (|_: Event<'_, u32>| events += 1, |_: &Report<u32>| depths += 1);
//! let report = alphabeta.run(&game, &state, Query::new(&limits).on_event(&mut event).on_progress(&mut progress))?;
//! assert_eq!((report.best(), events > 0, depths > 0), (Some(&1), true, true));
//!
//! // An evaluator behind a pointer.
//! let net = evaluation_fn(&game, parity);
//! let mut alphabeta = AlphaBeta::new(AlphaBetaOptions::default(), Box::new(net) as Box<dyn Evaluator<Heap>>);
//! # assert_eq!(alphabeta.search(&game, &state, &limits)?.best(), Some(&1));
//! # Ok::<(), tussle::search::SearchError>(())
//! ```
//!
//! A net gives values and a policy in one call, and MCTS uses both. A stop flag ends a search from outside: the guard raises it when an
//! aborted request drops it.
//!
//! ```
//! use tussle::prelude::*;
//! use tussle::search::{Mcts, MctsOptions, Priors, SelectionPolicy};
//! use tussle::{Evaluations, Leaf, games::TicTacToe, games::tictactoe::State};
//!
//! struct Net; // a real one would hold its weights
//! impl Evaluator<TicTacToe> for Net {
//!     fn value(&self, _: &TicTacToe, _: &State, _player: usize) -> f64 { 0.0 }
//!     fn evaluate(&self, _: &TicTacToe, leaves: &[Leaf<'_, TicTacToe>], out: &mut Evaluations) {
//!         out.clear();
//!         out.values.resize(2 * leaves.len(), 0.5);
//!         out.policy.extend(leaves.iter().flat_map(|leaf| leaf.moves.iter().map(|_| 1.0 / leaf.moves.len() as f32)));
//!     }
//! }
//! let options = MctsOptions { policy: SelectionPolicy::Puct, priors: Priors::Evaluator, ..Default::default() };
//! let mut mcts = Mcts::new(options).with_evaluator(Net);
//!
//! let stop = StopFlag::default();
//! let _guard = stop.on_drop();
//! let (limits, game) = (Limits::nodes(500), TicTacToe);
//! let search = std::thread::spawn(move || mcts.search(&game, &game.start(), &limits.or_stop(&stop)));
//! assert_eq!(search.join().expect("no panic")?.lines.len(), 9);
//! # Ok::<(), tussle::search::SearchError>(())
//! ```
//!
//! [`Match`] plays two agents against each other and has the statistics; an agent may be a closure.
//!
//! Rules that can fail, because they live in another process or language, are a [`TryGame`]. A search over its
//! [`Fallible`] returns the first error, and so does a match.
//!
//! ```
//! use tussle::prelude::*;
//! use tussle::search::{Mcts, MctsOptions, SearchError};
//! use tussle::{Fallible, TryGame};
//! # use std::io::{Error, ErrorKind};
//! # struct Remote;
//! # impl TryGame for Remote {
//! #     type State = u32;
//! #     type Move = String;
//! #     type Error = Error;
//! #     fn start(&self) -> Result<u32, Error> { Ok(3) }
//! #     fn turn(&self, &left: &u32) -> Result<Turn, Error> {
//! #         if left == 1 { Err(ErrorKind::ConnectionReset.into()) } else { Ok(Turn::Player(0)) }
//! #     }
//! #     fn moves(&self, _: &u32) -> Result<Vec<String>, Error> { Ok(vec!["down".to_owned()]) }
//! #     fn play(&self, left: &u32, _: &String) -> Result<u32, Error> { Ok(left - 1) }
//! #     fn utility(&self, _: &u32, _: usize) -> Result<f64, Error> { Ok(0.0) }
//! # }
//!
//! let game = Fallible::new(Remote); // whose connection breaks during the search
//! let report = Mcts::new(MctsOptions::default()).search(&game, &game.start(), &Limits::nodes(100));
//! assert!(matches!(report, Err(SearchError::Rules(_))));
//! ```
//!
//! The whole product takes a game of yours by the crate `tussle-catalog`: with the line `tussle_cli::run(catalog, std::env::args_os())` a crate
//! has the command line, the arena and the board in the browser with it.
//!
//! ```
//! # use tussle::prelude::*;
//! # struct Heap(u32);
//! # impl Game for Heap {
//! #     type State = (u32, usize);
//! #     type Move = u32;
//! #     fn start(&self) -> (u32, usize) { (self.0, 0) }
//! #     fn turn(&self, s: &(u32, usize)) -> Turn { if s.0 == 0 { Turn::Over } else { Turn::Player(s.1) } }
//! #     fn moves(&self, s: &(u32, usize), out: &mut Vec<u32>) { out.extend(1..=s.0.min(3)) }
//! #     fn play(&self, s: &mut (u32, usize), take: u32) { *s = (s.0 - take, 1 - s.1) }
//! #     fn utility(&self, s: &(u32, usize), who: usize) -> f64 { if who == s.1 { -1.0 } else { 1.0 } }
//! # }
//! # impl ZeroSum for Heap {}
//! # impl Hashed for Heap {
//! #     fn board_key(&self, s: &(u32, usize)) -> u64 { tussle::mix(u64::from(s.0) * 2 + s.1 as u64) }
//! # }
//! use tussle_catalog::{Catalog, Entry};
//!
//! let catalog = Catalog::standard().with(
//!     Entry::new("heap", Heap(10)).zero_sum().hashed().evaluation_fn("parity", |s, _| f64::from(s.0 % 4)));
//! assert!(catalog.game("heap").is_ok());
//! ```
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
pub use tussle_core::{
    Fallible, FallibleState, MoveId, RulesError, TryGame, TryNotation, TryZeroSum,
};
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
    pub use tussle_games::{
        Backgammon, Connect4, DuelTree, Go, Gobblet, KeepOnMoving, ManyTree, Pentago, PentagoTwist,
        TicTacToe, backgammon, connect4, go, gobblet, keep_on_moving, pentago, tictactoe, tree,
    };
}

/// Statistics of matches: Elo with intervals, sequential tests, ratings.
pub mod stats {
    pub use tussle_stats::{
        ClusteredSamples, Elo, EloModel, Estimate, ExpectedGames, GameResult, Hypothesis,
        LatencyHistogram, Mean, PairedGame, Pentanomial, Pool, Power, PowerError, RatedGame,
        RatingPosterior, Ratings, SequentialTest, Sprt, SprtError, SprtStatus, Wdl, is_repetitive,
        sign_test, student95, wilson_interval,
    };
}

/// The searches.
pub mod search {
    // Each search with its options.
    pub use tussle_search::{
        AlphaBeta, AlphaBetaOptions, Expectimax, ExpectimaxOptions, Greedy, GreedyOptions, Maxn,
        MaxnOptions, Mcts, MctsOptions, Minimax, MinimaxOptions, Paranoid, Random,
    };
    // Values of options.
    pub use tussle_search::{
        Deepening, FinalMove, KeyFunctions, MAX_THREADS, MoveOrder, OpponentModel, Priors, Rollout,
        SelectionPolicy, TerminalValue, TieBreak, WindowMode, WrittenPlayouts,
    };
    // Agents, what they are asked, and what they answer besides a report.
    pub use tussle_search::{
        Agent, EvaluatorFault, FnAgent, ProgressCallback, Query, ScoreNode, ScoreTree, SearchError,
        TreeFilter, TreeNode, UnsupportedOption, agent_fn,
    };
    // Counts of positions and of random games.
    pub use tussle_search::{PlayoutCounts, heavy_playouts, perft, playouts};
}

/// The README's examples are tested with the others.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The examples of the tutorials are tested, too.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/tutorials/rust.md")]
#[doc = include_str!("../../../docs/tutorials/new-game.md")]
struct Tutorials;
