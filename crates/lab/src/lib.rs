//! See why a search moves.
//!
//! [`explain`] records what a real search tells while it runs, as a tree of positions and a list of steps.

mod explain;

pub use explain::{
    Beat, ExplainError, Explanation, Kind, MOST_STEPS, Node, Step, Tree, Weighed, explain, story,
};
