//! Turns, moves and results.

use std::sync::Arc;

use tussle_core::{Game, Rng, Turn};

use super::Position;
use crate::Error;

/// Play, for referees, agents and boards: the turn, the legal moves, making and undoing them, and
/// the result.
pub trait PositionPlay {
    /// Returns whose turn it is.
    fn turn(&self) -> Turn;
    /// The legal moves, in the game's order.
    fn moves(&self) -> Vec<String>;
    /// The first move of every class of equivalent moves.
    fn distinct_moves(&self) -> Vec<String>;
    /// The probability of each of [`moves`](PositionPlay::moves), if chance is to move.
    fn probabilities(&self) -> Vec<f64>;
    /// An outcome drawn by its probability, if chance is to move.
    fn roll(&self, rng: &mut Rng) -> Option<String>;
    /// Makes a move.
    ///
    /// # Errors
    /// If it is not legal here; the position is unchanged then.
    fn play(&mut self, mv: &str) -> Result<(), Error>;
    /// Takes the latest move back; false if there is none.
    fn undo(&mut self) -> bool;
    /// The moves made since this position was started or read.
    fn history(&self) -> &[String];
    /// Returns the result of a finished game for each player.
    fn utilities(&self) -> Option<Vec<f64>>;
    /// Plays on at random to the end, chance by its probabilities.
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
