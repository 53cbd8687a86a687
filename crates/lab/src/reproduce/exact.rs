//! Published numbers that leave nothing to chance: traces, counts, formulas, games of players without dice.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use serde::Deserialize;
use tussle_catalog::recording::Step;
use tussle_catalog::{AnyGame, AnyPosition, game_from_text, turns};
use tussle_core::format::decimal;
use tussle_core::{Limits, Line, Turn, Value};
use tussle_explain::{Explanation, explain};

use super::Fact;
use crate::LabError;

const TREE: &str = include_str!("../../../../examples/trees/lecture-alphabeta.json");
const ROLLOUTS: &str = include_str!("../../../../examples/trees/lecture-mcts.json");
const EXERCISE: &str = include_str!("../../../../examples/trees/ucb1-exercise.json");

fn fact(what: &str, published: &str, ours: impl Into<String>) -> Fact {
    Fact { what: what.to_owned(), published: published.to_owned(), ours: ours.into() }
}

fn told(tree: &str, agent: &str, budget: &Limits) -> Result<Explanation, LabError> {
    let game = game_from_text("tree", "file", tree)?;
    Ok(explain(game.as_ref(), game.start().as_ref(), agent, budget, 1)?)
}

fn node_name(told: &Explanation, node: usize) -> &str {
    &told.tree.nodes()[node].name
}

/// The value of every inner node that was left, by name.
fn inner_values(told: &Explanation) -> BTreeMap<&str, f64> {
    let value = |step: &Step| match step {
        Step::Leave { node, values } if !told.tree.nodes()[*node].children.is_empty() => {
            Some((told.tree.nodes()[*node].name.as_str(), values[0].number()))
        }
        _ => None,
    };
    told.steps.iter().filter_map(value).collect()
}

/// The nodes in the order they were entered.
fn entered_nodes(told: &Explanation) -> Vec<&str> {
    let entered = told.steps.iter().filter_map(|step| match step {
        Step::Enter { node, .. } => Some(node_name(told, *node)),
        _ => None,
    });
    entered.collect()
}

fn search_counts(told: &Explanation) -> String {
    let stats = &told.report.stats;
    format!("{} nodes, {} leaves, {} cut-offs", stats.nodes, stats.leaves, stats.cutoffs)
}

/// Minimax on the lecture's tree.
pub(super) fn minimax() -> Result<Vec<Fact>, LabError> {
    let told = told(TREE, "minimax", &Limits::none())?;
    let values = inner_values(&told);
    let mut facts = Vec::new();
    for (node, value) in [("D", 8), ("E", 9), ("F", 2), ("G", 9), ("B", 8), ("C", 2), ("A", 8)] {
        let ours = values.get(node).map_or("none".to_owned(), f64::to_string);
        facts.push(fact(&format!("value of {node}"), &value.to_string(), ours));
    }
    let line = told.report.lines.first().map_or(String::new(), |line| line.pv.join(" "));
    facts.push(fact("best line", "A B D I", format!("A {line}")));
    Ok(facts)
}

/// Alpha-beta on the same tree, from both sides.
pub(super) fn alphabeta() -> Result<Vec<Fact>, LabError> {
    let told = told_alphabeta(TREE)?;
    let window = |alpha: Value, beta: Value| {
        format!("({}, {})", decimal(alpha.number(), 4), decimal(beta.number(), 4))
    };
    let entered = |name: &str| {
        let found = told.steps.iter().find_map(|step| match step {
            Step::Enter { node, alpha, beta } if node_name(&told, *node) == name => {
                Some((*alpha, *beta))
            }
            _ => None,
        });
        found.map_or("not entered".to_owned(), |(alpha, beta)| window(alpha, beta))
    };
    let pruned = |name: &str| {
        let found = told.steps.iter().find_map(|step| match step {
            Step::Cut { node, skipped, .. } if node_name(&told, *node) == name => {
                let names: Vec<&str> =
                    skipped.iter().map(|&child| node_name(&told, child)).collect();
                Some(names.join(" "))
            }
            _ => None,
        });
        found.unwrap_or("nothing".to_owned())
    };
    let mut facts = vec![
        fact("visited, in order", "A B D H I E J C F L M", entered_nodes(&told).join(" ")),
        fact("window of D", "(-inf, +inf)", entered("D")),
        fact("window of E", "(-inf, 8)", entered("E")),
        fact("window of C", "(8, +inf)", entered("C")),
        fact("window of F", "(8, +inf)", entered("F")),
        fact("pruned at E", "K", pruned("E")),
        fact("pruned at C", "G", pruned("C")),
        fact("cost", "11 nodes, 5 leaves, 2 cut-offs", search_counts(&told)),
    ];
    let values = inner_values(&told);
    let ours = ["D", "E", "B", "F", "C", "A"].map(|node| {
        let value = values.get(node).map_or("none".to_owned(), f64::to_string);
        format!("{node} {value}")
    });
    facts.push(fact("values found", "D 8, E 9, B 8, F 2, C 2, A 8", ours.join(", ")));
    let mirrored = told_alphabeta(&mirror(TREE)?)?;
    facts.push(fact("right to left", "15 nodes, 8 leaves, 0 cut-offs", search_counts(&mirrored)));
    Ok(facts)
}

