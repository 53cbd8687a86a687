//! Options that `match` and `tournament` share.

use clap::Args;
use tussle_arena::TournamentPatch;

use super::terms::Terms;

/// Terms of the games, and how they are played and printed.
#[derive(Args)]
pub(crate) struct Conditions {
    #[command(flatten)]
    pub(crate) terms: Terms,
    #[command(flatten)]
    patch: TournamentPatch,
    /// One JSON document.
    #[arg(long)]
    pub(crate) json: bool,
}

impl Conditions {
    /// Returns the settings that were given.
    pub(crate) fn patch(&self) -> TournamentPatch {
        let Terms { clock, margin, seed, .. } = self.terms;
        TournamentPatch { clock, margin, seed, ..self.patch.clone() }
    }
}
