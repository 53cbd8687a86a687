//! Cost of searches by their depth.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tussle_catalog::{AnyGame, AnyPosition};
use tussle_core::{Limits, SearchStats};
use tussle_view::Figure;
use tussle_view::chart::{Axis, Point, Series};

use super::setup::{Player, StartSupport};
use super::swept::{Steps, Swept};
use super::{Context, Group, Kind, Setup};
use crate::Result;
use crate::figure::{lines, panel};
use crate::mean::Mean;
use crate::sentences::{about, game_words, list, percent, placed, several};
use crate::table::groups;

/// Maximum number of leaves that a search may be expected to visit.
const MAX_LEAVES_QUICK: f64 = 1e6;
const MAX_LEAVES_FULL: f64 = 2e7;
/// Factor by which a program may be expected to visit fewer nodes.
const PROGRAM_SLOWNESS: f64 = 50.0;
/// Maximum number of evaluations of a game that are compared without agents of the user's choice.
const MAX_EVALUATIONS: usize = 3;
/// Approximate number of leaves per millisecond.
const LEAVES_PER_MS: f64 = 2000.0;

/// Search of random positions to each depth, by every agent.
#[derive(Debug)]
pub(super) struct CostByDepth {
    pub(super) counter: Counter,
    pub(super) groups: &'static [Group],
}

/// Counter of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counter {
    Leaves,
    Evaluations,
    /// Children that were left out.
    Pruned,
    Nodes,
}

/// Counters of one search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Counts {
    leaves: u64,
    evaluations: u64,
    pruned: u64,
    nodes: u64,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Row {
    /// Title of the chart: the game, if there are several.
    group: String,
    agent: String,
    depth: f64,
    position: usize,
    #[serde(flatten)]
    counts: Counts,
}

impl Kind for CostByDepth {
    type Row = Row;

