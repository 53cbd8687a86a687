//! Monte Carlo tree search against a naive one, and its reports against its tree.

mod backups;
mod leaves;
mod limits;
mod payoffs;
mod reports;
mod solver;
mod textbook;
mod trees;

use tussle_search::MctsOptions;

/// Returns options without random choices: moves are tried as listed.
pub(crate) fn listed() -> MctsOptions {
    MctsOptions { shuffle_untried: false, memory: 4_000_000, seed: 3, ..Default::default() }
}

/// Rounds a prior to the upper half of an `f32`, as trees store it.
pub(crate) fn rounded(prior: f32) -> f32 {
    f32::from_bits(prior.to_bits().saturating_add(1 << 15) >> 16 << 16)
}
