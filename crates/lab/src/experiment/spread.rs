//! Distribution of the visits of a sampling search over the root's moves.

use serde::Serialize;
use tussle_core::{Limits, Rng, StopFlag};
use tussle_view::Figure;
use tussle_view::chart::{Axis, Point, Series};

use super::{Context, Experiment, Kind};
use crate::figure::{lines_of_points, ruled_panel};
use crate::mean::Mean;
use crate::sentences::{percent, short};
use crate::{LabError, Result};

/// Searches of the first position with every value of the swept parameter, and several seeds.
#[derive(Debug)]
pub(super) struct VisitShares;

/// Distribution of the visits of one search.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Distribution {
    /// Share of the most visited move.
    largest: f64,
    /// Effective number of moves: e to the power of the entropy of the shares.
    moves: f64,
}

impl Distribution {
    fn of(visits: &[u64]) -> Self {
        let all = visits.iter().sum::<u64>().max(1) as f64;
        let shares = || visits.iter().map(|&n| n as f64 / all).filter(|&share| share > 0.0);
        let entropy: f64 = shares().map(|share| -share * share.ln()).sum();
        Self { largest: shares().fold(0.0, f64::max), moves: entropy.exp() }
    }
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Row {
    search: &'static str,
    c: f64,
    /// Mean share, with its 95 % interval.
    #[serde(rename = "share of the most visited move|share from|share to")]
    share: [f64; 3],
    /// Mean number, with its 95 % interval.
    #[serde(rename = "effective number of moves|number from|number to")]
    number: [f64; 3],
    runs: u32,
    /// Number of legal moves.
    #[serde(skip)]
    moves: f64,
}

impl Row {
    fn point(&self, [mean, low, high]: [f64; 3]) -> Point {
        Point::between(self.c, mean, low, high)
    }

    fn share(&self) -> Point {
        self.point(self.share)
    }

    fn number(&self) -> Point {
        self.point(self.number)
    }
}

impl Kind for VisitShares {
    type Row = Row;

    fn measure(&self, experiment: &Experiment, context: &mut Context<'_>) -> Result<Vec<Row>> {
        let plan = experiment.plan(context);
        let moves = experiment.game()?.start().moves().len() as f64;
        let all = experiment.agents.len() * plan.points.len();
        context.begin(experiment.name, all as u64 * u64::from(plan.repeats));
        let mut rows = Vec::new();
        for &(search, spec) in experiment.agents {
            for &c in plan.points {
                let spec = spec.replace("{x}", &c.to_string());
                let runs = distributions(experiment.game, &spec, search, context, plan.repeats)?;
                // The interval is cut to the possible values.
                let mean = |number: fn(&Distribution) -> f64, min: f64, max: f64| {
                    let numbers: Vec<f64> = runs.iter().map(number).collect();
                    let Mean { value, interval } = Mean::arithmetic(&numbers);
                    let (low, high) = interval.unwrap_or((value, value));
                    [value, low.max(min), high.min(max)]
                };
                let share = mean(|run| run.largest, 1.0 / moves, 1.0);
                let number = mean(|run| run.moves, 1.0, moves);
                rows.push(Row { search, c, share, number, runs: plan.repeats, moves });
            }
        }
        Ok(rows)
    }

    fn figure(&self, experiment: &Experiment, rows: &[Row]) -> Result<Figure> {
        let moves = rows.first().map_or(1.0, |row| row.moves);
        let [x, y] = experiment.axes;
        let panel = |y: Axis, alike: f64, point: fn(&Row) -> Point| {
            let series = lines_of_points(rows, |row| row.search, point);
            ruled_panel("", [Axis::log(x), y], series, (alike, "all moves alike"))
        };
        let number = Axis::linear("effective number of moves").showing(1.0..=moves * 1.05);
        let panels = vec![
            panel(Axis::linear(y).showing(0.0..=1.0), 1.0 / moves, Row::share),
            panel(number, moves, Row::number),
        ];
        let title = format!("{}: how visits spread over the first moves", experiment.game);
        Ok(Figure { title, panels })
    }

