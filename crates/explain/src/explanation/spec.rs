//! Properties of an agent that follow from its spec.

use tussle_catalog::{AGENTS, AnyPosition, Error, PRESETS, Spec};
use tussle_core::Limits;

/// Returns the name of the agent behind a spec, also behind a preset.
pub(crate) fn base(spec: &str) -> String {
    let mut name = spec.split(':').next().unwrap_or_default().to_owned();
    while let Some(preset) = PRESETS.iter().find(|preset| preset.name == name) {
        name = preset.spec.split(':').next().unwrap_or_default().to_owned();
    }
    name
}

/// Returns the value of an agent's parameter: given, by a preset, or by default; `None` without such a parameter.
pub(crate) fn setting(spec: &str, key: &str) -> Option<String> {
    let mut spec = Spec::parse(spec).ok()?;
    loop {
        if let Some(value) = spec.value(key) {
            return Some(value.to_owned());
        }
        let Some(preset) = PRESETS.iter().find(|preset| preset.name == spec.name) else { break };
        spec = Spec::parse(preset.spec).ok()?;
    }
    let info = AGENTS.iter().find(|info| info.name == spec.name)?;
    let param = info.params.iter().find(|param| param.key == key)?;
    Some(param.default.to_owned()).filter(|default| !default.is_empty())
}

/// Simulations of an explanation that people still read.
const SIMULATIONS: u64 = 200;
/// Positions of an explanation that people still read in parts.
const POSITIONS: usize = 20_000;

/// Returns limits for an explanation short enough to read, and their description; `None` if the agent needs none.
///
/// They are for agents that were given no limits.
///
/// # Errors
/// If no agent has this name.
pub fn readable_limits(
    position: &dyn AnyPosition,
    agent: &str,
) -> Result<Option<(Limits, String)>, Error> {
    let given = Spec::parse(agent)?;
    if base(agent) == "mcts" {
        let is_limited = given.value("nodes").is_some();
        let budget = Limits::nodes(SIMULATIONS);
        return Ok((!is_limited).then(|| (budget, format!("{SIMULATIONS} simulations"))));
    }
    // A tree from a file is there to be searched whole.
    let is_tree = position.game_spec().split(':').next() == Some("tree");
    let catalog = position.catalog();
    if is_tree || !catalog.looks_by_plies(agent)? || !catalog.runs_to_a_proof(agent)? {
        return Ok(None);
    }
    // Equivalent moves are looked at once, except by these.
    let looks_at_all = matches!(base(agent).as_str(), "minimax" | "expectimax");
    let many = if looks_at_all { position.moves().len() } else { position.distinct_moves().len() };
    let many = many.max(2);
    let (mut depth, mut positions) = (1, many);
    while depth < 4 && positions.saturating_mul(many) <= POSITIONS {
        (depth, positions) = (depth + 1, positions * many);
    }
    let plies = if depth == 1 { "1 ply".to_owned() } else { format!("{depth} plies") };
    Ok(Some((Limits::depth(depth), plies)))
}
