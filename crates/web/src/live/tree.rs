//! Tree of an MCTS search, as far as a page has opened it.
//!
//! A page requests the tree after a number of simulations. If the agent is still in the cache, it runs only the missing
//! simulations; otherwise a new agent runs all of them.

use std::f64::consts::SQRT_2;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;
use tussle_catalog::{
    AnyAgent, AnyGame, AnyPosition, Catalog, Query, TreeFilter, TreeNode, parse_number,
};
use tussle_core::{Limits, Report, StopFlag, Turn};
use tussle_explain::TreeDocument;
use utoipa::ToSchema;

use super::players::{Player, PlayerCache};
use super::{CHANCE_IS_TO_MOVE, QueueNotice, TaskSender};
use crate::api_error::ApiError;
use crate::position_ref::{PositionRef, check_agent, check_values};
use crate::server::Shared;
use crate::slots::{Preemption, Share, Slot, SlotRequest};

/// Maximum number of simulations of a tree.
const MAX_SIMULATIONS: u64 = 100_000;
/// Maximum number of open nodes.
const MAX_OPEN_NODES: usize = 400;
/// Maximum depth of an open node.
const MAX_OPEN_DEPTH: usize = 200;

/// Request for a part of the tree of a search.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TreeRequest {
    place: PositionRef,
    /// Spec of an `mcts` agent.
    agent: String,
    /// Seed of all random choices.
    #[serde(default)]
    seed: u64,
    /// Number of simulations: visits of the root.
    simulations: u64,
    /// Open nodes, whose children are returned; each is given by the moves that lead to it.
    open: Vec<Vec<String>>,
}

/// Tree with the children of its open nodes.
#[derive(Serialize, ToSchema)]
pub(crate) struct OpenTree<'a> {
    tree: TreeDocument<'a>,
    /// Number of simulations: visits of the root.
    simulations: u64,
    /// Maximum number of simulations that a page may request.
    most: u64,
    /// Exploration constant.
    c: f64,
    policy: &'a str,
    /// True if the search proves results (MCTS-Solver).
    solver: bool,
}

/// Number of simulations so far.
#[derive(Serialize, ToSchema)]
pub(crate) struct TreeProgress {
    simulations: u64,
}

impl TreeRequest {
    /// Waits for a search slot, runs the missing simulations, and sends the tree.
    pub(super) async fn run(
        self: Box<Self>,
        shared: Arc<Shared>,
        share: Share,
        players: PlayerCache,
        out: TaskSender,
        stop: StopFlag,
    ) -> Result<(), ApiError> {
        let queued = || out.progress("queued", &QueueNotice {});
        let (agent, flag, sender) = (self.agent.clone(), stop.clone(), out.clone());
        let (catalog, kept) = (shared.options.catalog.clone(), shared.kept.clone());
        let limits = &shared.options.limits;
        let (memory, time, preemption) = (limits.memory, Some(limits.time), Preemption::Stop);
        let slot = SlotRequest { shares: &[&share], agent: &agent, preemption, time, stop: &stop };
        let work =
            move |_: &mut Slot| self.find_tree(&catalog, &players, &sender, (memory, &kept), &flag);
        let answer = shared.slots.run(slot, queued, work).await?;
        out.send(answer).await;
        Ok(())
    }

