//! Options of built-in agents when a tournament began. Another version may give a spec without all keys other options.

use serde_json::Value;
use tussle_catalog::{AGENTS, AnyGame, Error, Spec};

use crate::{Contestant, TournamentSpec, names};

/// Returns the specs with all options of a built-in agent: one for each game, or one if they are all the same. Empty for
/// programs and agents of other crates.
pub(crate) fn options<'a>(
    spec: &str,
    games: impl Iterator<Item = &'a dyn AnyGame>,
) -> Result<Vec<String>, Error> {
    if tussle_catalog::is_program(spec) {
        return Ok(Vec::new());
    }
    let all = games.map(|game| Ok(game.recorded_agent(spec)?.map(|record| record.to_string())));
    let mut all = all.collect::<Result<Option<Vec<String>>, Error>>()?.unwrap_or_default();
    all.dedup();
    Ok(all)
}

/// Returns the recorded options of an agent. A store of a version that did not record them was played by textbook agents.
/// `None` if they are unknown: of a program, or of a game or an agent that the standard catalog does not have.
fn recorded(agent: &Contestant, games: &[String]) -> Option<Vec<String>> {
    if !agent.options.is_empty() {
        return Some(agent.options.clone());
    }
    let games = games.iter().map(|game| tussle_catalog::game(game).ok());
    let games = games.collect::<Option<Vec<_>>>()?;
    let spec = Spec::parse(&agent.spec).ok()?.textbook().to_string();
    let options = options(&spec, games.iter().map(AsRef::as_ref)).ok()?;
    (!options.is_empty()).then_some(options)
}

/// Returns true if two recorded specs have the same options. A key that only one of them has is new: its default is what
/// the other one did.
fn are_same(stored: &str, now: &str) -> bool {
    let (Ok(stored), Ok(now)) = (Spec::parse(stored), Spec::parse(now)) else { return false };
    let default = |key: &str| {
        let params = AGENTS.iter().find(|agent| agent.name == now.name)?.params;
        params.iter().find(|param| param.key == key).map(|param| param.default)
    };
    let has = |one: &Spec, other: &Spec| {
        one.pairs.iter().all(|(key, value)| {
            other.value(key).or_else(|| default(key)).is_some_and(|other| other == value)
        })
    };
    stored.name == now.name && has(&stored, &now) && has(&now, &stored)
}

/// Returns true if all recorded specs have the same options.
fn are_all_same(stored: &[String], now: &[String]) -> bool {
    let count = stored.len().max(now.len());
    let of = |list: &[String], i: usize| list.get(i).or(list.first()).cloned().unwrap_or_default();
    (0..count).all(|i| are_same(&of(stored, i), &of(now, i)))
}

/// Returns a recorded spec without the keys that have their default in the textbook agent of this game.
fn shortest(record: &str, game: &str) -> String {
    let short = || {
        let record = Spec::parse(record).ok()?;
        let game = tussle_catalog::game(game).ok()?;
        let plain = game.recorded_agent(&record.name).ok()??;
        let is_other = |(key, value): &(String, String)| plain.value(key) != Some(value);
        let pairs = record.pairs.into_iter().filter(is_other).collect();
        Some(Spec { name: record.name, pairs }.to_string())
    };
    short().unwrap_or_else(|| record.to_owned())
}

/// Returns true if an agent has no name but its spec.
fn is_unnamed(agent: &Contestant) -> bool {
    names::base(&agent.name) == agent.spec
}

/// Relation of an agent of a store to the agent that is to take its place.
enum Match {
    /// It plays as the agent of the store did.
    Same,
    /// Its spec is the same, but means other options: those of the store and those of now.
    Changed(Vec<String>, Vec<String>),
    /// It is another agent.
    Other,
}

