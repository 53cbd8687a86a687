//! A tournament that can be played: a configuration whose every name was looked up.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use tussle_catalog::{AnyGame, Error};
use tussle_core::{Clock, duration_text, parse_any_duration};

use crate::openings::Openings;
use crate::program::look_up;
use crate::seat::GtpRules;
use crate::{
    Config, Contestant, Format, Opening, Overrun, Protocol, Schedule, Terms, Wanted, counted, names,
};

/// Longest random opening, in plies.
const MAX_OPENING_PLIES: u32 = 200;

/// A configuration and what it names.
pub struct Tournament {
    pub(crate) config: Config,
    pub(crate) games: Vec<Arc<dyn AnyGame>>,
    pub(crate) schedule: Schedule,
    pub(crate) terms: Terms,
}

impl Tournament {
    /// Looks everything up.
    ///
    /// # Errors
    /// If anything in the configuration is wrong; the message says what, and what to do.
    pub fn new(mut config: Config) -> Result<Self, String> {
        let text = |e: tussle_catalog::Error| e.to_string();
        let games = config.games.iter().map(|spec| tussle_catalog::game(spec).map_err(text));
        let games = games.collect::<Result<Vec<_>, _>>()?;
        let first = games.first().ok_or("there is no game to play")?;
        let players = first.players();
        if let Some(other) = games.iter().find(|game| game.players() != players) {
            return Err(format!(
                "{} has {players} players and {} has {}: they cannot be in one tournament",
                first.spec(),
                other.spec(),
                other.players()
            ));
        }
        if config.agents.len() < players {
            let given = config.agents.len() as u64;
            let named = if given == 1 { "was named" } else { "were named" };
            return Err(format!(
                "{} has {players} players, but {} {named}; name {players}",
                first.spec(),
                counted(given, "agent")
            ));
        }
        for game in &config.games {
            names::check_text("game", game)?;
        }
        for (i, agent) in config.agents.iter().enumerate() {
            names::check(agent).map_err(|why| format!("agent {}: {why}", i + 1))?;
        }
        let mut names = HashSet::new();
        if let Some(twice) = config.agents.iter().find(|agent| !names.insert(&agent.name)) {
            return Err(format!("two agents are called `{}`; give them names", twice.name));
        }
        for agent in &config.agents {
            let folder = agent.folder.as_deref();
            games
                .iter()
                .try_for_each(|game| check_spec(&agent.spec, folder, config.seed, game.as_ref()))
                .map_err(|why| {
                    let is_spec = agent.name == agent.spec;
                    if is_spec { why.to_string() } else { format!("{}: {why}", agent.name) }
                })?;
        }
        let terms = terms(&config)?;
        check_format(&config, players)?;
        // However it was written: an equal configuration is equal.
        config.games = games.iter().map(|game| game.spec().to_owned()).collect();
        config.clock = terms.clock.to_string();
        config.margin = duration_text(terms.margin);
        if config.opening_plies > MAX_OPENING_PLIES {
            return Err(format!(
                "opening-plies {}: use at most {MAX_OPENING_PLIES} random plies",
                config.opening_plies
            ));
        }
        let schedule = Schedule::new(&config, players);
        if schedule.is_empty() {
            return Err("no games were asked for".to_owned());
        }
        let tournament = Self { config, games, schedule, terms };
        tournament.check_openings()?;
        Ok(tournament)
    }

    /// The first opening of each game tells whether there can be any.
    fn check_openings(&self) -> Result<(), String> {
        let mut openings = self.openings()?;
        let first = |game: usize| self.schedule.first_pair_of(game);
        for pair in (0..self.games.len()).filter_map(first) {
            self.opening(&mut openings, &self.schedule, pair)?;
        }
        let needs_moves = |agent: &&Contestant| {
            matches!(Wanted::parse(&agent.spec), Wanted::Program { protocol: Protocol::Gtp, .. })
        };
        match self.config.agents.iter().find(needs_moves) {
            Some(agent) if openings.has_positions() => {
                Err(format!("{}: GTP knows no positions; write the openings as moves", agent.name))
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
    ) -> Result<Opening, String> {
        openings.of(pair, schedule.round_of(pair), |pair| {
            let index = schedule.game_of(pair);
            (index, self.games[index].as_ref())
        })
    }

    /// Fresh openings.
    pub(crate) fn openings(&self) -> Result<Openings, String> {
        let games: Vec<&dyn AnyGame> = self.games.iter().map(AsRef::as_ref).collect();
        Openings::new(self.config.opening_plies, &self.config.openings, self.config.seed, &games)
    }
}

/// Checks whether an agent or a program can play a game, as far as can be told without starting it.
pub(crate) fn check_spec(
    spec: &str,
    folder: Option<&Path>,
    seed: u64,
    game: &dyn AnyGame,
) -> Result<(), Error> {
    match Wanted::parse(spec) {
        Wanted::Agent(spec) => game.agent(&spec, seed).map(drop),
        Wanted::Program { protocol, command } => {
            // The game comes first: a program that cannot play it need not be installed.
            if protocol == Protocol::Gtp {
                GtpRules::of(game.spec()).map_err(Error::Spec)?;
            }
            look_up(&command, folder).map_err(|why| Error::Spec(format!("{spec}: {why}")))
        }
    }
}

/// Whether this is a way to play games for so many.
fn check_format(config: &Config, players: usize) -> Result<(), String> {
    let drawn = match config.format {
        Format::RoundRobin | Format::Gauntlet => None,
        Format::Swiss => Some("a Swiss tournament"),
        Format::Adaptive => Some("an adaptive tournament"),
    };
    if let Some(name) = drawn
        && players != 2
    {
        return Err(format!(
            "{name} is for games of two players, not of {players}; use round-robin"
        ));
    }
    if config.format == Format::Adaptive && config.limit.is_none() {
        return Err("an adaptive tournament has no end of its own; say how many games".to_owned());
    }
    if config.sprt.is_some() && (players, config.agents.len()) != (2, 2) {
        return Err("an SPRT compares two agents in a game of two; name two".to_owned());
    }
    let Some(shard) = config.shard else { return Ok(()) };
    let reason = match (drawn, config.sprt) {
        (Some(name), _) => format!("{name} draws each round from all results before it"),
        (None, Some(_)) => "an SPRT stops by all results so far".to_owned(),
        (None, None) => return Ok(()),
    };
    Err(format!("{reason}, which a shard ({shard}) does not have; run it on one machine"))
}

/// The terms of a configuration.
fn terms(config: &Config) -> Result<Terms, String> {
    let clock: Clock = config.clock.parse().map_err(|e| format!("clock: {e}"))?;
    let margin = parse_any_duration(&config.margin).map_err(|e| format!("margin: {e}"))?;
    let overrun = match config.overrun.as_str() {
        "loss" => Overrun::Loss,
        "random-move" => Overrun::RandomMove,
        other => return Err(format!("overrun: `{other}` is neither loss nor random-move")),
    };
    let Config { nodes, depth, memory, .. } = *config;
    if nodes == Some(0) || depth == Some(0) || memory == Some(0) {
        return Err("a limit of 0 leaves nothing to search with".to_owned());
    }
    Ok(Terms { clock, nodes, depth, margin, memory, overrun })
}
