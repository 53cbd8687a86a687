//! Counts of move sequences, the usual test of a move generator.

use tussle_core::{Game, Turn};

use crate::SearchError;
use crate::agent::check_rules;

/// Returns the number of move sequences of exactly `depth` plies from `state`.
///
/// Sequences that end earlier are not counted; chance outcomes are plies. The state is unchanged
/// afterwards. The recursion is `depth` calls deep.
///
/// # Errors
/// If the rules of the game fail.
pub fn perft<G: Game>(game: &G, state: &mut G::State, depth: u32) -> Result<u64, SearchError> {
    let total = count(game, state, depth, &mut Vec::new());
    check_rules(game)?;
    Ok(total)
}

/// Counts move sequences. `buffer` is one stack of moves for all plies, so that nodes allocate no memory.
fn count<G: Game>(game: &G, state: &mut G::State, depth: u32, buffer: &mut Vec<G::Move>) -> u64 {
    if depth == 0 {
        return 1;
    }
    if game.turn(state) == Turn::Over {
        return 0;
    }
    let base = buffer.len();
    game.moves(state, buffer);
    let end = buffer.len();
    let total = if depth == 1 {
        (end - base) as u64
    } else {
        let mut total = 0;
        for i in base..end {
            let mv = buffer[i];
            total += game.visit(state, mv, |child| count(game, child, depth - 1, buffer));
        }
        total
    };
    buffer.truncate(base);
    total
}
