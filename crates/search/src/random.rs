//! The agent every other one must beat.

use tussle_core::time::{now, since};
use tussle_core::{Game, Line, Report, Rng, Stats, Stopped};

use crate::agent::{no_choice, player_asked};
use crate::{Agent, AgentInfo, Query};

/// [`Random`] in lists.
pub const RANDOM: AgentInfo =
    AgentInfo { name: "random", summary: "every legal move is equally likely", params: &[] };

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
    fn analyse(&mut self, game: &G, state: &G::State, _: Query<'_, G::Move>) -> Report<G::Move> {
        let began = now();
        if player_asked(game, state).is_none() {
            return no_choice();
        }
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        let mv = moves[self.rng.below(moves.len())];
        let stats = Stats { nodes: 1, ..Stats::default() };
        Report::new(vec![Line::new(mv, 0.0)], stats, Stopped::Finished, since(began))
    }
}
