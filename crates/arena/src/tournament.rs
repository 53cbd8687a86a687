//! Tournaments that can be played: specifications whose names were all looked up.

use std::collections::HashSet;
use std::sync::Arc;

use tussle_catalog::text::counted;
use tussle_catalog::{AnyGame, Catalog, Error};
use tussle_engine::{PlayerError, Terms, check_spec, needs_moves};

use crate::names::{self, NameError};
use crate::openings::{Openings, OpeningsError};
use crate::store::options;
use crate::{Format, Opening, Schedule, Shard, TournamentSpec};

/// Maximum length of random openings, in plies.
const MAX_OPENING_PLIES: u32 = 200;

/// Error of a configuration that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// A game does not exist.
    #[error(transparent)]
    Game(#[from] Error),
    /// The list of games is empty.
    #[error("game: expected at least one game, found none")]
    NoGame,
    /// Two games have different numbers of players.
    #[error(
        "{first} has {players} players and {other} has {other_players}: \
         use games with the same number of players in one tournament"
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
    /// The game has more players than there are agents, or a match has fewer.
    #[error(
        "{game} has {}, but {} {} named; name {players}",
        counted(*.players as u64, "player"), counted(*.agents, "agent"), if *.agents == 1 { "was" } else { "were" }
    )]
    WrongNumberOfAgents {
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
    #[error("two agents are called `{0}`; give them different names")]
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
    #[error("the schedule has no games: expected at least one round, one game and two agents")]
    NoGames,
    /// The openings cannot be made.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// An opening is a position, which cannot be sent to the program of this agent.
    #[error("{0}: GTP cannot set up positions; write the openings as moves")]
    GtpPosition(String),
    /// The format is for games of two players.
    #[error("{} is for games of two players, not of {players}; use round-robin", .format.title())]
    TwoPlayersOnly {
        /// Format of the tournament.
        format: Format,
        /// Number of players of the games.
        players: usize,
    },
    /// The format ends after a number of games, but none is given.
    #[error("games: {} needs a number of games", .0.title())]
    NoLimit(Format),
    /// A sequential test needs two agents in a game of two players.
    #[error("sprt: expected two agents in a game of two players")]
    SprtOfMany,
    /// The pairings of a shard would depend on results of other shards.
    #[error(
        "shard {shard}: {} pairs each round from all earlier results, \
         and a shard has only some of them; run it on one machine",
        .format.title()
    )]
    ShardedFormat {
        /// Format of the tournament.
        format: Format,
        /// The shard.
        shard: Shard,
    },
    /// The sequential test of a shard would depend on results of other shards.
    #[error(
        "shard {0}: a sequential test uses all earlier results, and a shard has only some of them; \
         run it on one machine"
    )]
    SprtShard(Shard),
    /// The limit of nodes, depth or memory is 0.
    #[error("nodes, depth and memory: expected limits of at least 1, found 0")]
    ZeroLimit,
}

/// Tournament that can be played: a specification whose names were all looked up.
pub struct Tournament {
    pub(crate) spec: TournamentSpec,
    pub(crate) games: Vec<Arc<dyn AnyGame>>,
    pub(crate) schedule: Schedule,
    pub(crate) terms: Terms,
}

impl Tournament {
    /// Creates a tournament and looks up its games and agents in the catalog.
    ///
    /// # Errors
    /// If the specification is invalid; the message says what is wrong and what to do.
    pub fn new(spec: TournamentSpec, catalog: &Catalog) -> Result<Self, SpecError> {
        Self::with_agents(spec, catalog, |agents, players| agents >= players)
    }

    /// Like [`new`](Self::new), but the number of agents must equal the number of players, so that all agents play every
    /// game.
    ///
    /// # Errors
    /// Like [`new`](Self::new).
    pub fn new_match(spec: TournamentSpec, catalog: &Catalog) -> Result<Self, SpecError> {
        Self::with_agents(spec, catalog, |agents, players| agents == players)
    }

