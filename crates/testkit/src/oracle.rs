//! Naive minimax, with which tests compare every classical search.

use tussle_catalog::{AnyGame, AnyPosition, Query};
use tussle_core::{Limits, Outcome, Report, Turn};

/// Depth that stands for no depth limit; every tested game is shorter.
pub const UNLIMITED_DEPTH: u32 = 1000;

/// Returns an agent's report on a position at `depth` plies with `lines` exact lines.
///
/// # Panics
/// If the agent does not exist or has no answer.
pub fn ask(
    game: &dyn AnyGame,
    position: &dyn AnyPosition,
    agent: &str,
    depth: u32,
    lines: usize,
) -> Report<String> {
    let mut limits = Limits::none();
    if depth < UNLIMITED_DEPTH {
        limits = limits.or_depth(depth);
    }
    let mut agent = game.agent(agent, 1).unwrap_or_else(|error| panic!("{agent}: {error}"));
    let answer = agent.analyse(position, Query { lines, ..Query::new(&limits) });
    answer.unwrap_or_else(|error| panic!("{error}"))
}

/// Value of an immediate win on the scale of the oracle.
const WIN: f64 = 1e9;

/// Rules for the values of leaves.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// Spec of the evaluation at the horizon.
    pub eval: &'static str,
    /// Value of a tie for the root player.
    pub draw: f64,
    /// True if finished games are evaluated too.
    pub eval_ends: bool,
    /// True if utilities are points, not wins and losses.
    pub points: bool,
}

/// Returns the value of a position for the player `root` at `depth` plies.
///
/// # Panics
/// If the game has chance nodes or does not have the evaluation.
pub fn minimax(
    position: &mut dyn AnyPosition,
    root: usize,
    depth: u32,
    ply: u32,
    leaf: &Leaf,
) -> f64 {
    let evaluate = |position: &dyn AnyPosition| {
        position.evaluate(leaf.eval, root).expect("the game has this evaluation")
    };
    if let Some(utilities) = position.utilities() {
        return match utilities[root] {
            _ if leaf.eval_ends => evaluate(position),
            u if leaf.points => u,
            u if u > 0.0 => WIN - f64::from(ply),
            u if u < 0.0 => f64::from(ply) - WIN,
            _ => leaf.draw,
        };
    }
    if depth == 0 {
        return evaluate(position);
    }
    let ours = position.turn() == Turn::Player(root);
    let mut best = f64::NAN;
    for mv in position.moves() {
        position.play(&mv).expect("a listed move is legal");
        let value = minimax(position, root, depth - 1, ply + 1, leaf);
        position.undo();
        best = if ours { best.max(value) } else { best.min(value) };
    }
    best
}

/// Converts a value of the oracle to the value, outcome and distance that a report must have.
pub fn described(value: f64) -> (f64, Option<Outcome>, Option<u32>) {
    let plies = Some((WIN - value.abs()) as u32);
    match value {
        x if x > WIN / 2.0 => (1.0, Some(Outcome::Win), plies),
        x if x < -WIN / 2.0 => (-1.0, Some(Outcome::Loss), plies),
        x => (x, None, None),
    }
}
