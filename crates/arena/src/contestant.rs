//! Contestants of a tournament.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tussle_engine::{CommandError, Guard, Seat, Terms, seat_for};

/// Error of a contestant whose spec is not a valid command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name}: {source}")]
pub struct SeatError {
    /// Name of the contestant.
    pub name: String,
    /// Error of the command line.
    pub source: CommandError,
}

/// Player that takes part in a tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Contestant {
    /// Name in results; no two contestants have the same.
    pub name: String,
    /// Spec of the agent or the program.
    pub spec: String,
    /// Folder in which its program runs [default: the current one]. It is not part of the configuration.
    #[serde(skip)]
    pub folder: Option<PathBuf>,
    /// Specs with all options of a built-in agent, one for each game of the tournament or one for all; empty for a
    /// program. [`Tournament::new`](crate::Tournament::new) sets them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
}

impl Contestant {
    /// Creates a contestant whose program runs in the current folder.
    pub fn new(name: impl Into<String>, spec: impl Into<String>) -> Self {
        let (name, spec) = (name.into(), spec.into());
        Self { name, spec, folder: None, options: Vec::new() }
    }

    /// Returns a seat for the contestant. A program is started when its first game begins.
    ///
    /// # Errors
    /// If the command line of the program is wrong.
    pub fn seat(&self, guard: &Guard, terms: &Terms) -> Result<Box<dyn Seat>, SeatError> {
        let seat = seat_for(&self.spec, self.folder.as_deref(), guard, terms);
        seat.map_err(|source| SeatError { name: self.name.clone(), source })
    }
}

/// Returns the contestants with distinct names: the second one with a name is called `name#2`.
pub(crate) fn with_distinct_names(mut agents: Vec<Contestant>) -> Vec<Contestant> {
    for i in 1..agents.len() {
        let base = agents[i].name.clone();
        let mut number = 2;
        while agents[..i].iter().any(|other| other.name == agents[i].name) {
            agents[i].name = format!("{base}#{number}");
            number += 1;
        }
    }
    agents
}