    fn with_agents(
        mut spec: TournamentSpec,
        catalog: &Catalog,
        are_enough: impl FnOnce(usize, usize) -> bool,
    ) -> Result<Self, SpecError> {
        let games = spec.games.iter().map(|game| catalog.game(game));
        let games = games.collect::<Result<Vec<_>, _>>()?;
        let first = games.first().ok_or(SpecError::NoGame)?;
        let players = first.players();
        if let Some(other) = games.iter().find(|game| game.players() != players) {
            return Err(SpecError::MixedPlayers {
                first: first.spec().to_owned(),
                players,
                other: other.spec().to_owned(),
                other_players: other.players(),
            });
        }
        if !are_enough(spec.agents.len(), players) {
            let (game, agents) = (first.spec().to_owned(), spec.agents.len() as u64);
            return Err(SpecError::WrongNumberOfAgents { game, players, agents });
        }
        check_names(&spec)?;
        check_agents(&spec, &games)?;
        check_limits(&spec)?;
        check_format(&spec, players)?;
        // Canonical specs make specifications of the same games compare equal.
        spec.games = games.iter().map(|game| game.spec().to_owned()).collect();
        spec.players = players;
        for agent in &mut spec.agents {
            agent.options = options(&agent.spec, games.iter().map(AsRef::as_ref))?;
        }
        let schedule = Schedule::new(&spec, players);
        if schedule.is_empty() {
            return Err(SpecError::NoGames);
        }
        let terms = spec.terms();
        let tournament = Self { spec, games, schedule, terms };
        tournament.check_openings()?;
        Ok(tournament)
    }

    /// Checks that the first opening of each game can be made.
    fn check_openings(&self) -> Result<(), SpecError> {
        let mut openings = self.openings()?;
        let first = |game: usize| self.schedule.first_pair_of(game);
        for pair in (0..self.games.len()).filter_map(first) {
            self.opening(&mut openings, &self.schedule, pair)?;
        }
        match self.spec.agents.iter().find(|agent| needs_moves(&agent.spec)) {
            Some(agent) if openings.has_positions() => {
                Err(SpecError::GtpPosition(agent.name.clone()))
            }
            _ => Ok(()),
        }
    }

    /// Returns the specification, with canonical specs of the games.
    pub fn spec(&self) -> &TournamentSpec {
        &self.spec
    }

    /// Returns the number of players in a game.
    pub fn players(&self) -> usize {
        self.games[0].players()
    }

    /// Returns the schedule of all games.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Returns the time and resource limits of each player.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Returns the opening of a pair. `schedule` is that of a run, which may have more rounds than the one of this value.
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

    /// Creates the openings of the tournament.
    pub(crate) fn openings(&self) -> Result<Openings, OpeningsError> {
        let games: Vec<&dyn AnyGame> = self.games.iter().map(AsRef::as_ref).collect();
        Openings::new(self.spec.opening_plies, &self.spec.openings, self.spec.seed, &games)
    }
}

/// Rejects names that could forge output, and duplicate names.
fn check_names(spec: &TournamentSpec) -> Result<(), SpecError> {
    for game in &spec.games {
        names::check_text("game", game).map_err(SpecError::GameName)?;
    }
    for (i, agent) in spec.agents.iter().enumerate() {
        let wrong = |source| SpecError::AgentName { number: i + 1, source };
        names::check(agent).map_err(wrong)?;
    }
    let mut names = HashSet::new();
    match spec.agents.iter().find(|agent| !names.insert(&agent.name)) {
        Some(twice) => Err(SpecError::SameName(twice.name.clone())),
        None => Ok(()),
    }
}

/// Rejects agents and programs that cannot play the games. Each distinct agent is checked once.
fn check_agents(spec: &TournamentSpec, games: &[Arc<dyn AnyGame>]) -> Result<(), SpecError> {
    let mut checked = HashSet::new();
    for agent in &spec.agents {
        let folder = agent.folder.as_deref();
        if !checked.insert((&agent.spec, folder)) {
            continue;
        }
        let check = |game: &Arc<dyn AnyGame>| check_spec(&agent.spec, folder, spec.seed, &**game);
        games.iter().try_for_each(check).map_err(|source| {
            let name = (agent.name != agent.spec).then(|| agent.name.clone());
            SpecError::Agent { name, source }
        })?;
    }
    Ok(())
}

/// Rejects limits with which no game can be played.
fn check_limits(spec: &TournamentSpec) -> Result<(), SpecError> {
    if spec.nodes == Some(0) || spec.depth == Some(0) || spec.memory == Some(0) {
        return Err(SpecError::ZeroLimit);
    }
    if spec.opening_plies > MAX_OPENING_PLIES {
        return Err(SpecError::TooManyPlies(spec.opening_plies));
    }
    Ok(())
}

