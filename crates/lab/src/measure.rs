//! Measuring: the context with its cache, matches, and positions to search.

pub(crate) mod cache;
pub(crate) mod context;
pub(crate) mod duel;
pub(crate) mod positions;
pub(crate) mod problem;
