//! See why a search moves.
//!
//! [`explain`] records what a real search tells while it runs, as a tree of positions and a list of steps.

mod explain;

pub use explain::{
    Beat, ExplainError, Explanation, Frames, Kind, MOST_BEATS, MOST_FRAMES, MOST_STEPS, Node, Step,
    Tree, Weighed, explain, frames, player, story,
};