    fn sentences(&self, _: &Experiment, rows: &[Row]) -> Vec<String> {
        let shares = lines_of_points(rows, |row| row.search, Row::share);
        let numbers = lines_of_points(rows, |row| row.search, Row::number);
        let mut said: Vec<String> = shares
            .iter()
            .zip(&numbers)
            .filter_map(|(share, number)| course(share, number))
            .collect();
        said.extend(largest_difference(&shares));
        said.extend(rows.first().map(|Row { moves, runs, .. }| {
            format!(
                "The position has {moves} moves: all alike would have {} each, and count as {moves}. Every point is the \
                 mean of {runs} runs with different seeds, the bands are its 95 % interval.",
                percent(1.0 / moves)
            )
        }));
        said
    }
}

/// Returns the distributions of one search per run.
fn distributions(
    game: &str,
    spec: &str,
    name: &str,
    context: &mut Context<'_>,
    runs: u32,
) -> Result<Vec<Distribution>> {
    let seed = context.seed;
    let key = format!("visits {game} {spec} seed {seed} runs {runs}");
    let search = |stop: &StopFlag| -> Result<Vec<Vec<u64>>> {
        let game = tussle_catalog::game(game)?;
        let mut all = Vec::new();
        for run in 0..u64::from(runs) {
            if stop.is_stopped() {
                return Err(LabError::Stopped);
            }
            let mut agent = game.agent(spec, Rng::derive(seed, &[run]).next_u64())?;
            let limits = Limits::none().or_stop(stop);
            let report = agent.choose(game.start().as_ref(), &limits)?;
            all.push(report.lines.iter().map(|line| line.visits).collect());
        }
        Ok(all)
    };
    let visits: Vec<Vec<u64>> = context.measure(&key, runs.into(), name, search)?;
    Ok(visits.iter().map(|visits| Distribution::of(visits)).collect())
}

/// Compares the smallest with the largest constant.
fn course(share: &Series, number: &Series) -> Option<String> {
    let ([low, .., high], [few, .., many]) = (&share.points[..], &number.points[..]) else {
        return None;
    };
    let half = share.points.iter().find(|point| point.y < 0.5).map_or_else(
        || "it keeps more than half of the visits all along".to_owned(),
        |point| format!("it first has less than half of them at c = {}", short(point.x)),
    );
    Some(format!(
        "{}: from c = {} to c = {} the most visited move's share goes from {} to {} ({half}), the \
         effective number of moves from {:.1} to {:.1}.",
        share.name,
        short(low.x),
        short(high.x),
        percent(low.y),
        percent(high.y),
        few.y,
        many.y
    ))
}

/// Compares the first search with the last one at the constant with the largest difference.
fn largest_difference(shares: &[Series]) -> Option<String> {
    let [first, .., last] = shares else { return None };
    let apart = |(a, b): &(&Point, &Point)| (a.y - b.y).abs();
    let pairs = first.points.iter().zip(&last.points);
    let (a, b) = pairs.max_by(|one, other| apart(one).total_cmp(&apart(other)))?;
    let ((a_low, a_high), (b_low, b_high)) = (a.range?, b.range?);
    let tail = if a_high < b_low || b_high < a_low {
        "the intervals do not overlap"
    } else {
        "but the intervals overlap: too few runs to tell"
    };
    Some(format!(
        "{} and {} differ most at c = {}: {} and {} of the visits; {tail}.",
        first.name,
        last.name,
        short(a.x),
        percent(a.y),
        percent(b.y)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_visits_count_every_move_and_one_move_counts_once() {
        let even = Distribution::of(&[25, 25, 25, 25]);
        assert!((even.moves - 4.0).abs() < 1e-12 && even.largest == 0.25, "{even:?}");
        assert_eq!(Distribution::of(&[100, 0, 0]), Distribution { largest: 1.0, moves: 1.0 });
        // Entropy of a half and two quarters: 1.5 bits.
        assert!((Distribution::of(&[50, 25, 25]).moves - 2.0_f64.powf(1.5)).abs() < 1e-12);
    }
}
