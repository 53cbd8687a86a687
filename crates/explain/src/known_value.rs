//! Number of nodes that alpha-beta enters with and without a known value of the root.
//!
//! The tree is built in memory, its moves are sorted, and alpha-beta searches it with and without the value.

use serde::Serialize;
use tussle_catalog::{AnyAgent, AnyGame, AnyPosition, ScoreNode, ScoreTree};
use tussle_core::{Game, Limits, Payoffs, Rng, Turn, ZeroSum};
use tussle_search::{Agent, AlphaBeta, AlphaBetaOptions, MoveOrder, Query};

/// Maximum number of nodes of the tree in memory.
const MAX_NODES: usize = 1 << 20;

/// Node counts of two searches of the same tree with the same order of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct KnownValueNodes {
    /// Order of the moves at every node: `best` first, `worst` first, or `random`.
    pub order: &'static str,
    /// Number of nodes until a move with the known value is found.
    pub known: u64,
    /// Number of nodes of a full search.
    pub full: u64,
}

/// Counts the nodes that a known value of the root saves an agent, for each order of moves.
///
/// Returns an empty list for an agent without `value=`, for a search with a time limit, and for a tree that is too
/// large for memory.
pub fn known_value_nodes(
    game: &dyn AnyGame,
    position: &dyn AnyPosition,
    agent: &str,
    limits: &Limits,
) -> Vec<KnownValueNodes> {
    let counts = game.agent(agent, 1).ok().and_then(|agent| count(&*agent, position, limits));
    counts.unwrap_or_default()
}

/// Counts the nodes for an agent; `None` where [`known_value_nodes`] returns nothing.
pub(crate) fn count(
    agent: &dyn AnyAgent,
    position: &dyn AnyPosition,
    limits: &Limits,
) -> Option<Vec<KnownValueNodes>> {
    if limits.is_timed() {
        return None;
    }
    let ScoreTree { nodes, known } = agent.known_value_tree(position, limits, MAX_NODES)?;
    let mut tree = LaidOut(nodes);
    let orders = ["best", "worst", "random"].into_iter();
    let count = orders.map(|order| {
        tree.sort(order);
        Some(KnownValueNodes { order, known: tree.alphabeta(known)?, full: tree.alphabeta(None)? })
    });
    count.collect()
}

/// The game of walking down a tree that was laid out. The root player is the first player.
struct LaidOut(Vec<ScoreNode>);

impl LaidOut {
    fn sort(&mut self, order: &str) {
        let mut rng = Rng::new(1);
        for i in 0..self.0.len() {
            let mut children = std::mem::take(&mut self.0[i].children);
            let worth = |&child: &u32| {
                let score = self.0[child as usize].score;
                if self.0[i].is_root_players { score } else { -score }
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
        let options = AlphaBetaOptions { order, ..AlphaBetaOptions::default() };
        let mut search = AlphaBeta::new(options, tussle_core::NoEvaluation);
        let query = Query { known_value, ..Query::new(&Limits::none()) };
        let report = search.run(self, &self.start(), query).ok()?;
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
            node => Turn::Player(usize::from(!node.is_root_players)),
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
        Payoffs { least: f64::MIN, most: f64::MAX, sum: 0.0, points: true }
    }
}

impl ZeroSum for LaidOut {}
