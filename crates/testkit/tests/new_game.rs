//! Tests of the games of `examples/new-game`: one with rules only, and one with all capabilities.

#[path = "../../../examples/new-game/heap.rs"]
#[allow(unreachable_pub)] // the types are public, as in a library
mod heap;
#[path = "../../../examples/new-game/nim.rs"]
#[allow(unreachable_pub)] // the types are public, as in a library
mod nim;

use tussle_arena::{Contestant, Store, Summary, Tournament, TournamentSpec, run};
use tussle_conformance::check;
use tussle_core::{Game as _, Limits, StopFlag, Turn};
use tussle_engine::Guard;
use tussle_explain::{Reviewer, review};
use tussle_search::agent_fn;
use tussle_testkit::data::{DataFile, enter_repository};

#[test]
fn the_example_with_all_capabilities_conforms() {
    let data = enter_repository().join("examples/new-game/nim.toml");
    let data: DataFile = toml::from_str(&std::fs::read_to_string(data).unwrap()).unwrap();
    for variant in data.variants {
        let game = nim::catalog().game(&variant.spec).unwrap();
        for (depth, count) in variant.perft.into_iter().enumerate() {
            assert_eq!(game.start().perft(depth as u32), count, "depth {depth}");
        }
    }
    for seed in 0..20 {
        check(nim::catalog().game(&format!("nim:heaps={}", 1 + seed % 8)).unwrap().as_ref(), seed);
    }
}

#[test]
fn the_player_who_can_balance_the_heaps_wins() {
    // The xor of the heaps 1 to 4 is 4, so the first player wins by balancing them.
    let game = nim::catalog().game("nim:heaps=4").unwrap();
    for seed in 0..50 {
        let mut agents = [game.agent("greedy", seed).unwrap(), game.agent("random", seed).unwrap()];
        let mut position = game.start();
        while let Turn::Player(player) = position.turn() {
            let report = agents[player].choose(position.as_ref(), &Limits::none()).unwrap();
            position.play(report.best().unwrap()).unwrap();
        }
        assert_eq!(position.utilities(), Some(vec![1.0, -1.0]));
    }
}

#[test]
fn the_example_with_rules_only_conforms() {
    let game = heap::catalog().game("heap").unwrap();
    for seed in 0..20 {
        check(game.as_ref(), seed);
    }
}

#[test]
fn rules_are_enough_for_every_search_that_does_not_need_zero_sum() {
    let game = heap::catalog().game("heap").unwrap();
    let mut position = game.position("start 3 3 3 3 3 1").unwrap();
    assert_eq!(
        (position.text(), position.moves()),
        ("start 3 3 3 3 3 1".to_owned(), words("1 2 3"))
    );
    // Five counters are left. Taking one leaves four, from which every move loses.
    for agent in
        ["mcts:nodes=3000", "mcts:nodes=3000,solver=on", "maxn", "expectimax:opponent=best"]
    {
        let report = game.agent(agent, 1).unwrap().choose(position.as_ref(), &Limits::none());
        assert_eq!(report.unwrap().best().map(String::as_str), Some("1"), "{agent}");
    }
    position.play("1").unwrap();
    assert_eq!(position.without_history().text(), "start 3 3 3 3 3 1 1");
    assert_eq!(position.scene().choices.len(), 3);
    for (text, part) in [("3 1", "a position is `start`"), ("start 3 9", "not a legal move")] {
        let Err(error) = game.position(text) else { panic!("{text} was accepted as a position") };
        assert!(error.to_string().contains(part), "{text}: {error}");
    }
}

#[test]
fn errors_name_the_missing_capability() {
    let game = heap::catalog().game("heap").unwrap();
    for (agent, part) in [
        ("alphabeta", "heap does not declare (`Entry::zero_sum`)"),
        ("mcts:table=on", "this game has no keys of positions"),
        ("greedy:eval=pairs", "none"),
    ] {
        let Err(error) = game.agent(agent, 1) else { panic!("{agent} was accepted") };
        assert!(error.to_string().contains(part), "{agent}: {error}");
    }
    let Err(error) = tussle_catalog::book::openings(game.as_ref(), 2, &StopFlag::default()) else {
        panic!("a book without keys was accepted")
    };
    assert!(error.to_string().contains("`Entry::hashed`"), "{error}");
}

#[test]
fn a_closure_can_be_an_agent_of_a_catalog_and_play_matches() {
    let catalog = heap::catalog().with_agent("modest", "takes one counter", |_seed| {
        agent_fn(|game: &heap::Heap, state, _limits: &Limits| game.legal_moves(state)[0])
    });
    let game = catalog.game("heap").unwrap();
    assert!(
        !game.agent("modest", 1).unwrap().is_deterministic(),
        "a closure is not known to be deterministic"
    );
    let Err(error) = catalog.game("tictactoe").unwrap().agent("modest", 1) else {
        panic!("accepted")
    };
    assert!(error.to_string().contains("does not play tictactoe"), "{error}");
    assert!(game.agent("modest:x=1", 1).is_err());

    let agents = ["modest", "mcts:nodes=500"].map(|spec| Contestant::new(spec, spec));
    let mut config = TournamentSpec::new(vec!["heap".to_owned()], agents.to_vec());
    config.rounds = 3;
    let tournament = Tournament::new(config, &catalog).unwrap();
    let mut store = Store::in_memory(tournament.spec()).unwrap();
    let (guard, stop) = (Guard::none(), StopFlag::default());
    run(&tournament, &mut store, &guard, 1, &stop, &mut |_| {}).unwrap();
    let summary = Summary::of(&store).unwrap();
    assert_eq!((summary.games, store.finished().unwrap().len()), (6, 6));
}

#[test]
fn a_game_with_rules_only_is_reviewed() {
    let game = heap::catalog().game("heap").unwrap();
    let start = game.position("start 3 3 3 3").unwrap();
    let reviewer = Reviewer { nodes: Some(5000), ..Reviewer::default() };
    // Nine counters are left: taking one wins, and taking two loses.
    let moves = words("2 3 3 1");
    let review =
        review(game.as_ref(), start.as_ref(), (&moves, 0), &reviewer, &mut |_| {}).unwrap();
    assert_eq!(review.agent, "maxn");
    let leader = |ply: usize| usize::from(review.values[ply][1] > review.values[ply][0]);
    assert_eq!([0, 1, 2, 3].map(leader), [0, 1, 1, 1], "{:?}", review.values);
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}
