//! JSON: one request per line, one reply per line.

pub(crate) mod client;
pub(crate) mod examiner;
mod grammar;
