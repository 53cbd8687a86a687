//! `tussle tournament`

use std::path::Path;

use clap::{Args, ValueEnum};
use tussle_arena::{
    Anchor, Asked, Config, Contestant, Format, Tally, Tournament as Arena, expand_boards,
    read_tournament, with_distinct_names,
};

use super::conditions::Conditions;
use super::{hall, results};
use crate::failure::Failure;

/// Play a tournament: round robin or gauntlet, resumable
///
/// Everybody meets everybody (or the first agent everybody else) in each round, in a pair of games
/// from the same opening with seats swapped. With `--store` every finished game is safe at once;
/// the same command goes on where it was stopped or killed.
///
/// Agents are those of `tussle agents`, or programs: ugi:COMMAND, gtp:COMMAND (Go), json:COMMAND.
/// A file (TOML) may say it all; options override it.
///
/// Examples:
///   tussle tournament gobblet greedy random mcts:nodes=200 --rounds 40 --store S.db --jobs 2
///   tussle tournament connect4 ids "ugi:./mine" "json:python3 mine.py" --clock 1s
///   tussle tournament keep-on-moving:board=0..4 lite-2020 heavy-2020 simple --rounds 10
///   tussle tournament class.toml
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Tournament {
    /// A tournament file, or the game: name[:key=value,…]; `key=0..4` is a list of games.
    #[arg(value_name = "FILE|GAME")]
    what: String,
    /// The agents, if a game was named.
    agents: Vec<String>,
    /// How many pairs of games are played by those who meet; 1 unless said otherwise.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    rounds: Option<u64>,
    /// Who meets whom; everybody unless said otherwise.
    #[arg(long, value_enum)]
    format: Option<Pairing>,
    /// This agent's rating is given, and the others' are relative to it; may be repeated.
    #[arg(long = "anchor", value_name = "NAME=ELO")]
    anchors: Vec<Anchor>,
    #[command(flatten)]
    conditions: Conditions,
}

#[derive(Clone, Copy, ValueEnum)]
enum Pairing {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first agent meets each of the others.
    Gauntlet,
}

impl Tournament {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let Asked { mut config, store, jobs, anchors } = self.asked()?;
        let anchors = if self.anchors.is_empty() { &anchors } else { &self.anchors };
        self.conditions.put_into(&mut config)?;
        config.rounds = self.rounds.unwrap_or(config.rounds);
        if let Some(format) = self.format {
            config.format = match format {
                Pairing::RoundRobin => Format::RoundRobin,
                Pairing::Gauntlet => Format::Gauntlet,
            };
        }
        let tournament = Arena::new(config).map_err(Failure::Usage)?;
        // A wrong name is better told before the games than after them.
        Tally::new(tournament.config()).anchored(anchors).map_err(Failure::Usage)?;
        let jobs = hall::jobs(&self.conditions, jobs);
        let path = self.conditions.store.clone().or(store);
        hall::announce(&tournament, self.conditions.json);
        let store = hall::open(&tournament, path.as_deref())?;
        let played = hall::play(&tournament, store, jobs, path.is_some())?;
        if self.conditions.json {
            results::json(&played.store, anchors)?;
        } else {
            results::print(&played.store, false, anchors)?;
        }
        played.end()
    }

    /// What the file says, or the words of the command line.
    fn asked(&self) -> Result<Asked, Failure> {
        let path = Path::new(&self.what);
        let is_toml = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml"));
        if is_toml || (self.agents.is_empty() && path.is_file()) {
            if !self.agents.is_empty() {
                return Err(Failure::usage(format!(
                    "{} names its agents itself; leave out {}",
                    self.what,
                    self.agents.join(" ")
                )));
            }
            return read_tournament(path).map_err(Failure::Usage);
        }
        let games = expand_boards(&self.what).map_err(Failure::Usage)?;
        let config = Config::new(games, contestants(&self.agents));
        Ok(Asked { config, store: None, jobs: None, anchors: Vec::new() })
    }
}

/// Those who are named on the command line; programs run in the current folder.
pub(super) fn contestants(specs: &[String]) -> Vec<Contestant> {
    let contestant = |spec: &String| Contestant::new(spec, spec);
    with_distinct_names(specs.iter().map(contestant).collect())
}
