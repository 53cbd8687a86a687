//! Anything that chooses moves.

use std::time::Duration;

use tussle_core::{Budget, Events, Game, Param, Report, Stats, Stopped, Turn};

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
    /// Whether an agent that samples keeps its tree for [`Agent::tree`].
    pub keep_tree: bool,
}

impl<M> Query<'_, M> {
    /// One best move, in silence.
    pub fn new(budget: &Budget) -> Self {
        Self { budget: budget.clone(), lines: 1, live: None, events: None, keep_tree: false }
    }
}

/// Chooses moves of a game.
pub trait Agent<G: Game>: Send {
    /// Answers a query about a position.
    ///
    /// If a player is to move in `state`, the report has at least one line, the chosen move first.
    /// Otherwise (the game is over, or chance moves) the report has no lines, [`Report::best`] is
    /// `None`, and the search stops with [`Stopped::Finished`].
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

    /// Returns the tree of the latest search, from an agent that samples. It has no nodes below
    /// the root unless [`Query::keep_tree`] was set, or the agent reuses its tree.
    fn tree(&self, wish: &TreeWish) -> Option<TreeNode<G::Move>> {
        let _ = wish;
        None
    }
}

/// Returns the player to move at the root, if there is one.
pub(crate) fn player_asked<G: Game>(game: &G, state: &G::State) -> Option<usize> {
    match game.turn(state) {
        Turn::Player(player) => Some(player),
        Turn::Chance | Turn::Over => None,
    }
}

/// The report on a position in which no player is to move.
pub(crate) fn no_choice<M>() -> Report<M> {
    Report::new(Vec::new(), Stats::default(), Stopped::Finished, Duration::ZERO)
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
