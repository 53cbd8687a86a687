//! Tests of [`Tactics`]: overrides give the answers of the slow defaults.

use tussle_core::{Tactic, Tactics, Turn, generic_narrow, generic_winning_moves};

use crate::heavy_playouts::random_positions;

/// Numbers of random positions by their situation.
#[derive(Debug, Default)]
pub(crate) struct TacticCounts {
    /// Positions with a winning move.
    pub(crate) wins: u32,
    /// Positions in which every move loses.
    pub(crate) losses: u32,
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
            match tactic {
                Tactic::Win => counts.wins += 1,
                Tactic::Loss(_) => counts.losses += 1,
                Tactic::Open => counts.narrowed += u32::from(moves.len() <= listed),
            }
        }
    });
    counts
}
