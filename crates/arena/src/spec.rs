//! Specification of a tournament.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tussle_core::TimeControl;
use tussle_engine::{Overrun, Terms};
use tussle_stats::Sprt;

use crate::{Contestant, Format, Shard};

/// Specification of a tournament: everything that decides which games are played and how. It is
/// stored with the games.
///
/// Settings that may change from one run to the next are elsewhere: the number of games played at
/// once, the folders of programs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Config))]
pub struct TournamentSpec {
    /// Canonical specs of the games; the pairs of each round take the next one.
    pub games: Vec<String>,
    /// Agents that take part.
    pub agents: Vec<Contestant>,
    /// Rule that decides which agents meet.
    pub format: Format,
    /// Number of pairs played by agents that meet.
    pub rounds: u64,
    /// Largest number of games in all.
    pub limit: Option<u64>,
    /// Time of each player.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub clock: TimeControl,
    /// Nodes per move.
    pub nodes: Option<u64>,
    /// Plies per move.
    pub depth: Option<u32>,
    /// Safety margin, subtracted from the time a player is told it has.
    #[serde(with = "crate::text::duration")]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub margin: Duration,
    /// Bytes that each player may use.
    pub memory: Option<u64>,
    /// Consequence of running out of time.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub overrun: Overrun,
    /// Random moves before the players take over.
    pub opening_plies: u32,
    /// Openings from a file, one line each; empty without a file.
    pub openings: Vec<String>,
    /// Seed of everything random.
    pub seed: u64,
    /// Faults after which a program is withdrawn; 0 for never.
    pub strikes: u64,
    /// Test that ends the match.
    #[serde(default, with = "crate::text::optional")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub sprt: Option<Sprt>,
    /// Part of the schedule that is played.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub shard: Option<Shard>,
    /// Number of players of its games [default: 2]; [`Tournament::new`](crate::Tournament::new) sets it.
    #[serde(default = "two", skip_serializing_if = "is_two")]
    pub players: usize,
}

fn two() -> usize {
    2
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_two(players: &usize) -> bool {
    *players == 2
}

impl TournamentSpec {
    /// Creates one round of the default format between these agents, on the default terms.
    pub fn new(games: Vec<String>, agents: Vec<Contestant>) -> Self {
        let Terms { clock, nodes, depth, margin, memory, overrun } = Terms::default();
        Self {
            games,
            agents,
            format: Format::default(),
            rounds: 1,
            limit: None,
            clock,
            nodes,
            depth,
            margin,
            memory,
            overrun,
            opening_plies: 0,
            openings: Vec::new(),
            seed: 1,
            strikes: 3,
            sprt: None,
            shard: None,
            players: 2,
        }
    }

    /// Makes it a match of at most `games` games between all of its agents.
    #[must_use]
    pub fn with_games(self, games: u64) -> Self {
        let rounds = games.div_ceil((self.agents.len() as u64).max(1));
        Self { rounds, limit: Some(games), ..self }
    }

    /// Returns what every player may spend.
    pub fn terms(&self) -> Terms {
        let Self { clock, nodes, depth, margin, memory, overrun, .. } = *self;
        Terms { clock, nodes, depth, margin, memory, overrun }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_specification_is_read_in_the_words_of_every_version() {
        let mut stored = serde_json::json!({
            "games": ["go:size=5"],
            "agents": [{ "name": "a", "spec": "greedy" }, { "name": "b", "spec": "ugi:./b" }],
            "format": "round-robin",
            "rounds": 4,
            "limit": null,
            "clock": "15s+1s",
            "nodes": null,
            "depth": 3,
            "margin": "10ms",
            "memory": 500_000_000,
            "overrun": "random-move",
            "opening_plies": 2,
            "openings": [],
            "seed": 7,
            "strikes": 3,
        });
        let spec: TournamentSpec = serde_json::from_value(stored.clone()).expect("a specification");
        assert_eq!((spec.sprt, spec.shard, spec.players), (None, None, 2));
        assert_eq!((spec.margin, spec.overrun), (Duration::from_millis(10), Overrun::RandomMove));
        let sprt = "elo0=0,elo1=20,alpha=0.05,beta=0.05,model=normalized";
        stored["sprt"] = sprt.into();
        stored["shard"] = "1/4".into();
        let spec: TournamentSpec = serde_json::from_value(stored.clone()).expect("a specification");
        let written = serde_json::to_string(&spec).expect("JSON");
        assert_eq!(written, stored.to_string(), "keys, their order and the texts of values");
    }
}
