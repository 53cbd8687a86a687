//! Summary of the moves of a player.

use serde::Serialize;
use tussle_catalog::turns;

use super::{MoveAssessment, MoveVerdict};

/// Factor of the loss in the accuracy 100 · e^(-2 · loss) of a move.
const STEEPNESS: f64 = 2.0;

/// Counts of the verdicts on a player's moves, with mean loss and accuracy.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlayerSummary {
    /// The player, from 0.
    pub player: usize,
    /// Name of the player.
    pub turn: String,
    /// Moves with alternatives.
    pub choices: usize,
    /// Moves with alternatives whose search was precise enough to show a mistake.
    pub judged: usize,
    /// Best moves.
    pub best: usize,
    /// Good moves.
    pub good: usize,
    /// Inaccuracies.
    pub inaccuracies: usize,
    /// Mistakes.
    pub mistakes: usize,
    /// Blunders.
    pub blunders: usize,
    /// Mean loss of the moves with alternatives, in units; unknown if most of them could not be judged.
    pub mean_loss: Option<f64>,
    /// Accuracy from 0 to 100, where 100 means no loss; unknown if most moves could not be judged.
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
