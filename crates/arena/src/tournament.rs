//! A tournament that can be played: a configuration whose every name was looked up.

use std::collections::HashSet;
use std::sync::Arc;

use tussle_catalog::text::counted;
use tussle_catalog::{AnyGame, Catalog, Error};
use tussle_core::{ParseError, TimeControl, duration_text, parse_any_duration};
use tussle_engine::{Overrun, PlayerError, Terms, check_spec, needs_moves};

use crate::names::{self, NameError};
use crate::openings::{Openings, OpeningsError};
use crate::{Config, Format, Opening, Schedule, Shard};

/// Longest random opening, in plies.
const MAX_OPENING_PLIES: u32 = 200;

/// Error of a configuration that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// A game does not exist.
    #[error(transparent)]
    Game(#[from] Error),
    /// The list of games is empty.
    #[error("there is no game to play")]
    NoGame,
    /// Two games have different numbers of players.
    #[error(
        "{first} has {players} players and {other} has {other_players}: \
         they cannot be in one tournament"
    )]
    MixedPlayers {
        /// Spec of the first game.
        first: String,
        /// Number of players of the first game.
        players: usize,
        /// Spec of the other game.
        other: String,
        /// Number of players of the other game.
        other_players: usize,
    },
    /// The game has more players than there are agents.
    #[error(
        "{game} has {players} players, but {} {} named; name {players}",
        counted(*.agents, "agent"), if *.agents == 1 { "was" } else { "were" }
    )]
    TooFewAgents {
        /// Spec of the game.
        game: String,
        /// Number of players of the game.
        players: usize,
        /// Number of agents.
        agents: u64,
    },
    /// The spec of a game contains a character that could forge output.
    #[error(transparent)]
    GameName(NameError),
    /// The name or spec of an agent is rejected.
    #[error("agent {number}: {source}")]
    AgentName {
        /// Number of the agent, from 1.
        number: usize,
        /// Error of the name.
        source: NameError,
    },
    /// Two agents have the same name.
    #[error("two agents are called `{0}`; give them names")]
    SameName(String),
    /// An agent cannot play the games; `name` is `None` if it is the agent's spec.
    #[error("{}{source}", .name.as_ref().map(|name| format!("{name}: ")).unwrap_or_default())]
    Agent {
        /// Name of the agent.
        name: Option<String>,
        /// Error of the agent.
        source: PlayerError,
    },
    /// The random openings are too long.
    #[error("opening-plies {0}: use at most {MAX_OPENING_PLIES} random plies")]
    TooManyPlies(u32),
    /// The schedule is empty.
    #[error("no games were asked for")]
    NoGames,
    /// The openings cannot be made.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// An opening is a position, which the program of this agent cannot be told.
    #[error("{0}: GTP knows no positions; write the openings as moves")]
    GtpPosition(String),
    /// The format is for games of two players.
    #[error("{} is for games of two players, not of {players}; use round-robin", named(*.format))]
    TwoPlayersOnly {
        /// Format of the tournament.
        format: Format,
        /// Number of players of the games.
        players: usize,
    },
    /// An adaptive tournament has no limit of games.
    #[error("an adaptive tournament has no end of its own; say how many games")]
    NoLimit,
    /// A sequential test needs two agents in a game of two players.
    #[error("an SPRT compares two agents in a game of two; name two")]
    SprtOfMany,
    /// The rounds of a shard would depend on results of other shards.
    #[error(
        "{} draws each round from all results before it, \
         which a shard ({shard}) does not have; run it on one machine",
        named(*.format)
    )]
    DrawnShard {
        /// Format of the tournament.
        format: Format,
        /// The shard.
        shard: Shard,
    },
    /// The sequential test of a shard would depend on results of other shards.
    #[error(
        "an SPRT stops by all results so far, which a shard ({0}) does not have; \
         run it on one machine"
    )]
    SprtShard(Shard),
    /// The clock cannot be read.
    #[error("clock: {0}")]
    TimeControl(#[source] ParseError),
    /// The margin cannot be read.
    #[error("margin: {0}")]
    Margin(#[source] ParseError),
    /// The text does not say what happens to a late move.
    #[error("overrun: `{0}` is neither loss nor random-move")]
    Overrun(String),
    /// Nodes, depth or memory are limited to 0.
    #[error("a limit of 0 leaves nothing to search with")]
    ZeroLimit,
}

/// Names a format in a sentence.
fn named(format: Format) -> &'static str {
    match format {
        Format::RoundRobin => "a round robin",
        Format::Gauntlet => "a gauntlet",
        Format::Swiss => "a Swiss tournament",
        Format::Adaptive => "an adaptive tournament",
    }
}

/// A configuration and what it names.
pub struct Tournament {
    pub(crate) config: Config,
    pub(crate) games: Vec<Arc<dyn AnyGame>>,
    pub(crate) schedule: Schedule,
    pub(crate) terms: Terms,
}

