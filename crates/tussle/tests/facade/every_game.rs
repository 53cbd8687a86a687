//! The example of the front page works for every game, limits can be used again, a finished game causes no
//! panic, and only the limits end a search.

use std::time::{Duration, Instant};

use tussle::games::keep_on_moving::Board;
use tussle::games::tree::{Edge, Kind, Node};
use tussle::games::{
    Backgammon, Connect4, DuelTree, Go, Gobblet, KeepOnMoving, ManyTree, Pentago, PentagoTwist,
    TicTacToe, backgammon, connect4, go, gobblet, keep_on_moving, pentago, tictactoe, tree,
};
use tussle::search::{
    Agent, AlphaBeta, AlphaBetaOptions, Greedy, GreedyOptions, Mcts, MctsOptions, Query, Random,
    SearchError, TieBreak, TreeFilter,
};
use tussle::{Evaluator, Game, Limits, Rng, StopFlag, StopReason, Turn};

/// Plays the game of the front page's example to its end, against a random player, and asks once
/// more there.
fn plays<G: Game>(game: &G, eval: impl Evaluator<G> + 'static, name: &str) {
    let mut rng = Rng::new(1);
    let ties = GreedyOptions { ties: TieBreak::Random, seed: 1 };
    let mut players: [Box<dyn Agent<G>>; 2] =
        [Box::new(Greedy::new(ties, eval)), Box::new(Random::new(1))];
    let mut state = game.start();
    loop {
        let player = match game.turn(&state) {
            Turn::Player(player) => player % 2,
            Turn::Chance | Turn::Over => {
                let is_over = game.turn(&state) == Turn::Over;
                let error = if is_over { SearchError::GameOver } else { SearchError::ChanceToMove };
                for agent in &mut players {
                    let answer = agent.search(game, &state, &Limits::none());
                    assert_eq!(answer.err(), Some(error.clone()), "{name}");
                }
                if is_over {
                    break;
                }
                let outcome = game.sample(&state, &mut rng, &mut Vec::new());
                game.play(&mut state, outcome);
                continue;
            }
        };
        let report = players[player].search(game, &state, &Limits::none()).expect("a report");
        assert!(report.lines.iter().all(|line| line.value.is_finite()), "{name}");
        let &mv = report.best().expect("the game is not over");
        game.play(&mut state, mv);
    }
}

/// Player `player` chooses between a leaf and a second choice of the other one.
fn nodes(player: [Kind; 2], leaves: [&[f64]; 3]) -> Vec<Node> {
    let node = |name: &str, kind, moves: &[&str], values: &[f64]| Node {
        name: name.to_owned(),
        kind,
        moves: moves
            .iter()
            .map(|&to| Edge { to: to.to_owned(), label: None, probability: None })
            .collect(),
        values: values.to_vec(),
        rollouts: Vec::new(),
        stats: None,
    };
    let [first, second] = player;
    vec![
        node("A", first, &["B", "C"], &[]),
        node("B", second, &["D", "E"], &[]),
        node("C", Kind::Leaf, &[], leaves[0]),
        node("D", Kind::Leaf, &[], leaves[1]),
        node("E", Kind::Leaf, &[], leaves[2]),
    ]
}

