//! All published tables and figures that can be run again.

use std::time::Duration;

use tussle_core::TimeControl;

use super::matches::{Better, Claim, Count, Effort, Match, Published, Timed};
use super::verdict::Counted;
use super::{Part, Reproduction, exact};

/// All of them, in the order of the report.
pub static REPRODUCTIONS: &[Reproduction] = &[
    Reproduction {
        name: "gobblet",
        title: "Gobblet: greedy players",
        source: "a Gobblet course: tournaments of 100 and of 1000 games, half of them with swapped seats",
        claim: "Greedy beats a random player in 94 of 100 games, greedy-improved in 99, and greedy-improved beats \
                greedy in all. Between players without dice every game is the same.",
        parts: &[
            Part::Match(against_random(
                ["greedy", "random"],
                &[as_they_are(["greedy", "random"], [2000, 50_000])],
                &[
                    wins("greedy beats random, 100 games", 94, 100),
                    wins("greedy beats random, 1000 games", 926, 1000),
                    share("greedy and random tie, 1000 games", Count::Ties, 3, 1000),
                    share("random beats greedy, 1000 games", Count::Losses, 71, 1000),
                ],
            )),
            Part::Match(against_random(
                ["greedy-improved", "random"],
                &[as_they_are(["greedy-improved", "random"], [2000, 50_000])],
                &[
                    wins("greedy-improved beats random, 100 games", 99, 100),
                    wins("greedy-improved beats random, 1000 games", 988, 1000),
                    share("greedy-improved and random tie, 1000 games", Count::Ties, 0, 1000),
                    share("random beats greedy-improved, 1000 games", Count::Losses, 12, 1000),
                ],
            )),
            Part::Match(against_random(
                ["greedy", "greedy-improved"],
                &[as_they_are(["greedy", "greedy-improved"], [100, 100])],
                &[share("greedy-improved beats greedy", Count::Losses, 100, 100)],
            )),
            Part::Exact(exact::gobblet),
        ],
        notes: &[
            "Neither greedy nor greedy-improved has dice: all 100 games between them are the same two games, \
                  one from each side.",
        ],
    },
    Reproduction {
        name: "keep-on-moving-alphabeta",
        title: "Keep on moving: minimax v alpha-beta",
        source: "a keep-on-moving course: one game on each board from each side, 2 s a move",
        claim: "With 2 s a move all games on boards 0 to 3 are ties, and alpha-beta wins on board 4 from both sides.",
        parts: &[Part::Match(Match {
            boards: BOARDS,
            names: ["minimax", "alphabeta"],
            efforts: &[
                nodes(
                    "150 nodes a move",
                    ["minimax-2020:nodes=150", "alphabeta-2020:nodes=150"],
                    8,
                ),
                nodes(
                    "400 nodes a move",
                    ["minimax-2020:nodes=400", "alphabeta-2020:nodes=400"],
                    15,
                ),
                nodes(
                    "700 nodes a move",
                    ["minimax-2020:nodes=700", "alphabeta-2020:nodes=700"],
                    25,
                ),
            ],
            beyond: &[],
            timed: Some(two_seconds(["minimax-2020", "alphabeta-2020"])),
            claims: &[
                pooled("boards 0 to 3, both sides: ties", &[0, 1, 2, 3], Count::Ties, 8),
                pooled("board 4, both sides: alphabeta wins", &[4], Count::Losses, 2),
                single("board 0, minimax first: a tie", &[0], 0, Count::Ties),
                single("board 0, alphabeta first: a tie", &[0], 1, Count::Ties),
                single("board 1, minimax first: a tie", &[1], 0, Count::Ties),
                single("board 1, alphabeta first: a tie", &[1], 1, Count::Ties),
                single("board 2, minimax first: a tie", &[2], 0, Count::Ties),
                single("board 2, alphabeta first: a tie", &[2], 1, Count::Ties),
                single("board 3, minimax first: a tie", &[3], 0, Count::Ties),
                single("board 3, alphabeta first: a tie", &[3], 1, Count::Ties),
                single("board 4, minimax first: alphabeta wins", &[4], 0, Count::Losses),
                single("board 4, alphabeta first: alphabeta wins", &[4], 1, Count::Losses),
            ],
        })],
        notes: &[EFFORT_NOTE, EVALUATION_NOTE, TIES_NOTE],
    },
    Reproduction {
        name: "keep-on-moving-heavy",
        title: "Keep on moving: heavy v lite evaluation",
        source: "a keep-on-moving course: one game on each board from each side, 2 s a move",
        claim: "With 2 s a move all games on boards 0 to 3 are ties, and the heavy evaluation wins on board 4 from \
                both sides.",
        parts: &[Part::Match(Match {
            boards: BOARDS,
            names: ["heavy", "lite"],
            efforts: &[
                nodes("150 nodes a move", ["heavy-2020:nodes=150", "lite-2020:nodes=150"], 8),
                nodes("400 nodes a move", ["heavy-2020:nodes=400", "lite-2020:nodes=400"], 15),
                nodes("700 nodes a move", ["heavy-2020:nodes=700", "lite-2020:nodes=700"], 25),
            ],
            beyond: &[],
            timed: Some(two_seconds(["heavy-2020", "lite-2020"])),
            claims: &[
                pooled("boards 0 to 3, both sides: ties", &[0, 1, 2, 3], Count::Ties, 8),
                pooled("board 4, both sides: heavy wins", &[4], Count::Wins, 2),
                single("board 0, heavy first: a tie", &[0], 0, Count::Ties),
                single("board 0, lite first: a tie", &[0], 1, Count::Ties),
                single("board 1, heavy first: a tie", &[1], 0, Count::Ties),
                single("board 1, lite first: a tie", &[1], 1, Count::Ties),
                single("board 2, heavy first: a tie", &[2], 0, Count::Ties),
                single("board 2, lite first: a tie", &[2], 1, Count::Ties),
                single("board 3, heavy first: a tie", &[3], 0, Count::Ties),
                single("board 3, lite first: a tie", &[3], 1, Count::Ties),
                single("board 4, heavy first: heavy wins", &[4], 0, Count::Wins),
                single("board 4, lite first: heavy wins", &[4], 1, Count::Wins),
            ],
        })],
        notes: &[
            EFFORT_NOTE,
            "Equal nodes favour heavy a little: in equal time its evaluation, which looks 15 steps out instead of 5, \
             would see fewer of them.",
            TIES_NOTE,
        ],
    },
    Reproduction {
        name: "keep-on-moving-graphs",
        title: "Keep on moving: how deep, at what price",
        source: "a keep-on-moving course: graphs of depth against 50 times from 0.1 to 3 s, and of leaves",
        claim: "Alpha-beta looks at fewer leaves than minimax and gets deeper in the same time; sorting the moves of \
                the root by their last values helps a little more.",
        parts: &[Part::Graphs],
        notes: &[
            "The course showed curves without numbers. “Always” and “mostly” are our reading of them: at every \
                  point, and at half of the points or more. Depths in a time are compared with a tolerance for noise.",
        ],
    },
    Reproduction {
        name: "go-mcts",
        title: "Go 5x5: Monte Carlo tree search v the others",
        source: "a Go course: what its own agents are expected to do, 15 s + 1 s a move, no sample given",
        claim: "Monte Carlo tree search beats greedy almost always, and alpha-beta mostly.",
        parts: &[
            Part::Match(Match {
                boards: &["go:size=5"],
                names: ["mcts", "greedy"],
                efforts: &[go(MANY, "300 simulations a move", ["mcts-go:nodes=300", "greedy"], 30)],
                beyond: &[
                    go(MANY, "300, expand=one", ["mcts-go:nodes=300,expand=one", "greedy"], 30),
                    go(MANY, "1000 simulations", ["mcts-go:nodes=1000", "greedy"], 80),
                    go(SOME, "3000 simulations", ["mcts-go:nodes=3000", "greedy"], 200),
                ],
                timed: Some(bank(["mcts-go", "greedy"], &[0], &[20], &[40.0])),
                claims: &[words("mcts beats greedy", "almost always", 0.9)],
            }),
            Part::Match(Match {
                boards: &["go:size=5"],
                names: ["mcts", "alphabeta"],
                efforts: &[go(
                    MANY,
                    "300 simulations a move",
                    ["mcts-go:nodes=300", "alphabeta:depth=2"],
                    10,
                )],
                beyond: &[
                    go(
                        MANY,
                        "300, expand=one",
                        ["mcts-go:nodes=300,expand=one", "alphabeta:depth=2"],
                        30,
                    ),
                    go(MANY, "1000 simulations", ["mcts-go:nodes=1000", "alphabeta:depth=2"], 40),
                    go(SOME, "3000 simulations", ["mcts-go:nodes=3000", "alphabeta:depth=2"], 140),
                ],
                timed: Some(bank(["mcts-go", "alphabeta:depth=2"], &[2], &[20], &[40.0])),
                claims: &[words("mcts beats alphabeta (depth 2)", "mostly", 0.5)],
            }),
            Part::Match(Match {
                boards: &["go:size=5"],
                names: ["mcts", "ids"],
                efforts: &[go(
                    MANY,
                    "300 simulations and 300 nodes a move",
                    ["mcts-go:nodes=300", "ids:nodes=300"],
                    10,
                )],
                beyond: &[
                    go(
                        MANY,
                        "300, expand=one",
                        ["mcts-go:nodes=300,expand=one", "ids:nodes=300"],
                        30,
                    ),
                    go(MANY, "1000 and 1000", ["mcts-go:nodes=1000", "ids:nodes=1000"], 40),
                    go(SOME, "3000 and 3000", ["mcts-go:nodes=3000", "ids:nodes=3000"], 140),
                ],
                timed: Some(bank(["mcts-go", "ids"], &[0], &[20], &[75.0])),
                claims: &[UNPUBLISHED],
            }),
        ],
        notes: &[
            "“Almost always” is read as 90 % of the games or more, “mostly” as half of them or more.",
            "The course printed no leaf counts. 300 simulations are the most that the other courses' printouts show.",
            "The course's search simulates every new child once (expand=all), up to 26 simulations for each node it \
             opens. The row with expand=one changes only that: compare them.",
        ],
    },
    Reproduction {
        name: "pentago-c",
        title: "Pentago-twist: the constant of UCB1",
        source: "a Pentago course: 20 games of each constant against c = 1, 30 s for the first move and 2 s for others",
        claim: "Small constants are better: √2/7 won 20 of 20 games against c = 1, √2 11, √2/4 15 and √2/10 17.",
        parts: &[
            Part::Match(constant(
                ["c = √2", "c = 1"],
                &[pentago(CLEAR, "3000 simulations a move", [ROOT_2[1], ONE[1]], 70)],
                &[
                    pentago(TWENTY, "the first 20 games", [ROOT_2[1], ONE[1]], 70),
                    pentago(SOME, "300 simulations", [ROOT_2[0], ONE[0]], 20),
                    pentago(SOME, "10 000 simulations", [ROOT_2[2], ONE[2]], 230),
                ],
                ["mcts-pentago:c=1.4142135623730951", "mcts-pentago:c=1"],
                &[wins("√2 beats 1", 11, 20)],
            )),
            Part::Match(constant(
                ["c = √2/4", "c = 1"],
                &[pentago(CLEAR, "3000 simulations a move", [QUARTER[1], ONE[1]], 70)],
                &[
                    pentago(TWENTY, "the first 20 games", [QUARTER[1], ONE[1]], 70),
                    pentago(SOME, "300 simulations", [QUARTER[0], ONE[0]], 20),
                    pentago(SOME, "10 000 simulations", [QUARTER[2], ONE[2]], 230),
                ],
                ["mcts-pentago:c=0.3535533905932738", "mcts-pentago:c=1"],
                &[wins("√2/4 beats 1", 15, 20)],
            )),
            Part::Match(constant(
                ["c = √2/7", "c = 1"],
                &[pentago(CLEAR, "3000 simulations a move", [SEVENTH[1], ONE[1]], 70)],
                &[
                    pentago(TWENTY, "the first 20 games", [SEVENTH[1], ONE[1]], 70),
                    pentago(SOME, "300 simulations", [SEVENTH[0], ONE[0]], 20),
                    pentago(SOME, "10 000 simulations", [SEVENTH[2], ONE[2]], 230),
                ],
                ["mcts-pentago", "mcts-pentago:c=1"],
                &[wins("√2/7 beats 1", 20, 20)],
            )),
            Part::Match(constant(
                ["c = √2/10", "c = 1"],
                &[pentago(CLEAR, "3000 simulations a move", [TENTH[1], ONE[1]], 70)],
                &[
                    pentago(TWENTY, "the first 20 games", [TENTH[1], ONE[1]], 70),
                    pentago(SOME, "300 simulations", [TENTH[0], ONE[0]], 20),
                    pentago(SOME, "10 000 simulations", [TENTH[2], ONE[2]], 230),
                ],
                ["mcts-pentago:c=0.1414213562373095", "mcts-pentago:c=1"],
                &[wins("√2/10 beats 1", 17, 20)],
            )),
            Part::Better(Better {
                what: "√2/7 is better than √2/10",
                matches: [2, 3],
                published: [Counted::new(20, 20), Counted::new(17, 20)],
            }),
            Part::Better(Better {
                what: "√2/7 is better than √2/4",
                matches: [2, 1],
                published: [Counted::new(20, 20), Counted::new(15, 20)],
            }),
        ],
        notes: &[
            "Why √2/7 won 20 of 20 is open. Having picked the best of four samples does not explain it alone, and how many \
             simulations the published player made is not known: the verdict on this row depends on the budget and on \
             the number of games, so see the other budgets, too.",
            PENTAGO_NOTE,
        ],
    },
    Reproduction {
        name: "pentago-reuse",
        title: "Pentago-twist: keeping the tree",
        source: "a Pentago course: 50 games, 30 s for the first move and 2 s for others",
        claim: "Keeping the part of the tree that the game has come to helps: 29 wins in 50 games.",
        parts: &[Part::Match(constant(
            ["reuse", "no reuse"],
            &[pentago([600, 6000], "3000 simulations a move", [SEVENTH[1], AFRESH[1]], 70)],
            &[
                pentago([50, 50], "the first 50 games", [SEVENTH[1], AFRESH[1]], 70),
                pentago(SOME, "300 simulations", [SEVENTH[0], AFRESH[0]], 20),
                pentago(SOME, "10 000 simulations", [SEVENTH[2], AFRESH[2]], 230),
            ],
            ["mcts-pentago", "mcts-pentago:reuse=off"],
            &[wins("reuse beats no reuse", 29, 50)],
        ))],
        notes: &[
            "29 of 50 is compatible with anything from 44 to 71 %. To see a true 58 % with 80 % power takes 240 games.",
            PENTAGO_NOTE,
        ],
    },
    Reproduction {
        name: "lecture-minimax",
        title: "Lecture: minimax on a tree of 15 nodes",
        source: "a lecture on adversarial search",
        claim: "A is worth 8 to MAX, by way of B, D and I.",
        parts: &[Part::Exact(exact::minimax)],
        notes: &[
            "tussle explain tree:file=examples/trees/lecture-alphabeta.json --agent minimax shows every step.",
        ],
    },
    Reproduction {
        name: "lecture-alphabeta",
        title: "Lecture: alpha-beta on the same tree",
        source: "a lecture on adversarial search",
        claim: "Left to right, K is never seen, nor G with N and O; right to left nothing is pruned.",
        parts: &[Part::Exact(exact::alphabeta)],
        notes: &[
            "tussle explain tree:file=examples/trees/lecture-alphabeta.json --agent alphabeta:order=none shows \
                  every step.",
        ],
    },
    Reproduction {
        name: "lecture-mcts",
        title: "Lecture: four simulations of Monte Carlo tree search",
        source: "a lecture on Monte Carlo tree search: C = 2, rollouts 20, 10, 0, 14",
        claim: "After four simulations the answer is s2, then s5.",
        parts: &[Part::Exact(exact::mcts)],
        notes: &[
            "Visits tie, two and two; the mean decides. Totals are written as total(visits), from the leaf up.",
        ],
    },
    Reproduction {
        name: "ucb1",
        title: "Exercise: UCB1 for two players",
        source: "an exercise on Monte Carlo tree search: C = √2, wins of whoever moved into the node",
        claim: "Seven values of UCB1; d is to be filled in; f is expanded.",
        parts: &[Part::Exact(exact::ucb1)],
        notes: &[
            "The document takes the largest leaf anywhere, which is f; a search that goes down from the top \
                  takes d. The wins of g and h contradict those of c, in the document, too.",
        ],
    },
    Reproduction {
        name: "tictactoe-states",
        title: "Tic-tac-toe: states and games",
        source: "lectures on adversarial search; counted many times",
        claim: "There are 5,478 reachable states, 765 up to symmetry, and 255,168 games.",
        parts: &[Part::Exact(exact::tictactoe)],
        notes: &[],
    },
];

