//! Verdicts on moves.

use serde::Serialize;
use tussle_core::Outcome;

use super::judge::Measured;
use super::scale::Scale;

/// Verdict on a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum MoveVerdict {
    /// The only legal move.
    Forced,
    /// No move is better.
    Best,
    /// Hardly worse than the best.
    Good,
    /// Loss of 0.1 or more.
    Inaccuracy,
    /// Loss of 0.25 or more.
    Mistake,
    /// Loss of 0.6 or more, or of a proven result.
    Blunder,
}

impl MoveVerdict {
    /// Returns true for an inaccuracy, a mistake or a blunder.
    pub fn is_fault(self) -> bool {
        matches!(self, Self::Inaccuracy | Self::Mistake | Self::Blunder)
    }

    /// Returns the name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Forced => "forced",
            Self::Best => "best",
            Self::Good => "good",
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }
}

/// Least loss of a verdict.
#[derive(Clone, Copy, Debug)]
pub(super) struct Threshold {
    /// Loss in units: 1 lies between a win and a draw.
    pub(super) loss: f64,
    pub(super) verdict: MoveVerdict,
}

/// Thresholds of the verdicts, the largest loss first.
pub(super) const THRESHOLDS: &[Threshold] = &[
    // More than half of the way from a win to a draw: of ten games three are lost by it.
    Threshold { loss: 0.6, verdict: MoveVerdict::Blunder },
    // One game in eight: more than moving first is worth in most games.
    Threshold { loss: 0.25, verdict: MoveVerdict::Mistake },
    // One game in twenty: what two searches of a few thousand simulations can tell apart.
    Threshold { loss: 0.1, verdict: MoveVerdict::Inaccuracy },
];

/// Results of random games lie close together: what is that far on one side may as well be won, or lost.
const DECIDED: f64 = 0.25;

/// Loss that is counted at most where the game looked decided or the loss is unknown: an inaccuracy.
const LITTLE: f64 = 0.2;

/// A choice is judged if a loss of so much would have shown: a mistake.
const SHOWN: f64 = 0.25;

/// Standard errors that are significant.
const SURE: f64 = 2.0;

/// Verdict on a choice and its loss.
pub(super) struct Finding {
    pub(super) verdict: MoveVerdict,
    /// In units.
    pub(super) loss: f64,
    /// True if the search was precise enough to show a mistake.
    pub(super) is_judged: bool,
}

impl Finding {
    fn sure(verdict: MoveVerdict, loss: f64) -> Self {
        Self { verdict, loss, is_judged: true }
    }

    /// There was no choice.
    pub(super) fn forced() -> Self {
        Self::sure(MoveVerdict::Forced, 0.0)
    }

    /// The search would have made the move as well.
    pub(super) fn favourite(played: &Measured) -> Self {
        // Another move would have been measured no better.
        let is_judged = SURE * (2.0 * played.variance).sqrt() < SHOWN;
        Self { verdict: MoveVerdict::Best, loss: 0.0, is_judged }
    }
}

/// Judges a move by the position it leads to and the one that the best move leads to.
pub(super) fn judge(player: usize, played: &Measured, best: &Measured, scale: &Scale) -> Finding {
    let lost = (scale.value(best, player) - scale.value(played, player)) / scale.unit;
    let (is, was) = (played.outcomes[player], best.outcomes[player]);
    if let (Some(is), Some(was)) = (is, was) {
        return match rank(was).saturating_sub(rank(is)) {
            0 if is_later(was, played.distance, best.distance) => {
                Finding::sure(MoveVerdict::Good, 0.0)
            }
            0 => Finding::sure(MoveVerdict::Best, 0.0),
            _ => Finding::sure(MoveVerdict::Blunder, lost.max(0.0)),
        };
    }
    let noise = SURE * (played.variance + best.variance).sqrt();
    let is_judged = noise < SHOWN || lost > noise;
    if is == Some(Outcome::Loss) && noise >= lost && noise > 0.0 {
        // The other may be lost as well, but worse than this it cannot be: so much may have been lost.
        let loss = noise.min(LITTLE);
        return Finding::sure(by_loss(loss), loss);
    }
    if lost <= 0.0 {
        return Finding { verdict: MoveVerdict::Best, loss: 0.0, is_judged };
    }
    if lost <= noise {
        return Finding { verdict: MoveVerdict::Good, loss: 0.0, is_judged };
    }
    let loss = if is_decided(player, played, best, scale) { lost.min(LITTLE) } else { lost };
    Finding::sure(by_loss(loss), loss)
}

fn by_loss(loss: f64) -> MoveVerdict {
    let step = THRESHOLDS.iter().find(|step| loss >= step.loss);
    step.map_or(MoveVerdict::Good, |step| step.verdict)
}

/// One of the two is proven, and the other looks just like it: a win that is missed for what is all but won, a
/// loss chosen where all was lost.
fn is_decided(player: usize, played: &Measured, best: &Measured, scale: &Scale) -> bool {
    let far = |measured| (scale.value(measured, player) - scale.middle) / scale.unit;
    match (played.outcomes[player], best.outcomes[player]) {
        (None, Some(Outcome::Win)) => far(played) >= DECIDED,
        (Some(Outcome::Loss), None) => far(best) <= -DECIDED,
        _ => false,
    }
}

/// Returns true if a win comes later than it could, or a loss sooner.
fn is_later(outcome: Outcome, played: Option<u32>, best: Option<u32>) -> bool {
    match (outcome, played, best) {
        (Outcome::Win, Some(played), Some(best)) => played > best,
        (Outcome::Loss, Some(played), Some(best)) => played < best,
        _ => false,
    }
}

fn rank(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Win => 2,
        Outcome::Draw => 1,
        Outcome::Loss => 0,
    }
}
