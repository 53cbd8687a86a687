//! Explanations of searches, reviews of finished games, heat maps and exercises.
//!
//! | to get | use |
//! |---|---|
//! | a recorded search: a tree of positions and a list of steps | [`explain`], which returns an [`Explanation`] |
//! | the steps in words | [`Explanation::narration`], [`Explanation::summary`] |
//! | a picture of the tree after each step | [`Explanation::frames`] |
//! | one HTML page that steps through the search | [`Explanation::page`] |
//! | a UCB1 exercise on a tree with wins and visits, solved | [`exercise`] |
//! | the value of each move, drawn on the board | [`Heat`] |
//! | an assessment of every move of a game | [`review`] |
//! | a report, a recorded search or an exercise as JSON | [`Analysis`], [`Explanation::document`], [`Exercise::document`] |
//!
//! Texts and pictures are made from the same recording, so that they agree.

mod analysis;
mod bound;
mod document;
mod exercise;
mod explanation;
mod frames;
mod heat;
mod known_value;
mod narration;
mod number;
mod page;
mod review;
pub mod words;

#[cfg(test)]
mod tests;

pub use analysis::{Analysis, AnalysisDocument, TreeDocument};
pub use document::ExplanationDocument;
pub use exercise::{
    Exercise, ExerciseDocument, ExerciseError, ExerciseNode, exercise, exercise_constant,
};
pub use explanation::{
    ExplainError, Explanation, MAX_STEPS, Saving, explain, explain_within, readable_limits,
};
pub use frames::{Frames, MAX_FRAMES};
pub use heat::Heat;
pub use known_value::{KnownValueNodes, known_value_nodes};
pub use narration::{MAX_TEXT_LINES, NarrationLine};
pub use review::{
    MoveAssessment, MoveVerdict, MoveWorth, PlayerSummary, REVIEW_NODES, Review, ReviewError,
    ReviewNews, Reviewer, review,
};
