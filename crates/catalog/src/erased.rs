//! Games, positions and agents without their types: what commands, servers and arenas see.
//!
//! Everything here is called once a move, not once a node.

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
