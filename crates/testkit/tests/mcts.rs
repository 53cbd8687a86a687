//! Tests of Monte Carlo tree search: the example of the lecture, the naive search, proofs and
//! counts.

use tussle_catalog::recording::{ChildWeight, Recording, Step};
use tussle_catalog::{AnyGame, AnyPosition, Query, TreeFilter, TreeNode, game, game_from_text};
use tussle_core::{Limits, Outcome, Report, Rng, StopReason, Turn};
use tussle_testkit::sampling::{self, NaiveOptions};

fn example(name: &str) -> String {
    format!("tree:file={}/../../examples/trees/{name}.json", env!("CARGO_MANIFEST_DIR"))
}

/// Returns a line for each simulation: the weights, the selected path, the result, the totals.
fn simulation_texts(recording: &Recording) -> Vec<String> {
    let name = |node: usize| recording.tree.nodes()[node].name.as_str();
    let mut lines: Vec<String> = Vec::new();
    for step in &recording.steps {
        let text = match step {
            Step::Iteration(n) => {
                lines.push(format!("{n}:"));
                continue;
            }
            Step::Weigh { children, .. } => {
                let weight = |child: &ChildWeight| {
                    format!(" {} {:.4}", name(child.node), child.mean + child.bonus)
                };
                children.iter().map(weight).collect()
            }
            Step::Select { node } => format!(" -> {}", name(*node)),
            Step::Simulate { value, .. } => format!(" = {value}"),
            Step::BackUp { visits, total, .. } => format!(" {total}({visits})"),
            _ => continue,
        };
        if let Some(line) = lines.last_mut() {
            line.push_str(&text);
        }
    }
    lines
}

#[test]
fn four_simulations_match_the_lecture() {
    let game = game(&example("lecture-mcts")).unwrap();
    let mut recording = Recording::new(1000);
    let mut agent = game.agent("mcts-textbook:c=2", 1).unwrap();
    let budget = Limits::nodes(4);
    let query = Query { recording: Some(&mut recording), ..Query::new(&budget) };
    let report = agent.analyse(game.start().as_ref(), query).unwrap();
    assert_eq!(
        simulation_texts(&recording),
        [
            "1: s1 inf s2 inf -> s1 = 20 20(1) 20(1)",
            "2: s1 20.0000 s2 inf -> s2 = 10 10(1) 30(2)",
            "3: s1 21.6651 s2 11.6651 -> s1 s3 inf s4 inf -> s3 = 0 0(1) 20(2) 30(3)",
            "4: s1 11.4823 s2 12.0963 -> s2 s5 inf s6 inf -> s5 = 14 14(1) 24(2) 44(4)",
        ]
    );
    assert_eq!(report.lines[0].pv.join(" "), "s2 s5");
    assert_eq!((report.lines[0].visits, report.lines[1].visits), (2, 2));
    assert_eq!(report.lines[0].value.number(), 12.0);
}

fn ask(spec: &str, agent: &str, nodes: u64) -> Report<String> {
    let game = game(spec).unwrap();
    let mut agent = game.agent(agent, 5).unwrap();
    agent.choose(start(game.as_ref()).as_ref(), &Limits::nodes(nodes)).unwrap()
}

/// Returns the first position in which a player is to move.
fn start(game: &dyn AnyGame) -> Box<dyn AnyPosition> {
    let mut start = game.start();
    if let Some(roll) = start.roll(&mut Rng::new(1)) {
        start.play(&roll).unwrap();
    }
    start
}

const UNFILTERED: TreeFilter = TreeFilter { max_depth: u32::MAX, min_visits: 1 };

