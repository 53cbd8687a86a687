//! Type-erased games, positions and agents, for commands, servers and the arena.
//!
//! These methods are called once per move, not once per node.

mod agent;
mod drawing;
mod game;
mod keys;
mod measures;
mod play;
mod position;
mod rules;
mod seat;

pub use agent::AnyAgent;
pub use drawing::PositionDrawing;
pub use game::AnyGame;
pub use keys::PositionKeys;
pub use measures::PositionMeasures;
pub use play::PositionPlay;
pub use position::AnyPosition;
pub(crate) use position::Position;
pub(crate) use rules::Rules;
pub(crate) use seat::seat;
