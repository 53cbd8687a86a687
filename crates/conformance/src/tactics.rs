//! Checks of the contract of [`Tactics`] in random games.

use tussle_core::{Notation, Rng, Tactic, Tactics, Turn, generic_narrow, generic_winning_moves};

/// Plays one random game and compares the game's [`Tactics`] with trying every move and every reply,
/// in every position with at most `max_moves` legal moves.
///
/// # Panics
/// If an answer differs from that of the defaults; the message names the position.
pub fn check_tactics<G: Tactics + Notation>(rules: &G, seed: u64, max_moves: usize) {
    let mut rng = Rng::new(seed);
    let mut state = rules.start();
    loop {
        let mv = match rules.turn(&state) {
            Turn::Over => return,
            Turn::Chance => rules.sample(&state, &mut rng, &mut Vec::new()),
            Turn::Player(_) => {
                let moves = rules.legal_moves(&state);
                if moves.len() <= max_moves {
                    check_position(rules, &state, &moves);
                }
                moves[rng.below(moves.len())]
            }
        };
        rules.play(&mut state, mv);
    }
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
