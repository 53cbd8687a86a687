//! Faults of evaluators.

use std::fmt;
use std::sync::OnceLock;

use tussle_core::Evaluations;

/// Answer of an evaluator that breaks the contract of [`Evaluator`](tussle_core::Evaluator).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EvaluatorFault {
    /// A value is NaN or infinite.
    Value {
        /// Player whose value it is.
        player: usize,
    },
    /// A probability of the policy is negative, NaN or infinite.
    Policy,
    /// The number of values or of probabilities is wrong.
    Count,
}

impl fmt::Display for EvaluatorFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("evaluator: ")?;
        match self {
            Self::Value { player } => {
                write!(f, "expected a finite value for player {player}, found NaN or infinity")
            }
            Self::Policy => f.write_str(
                "expected finite, non-negative probabilities in the policy, found another number",
            ),
            Self::Count => f.write_str(
                "expected a value for every player and a probability for every listed move, found more or fewer",
            ),
        }
    }
}

impl std::error::Error for EvaluatorFault {}

/// First fault of the evaluator in one search, shared by its threads.
#[derive(Debug, Default)]
pub(crate) struct FaultCell(OnceLock<EvaluatorFault>);

impl FaultCell {
    /// Returns the first fault.
    pub(crate) fn get(&self) -> Option<EvaluatorFault> {
        self.0.get().copied()
    }

    /// Keeps the fault, if it is the first.
    #[cold]
    fn set(&self, fault: EvaluatorFault) {
        let _ = self.0.set(fault);
    }

    /// Returns a value if it is finite. After `None` the search has to stop.
    #[inline]
    pub(crate) fn checked(&self, value: f64, player: usize) -> Option<f64> {
        if value.is_finite() {
            Some(value)
        } else {
            self.set(EvaluatorFault::Value { player });
            None
        }
    }

    /// Checks the answer for one position: its values, and the policy over `moves` listed moves. After `None`
    /// the search has to stop.
    pub(crate) fn checked_answer(
        &self,
        answer: &Evaluations,
        players: usize,
        moves: usize,
    ) -> Option<()> {
        let Evaluations { values, policy } = answer;
        let is_probability = |p: &f32| p.is_finite() && *p >= 0.0;
        let fault = if values.len() != players || policy.len() != moves {
            EvaluatorFault::Count
        } else if let Some(player) = values.iter().position(|value| !value.is_finite()) {
            EvaluatorFault::Value { player }
        } else if !policy.iter().all(is_probability) {
            EvaluatorFault::Policy
        } else {
            return Some(());
        };
        self.set(fault);
        None
    }
}

#[cfg(test)]
mod tests;