fn compare(stored: &Contestant, now: &Contestant, games: &[String]) -> Match {
    let is_same_text = (&stored.name, &stored.spec) == (&now.name, &now.spec);
    let otherwise = if is_same_text { Match::Same } else { Match::Other };
    if now.options.is_empty() {
        return otherwise;
    }
    let Some(options) = recorded(stored, games) else { return otherwise };
    let is_named_alike = stored.name == now.name || (is_unnamed(stored) && is_unnamed(now));
    if are_all_same(&options, &now.options) {
        return if is_named_alike { Match::Same } else { Match::Other };
    }
    if is_same_text { Match::Changed(options, now.options.clone()) } else { Match::Other }
}

/// Makes agents of the stored configuration equal to those of now if they play alike, whatever their specs are. Returns
/// the agents whose spec means other options now.
pub(super) fn reconcile(
    (stored, stored_json): (&TournamentSpec, &mut Value),
    (now, now_json): (&TournamentSpec, &mut Value),
) -> Vec<ChangedAgent> {
    let mut changes = Vec::new();
    for (i, (then, now)) in stored.agents.iter().zip(&now.agents).enumerate() {
        match compare(then, now, &stored.games) {
            Match::Other => {}
            Match::Same => stored_json["agents"][i] = now_json["agents"][i].clone(),
            Match::Changed(was, is) => {
                stored_json["agents"][i] = now_json["agents"][i].clone();
                changes.push(ChangedAgent::new(then, &was, &is, &stored.games));
            }
        }
    }
    for config in [stored_json, now_json] {
        for agent in config["agents"].as_array_mut().into_iter().flatten() {
            if let Some(agent) = agent.as_object_mut() {
                agent.remove("options");
            }
        }
    }
    changes
}

/// Agent whose spec means other options than in the store.
pub(super) struct ChangedAgent {
    /// Its name if it has one, and its spec.
    agent: String,
    /// Specs that mean the options in the store and now, in the first game in which they differ.
    was: String,
    is: String,
}

impl ChangedAgent {
    fn new(agent: &Contestant, was: &[String], is: &[String], games: &[String]) -> Self {
        let of = |list: &[String], i: usize| list.get(i).or(list.first()).cloned();
        let pair = |i| Some((of(was, i)?, of(is, i)?));
        let mut pairs = games.iter().enumerate().filter_map(|(i, game)| Some((pair(i)?, game)));
        let differing = pairs.find(|((was, is), _)| !are_same(was, is));
        let (was, is) = differing
            .map(|((was, is), game)| (shortest(&was, game), shortest(&is, game)))
            .unwrap_or_default();
        let name =
            if is_unnamed(agent) { String::new() } else { format!("agent {}: ", agent.name) };
        Self { agent: format!("{name}{}", agent.spec), was, is }
    }

    /// Returns a line for the error of a run that resumes the tournament.
    pub(super) fn when_resumed(&self) -> String {
        let Self { agent, was, is } = self;
        format!(
            "{agent} was {was} when this tournament began, and is {is} now; give {was} to resume it"
        )
    }

    /// Returns a line on an agent of two tournaments in these places.
    pub(super) fn in_places(&self, [there, here]: [&str; 2]) -> String {
        let Self { agent, was, is } = self;
        format!("{agent}: {was} {there}, {is} {here}")
    }
}

impl TournamentSpec {
    /// Returns the specification with the options that its agents had when the tournament began: an agent whose spec
    /// means other options in this version gets a spec that means the recorded ones. The names stay.
    #[must_use]
    pub fn with_recorded_options(mut self) -> Self {
        let Some(game) = self.games.first() else { return self };
        for agent in &mut self.agents {
            let Some(was) = recorded(agent, &self.games) else { continue };
            let games = self.games.iter().map(|game| tussle_catalog::game(game).ok());
            let Some(games) = games.collect::<Option<Vec<_>>>() else { continue };
            let is = options(&agent.spec, games.iter().map(AsRef::as_ref)).unwrap_or_default();
            if was.len() == 1 && !are_all_same(&was, &is) {
                agent.spec = shortest(&was[0], game);
            }
        }
        self
    }
}