const BOARDS: &[&str] = &[
    "keep-on-moving:board=0",
    "keep-on-moving:board=1",
    "keep-on-moving:board=2",
    "keep-on-moving:board=3",
    "keep-on-moving:board=4",
];

/// The courses name the opponent and no result.
const UNPUBLISHED: Claim = Claim {
    what: "mcts beats ids",
    boards: &[],
    seat: None,
    count: Count::Wins,
    published: Published::Nothing,
};

const EFFORT_NOTE: &str = "The published effort is a range, 50 to 300 leaves a move in the course's printouts: our \
    games are spread over three budgets about it, and counted together; what a move costs is read off one game a board. \
    Most games repeat each other: intervals count the distinct ones, and do not know of the spread between budgets.";
const EVALUATION_NOTE: &str = "Which evaluation the published players used is not said; ours use territory, 15 steps \
    out. A tie is worth -9999 to them, so they avoid \
    ties where they can. On board 4 more nodes are not simply better: see the budgets one by one.";
const TIES_NOTE: &str = "Boards 0 to 3 are ties under perfect play, which is known. At 2 s a move our searches look \
    much further than at 50 to 300 leaves, so the two runs are about players of different strength.";
const PENTAGO_NOTE: &str = "The course printed no leaf counts. With the 300 of other courses a search would try each of \
    288 moves about once, so 3000 simulations are taken for the published effort. That is our choice; 300 and 10 000 stand beside it.";

