//! The test that every overridden playout passes.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use tussle_core::{Game, Rng, Turn, random_playout};

/// How a game ended: its length and what it was worth to each player.
type Ending = (u32, Vec<u64>);

/// Checks that a game's own playout from `start` ends as the default one does: the same lengths
/// with the same results, equally often up to chance.
pub(crate) fn end_as_plain_ones_do<G: Game>(game: &G, start: &G::State, games: u32) {
    let fast = endings(game, G::playout, start, games, 1);
    let plain = endings(game, random_playout, start, games, 2);
    assert_same_up_to_chance(&fast, &plain);
}

/// Checks that two samples of equal size have one distribution, by chi squared. What is rare
/// counts as one class.
pub(crate) fn assert_same_up_to_chance<K: Eq + Hash>(a: &HashMap<K, f64>, b: &HashMap<K, f64>) {
    let kinds: HashSet<&K> = a.keys().chain(b.keys()).collect();
    let (mut classes, mut rare) = (Vec::new(), [0.0, 0.0]);
    for kind in kinds {
        let [a, b] = [a, b].map(|counts| counts.get(kind).copied().unwrap_or(0.0));
        if a + b < 20.0 {
            rare = [rare[0] + a, rare[1] + b];
        } else {
            classes.push([a, b]);
        }
    }
    if rare != [0.0, 0.0] {
        classes.push(rare);
    }
    let chi: f64 = classes.iter().map(|[a, b]| (a - b).powi(2) / (a + b)).sum();
    let freedom = classes.len() as f64 - 1.0;
    // Mean `freedom`, variance twice that: four and a half standard deviations, and a little for
    // the long tail where there are few classes.
    let most = freedom + 4.5 * f64::sqrt(2.0 * freedom) + 5.0;
    assert!(chi < most, "chi² {chi} of {freedom}");
}

/// A playout, fast or plain.
pub(crate) type Playout<G> =
    fn(&G, &mut <G as Game>::State, &mut Rng, &mut Vec<<G as Game>::Move>) -> u32;

fn endings<G: Game>(
    game: &G,
    playout: Playout<G>,
    start: &G::State,
    games: u32,
    seed: u64,
) -> HashMap<Ending, f64> {
    let (mut rng, mut scratch) = (Rng::new(seed), Vec::new());
    let mut counts = HashMap::new();
    for _ in 0..games {
        let mut state = start.clone();
        let plies = playout(game, &mut state, &mut rng, &mut scratch);
        assert_eq!(game.turn(&state), Turn::Over);
        assert!(scratch.is_empty(), "the scratch buffer is left as it was found");
        let worth = (0..game.players()).map(|player| game.utility(&state, player).to_bits());
        *counts.entry((plies, worth.collect())).or_default() += 1.0;
    }
    counts
}
