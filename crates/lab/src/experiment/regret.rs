//! Share of proven best moves that a search finds, by its budget.

use serde::Serialize;
use tussle_catalog::AnyGame;
use tussle_core::{Limits, Rng, StopFlag, Turn};
use tussle_engine::FreshAgents;
use tussle_stats::wilson_interval;
use tussle_view::Figure;
use tussle_view::chart::{Axis, Point};

use super::setup::StartSupport;
use super::swept::{Steps, Swept};
use super::{Context, Kind, Setup};
use crate::figure::{lines_of_points, ruled_panel};
use crate::mean::median;
use crate::measure::problem::{Posing, Problem, SOLVER};
use crate::sentences::{game_words, grouped, interval, list, percent, sentence};
use crate::table::groups;
use crate::{LabError, Result};

/// Number of problems of one measurement.
const BATCH: usize = 25;
/// Approximate time to find a problem, in milliseconds.
const POSING_MS: u64 = 10;
/// Limits of the search for problems in a game of the user's choice: number of random games that give the length of a game,
/// its maximum length, nodes to solve a position, and positions per problem.
const SAMPLED_GAMES: u64 = 21;
const MAX_LENGTH: u32 = 1000;
const MAX_SOLVER_NODES: u64 = 300_000;
const MAX_OWN_ATTEMPTS: u32 = 300;
/// Numbers of independent random streams: of the problems, and of the agents.
const PROBLEM_STREAM: u64 = 0;
const AGENT_STREAM: u64 = 1;

/// Moves of every agent in positions with proven values, with each number of nodes of the plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Regret {
    /// Title of the figure.
    pub(super) title: &'static str,
    /// Minimum and maximum number of random plies before a position.
    pub(super) plies: (u32, u32),
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Row {
    agent: String,
    nodes: f64,
    #[serde(rename = "share of best moves")]
    share: f64,
    #[serde(rename = "from")]
    low: f64,
    #[serde(rename = "to")]
    high: f64,
    #[serde(rename = "points lost a move")]
    lost: f64,
    problems: usize,
    /// Share of best moves among random moves.
    #[serde(skip)]
    chance: f64,
}

impl Row {
    fn new(agent: &str, nodes: f64, lost: &[f64], chance: f64) -> Self {
        let n = lost.len().max(1) as f64;
        let share = lost.iter().filter(|&&lost| lost == 0.0).count() as f64 / n;
        let (low, high) = wilson_interval(share, n);
        let (problems, lost) = (lost.len(), lost.iter().sum::<f64>() / n);
        let agent = agent.to_owned();
        Self { agent, nodes, share, low, high, lost, problems, chance }
    }

    fn text(&self) -> String {
        format!("{} ({})", percent(self.share), interval(self.low, self.high))
    }
}

impl Kind for Regret {
    type Row = Row;

    fn swept(&self) -> Swept {
        Swept { name: "nodes or simulations per move", steps: Steps::WholeFactors }
    }

    fn start(&self) -> StartSupport {
        StartSupport::RandomOnly
    }

    fn adapt(&self, setup: &mut Setup) -> Result<()> {
        let game = setup.game()?;
        setup.expect_two_players(game.as_ref())?;
        if game.agent(SOLVER, 1).is_err() {
            let why = "cannot be solved by alpha-beta; use a game of two opponents without chance";
            return Err(setup.unfit_game(game.as_ref(), why));
        }
        if setup.own.game {
            let words = sentence(&game_words(&setup.game));
            setup.title = Some(format!("{words}: how often a proven best move is picked"));
        }
        Ok(())
    }

    fn measure(&self, setup: &Setup, context: &mut Context<'_>) -> Result<Vec<Row>> {
        // A simulation takes a few times as long as a node.
        let weight = |nodes: f64| (nodes * 0.001 * BATCH as f64).ceil() as u64;
        let batches = (setup.repeats as usize).div_ceil(BATCH) as u64;
        let each: u64 = setup.points.iter().map(|&nodes| batches * weight(nodes)).sum();
        let all = each * setup.agents.len() as u64 + u64::from(setup.repeats) * POSING_MS;
        context.begin(setup.name, all);

        let posing = self.posing(setup)?;
        let problems = problems(setup, posing, context)?;
        let chance =
            problems.iter().map(Problem::chance).sum::<f64>() / problems.len().max(1) as f64;
        let (spec_of_game, seed, (from, to)) = (&setup.game, context.seed, posing.plies);
        let game = setup.game()?;
        let mut rows = Vec::new();
        for player in &setup.agents {
            let (agent, spec) = (player.name.as_str(), player.spec.as_str());
            for &nodes in &setup.points {
                let mut lost = Vec::new();
                for (i, batch) in problems.chunks(BATCH).enumerate() {
                    let key = format!(
                        "chosen {spec_of_game} {from}-{to} {spec} nodes {nodes} seed {seed} batch {i} of {}",
                        batch.len()
                    );
                    let found: Vec<f64> = context.measure(&key, weight(nodes), agent, |stop| {
                        let seeds = Rng::derive(seed, &[AGENT_STREAM, i as u64]);
                        let agents = setup.agents_of(&game, spec)?;
                        let limits = player.within_time(Limits::nodes(nodes as u64)).or_stop(stop);
                        solve(game.as_ref(), agents, &limits, batch, seeds)
                    })?;
                    lost.extend(found);
                }
                rows.push(Row::new(agent, nodes, &lost, chance));
            }
        }
        Ok(rows)
    }