/// Games, quickly and in full.
const TWENTY: [u64; 2] = [20, 20];
const SOME: [u64; 2] = [100, 1000];
const MANY: [u64; 2] = [200, 2000];
const CLEAR: [u64; 2] = [400, 4000];

/// Players of pentago with 300, 3000 and 10,000 simulations a move.
const ONE: [&str; 3] =
    ["mcts-pentago:c=1,nodes=300", "mcts-pentago:c=1,nodes=3000", "mcts-pentago:c=1,nodes=10000"];
const ROOT_2: [&str; 3] = [
    "mcts-pentago:c=1.4142135623730951,nodes=300",
    "mcts-pentago:c=1.4142135623730951,nodes=3000",
    "mcts-pentago:c=1.4142135623730951,nodes=10000",
];
const QUARTER: [&str; 3] = [
    "mcts-pentago:c=0.3535533905932738,nodes=300",
    "mcts-pentago:c=0.3535533905932738,nodes=3000",
    "mcts-pentago:c=0.3535533905932738,nodes=10000",
];
const SEVENTH: [&str; 3] =
    ["mcts-pentago:nodes=300", "mcts-pentago:nodes=3000", "mcts-pentago:nodes=10000"];
const TENTH: [&str; 3] = [
    "mcts-pentago:c=0.1414213562373095,nodes=300",
    "mcts-pentago:c=0.1414213562373095,nodes=3000",
    "mcts-pentago:c=0.1414213562373095,nodes=10000",
];
const AFRESH: [&str; 3] = [
    "mcts-pentago:reuse=off,nodes=300",
    "mcts-pentago:reuse=off,nodes=3000",
    "mcts-pentago:reuse=off,nodes=10000",
];

