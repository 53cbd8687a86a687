//! Agents that look at each move once and tell no more than their report.

use tussle_catalog::{AnyGame, AnyPosition};
use tussle_core::{Event, Events as _, LeafKind, Line, Report, Turn, Value};

use super::trace::Trace;

/// Tells a search of one ply from its report, if it was one and told nothing itself.
pub(super) fn tell(
    game: &dyn AnyGame,
    position: &dyn AnyPosition,
    report: &Report<String>,
    trace: &mut Trace,
) {
    let Turn::Player(mover) = position.turn() else { return };
    let stats = &report.stats;
    let is_one_ply = stats.depth == 1 && stats.evaluations == report.lines.len() as u64;
    if !trace.is_empty() || !is_one_ply {
        return;
    }
    let (alpha, beta) = (Value::BELOW_ALL, Value::ABOVE_ALL);
    let firsts = |line: &Line<String>| {
        let number = game.values(mover, line).and_then(|values| values.first().copied());
        let value = if mover == 0 { line.value } else { line.value.for_opponent() };
        let value = value.without_proof();
        number.map_or(value, |number| value.with_number(number))
    };
    trace.take(Event::Iteration(1));
    trace.take(Event::Enter { mv: None, alpha, beta });
    for mv in position.moves() {
        let Some(line) = report.lines.iter().find(|line| line.mv == mv) else { continue };
        let values = &[firsts(line)];
        trace.take(Event::Enter { mv: Some(mv), alpha, beta });
        trace.take(Event::Leaf { values, kind: LeafKind::Evaluation });
        trace.take(Event::Leave { values });
    }
    if let Some(best) = report.lines.first() {
        trace.take(Event::Leave { values: &[firsts(best)] });
    }
}
