//! The agent every other one must beat.

use tussle_core::time::{now, since};
use tussle_core::{Game, Line, Report, Rng, SearchStats, StopReason};

use crate::agent::{check_rules, root_player};
use crate::{Agent, Query, SearchError};

/// Plays every legal move with equal probability.
#[derive(Clone, Debug)]
pub struct Random {
    rng: Rng,
}

impl Random {
    /// A random player with this seed.
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
            return Err(SearchError::GameOver); // against the contract of games, but not a panic
        }
        let mv = moves[self.rng.below(moves.len())];
        let stats = SearchStats { nodes: 1, ..SearchStats::default() };
        Ok(Report::new(vec![Line::new(mv, 0.0)], stats, StopReason::Finished, since(began)))
    }
}
