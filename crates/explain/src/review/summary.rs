//! What a player did in a whole game.

use serde::Serialize;
use tussle_catalog::turns;

use super::{MoveAssessment, MoveVerdict};

/// A loss of 1 leaves e⁻² of a move's accuracy: a seventh.
const STEEPNESS: f64 = 2.0;

/// What a player did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerSummary {
    /// The player, from 0.
    pub player: usize,
    /// The player in a word.
    pub turn: String,
    /// Moves that were chosen among others.
    pub choices: usize,
    /// Those of them in which a mistake would have shown; in the others it may be mere noise.
    pub judged: usize,
    /// Moves than which none was better.
    pub best: usize,
    /// Moves that were hardly worse.
    pub good: usize,
    /// Moves that cost a little.
    pub inaccuracies: usize,
    /// Moves that cost much.
    pub mistakes: usize,
    /// Moves that threw the game away.
    pub blunders: usize,
    /// What a choice cost, on average, in units; unknown if most of them could not be judged.
    pub mean_loss: Option<f64>,
    /// From 0 to 100, where 100 is: never a loss; unknown if most choices could not be judged.
    pub accuracy: Option<f64>,
}

impl PlayerSummary {
    pub(super) fn new(players: usize, player: usize, moves: &[MoveAssessment]) -> Self {
        let own = || moves.iter().filter(move |judged| judged.player == player);
        let count = |verdict| own().filter(|judged| judged.verdict == verdict).count();
        let losses = || own().filter(|one| one.verdict != MoveVerdict::Forced).map(|one| one.loss);
        let choices = losses().count();
        let judged = own().filter(|one| one.verdict != MoveVerdict::Forced && one.judged).count();
        let known = choices > 0 && 2 * judged >= choices;
        let mean = |sum: f64| known.then(|| sum / choices as f64);
        Self {
            player,
            turn: turns::player(players, player),
            choices,
            judged,
            best: count(MoveVerdict::Best),
            good: count(MoveVerdict::Good),
            inaccuracies: count(MoveVerdict::Inaccuracy),
            mistakes: count(MoveVerdict::Mistake),
            blunders: count(MoveVerdict::Blunder),
            mean_loss: mean(losses().sum()),
            accuracy: mean(losses().map(|loss| 100.0 * (-STEEPNESS * loss).exp()).sum()),
        }
    }
}
