//! The one model of a tournament: its specification, and the patches from which it is made.
//!
//! A new setting is a field of [`TournamentSpec`] and a field of [`TournamentPatch`]; the compiler names the lines that it needs
//! below them. Tournament files, the page and the store read it then, and so do `match` and `tournament` if the field has an
//! `arg`.

mod entries;

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tussle_core::{TimeControl, parse_any_duration, parse_bytes};
use tussle_engine::{Overrun, Terms};
use tussle_stats::Sprt;

use crate::boards::expand_boards;
use crate::contestant::with_distinct_names;
use crate::openings_file::{OpeningsFileError, read_openings};
use crate::schedule::Length;
use crate::text::parsed;
use crate::{Anchor, BoardsError, Contestant, Format, Shard};

/// Specification of a tournament: everything that decides which games are played and how. It is
/// stored with the games.
///
/// Settings that may change from one run to the next are not part of it: the number of games played in parallel and the
/// folders of programs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Config))]
pub struct TournamentSpec {
    /// Canonical specs of the games; each round uses the next one.
    pub games: Vec<String>,
    /// Agents that take part.
    pub agents: Vec<Contestant>,
    /// Rule for the pairings.
    pub format: Format,
    /// Number of rounds, in each of which every pairing plays a pair of games.
    pub rounds: u64,
    /// Maximum number of games.
    pub limit: Option<u64>,
    /// Time control of each player.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub clock: TimeControl,
    /// Maximum number of nodes per move.
    pub nodes: Option<u64>,
    /// Maximum depth per move, in plies.
    pub depth: Option<u32>,
    /// Safety margin, subtracted from the time a player is told it has.
    #[serde(with = "crate::text::duration")]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub margin: Duration,
    /// Memory limit of each player, in bytes.
    pub memory: Option<u64>,
    /// Consequence of running out of time.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub overrun: Overrun,
    /// Number of random moves before the players take over.
    pub opening_plies: u32,
    /// Lines of the openings file; empty without a file.
    pub openings: Vec<String>,
    /// Seed of all random choices.
    pub seed: u64,
    /// Number of faults after which an agent is withdrawn; 0 for never.
    pub strikes: u64,
    /// Sequential test (SPRT) that ends the match.
    #[serde(default, with = "crate::text::optional")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub sprt: Option<Sprt>,
    /// Part of the schedule that this machine plays.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub shard: Option<Shard>,
    /// Number of players in a game [default: 2]; [`Tournament::new`](crate::Tournament::new) sets it.
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
    /// Creates a tournament of one round in the default format with the default limits.
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

    /// Limits the tournament to `games` games, with enough rounds of pairs for them.
    #[must_use]
    pub fn with_games(self, games: u64) -> Self {
        let rounds = games.div_ceil((self.agents.len() as u64).max(1));
        Self { rounds, limit: Some(games), ..self }
    }

    /// Returns the time and resource limits of each player.
    pub fn terms(&self) -> Terms {
        let Self { clock, nodes, depth, margin, memory, overrun, .. } = *self;
        Terms { clock, nodes, depth, margin, memory, overrun }
    }
}

/// Error of a patch from which no tournament can be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PatchError {
    /// A spec of `game` is invalid, or its ranges are.
    #[error(transparent)]
    Boards(#[from] BoardsError),
    /// The file of openings cannot be used.
    #[error(transparent)]
    Openings(#[from] OpeningsFileError),
    /// Rounds are given, but the format ends at a number of games.
    #[error("rounds: {} has no rounds; give a number of games instead", .0.title())]
    Rounds(Format),
    /// A number of games is given, but the format ends after its rounds.
    #[error(
        "games: the length of {} is a number of rounds; give rounds instead (in each, every pairing plays a pair of games)",
        .0.title()
    )]
    Games(Format),
}

