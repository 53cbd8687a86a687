//! Who takes part: agents of this process, and programs by one of three protocols.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// How the arena talks to a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The universal game interface: any game.
    Ugi,
    /// The Go text protocol.
    Gtp,
    /// One JSON object a line.
    Json,
}

/// What the spec of a contestant asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// An agent of the catalog, by its spec.
    Agent(String),
    /// A program and how to talk to it.
    Program {
        /// How to talk to it.
        protocol: Protocol,
        /// Its command line.
        command: String,
    },
}

impl Wanted {
    /// Takes a spec apart: `ugi:COMMAND`, `gtp:COMMAND` and `json:COMMAND` are programs.
    pub fn parse(spec: &str) -> Self {
        let protocol = |name: &str| match name {
            "ugi" => Some(Protocol::Ugi),
            "gtp" => Some(Protocol::Gtp),
            "json" => Some(Protocol::Json),
            _ => None,
        };
        let program = spec.split_once(':').and_then(|(name, command)| {
            let command = command.trim().to_owned();
            Some(Self::Program { protocol: protocol(name.trim())?, command })
        });
        program.unwrap_or_else(|| Self::Agent(spec.to_owned()))
    }
}

/// Somebody who takes part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contestant {
    /// What results call it; no two have the same name.
    pub name: String,
    /// Its spec.
    pub spec: String,
    /// Where its program runs, if not in the current folder. A place on this machine, no part of
    /// the configuration.
    #[serde(skip)]
    pub folder: Option<PathBuf>,
}

impl Contestant {
    /// One whose program runs in the current folder.
    pub fn new(name: impl Into<String>, spec: impl Into<String>) -> Self {
        Self { name: name.into(), spec: spec.into(), folder: None }
    }
}

#[cfg(test)]
mod tests {
    use super::{Protocol, Wanted};

    #[test]
    fn programs_are_told_from_agents_by_their_protocol() {
        let program = |protocol, command: &str| {
            let command = command.to_owned();
            Wanted::Program { protocol, command }
        };
        assert_eq!(Wanted::parse("ugi:./mine -v"), program(Protocol::Ugi, "./mine -v"));
        assert_eq!(
            Wanted::parse("gtp: gnugo --mode gtp"),
            program(Protocol::Gtp, "gnugo --mode gtp")
        );
        assert_eq!(Wanted::parse("json:a:b"), program(Protocol::Json, "a:b"));
        assert_eq!(Wanted::parse("mcts:nodes=5"), Wanted::Agent("mcts:nodes=5".to_owned()));
        assert_eq!(Wanted::parse("random"), Wanted::Agent("random".to_owned()));
    }
}
