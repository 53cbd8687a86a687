//! How a match or a tournament is played: the options they share.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tussle_arena::{Config, Shard, read_openings};
use tussle_core::{duration_text, parse_bytes};

use super::terms::Terms;
use crate::failure::Failure;

/// Whatever is not said here is left as it is.
#[derive(Args)]
pub(crate) struct Conditions {
    #[command(flatten)]
    pub(crate) terms: Terms,
    /// Nodes for each move. Without `--clock` a move may then take a minute.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Plies for each move. Without `--clock` a move may then take a minute.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Memory of every player, such as `500MB`: of all its processes for a program, of its tables
    /// and trees for an agent of ours.
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    memory: Option<u64>,
    /// What happens to a player whose time runs out; it has lost unless said otherwise.
    #[arg(long, value_enum)]
    overrun: Option<Overrun>,
    /// Begin each pair of games with this many random moves, the same ones in both; at most 200.
    #[arg(long, value_name = "N", conflicts_with = "openings")]
    opening_plies: Option<u32>,
    /// Begin the pairs with the lines of this file in turn: moves, or a position.
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Withdraw a program after this many games that it lost by not working (crash, hang, memory,
    /// protocol, no move in time); 0 for never [default: 3]
    #[arg(long, value_name = "N")]
    strikes: Option<u64>,
    /// Play only part K of N of the games, such as `2/4`: for several machines. `tussle results merge`
    /// puts the stores together.
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    /// How many games are played at once; 1 unless said otherwise.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,
    /// Keep the games in this file; a second run of the same command goes on where the first
    /// one ended.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// One JSON document.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Overrun {
    /// It has lost.
    Loss,
    /// A random legal move is made for it.
    RandomMove,
}

impl Conditions {
    /// Puts what was said into a configuration.
    pub(crate) fn put_into(&self, config: &mut Config) -> Result<(), Failure> {
        let Terms { clock, margin, seed, .. } = &self.terms;
        config.nodes = self.nodes.or(config.nodes);
        config.depth = self.depth.or(config.depth);
        if let Some(clock) = clock {
            config.clock = clock.to_string();
        } else if self.nodes.is_some() || self.depth.is_some() {
            config.clock = tussle_engine::Terms::LIMITED_CLOCK.to_string();
        }
        if let Some(margin) = margin {
            config.margin = duration_text(*margin);
        }
        config.seed = seed.unwrap_or(config.seed);
        config.memory = self.memory.or(config.memory);
        if let Some(overrun) = self.overrun {
            let overrun = match overrun {
                Overrun::Loss => "loss",
                Overrun::RandomMove => "random-move",
            };
            overrun.clone_into(&mut config.overrun);
        }
        if let Some(plies) = self.opening_plies {
            config.opening_plies = plies;
            config.openings.clear();
        }
        if let Some(path) = &self.openings {
            config.openings = read_openings(path).map_err(Failure::usage)?;
            config.opening_plies = 0;
        }
        config.strikes = self.strikes.unwrap_or(config.strikes);
        config.shard = self.shard.or(config.shard);
        Ok(())
    }
}
