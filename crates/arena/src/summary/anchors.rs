//! Ratings that are given, so that others can be compared with them.

use std::str::FromStr;

use serde::Serialize;

use super::Tally;
use crate::TournamentSpec;

/// No rating is farther from 0: beyond this nobody ever wins, and nothing can be compared.
const FARTHEST: f64 = 10_000.0;

/// An agent whose rating is given.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Anchor {
    /// Its name.
    pub agent: String,
    /// Its rating.
    pub elo: f64,
}

/// Error of a given rating.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AnchorError {
    /// The text has no equals sign.
    #[error("write NAME=ELO")]
    Form,
    /// The rating is not a number.
    #[error("`{0}` is no number; write NAME=ELO")]
    NotANumber(String),
    /// The rating is not a number in the range of ratings.
    #[error("anchor {agent}: {elo} is no rating; write one from {} to {FARTHEST}", -FARTHEST)]
    OutOfRange {
        /// Name of the agent.
        agent: String,
        /// The rating as it was given.
        elo: f64,
    },
    /// An agent has two ratings.
    #[error("anchor {0}: its rating is given twice")]
    Twice(String),
    /// The agent does not take part.
    #[error("anchor: there is no `{agent}`; the agents are {}", .agents.join(", "))]
    UnknownAgent {
        /// Name that was given.
        agent: String,
        /// Names of the agents that take part.
        agents: Vec<String>,
    },
}

impl FromStr for Anchor {
    type Err = AnchorError;

    /// `NAME=ELO`. A name may have equals signs of its own.
    fn from_str(text: &str) -> Result<Self, AnchorError> {
        let (agent, elo) = text.rsplit_once('=').ok_or(AnchorError::Form)?;
        let number = elo.trim().parse();
        let elo = number.map_err(|_| AnchorError::NotANumber(elo.to_owned()))?;
        Ok(Self { agent: agent.to_owned(), elo })
    }
}

/// Their indices.
pub(super) fn look_up(
    anchors: &[Anchor],
    config: &TournamentSpec,
) -> Result<Vec<(usize, f64)>, AnchorError> {
    let find = |(at, Anchor { agent, elo }): (usize, &Anchor)| {
        // NaN is in no range.
        if !(-FARTHEST..=FARTHEST).contains(elo) {
            return Err(AnchorError::OutOfRange { agent: agent.clone(), elo: *elo });
        }
        if anchors[..at].iter().any(|before| before.agent == *agent) {
            return Err(AnchorError::Twice(agent.clone()));
        }
        let index = config.agents.iter().position(|other| other.name == *agent);
        index.map(|index| (index, *elo + 0.0)).ok_or_else(|| AnchorError::UnknownAgent {
            agent: agent.clone(),
            agents: config.agents.iter().map(|a| a.name.clone()).collect(),
        })
    };
    anchors.iter().enumerate().map(find).collect()
}

/// Returns the anchors of a tournament for which none are named.
pub(super) fn usual(spec: &TournamentSpec) -> Vec<(usize, f64)> {
    let reference = spec.format.reference_agent();
    reference
        .filter(|&agent| agent < spec.agents.len())
        .map(|agent| (agent, 0.0))
        .into_iter()
        .collect()
}

/// Says which given ratings are not used, because no game of their agents counts.
pub(super) fn unused(tally: &Tally, is_left_out: &[bool]) -> Option<String> {
    let unused: Vec<&str> = (tally.anchors.iter())
        .filter(|(agent, _)| is_left_out[*agent])
        .map(|(agent, _)| tally.names[*agent].as_str())
        .collect();
    let names = unused.join(", ");
    (!unused.is_empty()).then(|| format!("anchor {names}: withdrawn, so its rating is not used"))
}
