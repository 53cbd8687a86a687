//! Computation of published numbers without random influence: traces, counts, formulas, games of deterministic agents.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use serde::Deserialize;
use tussle_catalog::recording::Step;
use tussle_catalog::{AnyGame, AnyPosition, game_from_text, turns};
use tussle_core::format::decimal;
use tussle_core::{Limits, Line, Turn, Value};
use tussle_explain::{Explanation, explain};

use crate::Result;

const TREE: &str = include_str!("../../../../examples/trees/lecture-alphabeta.json");
const ROLLOUTS: &str = include_str!("../../../../examples/trees/lecture-mcts.json");
const EXERCISE: &str = include_str!("../../../../examples/trees/ucb1-exercise.json");

/// Computation of numbers.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Numbers {
    Alphabeta,
    Gobblet,
    Mcts,
    Minimax,
    Tictactoe,
    Ucb1,
}

/// Names and values.
type Values = Vec<(String, String)>;

impl Numbers {
    /// Computes the numbers, with the names of the published ones.
    pub(super) fn compute(self) -> Result<Values> {
        match self {
            Self::Alphabeta => alphabeta(),
            Self::Gobblet => gobblet(),
            Self::Mcts => mcts(),
            Self::Minimax => minimax(),
            Self::Tictactoe => tictactoe(),
            Self::Ucb1 => ucb1(),
        }
    }
}

fn named(name: impl Into<String>, value: impl Into<String>) -> (String, String) {
    (name.into(), value.into())
}

fn explanation(tree: &str, agent: &str, limits: &Limits) -> Result<Explanation> {
    let game = game_from_text("tree", "file", tree)?;
    Ok(explain(game.as_ref(), game.start().as_ref(), agent, limits, 1)?)
}

fn node_name(explained: &Explanation, node: usize) -> &str {
    &explained.tree.nodes()[node].name
}

/// Returns the value of every inner node that was searched, by name.
fn inner_values(explained: &Explanation) -> BTreeMap<&str, f64> {
    let value = |step: &Step| match step {
        Step::Leave { node, values } if !explained.tree.nodes()[*node].children.is_empty() => {
            Some((explained.tree.nodes()[*node].name.as_str(), values[0].number()))
        }
        _ => None,
    };
    explained.steps.iter().filter_map(value).collect()
}

fn value_of(values: &BTreeMap<&str, f64>, node: &str) -> String {
    values.get(node).map_or("none".to_owned(), f64::to_string)
}

/// Returns the nodes in the order in which they were entered.
fn entered_nodes(explained: &Explanation) -> Vec<&str> {
    let entered = explained.steps.iter().filter_map(|step| match step {
        Step::Enter { node, .. } => Some(node_name(explained, *node)),
        _ => None,
    });
    entered.collect()
}

fn search_counts(explained: &Explanation) -> String {
    let stats = &explained.report.stats;
    format!("{} nodes, {} leaves, {} cut-offs", stats.nodes, stats.leaves, stats.cutoffs)
}

/// Searches the lecture's tree by minimax.
fn minimax() -> Result<Values> {
    let explained = explanation(TREE, "minimax", &Limits::none())?;
    let found = inner_values(&explained);
    let mut values: Values = ["D", "E", "F", "G", "B", "C", "A"]
        .map(|node| named(format!("value of {node}"), value_of(&found, node)))
        .into();
    let line = explained.report.lines.first().map_or(String::new(), |line| line.pv.join(" "));
    values.push(named("best line", format!("A {line}")));
    Ok(values)
}

/// Searches the same tree by alpha-beta, from both sides.
fn alphabeta() -> Result<Values> {
    let explained = explained_alphabeta(TREE)?;
    let window = |alpha: Value, beta: Value| {
        format!("({}, {})", decimal(alpha.number(), 4), decimal(beta.number(), 4))
    };
    let entered = |name: &str| {
        let found = explained.steps.iter().find_map(|step| match step {
            Step::Enter { node, alpha, beta } if node_name(&explained, *node) == name => {
                Some((*alpha, *beta))
            }
            _ => None,
        });
        found.map_or("not entered".to_owned(), |(alpha, beta)| window(alpha, beta))
    };
    let pruned = |name: &str| {
        let found = explained.steps.iter().find_map(|step| match step {
            Step::Cut { node, skipped, .. } if node_name(&explained, *node) == name => {
                let names: Vec<&str> =
                    skipped.iter().map(|&child| node_name(&explained, child)).collect();
                Some(names.join(" "))
            }
            _ => None,
        });
        found.unwrap_or("nothing".to_owned())
    };
    let found = inner_values(&explained);
    let ours =
        ["D", "E", "B", "F", "C", "A"].map(|node| format!("{node} {}", value_of(&found, node)));
    let mirrored = explained_alphabeta(&mirror(TREE)?)?;
    Ok(vec![
        named("visited, in order", entered_nodes(&explained).join(" ")),
        named("window of D", entered("D")),
        named("window of E", entered("E")),
        named("window of C", entered("C")),
        named("window of F", entered("F")),
        named("pruned at E", pruned("E")),
        named("pruned at C", pruned("C")),
        named("cost", search_counts(&explained)),
        named("values found", ours.join(", ")),
        named("right to left", search_counts(&mirrored)),
    ])
}

