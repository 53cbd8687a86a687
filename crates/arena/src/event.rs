//! Events of a run.

use tussle_catalog::text::counted;
use tussle_stats::SprtStatus;

use crate::{Outlook, Record, TournamentSpec};

/// Event of a run, for displays and logs.
#[derive(Debug)]
pub enum Event<'a> {
    /// The store was read, and the first game begins.
    Started(Outlook),
    /// A game is finished and in the store; with the status of the match's sequential test.
    Finished(&'a Record, Option<SprtStatus>),
    /// A game is to be played again, because this machine was at fault.
    Replayed(&'a Record),
    /// A worker reported a game of the store with another outcome. The stored game stays.
    Conflict(&'a Record),
    /// A contestant, by its index, was withdrawn after too many faults, which changes what can be played.
    Withdrawn(usize, Outlook),
    /// This machine is short of threads, descriptors, processes or memory: fewer games at once are played.
    Fewer {
        /// Number of games played at once from now on.
        jobs: usize,
        /// Error of the system that names what is short.
        why: String,
    },
}

impl Event<'_> {
    /// Returns one line about the event, if it is worth a line: a loss by another verdict than the rules', a game that
    /// is played again, a conflict, a withdrawal, a shortage.
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
            Self::Replayed(record) => {
                Some(format!("game {} is played again: {}", record.id, record.what))
            }
            Self::Conflict(record) => {
                Some(format!("game {}: a second result differs; the first one stays", record.id))
            }
            Self::Started(_) => None,
            Self::Withdrawn(agent, _) => {
                let name = &config.agents[*agent].name;
                Some(format!("{name} is withdrawn after {}", counted(config.strikes, "fault")))
            }
            Self::Fewer { jobs, why } => {
                let games = if *jobs == 1 { "game" } else { "games" };
                Some(format!("{jobs} {games} at once from here on: {why}"))
            }
        }
    }
}