/// Settings of a tournament, all of them optional: the keys of a tournament file, the fields of the
/// page and, with the feature `clap`, options of the command line.
///
/// [`overlaid`](Self::overlaid) puts one patch over another, and [`into_spec`](Self::into_spec) fills in the defaults.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct TournamentPatch {
    /// Specs of the games; a range such as `board=0..4` stands for several games.
    #[serde(deserialize_with = "entries::games")]
    #[cfg_attr(feature = "clap", arg(skip))]
    #[cfg_attr(feature = "openapi", schema(value_type = entries::OneOrSeveral, required))]
    pub game: Option<Vec<String>>,
    /// Agents that take part.
    #[serde(deserialize_with = "entries::agents")]
    #[cfg_attr(feature = "clap", arg(skip))]
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<entries::AgentEntry>, required))]
    pub agents: Option<Vec<Contestant>>,
    /// Rule for the pairings.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub format: Option<Format>,
    /// Number of rounds, for formats that have rounds.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub rounds: Option<u64>,
    /// Total number of games, for formats without rounds.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub games: Option<u64>,
    /// Sequential test (SPRT) that ends the match.
    #[serde(deserialize_with = "sprt")]
    #[cfg_attr(feature = "clap", arg(skip))]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub sprt: Option<Sprt>,
    /// Time control of each player.
    #[serde(deserialize_with = "clock")]
    #[cfg_attr(feature = "clap", arg(skip))]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub clock: Option<TimeControl>,
    /// Safety margin, subtracted from the time a player is told it has.
    #[serde(deserialize_with = "margin")]
    #[cfg_attr(feature = "clap", arg(skip))]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub margin: Option<Duration>,
    /// Seed of all random choices.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub seed: Option<u64>,
    /// Nodes per move. Without `--clock` a move may then take a minute
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..)))]
    pub nodes: Option<u64>,
    /// Plies per move. Without `--clock` a move may then take a minute
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..)))]
    pub depth: Option<u32>,
    /// Memory of each player, such as `500MB`: of all its processes for a program, of its tables
    /// and trees for a built-in agent
    #[serde(deserialize_with = "memory")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SIZE", value_parser = parse_bytes))]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub memory: Option<u64>,
    /// Consequence of running out of time [default: loss]
    #[cfg_attr(feature = "clap", arg(long, value_parser = crate::choice::overruns()))]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub overrun: Option<Overrun>,
    /// Number of random moves that begin each pair of games, the same in both; at most 200
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", conflicts_with = "openings"))]
    pub opening_plies: Option<u32>,
    /// File whose lines begin the pairs in turn: moves, or a position
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    #[cfg_attr(feature = "openapi", schema(ignore))]
    pub openings: Option<PathBuf>,
    /// Withdraw an agent after this many faults (crash, hang, illegal move, memory, protocol, no move
    /// in time); 0 for never [default: 3]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub strikes: Option<u64>,
    /// Play only part K of N of the games, such as `2/4`, to use several machines. `tussle results
    /// merge` combines the stores
    // Several machines use the same tournament file, so the file cannot name the part.
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "K/N"))]
    #[cfg_attr(feature = "openapi", schema(ignore))]
    pub shard: Option<Shard>,
    /// Number of games played in parallel [default: 1]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = crate::choice::jobs()))]
    pub jobs: Option<usize>,
    /// Keep the games in this file; a second run of the same command resumes where the first one
    /// ended
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    #[cfg_attr(feature = "openapi", schema(ignore))]
    pub store: Option<PathBuf>,
    /// Given ratings of agents. They fix the zero of the rating scale and do not affect any game.
    #[serde(deserialize_with = "entries::anchors")]
    #[cfg_attr(feature = "clap", arg(skip))]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<std::collections::BTreeMap<String, f64>>))]
    pub anchors: Option<Vec<Anchor>>,
}

/// Returns a patch with the fields of `$over` that are given, and the fields of `$base` for the rest.
macro_rules! overlaid {
    ($base:ident, $over:ident, [$($field:ident),* $(,)?], $($special:ident: $value:expr),* $(,)?) => {
        TournamentPatch { $($field: $over.$field.or($base.$field),)* $($special: $value,)* }
    };
}

impl TournamentPatch {
    /// Creates a patch with a game and agents. Programs run in the current folder.
    pub fn between(game: &str, agents: &[String]) -> Self {
        let agents = agents.iter().map(|spec| Contestant::new(spec, spec)).collect();
        Self { game: Some(vec![game.to_owned()]), agents: Some(agents), ..Self::default() }
    }

