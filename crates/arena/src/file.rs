//! Tournament files: TOML, one tournament each.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use tussle_catalog::file::{ReadError, read_text};
use tussle_core::{ParseError, parse_bytes};
use tussle_engine::Terms;
use tussle_stats::SprtError;

use crate::{Anchor, BoardsError, Config, Contestant, Format, Length, expand_boards};

/// Error of a tournament file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TournamentFileError {
    /// The file cannot be read.
    #[error("{}: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Error of reading it.
        source: ReadError,
    },
    /// The text of the file is wrong.
    #[error("{}: {source}", .path.display())]
    Text {
        /// The file.
        path: PathBuf,
        /// Error of the text.
        source: TournamentTextError,
    },
}

/// Error of a tournament written as TOML or JSON.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TournamentTextError {
    /// The text is not TOML, or a key or the type of a value is wrong.
    #[error("{}", .0.to_string().trim_end())]
    Toml(#[from] toml::de::Error),
    /// A key or the type of a value is wrong.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// The value of `game` is neither a spec nor a list of specs.
    #[error("game: write one spec or a list of specs")]
    Game,
    /// A spec of `game` does not stand for a list of games.
    #[error(transparent)]
    Boards(#[from] BoardsError),
    /// An entry of `agents` is wrong.
    #[error("agent {number}: {source}")]
    Agent {
        /// Number of the agent, from 1.
        number: usize,
        /// Error of the entry.
        source: AgentEntryError,
    },
    /// The file of openings cannot be used.
    #[error(transparent)]
    Openings(#[from] OpeningsFileError),
    /// The value of `memory` cannot be read.
    #[error("memory: {0}")]
    Memory(#[source] ParseError),
    /// The value of `sprt` cannot be read.
    #[error("sprt: {0}")]
    Sprt(#[source] SprtError),
}

/// Error of an agent in a tournament file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AgentEntryError {
    /// A key of the table, or the type of a value, is wrong.
    #[error("{}", .0.message())]
    Table(#[from] toml::de::Error),
    /// The entry has another type than a text or a table.
    #[error("a {0} is no agent; write a spec, or a table with `agent` and `name`")]
    Type(&'static str),
}

/// Error of a file of openings.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningsFileError {
    /// The file cannot be read.
    #[error("openings {}: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Error of reading it.
        source: ReadError,
    },
    /// No line of the file is an opening.
    #[error(
        "openings {}: there is none in it; write moves or a position on each line", .0.display()
    )]
    Empty(PathBuf),
}

/// A tournament as its file tells it; what it does not tell has a default.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    game: toml::Value,
    #[serde(default)]
    format: Format,
    rounds: Option<u64>,
    games: Option<u64>,
    sprt: Option<String>,
    clock: Option<String>,
    nodes: Option<u64>,
    depth: Option<u32>,
    margin: Option<String>,
    memory: Option<String>,
    overrun: Option<String>,
    opening_plies: Option<u32>,
    openings: Option<PathBuf>,
    seed: Option<u64>,
    strikes: Option<u64>,
    store: Option<PathBuf>,
    jobs: Option<usize>,
    agents: Vec<toml::Value>,
    #[serde(default)]
    anchors: BTreeMap<String, f64>,
}

/// Somebody who takes part and has more than a spec.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    name: Option<String>,
    agent: String,
    folder: Option<PathBuf>,
}

/// What a tournament file asks for.
#[derive(Debug)]
pub struct Asked {
    /// The tournament.
    pub config: Config,
    /// Where its results are kept, relative to the current folder.
    pub store: Option<PathBuf>,
    /// How long it is to be; not in the configuration yet, since the format may still be changed.
    pub length: Length,
    /// How many games are played at once.
    pub jobs: Option<usize>,
    /// Ratings that are given. They decide no game, only what the others are compared with.
    pub anchors: Vec<Anchor>,
}

/// Reads a tournament file. Paths in it are relative to its folder: programs run there, and the store
/// and openings are looked for there.
///
/// # Errors
/// If it cannot be read or is wrong; the message names the place.
pub fn read_tournament(path: &Path) -> Result<Asked, TournamentFileError> {
    let unread = |source| TournamentFileError::Read { path: path.to_owned(), source };
    let text = read_text(path).map_err(unread)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let wrong = |source| TournamentFileError::Text { path: path.to_owned(), source };
    parse_tournament(&text, folder).map_err(wrong)
}