fn explained_alphabeta(tree: &str) -> Result<Explanation> {
    explanation(tree, "alphabeta:order=none", &Limits::none())
}

/// Reverses the children of every node of a tree.
fn mirror(tree: &str) -> Result<String> {
    let mut document: serde_json::Value = serde_json::from_str(tree)?;
    if let Some(nodes) = document["nodes"].as_object_mut() {
        for node in nodes.values_mut().filter_map(|node| node.as_object_mut()) {
            node.values_mut()
                .filter_map(|list| list.as_array_mut())
                .for_each(|list| list.reverse());
        }
    }
    Ok(document.to_string())
}

/// Searches by Monte Carlo tree search with the lecture's rollouts.
fn mcts() -> Result<Values> {
    let four = explanation(ROLLOUTS, "mcts:c=2", &Limits::nodes(4))?;
    let number = |(i, text): (usize, String)| named(format!("iteration {}", i + 1), text);
    let mut values: Values = iterations(&four).into_iter().enumerate().map(number).collect();
    let line = four.report.lines.first().map_or(String::new(), |line| line.pv.join(" "));
    values.push(named("answer", line));
    let five = explanation(ROLLOUTS, "mcts:c=2", &Limits::nodes(5))?;
    let next = iterations(&five).pop().unwrap_or_default();
    let next: Vec<&str> = next.split("; ").take(2).collect();
    values.push(named("next would be", next.join("; ")));
    Ok(values)
}

/// Describes each simulation, in the order of the lecture's table.
fn iterations(explained: &Explanation) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let (mut weights, mut path, mut rollout) = (String::new(), Vec::new(), String::new());
    let mut totals: Vec<String> = Vec::new();
    for step in &explained.steps {
        match step {
            Step::Weigh { node: 0, children } => {
                let ucb1 = children.iter().map(|child| {
                    if child.visits == 0 {
                        "inf".to_owned()
                    } else {
                        decimal(child.mean + child.bonus, 4)
                    }
                });
                weights = ucb1.collect::<Vec<_>>().join(", ");
            }
            Step::Select { node } => path.push(node_name(explained, *node).to_owned()),
            Step::Simulate { value, .. } => rollout = decimal(*value, 4),
            Step::BackUp { node, visits, total } => {
                totals.push(format!(
                    "{} {}({visits})",
                    node_name(explained, *node),
                    decimal(*total, 4)
                ));
                // The root is updated last.
                if *node == 0 {
                    let (path, totals) = (path.drain(..), totals.drain(..));
                    all.push(format!(
                        "UCB1 {weights}; {}; rollout {rollout}; {}",
                        path.collect::<Vec<_>>().join(" "),
                        totals.collect::<Vec<_>>().join(", ")
                    ));
                }
            }
            _ => {}
        }
    }
    all
}

#[derive(Deserialize)]
struct Exercise {
    nodes: BTreeMap<String, ExerciseNode>,
}

#[derive(Deserialize)]
struct ExerciseNode {
    #[serde(default, alias = "min")]
    max: Vec<String>,
    stats: Option<NodeStats>,
}

#[derive(Clone, Copy, Deserialize)]
struct NodeStats {
    wins: f64,
    visits: f64,
}

impl NodeStats {
    fn ucb1(self, parent: Self) -> f64 {
        self.wins / self.visits + (2.0 * parent.visits.ln() / self.visits).sqrt()
    }
}

