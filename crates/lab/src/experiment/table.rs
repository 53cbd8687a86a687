//! All experiments.

use super::{Experiment, Measure, Plan, Stat};

/// All experiments, in the order of the book.
pub static EXPERIMENTS: &[Experiment] = &[Experiment {
    name: "leaves-vs-depth",
    question: "How many leaves does a search look at, the deeper it looks?",
    game: "connect4",
    agents: &[
        ("minimax", "minimax"),
        ("alpha-beta", "alphabeta:order=none,tt=off"),
        ("ordered", "alphabeta:tt=off"),
    ],
    axes: ["depth (plies)", "leaves"],
    measure: Measure::ToDepth(Stat::Leaves),
    quick: Plan { points: &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], repeats: 5 },
    full: Plan { points: &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], repeats: 20 },
}];