fn told_alphabeta(tree: &str) -> Result<Explanation, LabError> {
    told(tree, "alphabeta:order=none", &Limits::none())
}

/// The tree with the children of every node in reverse order.
fn mirror(tree: &str) -> Result<String, LabError> {
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

/// Monte Carlo tree search with the lecture's rollouts.
pub(super) fn mcts() -> Result<Vec<Fact>, LabError> {
    let four = told(ROLLOUTS, "mcts:c=2", &Limits::nodes(4))?;
    let published = [
        "UCB1 inf, inf; s1; rollout 20; s1 20(1), s0 20(1)",
        "UCB1 20, inf; s2; rollout 10; s2 10(1), s0 30(2)",
        "UCB1 21.6651, 11.6651; s1 s3; rollout 0; s3 0(1), s1 20(2), s0 30(3)",
        "UCB1 11.4823, 12.0963; s2 s5; rollout 14; s5 14(1), s2 24(2), s0 44(4)",
    ];
    let ours = iterations(&four);
    let mut facts: Vec<Fact> = published
        .iter()
        .enumerate()
        .map(|(i, published)| {
            let ours = ours.get(i).cloned().unwrap_or("none".to_owned());
            fact(&format!("iteration {}", i + 1), published, ours)
        })
        .collect();
    let line = four.report.lines.first().map_or(String::new(), |line| line.pv.join(" "));
    facts.push(fact("answer", "s2 s5", line));
    let five = told(ROLLOUTS, "mcts:c=2", &Limits::nodes(5))?;
    let next = iterations(&five).pop().unwrap_or_default();
    let next: Vec<&str> = next.split("; ").take(2).collect();
    facts.push(fact("next would be", "UCB1 11.6651, 13.6651; s2 s6", next.join("; ")));
    Ok(facts)
}

/// What each simulation did, in the order of the lecture's table.
fn iterations(told: &Explanation) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let (mut weights, mut path, mut rollout) = (String::new(), Vec::new(), String::new());
    let mut totals: Vec<String> = Vec::new();
    for step in &told.steps {
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
            Step::Select { node } => path.push(node_name(told, *node).to_owned()),
            Step::Simulate { value, .. } => rollout = decimal(*value, 4),
            Step::BackUp { node, visits, total } => {
                totals.push(format!("{} {}({visits})", node_name(told, *node), decimal(*total, 4)));
                // The root takes the result in last.
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
    nodes: BTreeMap<String, Known>,
}

#[derive(Deserialize)]
struct Known {
    #[serde(default, alias = "min")]
    max: Vec<String>,
    stats: Option<Seen>,
}

#[derive(Clone, Copy, Deserialize)]
struct Seen {
    wins: f64,
    visits: f64,
}

impl Seen {
    fn ucb1(self, parent: Self) -> f64 {
        self.wins / self.visits + (2.0 * parent.visits.ln() / self.visits).sqrt()
    }
}

/// The exercise on UCB1 for two players.
pub(super) fn ucb1() -> Result<Vec<Fact>, LabError> {
    let exercise: Exercise = serde_json::from_str(EXERCISE)?;
    let mut seen: BTreeMap<&str, Seen> = BTreeMap::new();
    for (name, node) in &exercise.nodes {
        seen.extend(node.stats.map(|stats| (name.as_str(), stats)));
    }
    // Every visit of a that is not in b or c went to d; every visit that a's mover did not win, one of them did.
    let (a, b, c) = (seen["a"], seen["b"], seen["c"]);
    let d =
        Seen { wins: a.visits - a.wins - b.wins - c.wins, visits: a.visits - b.visits - c.visits };
    seen.insert("d", d);
    let mut facts = vec![fact("wins and visits of d", "1/5", format!("{}/{}", d.wins, d.visits))];
    let mut weights: BTreeMap<&str, f64> = BTreeMap::new();
    for (name, node) in &exercise.nodes {
        for child in &node.max {
            weights.insert(child, seen[child.as_str()].ucb1(seen[name.as_str()]));
        }
    }
    let published = [
        ("b", "1.294"),
        ("c", "1.309"),
        ("d", "1.451"),
        ("e", "0.528"),
        ("f", "1.458"),
        ("g", "1.426"),
        ("h", "1.093"),
    ];
    for (name, value) in published {
        facts.push(fact(&format!("UCB1 of {name}"), value, format!("{:.3}", weights[name])));
    }
    let largest = |among: &mut dyn Iterator<Item = &str>| {
        among.max_by(|x, y| weights[x].total_cmp(&weights[y])).unwrap_or_default().to_owned()
    };
    let is_leaf = |name: &&str| exercise.nodes[*name].max.is_empty();
    let leaf = largest(&mut weights.keys().copied().filter(is_leaf));
    facts.push(fact("largest leaf anywhere, which the document expands", "f", leaf));
    let mut at = "a";
    while let Some(next) = exercise.nodes.get(at).filter(|node| !node.max.is_empty()) {
        let best = largest(&mut next.max.iter().map(String::as_str));
        at = exercise.nodes.get_key_value(&best).map_or("", |(name, _)| name);
    }
    facts.push(fact("what a search from the top expands", "d", at));
    let missing = (c.visits - c.wins) - (seen["g"].wins + seen["h"].wins);
    let ours = if missing == 0.0 { "they add up" } else { "they do not add up to 5" };
    facts.push(fact("wins of g and h, seen from c", "they do not add up to 5", ours));
    // A loss at the new child is a win for whoever moved into f, and so on up.
    let mut is_won = false;
    let after = ["new child", "f", "b", "a"].map(|name| {
        let before = seen.get(name).copied().unwrap_or(Seen { wins: 0.0, visits: 0.0 });
        let wins = before.wins + f64::from(u8::from(is_won));
        is_won = !is_won;
        format!("{name} {wins}/{}", before.visits + 1.0)
    });
    facts.push(fact(
        "after a loss below f",
        "new child 0/1, f 6/10, b 33/40, a 16/51",
        after.join(", "),
    ));
    Ok(facts)
}

/// All of tic-tac-toe.
pub(super) fn tictactoe() -> Result<Vec<Fact>, LabError> {
    let game = tussle_catalog::game("tictactoe")?;
    let mut census = Census::default();
    let all = census.visit(game.start().as_mut())?;
    let mut facts = vec![
        fact("reachable states", "5478", census.known.len().to_string()),
        fact("up to symmetry", "765", census.folded.len().to_string()),
        fact("games", "255168", all.iter().sum::<u64>().to_string()),
        fact("won by the first player", "131184", all[0].to_string()),
        fact("won by the second player", "77904", all[1].to_string()),
        fact("drawn", "46080", all[2].to_string()),
    ];
    let counts: Vec<String> = (0..=9).map(|depth| game.start().perft(depth).to_string()).collect();
    let published = "1 9 72 504 3024 15120 54720 148176 200448 127872";
    facts.push(fact("sequences of 0 to 9 moves", published, counts.join(" ")));
    let report = game.agent("alphabeta", 1)?.choose(game.start().as_ref(), &Limits::none())?;
    let outcome = report.lines.first().and_then(Line::outcome);
    let ours =
        outcome.map_or("unknown".to_owned(), |outcome| format!("{outcome:?}").to_lowercase());
    facts.push(fact("under perfect play", "draw", ours));
    Ok(facts)
}

/// Positions seen, and for each how many games from it the first player wins, the second wins, nobody wins.
#[derive(Default)]
struct Census {
    known: HashMap<Option<u64>, [u64; 3]>,
    folded: HashSet<Option<u64>>,
}

impl Census {
    fn visit(&mut self, position: &mut dyn AnyPosition) -> Result<[u64; 3], LabError> {
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

/// The four games of gobblet's two players without dice.
pub(super) fn gobblet() -> Result<Vec<Fact>, LabError> {
    let game = tussle_catalog::game("gobblet")?;
    let published = [
        ("greedy", "greedy", "tie after 19 steps"),
        ("greedy", "greedy-improved", "second wins after 12 steps"),
        ("greedy-improved", "greedy", "first wins after 15 steps"),
        ("greedy-improved", "greedy-improved", "second wins after 14 steps"),
    ];
    let mut facts = Vec::new();
    for (first, second, published) in published {
        let (moves, result) = play(&game, [first, second])?;
        let ours = format!("{result} after {} steps", moves.len());
        facts.push(fact(&format!("{first} v {second}"), published, ours));
    }
    let (moves, _) = play(&game, ["greedy", "greedy"])?;
    let published = "S2@8 M2@8 B2@8 S2@7 M2@7 B2@7 S1@6 M1@6 B1@6 S1@5 M1@5 B1@5 B2@4 M2@3 B2@3 B2@8 M2@4 \
                     B2@4 B2@7";
    facts.push(fact("the moves of greedy v greedy", published, moves.join(" ")));
    Ok(facts)
}

/// A game between two agents from the start, and how it ended.
fn play(game: &Arc<dyn AnyGame>, agents: [&str; 2]) -> Result<(Vec<String>, String), LabError> {
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
