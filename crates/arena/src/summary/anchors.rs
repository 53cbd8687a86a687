//! Anchors: agents with a given rating, which fix the zero of the rating scale.

use std::str::FromStr;

use serde::Serialize;

use super::Tally;
use crate::TournamentSpec;

/// Maximum absolute value of a rating. At such differences the weaker agent never wins, so nothing can be compared.
const MAX_ABSOLUTE_ELO: f64 = 10_000.0;

/// Agent with a given rating.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Anchor {
    /// Name of the agent.
    pub agent: String,
    /// Rating in Elo.
    pub elo: f64,
}

/// Error of a given rating.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AnchorError {
    /// The text has no equals sign.
    #[error("anchor: expected NAME=ELO, such as greedy=1500")]
    Form,
    /// The rating is not a number.
    #[error("anchor: expected NAME=ELO with a number, found `{0}`")]
    NotANumber(String),
    /// The rating is out of range.
    #[error(
        "anchor {agent}: expected a rating from {} to {MAX_ABSOLUTE_ELO}, found {elo}",
        -MAX_ABSOLUTE_ELO
    )]
    OutOfRange {
        /// Name of the agent.
        agent: String,
        /// The rating as it was given.
        elo: f64,
    },
    /// An agent has two ratings.
    #[error("anchor {0}: given twice; give each agent one rating")]
    Twice(String),
    /// The agent does not take part.
    #[error("anchor {agent}: no such agent; the agents are {}", .agents.join(", "))]
    UnknownAgent {
        /// Name that was given.
        agent: String,
        /// Names of the agents that take part.
        agents: Vec<String>,
    },
}

impl FromStr for Anchor {
    type Err = AnchorError;

    /// Parses `NAME=ELO`. The name may contain equals signs.
    fn from_str(text: &str) -> Result<Self, AnchorError> {
        let (agent, elo) = text.rsplit_once('=').ok_or(AnchorError::Form)?;
        let number = elo.trim().parse();
        let elo = number.map_err(|_| AnchorError::NotANumber(elo.to_owned()))?;
        Ok(Self { agent: agent.to_owned(), elo })
    }
}

/// Returns the indices and ratings of the anchors.
pub(super) fn look_up(
    anchors: &[Anchor],
    config: &TournamentSpec,
) -> Result<Vec<(usize, f64)>, AnchorError> {
    let find = |(at, Anchor { agent, elo }): (usize, &Anchor)| {
        // Also rejects NaN.
        if !(-MAX_ABSOLUTE_ELO..=MAX_ABSOLUTE_ELO).contains(elo) {
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

/// Returns the default anchors of a tournament: the reference agent of its format, if it has one.
pub(super) fn usual(spec: &TournamentSpec) -> Vec<(usize, f64)> {
    let reference = spec.format.reference_agent();
    reference
        .filter(|&agent| agent < spec.agents.len())
        .map(|agent| (agent, 0.0))
        .into_iter()
        .collect()
}

/// Returns a warning about anchors that are not used because no game of their agents counts.
pub(super) fn unused(tally: &Tally, is_left_out: &[bool]) -> Option<String> {
    let unused: Vec<&str> = (tally.anchors.iter())
        .filter(|(agent, _)| is_left_out[*agent])
        .map(|(agent, _)| tally.names[*agent].as_str())
        .collect();
    let names = unused.join(", ");
    (!unused.is_empty()).then(|| format!("anchor {names}: withdrawn, so its rating is not used"))
}
