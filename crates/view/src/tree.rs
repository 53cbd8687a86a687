//! Drawing trees: who is where ([`place`]), and the picture of it ([`scene`]).

mod layout;
mod picture;

pub use layout::{Item, Place, place};
pub use picture::{Fate, Outline, Vertex, scene};
