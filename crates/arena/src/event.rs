//! Events of a run.

use tussle_catalog::text::counted;
use tussle_stats::SprtStatus;

use crate::{Outlook, Record, TournamentSpec};

/// Event of a run, for displays and logs.
#[derive(Debug)]
pub enum Event<'a> {
    /// The store was read, and the first game begins.
    Started(Outlook),
    /// A game was stored; with the SPRT status of the match, if it has a test.
    Finished(&'a Record, Option<SprtStatus>),
    /// A game will be rerun, because this machine was at fault.
    Replayed(&'a Record),
    /// A worker reported a stored game with a different outcome. The stored game stays.
    Conflict(&'a Record),
    /// The contestant with this index was withdrawn after too many faults; with the new numbers of games.
    Withdrawn(usize, Outlook),
    /// This machine is short of threads, descriptors, processes or memory: fewer games are played in parallel.
    Fewer {
        /// Number of games played in parallel from now on.
        jobs: usize,
        /// Error of the system that names what is short.
        why: String,
    },
}

impl Event<'_> {
    /// Returns a log line for a loss by fault or late answer, a void game, a rerun, a conflict, a withdrawal or a
    /// shortage; `None` for other events.
    pub fn line(&self, config: &TournamentSpec) -> Option<String> {
        match self {
            Self::Finished(record, _) => {
                let Record { id, verdict, what, .. } = record;
                let name = &config.agents[record.seats[record.culprit?]].name;
                if record.is_void() {
                    return Some(format!("game {id} is void: {name} {what}"));
                }
                Some(format!("game {id}: {name} lost by {verdict}: {what}"))
            }
            Self::Replayed(record) => Some(format!("game {} is rerun: {}", record.id, record.what)),
            Self::Conflict(record) => Some(format!(
                "game {}: a second result differs from the stored one; the stored one stays",
                record.id
            )),
            Self::Started(_) => None,
            Self::Withdrawn(agent, _) => {
                let name = &config.agents[*agent].name;
                Some(format!("{name} is withdrawn after {}", counted(config.strikes, "fault")))
            }
            Self::Fewer { jobs, why } => {
                let games = if *jobs == 1 { "game" } else { "games" };
                Some(format!("from now on {jobs} {games} in parallel: {why}"))
            }
        }
    }
}
