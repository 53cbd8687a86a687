//! The catalog: games and agents by name.

use std::sync::{Arc, OnceLock};

use tussle_core::Game;
use tussle_search::Agent;

use crate::entry::{AgentEntry, Build, GameEntry};
use crate::param::Setting;
use crate::params::{canonical, settle};
use crate::suggest::suggest;
use crate::{AnyGame, Error, Spec, games};

/// Collection of games and agents that are available by name. Cheap to clone.
///
/// [`Catalog::standard`] has the games of Tussle. [`with`](Catalog::with) adds your own game, and
/// [`with_agent`](Catalog::with_agent) your own agent. Tournaments, the server and the command line use the names
/// of the catalog that they get.
#[derive(Clone, Debug)]
pub struct Catalog(Arc<Tables>);

#[derive(Clone, Debug, Default)]
struct Tables {
    games: Vec<GameEntry>,
    agents: Vec<AgentEntry>,
}

impl Default for Catalog {
    fn default() -> Self {
        Self::standard()
    }
}

impl Catalog {
    /// Creates a catalog without games. Every catalog has the standard agents.
    pub fn empty() -> Self {
        Self(Arc::default())
    }

    /// Returns the catalog with the games of Tussle.
    pub fn standard() -> Self {
        static STANDARD: OnceLock<Catalog> = OnceLock::new();
        let new = || Self(Arc::new(Tables { games: games::standard(), agents: Vec::new() }));
        STANDARD.get_or_init(new).clone()
    }

    /// Adds a game; replaces a game of the same name.
    #[must_use]
    pub fn with(mut self, entry: impl Into<GameEntry>) -> Self {
        let (entry, games) = (entry.into(), &mut Arc::make_mut(&mut self.0).games);
        games.retain(|other| other.name != entry.name);
        games.push(entry);
        self
    }

    /// Adds an agent for all games of one type; `make` gets a seed. Replaces an agent of the same name for the
    /// same type.
    ///
    /// # Panics
    /// As [`Entry::new`](crate::Entry::new), if no spec could name the agent.
    ///
    /// ```
    /// use tussle_catalog::Catalog;
    /// use tussle_core::{Limits, Game as _};
    /// use tussle_games::Connect4;
    /// use tussle_search::agent_fn;
    ///
    /// let catalog = Catalog::standard().with_agent("leftmost", "plays the first legal move", |_seed| {
    ///     agent_fn(|game: &Connect4, state: &<Connect4 as tussle_core::Game>::State, _: &Limits| {
    ///         game.legal_moves(state)[0]
    ///     })
    /// });
    /// let game = catalog.game("connect4")?;
    /// let report = game.agent("leftmost", 1)?.choose(game.start().as_ref(), &Limits::none())?;
    /// assert_eq!(report.best().map(String::as_str), Some("1"));
    /// # Ok::<(), tussle_catalog::Error>(())
    /// ```
    #[must_use]
    pub fn with_agent<G: Game + 'static, A: Agent<G> + 'static>(
        mut self,
        name: &'static str,
        summary: &'static str,
        make: impl Fn(u64) -> A + Send + Sync + 'static,
    ) -> Self {
        let entry = AgentEntry::new(name, summary, make);
        let agents = &mut Arc::make_mut(&mut self.0).agents;
        agents.retain(|other| !other.replaces(&entry));
        agents.push(entry);
        self
    }

    /// Returns all games.
    pub fn games(&self) -> &[GameEntry] {
        &self.0.games
    }

    /// Returns the agents that were added by [`with_agent`](Catalog::with_agent); [`AGENTS`](crate::AGENTS) has the
    /// standard ones.
    pub fn own_agents(&self) -> &[AgentEntry] {
        &self.0.agents
    }

    /// Returns the entry of the game with this name.
    ///
    /// # Errors
    /// If no game has this name; the message names the valid ones.
    pub fn entry(&self, name: &str) -> Result<&GameEntry, Error> {
        let games = self.games();
        games.iter().find(|entry| entry.name == name).ok_or_else(|| {
            let help = suggest(name, "games", games.iter().map(|entry| entry.name));
            Error::Spec(format!("unknown game `{name}`; {help}"))
        })
    }

    /// Returns the game that a spec string names.
    ///
    /// # Errors
    /// If no game has this name, or its parameters are wrong; the message names the valid ones.
    pub fn game(&self, spec: &str) -> Result<Arc<dyn AnyGame>, Error> {
        let spec = Spec::parse(spec)?;
        let entry = self.entry(&spec.name)?;
        let args = settle(&spec, &entry.params, &[])?;
        let text = canonical(&spec, &entry.params);
        (entry.build)(Build { catalog: self, spec: text, args: &args })
            .map_err(|reason| Error::Rules { spec: spec.name, reason })
    }

    /// Returns a game from the text of its file: `key` is the parameter that would name the file.
    ///
    /// # Errors
    /// As [`game`](Catalog::game); also if the game has no such parameter.
    pub fn game_from_text(
        &self,
        name: &str,
        key: &str,
        text: &str,
    ) -> Result<Arc<dyn AnyGame>, Error> {
        let entry = self.entry(name)?;
        let spec = Spec { name: name.to_owned(), pairs: Vec::new() };
        let settings = settle(&spec, &entry.params, &[])?;
        let file = Setting::File { path: "text".to_owned(), text: text.to_owned() };
        let args = settings.with(key, file).ok_or_else(|| {
            let keys = entry.params.iter().map(|param| param.key);
            Error::Spec(format!("{name}: {}", suggest(key, "keys", keys)))
        })?;
        (entry.build)(Build { catalog: self, spec: format!("{name}:{key}=text"), args: &args })
            .map_err(|reason| Error::Rules { spec: name.to_owned(), reason })
    }
}

/// Returns a game of the [standard](Catalog::standard) catalog.
///
/// # Errors
/// As [`Catalog::game`].
pub fn game(spec: &str) -> Result<Arc<dyn AnyGame>, Error> {
    Catalog::standard().game(spec)
}

/// Returns a game of the [standard](Catalog::standard) catalog from the text of its file.
///
/// # Errors
/// As [`Catalog::game_from_text`].
pub fn game_from_text(name: &str, key: &str, text: &str) -> Result<Arc<dyn AnyGame>, Error> {
    Catalog::standard().game_from_text(name, key, text)
}
