//! Positions to search: a few random moves from the start.

use std::ops::RangeInclusive;

use tussle_catalog::{AnyGame, AnyPosition};
use tussle_core::{Rng, Turn};

use crate::{ExperimentError, Result};

/// Default number of random plies from the start.
pub(crate) const RANDOM_PLIES: RangeInclusive<usize> = 2..=6;

/// Returns up to `count` different positions with several legal moves, `plies` random plies from the start.
pub(crate) fn positions(
    game: &dyn AnyGame,
    count: u32,
    plies: RangeInclusive<usize>,
    seed: u64,
) -> Result<Vec<Box<dyn AnyPosition>>> {
    let (mut found, mut seen) = (Vec::new(), Vec::new());
    for attempt in 0..u64::from(count) * 50 {
        if found.len() == count as usize {
            break;
        }
        let mut rng = Rng::derive(seed, &[attempt]);
        let mut position = game.start();
        let more = rng.below(plies.end() - plies.start() + 1);
        for _ in 0..plies.start() + more {
            let next = match position.turn() {
                Turn::Over => None,
                Turn::Chance => position.roll(&mut rng),
                Turn::Player(_) => {
                    let moves = position.moves();
                    moves.get(rng.below(moves.len().max(1))).cloned()
                }
            };
            let Some(next) = next else { break };
            position.play(&next)?;
        }
        let key = position.canonical_key();
        let is_open = matches!(position.turn(), Turn::Player(_)) && position.moves().len() > 1;
        if is_open && !seen.contains(&key) {
            seen.push(key);
            // A search must not depend on the history of the position.
            found.push(position.without_history());
        }
    }
    if found.is_empty() {
        return Err(ExperimentError::NoPosition(game.spec().to_owned()).into());
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_seeded_different_and_open() {
        let game = tussle_catalog::game("connect4").unwrap();
        let texts = |seed| -> Vec<String> {
            positions(game.as_ref(), 8, RANDOM_PLIES, seed)
                .unwrap()
                .iter()
                .map(|p| p.text())
                .collect()
        };
        assert_eq!(texts(1), texts(1));
        assert_ne!(texts(1), texts(2));
        let mut distinct = texts(1);
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), 8);
    }
}
