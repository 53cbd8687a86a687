//! Figure of a tuning: the estimated share of the points over each parameter, and the measured shares.

use tussle_stats::Pentanomial;
use tussle_view::chart::{Axis, Chart, Point as ChartPoint, Rule, Series};
use tussle_view::{Figure, Panel};

use super::Tuning;
use super::parameter::Parameter;
use super::result::{Gain, Measurements, TunedParameter};
use crate::match_score::MatchScore;
use crate::sentences::{game_words, short};

/// Number of intervals in which the games over a numeric parameter are counted together.
const BINS: usize = 12;
/// Smallest number of pairs of games with which an interval is drawn.
const MIN_BIN_PAIRS: u64 = 3;

/// Distance of the marks of a word, as a share of the distance of two words.
const MARK_DISTANCE: f64 = 0.04;

/// Draws one panel per parameter.
pub(super) fn figure(
    tuning: &Tuning,
    all: &Measurements<'_>,
    curves: &[TunedParameter],
    gain: Option<&Gain>,
) -> Figure {
    let panels = tuning.parameters.iter().zip(curves).enumerate();
    let panel = |(place, (parameter, curve)): (usize, (&Parameter, &TunedParameter))| {
        panel(tuning, all, place, parameter, curve, gain)
    };
    let game = game_words(&tuning.terms.games.concat());
    let title = format!("Tuning of {} ({game})", tuning.template.title());
    Figure { title, panels: panels.map(panel).collect() }
}

fn panel(
    tuning: &Tuning,
    all: &Measurements<'_>,
    place: usize,
    parameter: &Parameter,
    curve: &TunedParameter,
    gain: Option<&Gain>,
) -> Panel {
    let is_only = tuning.parameters.len() == 1;
    let estimate =
        curve.curve.iter().map(|at| ChartPoint::between(at.number, at.share, at.low, at.high));
    let estimated = if is_only { "estimated" } else { "estimated, others at their best" };
    let measured = if is_only { "measured" } else { "measured, over all others" };
    // Words have no line between them.
    let estimate: Vec<ChartPoint> = estimate.collect();
    let estimate = if parameter.words().is_empty() {
        Series::line(estimated, estimate)
    } else {
        Series::dots(estimated, estimate)
    };
    // Words have all their marks at one place, so they stand side by side.
    let step = if parameter.words().is_empty() { 0.0 } else { MARK_DISTANCE };
    let mut shares = bins(all, place, parameter);
    for point in &mut shares {
        point.x += step;
    }
    let mut series = vec![estimate, Series::dots(measured, shares)];
    if let Some(gain) = gain {
        let score = MatchScore::of_pairs(&gain.pentanomial, gain.pentanomial.pairs());
        let at = parameter.number(all.best[place]) - step;
        series.push(Series::dots("best, on fresh games", vec![score.point(at)]));
    }
    let label = match &curve.start {
        Some(start) => {
            let number = start.parse().ok().filter(|_| parameter.words().is_empty());
            let start = number.map_or_else(|| start.clone(), short);
            format!("as given: {}={start}", parameter.key)
        }
        None => "as given".to_owned(),
    };
    let x = match parameter.words() {
        [] if parameter.is_log() => Axis::log(&parameter.key),
        [] => Axis::linear(&parameter.key),
        words => Axis::names(&parameter.key, words.iter().cloned()),
    };
    let y = Axis::linear("share of the points against the agent as given");
    let rules = vec![Rule { y: 0.5, label }];
    Panel::Chart(Chart { title: String::new(), x, y, series, rules })
}

/// Returns the measured shares: of each word, or of the games in intervals of the range.
fn bins(all: &Measurements<'_>, place: usize, parameter: &Parameter) -> Vec<ChartPoint> {
    let count = match parameter.words().len() {
        0 => BINS.min(parameter.grid().len()),
        words => words,
    };
    let mut bins = vec![(0.0, Pentanomial::default()); count];
    for (point, result) in &all.measured {
        let at = point[place];
        let bin = match parameter.words() {
            [] => ((at * count as f64) as usize).min(count - 1),
            _ => at.round() as usize,
        };
        bins[bin].0 += at * result.pairs() as f64;
        bins[bin].1 += *result;
    }
    let drawn = bins.iter().filter(|(_, result)| result.pairs() >= MIN_BIN_PAIRS);
    let point = |(sum, result): &(f64, Pentanomial)| {
        let at = sum / result.pairs() as f64;
        MatchScore::of_pairs(result, result.pairs()).point(parameter.exact_number(at))
    };
    drawn.map(point).collect()
}
