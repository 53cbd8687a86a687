//! Shared parts of the servers: the agent, its search, input and output.
//!
//! A server reads lines from any input and writes to any output, so that tests need no process.

mod agent;
#[cfg(test)]
pub(crate) mod conversation;
mod input;
pub(crate) mod output;
pub(crate) mod search;

pub use agent::EngineAgent;
pub use input::{MAX_LINE_BYTES, next_line};
