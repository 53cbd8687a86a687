//! Nodes that alpha-beta enters with and without knowing the value of the root.
//!
//! The tree is laid out in memory, its moves are sorted, and alpha-beta searches it both ways.

use serde::Serialize;
use tussle_catalog::{AGENTS, AnyGame, AnyPosition, Spec, parse_number};
use tussle_core::{Game, Limits, Payoffs, Rng, Turn, ZeroSum};
use tussle_search::{Agent, AlphaBeta, AlphaBetaOptions, MoveOrder};

/// Trees with more nodes than this are not laid out.
const MAX_NODES: usize = 1 << 20;
/// Plies to which a search without a limit looks ahead.
const MAX_PLIES: u32 = 2048;
/// Score of a win at once. Every ply before a win costs 1.
const WIN: f64 = 16_777_216.0;
/// Scores beyond this one are wins, which no evaluation is.
const BAND: f64 = 8_388_608.0;
/// Distance of the best result from the middle, in games of more than two players.
const SHARE: f64 = 1_048_576.0;

/// Nodes of two searches of one tree, the moves of which are in one order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct KnownValueNodes {
    /// Order of the moves at every node: `best` first, `worst` first, or `random`.
    pub order: &'static str,
    /// Nodes until a move with the known value is found.
    pub known: u64,
    /// Nodes of a full search.
    pub full: u64,
}

/// Counts the nodes that the value of the root saves an agent that was told it, for each order of
/// moves.
///
/// Returns nothing for an agent without `value=`, for a search on the clock, and for a tree too
/// large to be laid out, whose best moves are not known.
pub fn known_value_nodes(
    game: &dyn AnyGame,
    position: &dyn AnyPosition,
    agent: &str,
    budget: &Limits,
) -> Vec<KnownValueNodes> {
    count(game, position, agent, budget).unwrap_or_default()
}

fn count(
    game: &dyn AnyGame,
    position: &dyn AnyPosition,
    agent: &str,
    budget: &Limits,
) -> Option<Vec<KnownValueNodes>> {
    let spec = game.catalog().expanded(agent).ok()?;
    let number = |key| spec.value(key).and_then(parse_number);
    let (value, Turn::Player(root)) = (number("value")?, position.turn()) else { return None };
    if budget.is_timed() {
        return None;
    }
    let own_depth = spec.value("depth").and_then(|depth| depth.parse().ok());
    let mut layout = Layout {
        leaves: Leaves {
            root,
            payoffs: game.payoffs(),
            is_duel: game.is_zero_sum(),
            evaluation: evaluation(game, &spec)?,
            draw: number("draw").unwrap_or(0.0),
            eval_ends: spec.value("terminal") == Some("eval"),
        },
        is_distinct: spec.value("dedupe") != Some("off"),
        nodes: Vec::new(),
    };
    let depth = budget.depth.into_iter().chain(own_depth).min().unwrap_or(MAX_PLIES);
    layout.add(position.without_history().as_mut(), depth, 0)?;
    let enough = layout.leaves.at_least(movers(game, root, value));
    let mut tree = LaidOut(layout.nodes);
    let orders = ["best", "worst", "random"].into_iter();
    let count = orders.map(|order| {
        tree.sort(order);
        Some(KnownValueNodes {
            order,
            known: tree.alphabeta(Some(enough))?,
            full: tree.alphabeta(None)?,
        })
    });
    count.collect()
}

/// Returns a value in the unit of reports for the player to move.
fn movers(game: &dyn AnyGame, mover: usize, value: f64) -> f64 {
    let values = game.values(mover, &tussle_core::Line::new(String::new(), value));
    values.map_or(value, |values| values[mover])
}

/// Returns the spec of the evaluation that the spec of an agent chooses.
fn evaluation(game: &dyn AnyGame, spec: &Spec) -> Option<String> {
    let info = AGENTS.iter().find(|info| info.name == spec.name)?;
    let default = game.evaluations().first().map_or("", |evaluation| evaluation.name);
    let mut text = spec.value("eval").unwrap_or(default).to_owned();
    let is_agents = |key: &str| info.params.iter().any(|param| param.key == key);
    let own = spec.pairs.iter().filter(|(key, _)| !is_agents(key));
    for (i, (key, value)) in own.enumerate() {
        let key = key.strip_prefix("eval.").unwrap_or(key);
        text += &format!("{}{key}={value}", if i == 0 { ':' } else { ',' });
    }
    Some(text)
}

/// Scores of leaves for the root player, as alpha-beta compares them.
struct Leaves {
    root: usize,
    payoffs: Payoffs,
    /// True if two players have opposite interests.
    is_duel: bool,
    evaluation: String,
    draw: f64,
    eval_ends: bool,
}

impl Leaves {
    fn end(&self, position: &dyn AnyPosition, ply: u32) -> Option<f64> {
        let utilities = position.utilities().filter(|_| !self.eval_ends);
        let Some(utility) = utilities.map(|utilities| utilities[self.root]) else {
            return self.horizon(position);
        };
        Some(match utility {
            _ if self.payoffs.points || !self.is_duel => self.share(utility),
            x if x > 0.0 => WIN - f64::from(ply),
            x if x < 0.0 => f64::from(ply) - WIN,
            _ => self.draw,
        })
    }