/// Gobblet between players that need no limits.
const fn against_random(
    names: [&'static str; 2],
    efforts: &'static [Effort],
    claims: &'static [Claim],
) -> Match {
    Match { boards: &["gobblet"], names, efforts, beyond: &[], timed: None, claims }
}

const fn as_they_are(agents: [&'static str; 2], games: [u64; 2]) -> Effort {
    Effort { what: "as they are", agents, games, millis: 1 }
}

/// Keep on moving, with so many nodes.
const fn nodes(what: &'static str, agents: [&'static str; 2], millis: u64) -> Effort {
    Effort { what, agents, games: [100, 2000], millis }
}

const fn two_seconds(agents: [&'static str; 2]) -> Timed {
    Timed {
        clock: TimeControl::PerMove(Duration::from_secs(2)),
        agents,
        quick: &[10, 10, 10, 10, 0],
        full: &[100, 100, 100, 100, 20],
        seconds: &[0.15, 0.15, 0.3, 0.15, 130.0],
    }
}

const fn go(games: [u64; 2], what: &'static str, agents: [&'static str; 2], millis: u64) -> Effort {
    Effort { what, agents, games, millis }
}

const fn bank(
    agents: [&'static str; 2],
    quick: &'static [u64],
    full: &'static [u64],
    seconds: &'static [f64],
) -> Timed {
    let (base, increment) = (Duration::from_secs(15), Duration::from_secs(1));
    let clock = TimeControl::Increment { base, increment };
    Timed { clock, agents, quick, full, seconds }
}

const fn pentago(
    games: [u64; 2],
    what: &'static str,
    agents: [&'static str; 2],
    millis: u64,
) -> Effort {
    Effort { what, agents, games, millis }
}

/// Pentago-twist between two settings; at the published time as many games as were published.
const fn constant(
    names: [&'static str; 2],
    efforts: &'static [Effort],
    beyond: &'static [Effort],
    timed: [&'static str; 2],
    claims: &'static [Claim],
) -> Match {
    let Published::Share { counted: Counted { of, .. }, .. } = claims[0].published else {
        panic!("the pentago course counted games")
    };
    let full: &[u64] = if of == 50 { &[50] } else { &[20] };
    let (first, later) = (Duration::from_secs(30), Duration::from_secs(2));
    let clock = TimeControl::FirstMove { first, later };
    let timed = Timed { clock, agents: timed, quick: &[0], full, seconds: &[85.0] };
    Match { boards: &["pentago-twist"], names, efforts, beyond, timed: Some(timed), claims }
}

/// A number of games won, of a player that is said to be the better one.
const fn wins(what: &'static str, hits: u64, of: u64) -> Claim {
    share(what, Count::Wins, hits, of)
}

const fn share(what: &'static str, count: Count, hits: u64, of: u64) -> Claim {
    let published = Published::Share { counted: Counted::new(hits, of), against: 0.5 };
    Claim { what, boards: &[], seat: None, count, published }
}

/// All games on some boards went one way.
const fn pooled(what: &'static str, boards: &'static [usize], count: Count, of: u64) -> Claim {
    let published = Published::Share { counted: Counted::new(of, of), against: 0.5 };
    Claim { what, boards, seat: None, count, published }
}

/// The one game on a board with the first of the two in this seat.
const fn single(what: &'static str, boards: &'static [usize], seat: usize, count: Count) -> Claim {
    let published = Published::Share { counted: Counted::new(1, 1), against: 0.5 };
    Claim { what, boards, seat: Some(seat), count, published }
}

/// What was said in words, as a share.
const fn words(what: &'static str, said: &'static str, least: f64) -> Claim {
    let published = Published::AtLeast(said, least);
    Claim { what, boards: &[], seat: None, count: Count::Wins, published }
}
