//! How often a search picks a move that is proven to be best.

mod problem;

use tussle_core::{Limits, Rng, StopFlag};
use tussle_stats::wilson_interval;
use tussle_view::Figure;
use tussle_view::chart::{Axis, Chart, Point, Rule, Series};

use self::problem::Problem;
use super::Experiment;
use super::words::{grouped, interval, list, percent};
use crate::{Bench, Finding, LabError, Table};

/// So many problems are one measurement.
const BATCH: usize = 25;
/// About how long a problem takes to pose, in milliseconds.
const POSING: u64 = 10;
/// Streams of random numbers that have nothing to do with each other: of the problems, and of who solves them.
const POSED: u64 = 0;
const CHOOSING: u64 = 1;

/// Where problems come from.
#[derive(Clone, Copy, Debug)]
pub struct Regret {
    /// What the figure shows.
    pub title: &'static str,
    /// Random moves before a problem, at least and at most.
    pub plies: (u32, u32),
}

/// How well an agent did with one budget.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Score {
    nodes: f64,
    share: f64,
    low: f64,
    high: f64,
    /// Points thrown away, on average.
    lost: f64,
}

/// Lets every agent choose in every problem with each number of nodes.
pub(super) fn run(
    experiment: &Experiment,
    regret: &Regret,
    bench: &mut Bench<'_>,
) -> Result<Finding, LabError> {
    let plan = experiment.plan(bench);
    // A simulation takes a few times as long as a node.
    let weight = |nodes: f64| (nodes * 0.001 * BATCH as f64).ceil() as u64;
    let batches = (plan.repeats as usize).div_ceil(BATCH) as u64;
    let each: u64 = plan.points.iter().map(|&nodes| batches * weight(nodes)).sum();
    let all = each * experiment.agents.len() as u64 + u64::from(plan.repeats) * POSING;
    bench.begin(experiment.name, all);

    let problems = problems(experiment, regret, plan.repeats, bench)?;
    let columns =
        ["agent", "nodes", "share of best moves", "from", "to", "points lost a move", "problems"];
    let mut table = Table::new(columns);
    let (mut series, mut scores) = (Vec::new(), Vec::new());
    for &(name, spec) in experiment.agents {
        let mut row = Vec::new();
        for &nodes in plan.points {
            let mut worths = Vec::new();
            for (i, batch) in problems.chunks(BATCH).enumerate() {
                let (game, seed) = (experiment.game, bench.seed);
                let (from, to) = regret.plies;
                let key = format!(
                    "chosen {game} {from}-{to} {spec} nodes {nodes} seed {seed} batch {i} of {}",
                    batch.len()
                );
                let found: Vec<f64> = bench.measure(&key, weight(nodes), name, |stop| {
                    let seeds = Rng::derive(seed, &[CHOOSING, i as u64]);
                    solve(game, spec, nodes as u64, batch, seeds, stop)
                })?;
                worths.extend(found);
            }
            let score = Score::of(nodes, &worths);
            table.add(vec![
                name.into(),
                nodes.into(),
                score.share.into(),
                score.low.into(),
                score.high.into(),
                score.lost.into(),
                worths.len().into(),
            ]);
            row.push(score);
        }
        let point = |score: &Score| Point::between(score.nodes, score.share, score.low, score.high);
        series.push(Series::line(name, row.iter().map(point).collect()));
        scores.push((name, row));
    }
    let chance = problems.iter().map(Problem::chance).sum::<f64>() / problems.len().max(1) as f64;
    let [x, y] = experiment.axes;
    let chart = Chart {
        x: Axis::log(x),
        y: Axis::linear(y).showing(0.3..=1.0),
        series,
        rules: vec![Rule { y: chance, label: "random moves".to_owned() }],
        ..Chart::default()
    };
    Ok(Finding {
        name: experiment.name.to_owned(),
        question: experiment.question.to_owned(),
        figure: Figure::chart(regret.title, chart),
        reading: reading(&scores, problems.len(), chance),
        table,
    })
}

/// The problems that this seed poses.
fn problems(
    experiment: &Experiment,
    regret: &Regret,
    count: u32,
    bench: &mut Bench<'_>,
) -> Result<Vec<Problem>, LabError> {
    let game = tussle_catalog::game(experiment.game)?;
    let (seed, (from, to)) = (bench.seed, regret.plies);
    (0..count)
        .map(|i| {
            let key = format!("posed {} {from}-{to} seed {seed} number {i}", experiment.game);
            bench.measure(&key, POSING, "solving positions", |stop| {
                let mut rng = Rng::derive(seed, &[POSED, i.into()]);
                Problem::pose(game.as_ref(), regret.plies, &mut rng, stop)
            })
        })
        .collect()
}