    /// Returns this patch with the settings of `over` in place of its own where `over` gives them.
    #[must_use]
    pub fn overlaid(self, over: Self) -> Self {
        let clock = over.time_control().or_else(|| self.time_control());
        // Random openings replace those of a file, and the reverse.
        let has_openings = over.opening_plies.is_some() || over.openings.is_some();
        let (opening_plies, openings) = if has_openings {
            (over.opening_plies, over.openings)
        } else {
            (self.opening_plies, self.openings)
        };
        overlaid!(
            self,
            over,
            [
                game, agents, format, rounds, games, sprt, margin, seed, nodes, depth, memory,
                overrun, strikes, shard, jobs, store, anchors,
            ],
            clock: clock,
            opening_plies: opening_plies,
            openings: openings,
        )
    }

    /// Returns the time control. With a limit of nodes or depth it may be left out and is then a minute per move.
    fn time_control(&self) -> Option<TimeControl> {
        let is_limited = self.nodes.is_some() || self.depth.is_some();
        self.clock.or(is_limited.then_some(Terms::LIMITED_CLOCK))
    }

    /// Returns this patch with its paths relative to a folder, in which its programs run.
    #[must_use]
    pub fn in_folder(mut self, folder: &Path) -> Self {
        for agent in self.agents.iter_mut().flatten() {
            let own = agent.folder.take();
            agent.folder = Some(own.map_or_else(|| folder.to_owned(), |own| folder.join(own)));
        }
        let (openings, store) = (self.openings, self.store);
        Self {
            openings: openings.map(|path| folder.join(path)),
            store: store.map(|path| folder.join(path)),
            ..self
        }
    }

    /// Makes the specification: reads the openings, and fills in the defaults.
    ///
    /// # Errors
    /// If the format has rounds but a number of games is given, or the reverse, or if games or openings are invalid.
    pub fn into_spec(self) -> Result<TournamentSpec, PatchError> {
        let clock = self.time_control();
        // Each field is named, so that none is forgotten: here and below.
        let Self {
            game,
            agents,
            format,
            rounds,
            games,
            sprt,
            clock: _,
            margin,
            seed,
            nodes,
            depth,
            memory,
            overrun,
            opening_plies,
            openings,
            strikes,
            shard,
            jobs: _,
            store: _,
            anchors: _,
        } = self;
        let boards = game.iter().flatten().map(|spec| expand_boards(spec));
        let boards = boards.collect::<Result<Vec<_>, _>>()?.concat();
        let openings = openings.as_deref().map(read_openings).transpose()?;
        let default = TournamentSpec::new(boards, with_distinct_names(agents.unwrap_or_default()));
        let format = format.unwrap_or(default.format);
        let usual = format.default_length(default.agents.len() as u64);
        let (rounds, limit) = match (usual, rounds, games) {
            (Length::Games(_), Some(_), _) => return Err(PatchError::Rounds(format)),
            (Length::Games(usual), None, games) => (default.rounds, Some(games.unwrap_or(usual))),
            (Length::Rounds(_), _, Some(_)) => return Err(PatchError::Games(format)),
            (Length::Rounds(usual), rounds, None) => (rounds.unwrap_or(usual), default.limit),
        };
        Ok(TournamentSpec {
            games: default.games,
            agents: default.agents,
            format,
            rounds,
            limit,
            clock: clock.unwrap_or(default.clock),
            nodes,
            depth,
            margin: margin.unwrap_or(default.margin),
            memory,
            overrun: overrun.unwrap_or(default.overrun),
            opening_plies: opening_plies.unwrap_or(default.opening_plies),
            openings: openings.unwrap_or(default.openings),
            seed: seed.unwrap_or(default.seed),
            strikes: strikes.unwrap_or(default.strikes),
            sprt,
            shard,
            players: default.players,
        })
    }
}

/// Defines the functions that read fields from text.
macro_rules! text_fields {
    ($($key:ident: $value:ty, $parse:expr;)*) => {
        $(fn $key<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<$value>, D::Error> {
            parsed(stringify!($key), from, $parse)
        })*
    };
}

text_fields! {
    sprt: Sprt, str::parse::<Sprt>;
    clock: TimeControl, str::parse::<TimeControl>;
    margin: Duration, parse_any_duration;
    memory: u64, parse_bytes;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_specification_of_an_earlier_version_is_read_and_written_the_same() {
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
