//! Options that `match` and `tournament` share.

use clap::Args;
use tussle_arena::TournamentPatch;

use super::terms::Terms;

/// Conditions of the games of a match or tournament.
#[derive(Args)]
pub(crate) struct Conditions {
    #[command(flatten)]
    pub(crate) terms: Terms,
    #[command(flatten)]
    patch: TournamentPatch,
    /// Print one JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

impl Conditions {
    /// Returns the settings given on the command line.
    pub(crate) fn patch(&self) -> TournamentPatch {
        let Terms { clock, margin, seed, .. } = self.terms;
        TournamentPatch { clock, margin, seed, ..self.patch.clone() }
    }
}
