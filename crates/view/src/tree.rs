//! Drawing trees.

mod layout;

pub use layout::{Item, Place, place};
