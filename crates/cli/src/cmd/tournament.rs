//! `tussle tournament`

use std::path::Path;

use clap::Args;
use tussle_arena::{
    Anchor, Format, Tally, Tournament as Arena, TournamentPatch, formats, read_tournament,
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
    /// Pairing format [default: round-robin]
    #[arg(long, value_parser = formats())]
    format: Option<Format>,
    /// This agent's rating is given, and the others' are relative to it; may be repeated.
    #[arg(long = "anchor", value_name = "NAME=ELO")]
    anchors: Vec<Anchor>,
    #[command(flatten)]
    conditions: Conditions,
}

impl Tournament {
    pub(crate) fn run(&self, catalog: &Catalog, programs: &Programs) -> Result<(), Failure> {
        let patch = self.named()?.overlaid(self.given());
        let (store, jobs) = (patch.store.clone(), patch.jobs);
        let anchors = patch.anchors.clone().unwrap_or_default();
        let spec = patch.into_spec().map_err(Failure::usage)?;
        let tournament = Arena::new(spec, catalog).map_err(Failure::usage)?;
        // A wrong name is better told before the games than after them.
        Tally::new(tournament.spec()).anchored(&anchors).map_err(Failure::usage)?;
        session::announce(&tournament, self.conditions.json);
        let played = session::play(&tournament, store.as_deref(), jobs, programs)?;
        if self.conditions.json {
            results::json(&played.store, &anchors)?;
        } else {
            results::print(&played.store, false, &anchors)?;
        }
        played.end()
    }

    /// Returns the settings of the file, or the game and the agents of the command line.
    fn named(&self) -> Result<TournamentPatch, Failure> {
        let path = Path::new(&self.what);
        let is_toml = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml"));
        // Pipes and devices too: the reader says why it rejects them.
        let is_file = path.exists() && !path.is_dir();
        if !(is_toml || self.agents.is_empty() && is_file) {
            return Ok(TournamentPatch::between(&self.what, &self.agents));
        }
        if self.agents.is_empty() {
            return read_tournament(path).map_err(Failure::usage);
        }
        Err(Failure::usage(format!(
            "{} names its agents itself; leave out {}",
            self.what,
            self.agents.join(" ")
        )))
    }

    /// Returns the settings of the options.
    fn given(&self) -> TournamentPatch {
        TournamentPatch {
            rounds: self.rounds,
            games: self.games,
            format: self.format,
            anchors: (!self.anchors.is_empty()).then(|| self.anchors.clone()),
            ..self.conditions.patch()
        }
    }
}
