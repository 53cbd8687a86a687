//! What a page asks for, in the words of a tournament file; and what it may not ask for.

use std::path::Path;

use serde_json::{Map, Value};
use tussle_arena::{Config, Contestant, Schedule, Tournament, tournament_from_json};
use tussle_engine::PlayerSpec;

use crate::place::{check_agent, check_files};
use crate::refusal::Refusal;
use crate::{Options, ServerLimits, slots};

/// No tournament of a page has more agents.
const AGENTS: usize = 32;

/// Nor more games (boards) that are played in turn.
const BOARDS: usize = 64;

/// Nor more meetings in a round.
const MEETINGS: u64 = 10_000;

/// Fields that are numbers, and the largest of each.
const NUMBERS: [(&str, u64); 8] = [
    ("rounds", u64::MAX),
    ("games", u64::MAX),
    ("nodes", u64::MAX),
    ("depth", u32::MAX as u64),
    ("opening-plies", u32::MAX as u64),
    ("seed", u64::MAX),
    ("strikes", u64::MAX),
    ("jobs", u32::MAX as u64),
];

/// Fields that are texts.
const TEXTS: [&str; 6] = ["format", "sprt", "clock", "margin", "memory", "overrun"];

/// A tournament and how it is to be played.
pub(super) struct Wish {
    pub(super) name: Option<String>,
    pub(super) tournament: Tournament,
    pub(super) jobs: usize,
}

/// Reads what a page asks for.
pub(super) fn read(mut fields: Map<String, Value>, options: &Options) -> Result<Wish, Refusal> {
    let name = match fields.remove("name") {
        None | Some(Value::Null) => None,
        Some(Value::String(name)) => Some(name.trim().to_owned()).filter(|name| !name.is_empty()),
        Some(_) => return Err(Refusal::wrong("name: write a text")),
    };
    let folders = fields.get("agents").and_then(Value::as_array);
    let has_folder =
        folders.is_some_and(|all| all.iter().any(|agent| agent.get("folder").is_some()));
    for (key, is_there) in [
        ("store", fields.contains_key("store")),
        ("openings", fields.contains_key("openings")),
        ("folder", has_folder),
    ] {
        if is_there {
            return Err(Refusal::forbidden(format!(
                "{key}: a page opens no files of the server; `tussle tournament` does"
            )));
        }
    }
    check_kinds(&fields)?;
    let asked =
        tournament_from_json(Value::Object(fields), Path::new(".")).map_err(Refusal::wrong)?;
    let mut config = asked.config;
    asked.length.put_into(&mut config).map_err(Refusal::wrong)?;
    let is_ours =
        |agent: &Contestant| matches!(PlayerSpec::parse(&agent.spec), PlayerSpec::Agent(_));
    // Whoever lets pages start programs knows what those need.
    if config.memory.is_none() && config.agents.iter().all(is_ours) {
        config.memory = Some(options.limits.memory as u64);
    }
    let jobs = asked.jobs.unwrap_or(1);
    check_jobs(jobs)?;
    Ok(Wish { name, tournament: checked(config, options)?, jobs })
}

/// How many games may be played at once; how many there are room for is another question.
pub(super) fn check_jobs(jobs: usize) -> Result<(), Refusal> {
    if jobs == 0 {
        return Err(Refusal::wrong("jobs: play at least one game at once"));
    }
    Ok(())
}

/// The threads of one game: agents think in turn.
pub(super) fn threads(config: &Config) -> usize {
    config.agents.iter().map(|agent| slots::threads(&agent.spec)).max().unwrap_or(1)
}

/// Says which field is of another kind: whoever reads them all at once says only what was wrong.
fn check_kinds(fields: &Map<String, Value>) -> Result<(), Refusal> {
    let given = |key: &str| fields.get(key).filter(|value| !value.is_null());
    for (key, most) in NUMBERS {
        if let Some(value) = given(key)
            && value.as_u64().is_none_or(|number| number > most)
        {
            let most = if most == u64::MAX { String::new() } else { format!(", {most} at most") };
            return Err(Refusal::wrong(format!(
                "{key}: {value} is not possible; write a whole number, 0 or more{most}"
            )));
        }
    }
    for key in TEXTS {
        if let Some(value) = given(key).filter(|value| !value.is_string()) {
            return Err(Refusal::wrong(format!("{key}: {value} is not possible; write a text")));
        }
    }
    if let Some(value) = given("agents").filter(|value| !value.is_array()) {
        return Err(Refusal::wrong(format!("agents: {value} is not possible; write a list")));
    }
    Ok(())
}

/// A configuration that may be played for a page, looked up.
pub(super) fn checked(config: Config, options: &Options) -> Result<Tournament, Refusal> {
    for game in &config.games {
        check_files(&options.catalog, game)?;
    }
    for agent in &config.agents {
        match PlayerSpec::parse(&agent.spec) {
            PlayerSpec::Agent(spec) => check_agent(&options.catalog, &spec)?,
            PlayerSpec::Program { .. } => options.check_programs().map_err(|refusal| {
                Refusal::forbidden(format!("{}: {}", agent.spec, refusal.why))
            })?,
        }
    }
    let first = config.games.first().and_then(|spec| options.catalog.game(spec).ok());
    let config = Config { players: first.map_or(2, |game| game.players()), ..config };
    check_size(&config, &options.limits)?;
    Tournament::new(config, &options.catalog).map_err(Refusal::wrong)
}

fn check_size(config: &Config, limits: &ServerLimits) -> Result<(), Refusal> {
    let too_much = |what: &str, most: u64| {
        Err(Refusal::wrong(format!(
            "{what}: a page may ask for at most {most}; `tussle tournament` has no limit"
        )))
    };
    if config.agents.len() > AGENTS {
        return too_much("agents", AGENTS as u64);
    }
    if config.games.len() > BOARDS {
        return too_much("games to play in turn", BOARDS as u64);
    }
    if config.memory.is_some_and(|memory| memory > limits.memory as u64) {
        return too_much("bytes of memory", limits.memory as u64);
    }
    if threads(config) > limits.jobs {
        return too_much("threads", limits.jobs as u64);
    }
    let players = config.players;
    let mut meetings = 1_u64;
    for chosen in 0..players.min(config.agents.len()) {
        meetings = meetings * (config.agents.len() - chosen) as u64 / (chosen as u64 + 1);
    }
    if meetings > MEETINGS {
        return too_much("meetings in a round", MEETINGS);
    }
    let games = Schedule::new(config, players).len();
    if games > limits.games {
        return too_much("games", limits.games);
    }
    Ok(())
}