#[test]
fn the_example_of_the_front_page_works_for_every_game() {
    plays(&TicTacToe, tictactoe::Eval::OpenLines, "tictactoe");
    plays(&Connect4::default(), connect4::Eval::Windows, "connect4");
    plays(&Gobblet::default(), gobblet::Eval::Visible, "gobblet");
    plays(&Pentago::default(), pentago::Eval::Lines, "pentago");
    plays(&PentagoTwist::default(), pentago::Eval::Lines, "pentago-twist");
    plays(&Backgammon::default(), backgammon::Eval::Pips, "backgammon");
    plays(&Go::<1>::new(&go::Options::sized(5, 5)).expect("it fits"), go::Eval::Stones, "go");
    let board = Board::parse("1...\n....\n...2\n").expect("a board");
    let territory = keep_on_moving::Eval::Territory(keep_on_moving::Territory::default());
    plays(&KeepOnMoving::<1, 2>::new(&board).expect("it fits"), territory, "keep-on-moving");
    let board = Board::parse("1..2\n....\n3...\n").expect("a board");
    plays(
        &KeepOnMoving::<1, 8>::new(&board).expect("it fits"),
        territory,
        "keep-on-moving for three",
    );
    let duel = nodes([Kind::Max, Kind::Min], [&[3.0], &[-7.0], &[9.0]]);
    plays(&DuelTree::new(duel, "A").expect("a tree"), tree::Eval::Value, "tree");
    let values: [&[f64]; 3] = [&[1.0, 2.0, 3.0], &[4.0, -5.0, 6.0], &[7.0, 8.0, 9.0]];
    let many = nodes([Kind::Player(2), Kind::Player(3)], values);
    plays(&ManyTree::new(many, "A").expect("a tree"), tree::Eval::Value, "tree for three");
}

#[test]
fn limits_serve_any_number_of_searches() {
    let game = Connect4::default();
    let limit = Duration::from_millis(500);
    let limits = Limits::time(limit).or_nodes(200);
    let mut alphabeta = AlphaBeta::new(AlphaBetaOptions::default(), connect4::Eval::Windows);
    let mut mcts = Mcts::new(MctsOptions::default());
    let mut searched = || {
        [
            alphabeta.search(&game, &game.start(), &limits).expect("a report"),
            mcts.search(&game, &game.start(), &limits).expect("a report"),
        ]
    };
    let fresh = searched();
    std::thread::sleep(limit);
    let later = searched();
    for (fresh, later) in fresh.iter().zip(&later) {
        assert_eq!([fresh.stopped, later.stopped], [StopReason::Nodes; 2]);
        assert_eq!(fresh.stats.nodes, later.stats.nodes);
        assert!(later.lines[0].searched && later.lines[0].value.is_finite());
    }
}

#[test]
fn a_stop_flag_alone_ends_a_search_and_nothing_else_does() {
    let game = Connect4::default();
    let flag = StopFlag::default();
    let limits = Limits::none().or_stop(&flag);
    let began = Instant::now();
    // Longer than any search once took without a limit.
    let long = Duration::from_millis(2300);
    let stopped = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(long);
            flag.stop();
        });
        let other = limits.clone();
        let alphabeta = scope.spawn(move || {
            let game = Connect4::default();
            AlphaBeta::new(AlphaBetaOptions::default(), connect4::Eval::Windows)
                .with_table()
                .search(&game, &game.start(), &other)
        });
        // The tree is full long before, and the search goes on.
        let small = limits.clone().or_memory(1 << 20);
        let mcts = Mcts::new(MctsOptions::default()).search(&game, &game.start(), &small);
        let alphabeta = alphabeta.join().expect("no panic");
        [mcts.expect("a report").stopped, alphabeta.expect("a report").stopped]
    });
    assert!(began.elapsed() >= long);
    assert_eq!(stopped, [StopReason::StopFlag; 2]);
}

#[test]
fn a_tree_is_kept_only_if_it_is_asked_for() {
    let game = Connect4::default();
    let wish = TreeFilter { max_depth: 1, min_visits: 1 };
    let mut agent = Mcts::new(MctsOptions::default());
    let limits = Limits::nodes(500);
    agent.search(&game, &game.start(), &limits).expect("a report");
    let dropped = agent.tree(&wish).expect("it samples");
    assert_eq!((dropped.visits, dropped.children.len()), (0, 0));
    agent.run(&game, &game.start(), Query::new(&limits).keep_tree()).expect("a report");
    let kept = agent.tree(&wish).expect("it samples");
    assert_eq!((kept.visits, kept.children.len()), (500, 7));
}