#[test]
fn the_tree_matches_the_naive_search() {
    const DEFAULT: NaiveOptions = NaiveOptions {
        c: std::f64::consts::SQRT_2,
        policy: "ucb1",
        epsilon: 0.0,
        expand_all: false,
        draw: 0.5,
        paranoid: false,
        scrambled: true,
    };
    let searches = [
        ("mcts-textbook:untried=listed", NaiveOptions { scrambled: false, ..DEFAULT }),
        ("mcts-textbook", DEFAULT),
        ("mcts-textbook:c=0.3,draw=0.25", NaiveOptions { c: 0.3, draw: 0.25, ..DEFAULT }),
        ("mcts-textbook:policy=puct,c=3", NaiveOptions { policy: "puct", c: 3.0, ..DEFAULT }),
        (
            "mcts-textbook:policy=epsilon,epsilon=0.3",
            NaiveOptions { policy: "epsilon", epsilon: 0.3, ..DEFAULT },
        ),
        ("mcts-textbook:expand=all", NaiveOptions { expand_all: true, ..DEFAULT }),
        ("mcts-go", NaiveOptions { expand_all: true, draw: 0.0, ..DEFAULT }),
    ];
    let three = game_from_text("keep-on-moving", "file", "1....\n..2..\n....3\n").unwrap();
    let specs = ["tictactoe", "connect4", "gobblet", "go:size=3", "pentago-twist", "backgammon"];
    let mut games: Vec<_> = specs.iter().map(|spec| game(spec).unwrap()).collect();
    games.push(three.clone());
    games.push(game(&example("lecture-alphabeta")).unwrap());
    let compare = |game: &dyn AnyGame, spec: &str, options: NaiveOptions, seed: u64| {
        let simulations = 100 + 377 * seed;
        let start = start(game);
        let mut agent = game.agent(spec, seed).unwrap();
        let budget = Limits::nodes(simulations);
        let query = Query { keep_tree: true, ..Query::new(&budget) };
        agent.analyse(start.as_ref(), query).unwrap();
        let real = agent.tree(start.as_ref(), &UNFILTERED).unwrap();
        // In trees from a file, moves are tried in the order of the file, as in the lectures.
        let scrambled = options.scrambled && !game.spec().starts_with("tree");
        let options = NaiveOptions { scrambled, ..options };
        let naive = sampling::tree(game, start.as_ref(), options, seed, simulations);
        naive.assert_same(&real, &format!("{} {spec}", game.spec()));
    };
    for game in &games {
        for (spec, options) in searches {
            for seed in 1..5 {
                compare(game.as_ref(), spec, options, seed);
            }
        }
    }
    for seed in 1..5 {
        compare(
            three.as_ref(),
            "mcts-textbook:paranoid=on",
            NaiveOptions { paranoid: true, ..DEFAULT },
            seed,
        );
    }
}

#[test]
fn recorded_simulations_are_complete() {
    // In trees, each move is legal at its parent only, so a wrong path in a recording would fail.
    for file in ["lecture-mcts", "lecture-alphabeta"] {
        for agent in
            ["mcts-textbook", "mcts-textbook:expand=all", "mcts-textbook:expand=all,threads=3"]
        {
            let game = game(&example(file)).unwrap();
            let mut recording = Recording::new(1000);
            let mut agent = game.agent(agent, 1).unwrap();
            let budget = Limits::nodes(20);
            let query = Query { recording: Some(&mut recording), ..Query::new(&budget) };
            agent.analyse(game.start().as_ref(), query).unwrap();
            let texts = simulation_texts(&recording);
            assert_eq!(texts.len(), 20, "one line per simulation");
            let ends = texts.iter().filter(|line| line.ends_with("(20)")).count();
            assert_eq!(ends, 1, "only the last simulation brings the root to 20 visits");
        }
    }
}

#[test]
fn values_of_points_are_not_compressed() {
    let spec = "go:size=5,utility=margin";
    for agent in [
        "mcts-textbook:rollout=eval,c=10",
        "mcts-textbook:lambda=0.5,c=10",
        "mcts-textbook:c=10,threads=2",
    ] {
        let report = ask(spec, agent, 5_000);
        let spread =
            report.lines[0].value.number() - report.lines[report.lines.len() - 1].value.number();
        assert!(spread > 0.5, "{agent}: {spread}");
    }
}

