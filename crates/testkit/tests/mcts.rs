//! Monte Carlo tree search: the lecture's example, proven moves, consistent counts.

use tussle_catalog::{Query, game};
use tussle_core::{Budget, Event, Events, Outcome, Report, Rng, Stopped, Turn};

fn example(name: &str) -> String {
    format!("tree:file={}/../../examples/trees/{name}.json", env!("CARGO_MANIFEST_DIR"))
}

/// Writes down each iteration: the weights at the root, the way down, the result, the totals.
#[derive(Default)]
struct Diary(Vec<String>);

impl Events<String> for Diary {
    fn take(&mut self, event: Event<'_, String>) {
        match event {
            Event::Iteration(n) => self.0.push(format!("{n}:")),
            Event::Weigh { mv, mean, bonus, .. } => self.add(&format!("{mv} {:.4}", mean + bonus)),
            Event::Select(mv) => self.add(&format!("-> {mv}")),
            Event::Simulate { value } => self.add(&format!("= {value}")),
            Event::BackUp { visits, total } => self.add(&format!("{total}({visits})")),
            _ => {}
        }
    }
}

impl Diary {
    fn add(&mut self, text: &str) {
        if let Some(line) = self.0.last_mut() {
            line.push(' ');
            line.push_str(text);
        }
    }
}

#[test]
fn four_iterations_go_as_the_lecture_says() {
    let game = game(&example("lecture-mcts")).unwrap();
    let mut diary = Diary::default();
    let mut agent = game.agent("mcts:c=2", 1).unwrap();
    let budget = Budget::default().nodes(4);
    let query = Query { events: Some(&mut diary), ..Query::new(&budget) };
    let report = agent.analyse(game.start().as_ref(), query).unwrap();
    assert_eq!(
        diary.0,
        [
            "1: s1 inf s2 inf -> s1 = 20 20(1) 20(1)",
            "2: s1 20.0000 s2 inf -> s2 = 10 10(1) 30(2)",
            "3: s1 21.6651 s2 11.6651 -> s1 s3 inf s4 inf -> s3 = 0 0(1) 20(2) 30(3)",
            "4: s1 11.4823 s2 12.0963 -> s2 s5 inf s6 inf -> s5 = 14 14(1) 24(2) 44(4)",
        ]
    );
    assert_eq!(report.lines[0].pv.join(" "), "s2 s5");
    assert_eq!((report.lines[0].visits, report.lines[1].visits), (2, 2));
    assert_eq!(report.lines[0].value, 12.0);
}

fn ask(spec: &str, agent: &str, nodes: u64) -> Report<String> {
    let game = game(spec).unwrap();
    let mut agent = game.agent(agent, 5).unwrap();
    agent.choose(game.start().as_ref(), &Budget::default().nodes(nodes)).unwrap()
}

#[test]
fn it_finds_moves_that_are_known_to_be_best() {
    assert_eq!(ask("connect4", "mcts", 20_000).best().unwrap(), "4");
    assert_eq!(ask("go:size=5", "mcts", 20_000).best().unwrap(), "C3");
    let gobblet = ask("gobblet", "mcts", 20_000);
    assert!(!gobblet.best().unwrap().starts_with('M'), "{:?}", gobblet.best());
    for (board, best) in [(0, "D"), (1, "U"), (2, "R"), (3, "U")] {
        let spec = format!("keep-on-moving:board={board}");
        assert_eq!(ask(&spec, "mcts:solver=on", 60_000).best().unwrap(), best, "{spec}");
    }
}

#[test]
fn the_solver_proves_small_games() {
    for spec in ["tictactoe", "connect4:width=4,height=4"] {
        for agent in ["mcts:solver=on", "mcts:solver=on,table=on", "mcts:solver=on,threads=2"] {
            let report = ask(spec, agent, 10_000_000);
            assert_eq!(report.stopped, Stopped::Proven, "{spec} {agent}");
            assert_eq!(report.lines[0].outcome, Some(Outcome::Draw), "{spec} {agent}");
        }
    }
}

#[test]
fn visits_add_up_with_any_number_of_threads() {
    for spec in ["connect4", "go:size=5", "backgammon", "pentago-twist"] {
        for agent in ["mcts", "mcts:threads=2", "mcts:threads=5,memory=1MB", "mcts:policy=puct"] {
            let game = game(spec).unwrap();
            let mut start = game.start();
            if let Some(roll) = start.roll(&mut Rng::new(1)) {
                start.play(&roll).unwrap();
            }
            let mut agent_ = game.agent(agent, 5).unwrap();
            let report = agent_.choose(start.as_ref(), &Budget::default().nodes(3_000)).unwrap();
            assert_eq!(report.stats.nodes, 3_000, "{spec} {agent}");
            let visits: u64 = report.lines.iter().map(|line| line.visits).sum();
            assert_eq!(visits, 3_000, "{spec} {agent}");
        }
    }
}

#[test]
fn tic_tac_toe_is_never_lost() {
    let game = game("tictactoe").unwrap();
    for seed in 0..300 {
        let mut agent = game.agent("mcts:reuse=on", seed).unwrap();
        let mut rival = game.agent("random", seed + 1).unwrap();
        let seat = (seed % 2) as usize;
        let mut position = game.start();
        while let Turn::Player(player) = position.turn() {
            let (agent, nodes) = if player == seat { (&mut agent, 1_000) } else { (&mut rival, 1) };
            let report = agent.choose(position.as_ref(), &Budget::default().nodes(nodes)).unwrap();
            position.play(report.best().unwrap()).unwrap();
        }
        let utility = position.utilities().unwrap()[seat];
        assert!(utility >= 0.0, "seed {seed}: {:?}", position.history());
    }
}
