//! The tree of a search by simulations, as far as a page has opened it.
//!
//! A page asks for the tree after so many simulations: an agent that has made some of them makes the rest, and one
//! that was forgotten makes them all again.

use std::f64::consts::SQRT_2;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;
use tussle_catalog::{AnyAgent, AnyPosition, Catalog, Query, TreeFilter, TreeNode, parse_number};
use tussle_core::{Limits, Report, StopFlag, Turn};
use tussle_explain::TreeDocument;
use utoipa::ToSchema;

use super::players::{Player, Players};
use super::{Out, QueueNotice};
use crate::place::{Place, check_agent, check_values};
use crate::refusal::Refusal;
use crate::server::Shared;
use crate::slots::{Asker, Manner, Share, Slot};

/// Larger trees are no longer looked through by people.
const MOST_SIMULATIONS: u64 = 100_000;
/// Nodes that may be open at once.
const MOST_OPEN: usize = 400;
/// How far below the root a node may be.
const DEEPEST: usize = 200;

/// A part of the tree of a search.
#[derive(Deserialize, ToSchema)]
#[schema(as = Tree)]
#[serde(deny_unknown_fields)]
pub(crate) struct Explore {
    place: Place,
    /// Spec of an `mcts` agent.
    agent: String,
    /// Seed of everything random.
    #[serde(default)]
    seed: u64,
    /// Visits of the root.
    simulations: u64,
    /// The nodes whose children are wanted, each as the moves that lead to it.
    open: Vec<Vec<String>>,
}

/// The tree as far as it is open.
#[derive(Serialize, ToSchema)]
#[schema(as = Explored)]
pub(crate) struct OpenTree<'a> {
    tree: TreeDocument<'a>,
    /// Visits of the root.
    simulations: u64,
    /// Largest number of simulations that a page may ask for.
    most: u64,
    /// Exploration constant.
    c: f64,
    policy: &'a str,
    /// True if the search proves results.
    solver: bool,
}

/// Simulations made so far.
#[derive(Serialize, ToSchema)]
pub(crate) struct TreeProgress {
    simulations: u64,
}

impl Explore {
    /// Waits for a turn, simulates what is missing, tells.
    pub(super) async fn run(
        self: Box<Self>,
        shared: Arc<Shared>,
        share: Share,
        grown: Players,
        out: Out,
        stop: StopFlag,
    ) -> Result<(), Refusal> {
        let queued = || out.news("queued", &QueueNotice {});
        let (agent, flag, teller) = (self.agent.clone(), stop.clone(), out.clone());
        let (catalog, room) = (shared.options.catalog.clone(), shared.kept.clone());
        let limits = &shared.options.limits;
        let (memory, time, manner) = (limits.memory, Some(limits.time), Manner::Stops);
        let asker = Asker { shares: &[&share], agent: &agent, manner, time, stop: &stop };
        let work =
            move |_: &mut Slot| self.explore(&catalog, &grown, &teller, (memory, &room), &flag);
        let told = shared.slots.run(asker, queued, work).await?;
        out.send(told).await;
        Ok(())
    }