impl Tournament {
    /// Looks every name up in the catalog.
    ///
    /// # Errors
    /// If anything in the configuration is wrong; the message says what, and what to do.
    pub fn new(mut config: Config, catalog: &Catalog) -> Result<Self, ConfigError> {
        let games = config.games.iter().map(|spec| catalog.game(spec));
        let games = games.collect::<Result<Vec<_>, _>>()?;
        let first = games.first().ok_or(ConfigError::NoGame)?;
        let players = first.players();
        if let Some(other) = games.iter().find(|game| game.players() != players) {
            return Err(ConfigError::MixedPlayers {
                first: first.spec().to_owned(),
                players,
                other: other.spec().to_owned(),
                other_players: other.players(),
            });
        }
        if config.agents.len() < players {
            let (game, agents) = (first.spec().to_owned(), config.agents.len() as u64);
            return Err(ConfigError::TooFewAgents { game, players, agents });
        }
        for game in &config.games {
            names::check_text("game", game).map_err(ConfigError::GameName)?;
        }
        for (i, agent) in config.agents.iter().enumerate() {
            let wrong = |source| ConfigError::AgentName { number: i + 1, source };
            names::check(agent).map_err(wrong)?;
        }
        let mut names = HashSet::new();
        if let Some(twice) = config.agents.iter().find(|agent| !names.insert(&agent.name)) {
            return Err(ConfigError::SameName(twice.name.clone()));
        }
        for agent in &config.agents {
            let folder = agent.folder.as_deref();
            games
                .iter()
                .try_for_each(|game| check_spec(&agent.spec, folder, config.seed, game.as_ref()))
                .map_err(|source| {
                    let name = (agent.name != agent.spec).then(|| agent.name.clone());
                    ConfigError::Agent { name, source }
                })?;
        }
        config.players = players;
        let terms = terms(&config)?;
        check_format(&config, players)?;
        // However it was written: an equal configuration is equal.
        config.games = games.iter().map(|game| game.spec().to_owned()).collect();
        config.clock = terms.clock.to_string();
        config.margin = duration_text(terms.margin);
        if config.opening_plies > MAX_OPENING_PLIES {
            return Err(ConfigError::TooManyPlies(config.opening_plies));
        }
        let schedule = Schedule::new(&config, players);
        if schedule.is_empty() {
            return Err(ConfigError::NoGames);
        }
        let tournament = Self { config, games, schedule, terms };
        tournament.check_openings()?;
        Ok(tournament)
    }

    /// The first opening of each game tells whether there can be any.
    fn check_openings(&self) -> Result<(), ConfigError> {
        let mut openings = self.openings()?;
        let first = |game: usize| self.schedule.first_pair_of(game);
        for pair in (0..self.games.len()).filter_map(first) {
            self.opening(&mut openings, &self.schedule, pair)?;
        }
        match self.config.agents.iter().find(|agent| needs_moves(&agent.spec)) {
            Some(agent) if openings.has_positions() => {
                Err(ConfigError::GtpPosition(agent.name.clone()))
            }
            _ => Ok(()),
        }
    }

    /// What it was made from, with the games' canonical specs.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The number of players of its games.
    pub fn players(&self) -> usize {
        self.games[0].players()
    }

    /// Its games.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// What every player may spend.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The opening of a pair of a schedule, which may know more rounds than ours.
    pub(crate) fn opening(
        &self,
        openings: &mut Openings,
        schedule: &Schedule,
        pair: u64,
    ) -> Result<Opening, OpeningsError> {
        openings.of(pair, schedule.round_of(pair), |pair| {
            let index = schedule.game_of(pair);
            (index, self.games[index].as_ref())
        })
    }

    /// Fresh openings.
    pub(crate) fn openings(&self) -> Result<Openings, OpeningsError> {
        let games: Vec<&dyn AnyGame> = self.games.iter().map(AsRef::as_ref).collect();
        Openings::new(self.config.opening_plies, &self.config.openings, self.config.seed, &games)
    }
}

/// Whether this is a way to play games for so many.
fn check_format(config: &Config, players: usize) -> Result<(), ConfigError> {
    let format = config.format;
    if format.is_drawn() && players != 2 {
        return Err(ConfigError::TwoPlayersOnly { format, players });
    }
    if format == Format::Adaptive && config.limit.is_none() {
        return Err(ConfigError::NoLimit);
    }
    if config.sprt.is_some() && (players, config.agents.len()) != (2, 2) {
        return Err(ConfigError::SprtOfMany);
    }
    match config.shard {
        Some(shard) if format.is_drawn() => Err(ConfigError::DrawnShard { format, shard }),
        Some(shard) if config.sprt.is_some() => Err(ConfigError::SprtShard(shard)),
        _ => Ok(()),
    }
}

