//! Ratings that are given, so that others can be compared with them.

use std::str::FromStr;

use super::Tally;
use crate::{Config, Format};

/// No rating is farther from 0: beyond this nobody ever wins, and nothing can be compared.
const FARTHEST: f64 = 10_000.0;

/// An agent whose rating is given.
#[derive(Clone, Debug, PartialEq)]
pub struct Anchor {
    /// Its name.
    pub agent: String,
    /// Its rating.
    pub elo: f64,
}

impl FromStr for Anchor {
    type Err = String;

    /// `NAME=ELO`. A name may have equals signs of its own.
    fn from_str(text: &str) -> Result<Self, String> {
        let (agent, elo) = text.rsplit_once('=').ok_or("write NAME=ELO")?;
        let number = elo.trim().parse();
        let elo = number.map_err(|_| format!("`{elo}` is no number; write NAME=ELO"))?;
        Ok(Self { agent: agent.to_owned(), elo })
    }
}

/// Their indices.
pub(super) fn look_up(anchors: &[Anchor], config: &Config) -> Result<Vec<(usize, f64)>, String> {
    let find = |(at, Anchor { agent, elo }): (usize, &Anchor)| {
        // NaN is in no range.
        if !(-FARTHEST..=FARTHEST).contains(elo) {
            return Err(format!(
                "anchor {agent}: {elo} is no rating; write one from {} to {FARTHEST}",
                -FARTHEST
            ));
        }
        if anchors[..at].iter().any(|before| before.agent == *agent) {
            return Err(format!("anchor {agent}: its rating is given twice"));
        }
        let index = config.agents.iter().position(|other| other.name == *agent);
        index.map(|index| (index, *elo + 0.0)).ok_or_else(|| {
            let names: Vec<&str> = config.agents.iter().map(|a| a.name.as_str()).collect();
            format!("anchor: there is no `{agent}`; the agents are {}", names.join(", "))
        })
    };
    anchors.iter().enumerate().map(find).collect()
}

/// Those of a tournament for which none are named: in a gauntlet everybody is compared with the one whom
/// all meet.
pub(super) fn usual(config: &Config) -> Vec<(usize, f64)> {
    if config.format == Format::Gauntlet && !config.agents.is_empty() {
        vec![(0, 0.0)]
    } else {
        Vec::new()
    }
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
