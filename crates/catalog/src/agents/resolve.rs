//! Resolution of specs: presets, `best`, and the defaults of a game.

use std::sync::Arc;
use std::time::Duration;

use tussle_core::{Game, Limits};

use super::mcts::MCTS;
use super::tuned::{TIED, search_of, textbook};
use super::{AGENTS, AgentInfo, BEST, expand, make};
use crate::erased::Rules;
use crate::param::{Args, ParamKind};
use crate::{AnyAgent, Error, Spec};

/// Time limit for Monte Carlo tree search if neither its time nor its nodes are limited.
const DEFAULT_TIME: Duration = Duration::from_secs(2);

/// Returns the given parameters after those of `defaults` that have other keys.
pub(super) fn filled(given: &[(String, String)], defaults: Spec) -> Vec<(String, String)> {
    let mut pairs = defaults.pairs;
    pairs.retain(|(key, _)| given.iter().all(|(taken, _)| taken != key));
    pairs.extend(given.iter().cloned());
    pairs
}

/// Returns the first of the game's tuned agents that is called `name`.
fn tuned_agent<G: Game>(rules: &Rules<G>, name: &str) -> Result<Option<Spec>, Error> {
    let agent = rules.capabilities.tuned.iter().find(|agent| agent.name == name);
    agent.map(|agent| Spec::parse(agent.spec)).transpose()
}

/// Replaces presets, and `best` by what it stands for in this game: `mcts` if the game names no agent, or one that
/// cannot play this variant of it.
pub(crate) fn expanded<G: Game + 'static>(
    rules: &Arc<Rules<G>>,
    spec: &str,
) -> Result<Spec, Error> {
    let spec = rules.catalog.expanded(spec)?;
    if spec.name != BEST.name {
        return Ok(spec);
    }
    let plain = |name: &str| Spec { name: name.to_owned(), pairs: Vec::new() };
    let best = tuned_agent(rules, BEST.name)?.unwrap_or_else(|| plain(MCTS.name));
    let best = expand(best)?;
    let best = if make(rules, &best, BEST.name, 0).is_ok() { best } else { plain(MCTS.name) };
    Ok(Spec { name: best.name.clone(), pairs: filled(&spec.pairs, best) })
}

/// Returns the defaults of this name in the game.
fn game_defaults<G: Game>(rules: &Rules<G>, name: &str) -> Result<Spec, Error> {
    let mut pairs = Vec::new();
    for defaults in rules.capabilities.agent_defaults {
        let defaults = Spec::parse(defaults)?;
        if defaults.name == name {
            pairs.extend(defaults.pairs);
        }
    }
    Ok(Spec { name: name.to_owned(), pairs })
}

/// Returns the tuned pairs of an agent that fit the given ones, and the evaluation that they choose.
fn tuned_pairs<G: Game>(rules: &Rules<G>, spec: &Spec) -> Result<Vec<(String, String)>, Error> {
    let Some(tuned) = tuned_agent(rules, &spec.name)? else { return Ok(Vec::new()) };
    let own = AGENTS.iter().find(|info| info.name == spec.name).map_or(&[][..], |info| info.params);
    let is_given = |key: &str| spec.value(key).is_some();
    let is_other = |key: &str| {
        let default = || own.iter().find(|param| param.key == key).map(|param| param.default);
        spec.value(key).is_some_and(|given| tuned.value(key).or_else(default) != Some(given))
    };
    // A key that is not the agent's belongs to the tuned evaluation.
    let is_of_evaluation = |key: &str| own.iter().all(|param| param.key != key);
    let is_untied = |key: &str| TIED.iter().all(|&(tied, other)| tied != key || !is_other(other));
    let is_replaced = |key: &str| is_given(key) || (is_of_evaluation(key) && is_other("eval"));
    let fits = |key: &str| !is_replaced(key) && is_untied(key);
    Ok(tuned.pairs.iter().filter(|(key, _)| fits(key)).cloned().collect())
}

/// Result of the resolution of an agent's spec in a game.
pub(super) struct Resolution {
    /// Spec with the keys that the user, a preset or the game gives.
    spec: Spec,
    /// Agent without its opening book, and its checked parameters.
    pub(super) agent: Result<(Box<dyn AnyAgent>, Args), Error>,
}