    fn groups(&self) -> &'static [Group] {
        self.groups
    }

    fn swept(&self) -> Swept {
        Swept { name: "depths in plies", steps: Steps::Whole(1) }
    }

    fn start(&self) -> StartSupport {
        StartSupport::Repeats
    }

    fn fallback(game: &dyn AnyGame) -> Vec<Player> {
        let searches = [
            ("minimax", "minimax:"),
            ("alpha-beta", "alphabeta-textbook:order=none,tt=off,window=full,dedupe=off,"),
            ("ordered", "alphabeta-textbook:tt=off,window=full,dedupe=off,"),
        ];
        let evaluations = game.evaluations().iter().take(MAX_EVALUATIONS);
        let players = evaluations.flat_map(|evaluation| {
            searches.map(|(name, spec)| Player {
                group: evaluation.name.to_owned(),
                ..Player::new(name, format!("{spec}eval={}", evaluation.name))
            })
        });
        players.collect()
    }

    fn adapt(&self, setup: &mut Setup) -> Result<()> {
        for game in setup.game.split(", ") {
            setup.expect_plies(setup.game_of(game)?.as_ref())?;
        }
        if self.counter != Counter::Nodes {
            let (what, fix) = (self.counter.words(), "use nodes-vs-depth");
            setup.expect_no_program(&format!("is a program, which reports no {what}; {fix}"))?;
        }
        Ok(())
    }

    fn measure(&self, setup: &Setup, context: &mut Context<'_>) -> Result<Vec<Row>> {
        let mut games = Vec::new();
        for spec in setup.game.split(", ") {
            let game = setup.game_of(spec)?;
            let positions = setup.random_positions(game.as_ref(), context.seed)?;
            games.push((spec, game, positions));
        }
        let most = if context.is_quick { MAX_LEAVES_QUICK } else { MAX_LEAVES_FULL };
        // The last depths take up to the maximum, each depth before them half of the next.
        let full = most / LEAVES_PER_MS / 6.0 * f64::from(setup.repeats);
        let weights: Vec<u64> = (0..setup.points.len())
            .rev()
            .map(|i| (full / 2_f64.powi(i as i32)) as u64 + 1)
            .collect();
        let total = weights.iter().sum::<u64>() * (setup.agents.len() * games.len()) as u64;
        context.begin(setup.name, total);
        let mut rows = Vec::new();
        for (spec, game, positions) in &games {
            for player in &setup.agents {
                let most = if player.is_program() { most / PROGRAM_SLOWNESS } else { most };
                let group = if games.len() == 1 { player.group.clone() } else { game_words(spec) };
                // Largest number of leaves at each depth so far.
                let mut leaves: Vec<f64> = Vec::new();
                for (&depth, &weight) in setup.points.iter().zip(&weights) {
                    // One ply more multiplies the leaves as the last one did.
                    if let [.., before, last] = leaves[..]
                        && last.powi(2) / before.max(1.0) > most
                    {
                        context.observer.done(weight, &player.name);
                        continue;
                    }
                    let share = weight / positions.len() as u64;
                    let mut largest = 0.0;
                    for (i, position) in positions.iter().enumerate() {
                        let position = position.as_ref();
                        let counts = counts(setup, context, game, position, player, depth, share)?;
                        // A program reports no leaves.
                        largest = f64::max(largest, counts.leaves.max(1) as f64);
                        if player.is_program() {
                            largest = f64::max(largest, counts.nodes as f64);
                        }
                        let (group, agent) = (group.clone(), player.name.clone());
                        rows.push(Row { group, agent, depth, position: i + 1, counts });
                    }
                    leaves.push(largest);
                    context.observer.done(weight - share * positions.len() as u64, &player.name);
                }
            }
        }
        Ok(rows)
    }

    fn figure(&self, setup: &Setup, rows: &[Row]) -> Result<Figure> {
        let [x, y] = setup.axes.each_ref().map(String::as_str);
        let chart = |(group, rows): (&str, Vec<&Row>)| {
            let mut series = self.counter.means(rows);
            let ideal = self.counter.ideal(&series);
            series.retain(|line| line.points.iter().any(|point| point.y.is_finite()));
            series.extend(ideal);
            let title = match self.counter {
                Counter::Pruned => "children left out at cuts",
                _ => group,
            };
            panel(title, Axis::linear(x), Axis::log(y), series)
        };
        let mut panels: Vec<_> =
            groups(rows, |row| row.group.as_str()).into_iter().map(chart).collect();
        if self.counter == Counter::Pruned {
            let agents = setup.agents.first().map_or("", |agent| &agent.name);
            let title = format!("leaves of {agents} that are not looked at");
            let y = Axis::linear("leaves saved (%)").showing(0.0..=100.0);
            panels.push(panel(title, Axis::linear(x), y, savings(rows)));
        }
        let (title, positions) = (self.counter.title(), position_count(rows));
        let title = match setup.game.split(", ").count() {
            1 => format!("{title} ({}, {positions})", game_words(&setup.game)),
            _ => format!("{title} ({positions} each)"),
        };
        Ok(Figure { title, panels })
    }

    fn sentences(&self, setup: &Setup, rows: &[Row]) -> Vec<String> {
        let mut said = Vec::new();
        let mut ideal = None;
        for (group, rows) in groups(rows, |row| row.group.as_str()) {
            let lines = self.counter.means(rows);
            said.extend(self.counter.deepest(group, &lines));
            said.extend(self.counter.factors(&lines));
            ideal = ideal.or_else(|| self.counter.ideal(&lines)?.points.last().copied());
        }
        if self.counter == Counter::Pruned {
            let last = |line: Series| {
                let point = line.points.last()?;
                Some(format!("{} {} at {} plies", line.name, percent(point.y / 100.0), point.x))
            };
            let saved: Vec<String> = savings(rows).into_iter().filter_map(last).collect();
            let all = setup.agents.first().map_or("", |agent| &agent.name);
            said.push(format!("Of the leaves of {all} they save: {}.", list(&saved)));
        }
        if let Some(Point { x, y, .. }) = ideal {
            said.push(format!(
                "With the best move first everywhere, alpha-beta would look at about {} leaves {x} plies deep: so says \
                 the formula of Knuth and Moore (1975) for a tree of that size.",
                about(y)
            ));
        }
        if self.counter == Counter::Nodes {
            said.push(
                "A factor is the geometric mean of what each ply multiplied the nodes by, over the last four plies, or the \
                 last two where there are no more: an even number, because odd and even plies differ."
                    .to_owned(),
            );
        }
        let positions = position_count(rows);
        said.push(format!("Geometric means over {positions}, with their 95 % intervals."));
        said
    }
}

