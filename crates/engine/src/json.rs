//! JSON: one request a line, one reply a line.

pub(crate) mod client;
pub(crate) mod examiner;
