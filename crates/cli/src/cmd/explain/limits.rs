//! Search limits that keep an explanation readable.

use tussle_catalog::AnyPosition;
use tussle_core::Limits;
use tussle_explain::readable_limits;

use crate::args::SearchLimits;
use crate::failure::Failure;
use crate::output::tell;

/// Prints a note for each given limit that has no effect.
pub(super) fn note_idle(limits: &SearchLimits, why: &str) {
    let given = [
        ("--time", limits.time.is_some()),
        ("--nodes", limits.nodes.is_some()),
        ("--depth", limits.depth.is_some()),
    ];
    for (name, _) in given.iter().filter(|(_, is_given)| *is_given) {
        tell(&format!("{name} has no effect: {why}"));
    }
}

/// Returns the search limits; without a given limit, a small one.
pub(super) fn search_limits(
    limits: &SearchLimits,
    position: &dyn AnyPosition,
    agent: &str,
) -> Result<Limits, Failure> {
    limits.note_idle_depth(position.rules().as_ref(), agent)?;
    // A depth does not limit an agent that does not search by plies.
    let is_deep = limits.depth.is_some() && position.rules().looks_by_plies(agent)?;
    let unlimited = limits.time.is_none() && limits.nodes.is_none() && !is_deep;
    if unlimited && let Some((readable, words)) = readable_limits(position, agent)? {
        tell(&format!("no limit given: {words}; change it with --depth, --nodes or --time"));
        return Ok(limits.on(readable));
    }
    Ok(limits.given())
}