    fn explore(
        &self,
        catalog: &Catalog,
        grown: &Players,
        out: &Out,
        (memory, room): (usize, &Arc<Semaphore>),
        stop: &StopFlag,
    ) -> Result<String, Refusal> {
        if self.open.len() > MOST_OPEN {
            return Err(Refusal::wrong(format!("no more than {MOST_OPEN} nodes can be open")));
        }
        if self.open.iter().any(|path| path.len() > DEEPEST) {
            let why = format!("nodes more than {DEEPEST} moves below the root cannot be opened");
            return Err(Refusal::wrong(why));
        }
        check_agent(catalog, &self.agent)?;
        let searcher = Searcher::new(catalog, &self.agent)?;
        let name = format!("{:?} {} {}", self.place, searcher.spec, self.seed);
        let kept = grown.take(&name);
        let (game, mut agent, mut bytes) = if let Some((game, Player::Agent(agent), bytes)) = kept {
            (game, agent, bytes)
        } else {
            let game = self.place.rules(catalog)?;
            check_values(game.as_ref())?;
            game.agent(&self.agent, self.seed)?; // what is wrong is said in the page's own words
            let agent = game.agent(&searcher.spec, self.seed)?;
            (game, agent, 0)
        };
        let position = self.place.position(game.as_ref())?;
        match position.turn() {
            Turn::Player(_) => {}
            Turn::Chance => return Err(Refusal::wrong("chance is to move: roll first")),
            Turn::Over => return Err(Refusal::wrong("the game is over: there is no tree")),
        }
        let wanted = self.simulations.clamp(1, MOST_SIMULATIONS);
        let limits = Limits::memory(memory).or_stop(stop);
        let mut made = visits(agent.as_ref(), position.as_ref());
        while made < wanted && !(stop.is_stopped() && made > 0) {
            let before = made;
            let mut live = |report: &Report<String>| {
                out.news("progress", &TreeProgress { simulations: before + report.stats.nodes });
            };
            let limits = limits.clone().or_nodes(wanted - made);
            let query = Query { live: Some(&mut live), ..Query::new(&limits) };
            bytes = agent.analyse(position.as_ref(), query)?.stats.bytes;
            made = visits(agent.as_ref(), position.as_ref());
            if made <= before {
                break; // the memory is full, or all is proven
            }
        }
        let deepest = self.open.iter().map(Vec::len).max().unwrap_or(0);
        let wish = TreeFilter { max_depth: deepest as u32 + 1, min_visits: 1 };
        let Some(tree) = agent.tree(position.as_ref(), &wish) else {
            return Err(Refusal::wrong(format!("`{}` keeps no tree", self.agent)));
        };
        let open: Vec<&[String]> = self.open.iter().map(Vec::as_slice).collect();
        let tree = trim(tree, &open);
        let told = OpenTree {
            tree: TreeDocument::new(&tree).with_turns(game.as_ref(), position.as_ref()),
            simulations: made,
            most: MOST_SIMULATIONS,
            c: searcher.c,
            policy: &searcher.policy,
            solver: searcher.solver,
        };
        let told = out.text("done", &told)?;
        grown.put(name, (game, Player::Agent(agent)), bytes, room);
        Ok(told)
    }
}

/// What a spec of `mcts` says about how children are chosen.
struct Searcher {
    /// The spec with which a search goes on where the last one stopped.
    spec: String,
    c: f64,
    policy: String,
    solver: bool,
}

impl Searcher {
    fn new(catalog: &Catalog, agent: &str) -> Result<Self, Refusal> {
        let mut spec = catalog.expanded(agent)?;
        if spec.name != "mcts" {
            return Err(Refusal::wrong(format!(
                "`{agent}` keeps no tree of simulations; explore with mcts"
            )));
        }
        let c = spec.value("c").and_then(parse_number).unwrap_or(SQRT_2);
        let policy = spec.value("policy").unwrap_or("ucb1").to_owned();
        let solver = spec.value("solver") == Some("on");
        spec.pairs.retain(|(key, _)| key != "reuse" && key != "nodes");
        let pairs = spec.pairs.iter().map(|(key, value)| format!("{key}={value}"));
        let pairs: Vec<String> = std::iter::once("reuse=on".to_owned()).chain(pairs).collect();
        Ok(Self { spec: format!("mcts:{}", pairs.join(",")), c, policy, solver })
    }
}

/// How often the root was visited.
fn visits(agent: &dyn AnyAgent, position: &dyn AnyPosition) -> u64 {
    let root = agent.tree(position, &TreeFilter { max_depth: 0, min_visits: 1 });
    root.map_or(0, |root| root.visits)
}

/// Leaves out the children of nodes that are not open; they count as hidden then.
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
