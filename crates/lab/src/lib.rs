//! See why a search moves.
//!
//! [`explain`] records what a real search tells while it runs, as a tree of positions and a list of steps.

mod explain;

pub use explain::{
    Beat, Exercise, ExerciseError, ExplainError, Explanation, Kind, MOST_LINES, MOST_STEPS, Node,
    Saving, Standing, Step, Tree, Weighed, best_line, document, exercise, explain, modest, story,
    summary, text,
};