/// Rejects a format that cannot pair the agents of these games.
fn check_format(spec: &TournamentSpec, players: usize) -> Result<(), SpecError> {
    let format = spec.format;
    if format.is_paired_by_results() && players != 2 {
        return Err(SpecError::TwoPlayersOnly { format, players });
    }
    if format.is_endless() && spec.limit.is_none() {
        return Err(SpecError::NoLimit(format));
    }
    if spec.sprt.is_some() && (players, spec.agents.len()) != (2, 2) {
        return Err(SpecError::SprtOfMany);
    }
    match spec.shard {
        Some(shard) if format.is_paired_by_results() => {
            Err(SpecError::ShardedFormat { format, shard })
        }
        Some(shard) if spec.sprt.is_some() => Err(SpecError::SprtShard(shard)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use tussle_engine::ProgramError;

    use super::*;
    use crate::Contestant;

    fn error(
        games: &[&str],
        agents: &[&str],
        change: impl FnOnce(&mut TournamentSpec),
    ) -> SpecError {
        let games = games.iter().map(ToString::to_string).collect();
        let agents = agents.iter().map(|agent| Contestant::new(*agent, *agent)).collect();
        let mut config = TournamentSpec::new(games, agents);
        change(&mut config);
        match Tournament::new(config, &Catalog::standard()) {
            Ok(_) => panic!("the configuration is accepted"),
            Err(error) => error,
        }
    }

    #[test]
    fn an_error_message_says_what_is_wrong_and_what_to_do() {
        let pair = ["random", "greedy"];
        let two = |change: fn(&mut TournamentSpec)| error(&["tictactoe"], &pair, change);
        let shard: Shard = "1/4".parse().expect("a shard");
        let cases = [
            (
                error(&[], &pair, |_| {}),
                SpecError::NoGame,
                "game: expected at least one game, found none",
            ),
            (
                error(&["tictactoe"], &["random"], |_| {}),
                SpecError::WrongNumberOfAgents {
                    game: "tictactoe".to_owned(),
                    players: 2,
                    agents: 1,
                },
                "tictactoe has 2 players, but 1 agent was named; name 2",
            ),
            (
                error(&["tictactoe"], &[], |_| {}),
                SpecError::WrongNumberOfAgents {
                    game: "tictactoe".to_owned(),
                    players: 2,
                    agents: 0,
                },
                "tictactoe has 2 players, but 0 agents were named; name 2",
            ),
            (
                error(&["tictactoe"], &["random", "random"], |_| {}),
                SpecError::SameName("random".to_owned()),
                "two agents are called `random`; give them different names",
            ),
            (
                two(|config| config.agents[1].name = " ".to_owned()),
                SpecError::AgentName { number: 2, source: NameError::Blank },
                "agent 2: the name is empty: write at least one visible character",
            ),
            (
                two(|config| config.format = Format::Adaptive),
                SpecError::NoLimit(Format::Adaptive),
                "games: an adaptive tournament needs a number of games",
            ),
            (
                two(|config| {
                    config.format = Format::Swiss;
                    config.shard = "1/4".parse().ok();
                }),
                SpecError::ShardedFormat { format: Format::Swiss, shard },
                "shard 1/4: a Swiss tournament pairs each round from all earlier results, and a shard \
                 has only some of them; run it on one machine",
            ),
            (
                two(|config| {
                    config.sprt = "elo0=0,elo1=20".parse().ok();
                    config.shard = "1/4".parse().ok();
                }),
                SpecError::SprtShard(shard),
                "shard 1/4: a sequential test uses all earlier results, and a shard has only some of them; \
                 run it on one machine",
            ),
            (
                two(|config| config.opening_plies = 201),
                SpecError::TooManyPlies(201),
                "opening-plies 201: use at most 200 random plies",
            ),
            (
                two(|config| config.rounds = 0),
                SpecError::NoGames,
                "the schedule has no games: expected at least one round, one game and two agents",
            ),
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
        let SpecError::Agent { name: Some(name), source } = named("mine") else {
            panic!("the error is not that of the agent")
        };
        let spec = "ugi:./no/such/program".to_owned();
        assert_eq!(
            (name.as_str(), source),
            ("mine", PlayerError::Program { spec, source: program })
        );
    }
}
