//! Adding a game takes one file, one line in a catalog and one data file: `examples/new-game`
//! is such a file, and this test is what the catalog and the other tests do with it.

#[path = "../../../examples/new-game/nim.rs"]
#[allow(unreachable_pub)] // in a library its types are public
mod nim;

use tussle_catalog::{Entry, game_from};
use tussle_core::{Budget, Turn};
use tussle_testkit::conformance::check;
use tussle_testkit::data::{DataFile, enter_repository};

const GAMES: &[Entry] = &[Entry::duel::<nim::Nim>()];

#[test]
fn one_file_of_rules_gives_a_whole_game() {
    let data = enter_repository().join("examples/new-game/nim.toml");
    let data: DataFile = toml::from_str(&std::fs::read_to_string(data).unwrap()).unwrap();
    for variant in data.variants {
        let game = game_from(GAMES, &variant.spec).unwrap();
        for (depth, count) in variant.perft.into_iter().enumerate() {
            assert_eq!(game.start().perft(depth as u32), count, "depth {depth}");
        }
    }
    for seed in 0..20 {
        check(game_from(GAMES, &format!("nim:heaps={}", 1 + seed % 8)).unwrap().as_ref(), seed);
    }
}

#[test]
fn whoever_may_balance_the_heaps_wins() {
    // The heaps 1 to 4 xor to 4: the first player wins by balancing them, as the evaluation says.
    let game = game_from(GAMES, "nim:heaps=4").unwrap();
    for seed in 0..50 {
        let mut agents = [game.agent("greedy", seed).unwrap(), game.agent("random", seed).unwrap()];
        let mut position = game.start();
        while let Turn::Player(player) = position.turn() {
            let report = agents[player].choose(position.as_ref(), &Budget::unlimited()).unwrap();
            position.play(report.best().unwrap()).unwrap();
        }
        assert_eq!(position.utilities(), Some(vec![1.0, -1.0]));
    }
}
