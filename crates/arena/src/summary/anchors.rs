//! Ratings that are given, so that others can be compared with them.

use std::str::FromStr;

use crate::{Config, Format};

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
        let number = elo.trim().parse().ok().filter(|elo: &f64| elo.is_finite());
        let elo = number.ok_or_else(|| format!("`{elo}` is no number; write NAME=ELO"))?;
        Ok(Self { agent: agent.to_owned(), elo })
    }
}

/// Their indices.
pub(super) fn look_up(anchors: &[Anchor], config: &Config) -> Result<Vec<(usize, f64)>, String> {
    let find = |Anchor { agent, elo }: &Anchor| {
        let index = config.agents.iter().position(|other| other.name == *agent);
        index.map(|index| (index, *elo)).ok_or_else(|| {
            let names: Vec<&str> = config.agents.iter().map(|a| a.name.as_str()).collect();
            format!("anchor: there is no `{agent}`; the agents are {}", names.join(", "))
        })
    };
    anchors.iter().map(find).collect()
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
