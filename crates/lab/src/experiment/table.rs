//! All experiments.

use super::{Against, Experiment, Group, Measure, Plan, Stat};

/// All experiments, in the order of the book.
pub static EXPERIMENTS: &[Experiment] = &[
    Experiment {
        name: "depth-vs-time",
        question: "How many plies deep does a search come in a given time?",
        game: "keep-on-moving:board=4",
        agents: &[
            ("minimax", "minimax-2020"),
            ("alpha-beta", "alphabeta-2020"),
            ("ordered", "ordered-2020"),
            ("heavy (radius 15)", "heavy-2020"),
            ("lite (radius 5)", "lite-2020"),
        ],
        axes: ["time for the move (s)", "depth reached (plies)"],
        measure: Measure::DepthInTime(&[
            Group { title: "three searches, one evaluation", agents: 3 },
            Group { title: "one search, two evaluations", agents: 2 },
        ]),
        quick: Plan { points: &[0.02, 0.05, 0.1, 0.2, 0.4, 0.8], repeats: 4 },
        full: Plan { points: &TIMES, repeats: 5 },
    },
    Experiment {
        name: "leaves-vs-depth",
        question: "How many leaves does a search look at, the deeper it looks?",
        game: "connect4",
        agents: &[
            ("minimax", "minimax"),
            ("alpha-beta", "alphabeta:order=none,tt=off,window=full,dedupe=off"),
            ("ordered", "alphabeta:tt=off,window=full,dedupe=off"),
            ("ordered, with a table", "alphabeta:window=full,dedupe=off"),
        ],
        axes: ["depth (plies)", "leaves"],
        measure: Measure::ToDepth(Stat::Leaves, ALL),
        quick: Plan { points: DEPTHS.split_at(12).0, repeats: 8 },
        full: Plan { points: DEPTHS.split_at(16).0, repeats: 30 },
    },
    Experiment {
        name: "evaluations-vs-depth",
        question: "How much does the evaluation decide what can be pruned?",
        game: "keep-on-moving:board=4",
        agents: &[
            ("minimax", "minimax:eval=freedom"),
            ("alpha-beta", "alphabeta:eval=freedom,order=none,tt=off,window=full,dedupe=off"),
            ("ordered", "alphabeta:eval=freedom,tt=off,window=full,dedupe=off"),
            ("minimax", "minimax:eval=territory"),
            ("alpha-beta", "alphabeta:eval=territory,order=none,tt=off,window=full,dedupe=off"),
            ("ordered", "alphabeta:eval=territory,tt=off,window=full,dedupe=off"),
        ],
        axes: ["depth (plies)", "evaluations"],
        measure: Measure::ToDepth(
            Stat::Evaluations,
            &[Group { title: "freedom", agents: 3 }, Group { title: "territory", agents: 3 }],
        ),
        quick: Plan { points: DEPTHS.split_at(17).0, repeats: 8 },
        full: Plan { points: DEPTHS, repeats: 20 },
    },
    Experiment {
        name: "pruned-vs-depth",
        question: "How much does alpha-beta leave out, the deeper it looks?",
        game: "connect4",
        agents: &[
            ("minimax", "minimax"),
            ("alpha-beta", "alphabeta:order=none,tt=off,window=full,dedupe=off"),
            ("ordered", "alphabeta:tt=off,window=full,dedupe=off"),
            ("ordered, with a table", "alphabeta:window=full,dedupe=off"),
        ],
        axes: ["depth (plies)", "children left out"],
        measure: Measure::ToDepth(Stat::Pruned, ALL),
        quick: Plan { points: DEPTHS.split_at(12).0, repeats: 8 },
        full: Plan { points: DEPTHS.split_at(16).0, repeats: 30 },
    },
    Experiment {
        name: "value-vs-depth",
        question: "Does a position's value settle, the deeper a search looks?",
        game: "keep-on-moving:board=4",
        agents: &[
            ("heavy (radius 15)", "alphabeta:eval=territory,radius=15,deepen=on"),
            ("lite (radius 5)", "alphabeta:eval=territory,radius=5,deepen=on"),
        ],
        axes: ["depth (plies)", "value for player 1 (cells)"],
        measure: Measure::Value(
            Against::Depth,
            &[Group { title: "the first position", agents: 2 }],
        ),
        quick: Plan { points: &[30.0], repeats: 4 },
        full: Plan { points: &[40.0], repeats: 6 },
    },
    Experiment {
        name: "value-vs-time",
        question: "How soon does a search know what it will say in the end?",
        game: "keep-on-moving:board=4",
        agents: &[
            ("minimax", "minimax:eval=territory"),
            ("alpha-beta", "alphabeta:eval=territory,order=none,tt=off,window=full"),
            ("ordered, with a table", "alphabeta:eval=territory"),
            ("heavy (radius 15)", "alphabeta:eval=territory,radius=15"),
            ("lite (radius 5)", "alphabeta:eval=territory,radius=5"),
        ],
        axes: ["time (ms)", "value for player 1 (cells)"],
        measure: Measure::Value(
            Against::Time,
            &[
                Group { title: "three searches, one evaluation", agents: 3 },
                Group { title: "one search, two evaluations", agents: 2 },
            ],
        ),
        quick: Plan { points: &[1.5], repeats: 3 },
        full: Plan { points: &[10.0], repeats: 5 },
    },
    Experiment {
        name: "same-line",
        question: "Do two agents answer the same positions alike?",
        game: "connect4",
        agents: &[("alpha-beta", "alphabeta"), ("minimax", "minimax")],
        axes: ["move number", "value for the first player"],
        measure: Measure::SameLine,
        quick: Plan { points: &[200_000.0], repeats: 42 },
        full: Plan { points: &[5_000_000.0], repeats: 42 },
    },
    Experiment {
        name: "known-value",
        question: "What does it save to know what the root is worth?",
        game: "tictactoe",
        agents: &[("alpha-beta", "alphabeta:order=none,tt=off,window=full,dedupe=off")],
        axes: ["moves made before the search", "nodes"],
        measure: Measure::KnownValue,
        quick: Plan { points: &[0.0, 1.0, 2.0, 3.0, 4.0], repeats: 40 },
        full: Plan { points: &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], repeats: 200 },
    },
    Experiment {
        name: "speedup",
        question: "How much faster are more threads?",
        game: "connect4",
        agents: &[("alpha-beta", "alphabeta:depth=13"), ("mcts", "mcts:nodes=100000")],
        axes: ["threads", "times faster than one thread"],
        measure: Measure::Speedup,
        quick: Plan { points: &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0], repeats: 5 },
        full: Plan {
            points: &[1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0, 64.0, 96.0],
            repeats: 20,
        },
    },
];

/// All agents in one chart.
const ALL: &[Group] = &[Group { title: "", agents: usize::MAX }];

/// 1, 2, 3 … plies.
const DEPTHS: &[f64] = &{
    let mut depths = [0.0; 26];
    let mut i = 0;
    while i < depths.len() {
        depths[i] = (i + 1) as f64;
        i += 1;
    }
    depths
};

/// Fifty times from 0.1 to 3 seconds, evenly apart.
const TIMES: [f64; 50] = {
    let mut times = [0.0; 50];
    let mut i = 0;
    while i < times.len() {
        times[i] = 0.1 + 2.9 * i as f64 / 49.0;
        i += 1;
    }
    times
};
