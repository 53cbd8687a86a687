//! The Go text protocol, version 2.

pub(crate) mod client;
pub(crate) mod examiner;
mod server;

pub use server::{Settings, serve};
