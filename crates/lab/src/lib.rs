//! See why a search moves, and measure what it can do.
//!
//! | | |
//! |---|---|
//! | [`Analysis`] | a search of a position and its answer, as JSON |
//! | [`explain`] | records what a real search tells while it runs, as a tree of positions and a list of steps |
//! | [`EXPERIMENTS`] | questions, each answered by a figure, its numbers and a few sentences |
//! | [`Heat`] | what a search thinks of each move, on the board |
//! | [`review`] | what every move of a game was worth, and what would have been better |
//! | [`REPRODUCTIONS`] | published tables and figures, run again beside the published numbers |
//!
//! Measurements are made on a [`Bench`]: it remembers what was measured, so that a run which was stopped goes
//! on where it was.

mod analysis;
mod bench;
mod duel;
mod error;
mod experiment;
mod explain;
mod finding;
mod heat;
mod journal;
mod known_value;
mod reproduce;
mod review;
mod words;

pub use analysis::{Analysis, tree_document};
pub use bench::{Bench, Watch};
pub use duel::Duel;
pub use error::LabError;
pub use experiment::{EXPERIMENTS, Experiment, ExperimentError, experiment};
pub use explain::{
    Beat, ChildWeight, Exercise, ExerciseError, ExplainError, Explanation, Frames, MOST_BEATS,
    MOST_FRAMES, MOST_LINES, MOST_STEPS, Node, NodeKind, Saving, Standing, Step, Tree, best_line,
    document, document_with, exercise, exercise_constant, explain, explain_within, frames, modest,
    player, story, summary, text,
};
pub use finding::{Finding, Table};
pub use heat::Heat;
pub use journal::Journal;
pub use known_value::{KnownValueNodes, known_value_nodes};
pub use reproduce::{
    Counted, REPRODUCTIONS, Reproduced, Reproduction, Row, Setting, Told, Verdict, page,
    reproduction,
};
pub use review::{
    Judged, REVIEW_NODES, Review, ReviewError, ReviewNews, Reviewer, Summary, THRESHOLDS,
    Threshold, Verdict as MoveVerdict, Worth, review,
};
pub use words::{UnknownName, grouped, stop_reason};