/// Adds the game's defaults to a spec for all keys that it does not give.
///
/// Tuned defaults never cause an error: those that do not fit the given keys or this variant of the game are left out.
pub(super) fn resolve<G: Game + 'static>(
    rules: &Arc<Rules<G>>,
    text: &str,
    seed: u64,
) -> Result<Resolution, Error> {
    let given_name = rules.catalog.agent_name(text)?;
    let mut spec = expanded(rules, text)?;
    spec.pairs = filled(&spec.pairs, game_defaults(rules, &spec.name)?);
    let tuned = tuned_pairs(rules, &spec)?;
    let below = match textbook(&spec.name) {
        Some(textbook) => game_defaults(rules, textbook)?,
        None => Spec { name: spec.name.clone(), pairs: Vec::new() },
    };
    let with = |tuned: &[(String, String)]| {
        let above: Vec<_> = tuned.iter().chain(&spec.pairs).cloned().collect();
        Spec { name: spec.name.clone(), pairs: filled(&above, below.clone()) }
    };
    let made = |spec: Spec| Resolution { agent: make(rules, &spec, &given_name, seed), spec };
    let all = made(with(&tuned));
    if all.agent.is_ok() || tuned.is_empty() {
        return Ok(all);
    }
    let mut best = made(with(&[]));
    let mut kept = Vec::new();
    for pair in tuned {
        kept.push(pair);
        let more = made(with(&kept));
        if more.agent.is_ok() {
            best = more;
        } else {
            kept.pop();
        }
    }
    Ok(best)
}

/// Returns an agent's spec with all its parameters: given, by a preset, by the game, or by default. Those without a
/// value are left out.
pub(crate) fn settled<G: Game + 'static>(rules: &Arc<Rules<G>>, spec: &str) -> Result<Spec, Error> {
    let Spec { name, mut pairs } = resolve(rules, spec, 0)?.spec;
    let info = AGENTS.iter().find(|info| info.name == name);
    for param in info.into_iter().flat_map(|info| info.params) {
        if !param.default.is_empty() && pairs.iter().all(|(key, _)| key != param.key) {
            pairs.push((param.key.to_owned(), param.default.to_owned()));
        }
    }
    Ok(Spec { name, pairs })
}

/// Returns the spec of a standard agent with all its parameters, in the form of
/// [`AnyGame::recorded_agent`](crate::AnyGame::recorded_agent); `None` for an agent of another crate.
pub(crate) fn recorded<G: Game + 'static>(
    rules: &Arc<Rules<G>>,
    spec: &str,
) -> Result<Option<Spec>, Error> {
    let mut spec = settled(rules, spec)?;
    let is_own = rules.catalog.own_agents().iter().any(|agent| agent.name == spec.name);
    let info = AGENTS.iter().find(|info| info.name == spec.name && !is_own);
    let Some(info) = info else { return Ok(None) };
    if let Some(textbook) = textbook(&spec.name) {
        textbook.clone_into(&mut spec.name);
    }
    let evaluates = info.params.iter().any(|param| param.kind == ParamKind::Evaluation);
    if let Some(evaluation) = rules.evaluations().first().filter(|_| evaluates)
        && spec.value("eval").is_none()
    {
        spec.pairs.push(("eval".to_owned(), evaluation.name.to_owned()));
    }
    Ok(Some(spec))
}

/// Returns true if an expanded spec names a classical search, which uses a depth limit.
pub(crate) fn looks_by_plies(spec: &Spec) -> bool {
    let by_plies = |info: &AgentInfo| info.params.iter().any(|param| param.key == "depth");
    AGENTS.iter().any(|info| info.name == spec.name && by_plies(info))
}

/// Returns true if the search of an expanded spec, without further limits, runs until it has a proof.
pub(crate) fn runs_to_a_proof(spec: &Spec) -> bool {
    let limited = spec.pairs.iter().any(|(key, _)| key == "depth" || key == "nodes");
    !limited && looks_by_plies(spec)
}

/// Returns the default time of an expanded spec, if neither it nor the limits limit the search.
pub(crate) fn default_time(spec: &Spec, limits: &Limits) -> Option<Duration> {
    let limited = limits.nodes.is_some() || limits.is_timed() || spec.value("nodes").is_some();
    (search_of(&spec.name) == MCTS.name && !limited).then_some(DEFAULT_TIME)
}