    /// Runs the missing simulations and returns the answer.
    fn find_tree(
        &self,
        catalog: &Catalog,
        players: &PlayerCache,
        out: &TaskSender,
        (memory, kept): (usize, &Arc<Semaphore>),
        stop: &StopFlag,
    ) -> Result<String, ApiError> {
        if self.open.len() > MAX_OPEN_NODES {
            let found = self.open.len();
            return Err(ApiError::bad_request(format!(
                "open: expected at most {MAX_OPEN_NODES} nodes, found {found}"
            )));
        }
        if self.open.iter().any(|path| path.len() > MAX_OPEN_DEPTH) {
            return Err(ApiError::bad_request(format!(
                "open: expected nodes at most {MAX_OPEN_DEPTH} moves below the root"
            )));
        }
        check_agent(catalog, &self.agent)?;
        let rules = self.place.rules(catalog)?;
        let settings = TreeSettings::new(rules.as_ref(), &self.agent)?;
        let name = format!("{:?} {} {}", self.place, settings.spec, self.seed);
        let cached = players.take(&name);
        let (game, mut agent, mut bytes) = if let Some((game, Player::Agent(agent), bytes)) = cached
        {
            (game, agent, bytes)
        } else {
            check_values(rules.as_ref())?;
            rules.agent(&self.agent, self.seed)?; // so that an error quotes the spec of the request
            let agent = rules.agent(&settings.spec, self.seed)?;
            (rules, agent, 0)
        };
        let position = self.place.position(game.as_ref())?;
        match position.turn() {
            Turn::Player(_) => {}
            Turn::Chance => return Err(ApiError::bad_request(CHANCE_IS_TO_MOVE)),
            Turn::Over => {
                return Err(ApiError::bad_request(
                    "the game is over in this position: there is nothing to search",
                ));
            }
        }
        let wanted = self.simulations.clamp(1, MAX_SIMULATIONS);
        let limits = Limits::memory(memory).or_stop(stop);
        let mut made = visits(agent.as_ref(), position.as_ref());
        while made < wanted && !(stop.is_stopped() && made > 0) {
            let before = made;
            let mut live = |report: &Report<String>| {
                out.progress(
                    "progress",
                    &TreeProgress { simulations: before + report.stats.nodes },
                );
            };
            let limits = limits.clone().or_nodes(wanted - made);
            let query = Query { live: Some(&mut live), ..Query::new(&limits) };
            bytes = agent.analyse(position.as_ref(), query)?.stats.bytes;
            made = visits(agent.as_ref(), position.as_ref());
            if made <= before {
                break; // the memory is full, or the root is proven
            }
        }
        let deepest = self.open.iter().map(Vec::len).max().unwrap_or(0);
        let filter = TreeFilter { max_depth: deepest as u32 + 1, min_visits: 1 };
        let Some(tree) = agent.tree(position.as_ref(), &filter) else {
            return Err(ApiError::bad_request(format!(
                "agent: `{}` has no search tree; use mcts",
                self.agent
            )));
        };
        let open: Vec<&[String]> = self.open.iter().map(Vec::as_slice).collect();
        let tree = trim(tree, &open);
        let answer = OpenTree {
            tree: TreeDocument::new(&tree).with_turns(game.as_ref(), position.as_ref()),
            simulations: made,
            most: MAX_SIMULATIONS,
            c: settings.c,
            policy: &settings.policy,
            solver: settings.solver,
        };
        let answer = out.text("done", &answer)?;
        players.put(name, (game, Player::Agent(agent)), bytes, kept);
        Ok(answer)
    }
}

/// Settings of an `mcts` spec that the tree explorer needs.
struct TreeSettings {
    /// Spec with tree reuse, so that each search continues the tree of the last one.
    spec: String,
    c: f64,
    policy: String,
    solver: bool,
}

impl TreeSettings {
    fn new(game: &dyn AnyGame, agent: &str) -> Result<Self, ApiError> {
        let mut spec = game.settled_agent(agent)?;
        if !matches!(spec.name.as_str(), "mcts" | "mcts-textbook") {
            return Err(ApiError::bad_request(format!(
                "agent: `{agent}` has no tree of simulations; use mcts"
            )));
        }
        let c = spec.value("c").and_then(parse_number).unwrap_or(SQRT_2);
        let policy = spec.value("policy").unwrap_or("ucb1").to_owned();
        let solver = spec.value("solver") == Some("on");
        spec.pairs.retain(|(key, _)| key != "reuse" && key != "nodes");
        let pairs = spec.pairs.iter().map(|(key, value)| format!("{key}={value}"));
        let pairs: Vec<String> = std::iter::once("reuse=on".to_owned()).chain(pairs).collect();
        Ok(Self { spec: format!("mcts-textbook:{}", pairs.join(",")), c, policy, solver })
    }
}

/// Returns the number of visits of the root.
fn visits(agent: &dyn AnyAgent, position: &dyn AnyPosition) -> u64 {
    let root = agent.tree(position, &TreeFilter { max_depth: 0, min_visits: 1 });
    root.map_or(0, |root| root.visits)
}

/// Removes the children of nodes that are not open, and counts them as hidden.
fn trim(mut node: TreeNode<String>, open: &[&[String]]) -> TreeNode<String> {
    let children = std::mem::take(&mut node.children);
    if !open.iter().any(|path| path.is_empty()) {
        node.hidden += children.len();
        return node;
    }
    let below = |child: &TreeNode<String>| -> Vec<&[String]> {
        let tails = open.iter().filter_map(|path| path.split_first());
        tails.filter(|(mv, _)| Some(*mv) == child.mv.as_ref()).map(|(_, rest)| rest).collect()
    };
    node.children = children
        .into_iter()
        .map(|child| {
            let open = below(&child);
            trim(child, &open)
        })
        .collect();
    node
}