fn counts(
    setup: &Setup,
    context: &mut Context<'_>,
    game: &Arc<dyn AnyGame>,
    position: &dyn AnyPosition,
    player: &Player,
    depth: f64,
    weight: u64,
) -> Result<Counts> {
    let (seed, spec) = (context.seed, &player.spec);
    let key = format!("count {} {} {spec} depth {depth} seed {seed}", game.spec(), position.text());
    context.measure(&key, weight, spec, |stop| {
        let limits = Limits::depth(depth as u32).or_stop(stop);
        let stats = setup.agent(game, spec, seed)?.choose(position, &limits)?.stats;
        let SearchStats { leaves, evaluations, pruned, nodes, .. } = stats;
        if player.is_program() && nodes == 0 {
            return Err(setup.unreported(player, "nodes"));
        }
        Ok(Counts { leaves, evaluations, pruned, nodes })
    })
}

/// Returns the number of positions that every group has.
fn position_count(rows: &[Row]) -> String {
    let groups = groups(rows, |row| &row.group);
    let counts = groups.iter().map(|(_, rows)| rows.iter().map(|row| row.position).max());
    several(counts.min().flatten().unwrap_or(0), "position", "positions")
}

fn by_depth<'a>(rows: &[&'a Row]) -> Vec<(f64, Vec<&'a Row>)> {
    groups(rows.iter().copied(), |row| row.depth)
}

/// Returns for each agent but the first, and each depth that both searched, the share of the first agent's leaves that
/// it saved, in per cent.
fn savings(rows: &[Row]) -> Vec<Series> {
    let agents = groups(rows, |row| row.agent.as_str());
    let [(_, all), others @ ..] = &agents[..] else { return Vec::new() };
    let share = |(all, other): (&&Row, &&Row)| {
        100.0 * (1.0 - other.counts.leaves as f64 / all.counts.leaves as f64)
    };
    let line = |(name, rows): &(&str, Vec<&Row>)| {
        let cells = by_depth(all).into_iter().zip(by_depth(rows));
        let points = cells.map(|((depth, all), (_, other))| {
            let shares: Vec<f64> = all.iter().zip(&other).map(share).collect();
            Mean::arithmetic(&shares).point(depth)
        });
        Series::line(*name, points.collect())
    };
    others.iter().map(line).collect()
}

/// Returns the points whose values are numbers, as (depth, value).
fn known(line: &Series) -> Vec<(f64, f64)> {
    let points = line.points.iter().filter(|point| point.y.is_finite());
    points.map(|point| (point.x, point.y)).collect()
}

/// Returns the factor by which one ply more multiplies the count: over four plies, because odd and even ones differ.
fn growth(line: &Series) -> Option<f64> {
    let known = known(line);
    let (depth, last) = *known.last()?;
    let (from, first) =
        *known.iter().find(|(d, _)| depth - d <= 4.0 && (depth - d) % 2.0 == 0.0)?;
    (from < depth).then(|| (last / first).powf((depth - from).recip()))
}

/// Returns the factors of the last ply to an odd depth and of the last one to an even depth.
fn last_steps(line: &Series) -> Option<(f64, f64)> {
    let known = known(line);
    let [.., (_, a), (depth, b), (_, c)] = known.as_slice() else { return None };
    let (before, last) = (b / a, c / b);
    Some(if depth % 2.0 == 1.0 { (before, last) } else { (last, before) })
}

