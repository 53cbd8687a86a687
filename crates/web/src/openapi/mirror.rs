//! Schemas of types of other crates that do not describe themselves. The tests of the server compare them with its answers.

#![expect(dead_code, reason = "only the schemas are used")]

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

/// A game and its parameters: `tussle_catalog::GameRow`.
#[derive(ToSchema)]
pub(crate) struct Game {
    name: String,
    summary: String,
    params: Vec<Param>,
    evaluations: Vec<Evaluation>,
}

/// An evaluation of a game.
#[derive(ToSchema)]
struct Evaluation {
    name: String,
    summary: String,
    /// True if what is good for one player is as bad for the other.
    antisymmetric: bool,
    params: Vec<Param>,
}

/// An agent, or a name for one with certain parameters: `tussle_catalog::AgentRow`.
#[derive(ToSchema)]
pub(crate) struct Agent {
    name: String,
    summary: String,
    params: Vec<Param>,
    /// Spec that a preset stands for.
    #[schema(nullable = false)]
    stands_for: Option<String>,
}

/// A parameter.
#[derive(ToSchema)]
struct Param {
    key: String,
    /// Possible values, in words.
    values: String,
    default: String,
    help: String,
}

/// Result of a game for a player: `tussle_core::Outcome`.
#[derive(ToSchema)]
#[schema(as = Outcome, rename_all = "lowercase")]
pub(crate) enum OutcomeName {
    Win,
    Draw,
    Loss,
}

/// How a game was decided: `tussle_engine::Verdict`.
#[derive(ToSchema)]
#[schema(as = Verdict, rename_all = "lowercase")]
pub(crate) enum VerdictName {
    Normal,
    Time,
    Crash,
    Illegal,
    Protocol,
    Memory,
    Hang,
    Host,
}

/// Process that plays a tournament: this server, or another process.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub(crate) enum Running {
    Here,
    Elsewhere,
}

/// Form of a file of games.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub(crate) enum FileForm {
    Jsonl,
    Csv,
    Pgn,
    Sgf,
    Json,
}

/// Pairing format.
#[derive(ToSchema)]
#[schema(as = Format, rename_all = "kebab-case")]
pub(crate) enum FormatName {
    RoundRobin,
    Gauntlet,
    Swiss,
    Adaptive,
}

/// A contestant of a tournament.
#[derive(ToSchema)]
struct Contestant {
    name: String,
    spec: String,
}

/// Configuration of a tournament, as the store has it.
#[derive(ToSchema)]
#[schema(as = Config)]
pub(crate) struct StoredConfig {
    games: Vec<String>,
    agents: Vec<Contestant>,
    format: FormatName,
    rounds: u64,
    limit: Option<u64>,
    clock: String,
    nodes: Option<u64>,
    depth: Option<u32>,
    margin: String,
    memory: Option<u64>,
    overrun: String,
    opening_plies: u32,
    openings: Vec<String>,
    seed: u64,
    strikes: u64,
    sprt: Option<String>,
    shard: Option<String>,
    /// Number of players of a game [default: 2].
    #[schema(required = false)]
    players: usize,
}

/// A tournament file as JSON (docs/arena.md), without `store`, `openings` and `folder`: a page opens no files.
#[derive(ToSchema)]
#[schema(as = Tournament, rename_all = "kebab-case")]
pub(crate) struct TournamentRequest {
    /// Name of its store, without `.db` [default: a new one].
    name: Option<String>,
    game: OneOrSeveral,
    /// Specs, with names if needed.
    agents: Vec<AgentEntry>,
    #[schema(required = false)]
    format: FormatName,
    /// Pairs of games of each pairing.
    rounds: Option<u64>,
    /// Games of an adaptive tournament.
    games: Option<u64>,
    /// A test that ends it: `elo0=0,elo1=20`.
    sprt: Option<String>,
    /// `15s+1s`, `100ms`.
    clock: Option<String>,
    nodes: Option<u64>,
    depth: Option<u32>,
    margin: Option<String>,
    memory: Option<String>,
    overrun: Option<OverrunName>,
    opening_plies: Option<u32>,
    seed: Option<u64>,
    strikes: Option<u64>,
    /// Games that are played at once [default: 1].
    jobs: Option<usize>,
    /// Fixed ratings of agents, by name.
    #[schema(required = false)]
    anchors: BTreeMap<String, f64>,
}

/// A spec, or several that are played in turn.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
enum OneOrSeveral {
    One(String),
    Several(Vec<String>),
}

/// An agent of a tournament.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
enum AgentEntry {
    Spec(String),
    Named { name: Option<String>, agent: String },
}

/// Consequence of running out of time.
#[derive(ToSchema)]
#[schema(as = Overrun, rename_all = "kebab-case")]
enum OverrunName {
    Loss,
    RandomMove,
}