    fn figure(&self, setup: &Setup, rows: &[Row]) -> Result<Figure> {
        let point = |row: &Row| Point::between(row.nodes, row.share, row.low, row.high);
        let chance = rows.first().map_or(f64::NAN, |row| row.chance);
        let [x, y] = setup.axes.each_ref().map(String::as_str);
        let axes = [Axis::log(x), Axis::linear(y).showing(0.3..=1.0)];
        let series = lines_of_points(rows, |row| row.agent.as_str(), point);
        let panel = ruled_panel("", axes, series, (chance, "random moves"));
        let title = setup.title.as_deref().unwrap_or(self.title).to_owned();
        Ok(Figure { title, panels: vec![panel] })
    }

    fn sentences(&self, _: &Setup, rows: &[Row]) -> Vec<String> {
        let mut sentences = Vec::new();
        sentences.extend(rows.first().map(|Row { problems, chance, .. }| {
            format!(
                "{problems} positions whose moves are not all equally good, each solved to its end; a random move is \
                 a best one in {} of them. Brackets are 95 % intervals.",
                percent(*chance)
            )
        }));
        let agents = groups(rows, |row| row.agent.as_str());
        sentences.extend(agents.iter().filter_map(|(agent, rows)| course(agent, rows)));
        sentences.extend(leader(rows));
        sentences
    }
}

impl Regret {
    /// Returns where problems are looked for: in the user's game in the second half of games, and only where a search
    /// of limited size solves them.
    fn posing(&self, setup: &Setup) -> Result<Posing> {
        if !setup.own.game {
            return Ok(Posing::exhaustive(self.plies));
        }
        let game = setup.game()?;
        let mut lengths: Vec<f64> = (0..SAMPLED_GAMES)
            .map(|i| {
                Ok(f64::from(random_length(game.as_ref(), &mut Rng::derive(SAMPLED_GAMES, &[i]))?))
            })
            .collect::<Result<_>>()?;
        let length = median(&mut lengths);
        let plies = ((length * 0.5) as u32, (length * 0.85) as u32);
        Ok(Posing { nodes: Some(MAX_SOLVER_NODES), attempts: MAX_OWN_ATTEMPTS, plies })
    }
}

/// Returns the problems of the context's seed.
fn problems(setup: &Setup, posing: Posing, context: &mut Context<'_>) -> Result<Vec<Problem>> {
    let game = setup.game()?;
    let (seed, (from, to)) = (context.seed, posing.plies);
    (0..setup.repeats)
        .map(|i| {
            let key = format!("posed {} {from}-{to} seed {seed} number {i}", setup.game);
            context.measure(&key, POSING_MS, "solving positions", |stop| {
                let mut rng = Rng::derive(seed, &[PROBLEM_STREAM, i.into()]);
                Problem::pose(game.as_ref(), posing, &mut rng, stop)
            })
        })
        .collect()
}

/// Returns the number of plies of a random game.
fn random_length(game: &dyn AnyGame, rng: &mut Rng) -> Result<u32> {
    let mut position = game.start();
    let mut plies = 0;
    while position.turn() != Turn::Over && plies < MAX_LENGTH {
        let moves = position.moves();
        position.play(&moves[rng.below(moves.len())])?;
        plies += 1;
    }
    Ok(plies)
}

