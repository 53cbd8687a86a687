//! Our agents as engines for other people's programs: the other side of the protocols.
//!
//! Each engine reads lines from any input and writes to any output, so that tests need no
//! process.

#[cfg(test)]
mod conversation;
pub mod gtp;
mod input;
mod output;
mod player;
mod search;
pub mod ugi;

pub use input::{LONGEST_LINE, next_line};
pub use player::Player;
