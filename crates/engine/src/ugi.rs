//! The universal game interface: UCI with players counted instead of coloured, and with `query`.

pub(crate) mod client;
pub(crate) mod examiner;
mod grammar;
mod server;

pub use server::serve;