/// Returns the points, from 0 to 1, that the agent's move in each problem gives away.
fn solve(
    game: &dyn AnyGame,
    mut agents: FreshAgents,
    limits: &Limits,
    problems: &[Problem],
    mut seeds: Rng,
) -> Result<Vec<f64>> {
    let mut lost = Vec::new();
    for problem in problems {
        if limits.stop.as_ref().is_some_and(StopFlag::is_stopped) {
            return Err(LabError::Stopped);
        }
        // A new agent does not have the tables of other problems.
        let agent = agents.fresh(seeds.next_u64())?;
        let report = agent.choose(problem.position(game)?.as_ref(), limits)?;
        lost.push(report.best().map_or(1.0, |mv| problem.regret(mv)));
    }
    Ok(lost)
}

/// Compares the least budget of an agent with its largest one.
fn course(agent: &str, rows: &[&Row]) -> Option<String> {
    let [first, .., last] = rows else { return None };
    if rows.iter().all(|row| row.share == first.share) {
        return Some(format!(
            "{agent} does not use its nodes: {} of its moves are best.",
            first.text()
        ));
    }
    let sure = rows.iter().rev().take_while(|row| row.low >= 0.9).last();
    let enough = sure.map_or_else(
        || "none of these budgets surely finds nine of ten".to_owned(),
        |row| {
            let nodes = grouped(row.nodes);
            // Larger budgets than the last one are unknown.
            let with = if row.nodes == last.nodes {
                format!("with {nodes}")
            } else {
                format!("from {nodes} nodes on")
            };
            format!("{with} it surely finds nine of ten")
        },
    );
    Some(format!(
        "{agent}: {} best moves with {} nodes, {} with {}; {enough}. It loses {:.2} points per move with \
         the smallest budget and {:.3} with the largest (a win is 1 point, a draw one half).",
        first.text(),
        grouped(first.nodes),
        last.text(),
        grouped(last.nodes),
        first.lost,
        last.lost
    ))
}

/// Names the agent that finds the most with the largest budget.
fn leader(rows: &[Row]) -> Option<String> {
    let agents = groups(rows, |row| row.agent.as_str());
    let lasts = || agents.iter().filter_map(|(_, rows)| rows.last().copied());
    let most = lasts().max_by(|a, b| a.share.total_cmp(&b.share))?;
    let near = lasts().filter(|row| row.agent != most.agent && row.high >= most.low);
    let near: Vec<String> = near.map(|row| row.agent.clone()).collect();
    let (best, nodes) = (&most.agent, grouped(most.nodes));
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
    use tussle_engine::{Guard, Programs};

    use super::*;
    use crate::experiment::own_tests::listed;

    #[test]
    fn the_sentences_do_not_go_beyond_the_last_budget() {
        let said = |shares: [usize; 3]| {
            let lost = |right: usize| (0..100).map(|i| f64::from(i >= right)).collect::<Vec<_>>();
            let row = |(nodes, right)| Row::new("a", nodes, &lost(right), 0.5);
            let rows: Vec<Row> = [10.0, 20.0, 30.0].into_iter().zip(shares).map(row).collect();
            let regret = Regret { title: "", plies: (0, 0) };
            regret.sentences(&listed("regret"), &rows).join(" ")
        };
        assert!(said([50, 60, 99]).contains("; with 30 it surely finds nine of ten"));
        assert!(said([50, 98, 99]).contains("; from 20 nodes on it surely finds nine of ten"));
        assert!(said([50, 60, 90]).contains("none of these budgets"));
    }

    fn posed(game: &str, plies: (u32, u32), count: u64) -> Vec<Problem> {
        let game = tussle_catalog::game(game).unwrap();
        let pose = |i| {
            let stop = StopFlag::default();
            let posing = Posing::exhaustive(plies);
            Problem::pose(game.as_ref(), posing, &mut Rng::derive(3, &[i]), &stop).unwrap()
        };
        (0..count).map(pose).collect()
    }

    #[test]
    fn an_exhaustive_search_has_no_regret() {
        for (game, plies) in [("tictactoe", (1, 6)), ("connect4:width=4,height=4", (7, 11))] {
            let problems = posed(game, plies, 20);
            let game = tussle_catalog::game(game).unwrap();
            let lost = |spec: &str, nodes| {
                let agents = Programs::new(Guard::none()).agents(&game, spec).unwrap();
                let limits = Limits::nodes(nodes);
                solve(game.as_ref(), agents, &limits, &problems, Rng::new(1)).unwrap()
            };
            for spec in ["alphabeta", "minimax", "mcts:solver=on"] {
                assert_eq!(lost(spec, 50_000_000), vec![0.0; 20], "{} {spec}", game.spec());
            }
            assert!(lost("random", 1).iter().sum::<f64>() > 2.0, "{}", game.spec());
        }
    }
}
