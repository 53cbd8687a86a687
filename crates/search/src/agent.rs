//! Anything that chooses moves.

use tussle_core::{Budget, Events, Game, Param, Report, Turn};

use crate::mcts::{TreeNode, TreeWish};

/// Takes what a search knows so far, whenever it knows more.
pub type Live<'a, M> = &'a mut (dyn FnMut(&Report<M>) + 'a);

/// What is asked of an agent.
pub struct Query<'a, M> {
    /// What it may spend.
    pub budget: Budget,
    /// How many of the best root moves should get an exact value; the others may have bounds.
    pub lines: usize,
    /// Takes the report of every finished iteration.
    pub live: Option<Live<'a, M>>,
    /// Takes every event of the search.
    pub events: Option<&'a mut (dyn Events<M> + 'a)>,
}

impl<M> Query<'_, M> {
    /// One best move, in silence.
    pub fn new(budget: &Budget) -> Self {
        Self { budget: budget.clone(), lines: 1, live: None, events: None }
    }
}

/// Chooses moves of a game.
pub trait Agent<G: Game>: Send {
    /// Answers a query about a position.
    ///
    /// # Contract
    /// A player is to move in `state`. The report has at least one line, the chosen move first.
    fn analyse(&mut self, game: &G, state: &G::State, query: Query<'_, G::Move>)
    -> Report<G::Move>;

    /// Chooses a move for the player to move, within the budget.
    fn choose(&mut self, game: &G, state: &G::State, budget: &Budget) -> Report<G::Move> {
        self.analyse(game, state, Query::new(budget))
    }

    /// Whether the same seed gives the same answers unless the clock interferes.
    fn is_deterministic(&self) -> bool {
        true
    }

    /// The tree of the latest search, from an agent that keeps one.
    fn tree(&self, wish: &TreeWish) -> Option<TreeNode<G::Move>> {
        let _ = wish;
        None
    }
}

/// The player who is asked, by the contract of [`Agent::analyse`].
pub(crate) fn player_asked<G: Game>(game: &G, state: &G::State) -> usize {
    match game.turn(state) {
        Turn::Player(player) => player,
        _ => unreachable!("agents are asked only when a player is to move"),
    }
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