/// The terms of a configuration.
fn terms(config: &Config) -> Result<Terms, ConfigError> {
    let clock: TimeControl = config.clock.parse().map_err(ConfigError::TimeControl)?;
    let margin = parse_any_duration(&config.margin).map_err(ConfigError::Margin)?;
    let overrun = match config.overrun.as_str() {
        "loss" => Overrun::Loss,
        "random-move" => Overrun::RandomMove,
        other => return Err(ConfigError::Overrun(other.to_owned())),
    };
    let Config { nodes, depth, memory, .. } = *config;
    if nodes == Some(0) || depth == Some(0) || memory == Some(0) {
        return Err(ConfigError::ZeroLimit);
    }
    Ok(Terms { clock, nodes, depth, margin, memory, overrun })
}

#[cfg(test)]
mod tests {
    use tussle_engine::ProgramError;

    use super::*;
    use crate::Contestant;

    fn error(games: &[&str], agents: &[&str], change: impl FnOnce(&mut Config)) -> ConfigError {
        let games = games.iter().map(ToString::to_string).collect();
        let agents = agents.iter().map(|agent| Contestant::new(*agent, *agent)).collect();
        let mut config = Config::new(games, agents);
        change(&mut config);
        match Tournament::new(config, &Catalog::standard()) {
            Ok(_) => panic!("the configuration is accepted"),
            Err(error) => error,
        }
    }

    #[test]
    fn an_error_has_its_data_and_names_the_fix() {
        let pair = ["random", "greedy"];
        let two = |change: fn(&mut Config)| error(&["tictactoe"], &pair, change);
        let shard: Shard = "1/4".parse().expect("a shard");
        let cases = [
            (error(&[], &pair, |_| {}), ConfigError::NoGame, "there is no game to play"),
            (
                error(&["tictactoe"], &["random"], |_| {}),
                ConfigError::TooFewAgents { game: "tictactoe".to_owned(), players: 2, agents: 1 },
                "tictactoe has 2 players, but 1 agent was named; name 2",
            ),
            (
                error(&["tictactoe"], &[], |_| {}),
                ConfigError::TooFewAgents { game: "tictactoe".to_owned(), players: 2, agents: 0 },
                "tictactoe has 2 players, but 0 agents were named; name 2",
            ),
            (
                error(&["tictactoe"], &["random", "random"], |_| {}),
                ConfigError::SameName("random".to_owned()),
                "two agents are called `random`; give them names",
            ),
            (
                two(|config| config.agents[1].name = " ".to_owned()),
                ConfigError::AgentName { number: 2, source: NameError::Blank },
                "agent 2: the name is empty: write at least one visible character",
            ),
            (
                two(|config| config.format = Format::Adaptive),
                ConfigError::NoLimit,
                "an adaptive tournament has no end of its own; say how many games",
            ),
            (
                two(|config| {
                    config.format = Format::Swiss;
                    config.shard = "1/4".parse().ok();
                }),
                ConfigError::DrawnShard { format: Format::Swiss, shard },
                "a Swiss tournament draws each round from all results before it, which a shard (1/4) \
                 does not have; run it on one machine",
            ),
            (
                two(|config| {
                    config.sprt = "elo0=0,elo1=20".parse().ok();
                    config.shard = "1/4".parse().ok();
                }),
                ConfigError::SprtShard(shard),
                "an SPRT stops by all results so far, which a shard (1/4) does not have; run it on one \
                 machine",
            ),
            (
                two(|config| config.overrun = "never".to_owned()),
                ConfigError::Overrun("never".to_owned()),
                "overrun: `never` is neither loss nor random-move",
            ),
            (
                two(|config| config.opening_plies = 201),
                ConfigError::TooManyPlies(201),
                "opening-plies 201: use at most 200 random plies",
            ),
            (two(|config| config.rounds = 0), ConfigError::NoGames, "no games were asked for"),
        ];
        for (error, expected, text) in cases {
            assert_eq!(error, expected);
            assert_eq!(error.to_string(), text);
        }
    }

    #[test]
    fn an_error_of_an_agent_begins_with_its_name_unless_that_is_the_spec() {
        let named = |name: &str| {
            error(&["tictactoe"], &["random", "greedy"], |config| {
                config.agents[1] = Contestant::new(name, "ugi:./no/such/program");
            })
        };
        let why = "ugi:./no/such/program: there is no program ./no/such/program";
        assert_eq!(named("mine").to_string(), format!("mine: {why}"));
        assert_eq!(named("ugi:./no/such/program").to_string(), why);
        let program = ProgramError::Missing("./no/such/program".into());
        let ConfigError::Agent { name: Some(name), source } = named("mine") else {
            panic!("the error is not that of the agent")
        };
        let spec = "ugi:./no/such/program".to_owned();
        assert_eq!(
            (name.as_str(), source),
            ("mine", PlayerError::Program { spec, source: program })
        );
    }
}
