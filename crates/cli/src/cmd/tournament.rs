//! `tussle tournament`

use std::path::Path;

use clap::{Args, ValueEnum};
use tussle_arena::{
    Anchor, Asked, Config, Format, Length, Tally, Tournament as Arena, expand_boards,
    read_tournament,
};
use tussle_catalog::Catalog;
use tussle_engine::Programs;

use crate::args::Conditions;
use crate::failure::Failure;
use crate::report::results;
use crate::session;

/// Play a tournament: round robin, gauntlet, Swiss or adaptive, resumable
///
/// Those who meet play a pair of games from the same opening with seats swapped: in each round
/// everybody meets everybody, or the first agent everybody else (gauntlet), or each one an equal
/// (swiss); or games go where the ranking is least certain (adaptive). With `--store` every finished game is safe at once;
/// the same command goes on where it was stopped or killed.
///
/// Agents are those of `tussle agents`, or programs: ugi:COMMAND, gtp:COMMAND (Go), json:COMMAND.
/// A file (TOML) may say it all; options override it.
///
/// Examples:
///   tussle tournament gobblet greedy random mcts:nodes=200 --rounds 40 --store S.db --jobs 2
///   tussle tournament connect4 ids "ugi:./mine" "json:python3 mine.py" --clock 1s
///   tussle tournament keep-on-moving:board=0..4 lite-2020 heavy-2020 simple --rounds 10
///   tussle tournament gobblet random greedy mcts:nodes=100 mcts:nodes=400 --format swiss --rounds 3
///   tussle tournament gobblet random greedy mcts:nodes=100 --format adaptive --games 300
///   tussle tournament class.toml
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Tournament {
    /// A tournament file, or the game: name[:key=value,…]; `key=0..4` is a list of games.
    #[arg(value_name = "FILE|GAME")]
    what: String,
    /// The agents, if a game was named.
    agents: Vec<String>,
    /// How many rounds; those who meet in one play a pair of games. Unless said otherwise 1, and in a
    /// Swiss tournament as many as it takes to find the best.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    rounds: Option<u64>,
    /// How many games in all, for the adaptive format; 30 for each agent unless said otherwise.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..))]
    games: Option<u64>,
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
    /// Each round those meet who have done about as well, and nobody twice.
    Swiss,
    /// Those meet whose order is least certain.
    Adaptive,
}

impl Tournament {
    pub(crate) fn run(&self, catalog: &Catalog, programs: &Programs) -> Result<(), Failure> {
        let Asked { mut config, length, store, jobs, anchors } = self.asked()?;
        let anchors = if self.anchors.is_empty() { &anchors } else { &self.anchors };
        self.conditions.put_into(&mut config)?;
        if let Some(format) = self.format {
            config.format = match format {
                Pairing::RoundRobin => Format::RoundRobin,
                Pairing::Gauntlet => Format::Gauntlet,
                Pairing::Swiss => Format::Swiss,
                Pairing::Adaptive => Format::Adaptive,
            };
        }
        let length =
            Length { rounds: self.rounds.or(length.rounds), games: self.games.or(length.games) };
        length.put_into(&mut config).map_err(Failure::usage)?;
        let tournament = Arena::new(config, catalog).map_err(Failure::usage)?;
        // A wrong name is better told before the games than after them.
        Tally::new(tournament.config()).anchored(anchors).map_err(Failure::usage)?;
        let jobs = session::jobs(&self.conditions, jobs);
        let path = self.conditions.store.clone().or(store);
        session::announce(&tournament, self.conditions.json);
        let store = session::open(&tournament, path.as_deref())?;
        let played = session::play(&tournament, store, jobs, path.is_some(), programs)?;
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
        // Pipes and devices too: the reader says why it rejects them.
        let is_file = path.exists() && !path.is_dir();
        if is_toml || (self.agents.is_empty() && is_file) {
            if !self.agents.is_empty() {
                return Err(Failure::usage(format!(
                    "{} names its agents itself; leave out {}",
                    self.what,
                    self.agents.join(" ")
                )));
            }
            return read_tournament(path).map_err(Failure::usage);
        }
        let games = expand_boards(&self.what).map_err(Failure::usage)?;
        let config = Config::new(games, session::contestants(&self.agents));
        Ok(Asked {
            config,
            length: Length::default(),
            store: None,
            jobs: None,
            anchors: Vec::new(),
        })
    }
}