#[test]
fn a_root_with_too_many_moves_for_the_tree_has_an_answer() {
    let names: Vec<String> = (0..70_000).map(|i| format!("\"n{i}\"")).collect();
    let leaves: Vec<String> = names.iter().map(|name| format!("{name}: 0")).collect();
    let (names, leaves) = (names.join(","), leaves.join(","));
    let text = format!(r#"{{"root": "A", "nodes": {{"A": {{"max": [{names}]}}, {leaves}}}}}"#);
    let game = game_from_text("tree", "file", &text).unwrap();
    let mut agent = game.agent("mcts-textbook", 1).unwrap();
    let report = agent.choose(game.start().as_ref(), &Limits::nodes(10)).unwrap();
    assert_eq!(report.best().unwrap(), "n0");
}

#[test]
fn mcts_finds_known_best_moves() {
    assert_eq!(ask("connect4", "mcts-textbook", 20_000).best().unwrap(), "4");
    assert_eq!(ask("go:size=5", "mcts-textbook", 400_000).best().unwrap(), "C3");
    let gobblet = ask("gobblet", "mcts-textbook", 20_000);
    assert!(!gobblet.best().unwrap().starts_with('M'), "{:?}", gobblet.best());
    for (board, best) in [(0, "D"), (1, "U"), (2, "R"), (3, "U")] {
        let spec = format!("keep-on-moving:board={board}");
        assert_eq!(ask(&spec, "mcts-textbook:solver=on", 60_000).best().unwrap(), best, "{spec}");
    }
}

#[test]
fn the_solver_proves_small_games() {
    for (spec, outcome) in [
        ("tictactoe", Outcome::Draw),
        ("connect4:width=4,height=4", Outcome::Draw),
        ("keep-on-moving:board=0", Outcome::Draw),
        ("go:width=1,height=3,komi=0.5", Outcome::Win),
    ] {
        for switches in ["", ",table=on", ",threads=2", ",expand=all", ",policy=puct"] {
            let agent = format!("mcts-textbook:solver=on{switches}");
            if spec.starts_with("go") && switches == ",table=on" {
                continue; // not supported in games with draws by repetition
            }
            let report = ask(spec, &agent, 10_000_000);
            assert_eq!(report.stopped, StopReason::Proven, "{spec} {agent}");
            assert_eq!(report.outcome(), Some(outcome), "{spec} {agent}");
        }
    }
}

/// Returns the utility of the player to move under best play, by naive minimax.
fn solved(position: &mut dyn AnyPosition) -> f64 {
    let Turn::Player(player) = position.turn() else { unreachable!("it is not over") };
    let values = position.moves().into_iter().map(|mv| {
        position.play(&mv).unwrap();
        let value = match position.utilities() {
            Some(utilities) => utilities[player],
            None => 0.0 - solved(position),
        };
        position.undo();
        value
    });
    values.fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn outcomes_of_the_solver_are_correct() {
    for spec in
        ["tictactoe", "connect4:width=3,height=3,connect=3", "go:width=1,height=3,komi=0.5,cap=8"]
    {
        let game = game(spec).unwrap();
        for seed in 0..40 {
            let mut rng = Rng::new(seed);
            let mut position = game.start();
            for _ in 0..rng.below(4) {
                if position.turn() != Turn::Over {
                    let moves = position.moves();
                    position.play(&moves[rng.below(moves.len())]).unwrap();
                }
            }
            let Turn::Player(player) = position.turn() else { continue };
            let mut agent = game.agent("mcts-textbook:solver=on", seed).unwrap();
            let nodes = 1 << rng.below(14);
            let budget = Limits::nodes(nodes);
            let report = agent.choose(position.as_ref(), &budget).unwrap();
            for line in report.lines.iter().filter(|line| line.outcome().is_some()) {
                position.play(&line.mv).unwrap();
                let value = match position.utilities() {
                    Some(utilities) => utilities[player],
                    None => 0.0 - solved(position.as_mut()),
                };
                position.undo();
                let outcome = match value {
                    v if v > 0.0 => Outcome::Win,
                    v if v < 0.0 => Outcome::Loss,
                    _ => Outcome::Draw,
                };
                let here = format!("{spec} {} {}", position.text(), line.mv);
                assert_eq!(line.outcome(), Some(outcome), "{here}");
            }
        }
    }
}

#[test]
fn visits_add_up_with_any_number_of_threads() {
    for spec in ["connect4", "go:size=5", "backgammon", "pentago-twist", "tictactoe"] {
        for switches in ["", "policy=puct", "expand=all", "memory=256KB", "solver=on", "table=on"] {
            for threads in [1, 2, 5] {
                let agent = format!("mcts-textbook:threads={threads},{switches}");
                let agent = agent.trim_end_matches(',');
                let game = game(spec).unwrap();
                let Ok(mut searcher) = game.agent(agent, 5) else { continue };
                let start = start(game.as_ref());
                let budget = Limits::nodes(3_000);
                let query = Query { keep_tree: true, ..Query::new(&budget) };
                let report = searcher.analyse(start.as_ref(), query).unwrap();
                let here = format!("{spec} {agent}");
                if report.stopped != StopReason::Proven {
                    assert_eq!(report.stats.nodes, 3_000, "{here}");
                }
                let visits: u64 = report.lines.iter().map(|line| line.visits).sum();
                assert_eq!(visits, report.stats.nodes, "{here}");
                let tree = searcher.tree(start.as_ref(), &UNFILTERED).unwrap();
                assert_eq!(tree.visits, visits, "{here}");
                let total: f64 = tree.children.iter().map(|child| child.total).sum();
                assert!((tree.total - total).abs() < 1e-6, "{here}");
                if switches != "table=on" {
                    assert_visits(&tree, &here);
                }
            }
        }
    }
}

/// Checks that no node has fewer visits than its children together.
fn assert_visits(node: &TreeNode<String>, here: &str) {
    let below: u64 = node.children.iter().map(|child| child.visits).sum();
    assert!(below <= node.visits, "{here}: {node:?}");
    node.children.iter().for_each(|child| assert_visits(child, here));
}

#[test]
fn the_memory_limit_is_never_exceeded() {
    for agent in [
        "mcts-textbook:memory=1MB",
        "mcts-textbook:memory=1MB,table=on",
        "mcts-textbook:memory=1MB,reuse=on",
    ] {
        for spec in ["pentago-twist", "connect4"] {
            let report = ask(spec, agent, 100_000);
            assert!(report.stats.bytes <= 1_000_000, "{agent} {spec}: {}", report.stats.bytes);
            assert!(report.stats.bytes > 700_000, "{agent} {spec}: {}", report.stats.bytes);
            assert_eq!(report.stats.nodes, 100_000);
        }
    }
}

#[test]
fn with_reuse_the_tree_is_kept_between_moves() {
    // With the small memory limit, the tree is copied to new memory repeatedly.
    for (agent, kept) in [
        ("mcts-textbook", false),
        ("mcts-textbook:reuse=on", true),
        ("mcts-textbook:reuse=on,table=on", true),
        ("mcts-textbook:reuse=on,memory=1MB", true),
    ] {
        let game = game("connect4").unwrap();
        let mut searcher = game.agent(agent, 1).unwrap();
        let mut position = game.start();
        let (mut searches, mut grown) = (0, 0);
        while position.turn() != Turn::Over {
            let budget = Limits::nodes(5_000);
            let query = Query { keep_tree: true, ..Query::new(&budget) };
            let report = searcher.analyse(position.as_ref(), query).unwrap();
            let visits: u64 = report.lines.iter().map(|line| line.visits).sum();
            let tree = searcher.tree(position.as_ref(), &UNFILTERED).unwrap();
            assert_eq!(tree.visits, visits, "{agent}");
            assert_eq!(tree.children.len(), report.lines.len(), "{agent}");
            searches += 1;
            grown += u32::from(visits > 5_000);
            position.play(report.best().unwrap()).unwrap();
            // The opponent does not play its best reply.
            if let Some(reply) = position.moves().pop() {
                position.play(&reply).unwrap();
            }
        }
        assert!(searches > 3);
        assert_eq!(grown, if kept { searches - 1 } else { 0 }, "{agent}");
    }
}

#[test]
fn a_position_outside_the_kept_tree_gets_a_new_tree() {
    let game = game("go:size=5").unwrap();
    let mut agent = game.agent("mcts-textbook:reuse=on", 1).unwrap();
    let budget = Limits::nodes(30);
    agent.choose(game.start().as_ref(), &budget).unwrap();
    let mut position = game.start();
    for mv in ["A1", "B1", "E5", "D4"] {
        position.play(mv).unwrap();
    }
    let report = agent.choose(position.as_ref(), &budget).unwrap();
    let visits: u64 = report.lines.iter().map(|line| line.visits).sum();
    assert_eq!(visits, 30);
}

#[test]
fn the_same_seed_gives_the_same_answer() {
    for spec in ["go:size=5", "backgammon", "gobblet"] {
        for agent in [
            "mcts-textbook:reuse=on",
            "mcts-textbook:policy=epsilon,rollout=greedy",
            "mcts-textbook:lambda=0.5",
        ] {
            let answers = [(); 2].map(|()| ask(spec, agent, 100).lines);
            assert_eq!(answers[0], answers[1], "{spec} {agent}");
        }
    }
}

#[test]
fn every_player_has_a_value_in_games_of_three() {
    let game = game_from_text("keep-on-moving", "file", "1....\n..2..\n....3\n").unwrap();
    for agent in ["mcts-textbook", "mcts-textbook:paranoid=on"] {
        let mut agent = game.agent(agent, 1).unwrap();
        let budget = Limits::nodes(2_000);
        let report = agent.choose(game.start().as_ref(), &budget).unwrap();
        for line in &report.lines {
            assert_eq!(line.values.len(), 3);
            assert!((line.values[0] - line.value.number()).abs() < 1e-9, "{line:?}");
        }
    }
}

#[test]
fn a_draw_has_the_given_reward() {
    // One cell is empty, and no player can win.
    let game = game("tictactoe").unwrap();
    let mut position = game.start();
    for mv in ["b2", "a1", "c1", "a3", "a2", "c2", "b3", "b1"] {
        position.play(mv).unwrap();
    }
    for draw in [0.0, 0.25, 1.0] {
        let mut agent = game.agent(&format!("mcts-textbook:draw={draw}"), 1).unwrap();
        let budget = Limits::nodes(100);
        let report = agent.choose(position.as_ref(), &budget).unwrap();
        assert_eq!(report.lines[0].sampled.unwrap().mean, Some(draw));
    }
}

#[test]
fn tic_tac_toe_is_never_lost() {
    let play = |seed: u64| {
        let game = game("tictactoe").unwrap();
        let opponents = ["random", "greedy:ties=random", "mcts-textbook:nodes=30"];
        // Games against a perfect opponent hardly differ, so a few are enough.
        let opponent = if seed < 100 { "alphabeta-textbook" } else { opponents[seed as usize % 3] };
        let mut agent = game.agent("mcts-textbook:nodes=3000,reuse=on", seed).unwrap();
        let mut opponent = game.agent(opponent, seed + 1).unwrap();
        let seat = (seed % 2) as usize;
        let mut position = game.start();
        while let Turn::Player(player) = position.turn() {
            let mover = if player == seat { &mut agent } else { &mut opponent };
            let report = mover.choose(position.as_ref(), &Limits::none()).unwrap();
            position.play(report.best().unwrap()).unwrap();
        }
        let utility = position.utilities().unwrap()[seat];
        assert!(utility >= 0.0, "seed {seed}: {:?}", position.history());
    };
    std::thread::scope(|scope| {
        scope.spawn(|| (0..5_000).for_each(play));
        (5_000..10_000).for_each(play);
    });
}

#[test]
fn a_level_beats_the_level_two_below_it() {
    for spec in ["connect4", "gobblet"] {
        let game = game(spec).unwrap();
        for (low, high) in [("level-1", "level-3"), ("level-3", "level-5"), ("level-5", "level-7")]
        {
            let mut sum = 0.0;
            for seed in 0..20 {
                let seat = (seed % 2) as usize;
                let mut agents = [low, high].map(|agent| game.agent(agent, seed).unwrap());
                let mut position = game.start();
                while let Turn::Player(player) = position.turn() {
                    let mover = usize::from(player == seat);
                    let report = agents[mover].choose(position.as_ref(), &Limits::none());
                    position.play(report.unwrap().best().unwrap()).unwrap();
                }
                sum += position.utilities().unwrap()[seat];
            }
            assert!(sum > 4.0, "{high} against {low} in {spec}: {sum} in 20 games");
        }
    }
}