impl Counter {
    fn of(self, counts: Counts) -> f64 {
        let count = match self {
            Self::Leaves => counts.leaves,
            Self::Evaluations => counts.evaluations,
            Self::Pruned => counts.pruned,
            Self::Nodes => counts.nodes,
        };
        count as f64
    }

    fn words(self) -> &'static str {
        match self {
            Self::Leaves => "leaves",
            Self::Evaluations => "evaluations",
            Self::Pruned => "children left out",
            Self::Nodes => "nodes",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Leaves => "Leaves of a search, by its depth",
            Self::Evaluations => "Evaluations of a search, by its depth",
            Self::Pruned => "Pruned children, by depth",
            Self::Nodes => "Nodes of a search, by its depth",
        }
    }

    /// Returns a line per agent: the geometric means over positions, which are NaN where all counts are 0.
    fn means(self, rows: Vec<&Row>) -> Vec<Series> {
        // The count is 0 where the game is over soon, and factors have no zero.
        let mean = |counts: &[f64]| {
            let counts: Vec<f64> = counts.iter().copied().filter(|count| *count > 0.0).collect();
            Mean::geometric(&counts)
        };
        lines(rows, |row| row.agent.as_str(), |row| row.depth, |row| self.of(row.counts), mean)
    }

    /// Returns the leaves of alpha-beta with the best move first everywhere, in a tree as large as minimax's that has
    /// the same number of moves at every node (Knuth and Moore, 1975).
    fn ideal(self, lines: &[Series]) -> Option<Series> {
        let minimax = lines.iter().find(|line| self == Self::Leaves && line.name == "minimax")?;
        let leaves = |point: &Point| {
            let (d, b) = (point.x, point.y.powf(point.x.recip()));
            Point::new(d, b.powf((d / 2.0).ceil()) + b.powf((d / 2.0).floor()) - 1.0)
        };
        Some(Series::line("with perfect order", minimax.points.iter().map(leaves).collect()))
    }

    /// Compares the counts at the deepest depth that all agents reached.
    fn deepest(self, group: &str, lines: &[Series]) -> Option<String> {
        let depth = lines.iter().map(|line| line.points.len()).min()?;
        let at = |line: &Series| line.points[depth - 1].y;
        let first = &lines[0];
        let count = |line: &Series| match at(first) {
            most if most.is_finite() && line.name != first.name => {
                format!("{} {} ({})", line.name, about(at(line)), percent(at(line) / most))
            }
            _ => format!("{} {}", line.name, about(at(line))),
        };
        let counts: Vec<String> =
            lines.iter().filter(|line| at(line).is_finite()).map(count).collect();
        let (plies, what) = (first.points[depth - 1].x, self.words());
        Some(placed(group, &format!("{plies} plies deep, {what}: {}.", list(&counts))))
    }

    /// Returns a sentence with the factors by which one more ply multiplies the count. For nodes, such a factor is the
    /// effective branching factor.
    fn factors(self, lines: &[Series]) -> Option<String> {
        let factor = |line: &Series| {
            let mut said = format!("{} {:.2}", line.name, growth(line)?);
            if let Some((odd, even)) = last_steps(line).filter(|_| self == Self::Nodes) {
                said += &format!(" (to an odd depth {odd:.2}, to an even one {even:.2})");
            }
            Some(said)
        };
        let factors: Vec<String> = lines.iter().filter_map(factor).collect();
        if factors.is_empty() {
            return None;
        }
        if self != Self::Nodes {
            return Some(format!("Each ply more multiplies them by: {}.", list(&factors)));
        }
        let mut said = format!("Effective branching factors: {}.", list(&factors));
        let minimax = lines.iter().find(|line| line.name == "minimax");
        if let Some(all) = minimax.and_then(growth) {
            said += &format!(
                " With the best move first everywhere it would be the root of minimax's, {:.2}.",
                all.sqrt()
            );
        }
        Some(said)
    }
}
