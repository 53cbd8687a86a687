//! Minimax in its plainest form, to judge every other search by.

use tussle_catalog::{AnyGame, AnyPosition, Query};
use tussle_core::{Limits, Outcome, Report, Turn};

/// Deeper than anything that is judged: such a search is given no limit.
pub const TO_THE_END: u32 = 1000;

/// What an agent says of a position, looking `depth` plies ahead, with so many exact lines.
///
/// # Panics
/// If there is no such agent, or it has no answer.
pub fn ask(
    game: &dyn AnyGame,
    position: &dyn AnyPosition,
    agent: &str,
    depth: u32,
    lines: usize,
) -> Report<String> {
    let mut budget = Limits::none();
    if depth < TO_THE_END {
        budget = budget.or_depth(depth);
    }
    let mut agent = game.agent(agent, 1).unwrap_or_else(|why| panic!("{agent}: {why}"));
    let answer = agent.analyse(position, Query { lines, ..Query::new(&budget) });
    answer.unwrap_or_else(|why| panic!("{why}"))
}

/// A win without a further ply, on the oracle's own scale.
const WIN: f64 = 1e9;

/// How leaves are valued, as RULES say it.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// The evaluation at the horizon, as a spec.
    pub eval: &'static str,
    /// The root player's value of a tie.
    pub draw: f64,
    /// Whether finished games are evaluated, too.
    pub eval_ends: bool,
    /// Whether utilities are amounts, not wins and losses.
    pub points: bool,
}

/// The value of a position for the player `root`, looking `depth` plies ahead.
///
/// # Panics
/// If the game has chance nodes, or no such evaluation.
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

/// What a report should say of this value: the value, the outcome and the distance of a game
/// that is won or lost.
pub fn described(value: f64) -> (f64, Option<Outcome>, Option<u32>) {
    let plies = Some((WIN - value.abs()) as u32);
    match value {
        x if x > WIN / 2.0 => (1.0, Some(Outcome::Win), plies),
        x if x < -WIN / 2.0 => (-1.0, Some(Outcome::Loss), plies),
        x => (x, None, None),
    }
}
