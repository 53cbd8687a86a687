//! List of all experiments.

use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

use super::contest::{Matches, SweptParameter};
use super::depth::{CostByDepth, Counter};
use super::growing::{GrowingTree, TreeCost, TreeGame};
use super::jobs::Throughput;
use super::known::KnownValue;
use super::line::SameLine;
use super::regret::Regret;
use super::rollouts::{PlayoutGame, PlayoutPolicies};
use super::sizes::Playouts;
use super::speedup::Speedup;
use super::spread::VisitShares;
use super::time::DepthInTime;
use super::value::{Effort, Values};
use super::visits::VisitsOnBoard;
use super::{ALL, Experiment, Group, Plan};

/// Exploration constants of the course on Pentago, and larger ones.
const EXPLORATION: &[f64] = &[
    SQRT_2 / 70.0,
    SQRT_2 / 20.0,
    SQRT_2 / 10.0,
    SQRT_2 / 7.0,
    SQRT_2 / 4.0,
    FRAC_1_SQRT_2,
    1.0,
    SQRT_2,
    2.0 * SQRT_2,
];

const fn plan(points: &'static [f64], repeats: u32) -> Plan {
    Plan { points, repeats }
}

/// All experiments, in the order of the book.
pub static EXPERIMENTS: &[Experiment] = &[
    Experiment {
        name: "depth-vs-time",
        question: "How deep does a search get in a given time?",
        game: "keep-on-moving:board=4",
        agents: &[
            ("minimax", "minimax-2020"),
            ("alpha-beta", "alphabeta-2020"),
            ("ordered", "ordered-2020"),
            ("heavy (radius 15)", "heavy-2020"),
            ("lite (radius 5)", "lite-2020"),
        ],
        axes: ["time for the move (s)", "depth reached (plies)"],
        kind: &DepthInTime(&[
            Group { title: "three searches, one evaluation", agents: 3 },
            Group { title: "one search, two evaluations", agents: 2 },
        ]),
        quick: plan(&[0.02, 0.05, 0.1, 0.2, 0.4, 0.8], 4),
        full: plan(&TIMES, 5),
    },
    Experiment {
        name: "leaves-vs-depth",
        question: "How does the number of leaves grow with the depth of a search?",
        game: "connect4",
        agents: FIXED_DEPTH,
        axes: ["depth (plies)", "leaves"],
        kind: &CostByDepth { counter: Counter::Leaves, groups: ALL },
        quick: plan(DEPTHS.split_at(12).0, 8),
        full: plan(DEPTHS.split_at(16).0, 30),
    },
    Experiment {
        name: "evaluations-vs-depth",
        question: "How does the evaluation affect the amount of pruning?",
        game: "keep-on-moving:board=4",
        agents: &[
            ("minimax", "minimax:eval=freedom"),
            (
                "alpha-beta",
                "alphabeta-textbook:eval=freedom,order=none,tt=off,window=full,dedupe=off",
            ),
            ("ordered", "alphabeta-textbook:eval=freedom,tt=off,window=full,dedupe=off"),
            ("minimax", "minimax:eval=territory"),
            (
                "alpha-beta",
                "alphabeta-textbook:eval=territory,order=none,tt=off,window=full,dedupe=off",
            ),
            ("ordered", "alphabeta-textbook:eval=territory,tt=off,window=full,dedupe=off"),
        ],
        axes: ["depth (plies)", "evaluations"],
        kind: &CostByDepth {
            counter: Counter::Evaluations,
            groups: &[
                Group { title: "freedom", agents: 3 },
                Group { title: "territory", agents: 3 },
            ],
        },
        quick: plan(DEPTHS.split_at(17).0, 8),
        full: plan(DEPTHS, 20),
    },
    Experiment {
        name: "pruned-vs-depth",
        question: "How many children does alpha-beta prune, by depth?",
        game: "connect4",
        agents: FIXED_DEPTH,
        axes: ["depth (plies)", "children left out"],
        kind: &CostByDepth { counter: Counter::Pruned, groups: ALL },
        quick: plan(DEPTHS.split_at(12).0, 8),
        full: plan(DEPTHS.split_at(16).0, 30),
    },
    Experiment {
        name: "value-vs-depth",
        question: "Does the value of a position settle as the search gets deeper?",
        game: "keep-on-moving:board=4",
        agents: &[
            ("heavy (radius 15)", "alphabeta-textbook:eval=territory,radius=15,deepen=on"),
            ("lite (radius 5)", "alphabeta-textbook:eval=territory,radius=5,deepen=on"),
        ],
        axes: ["depth (plies)", "value for player 1 (points of the evaluation)"],
        kind: &Values {
            by: Effort::Depth,
            groups: &[Group { title: "the first position", agents: 2 }],
        },
        quick: plan(&[30.0], 4),
        full: plan(&[40.0], 6),
    },
    Experiment {
        name: "value-vs-time",
        question: "How soon does a search find its final value?",
        game: "keep-on-moving:board=4",
        agents: &[
            ("minimax", "minimax:eval=territory"),
            ("alpha-beta", "alphabeta-textbook:eval=territory,order=none,tt=off,window=full"),
            ("ordered, with a table", "alphabeta-textbook:eval=territory"),
            ("heavy (radius 15)", "alphabeta-textbook:eval=territory,radius=15"),
            ("lite (radius 5)", "alphabeta-textbook:eval=territory,radius=5"),
        ],
        axes: ["time (ms)", "value for player 1 (points of the evaluation)"],
        kind: &Values {
            by: Effort::Time,
            groups: &[
                Group { title: "three searches, one evaluation", agents: 3 },
                Group { title: "one search, two evaluations", agents: 2 },
            ],
        },
        quick: plan(&[1.5], 3),
        full: plan(&[10.0], 5),
    },
    Experiment {
        name: "same-line",
        question: "Do two agents choose the same moves in the same positions?",
        game: "connect4",
        agents: &[("alpha-beta", "alphabeta-textbook"), ("minimax", "minimax")],
        axes: ["move number", "value for the first player"],
        kind: &SameLine,
        quick: plan(&[200_000.0], 42),
        full: plan(&[5_000_000.0], 42),
    },
    Experiment {
        name: "known-value",
        question: "How many nodes does a search save if it knows the value of the root?",
        game: "tictactoe",
        agents: &[("alpha-beta", "alphabeta-textbook:order=none,tt=off,window=full,dedupe=off")],
        axes: ["moves made before the search", "nodes"],
        kind: &KnownValue,
        quick: plan(&[0.0, 1.0, 2.0, 3.0, 4.0], 40),
        full: plan(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], 200),
    },
    Experiment {
        name: "speedup",
        question: "How much faster is a search with more threads?",
        game: "connect4",
        agents: &[
            ("alpha-beta", "alphabeta-textbook:depth=13"),
            ("mcts", "mcts-textbook:nodes=100000"),
        ],
        axes: ["threads", "times faster than one thread"],
        kind: &Speedup,
        quick: plan(&[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0], 5),
        full: plan(&[1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0, 64.0, 96.0], 20),
    },
    Experiment {
        name: "visits-vs-c",
        question: "How does the exploration constant change the distribution of visits?",
        game: "connect4",
        agents: &[
            ("300 simulations", "mcts-textbook:nodes=300,dedupe=off,c={x}"),
            ("3,000 simulations", "mcts-textbook:nodes=3000,dedupe=off,c={x}"),
            ("30,000 simulations", "mcts-textbook:nodes=30000,dedupe=off,c={x}"),
        ],
        axes: ["exploration constant c", "share of visits of the most visited move"],
        kind: &VisitShares,
        quick: plan(&[0.05, 0.1, 0.2, 0.5, 1.0, SQRT_2, 2.0, 5.0, 10.0], 15),
        full: plan(
            &[0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 1.0, SQRT_2, 2.0, 3.5, 5.0, 10.0, 20.0],
            100,
        ),
    },
    Experiment {
        name: "visits-heatmap",
        question: "Which moves does Monte Carlo tree search visit, and how often do they win?",
        game: "go:size=5",
        agents: &[("mcts", "mcts-textbook:dedupe=off")],
        axes: ["time (s)", "visits, win rate"],
        kind: &VisitsOnBoard { moves: &["C3", "C4", "B4"] },
        quick: plan(&[0.1, 1.0], 1),
        full: plan(&[0.1, 1.0], 1),
    },
    Experiment {
        name: "strength-vs-time",
        question: "How much stronger does a search become with more time?",
        game: "go:size=5",
        agents: &[("mcts", "mcts-textbook"), ("ids", "ids:tt=8")],
        axes: ["time for a move (ms)", "share of the points"],
        kind: &Matches {
            title: "Go 5x5: points against mcts with 1,000 simulations per move",
            opponents: &[("mcts with 1,000 simulations", "mcts-textbook:nodes=1000")],
            swept: SweptParameter::Milliseconds,
            shown: (0.0, 1.0),
            opening_plies: 2,
            game_ms: |t| 18.0 * (t + 3.0),
        },
        quick: plan(&[0.5, 1.0, 2.0, 4.0, 8.0, 16.0], 30),
        full: plan(&[0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0], 400),
    },
    Experiment {
        name: "c-sweep",
        question: "Which exploration constant is best in pentago-twist?",
        game: "pentago-twist",
        agents: &[
            ("500 simulations", "mcts-textbook:nodes=500,c={x}"),
            ("2,000 simulations", "mcts-textbook:nodes=2000,c={x}"),
        ],
        axes: ["exploration constant c", "share of the points"],
        kind: &Matches {
            title: "Pentago-twist: points of mcts against itself with c = √2",
            opponents: &[
                ("c = √2", "mcts-textbook:nodes=500,c=1.4142135623730951"),
                ("c = √2", "mcts-textbook:nodes=2000,c=1.4142135623730951"),
            ],
            swept: SweptParameter::Constant("c"),
            shown: (0.3, 1.0),
            opening_plies: 2,
            game_ms: |_| 15.0,
        },
        quick: plan(EXPLORATION, 100),
        full: plan(EXPLORATION, 4000),
    },
    Experiment {
        name: "reuse",
        question: "How much strength does tree reuse between moves add?",
        game: "pentago-twist",
        agents: &[
            ("c = √2", "mcts-textbook:nodes={x},reuse=on"),
            ("c = √2/7", "mcts-textbook:nodes={x},c=0.20203,reuse=on"),
        ],
        axes: ["simulations for a move", "share of the points"],
        kind: &Matches {
            title: "Pentago-twist: points of mcts with reuse against mcts without",
            opponents: &[
                ("c = √2 without reuse", "mcts-textbook:nodes={x}"),
                ("c = √2/7 without reuse", "mcts-textbook:nodes={x},c=0.20203"),
            ],
            swept: SweptParameter::Nodes,
            shown: (0.3, 0.7),
            opening_plies: 2,
            game_ms: |nodes| 2.0 + 0.015 * nodes,
        },
        quick: plan(&[125.0, 250.0, 500.0, 1000.0, 2000.0], 200),
        full: plan(&[250.0, 500.0, 1000.0, 2000.0, 4000.0, 8000.0, 16000.0, 32000.0], 2000),
    },
    Experiment {
        name: "rollout-policy",
        question: "Are heavy playouts worth the time they take?",
        game: "go:size=5, connect4, pentago-twist",
        agents: &[
            ("heavy", "mcts-textbook:rollout=heavy"),
            ("greedy", "mcts-textbook:rollout=greedy"),
        ],
        axes: ["game", "share of the points"],
        kind: &PlayoutPolicies {
            games: &[
                PlayoutGame {
                    name: "go 5x5",
                    spec: "go:size=5",
                    opening_plies: 2,
                    plies: 40.0,
                    simulation_ms: 0.02,
                },
                PlayoutGame {
                    name: "connect4",
                    spec: "connect4",
                    opening_plies: 3,
                    plies: 28.0,
                    simulation_ms: 0.01,
                },
                PlayoutGame {
                    name: "pentago-twist",
                    spec: "pentago-twist",
                    opening_plies: 2,
                    plies: 14.0,
                    simulation_ms: 0.08,
                },
            ],
            opponent: ("random", "mcts-textbook:rollout=random"),
        },
        // Simulations and milliseconds a move.
        quick: plan(&[150.0, 3.0], 50),
        full: plan(&[2000.0, 50.0], 400),
    },
    Experiment {
        name: "regret",
        question: "How often does a search find a proven best move, by number of nodes?",
        game: "connect4:width=5,height=4",
        agents: &[
            ("mcts", "mcts-textbook"),
            ("alphabeta", "alphabeta-textbook:tt=4"),
            ("minimax", "minimax"),
            ("greedy", "greedy"),
        ],
        axes: ["nodes or simulations for a move", "share of best moves"],
        kind: &Regret {
            title: "Connect four on 5x4: how often a proven best move is picked",
            plies: (6, 12),
        },
        quick: plan(&[10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0, 10_000.0, 30_000.0], 200),
        full: plan(&[10.0, 30.0, 100.0, 300.0, 1e3, 3e3, 1e4, 3e4, 1e5, 3e5, 1e6], 1000),
    },
    Experiment {
        name: "speed-vs-tree",
        question: "How much slower does Monte Carlo tree search become as its tree grows?",
        game: "connect4, pentago-twist, go:size=9",
        agents: GROWING,
        axes: ["simulations in the tree", "simulations a second"],
        kind: &GrowingTree { cost: TreeCost::Speed, games: TREES },
        quick: plan(SIZES.split_at(7).0, 5),
        full: plan(SIZES, 5),
    },
    Experiment {
        name: "memory-vs-nodes",
        question: "How much memory does a search tree take, by its size?",
        game: "connect4, pentago-twist, go:size=9",
        agents: GROWING,
        axes: ["simulations in the tree", "memory (MB)"],
        kind: &GrowingTree { cost: TreeCost::Memory, games: TREES },
        quick: plan(SIZES.split_at(7).0, 1),
        full: plan(SIZES, 2),
    },
    Experiment {
        name: "nodes-vs-depth",
        question: "By how much does each ply multiply the nodes of a search?",
        game: "connect4, go:size=5",
        agents: FIXED_DEPTH,
        axes: ["depth (plies)", "nodes"],
        kind: &CostByDepth { counter: Counter::Nodes, groups: ALL },
        quick: plan(DEPTHS.split_at(12).0, 8),
        full: plan(DEPTHS.split_at(16).0, 10),
    },
    Experiment {
        name: "playouts-vs-size",
        question: "How much longer does a random game take on a larger board?",
        game: "go",
        agents: &[("random", "random")],
        axes: ["side of the board (points)", "time of a game (µs)"],
        kind: &Playouts { size_param: "size" },
        quick: plan(&[5.0, 7.0, 9.0, 11.0, 13.0, 15.0, 17.0, 19.0], 10),
        full: plan(
            &[5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0],
            40,
        ),
    },
    Experiment {
        name: "games-vs-jobs",
        question: "How many games per second does a tournament play, by number of jobs?",
        game: "connect4",
        agents: &[("random", "random"), ("mcts, 1,000 simulations", "mcts-textbook:nodes=1000")],
        axes: ["games at once (--jobs)", "games a second"],
        kind: &Throughput { games: &[300, 40] },
        quick: plan(&[1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 32.0], 5),
        full: plan(&[1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0, 64.0, 96.0], 20),
    },
];

