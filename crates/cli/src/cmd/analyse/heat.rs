//! A drawing that shows how good each move is.

use std::collections::HashSet;

use tussle_core::{Bound, Line, Mark, MarkKind, Outcome, Scene, Turn};

use super::{Analysis, words};

/// Where moves are won or lost, the others lie between.
const BETWEEN: (f32, f32) = (0.25, 0.75);

/// The position with the worth of every move that was looked at. Of several moves to one spot
/// the best is shown.
pub(super) fn scene(analysis: &Analysis<'_>) -> Scene {
    let Analysis { position, report, .. } = analysis;
    let mut scene = position.scene();
    let known: Vec<Known<'_>> =
        report.lines.iter().filter_map(|line| Known::new(analysis, line)).collect();
    let heats = if report.stats.playouts > 0 { by_visits(&known) } else { by_value(&known) };
    let mut taken = HashSet::new();
    for (known, heat) in known.iter().zip(heats) {
        let Ok(Some(spot)) = position.target(&known.line.mv) else { continue };
        // Lines come best first.
        if taken.insert(spot) {
            scene.marks.push(Mark { spot, kind: heat.mark });
            scene.marks.push(Mark { spot, kind: MarkKind::Label(heat.label) });
        }
    }
    scene
}

/// A line whose value is known, at least roughly.
struct Known<'a> {
    line: &'a Line<String>,
    grade: Grade,
}

/// What a move is worth to the player who may make it.
#[derive(Clone, Copy, PartialEq)]
enum Grade {
    Lost,
    /// In points, or as an evaluation says.
    Worth(f64),
    Won,
}

struct Heat {
    mark: MarkKind,
    label: String,
}

impl<'a> Known<'a> {
    fn new(analysis: &Analysis<'_>, line: &'a Line<String>) -> Option<Self> {
        let Turn::Player(mover) = analysis.position.turn() else { return None };
        let values = analysis.game.values(mover, line);
        let worth = values.and_then(|values| values.get(mover).copied()).unwrap_or(line.value);
        let payoffs = analysis.game.payoffs();
        // A bound may be a win or a loss without being one that is proven: "at most a win".
        let reached = |outcome, end| {
            let bound = line.outcome.is_none() && line.bound != Bound::Exact && worth == end;
            let lines = &analysis.report.lines;
            line.outcome == Some(outcome)
                || bound && lines.iter().any(|other| other.outcome == Some(outcome))
        };
        let grade = if payoffs.points {
            Grade::Worth(worth)
        } else if reached(Outcome::Win, payoffs.most) {
            Grade::Won
        } else if reached(Outcome::Loss, payoffs.least) {
            Grade::Lost
        } else {
            Grade::Worth(worth)
        };
        (!worth.is_nan()).then_some(Self { line, grade })
    }

    /// A few characters: `W5` is a win in 5 plies, `L4` a loss in 4, `=` a draw.
    fn label(&self) -> String {
        let Line { bound, outcome, distance, value, .. } = *self.line;
        let plies = distance.map_or_else(String::new, |plies| plies.to_string());
        let sign = words::sign(bound);
        match self.grade {
            Grade::Won => format!("{sign}W{plies}"),
            Grade::Lost => format!("{sign}L{plies}"),
            Grade::Worth(_) if bound == Bound::Exact && outcome == Some(Outcome::Draw) => {
                "=".to_owned()
            }
            Grade::Worth(_) if bound == Bound::Exact && value > 0.0 => {
                format!("+{}", brief(value))
            }
            Grade::Worth(_) => format!("{sign}{}", brief(value)),
        }
    }
}

/// The best 1, the worst 0; wins and losses at the ends.
fn by_value(known: &[Known<'_>]) -> Vec<Heat> {
    let has = |grade| known.iter().any(|known| known.grade == grade);
    let (low, high) = (
        if has(Grade::Lost) { BETWEEN.0 } else { 0.0 },
        if has(Grade::Won) { BETWEEN.1 } else { 1.0 },
    );
    let worths = known.iter().filter_map(|known| match known.grade {
        Grade::Worth(worth) => Some(worth),
        _ => None,
    });
    let worst = worths.clone().fold(f64::INFINITY, f64::min);
    let best = worths.fold(f64::NEG_INFINITY, f64::max);
    let heat = |known: &Known<'_>| match known.grade {
        Grade::Won => 1.0,
        Grade::Lost => 0.0,
        // Equals are as good as the best of them.
        Grade::Worth(_) if best == worst => high,
        Grade::Worth(worth) => low + (high - low) * ((worth - worst) / (best - worst)) as f32,
    };
    let mark = |known: &Known<'_>| match known.line.bound {
        Bound::Exact => MarkKind::Heat(heat(known)),
        _ => MarkKind::HeatBound(heat(known)),
    };
    known.iter().map(|known| Heat { mark: mark(known), label: known.label() }).collect()
}

/// A search that samples shows its trust in a move by coming back to it.
fn by_visits(known: &[Known<'_>]) -> Vec<Heat> {
    let visits = || known.iter().map(|known| known.line.visits);
    let (most, all) = (visits().max().unwrap_or(0).max(1), visits().sum::<u64>().max(1));
    let heat = |known: &Known<'_>| {
        let visits = known.line.visits;
        let percent = 100.0 * visits as f64 / all as f64;
        let label = match known.grade {
            Grade::Worth(_) => format!("{percent:.0}%"),
            _ => known.label(),
        };
        Heat { mark: MarkKind::Heat(visits as f32 / most as f32), label }
    };
    known.iter().map(heat).collect()
}

/// A number that fits a cell.
fn brief(value: f64) -> String {
    match value.abs() {
        x if x >= 100_000.0 => format!("{value:.0e}"),
        x if x >= 100.0 => format!("{value:.0}"),
        x if x >= 10.0 => words::number((value * 10.0).round() / 10.0),
        _ => words::number((value * 100.0).round() / 100.0),
    }
}