/// The same from the text of a file that lies in this folder.
///
/// # Errors
/// As [`read_tournament`].
pub fn parse_tournament(text: &str, folder: &Path) -> Result<Asked, TournamentTextError> {
    asked(toml::from_str(text)?, folder)
}

/// The same in the same words, as JSON.
///
/// # Errors
/// As [`read_tournament`].
pub fn tournament_from_json(
    value: serde_json::Value,
    folder: &Path,
) -> Result<Asked, TournamentTextError> {
    asked(serde_json::from_value(value)?, folder)
}

fn asked(file: File, folder: &Path) -> Result<Asked, TournamentTextError> {
    let agents = file.agents.into_iter().enumerate().map(|(i, value)| {
        let wrong = |source| TournamentTextError::Agent { number: i + 1, source };
        contestant(value, folder).map_err(wrong)
    });
    let default = Config::new(Vec::new(), Vec::new());
    let openings = file.openings.map(|path| read_openings(&folder.join(path))).transpose()?;
    let memory = file.memory.map(|text| parse_bytes(&text)).transpose();
    let sprt = file.sprt.map(|text| text.parse()).transpose();
    let config = Config {
        games: games(file.game)?,
        agents: with_distinct_names(agents.collect::<Result<_, _>>()?),
        format: file.format,
        rounds: default.rounds,
        limit: None,
        clock: match file.clock {
            Some(clock) => clock,
            None if file.nodes.is_some() || file.depth.is_some() => {
                Terms::LIMITED_CLOCK.to_string()
            }
            None => default.clock,
        },
        nodes: file.nodes,
        depth: file.depth,
        margin: file.margin.unwrap_or(default.margin),
        memory: memory.map_err(TournamentTextError::Memory)?,
        overrun: file.overrun.unwrap_or(default.overrun),
        opening_plies: file.opening_plies.unwrap_or(default.opening_plies),
        openings: openings.unwrap_or_default(),
        seed: file.seed.unwrap_or(default.seed),
        strikes: file.strikes.unwrap_or(default.strikes),
        sprt: sprt.map_err(TournamentTextError::Sprt)?,
        shard: None,
        players: 2,
    };
    let anchors = file.anchors.into_iter().map(|(agent, elo)| Anchor { agent, elo }).collect();
    Ok(Asked {
        config,
        length: Length { rounds: file.rounds, games: file.games },
        store: file.store.map(|path| folder.join(path)),
        jobs: file.jobs,
        anchors,
    })
}

/// One spec or several, lists of boards among them.
fn games(value: toml::Value) -> Result<Vec<String>, TournamentTextError> {
    let specs: Vec<String> = match value {
        toml::Value::String(spec) => vec![spec],
        other => other.try_into().map_err(|_| TournamentTextError::Game)?,
    };
    let expanded: Result<Vec<_>, _> = specs.iter().map(|spec| expand_boards(spec)).collect();
    Ok(expanded?.concat())
}

fn contestant(value: toml::Value, folder: &Path) -> Result<Contestant, AgentEntryError> {
    let named = match value {
        toml::Value::String(agent) => Named { name: None, agent, folder: None },
        table @ toml::Value::Table(_) => Named::deserialize(table)?,
        other => return Err(AgentEntryError::Type(other.type_str())),
    };
    let place = named.folder.map_or_else(|| folder.to_owned(), |own| folder.join(own));
    let name = named.name.unwrap_or_else(|| named.agent.clone());
    Ok(Contestant { name, spec: named.agent, folder: Some(place) })
}

/// Reads openings: a line each; empty lines and those that begin with `//` do not count.
///
/// # Errors
/// If the file cannot be read or holds none.
pub fn read_openings(path: &Path) -> Result<Vec<String>, OpeningsFileError> {
    let unread = |source| OpeningsFileError::Read { path: path.to_owned(), source };
    let text = read_text(path).map_err(unread)?;
    let lines = text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with("//"));
    let lines: Vec<String> = lines.map(str::to_owned).collect();
    if lines.is_empty() {
        return Err(OpeningsFileError::Empty(path.to_owned()));
    }
    Ok(lines)
}