    fn horizon(&self, position: &dyn AnyPosition) -> Option<f64> {
        let value = position.evaluate(&self.evaluation, self.root).ok()?;
        let most = if self.is_duel { BAND } else { SHARE };
        Some(if self.payoffs.points { value } else { value.clamp(-most, most) })
    }

    /// Returns the score of an amount, or of a result in a game of more than two players.
    fn share(&self, utility: f64) -> f64 {
        let Payoffs { least, most, points, .. } = self.payoffs;
        if points {
            return utility;
        }
        let reach = ((most - least) / 2.0).min(1.0);
        ((utility - f64::midpoint(least, most)) * SHARE / reach).round()
    }

    /// Returns the least score that is worth this much.
    fn at_least(&self, value: f64) -> f64 {
        let Payoffs { least, most, points, .. } = self.payoffs;
        match value {
            _ if points || !self.is_duel => self.share(value),
            _ if value == self.draw => value,
            _ if value >= most => BAND.next_up(),
            _ if value <= least => -WIN,
            _ => value,
        }
    }
}

/// A tree that is being laid out.
struct Layout {
    leaves: Leaves,
    is_distinct: bool,
    nodes: Vec<Node>,
}

/// A node of a tree laid out in memory.
struct Node {
    /// Score for the root player.
    score: f64,
    /// True if the root player moves here.
    is_ours: bool,
    children: Vec<u32>,
}

impl Layout {
    /// Adds a position and everything below it; `None` if that is too much.
    fn add(&mut self, position: &mut dyn AnyPosition, depth: u32, ply: u32) -> Option<u32> {
        let id = self.nodes.len();
        if id >= MAX_NODES {
            return None;
        }
        let turn = position.turn();
        let is_ours = turn == Turn::Player(self.leaves.root);
        self.nodes.push(Node { score: f64::NAN, is_ours, children: Vec::new() });
        if !matches!(turn, Turn::Player(_)) {
            self.nodes[id].score = self.leaves.end(position, ply)?;
            return Some(id as u32);
        }
        if depth == 0 {
            self.nodes[id].score = self.leaves.horizon(position)?;
            return Some(id as u32);
        }
        let moves = if self.is_distinct { position.distinct_moves() } else { position.moves() };
        for mv in moves {
            position.play(&mv).ok()?;
            let child = self.add(position, depth - 1, ply + 1);
            position.undo();
            let child = child?;
            let score = self.nodes[child as usize].score;
            let node = &mut self.nodes[id];
            node.children.push(child);
            node.score = if is_ours { node.score.max(score) } else { node.score.min(score) };
        }
        Some(id as u32)
    }
}

/// The game of walking down a tree that was laid out. The root player is the first player.
struct LaidOut(Vec<Node>);

impl LaidOut {
    fn sort(&mut self, order: &str) {
        let mut rng = Rng::new(1);
        for i in 0..self.0.len() {
            let mut children = std::mem::take(&mut self.0[i].children);
            let worth = |&child: &u32| {
                let score = self.0[child as usize].score;
                if self.0[i].is_ours { score } else { -score }
            };
            match order {
                "best" => children.sort_by(|a, b| worth(b).total_cmp(&worth(a))),
                "worst" => children.sort_by(|a, b| worth(a).total_cmp(&worth(b))),
                _ => rng.shuffle(&mut children),
            }
            self.0[i].children = children;
        }
    }

    /// Returns the nodes that alpha-beta enters.
    fn alphabeta(&self, known_value: Option<f64>) -> Option<u64> {
        let order = MoveOrder::AsListed;
        let options = AlphaBetaOptions { order, known_value, ..AlphaBetaOptions::default() };
        let mut search = AlphaBeta::new(options, tussle_core::NoEvaluation);
        let report = search.search(self, &self.start(), &Limits::none()).ok()?;
        Some(report.stats.nodes)
    }
}

impl Game for LaidOut {
    type State = u32;
    type Move = u32;

    fn start(&self) -> u32 {
        0
    }

    fn turn(&self, &node: &u32) -> Turn {
        match &self.0[node as usize] {
            node if node.children.is_empty() => Turn::Over,
            node => Turn::Player(usize::from(!node.is_ours)),
        }
    }

    fn moves(&self, &node: &u32, out: &mut Vec<u32>) {
        out.extend(&self.0[node as usize].children);
    }

    fn play(&self, node: &mut u32, child: u32) {
        *node = child;
    }

    fn utility(&self, &node: &u32, player: usize) -> f64 {
        let score = self.0[node as usize].score;
        if player == 0 { score } else { -score }
    }

    fn payoffs(&self) -> Payoffs {
        Payoffs { least: f64::NEG_INFINITY, most: f64::INFINITY, sum: 0.0, points: true }
    }
}

impl ZeroSum for LaidOut {}
