//! Tests of [`Tactics`]: overrides give the answers of the slow defaults.

use tussle_core::{Rng, Tactic, Tactics, Turn, generic_narrow, generic_winning_moves};

use crate::heavy_playouts::random_positions;

/// Numbers of random positions by their situation.
#[derive(Debug, Default)]
pub(crate) struct TacticCounts {
    /// Positions with a winning move.
    pub(crate) wins: u32,
    /// Positions in which every move loses.
    pub(crate) losses: u32,
    /// Other positions.
    pub(crate) open: u64,
    /// Other positions with unsafe moves.
    pub(crate) narrowed: u32,
}

/// Compares the tactics of a game with the defaults in one position of each of `games` random games.
pub(crate) fn assert_tactics_are_exact<G: Tactics>(game: &G, games: u64) -> TacticCounts {
    let mut counts = TacticCounts::default();
    random_positions(game, games, |state| {
        if !matches!(game.turn(state), Turn::Player(_)) {
            return;
        }
        let [mut expected, mut found] = [Vec::new(), Vec::new()];
        generic_winning_moves(game, state, &mut expected);
        game.winning_moves(state, &mut found);
        assert_eq!(found, expected, "winning moves in {state:?}");

        for distinct in [false, true] {
            let mut moves = Vec::new();
            if distinct {
                game.distinct_moves(state, &mut moves);
            } else {
                game.moves(state, &mut moves);
            }
            let listed = moves.len();
            // A buffer that is in use already: its first move must stay.
            moves.insert(0, moves[0]);
            let mut expected = moves.clone();
            let tactic = generic_narrow(game, state, &mut expected, 1);
            assert_eq!(game.narrow(state, &mut moves, 1), tactic, "{state:?}");
            if tactic == Tactic::Win {
                assert!(moves.len() > 1 && moves[1..].iter().all(|mv| expected[1..].contains(mv)));
            } else {
                assert_eq!(moves, expected, "{tactic:?} in {state:?}");
            }
            if tactic == Tactic::Open {
                assert_earliest_ends_hold(game, state, &moves[1..], counts.open);
                counts.open += 1;
            }
            match tactic {
                Tactic::Win => counts.wins += 1,
                Tactic::Loss(_) => counts.losses += 1,
                Tactic::Open => counts.narrowed += u32::from(moves.len() <= listed),
            }
        }
    });
    counts
}

/// Plays a random game that begins with a safe move, and compares its end with the bounds.
fn assert_earliest_ends_hold<G: Tactics>(game: &G, state: &G::State, safe: &[G::Move], seed: u64) {
    let ends = game.earliest_ends(state);
    let (mut rng, mut at, mut plies) = (Rng::new(seed), state.clone(), 1);
    game.play(&mut at, safe[rng.below(safe.len())]);
    while game.turn(&at) != Turn::Over {
        let moves = game.legal_moves(&at);
        game.play(&mut at, moves[rng.below(moves.len())]);
        plies += 1;
    }
    let Turn::Player(mover) = game.turn(state) else { unreachable!("it is a player's turn") };
    let least = match game.utility(&at, mover) {
        x if x > 0.0 => ends.win,
        x if x < 0.0 => ends.loss,
        _ => return,
    };
    assert!(least.is_some_and(|least| plies >= least), "{ends:?} in {state:?}, {plies} plies");
}
