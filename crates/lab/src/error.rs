//! Errors of experiments and reproductions.

use std::io;
use std::path::PathBuf;

use tussle_explain::ExplainError;
use tussle_view::ViewError;

use crate::tune::TuneError;
use crate::{ExperimentError, UnknownName};

pub(crate) type Result<T, E = LabError> = std::result::Result<T, E>;

/// Error of an experiment or a reproduction.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// A game or an agent refused.
    #[error(transparent)]
    Catalog(#[from] tussle_catalog::Error),
    /// An agent or a program cannot play the game.
    #[error(transparent)]
    Player(#[from] tussle_engine::PlayerError),
    /// The games of a match could not be kept.
    #[error(transparent)]
    Store(#[from] tussle_arena::StoreError),
    /// A match cannot be played with these agents and terms.
    #[error(transparent)]
    TournamentSpec(#[from] tussle_arena::SpecError),
    /// A match ended before all games were played; what was played is kept.
    #[error(transparent)]
    Run(#[from] tussle_arena::RunError),
    /// There is no experiment or reproduction of this name.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
    /// An experiment cannot be carried out.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// A tuning cannot be carried out.
    #[error(transparent)]
    Tune(#[from] TuneError),
    /// A search cannot be explained.
    #[error(transparent)]
    Explain(#[from] ExplainError),
    /// An embedded tree is not the JSON it should be.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// A picture cannot be painted.
    #[error(transparent)]
    View(#[from] ViewError),
    /// A folder or a file in it cannot be read or written.
    #[error("cannot write {}: {}", .0.display(), .1)]
    Folder(PathBuf, #[source] io::Error),
    /// The stop flag was raised; finished measurements are kept.
    #[error("stopped before the end")]
    Stopped,
}
