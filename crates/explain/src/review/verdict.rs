//! Verdicts on moves.

use serde::Serialize;
use tussle_core::Outcome;

use super::judge::PositionValue;
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
    /// Loss below 0.1.
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
    // More than half of the difference between a win and a draw: costs 3 wins in 10 games.
    Threshold { loss: 0.6, verdict: MoveVerdict::Blunder },
    // Costs one win in 8 games: more than the advantage of moving first in most games.
    Threshold { loss: 0.25, verdict: MoveVerdict::Mistake },
    // Costs one win in 20 games: about what two searches of a few thousand simulations can distinguish.
    Threshold { loss: 0.1, verdict: MoveVerdict::Inaccuracy },
];

/// Minimum size of a value at which the game may be decided: means of random games are close to each other, so even
/// a moderate mean may belong to a win or a loss.
const MIN_DECIDED_VALUE: f64 = 0.25;

/// Maximum loss of a move if the game may be decided or the loss is unknown. It is an inaccuracy.
const MAX_UNKNOWN_LOSS: f64 = 0.2;

/// Maximum noise of a judged move: a loss of this size, a mistake, would be significant.
const MAX_NOISE: f64 = 0.25;

/// Number of standard errors from which a difference is significant.
const SIGNIFICANT_ERRORS: f64 = 2.0;

/// Verdict on a move and its loss.
pub(super) struct Finding {
    pub(super) verdict: MoveVerdict,
    /// Loss in units.
    pub(super) loss: f64,
    /// True if the search was precise enough to show a mistake.
    pub(super) is_judged: bool,
}

impl Finding {
    fn sure(verdict: MoveVerdict, loss: f64) -> Self {
        Self { verdict, loss, is_judged: true }
    }

    /// Creates the verdict on the only legal move.
    pub(super) fn forced() -> Self {
        Self::sure(MoveVerdict::Forced, 0.0)
    }

    /// Creates the verdict on a move that the search also prefers.
    pub(super) fn favourite(played: &PositionValue) -> Self {
        // The value of another move would have the same noise.
        let is_judged = SIGNIFICANT_ERRORS * (2.0 * played.variance).sqrt() < MAX_NOISE;
        Self { verdict: MoveVerdict::Best, loss: 0.0, is_judged }
    }
}

/// Judges a move by the position it leads to and the one that the best move leads to.
pub(super) fn judge(
    player: usize,
    played: &PositionValue,
    best: &PositionValue,
    scale: &Scale,
) -> Finding {
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
    let noise = SIGNIFICANT_ERRORS * (played.variance + best.variance).sqrt();
    let is_judged = noise < MAX_NOISE || lost > noise;
    if is == Some(Outcome::Loss) && noise >= lost && noise > 0.0 {
        // The best move may be lost as well, so only the noise is a bound of the loss.
        let loss = noise.min(MAX_UNKNOWN_LOSS);
        return Finding::sure(by_loss(loss), loss);
    }
    if lost <= 0.0 {
        return Finding { verdict: MoveVerdict::Best, loss: 0.0, is_judged };
    }
    if lost <= noise {
        return Finding { verdict: MoveVerdict::Good, loss: 0.0, is_judged };
    }
    let loss =
        if is_decided(player, played, best, scale) { lost.min(MAX_UNKNOWN_LOSS) } else { lost };
    Finding::sure(by_loss(loss), loss)
}

fn by_loss(loss: f64) -> MoveVerdict {
    let step = THRESHOLDS.iter().find(|step| loss >= step.loss);
    step.map_or(MoveVerdict::Good, |step| step.verdict)
}

/// Returns true if one of the two values is proven and the other looks the same: a missed win if the played move looks
/// won too, or a proven loss if the best move looks lost too.
fn is_decided(player: usize, played: &PositionValue, best: &PositionValue, scale: &Scale) -> bool {
    let far = |measured| (scale.value(measured, player) - scale.middle) / scale.unit;
    match (played.outcomes[player], best.outcomes[player]) {
        (None, Some(Outcome::Win)) => far(played) >= MIN_DECIDED_VALUE,
        (Some(Outcome::Loss), None) => far(best) <= -MIN_DECIDED_VALUE,
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