/// Solves the exercise on UCB1 for two players.
fn ucb1() -> Result<Values> {
    let exercise: Exercise = serde_json::from_str(EXERCISE)?;
    let mut seen: BTreeMap<&str, NodeStats> = BTreeMap::new();
    for (name, node) in &exercise.nodes {
        seen.extend(node.stats.map(|stats| (name.as_str(), stats)));
    }
    // Visits of a that are not in b or c are those of d, and the losses of a are the wins of its children.
    let (a, b, c) = (seen["a"], seen["b"], seen["c"]);
    let d = NodeStats {
        wins: a.visits - a.wins - b.wins - c.wins,
        visits: a.visits - b.visits - c.visits,
    };
    seen.insert("d", d);
    let mut values = vec![named("wins and visits of d", format!("{}/{}", d.wins, d.visits))];
    let mut weights: BTreeMap<&str, f64> = BTreeMap::new();
    for (name, node) in &exercise.nodes {
        for child in &node.max {
            weights.insert(child, seen[child.as_str()].ucb1(seen[name.as_str()]));
        }
    }
    for (name, weight) in &weights {
        values.push(named(format!("UCB1 of {name}"), format!("{weight:.3}")));
    }
    let largest = |among: &mut dyn Iterator<Item = &str>| {
        among.max_by(|x, y| weights[x].total_cmp(&weights[y])).unwrap_or_default().to_owned()
    };
    let is_leaf = |name: &&str| exercise.nodes[*name].max.is_empty();
    let leaf = largest(&mut weights.keys().copied().filter(is_leaf));
    values.push(named("largest leaf anywhere, which the document expands", leaf));
    let mut at = "a";
    while let Some(next) = exercise.nodes.get(at).filter(|node| !node.max.is_empty()) {
        let best = largest(&mut next.max.iter().map(String::as_str));
        at = exercise.nodes.get_key_value(&best).map_or("", |(name, _)| name);
    }
    values.push(named("what a search from the top expands", at));
    let missing = (c.visits - c.wins) - (seen["g"].wins + seen["h"].wins);
    let ours = if missing == 0.0 { "they add up" } else { "they do not add up to 5" };
    values.push(named("wins of g and h, seen from c", ours));
    // A loss at the new child is a win for the player who moved into f, and so on up.
    let mut is_won = false;
    let after = ["new child", "f", "b", "a"].map(|name| {
        let before = seen.get(name).copied().unwrap_or(NodeStats { wins: 0.0, visits: 0.0 });
        let wins = before.wins + f64::from(u8::from(is_won));
        is_won = !is_won;
        format!("{name} {wins}/{}", before.visits + 1.0)
    });
    values.push(named("after a loss below f", after.join(", ")));
    Ok(values)
}

/// Counts the states and games of tic-tac-toe.
fn tictactoe() -> Result<Values> {
    let game = tussle_catalog::game("tictactoe")?;
    let mut census = Census::default();
    let all = census.visit(game.start().as_mut())?;
    let mut values = vec![
        named("reachable states", census.known.len().to_string()),
        named("up to symmetry", census.folded.len().to_string()),
        named("games", all.iter().sum::<u64>().to_string()),
        named("won by the first player", all[0].to_string()),
        named("won by the second player", all[1].to_string()),
        named("drawn", all[2].to_string()),
    ];
    let counts: Vec<String> = (0..=9).map(|depth| game.start().perft(depth).to_string()).collect();
    values.push(named("sequences of 0 to 9 moves", counts.join(" ")));
    let report =
        game.agent("alphabeta-textbook", 1)?.choose(game.start().as_ref(), &Limits::none())?;
    let outcome = report.lines.first().and_then(Line::outcome);
    let ours =
        outcome.map_or("unknown".to_owned(), |outcome| format!("{outcome:?}").to_lowercase());
    values.push(named("under perfect play", ours));
    Ok(values)
}

/// Visited positions, with the numbers of games from there that the first player wins, the second wins, and ties.
#[derive(Default)]
struct Census {
    known: HashMap<Option<u64>, [u64; 3]>,
    folded: HashSet<Option<u64>>,
}

impl Census {
    fn visit(&mut self, position: &mut dyn AnyPosition) -> Result<[u64; 3]> {
        let key = position.board_key();
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        self.folded.insert(position.canonical_key());
        let mut games = [0; 3];
        if let Some(utilities) = position.utilities() {
            games[turns::winner(&utilities).unwrap_or(2)] = 1;
        } else {
            for mv in position.moves() {
                position.play(&mv)?;
                let below = self.visit(position)?;
                position.undo();
                for (sum, below) in games.iter_mut().zip(below) {
                    *sum += below;
                }
            }
        }
        self.known.insert(key, games);
        Ok(games)
    }
}

/// Plays the four games of the two deterministic agents of Gobblet.
fn gobblet() -> Result<Values> {
    let game = tussle_catalog::game("gobblet")?;
    let mut values = Vec::new();
    for first in ["greedy", "greedy-improved"] {
        for second in ["greedy", "greedy-improved"] {
            let (moves, result) = play(&game, [first, second])?;
            let ours = format!("{result} after {} steps", moves.len());
            values.push(named(format!("{first} v {second}"), ours));
        }
    }
    let (moves, _) = play(&game, ["greedy", "greedy"])?;
    values.push(named("the moves of greedy v greedy", moves.join(" ")));
    Ok(values)
}

/// Plays a game between two agents, and returns its moves and its result.
fn play(game: &Arc<dyn AnyGame>, agents: [&str; 2]) -> Result<(Vec<String>, String)> {
    let mut agents = [game.agent(agents[0], 1)?, game.agent(agents[1], 2)?];
    let mut position = game.start();
    while let Turn::Player(player) = position.turn() {
        let report = agents[player].choose(position.as_ref(), &Limits::none())?;
        let Some(best) = report.best() else { break };
        position.play(best)?;
    }
    let utilities = position.utilities().unwrap_or_default();
    let result = turns::winner(&utilities).map_or("tie".to_owned(), |_| turns::result(&utilities));
    Ok((position.history().to_vec(), result))
}
