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

/// Play a tournament: round robin, gauntlet, Swiss or adaptive
///
/// Agents that are paired play a game pair: two games from the same opening with the seats swapped. The format
/// decides the pairings of a round: all agents against each other (round-robin), the first agent against
/// all others (gauntlet), agents with similar scores (swiss), or games where the ranking is least certain
/// (adaptive).
///
/// With `--store` every finished game is saved at once; the same command resumes after a stop or a crash.
///
/// Agents are those of `tussle agents`, or programs: ugi:COMMAND, gtp:COMMAND (Go), json:COMMAND. A tournament
/// file (TOML) can hold all settings; options override it.
///
/// Examples:
///   tussle tournament gobblet greedy random mcts:nodes=200 --store S.db
///   tussle tournament connect4 ids "ugi:./mine" "json:python3 mine.py" --clock 1s
///   tussle tournament keep-on-moving:board=0..4 lite-2020 simple --rounds 10
///   tussle tournament gobblet random greedy ids mcts --format swiss --rounds 3
///   tussle tournament gobblet random greedy ids --format adaptive --games 300
///   tussle tournament class.toml
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Tournament {
    /// Tournament file, or game spec name[:key=value,…]; `key=0..4` is a list of games
    #[arg(value_name = "FILE|GAME")]
    file_or_game: String,
    /// Agent specs or programs; none with a tournament file
    agents: Vec<String>,
    /// Number of rounds; paired agents play a game pair in each [default: 1; swiss: enough to find the
    /// best agent]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    rounds: Option<u64>,
    /// Total number of games of the adaptive format [default: 30 per agent]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..))]
    games: Option<u64>,
    /// Pairing format [default: round-robin]
    #[arg(long, value_parser = formats())]
    format: Option<Format>,
    /// Agent with a fixed rating, to which the other ratings are relative; may be repeated
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
        // Report a wrong name before the games.
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
        let path = Path::new(&self.file_or_game);
        let is_toml = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml"));
        // Pipes and devices too: the reader rejects them with a reason.
        let is_file = path.exists() && !path.is_dir();
        if !(is_toml || self.agents.is_empty() && is_file) {
            return Ok(TournamentPatch::between(&self.file_or_game, &self.agents));
        }
        if self.agents.is_empty() {
            return read_tournament(path).map_err(Failure::usage);
        }
        Err(Failure::usage(format!(
            "{} is a tournament file, which lists its agents; leave out {}",
            self.file_or_game,
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
