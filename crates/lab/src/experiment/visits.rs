//! What a search that samples knows of each move after a short while and after a longer one.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tussle_core::{Budget, Line, Report, Sampled, Stats, Stopped};
use tussle_view::{Figure, Panel};

use super::Experiment;
use super::contest::brief;
use super::points::{grouped, percent};
use crate::{Bench, Finding, Heat, LabError, Table};

/// What a search knew when its time was over.
#[derive(Debug, Serialize, Deserialize)]
struct Glance {
    simulations: u64,
    /// The best first.
    moves: Vec<Tried>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Tried {
    mv: String,
    visits: u64,
    mean: Option<f64>,
}

impl Glance {
    fn of(report: &Report<String>) -> Self {
        let tried = |line: &Line<String>| Tried {
            mv: line.mv.clone(),
            visits: line.visits,
            mean: line.sampled.and_then(|sampled| sampled.mean),
        };
        Self { simulations: report.stats.nodes, moves: report.lines.iter().map(tried).collect() }
    }

    /// As much of the report as a picture needs.
    fn report(&self) -> Report<String> {
        let line = |tried: &Tried| Line {
            visits: tried.visits,
            sampled: Some(Sampled { mean: tried.mean, bonus: 0.0, prior: 0.0 }),
            ..Line::new(tried.mv.clone(), tried.mean.unwrap_or(0.0))
        };
        let lines = self.moves.iter().map(line).collect();
        Report::new(lines, Stats::default(), Stopped::Time, Duration::ZERO)
    }

    fn share(&self, visits: u64) -> f64 {
        let all: u64 = self.moves.iter().map(|tried| tried.visits).sum();
        visits as f64 / all.max(1) as f64
    }

    /// The move whose simulations went best.
    fn best_mean(&self) -> Option<&Tried> {
        let tried = self.moves.iter().filter(|tried| tried.mean.is_some());
        tried.max_by(|a, b| a.mean.unwrap_or(0.0).total_cmp(&b.mean.unwrap_or(0.0)))
    }
}

/// Searches the position after these moves for each time of the plan, in seconds.
pub(super) fn run(
    experiment: &Experiment,
    moves: &[&str],
    bench: &mut Bench<'_>,
) -> Result<Finding, LabError> {
    let plan = experiment.plan(bench);
    let game = tussle_catalog::game(experiment.game)?;
    let mut position = game.start();
    for mv in moves {
        position.play(mv)?;
    }
    let total: f64 = plan.points.iter().sum();
    bench.begin(experiment.name, (1000.0 * total * experiment.agents.len() as f64) as u64);
    let mut table =
        Table::new(["agent", "seconds", "move", "visits", "share of visits", "win rate"]);
    let (mut panels, mut glances) = (Vec::new(), Vec::new());
    for &(name, spec) in experiment.agents {
        for &seconds in plan.points {
            let seed = bench.seed;
            let key = format!(
                "glance {} {} {spec} {seconds} s seed {seed}",
                experiment.game,
                moves.join(" ")
            );
            let glance: Glance = bench.measure(&key, (1000.0 * seconds) as u64, name, |stop| {
                let mut agent = game.agent(spec, seed)?;
                let budget = Budget::unlimited().stop_flag(stop.clone());
                let budget = budget.time(Duration::from_secs_f64(seconds));
                Ok(Glance::of(&agent.choose(position.as_ref(), &budget)?))
            })?;
            for tried in &glance.moves {
                table.add(vec![
                    name.into(),
                    seconds.into(),
                    tried.mv.clone().into(),
                    tried.visits.into(),
                    glance.share(tried.visits).into(),
                    tried.mean.into(),
                ]);
            }
            let report = glance.report();
            for (heat, what) in [(Heat::Visits, "visits"), (Heat::Mean, "win rate")] {
                panels.push(Panel::Board {
                    caption: format!(
                        "{what} after {seconds} s ({} simulations)",
                        grouped(glance.simulations as f64)
                    ),
                    scene: heat.scene(game.as_ref(), position.as_ref(), &report),
                });
            }
            glances.push((seconds, glance));
        }
    }
    Ok(Finding {
        name: experiment.name.to_owned(),
        question: experiment.question.to_owned(),
        figure: Figure { title: title(experiment.game, moves), panels },
        table,
        reading: reading(&glances),
    })
}

fn title(game: &str, moves: &[&str]) -> String {
    match moves {
        [] => format!("The first move of {game}: visits and win rates"),
        moves => format!("{game} after {}: visits and win rates", moves.join(" ")),
    }
}

fn reading(glances: &[(f64, Glance)]) -> Vec<String> {
    let mut sentences = Vec::new();
    for (seconds, glance) in glances {
        let ([most, ..], Some(best)) = (&glance.moves[..], glance.best_mean()) else { continue };
        let same = if most.mv == best.mv {
            "it has the best win rate, too".to_owned()
        } else {
            format!(
                "the best win rate is that of {}, {} in {} visits",
                best.mv,
                percent(best.mean.unwrap_or(0.0)),
                grouped(best.visits as f64)
            )
        };
        sentences.push(format!(
            "After {} s and {} simulations, {} has {} of the visits and won {} of its simulations; {same}.",
            brief(*seconds),
            grouped(glance.simulations as f64),
            most.mv,
            percent(glance.share(most.visits)),
            percent(most.mean.unwrap_or(0.0))
        ));
    }
    if let [(_, early), .., (_, late)] = glances
        && let (Some(then), Some(now)) = (early.moves.first(), late.moves.first())
    {
        let before = late.share(now.visits);
        let earlier = early.moves.iter().find(|tried| tried.mv == now.mv);
        let earlier = earlier.map_or(0.0, |tried| early.share(tried.visits));
        let verdict = if then.mv == now.mv {
            format!("More time confirmed {}", now.mv)
        } else {
            format!("More time preferred {} to {}", now.mv, then.mv)
        };
        sentences.push(format!(
            "{verdict}: its share of the visits went from {} to {}. One run with one seed: another seed, or a \
             slower machine, gives other numbers.",
            percent(earlier),
            percent(before)
        ));
    }
    sentences
}
