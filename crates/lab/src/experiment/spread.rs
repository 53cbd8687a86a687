//! Distribution of the visits of a sampling search over the root's moves.

use serde::Serialize;
use tussle_catalog::AnyPosition;
use tussle_core::{Limits, Report, Rng, StopFlag};
use tussle_view::Figure;
use tussle_view::chart::{Axis, Point, Series};

use super::setup::{Player, Start, StartSupport};
use super::swept::{Steps, Swept};
use super::{Context, Kind, Setup};
use crate::figure::{lines_of_points, ruled_panel};
use crate::mean::Mean;
use crate::sentences::{percent, short};
use crate::{LabError, Result};

/// Number of simulations of an agent without a limit of its own.
const SIMULATIONS: u64 = 3000;

/// Searches of one position with every value of the swept parameter, and several seeds.
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
    search: String,
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

    fn swept(&self) -> Swept {
        Swept { name: "values of the exploration constant", steps: Steps::Factors }
    }

    fn start(&self) -> StartSupport {
        StartSupport::One
    }

    fn adapt(&self, setup: &mut Setup) -> Result<()> {
        let game = setup.game()?;
        setup.expect_player_to_move(game.as_ref())?;
        if setup.own.agents {
            match setup.sweep_key(game.as_ref(), "c")? {
                Some(key) if key == "c" => {}
                Some(key) => setup.axes[0] = key,
                None => "x".clone_into(&mut setup.axes[0]),
            }
            setup.limit_sampling(game.as_ref(), SIMULATIONS)?;
            setup.keep_equivalent_moves(game.as_ref());
        }
        Ok(())
    }

    fn measure(&self, setup: &Setup, context: &mut Context<'_>) -> Result<Vec<Row>> {
        let game = setup.game()?;
        let start = setup.position(game.as_ref());
        let moves = start.moves().len() as f64;
        let all = setup.agents.len() * setup.points.len();
        context.begin(setup.name, all as u64 * u64::from(setup.repeats));
        let mut rows = Vec::new();
        for player in &setup.agents {
            for &c in &setup.points {
                let spec = player.spec.replace("{x}", &c.to_string());
                let runs = distributions(setup, start.as_ref(), player, &spec, context)?;
                // The interval is cut to the possible values.
                let mean = |number: fn(&Distribution) -> f64, min: f64, max: f64| {
                    let numbers: Vec<f64> = runs.iter().map(number).collect();
                    let Mean { value, interval } = Mean::arithmetic(&numbers);
                    let (low, high) = interval.unwrap_or((value, value));
                    [value, low.max(min), high.min(max)]
                };
                let share = mean(|run| run.largest, 1.0 / moves, 1.0);
                let number = mean(|run| run.moves, 1.0, moves);
                let search = player.name.clone();
                rows.push(Row { search, c, share, number, runs: setup.repeats, moves });
            }
        }
        Ok(rows)
    }

    fn figure(&self, setup: &Setup, rows: &[Row]) -> Result<Figure> {
        let moves = rows.first().map_or(1.0, |row| row.moves);
        let [x, y] = setup.axes.each_ref().map(String::as_str);
        let panel = |y: Axis, alike: f64, point: fn(&Row) -> Point| {
            let series = lines_of_points(rows, |row| row.search.as_str(), point);
            ruled_panel("", [Axis::log(x), y], series, (alike, "all moves alike"))
        };
        let number = Axis::linear("effective number of moves").showing(1.0..=moves * 1.05);
        let panels = vec![
            panel(Axis::linear(y).showing(0.0..=1.0), 1.0 / moves, Row::share),
            panel(number, moves, Row::number),
        ];
        let what = match setup.start {
            Start::Given(_) => "the moves of a position",
            Start::Usual | Start::Random(_) => "the first moves",
        };
        let title = format!("{}: how visits spread over {what}", setup.game);
        Ok(Figure { title, panels })
    }

    fn sentences(&self, setup: &Setup, rows: &[Row]) -> Vec<String> {
        let shares = lines_of_points(rows, |row| row.search.as_str(), Row::share);
        let numbers = lines_of_points(rows, |row| row.search.as_str(), Row::number);
        let mut said: Vec<String> = shares
            .iter()
            .zip(&numbers)
            .filter_map(|(share, number)| course(setup, share, number))
            .collect();
        said.extend(largest_difference(setup, &shares));
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
    setup: &Setup,
    start: &dyn AnyPosition,
    player: &Player,
    spec: &str,
    context: &mut Context<'_>,
) -> Result<Vec<Distribution>> {
    let (seed, runs, game) = (context.seed, setup.repeats, &setup.game);
    let place = setup.key_of_position(start);
    let key = format!("visits {game} {spec} seed {seed} runs {runs}{place}");
    let search = |stop: &StopFlag| -> Result<Vec<Vec<u64>>> {
        let game = setup.game()?;
        let mut agents = setup.agents_of(&game, spec)?;
        let mut all = Vec::new();
        for run in 0..u64::from(runs) {
            if stop.is_stopped() {
                return Err(LabError::Stopped);
            }
            let agent = agents.fresh(Rng::derive(seed, &[run]).next_u64())?;
            let limits = if player.is_program() {
                player.within_time(Limits::nodes(SIMULATIONS))
            } else {
                Limits::none()
            };
            let report = agent.choose(start, &limits.or_stop(stop))?;
            if setup.own.agents && is_without_visits(start, &report) {
                return Err(setup.unreported(player, "visits of all moves"));
            }
            all.push(report.lines.iter().map(|line| line.visits).collect());
        }
        Ok(all)
    };
    let visits: Vec<Vec<u64>> = context.measure(&key, runs.into(), &player.name, search)?;
    Ok(visits.iter().map(|visits| Distribution::of(visits)).collect())
}

/// Returns true if a report of a choice of moves has no visits, or those of one move only.
pub(super) fn is_without_visits(position: &dyn AnyPosition, report: &Report<String>) -> bool {
    report.lines.len() < position.moves().len().min(2)
        || report.lines.iter().all(|line| line.visits == 0)
}

/// Returns the name of the swept parameter in sentences.
fn symbol(setup: &Setup) -> &str {
    let label = setup.axes[0].as_str();
    label.rsplit(' ').next().unwrap_or(label)
}

/// Compares the smallest with the largest constant.
fn course(setup: &Setup, share: &Series, number: &Series) -> Option<String> {
    let ([low, .., high], [few, .., many]) = (&share.points[..], &number.points[..]) else {
        return None;
    };
    let c = symbol(setup);
    let half = share.points.iter().find(|point| point.y < 0.5).map_or_else(
        || "it keeps more than half of the visits all along".to_owned(),
        |point| format!("it first has less than half of them at {c} = {}", short(point.x)),
    );
    Some(format!(
        "{}: from {c} = {} to {c} = {} the most visited move's share goes from {} to {} ({half}), the \
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
fn largest_difference(setup: &Setup, shares: &[Series]) -> Option<String> {
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
        "{} and {} differ most at {} = {}: {} and {} of the visits; {tail}.",
        first.name,
        last.name,
        symbol(setup),
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
