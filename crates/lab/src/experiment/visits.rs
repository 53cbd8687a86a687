//! What a search that samples knows of each move after a short while and after a longer one.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tussle_core::{Limits, Line, Report, SearchStats, SelectionStats, StopReason, Turn};
use tussle_explain::Heat;
use tussle_view::{Figure, Panel};

use super::Experiment;
use super::words::{grouped, list, percent, short};
use crate::{Bench, Finding, LabError, Table};

/// Moves whose visits differ by less than this share of them are tied: another seed would swap them.
const TIE: f64 = 0.05;

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
            sampled: Some(SelectionStats { mean: tried.mean, bonus: 0.0, prior: 0.0 }),
            ..Line::new(tried.mv.clone(), tried.mean.unwrap_or(0.0))
        };
        let lines = self.moves.iter().map(line).collect();
        Report::new(lines, SearchStats::default(), StopReason::Time, Duration::ZERO)
    }

    fn share(&self, visits: u64) -> f64 {
        let all: u64 = self.moves.iter().map(|tried| tried.visits).sum();
        visits as f64 / all.max(1) as f64
    }

    /// The most visited move, and those that are as good as tied with it.
    fn leaders(&self) -> Vec<String> {
        let most = self.moves.iter().map(|tried| tried.visits).max().unwrap_or(0);
        let near = |tried: &&Tried| (most - tried.visits) as f64 <= TIE * most as f64;
        self.moves.iter().filter(near).map(|tried| tried.mv.clone()).collect()
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
    let mut glances = Vec::new();
    for &(name, spec) in experiment.agents {
        for &seconds in plan.points {
            let seed = bench.seed;
            let key = format!(
                "glance {} {} {spec} {seconds} s seed {seed}",
                experiment.game,
                moves.join(" ")
            );
            let glance: Glance = bench.timed(&key, (1000.0 * seconds) as u64, name, |stop| {
                let mut agent = game.agent(spec, seed)?;
                let budget = Limits::none().or_stop(stop);
                let budget = budget.or_time(Duration::from_secs_f64(seconds));
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
            glances.push((seconds, glance));
        }
    }
    let reports: Vec<Report<String>> = glances.iter().map(|(_, glance)| glance.report()).collect();
    // More of the same is darker in every picture.
    let all: Vec<&Report<String>> = reports.iter().collect();
    let whose = whose(experiment.game, position.turn());
    let mut panels = Vec::new();
    for ((seconds, glance), report) in glances.iter().zip(&reports) {
        let rate = format!("{whose} win rate");
        for (heat, what) in [(Heat::Visits, "visits"), (Heat::WinRate, rate.as_str())] {
            panels.push(Panel::Board {
                caption: format!(
                    "{what} after {seconds} s ({} simulations)",
                    grouped(glance.simulations as f64)
                ),
                scene: heat.scene_beside(game.as_ref(), position.as_ref(), report, &all),
            });
        }
    }
    Ok(Finding {
        name: experiment.name.to_owned(),
        question: experiment.question.to_owned(),
        figure: Figure { title: title(experiment.game, moves), panels },
        table,
        reading: reading(&glances, &whose),
    })
}

fn title(game: &str, moves: &[&str]) -> String {
    match moves {
        [] => format!("The first move of {game}: visits and win rates"),
        moves => format!("{game} after {}: visits and win rates", moves.join(" ")),
    }
}

/// The player who is to move, as the owner of something.
fn whose(game: &str, turn: Turn) -> String {
    let is_go = game.split(':').next() == Some("go");
    match turn {
        Turn::Player(0) if is_go => "Black's".to_owned(),
        Turn::Player(_) if is_go => "White's".to_owned(),
        Turn::Player(0) => "the first player's".to_owned(),
        Turn::Player(1) => "the second player's".to_owned(),
        Turn::Player(index) => format!("player {}'s", index + 1),
        Turn::Chance | Turn::Over => "nobody's".to_owned(),
    }
}

fn reading(glances: &[(f64, Glance)], whose: &str) -> Vec<String> {
    let mut sentences = Vec::new();
    for (seconds, glance) in glances {
        let ([most, ..], Some(best)) = (&glance.moves[..], glance.best_mean()) else { continue };
        let same = if most.mv == best.mv {
            "the best of all".to_owned()
        } else {
            format!(
                "the best one is that of {}, {} in {} visits",
                best.mv,
                percent(best.mean.unwrap_or(0.0)),
                grouped(best.visits as f64)
            )
        };
        let leaders = glance.leaders();
        let tie = match leaders.len() {
            0 | 1 => String::new(),
            _ => format!(" (as good as tied: {})", list(&leaders)),
        };
        sentences.push(format!(
            "After {} s and {} simulations, {} has {} of the visits{tie}; {whose} win rate behind it is {}, {same}.",
            short(*seconds),
            grouped(glance.simulations as f64),
            most.mv,
            percent(glance.share(most.visits)),
            percent(most.mean.unwrap_or(0.0))
        ));
    }
    if let [(_, early), .., (_, late)] = glances
        && let Some(now) = late.moves.first()
    {
        let earlier = early.moves.iter().find(|tried| tried.mv == now.mv);
        let earlier = earlier.map_or(0.0, |tried| early.share(tried.visits));
        sentences.push(format!(
            "{}: the share of {} went from {} to {}. One run with one seed: another seed, or a slower machine, \
             gives other numbers. Moves within {} of the most visited one's visits count as tied.",
            change(&early.leaders(), &late.leaders()),
            now.mv,
            percent(earlier),
            percent(late.share(now.visits)),
            percent(TIE)
        ));
    }
    sentences
}

/// What more time did to the moves in front.
fn change(then: &[String], now: &[String]) -> String {
    match (then, now) {
        ([a], [b]) if a == b => format!("More time confirmed {b}"),
        (_, [b]) if then.contains(b) => format!("More time decided the tie for {b}"),
        (_, [b]) => format!("More time preferred {b} to {}", list(then)),
        _ => format!("More time left a tie of {}", list(now)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glance(visits: [u64; 3]) -> Glance {
        let moves = ["a", "b", "c"].into_iter().zip(visits);
        let tried = |(mv, visits): (&str, u64)| Tried { mv: mv.into(), visits, mean: Some(0.5) };
        Glance { simulations: visits.iter().sum(), moves: moves.map(tried).collect() }
    }

    #[test]
    fn a_hair_s_breadth_is_a_tie() {
        let (tied, clear) = (glance([155_670, 155_164, 90_000]), glance([100, 94, 3]));
        assert_eq!(tied.leaders(), ["a", "b"]);
        assert_eq!(clear.leaders(), ["a"]);
        let said = |then: &Glance, now: &Glance| change(&then.leaders(), &now.leaders());
        assert_eq!(said(&clear, &tied), "More time left a tie of a and b");
        assert_eq!(said(&tied, &clear), "More time decided the tie for a");
        assert_eq!(said(&clear, &clear), "More time confirmed a");
        assert_eq!(said(&clear, &glance([1, 1, 50])), "More time preferred c to a");
    }

    #[test]
    fn a_win_rate_belongs_to_who_is_to_move() {
        let said = reading(&[(1.0, glance([5, 3, 2]))], &whose("go:size=5", Turn::Player(1)));
        assert!(said[0].contains("White's win rate behind it is 50 %"), "{said:?}");
        assert_eq!(whose("connect4", Turn::Player(1)), "the second player's");
    }
}
