//! Anything that chooses moves.

use tussle_core::{Budget, Game, Param, Report};

/// Chooses moves of a game.
pub trait Agent<G: Game>: Send {
    /// Chooses a move for the player to move, within the budget.
    ///
    /// # Contract
    /// A player is to move in `state`. The report has at least one line, the chosen move first.
    fn choose(&mut self, game: &G, state: &G::State, budget: &Budget) -> Report<G::Move>;
}

/// An agent as lists and help texts show it.
#[derive(Clone, Copy, Debug)]
pub struct AgentInfo {
    /// Its name in spec strings.
    pub name: &'static str,
    /// One line on how it plays.
    pub summary: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
}
