//! Tournaments that pages request, and the limits of these requests.

use serde_json::{Map, Value};
use tussle_arena::{Contestant, Tournament, TournamentPatch, TournamentSpec, tournament_from_json};
use tussle_engine::PlayerSpec;

use crate::api_error::ApiError;
use crate::position_ref::{check_agent, check_files};
use crate::{Options, ServerLimits, slots};

/// Maximum number of agents in a tournament of a page.
pub(crate) const MAX_AGENTS: usize = 32;

/// Maximum number of games (boards) that a tournament plays in turn.
const MAX_GAMES_IN_TURN: usize = 64;

/// Maximum number of pairings in a round.
const MAX_PAIRINGS: u64 = 10_000;

/// Tournament that a page requests.
pub(super) struct TournamentRequest {
    /// Name of the store; `None` for a new store.
    pub(super) name: Option<String>,
    pub(super) tournament: Tournament,
    /// Number of games played in parallel.
    pub(super) jobs: usize,
}

impl TournamentRequest {
    /// Parses the fields of a request: those of a tournament file, and the name of the store.
    pub(super) fn read(
        mut fields: Map<String, Value>,
        options: &Options,
    ) -> Result<Self, ApiError> {
        let name = match fields.remove("name") {
            None | Some(Value::Null) => None,
            Some(Value::String(name)) => {
                Some(name.trim().to_owned()).filter(|name| !name.is_empty())
            }
            Some(_) => return Err(ApiError::bad_request("name: expected a string")),
        };
        let patch = tournament_from_json(&Value::Object(fields)).map_err(ApiError::bad_request)?;
        check_paths(&patch)?;
        let jobs = patch.jobs.unwrap_or(1);
        check_jobs(jobs)?;
        let mut spec = patch.into_spec().map_err(ApiError::bad_request)?;
        let is_built_in =
            |agent: &Contestant| matches!(PlayerSpec::parse(&agent.spec), PlayerSpec::Agent(_));
        // External programs get no memory limit by default: the operator who allows them knows what they need.
        if spec.memory.is_none() && spec.agents.iter().all(is_built_in) {
            spec.memory = Some(options.limits.memory as u64);
        }
        Ok(Self { name, tournament: look_up(spec, options)?, jobs })
    }
}

/// Rejects paths, because pages may not open files of the server.
fn check_paths(patch: &TournamentPatch) -> Result<(), ApiError> {
    let has_folder = patch.agents.iter().flatten().any(|agent| agent.folder.is_some());
    let paths = [
        ("store", patch.store.is_some()),
        ("openings", patch.openings.is_some()),
        ("folder", has_folder),
    ];
    match paths.into_iter().find(|(_, is_given)| *is_given) {
        Some((key, _)) => Err(ApiError::forbidden(format!(
            "{key}: pages may not open files of the server; use `tussle tournament` instead"
        ))),
        None => Ok(()),
    }
}

/// Rejects 0 parallel games. The maximum is checked when the tournament starts.
pub(super) fn check_jobs(jobs: usize) -> Result<(), ApiError> {
    if jobs == 0 {
        return Err(ApiError::bad_request("jobs: expected at least 1, found 0"));
    }
    Ok(())
}

/// Returns the number of threads that one game uses. Only one agent thinks at a time.
pub(super) fn threads(spec: &TournamentSpec) -> usize {
    spec.agents.iter().map(|agent| slots::threads(&agent.spec)).max().unwrap_or(1)
}

/// Checks that a page may play a tournament, and creates it.
pub(super) fn look_up(spec: TournamentSpec, options: &Options) -> Result<Tournament, ApiError> {
    for game in &spec.games {
        check_files(&options.catalog, game)?;
    }
    for agent in &spec.agents {
        match PlayerSpec::parse(&agent.spec) {
            PlayerSpec::Agent(spec) => check_agent(&options.catalog, &spec)?,
            PlayerSpec::Program { .. } => options.check_programs().map_err(|error| {
                ApiError::forbidden(format!("{}: {}", agent.spec, error.message))
            })?,
        }
    }
    check_effort(&spec, options)?;
    let tournament = Tournament::new(spec, &options.catalog).map_err(ApiError::bad_request)?;
    at_most("games", tournament.schedule().len(), options.limits.games)?;
    Ok(tournament)
}

/// Rejects a value above the limit for pages.
fn at_most(what: &str, value: u64, limit: u64) -> Result<(), ApiError> {
    if value <= limit {
        return Ok(());
    }
    Err(ApiError::bad_request(format!(
        "{what}: expected at most {limit} for a tournament of a page, found {value}; `tussle tournament` has no such limit"
    )))
}

/// Rejects tournaments that are too large for a page.
fn check_effort(spec: &TournamentSpec, options: &Options) -> Result<(), ApiError> {
    let ServerLimits { memory, jobs, .. } = options.limits;
    at_most("agents", spec.agents.len() as u64, MAX_AGENTS as u64)?;
    at_most("boards", spec.games.len() as u64, MAX_GAMES_IN_TURN as u64)?;
    at_most("bytes of memory", spec.memory.unwrap_or(0), memory as u64)?;
    at_most("threads", threads(spec) as u64, jobs as u64)?;
    // The schedule of a round robin has all pairings in memory.
    let players = spec.games.first().and_then(|game| options.catalog.game(game).ok());
    let players = players.map_or(2, |game| game.players()) as u64;
    let agents = spec.agents.len() as u64;
    let chosen = 0..players.min(agents);
    let pairings = chosen.fold(1, |pairings, i| pairings * (agents - i) / (i + 1));
    at_most("pairings in a round", pairings, MAX_PAIRINGS)
}