/// What is lost by the move an agent chooses in each problem, in points from 0 to 1.
fn solve(
    game: &str,
    spec: &str,
    nodes: u64,
    problems: &[Problem],
    mut seeds: Rng,
    stop: &StopFlag,
) -> Result<Vec<f64>, LabError> {
    let game = tussle_catalog::game(game)?;
    let mut lost = Vec::new();
    for problem in problems {
        if stop.is_stopped() {
            return Err(LabError::Stopped);
        }
        // A new agent has no memory of other problems.
        let mut agent = game.agent(spec, seeds.next_u64())?;
        let budget = Limits::nodes(nodes).or_stop(stop);
        let report = agent.choose(problem.position(game.as_ref())?.as_ref(), &budget)?;
        lost.push(report.best().map_or(1.0, |mv| problem.regret(mv)));
    }
    Ok(lost)
}

impl Score {
    fn of(nodes: f64, lost: &[f64]) -> Self {
        let n = lost.len().max(1) as f64;
        let share = lost.iter().filter(|&&lost| lost == 0.0).count() as f64 / n;
        let (low, high) = wilson_interval(share, n);
        Self { nodes, share, low, high, lost: lost.iter().sum::<f64>() / n }
    }

    fn text(&self) -> String {
        format!("{} ({})", percent(self.share), interval(self.low, self.high))
    }
}

fn reading(scores: &[(&str, Vec<Score>)], problems: usize, chance: f64) -> Vec<String> {
    let mut sentences = vec![format!(
        "{problems} positions whose moves are not all equally good, each solved to its end; a random move is \
         a best one in {} of them. Brackets are 95 % intervals.",
        percent(chance)
    )];
    for (name, row) in scores {
        let [first, .., last] = &row[..] else { continue };
        if row.iter().all(|score| score.share == first.share) {
            sentences.push(format!(
                "{name} does not use its nodes: {} of its moves are best.",
                first.text()
            ));
            continue;
        }
        let sure = row.iter().rev().take_while(|score| score.low >= 0.9).last();
        let enough = sure.map_or_else(
            || "none of these budgets makes it sure that it finds nine of ten".to_owned(),
            |score| {
                let nodes = grouped(score.nodes);
                // Nothing is known beyond the last one.
                let with = if score.nodes == last.nodes {
                    format!("with {nodes}")
                } else {
                    format!("from {nodes} nodes on")
                };
                format!("{with} it surely finds nine of ten")
            },
        );
        sentences.push(format!(
            "{name}: {} best moves with {} nodes, {} with {}; {enough}. It gives away {:.2} points a move with \
             the least and {:.3} with the most, a win being 1 and a draw one half.",
            first.text(),
            grouped(first.nodes),
            last.text(),
            grouped(last.nodes),
            first.lost,
            last.lost
        ));
    }
    sentences.extend(leader(scores));
    sentences
}

/// Who finds the most with the largest budget.
fn leader(scores: &[(&str, Vec<Score>)]) -> Option<String> {
    let lasts = || scores.iter().filter_map(|(name, row)| Some((*name, row.last()?)));
    let (best, most) = lasts().max_by(|a, b| a.1.share.total_cmp(&b.1.share))?;
    let near = lasts().filter(|(name, score)| *name != best && score.high >= most.low);
    let near: Vec<String> = near.map(|(name, _)| name.to_owned()).collect();
    let nodes = grouped(most.nodes);
    Some(if near.is_empty() {
        format!(
            "With {nodes} nodes {best} is better than all others: the intervals do not overlap."
        )
    } else {
        format!(
            "With {nodes} nodes {best} finds most, but its interval overlaps that of {}: too few positions to \
             tell them apart.",
            list(&near)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_budget_says_nothing_of_larger_ones() {
        let row = |shares: [usize; 3]| {
            let lost = |right: usize| (0..100).map(|i| f64::from(i >= right)).collect::<Vec<_>>();
            let score = |(i, right): (usize, usize)| Score::of(10.0 * (i + 1) as f64, &lost(right));
            vec![("a", shares.into_iter().enumerate().map(score).collect())]
        };
        let said = |shares| reading(&row(shares), 100, 0.5).join(" ");
        assert!(said([50, 60, 99]).contains("; with 30 it surely finds nine of ten"));
        assert!(said([50, 98, 99]).contains("; from 20 nodes on it surely finds nine of ten"));
        assert!(said([50, 60, 90]).contains("none of these budgets"));
    }

    fn posed(game: &str, plies: (u32, u32), count: u64) -> Vec<Problem> {
        let game = tussle_catalog::game(game).unwrap();
        let pose = |i| {
            let stop = StopFlag::default();
            Problem::pose(game.as_ref(), plies, &mut Rng::derive(3, &[i]), &stop).unwrap()
        };
        (0..count).map(pose).collect()
    }

    #[test]
    fn who_searches_to_the_end_regrets_nothing() {
        for (game, plies) in [("tictactoe", (1, 6)), ("connect4:width=4,height=4", (7, 11))] {
            let problems = posed(game, plies, 20);
            for spec in ["alphabeta", "minimax", "mcts:solver=on"] {
                let stop = StopFlag::default();
                let lost = solve(game, spec, 50_000_000, &problems, Rng::new(1), &stop).unwrap();
                assert_eq!(lost, vec![0.0; 20], "{game} {spec}");
            }
            let lost = solve(game, "random", 1, &problems, Rng::new(1), &StopFlag::default());
            assert!(lost.unwrap().iter().sum::<f64>() > 2.0, "{game}");
        }
    }
}
