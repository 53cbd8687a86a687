//! Checks of the contract of [`Actions`] in random games.

use std::collections::{HashMap, HashSet};

use tussle_core::{Actions, Notation, Rng, Symmetric, Turn};

/// Number of illegal actions tried per position; all of them in games with fewer actions.
const ILLEGAL_TRIES: usize = 400;

/// Plays one random game and checks the action numbers: each is in range, different moves have
/// different numbers, equal moves have equal numbers, and [`Actions::action_move`] returns exactly
/// the legal moves.
///
/// # Panics
/// If the game breaks the contract of [`Actions`]; the message names the rule and the position.
pub fn check_actions<G: Actions + Notation>(rules: &G, seed: u64) {
    // A separate random generator, so that the games do not depend on the number of tries.
    let mut tries = Rng::new(!seed);
    let mut known = HashMap::new();
    walk(rules, seed, |state, moves| {
        let here = rules.position_text(state);
        let bound = bound(rules, state);
        let mut legal = HashSet::new();
        for &mv in moves {
            let text = rules.move_text(state, mv);
            let action = rules.action(state, mv);
            assert!(action < bound, "{here}: {text} is action {action} of {bound}");
            assert!(legal.insert(action), "{here}: {text} shares action {action}");
            let found = rules.action_move(state, action);
            assert_eq!(found, Some(mv), "{here}: action {action} is {text}");
            let player = match rules.turn(state) {
                Turn::Player(player) => Some(player),
                _ => None,
            };
            let before = *known.entry((player, mv)).or_insert(action);
            assert_eq!(action, before, "{here}: the action of {text} has changed");
        }
        let below: Vec<usize> = if bound <= ILLEGAL_TRIES {
            (0..bound).collect()
        } else {
            (0..ILLEGAL_TRIES).map(|_| tries.below(bound)).collect()
        };
        let outside = [bound, bound + 1, 2 * bound, u32::MAX as usize + 1, usize::MAX];
        for action in below.into_iter().chain(outside).filter(|action| !legal.contains(action)) {
            let found = rules.action_move(state, action);
            assert_eq!(found, None, "{here}: action {action} is not legal");
        }
    });
}

/// Plays one random game and checks that every symmetry permutes the actions.
///
/// # Panics
/// If the image of an action under a symmetry is not the same in all positions, or two actions
/// have the same image; the message names the symmetry and the position.
pub fn check_action_symmetries<G: Actions + Symmetric + Notation>(rules: &G, seed: u64) {
    let (mut images, mut origins) = (HashMap::new(), HashMap::new());
    walk(rules, seed, |state, moves| {
        let here = rules.position_text(state);
        let chance = rules.turn(state) == Turn::Chance;
        for s in 0..rules.symmetries() {
            let reflected = rules.reflect(state, s);
            for &mv in moves {
                let action = rules.action(state, mv);
                let image = rules.action(&reflected, rules.reflect_move(mv, s));
                let before = *images.entry((chance, s, action)).or_insert(image);
                assert_eq!(image, before, "{here}: action {action} under symmetry {s}");
                let origin = *origins.entry((chance, s, image)).or_insert(action);
                assert_eq!(action, origin, "{here}: two actions become {image} by symmetry {s}");
            }
        }
    });
}

/// Returns the number of actions in a position: of players, or of chance.
fn bound<G: Actions>(rules: &G, state: &G::State) -> usize {
    if rules.turn(state) == Turn::Chance { rules.chance_actions() } else { rules.actions() }
}

/// Plays a random game and calls `visit` with every position and its legal moves.
fn walk<G: Actions>(rules: &G, seed: u64, mut visit: impl FnMut(&G::State, &[G::Move])) {
    let mut rng = Rng::new(seed);
    let (mut state, mut moves) = (rules.start(), Vec::new());
    loop {
        moves.clear();
        rules.moves(&state, &mut moves);
        visit(&state, &moves);
        let mv = match rules.turn(&state) {
            Turn::Over => return,
            Turn::Chance => rules.sample(&state, &mut rng, &mut Vec::new()),
            Turn::Player(_) => moves[rng.below(moves.len())],
        };
        rules.play(&mut state, mv);
    }
}
