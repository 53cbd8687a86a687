//! Turns, moves and results of type-erased positions.

use std::sync::Arc;

use tussle_core::{Game, Rng, Turn};

use super::Position;
use crate::Error;

/// Turn, legal moves and result of a position, and methods that make and undo moves.
pub trait PositionPlay {
    /// Returns the player to move, chance, or the end of the game.
    fn turn(&self) -> Turn;
    /// Returns the legal moves, in the order of the game.
    fn moves(&self) -> Vec<String>;
    /// Returns the first move of every class of equivalent moves.
    fn distinct_moves(&self) -> Vec<String>;
    /// Returns the probability of each of [`moves`](PositionPlay::moves) at a chance node.
    fn probabilities(&self) -> Vec<f64>;
    /// Draws an outcome according to its probability; `None` if the position is not a chance node.
    fn roll(&self, rng: &mut Rng) -> Option<String>;
    /// Makes a move.
    ///
    /// # Errors
    /// If the move is not legal here; the position is then unchanged.
    fn play(&mut self, mv: &str) -> Result<(), Error>;
    /// Undoes the latest move; returns false if there is none.
    fn undo(&mut self) -> bool;
    /// Returns the moves made since this position was created or parsed.
    fn history(&self) -> &[String];
    /// Returns the result of a finished game for each player.
    fn utilities(&self) -> Option<Vec<f64>>;
    /// Plays random moves to the end of the game.
    fn play_out(&mut self, rng: &mut Rng);
}

impl<G: Game + 'static> PositionPlay for Position<G> {
    fn turn(&self) -> Turn {
        self.game().turn(&self.state)
    }

    fn moves(&self) -> Vec<String> {
        self.texts_of(&self.legal())
    }

    fn distinct_moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        self.game().distinct_moves(&self.state, &mut moves);
        self.texts_of(&moves)
    }

    fn probabilities(&self) -> Vec<f64> {
        if self.turn() != Turn::Chance {
            return Vec::new();
        }
        self.legal().iter().map(|&mv| self.game().probability(&self.state, mv)).collect()
    }

    fn roll(&self, rng: &mut Rng) -> Option<String> {
        (self.turn() == Turn::Chance).then(|| {
            let outcome = self.game().sample(&self.state, rng, &mut Vec::new());
            self.rules.move_text(&self.state, outcome)
        })
    }

    fn play(&mut self, text: &str) -> Result<(), Error> {
        let mv = self.rules.parse_move(&self.state, text)?;
        // A game may read more spellings than the one it writes.
        let text = self.rules.move_text(&self.state, mv);
        self.past.push((mv, Arc::new(self.state.clone())));
        self.rules.game.play(&mut self.state, mv);
        self.texts.push(text);
        Ok(())
    }

    fn undo(&mut self) -> bool {
        let Some((_, before)) = self.past.pop() else { return false };
        self.state = Arc::unwrap_or_clone(before);
        self.texts.pop();
        true
    }

    fn history(&self) -> &[String] {
        &self.texts
    }

    fn utilities(&self) -> Option<Vec<f64>> {
        (self.turn() == Turn::Over).then(|| {
            let game = self.game();
            (0..game.players()).map(|player| game.utility(&self.state, player)).collect()
        })
    }

    fn play_out(&mut self, rng: &mut Rng) {
        self.rules.game.playout(&mut self.state, rng, &mut Vec::new());
        self.past.clear();
        self.texts.clear();
    }
}
