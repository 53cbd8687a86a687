//! The agent behind an engine.

use std::sync::Arc;

use tussle_catalog::{AnyAgent, AnyGame, Error};
use tussle_core::Rng;

/// An agent, and what it takes to make it anew: it starts fresh in each game.
///
/// The first game is played with the seed itself, each later one with another seed that follows
/// from it: otherwise every game of a match would be the same.
pub struct EngineAgent {
    game: Arc<dyn AnyGame>,
    spec: String,
    seed: u64,
    /// Games played with this seed before this one.
    games: u64,
    /// Whether the agent was asked anything in this game.
    asked: bool,
    agent: Option<Box<dyn AnyAgent>>,
}

impl EngineAgent {
    /// The agent with this spec.
    ///
    /// # Errors
    /// If there is no such agent, or it cannot play this game.
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

    /// The agent, for a search; made anew if there is none.
    pub(crate) fn take(&mut self) -> Result<Box<dyn AnyAgent>, Error> {
        self.asked = true;
        match self.agent.take() {
            Some(agent) => Ok(agent),
            None => self.game.agent(&self.spec, self.current_seed()),
        }
    }

    /// The agent comes back from a search, unless it was lost there.
    pub(crate) fn give_back(&mut self, agent: Option<Box<dyn AnyAgent>>) {
        self.agent = agent;
    }

    /// What the agent remembers of this game is forgotten.
    pub(crate) fn forget(&mut self) {
        self.agent = None;
    }

    /// The agent plays by other rules from now on.
    ///
    /// # Errors
    /// If it cannot.
    pub(crate) fn seat_at(&mut self, game: Arc<dyn AnyGame>) -> Result<(), Error> {
        self.agent = Some(game.agent(&self.spec, self.current_seed())?);
        self.game = game;
        Ok(())
    }

    /// The next game begins.
    pub(crate) fn new_game(&mut self) {
        self.agent = None;
        // Whoever begins a game twice has not played one.
        self.games += u64::from(std::mem::take(&mut self.asked));
    }

    fn current_seed(&self) -> u64 {
        match self.games {
            0 => self.seed,
            games => Rng::derive(self.seed, &[games]).next_u64(),
        }
    }
}
