//! Random play, the baseline for all other agents.

use tussle_core::time::{now, since};
use tussle_core::{Game, Report, Rng};

use crate::agent::{check_rules, chosen, root_player};
use crate::{Agent, Query, SearchError};

/// Agent that plays every legal move with equal probability.
#[derive(Clone, Debug)]
pub struct Random {
    rng: Rng,
}

impl Random {
    /// Creates a random agent with this seed.
    pub fn new(seed: u64) -> Self {
        Self { rng: Rng::new(seed) }
    }
}

impl<G: Game> Agent<G> for Random {
    fn run(
        &mut self,
        game: &G,
        state: &G::State,
        _: Query<'_, G::Move>,
    ) -> Result<Report<G::Move>, SearchError> {
        let began = now();
        root_player(game, state)?;
        let moves = game.legal_moves(state);
        check_rules(game)?;
        if moves.is_empty() {
            return Err(SearchError::GameOver); // the game breaks its contract
        }
        Ok(chosen(game, moves[self.rng.below(moves.len())], since(began)))
    }
}
