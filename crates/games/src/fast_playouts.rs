//! Test of [`Game::playout`]: an overridden playout must have the distribution of the default one.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use tussle_core::{Game, Rng, Turn, random_playout};

/// Length of a finished game, and the bits of each player's utility.
type Ending = (u32, Vec<u64>);

/// Checks that a game's own playout from `start` gives each length and result with the same
/// frequency as the default playout, up to chance.
pub(crate) fn assert_matches_default_playout<G: Game>(game: &G, start: &G::State, games: u32) {
    let fast = endings(game, G::playout, start, games, 1);
    let plain = endings(game, random_playout, start, games, 2);
    assert_same_distribution(&fast, &plain);
}

/// Checks by a chi-squared test that two samples of equal size have the same distribution. Values
/// with fewer than 20 observations in both samples together form one class.
pub(crate) fn assert_same_distribution<K: Eq + Hash>(a: &HashMap<K, f64>, b: &HashMap<K, f64>) {
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
    // Chi squared has mean `freedom` and variance `2 * freedom`. The limit allows 4.5 standard
    // deviations, and 5 more for the long tail of a test with few classes.
    let limit = freedom + 4.5 * f64::sqrt(2.0 * freedom) + 5.0;
    assert!(chi < limit, "chi² is {chi}, limit {limit} at {freedom} degrees of freedom");
}

/// Function that plays a game to its end, with the signature of [`Game::playout`].
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
        assert!(scratch.is_empty(), "the playout did not empty its scratch buffer");
        let utilities = (0..game.players()).map(|player| game.utility(&state, player).to_bits());
        *counts.entry((plies, utilities.collect())).or_default() += 1.0;
    }
    counts
}
