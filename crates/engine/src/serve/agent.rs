//! Agent of an engine.

use std::sync::Arc;

use tussle_catalog::{AnyAgent, AnyGame, Error};
use tussle_core::Rng;

/// Agent of an engine, which is made anew for each game.
///
/// The first game uses the seed itself, each later game a seed that is derived from it. Otherwise, all games of a match
/// would be the same.
pub struct EngineAgent {
    game: Arc<dyn AnyGame>,
    spec: String,
    seed: u64,
    /// Number of earlier games.
    games: u64,
    /// True if the agent has searched in this game.
    asked: bool,
    agent: Option<Box<dyn AnyAgent>>,
}

impl EngineAgent {
    /// Creates the agent with this spec.
    ///
    /// # Errors
    /// If the agent does not exist, or cannot play this game.
    pub fn new(game: Arc<dyn AnyGame>, spec: &str, seed: u64) -> Result<Self, Error> {
        let agent = Some(game.agent(spec, seed)?);
        Ok(Self { game, spec: spec.to_owned(), seed, games: 0, asked: false, agent })
    }

    pub(crate) fn game(&self) -> &Arc<dyn AnyGame> {
        &self.game
    }

    pub(crate) fn spec(&self) -> &str {
        &self.spec
    }

    pub(crate) fn seed(&self) -> u64 {
        self.seed
    }

    /// Takes the agent for a search. Makes a new one if there is none.
    pub(crate) fn take(&mut self) -> Result<Box<dyn AnyAgent>, Error> {
        self.asked = true;
        match self.agent.take() {
            Some(agent) => Ok(agent),
            None => self.game.agent(&self.spec, self.current_seed()),
        }
    }

    /// Returns the agent after a search; `None` if it was lost because the search panicked.
    pub(crate) fn give_back(&mut self, agent: Option<Box<dyn AnyAgent>>) {
        self.agent = agent;
    }

    /// Drops the agent with its memory of this game.
    pub(crate) fn forget(&mut self) {
        self.agent = None;
    }

    /// Changes the rules of the game.
    ///
    /// # Errors
    /// If the agent cannot play by these rules.
    pub(crate) fn change_game(&mut self, game: Arc<dyn AnyGame>) -> Result<(), Error> {
        self.agent = Some(game.agent(&self.spec, self.current_seed())?);
        self.game = game;
        Ok(())
    }

    /// Begins the next game.
    pub(crate) fn new_game(&mut self) {
        self.agent = None;
        // A game without a search does not count.
        self.games += u64::from(std::mem::take(&mut self.asked));
    }

    fn current_seed(&self) -> u64 {
        match self.games {
            0 => self.seed,
            games => Rng::derive(self.seed, &[games]).next_u64(),
        }
    }
}
