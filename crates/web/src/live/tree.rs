//! The tree of a search by simulations, as far as a page has opened it.
//!
//! A page asks for the tree after so many simulations: an agent that has made some of them makes the rest, and one
//! that was forgotten makes them all again.

use std::f64::consts::SQRT_2;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};
use tussle_catalog::{AnyAgent, AnyPosition, PRESETS, Query, Spec, TreeNode, TreeWish, turns};
use tussle_core::{Budget, Report, StopFlag, Turn};
use tussle_lab::tree_document;

use super::Out;
use super::search::Agents;
use crate::explain::in_time;
use crate::place::{Place, check_agent};
use crate::refusal::Refusal;
use crate::server::Shared;

/// Larger trees are no longer looked through by people.
const MOST_SIMULATIONS: u64 = 100_000;
/// Nodes that may be open at once.
const MOST_OPEN: usize = 400;

/// Which tree, and what of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Explore {
    place: Place,
    agent: String,
    #[serde(default)]
    seed: u64,
    /// The visits of the root.
    simulations: u64,
    /// The nodes whose children are wanted, each as the moves that lead to it.
    open: Vec<Vec<String>>,
}

impl Explore {
    /// Waits for a turn, simulates what is missing, tells.
    pub(super) async fn run(
        self: Box<Self>,
        shared: Arc<Shared>,
        agents: Agents,
        out: Out,
        stop: StopFlag,
    ) -> Result<(), Refusal> {
        let permit = shared.searches.clone().acquire_owned().await;
        let permit = permit.map_err(|_| Refusal::busy("the server is ending"))?;
        let limits = shared.options.limits.clone();
        let flag = stop.clone();
        let work = crate::api::apart(move || {
            let told = self.explore(&agents, &out, limits.memory, &flag);
            drop(permit);
            out.answer("done", told?);
            Ok(())
        });
        in_time(limits.time, &stop, work).await
    }

    fn explore(
        &self,
        agents: &Agents,
        out: &Out,
        memory: usize,
        stop: &StopFlag,
    ) -> Result<Value, Refusal> {
        let (game, position) = self.place.open()?;
        match position.turn() {
            Turn::Player(_) => {}
            Turn::Chance => return Err(Refusal::wrong("chance is to move: roll first")),
            Turn::Over => return Err(Refusal::wrong("the game is over: there is no tree")),
        }
        if self.open.len() > MOST_OPEN {
            return Err(Refusal::wrong(format!("no more than {MOST_OPEN} nodes can be open")));
        }
        check_agent(&self.agent)?;
        game.agent(&self.agent, self.seed)?; // what is wrong is said in the page's own words
        let searcher = Searcher::new(&self.agent)?;
        let name = format!(
            "{} {:?} {:?} {} {} tree",
            game.spec(),
            self.place.text,
            position.text(),
            searcher.spec,
            self.seed
        );
        let mut agent = match agents.take(&name) {
            Some(agent) => agent,
            None => game.agent(&searcher.spec, self.seed)?,
        };
        let wanted = self.simulations.clamp(1, MOST_SIMULATIONS);
        let budget = Budget::unlimited().memory(memory).stop_flag(stop.clone());
        let mut made = visits(agent.as_ref(), position.as_ref());
        while made < wanted && !(stop.is_stopped() && made > 0) {
            let before = made;
            let mut live = |report: &Report<String>| {
                out.news("progress", json!({ "simulations": before + report.stats.nodes }));
            };
            let budget = budget.clone().nodes(wanted - made);
            let query = Query { budget, lines: 1, live: Some(&mut live), events: None };
            agent.analyse(position.as_ref(), query)?;
            made = visits(agent.as_ref(), position.as_ref());
            if made <= before {
                break; // the memory is full, or all is proven
            }
        }
        let deepest = self.open.iter().map(Vec::len).max().unwrap_or(0);
        let wish = TreeWish { depth: deepest as u32 + 1, visits: 1 };
        let Some(tree) = agent.tree(position.as_ref(), &wish) else {
            return Err(Refusal::wrong(format!("`{}` keeps no tree", self.agent)));
        };
        agents.put(name, agent);
        let open: Vec<&[String]> = self.open.iter().map(Vec::as_slice).collect();
        let tree = trim(tree, &open);
        let mut document = serde_json::to_value(tree_document(&tree)).map_err(Refusal::failed)?;
        let mut at = position.boxed();
        add_turns(&mut document, at.as_mut(), game.players());
        Ok(json!({
            "tree": document,
            "simulations": made,
            "most": MOST_SIMULATIONS,
            "c": searcher.c,
            "policy": searcher.policy,
            "solver": searcher.solver,
        }))
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
    fn new(agent: &str) -> Result<Self, Refusal> {
        let mut spec = Spec::parse(agent)?;
        while let Some(preset) = PRESETS.iter().find(|preset| preset.name == spec.name) {
            // What is given comes first: it is what `value` finds.
            let preset = Spec::parse(preset.spec)?;
            spec.name = preset.name;
            let given = |key: &str| spec.pairs.iter().any(|(known, _)| known == key);
            let more: Vec<_> = preset.pairs.into_iter().filter(|(key, _)| !given(key)).collect();
            spec.pairs.extend(more);
        }
        if spec.name != "mcts" {
            return Err(Refusal::wrong(format!(
                "`{agent}` keeps no tree of simulations; explore with mcts"
            )));
        }
        let c = spec.value("c").and_then(|c| c.parse().ok()).unwrap_or(SQRT_2);
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
    let root = agent.tree(position, &TreeWish { depth: 0, visits: 1 });
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

/// Says at every node whose turn it is there: chance weighs nothing.
fn add_turns(node: &mut Value, at: &mut dyn AnyPosition, players: usize) {
    node["turn"] = json!(turns::turn(players, at.turn()));
    for child in node["children"].as_array_mut().into_iter().flatten() {
        let mv = child["move"].as_str().unwrap_or_default().to_owned();
        if at.play(&mv).is_ok() {
            add_turns(child, at, players);
            at.undo();
        }
    }
}
