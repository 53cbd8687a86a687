//! A fixed numbering of moves, for masks, policies of nets and other languages.

use crate::Game;

/// Game whose moves have fixed numbers, called actions.
///
/// # Contract
/// - The actions of players are the numbers below [`actions`](Actions::actions). The outcomes of
///   chance have a range of their own, which also starts at 0: the numbers below
///   [`chance_actions`](Actions::chance_actions). The turn tells which of the two ranges applies.
/// - Different legal moves of a state have different actions. This includes equivalent moves, which
///   [`distinct_moves`](Game::distinct_moves) leaves out.
/// - Equal moves of the same player have equal actions in every state of the same rules: the same
///   cell, the same direction, whatever was played before.
/// - A symmetry of a [`Symmetric`](crate::Symmetric) game permutes the actions: the reflected
///   move's action depends on the move's action and the symmetry only.
/// - The numbering never changes. Golden files record it, because trained nets depend on it.
///
/// # Conventions
/// Cells are numbered row by row from the upper left one, as pictures and tensors are. A move that
/// is more than a cell has one plane of cells for each other choice, so that
/// `action = plane * cells + cell` is the layout of a tensor of planes x rows x columns.
pub trait Actions: Game {
    /// Returns the number of actions of players: the length of a mask or policy.
    fn actions(&self) -> usize;

    /// Returns the number of actions of chance [default: 0].
    ///
    /// A game for which [`has_chance`](Game::has_chance) is true must override it.
    fn chance_actions(&self) -> usize {
        0
    }

    /// Returns the action of a legal move of `state`, or at a chance node of an outcome.
    ///
    /// Any other move may panic or give a wrong number.
    fn action(&self, state: &Self::State, mv: Self::Move) -> usize;

    /// Returns the legal move of `state`, or at a chance node the outcome, with this action.
    ///
    /// Returns `None` for any other number, and in a finished game. The default lists the legal
    /// moves and compares their actions. Override it where the legality of one move is cheaper.
    fn action_move(&self, state: &Self::State, action: usize) -> Option<Self::Move> {
        let mut moves = Vec::new();
        self.moves(state, &mut moves);
        moves.into_iter().find(|&mv| self.action(state, mv) == action)
    }
}
