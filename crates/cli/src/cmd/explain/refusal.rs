//! Conversion of errors of explanations.

use tussle_explain::{ExerciseError, ExplainError};

use crate::failure::Failure;

pub(super) fn failure(error: ExplainError) -> Failure {
    match error {
        ExplainError::Catalog(error) => error.into(),
        other => Failure::usage(other.to_string()),
    }
}

impl From<ExerciseError> for Failure {
    fn from(error: ExerciseError) -> Self {
        Self::usage(error.to_string())
    }
}
