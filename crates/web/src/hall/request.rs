//! Tournaments that pages ask for, and what pages may not ask for.

use serde_json::{Map, Value};
use tussle_arena::{Contestant, Tournament, TournamentPatch, TournamentSpec, tournament_from_json};
use tussle_engine::PlayerSpec;

use crate::place::{check_agent, check_files};
use crate::refusal::Refusal;
use crate::{Options, ServerLimits, slots};

/// Maximum number of agents in a tournament of a page.
pub(crate) const MAX_AGENTS: usize = 32;

/// Maximum number of games (boards) that are played in turn.
const MAX_GAMES_IN_TURN: usize = 64;

/// Maximum number of meetings in a round.
const MAX_MEETINGS: u64 = 10_000;

/// Tournament that a page asks for.
pub(super) struct TournamentRequest {
    /// Name of its store; none for a new one.
    pub(super) name: Option<String>,
    pub(super) tournament: Tournament,
    /// Number of games played at once.
    pub(super) jobs: usize,
}

impl TournamentRequest {
    /// Reads the fields of a page: those of a tournament file, and the name of a store.
    pub(super) fn read(mut fields: Map<String, Value>, options: &Options) -> Result<Self, Refusal> {
        let name = match fields.remove("name") {
            None | Some(Value::Null) => None,
            Some(Value::String(name)) => {
                Some(name.trim().to_owned()).filter(|name| !name.is_empty())
            }
            Some(_) => return Err(Refusal::wrong("name: write a text")),
        };
        let patch = tournament_from_json(&Value::Object(fields)).map_err(Refusal::wrong)?;
        check_paths(&patch)?;
        let jobs = patch.jobs.unwrap_or(1);
        check_jobs(jobs)?;
        let mut spec = patch.into_spec().map_err(Refusal::wrong)?;
        let is_built_in =
            |agent: &Contestant| matches!(PlayerSpec::parse(&agent.spec), PlayerSpec::Agent(_));
        // A server that lets pages start programs knows what those need.
        if spec.memory.is_none() && spec.agents.iter().all(is_built_in) {
            spec.memory = Some(options.limits.memory as u64);
        }
        Ok(Self { name, tournament: look_up(spec, options)?, jobs })
    }
}

/// Rejects paths: a page opens no files of the server.
fn check_paths(patch: &TournamentPatch) -> Result<(), Refusal> {
    let has_folder = patch.agents.iter().flatten().any(|agent| agent.folder.is_some());
    let paths = [
        ("store", patch.store.is_some()),
        ("openings", patch.openings.is_some()),
        ("folder", has_folder),
    ];
    match paths.into_iter().find(|(_, is_given)| *is_given) {
        Some((key, _)) => Err(Refusal::forbidden(format!(
            "{key}: a page opens no files of the server; `tussle tournament` does"
        ))),
        None => Ok(()),
    }
}

/// Rejects a tournament that would never play a game; the server's limit of games at once is checked
/// when it begins.
pub(super) fn check_jobs(jobs: usize) -> Result<(), Refusal> {
    if jobs == 0 {
        return Err(Refusal::wrong("jobs: play at least one game at once"));
    }
    Ok(())
}

/// Returns the threads of one game: agents think in turn.
pub(super) fn threads(spec: &TournamentSpec) -> usize {
    spec.agents.iter().map(|agent| slots::threads(&agent.spec)).max().unwrap_or(1)
}

/// Looks up a tournament that may be played for a page.
pub(super) fn look_up(spec: TournamentSpec, options: &Options) -> Result<Tournament, Refusal> {
    for game in &spec.games {
        check_files(&options.catalog, game)?;
    }
    for agent in &spec.agents {
        match PlayerSpec::parse(&agent.spec) {
            PlayerSpec::Agent(spec) => check_agent(&options.catalog, &spec)?,
            PlayerSpec::Program { .. } => options.check_programs().map_err(|refusal| {
                Refusal::forbidden(format!("{}: {}", agent.spec, refusal.why))
            })?,
        }
    }
    check_effort(&spec, options)?;
    let tournament = Tournament::new(spec, &options.catalog).map_err(Refusal::wrong)?;
    at_most("games", tournament.schedule().len(), options.limits.games)?;
    Ok(tournament)
}

/// Rejects a request for more than a page may have.
fn at_most(what: &str, asked: u64, most: u64) -> Result<(), Refusal> {
    if asked <= most {
        return Ok(());
    }
    Err(Refusal::wrong(format!(
        "{what}: a page may ask for at most {most}; `tussle tournament` has no limit"
    )))
}

/// Rejects a tournament that takes too much even to look up.
fn check_effort(spec: &TournamentSpec, options: &Options) -> Result<(), Refusal> {
    let ServerLimits { memory, jobs, .. } = options.limits;
    at_most("agents", spec.agents.len() as u64, MAX_AGENTS as u64)?;
    at_most("games to play in turn", spec.games.len() as u64, MAX_GAMES_IN_TURN as u64)?;
    at_most("bytes of memory", spec.memory.unwrap_or(0), memory as u64)?;
    at_most("threads", threads(spec) as u64, jobs as u64)?;
    // The schedule of a round robin has all meetings in memory.
    let players = spec.games.first().and_then(|game| options.catalog.game(game).ok());
    let players = players.map_or(2, |game| game.players()) as u64;
    let agents = spec.agents.len() as u64;
    let chosen = 0..players.min(agents);
    let meetings = chosen.fold(1, |meetings, i| meetings * (agents - i) / (i + 1));
    at_most("meetings in a round", meetings, MAX_MEETINGS)
}