/// Classical searches, which reach a fixed depth without deepening.
const FIXED_DEPTH: &[(&str, &str)] = &[
    ("minimax", "minimax"),
    ("alpha-beta", "alphabeta-textbook:order=none,tt=off,window=full,dedupe=off"),
    ("ordered", "alphabeta-textbook:tt=off,window=full,dedupe=off"),
    ("ordered, with a table", "alphabeta-textbook:window=full,dedupe=off"),
];

/// Agent that grows a tree. If more than half of its memory were in use, it would copy the part that it keeps.
const GROWING: &[(&str, &str)] = &[("mcts", "mcts-textbook:reuse=on,memory=1300MB")];

/// Games with few moves, with many, and with slow simulations.
const TREES: &[TreeGame] = &[
    TreeGame { name: "connect4", spec: "connect4", simulation_us: 1.0 },
    TreeGame { name: "pentago-twist", spec: "pentago-twist", simulation_us: 1.5 },
    TreeGame { name: "go 9x9", spec: "go:size=9", simulation_us: 9.0 },
];

/// Sizes of trees.
const SIZES: &[f64] = &[1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 1e7];

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

/// Fifty times from 0.1 to 3 seconds, evenly spaced.
const TIMES: [f64; 50] = {
    let mut times = [0.0; 50];
    let mut i = 0;
    while i < times.len() {
        times[i] = 0.1 + 2.9 * i as f64 / 49.0;
        i += 1;
    }
    times
};