/// The same contestants, a second one with a name that is taken called `name#2`.
pub fn with_distinct_names(mut agents: Vec<Contestant>) -> Vec<Contestant> {
    for i in 1..agents.len() {
        let base = agents[i].name.clone();
        let mut number = 2;
        while agents[..i].iter().any(|other| other.name == agents[i].name) {
            agents[i].name = format!("{base}#{number}");
            number += 1;
        }
    }
    agents
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_tells_what_differs_from_the_defaults() {
        let text = r#"
            game = "keep-on-moving:board=0..1"
            rounds = 4
            clock = "15s+1s"
            memory = "500MB"
            store = "class.db"
            anchors = { random = 1500, mine = 1620.5 }
            agents = ["random", "random", { name = "mine", agent = "json:python3 a.py", folder = "b" }]
        "#;
        let Asked { mut config, length, store, jobs, anchors } =
            parse_tournament(text, Path::new("class")).expect("a tournament");
        length.put_into(&mut config).expect("rounds");
        assert_eq!(config.games, ["keep-on-moving:board=0", "keep-on-moving:board=1"]);
        assert_eq!((config.rounds, config.memory), (4, Some(500_000_000)));
        let names: Vec<&str> = config.agents.iter().map(|agent| agent.name.as_str()).collect();
        assert_eq!(names, ["random", "random#2", "mine"]);
        assert_eq!(config.agents[2].folder.as_deref(), Some(Path::new("class/b")));
        assert_eq!(store.as_deref(), Some(Path::new("class/class.db")));
        let given: Vec<_> = anchors.iter().map(|a| (a.agent.as_str(), a.elo)).collect();
        assert_eq!(given, [("mine", 1620.5), ("random", 1500.0)]);
        assert_eq!((jobs, config.seed, config.clock.as_str()), (None, 1, "15s+1s"));
    }

    #[test]
    fn json_says_the_same_in_the_same_words() {
        let toml = r#"
            game = ["gobblet", "keep-on-moving:board=0..1"]
            nodes = 50
            opening-plies = 2
            sprt = "elo0=0,elo1=20"
            agents = ["random", { name = "mine", agent = "greedy" }]
        "#;
        let json = serde_json::json!({
            "game": ["gobblet", "keep-on-moving:board=0..1"],
            "nodes": 50,
            "opening-plies": 2,
            "sprt": "elo0=0,elo1=20",
            "rounds": null,
            "agents": ["random", { "name": "mine", "agent": "greedy" }],
        });
        let toml = parse_tournament(toml, Path::new(".")).expect("a tournament");
        let json = tournament_from_json(json, Path::new(".")).expect("a tournament");
        assert_eq!(toml.config, json.config);
        let typo = serde_json::json!({ "game": "go", "agents": [], "round": 3 });
        let message = tournament_from_json(typo, Path::new(".")).expect_err("a typo").to_string();
        assert!(message.contains("unknown field `round`"), "{message}");
    }

    #[test]
    fn a_typo_is_named_with_its_place() {
        let cases = [
            ("game = \"go\"\nagents = []\nround = 3", "unknown field `round`"),
            (
                "game = \"go\"\nagents = [{ nmae = \"x\", agent = \"y\" }]",
                "agent 1: unknown field `nmae`",
            ),
            ("game = \"go\"\nagents = [7]", "agent 1: a integer is no agent"),
            ("game = 7\nagents = []", "one spec or a list"),
            ("agents = [", "array"),
            ("game = \"go\"", "missing field `agents`"),
            ("game = \"go\"\nagents = []\nformat = \"knockout\"", "knockout"),
            ("game = \"go\"\nagents = []\nmemory = \"much\"", "memory:"),
        ];
        for (text, part) in cases {
            let message = parse_tournament(text, Path::new(".")).expect_err(text).to_string();
            assert!(message.contains(part), "{text}: {message}");
        }
        let message = parse_tournament("game = \"go\"\nagents = []\nround = 3", Path::new("."))
            .expect_err("typo")
            .to_string();
        assert!(message.contains("line 3"), "{message}");
    }
}
