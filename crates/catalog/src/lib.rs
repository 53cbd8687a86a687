//! Games and agents by name, with type-erased positions and searches.
//!
//! | to get | use |
//! |---|---|
//! | a game or an agent by its spec | [`Catalog::game`], [`AnyGame::agent`] |
//! | your own game in the catalog | [`Entry`], [`Catalog::with`] |
//! | moves, positions and searches as texts | [`AnyGame`], [`AnyPosition`], [`AnyAgent`] |
//! | a recorded search | [`recording`] |
//! | opening books, game files, SGF | [`book`], [`file`](mod@file), [`sgf`] |
//! | lists of games and agents | [`AGENTS`], [`PRESETS`], [`TunedAgent`], [`GameRow`], [`AgentRow`] |
//! | texts for people | [`text`], [`turns`], [`suggest`] |
//!
//! A **spec string** `name[:key=value[,key=value…]]` names a game or an agent and its parameters. One table of
//! parameters gives the help texts, defaults and error messages of each game and agent. Games are type-erased, at
//! the cost of one virtual call per move; searches are typed and make none.
//!
//! ```
//! use tussle_catalog::game;
//! use tussle_core::{Limits, Turn};
//!
//! let game = game("tictactoe")?;
//! let mut agent = game.agent("greedy", 7)?;
//! let mut position = game.start();
//! while position.turn() != Turn::Over {
//!     let report = agent.choose(position.as_ref(), &Limits::none())?;
//!     let best = report.best().expect("a player is to move");
//!     position.play(best)?;
//! }
//! assert_eq!(position.utilities(), Some(vec![1.0, -1.0]));
//! # Ok::<(), tussle_catalog::Error>(())
//! ```

mod agents;
pub mod book;
mod catalog;
mod command;
mod entry;
mod erased;
mod error;
pub mod file;
mod games;
mod keys;
mod listing;
mod number;
mod param;
mod params;
mod plain;
mod query;
pub mod recording;
pub mod sgf;
mod spec;
pub mod suggest;
pub mod text;
pub mod turns;

pub use agents::{AGENTS, AgentInfo, Evidence, HUMAN, LEVELS, PRESETS, Preset, TunedAgent};
pub use catalog::{Catalog, game, game_from_text};
pub use command::{PROTOCOL_NAMES, is_program, program_hint};
pub use entry::{AgentEntry, Entry, Evaluation, GameEntry};
pub use erased::{
    AnyAgent, AnyGame, AnyPosition, PositionDrawing, PositionKeys, PositionMeasures, PositionPlay,
};
pub use error::Error;
pub use games::{TreeFile, go_options};
pub use keys::Key;
pub use listing::{AgentRow, EvaluationRow, GameRow, ParamRow, TunedRow};
pub use number::parse_number;
pub use param::{Param, ParamKind};
pub use query::Query;
pub use spec::Spec;
pub use tussle_games::go::Options as GoOptions;
pub use tussle_games::tree::NodeStats;
pub use tussle_search::{PlayoutCounts, ScoreNode, ScoreTree, TreeFilter, TreeNode};
