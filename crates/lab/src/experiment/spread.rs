//! How a search that samples spreads its visits over the root's moves.

use tussle_core::{Limits, Rng, StopFlag};
use tussle_view::chart::{Axis, Chart, Point, Rule, Series};
use tussle_view::{Figure, Panel};

use super::Experiment;
use super::sample::Middle;
use super::words::{percent, short};
use crate::{Bench, Finding, LabError, Table};

/// What one search did with its visits.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Spread {
    /// Of the move with the most.
    largest: f64,
    /// As many moves with equal visits would be as hard to guess: 2 to the power of the entropy in bits.
    moves: f64,
}

impl Spread {
    fn of(visits: &[u64]) -> Self {
        let all = visits.iter().sum::<u64>().max(1) as f64;
        let shares = || visits.iter().map(|&n| n as f64 / all).filter(|&share| share > 0.0);
        let entropy: f64 = shares().map(|share| -share * share.ln()).sum();
        Self { largest: shares().fold(0.0, f64::max), moves: entropy.exp() }
    }
}

/// Runs the search from the start of the game, with every constant and some seeds.
pub(super) fn run(experiment: &Experiment, bench: &mut Bench<'_>) -> Result<Finding, LabError> {
    let plan = experiment.plan(bench);
    let moves = tussle_catalog::game(experiment.game)?.start().moves().len() as f64;
    let all = experiment.agents.len() * plan.points.len();
    bench.begin(experiment.name, all as u64 * u64::from(plan.repeats));
    let columns = [
        "search",
        "c",
        "share of the most visited move",
        "share from",
        "share to",
        "effective number of moves",
        "number from",
        "number to",
        "runs",
    ];
    let mut table = Table::new(columns);
    let (mut shares, mut numbers, mut reading) = (Vec::new(), Vec::new(), Vec::new());
    for &(name, spec) in experiment.agents {
        let (mut share, mut number) = (Vec::new(), Vec::new());
        for &c in plan.points {
            let spreads = spreads(
                experiment.game,
                &spec.replace("{x}", &c.to_string()),
                name,
                bench,
                plan.repeats,
            )?;
            let of = |get: fn(&Spread) -> f64, least: f64, most: f64| {
                let Middle { middle: mean, range } =
                    Middle::mean(&spreads.iter().map(get).collect::<Vec<_>>());
                let (low, high) = range.unwrap_or((mean, mean));
                // An interval holds nothing that cannot be.
                (mean, low.max(least), high.min(most))
            };
            let a = of(|spread| spread.largest, 1.0 / moves, 1.0);
            let b = of(|spread| spread.moves, 1.0, moves);
            let row = [c, a.0, a.1, a.2, b.0, b.1, b.2];
            let row = row.into_iter().map(Into::into);
            table.add(
                std::iter::once(name.into()).chain(row).chain([plan.repeats.into()]).collect(),
            );
            share.push(Point::between(c, a.0, a.1, a.2));
            number.push(Point::between(c, b.0, b.1, b.2));
        }
        reading.extend(sentence(name, &share, &number));
        shares.push(Series::line(name, share));
        numbers.push(Series::line(name, number));
    }
    reading.extend(across(&shares));
    reading.push(format!(
        "The position has {moves} moves: all alike would have {} each, and count as {moves}. Every point is the \
         mean of {} runs with different seeds, the bands are its 95 % interval.",
        percent(1.0 / moves),
        plan.repeats
    ));
    let [x, y] = experiment.axes;
    let share = Chart {
        x: Axis::log(x),
        y: Axis::linear(y).showing(0.0..=1.0),
        series: shares,
        rules: vec![Rule { y: 1.0 / moves, label: "all moves alike".to_owned() }],
        ..Chart::default()
    };
    let number = Chart {
        x: Axis::log(x),
        y: Axis::linear("effective number of moves").showing(1.0..=moves * 1.05),
        series: numbers,
        rules: vec![Rule { y: moves, label: "all moves alike".to_owned() }],
        ..Chart::default()
    };
    Ok(Finding {
        name: experiment.name.to_owned(),
        question: experiment.question.to_owned(),
        figure: Figure {
            title: format!("{}: how visits spread over the first moves", experiment.game),
            panels: vec![Panel::Chart(share), Panel::Chart(number)],
        },
        table,
        reading,
    })
}

/// One search each for some seeds.
fn spreads(
    game: &str,
    spec: &str,
    name: &str,
    bench: &mut Bench<'_>,
    runs: u32,
) -> Result<Vec<Spread>, LabError> {
    let seed = bench.seed;
    let key = format!("visits {game} {spec} seed {seed} runs {runs}");
    let search = |stop: &StopFlag| -> Result<Vec<Vec<u64>>, LabError> {
        let game = tussle_catalog::game(game)?;
        let mut all = Vec::new();
        for run in 0..u64::from(runs) {
            if stop.is_stopped() {
                return Err(LabError::Stopped);
            }
            let mut agent = game.agent(spec, Rng::derive(seed, &[run]).next_u64())?;
            let budget = Limits::none().or_stop(stop);
            let report = agent.choose(game.start().as_ref(), &budget)?;
            all.push(report.lines.iter().map(|line| line.visits).collect());
        }
        Ok(all)
    };
    let visits: Vec<Vec<u64>> = bench.measure(&key, runs.into(), name, search)?;
    Ok(visits.iter().map(|visits| Spread::of(visits)).collect())
}

/// What a search does between the smallest and the largest constant.
fn sentence(name: &str, share: &[Point], number: &[Point]) -> Option<String> {
    let ([low, .., high], [few, .., many]) = (share, number) else { return None };
    let half = share.iter().find(|point| point.y < 0.5).map_or_else(
        || "it keeps more than half of the visits all along".to_owned(),
        |point| format!("it first has less than half of them at c = {}", short(point.x)),
    );
    Some(format!(
        "{name}: from c = {} to c = {} the most visited move's share goes from {} to {} ({half}), the \
         effective number of moves from {:.1} to {:.1}.",
        short(low.x),
        short(high.x),
        percent(low.y),
        percent(high.y),
        few.y,
        many.y
    ))
}

/// Whether the searches differ where they differ most.
fn across(shares: &[Series]) -> Option<String> {
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
        let even = Spread::of(&[25, 25, 25, 25]);
        assert!((even.moves - 4.0).abs() < 1e-12 && even.largest == 0.25, "{even:?}");
        assert_eq!(Spread::of(&[100, 0, 0]), Spread { largest: 1.0, moves: 1.0 });
        // Entropy of a half and two quarters: 1.5 bits.
        assert!((Spread::of(&[50, 25, 25]).moves - 2.0_f64.powf(1.5)).abs() < 1e-12);
    }
}
