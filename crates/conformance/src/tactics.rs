//! Checks of the contract of [`Tactics`] in random games.

use tussle_core::{
    EarliestEnds, Notation, Rng, Tactic, Tactics, Turn, generic_narrow, generic_winning_moves,
};

/// Plays one random game and compares the game's [`Tactics`] with trying every move and every reply,
/// in every position with at most `max_moves` legal moves. The end of the game must be one that every
/// [`EarliestEnds`] on the way allows.
///
/// # Panics
/// If an answer differs from that of the defaults; the message names the position.
pub fn check_tactics<G: Tactics + Notation>(rules: &G, seed: u64, max_moves: usize) {
    let mut rng = Rng::new(seed);
    let mut state = rules.start();
    // Bounds of positions in which a safe move was made, with their ply and player.
    let mut bounds: Vec<(u32, usize, EarliestEnds, String)> = Vec::new();
    for ply in 0.. {
        let mv = match rules.turn(&state) {
            Turn::Over => {
                let has_winner = !rules.payoffs().points && rules.players() == 2;
                for (from, player, ends, here) in bounds.iter().filter(|_| has_winner) {
                    assert_end_is_allowed(*ends, ply - from, rules.utility(&state, *player), here);
                }
                return;
            }
            Turn::Chance => rules.sample(&state, &mut rng, &mut Vec::new()),
            Turn::Player(player) => {
                let moves = rules.legal_moves(&state);
                if moves.len() <= max_moves {
                    check_position(rules, &state, &moves);
                }
                let mv = moves[rng.below(moves.len())];
                let mut safe = moves;
                if rules.narrow(&state, &mut safe, 0) == Tactic::Open && safe.contains(&mv) {
                    let here = rules.position_text(&state);
                    bounds.push((ply, player, rules.earliest_ends(&state), here));
                }
                mv
            }
        };
        rules.play(&mut state, mv);
    }
}

/// Compares the end of a game, `plies` plies later, with the bounds of a position.
fn assert_end_is_allowed(ends: EarliestEnds, plies: u32, utility: f64, here: &str) {
    let least = match utility {
        x if x > 0.0 => ends.win,
        x if x < 0.0 => ends.loss,
        _ => return,
    };
    let is_allowed = least.is_some_and(|least| plies >= least);
    assert!(is_allowed, "{here}: {ends:?}, but the game ended after {plies} plies with {utility}");
}

fn check_position<G: Tactics + Notation>(rules: &G, state: &G::State, legal: &[G::Move]) {
    let here = rules.position_text(state);
    let texts = |moves: &[G::Move]| -> Vec<String> {
        moves.iter().map(|&mv| rules.move_text(state, mv)).collect()
    };
    let [mut expected, mut found] = [Vec::new(), Vec::new()];
    generic_winning_moves(rules, state, &mut expected);
    rules.winning_moves(state, &mut found);
    assert_eq!(texts(&found), texts(&expected), "{here}: winning moves");

    let mut distinct = Vec::new();
    rules.distinct_moves(state, &mut distinct);
    for listed in [legal, &distinct] {
        // The moves of another node lie before those of this one.
        let mut moves = legal[..1].to_vec();
        moves.extend_from_slice(listed);
        let mut expected = moves.clone();
        let tactic = generic_narrow(rules, state, &mut expected, 1);
        assert_eq!(rules.narrow(state, &mut moves, 1), tactic, "{here}: tactic");
        assert_eq!(moves[0], legal[0], "{here}: narrowing changed a move before its range");
        let (left, expected) = (texts(&moves[1..]), texts(&expected[1..]));
        if tactic == Tactic::Win {
            let all_win = left.iter().all(|mv| expected.contains(mv));
            assert!(!left.is_empty() && all_win, "{here}: {left:?} instead of {expected:?}");
        } else {
            assert_eq!(left, expected, "{here}: moves after {tactic:?}");
        }
    }
}
