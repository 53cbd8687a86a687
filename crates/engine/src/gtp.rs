//! The Go text protocol, version 2.

pub(crate) mod client;
pub(crate) mod examiner;
pub(crate) mod grammar;
mod server;

pub use server::{Settings, serve};
