//! From nodes as they are written down to a tree that holds together.
//!
//! Nothing here recurses: a tree may be as deep as it has nodes.

use std::collections::{HashMap, HashSet};

use tussle_core::ParseError;

use super::{Kind, MAX_NODES, MAX_PLAYERS, Node, NodeStats, State};

/// A checked tree, level by level from the root (node 0), so that the children of a node stand
/// side by side and after it.
#[derive(Clone, Debug)]
pub(super) struct Flat {
    pub(super) vertices: Vec<Vertex>,
    pub(super) names: Vec<Box<str>>,
    /// The text of the move into each node, where it is not the node's name.
    labels: Vec<Option<Box<str>>>,
    /// The nodes in the order of their names.
    by_name: Vec<u32>,
    /// Values a node: 1 in a duel, else the number of players.
    pub(super) width: usize,
    /// `width` numbers a node.
    pub(super) worths: Vec<f64>,
    /// Whether the worth of a node is written down or only stands for something missing.
    pub(super) valued: Vec<bool>,
    /// The largest absolute result; 1 if all are 0.
    pub(super) best: f64,
    /// The least and the largest result of any player.
    pub(super) results: (f64, f64),
    /// The least and the largest worth of any node, results and estimates.
    pub(super) range: (f64, f64),
    /// The range that was declared for all values of the first player, or of every one of many.
    pub(super) declared: Option<(f64, f64)>,
    /// The largest sum of a leaf's values.
    pub(super) sum: f64,
    /// Whether there is a chance node.
    pub(super) chance: bool,
    /// The largest number of children of a player's node.
    pub(super) most_moves: u32,
    /// The largest number of children of a chance node.
    pub(super) most_outcomes: u32,
    pub(super) rollouts: HashMap<u32, Vec<f64>>,
    pub(super) stats: HashMap<u32, NodeStats>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Vertex {
    pub(super) kind: Kind,
    /// The root is its own parent.
    pub(super) parent: u32,
    first_child: u32,
    pub(super) children: u32,
    /// How likely the move into this node is, if chance makes it.
    pub(super) probability: f64,
}

impl Flat {
    pub(super) fn new(nodes: Vec<Node>, root: &str) -> Result<Self, ParseError> {
        let ids = names(&nodes)?;
        let Some(&root) = ids.get(root) else {
            return Err(ParseError::new(format!(
                "the root `{root}` is not among the nodes; add it or correct the name"
            )));
        };
        let width = nodes.iter().map(|node| node.values.len()).max().unwrap_or(0).max(1);
        for node in &nodes {
            check_kind(node, width)?;
            check_moves(node)?;
            check_numbers(node, width)?;
        }
        check_one_way_of_naming_players(&nodes)?;
        let (children, parents) = family(&nodes, &ids, root)?;
        drop(ids);
        let order = level_order(&nodes, &children, &parents, root)?;
        Ok(Self::in_order(nodes, &children, &order, width))
    }

    /// Puts checked nodes into level order.
    fn in_order(mut nodes: Vec<Node>, children: &[Vec<u32>], order: &[u32], width: usize) -> Self {
        let mut flat = Self {
            vertices: Vec::with_capacity(order.len()),
            names: Vec::with_capacity(order.len()),
            labels: vec![None; order.len()],
            by_name: (0..order.len() as u32).collect(),
            width,
            worths: Vec::with_capacity(order.len() * width),
            valued: Vec::with_capacity(order.len()),
            best: 0.0,
            results: (f64::INFINITY, f64::NEG_INFINITY),
            range: (0.0, 0.0),
            declared: None,
            sum: f64::NEG_INFINITY,
            chance: nodes.iter().any(|node| node.kind == Kind::Chance),
            most_moves: 0,
            most_outcomes: 0,
            rollouts: HashMap::new(),
            stats: HashMap::new(),
        };
        let root =
            Vertex { kind: Kind::Leaf, parent: 0, first_child: 0, children: 0, probability: 1.0 };
        flat.vertices.resize(order.len(), root);
        let mut next_child = 1;
        for (i, &old) in order.iter().enumerate() {
            let node = &mut nodes[old as usize];
            let count = children[old as usize].len() as u32;
            let most = if node.kind == Kind::Chance {
                &mut flat.most_outcomes
            } else {
                &mut flat.most_moves
            };
            *most = count.max(*most);
            let vertex = &mut flat.vertices[i];
            (vertex.kind, vertex.first_child, vertex.children) = (node.kind, next_child, count);
            for edge in &mut node.moves {
                let child = &mut flat.vertices[next_child as usize];
                child.parent = i as u32;
                if node.kind == Kind::Chance {
                    child.probability = edge.probability.unwrap_or(1.0 / f64::from(count));
                }
                flat.labels[next_child as usize] = edge.label.take().map(String::into_boxed_str);
                next_child += 1;
            }
            flat.names.push(std::mem::take(&mut node.name).into_boxed_str());
            flat.take_numbers(i as u32, node);
        }
        if flat.best == 0.0 {
            flat.best = 1.0;
        }
        flat.by_name.sort_unstable_by_key(|&i| &*flat.names[i as usize]);
        flat
    }

    fn take_numbers(&mut self, i: u32, node: &mut Node) {
        self.valued.push(!node.values.is_empty());
        if node.values.is_empty() {
            let stub = node.kind == Kind::Leaf && !node.rollouts.is_empty();
            let count = node.rollouts.len() as f64;
            // Each is divided before they are added, for the sum of finite numbers may not be.
            let mean = node.rollouts.iter().map(|x| x / count).sum();
            self.worths.extend(std::iter::repeat_n(if stub { mean } else { 0.0 }, self.width));
        } else {
            self.worths.extend_from_slice(&node.values);
        }
        // A mean may be rounded past the largest rollout: look at the worth, too.
        let worth = &self.worths[i as usize * self.width..];
        let result = if node.kind == Kind::Leaf { worth } else { &[] };
        for x in result.iter().chain(&node.rollouts) {
            self.best = self.best.max(x.abs());
            self.results = (self.results.0.min(*x), self.results.1.max(*x));
        }
        for x in worth {
            self.range = (self.range.0.min(*x), self.range.1.max(*x));
        }
        if node.kind == Kind::Leaf {
            self.sum = self.sum.max(worth.iter().sum());
        }
        if !node.rollouts.is_empty() {
            self.rollouts.insert(i, std::mem::take(&mut node.rollouts));
        }
        if let Some(stats) = node.stats {
            self.stats.insert(i, stats);
        }
    }

    /// Declares the range of all values. A node without a value is worth 0, or the end of the range nearest to it.
    pub(super) fn declare(&mut self, (low, high): (f64, f64)) -> Result<(), ParseError> {
        if !(low.is_finite() && high.is_finite()) {
            let what = format!("the range [{low}, {high}] has an end that is not a finite number");
            return Err(ParseError::new(what));
        }
        if low > high {
            return Err(ParseError::new(format!(
                "the range [{low}, {high}] is empty; write the least value first, as in [{high}, {low}]"
            )));
        }
        let outside = |x: &&f64| !(low..=high).contains(*x);
        for (i, worth) in self.worths.chunks_mut(self.width).enumerate() {
            let rollouts = self.rollouts.get(&(i as u32)).map_or(&[][..], Vec::as_slice);
            let values = if self.valued[i] { &*worth } else { &[] };
            for (what, numbers) in [("value", values), ("rollout", rollouts)] {
                if let Some(x) = numbers.iter().find(outside) {
                    return Err(fault(
                        &self.names[i],
                        format_args!(
                            "its {what} {x} lies outside of the range [{low}, {high}]; correct the {what} or the \
                             range"
                        ),
                    ));
                }
            }
            for x in &mut *worth {
                *x = x.clamp(low, high);
            }
            if self.vertices[i].kind == Kind::Leaf {
                self.sum = self.sum.max(worth.iter().sum());
            }
        }
        self.best = low.abs().max(high.abs());
        if self.best == 0.0 {
            self.best = 1.0;
        }
        self.results = (low, high);
        self.range = (low, high);
        self.declared = Some((low, high));
        Ok(())
    }

    #[inline]
    pub(super) fn vertex(&self, state: State) -> &Vertex {
        &self.vertices[state.0 as usize]
    }

    #[inline]
    pub(super) fn child(&self, state: State, mv: u32) -> State {
        let vertex = self.vertex(state);
        debug_assert!(mv < vertex.children, "there is no such move");
        State(vertex.first_child + mv)
    }

    /// The children of a node.
    pub(super) fn children(&self, node: u32) -> std::ops::Range<u32> {
        let vertex = &self.vertices[node as usize];
        vertex.first_child..vertex.first_child + vertex.children
    }

    /// The text of the move that leads to a node.
    pub(super) fn label(&self, node: u32) -> &str {
        self.own_label(node).unwrap_or(&self.names[node as usize])
    }

    /// The same, but only if it is not simply the node's name.
    pub(super) fn own_label(&self, node: u32) -> Option<&str> {
        self.labels[node as usize].as_deref().filter(|&label| label != &*self.names[node as usize])
    }

    pub(super) fn find(&self, name: &str) -> Option<u32> {
        let at = self.by_name.binary_search_by_key(&name, |&i| &self.names[i as usize]);
        at.ok().map(|at| self.by_name[at])
    }
}

fn fault(node: &str, what: impl std::fmt::Display) -> ParseError {
    ParseError::new(format!("node `{node}`: {what}"))
}

/// What is wrong with a text that is to stand in move lists and spec strings.
fn fault_of_word(word: &str) -> Option<&'static str> {
    const SIGNS: [char; 3] = [',', '>', '|'];
    if word.is_empty() {
        Some("is empty")
    } else if word.chars().any(|c| c.is_whitespace() || c.is_control()) {
        Some("contains white space; join the words with `-` or `_`")
    } else if word.contains(SIGNS) {
        Some("contains a comma, `>` or `|`; use other signs")
    } else {
        None
    }
}

/// Where each name stands.
fn names(nodes: &[Node]) -> Result<HashMap<&str, u32>, ParseError> {
    if nodes.is_empty() {
        return Err(ParseError::new("the tree has no nodes; it needs at least its root"));
    }
    if nodes.len() > MAX_NODES {
        return Err(ParseError::new(format!(
            "the tree has {} nodes; {MAX_NODES} is the limit",
            nodes.len()
        )));
    }
    let mut ids = HashMap::with_capacity(nodes.len());
    for (i, node) in nodes.iter().enumerate() {
        if let Some(what) = fault_of_word(&node.name) {
            return Err(fault(&node.name, format_args!("the name {what}")));
        }
        if ids.insert(node.name.as_str(), i as u32).is_some() {
            return Err(fault(&node.name, "two nodes have this name; rename one of them"));
        }
    }
    Ok(ids)
}

fn check_kind(node: &Node, width: usize) -> Result<(), ParseError> {
    let wrong = |what: String| Err(fault(&node.name, what));
    match node.kind {
        Kind::Player(k) if !(1..=MAX_PLAYERS).contains(&k) => {
            wrong(format!("there is no player {k}; players are 1 to {MAX_PLAYERS}"))
        }
        Kind::Player(k) if width == 1 && k > 2 => wrong(format!(
            "player {k} moves here, but the leaves have a single value; give each leaf one value \
             for each player"
        )),
        Kind::Player(k) if width > 1 && k > width => {
            wrong(format!("player {k} moves here, but the leaves have only {width} values"))
        }
        Kind::Max | Kind::Min if width > 1 => wrong(format!(
            "max and min need a single value at each leaf, but here leaves have {width}; say \
             which player moves"
        )),
        Kind::Leaf if !node.moves.is_empty() => {
            wrong("a leaf has no moves; say whose turn it is".to_owned())
        }
        Kind::Leaf => Ok(()),
        _ if node.moves.is_empty() => {
            wrong("it has no moves; list them, or give it a value to make it a leaf".to_owned())
        }
        _ => Ok(()),
    }
}

fn check_moves(node: &Node) -> Result<(), ParseError> {
    let mut labels = HashSet::with_capacity(node.moves.len());
    for edge in &node.moves {
        let label = edge.label.as_ref().unwrap_or(&edge.to);
        if let Some(what) = fault_of_word(label) {
            return Err(fault(&node.name, format_args!("the move `{label}` {what}")));
        }
        if !labels.insert(label) {
            return Err(fault(
                &node.name,
                format_args!("two moves are called `{label}`; give one another label"),
            ));
        }
    }
    check_chances(node)
}

/// Chances may be off by this much for having been rounded.
const ROUNDING: f64 = 1e-9;

fn check_chances(node: &Node) -> Result<(), ParseError> {
    let given = node.moves.iter().filter(|edge| edge.probability.is_some()).count();
    if given == 0 {
        return Ok(());
    }
    if node.kind != Kind::Chance {
        return Err(fault(
            &node.name,
            "its moves have probabilities; only the outcomes of a chance node have them",
        ));
    }
    let mut sum = 0.0;
    for edge in &node.moves {
        let Some(p) = edge.probability else {
            return Err(fault(
                &node.name,
                format_args!(
                    "the outcome to `{}` has no probability, but others have; give all or none \
                     (then they are equally likely)",
                    edge.to
                ),
            ));
        };
        if !(p > 0.0 && p <= 1.0 + ROUNDING) {
            return Err(fault(
                &node.name,
                format_args!(
                    "the outcome to `{}` has the probability {p}; it must be above 0 and at most \
                     1 (leave out what cannot happen)",
                    edge.to
                ),
            ));
        }
        sum += p;
    }
    if (sum - 1.0).abs() > ROUNDING {
        return Err(fault(
            &node.name,
            format_args!("its probabilities sum to {sum}; they must sum to 1"),
        ));
    }
    Ok(())
}

fn check_numbers(node: &Node, width: usize) -> Result<(), ParseError> {
    let wrong = |what: String| Err(fault(&node.name, what));
    if width > MAX_PLAYERS && node.values.len() == width {
        return wrong(format!("it has {width} values; {MAX_PLAYERS} players are the limit"));
    }
    if !node.values.is_empty() && node.values.len() != width {
        return wrong(format!(
            "it has {} value(s), other nodes have {width}; give each one value for each player",
            node.values.len()
        ));
    }
    if node.kind == Kind::Leaf
        && node.values.is_empty()
        && node.rollouts.is_empty()
        && node.stats.is_none()
    {
        return wrong("a leaf needs a value (or rollouts, or stats)".to_owned());
    }
    if let Some(x) = node.values.iter().chain(&node.rollouts).find(|x| !x.is_finite()) {
        return wrong(format!("{x} is no value; use finite numbers"));
    }
    if width > 1 && !node.rollouts.is_empty() {
        return wrong(format!(
            "a rollout is a single number, but here leaves have {width} values; leave it out"
        ));
    }
    if let Some(NodeStats::Known { wins, visits }) = node.stats
        && !(0.0..=visits as f64).contains(&wins)
    {
        return wrong(format!("{wins} wins in {visits} visits; wins lie between 0 and the visits"));
    }
    Ok(())
}

fn check_one_way_of_naming_players(nodes: &[Node]) -> Result<(), ParseError> {
    let sided = nodes.iter().find(|node| matches!(node.kind, Kind::Max | Kind::Min));
    let numbered = nodes.iter().find(|node| matches!(node.kind, Kind::Player(_)));
    if let (Some(sided), Some(numbered)) = (sided, numbered) {
        return Err(fault(
            &numbered.name,
            format_args!(
                "it belongs to a numbered player, but node `{}` is max or min; use one way of \
                 naming players (max is player 1, min is player 2)",
                sided.name
            ),
        ));
    }
    Ok(())
}

const NOBODY: u32 = u32::MAX;

/// The children of each node and its one parent.
type Family = (Vec<Vec<u32>>, Vec<u32>);

fn family(nodes: &[Node], ids: &HashMap<&str, u32>, root: u32) -> Result<Family, ParseError> {
    let mut parents = vec![NOBODY; nodes.len()];
    let mut children = Vec::with_capacity(nodes.len());
    let mut twice = None;
    for (i, node) in nodes.iter().enumerate() {
        let mut row = Vec::with_capacity(node.moves.len());
        for edge in &node.moves {
            let Some(&child) = ids.get(edge.to.as_str()) else {
                return Err(fault(
                    &node.name,
                    format_args!(
                        "a move leads to `{}`, which is not among the nodes; add it or correct \
                         the name",
                        edge.to
                    ),
                ));
            };
            let parent = &mut parents[child as usize];
            if child != root && *parent == NOBODY {
                *parent = i as u32;
            } else if twice.is_none() {
                twice = Some((child, i as u32));
            }
            row.push(child);
        }
        children.push(row);
    }
    match twice {
        Some((child, parent)) => Err(reached_again(nodes, &parents, root, child, parent)),
        None => Ok((children, parents)),
    }
}

/// Says why `child`, which is the root or has a parent already, cannot be below `parent` too.
fn reached_again(
    nodes: &[Node],
    parents: &[u32],
    root: u32,
    child: u32,
    parent: u32,
) -> ParseError {
    let name = |i: u32| &nodes[i as usize].name;
    let fix = "remove one of the moves, or copy the node under another name";
    if child == root {
        let what = format!("a cycle: it is the root, but a move of `{}` leads to it", name(parent));
        return fault(name(child), format_args!("{what}; remove that move"));
    }
    let first = parents[child as usize];
    let below = |&from: &u32| ancestors(parents, from).any(|node| node == child);
    let what = match [parent, first].into_iter().find(below) {
        Some(from) => format!("a cycle: a move of `{}` leads back to it; {fix}", name(from)),
        None if first == parent => format!("reached twice from `{}`; {fix}", name(first)),
        None => {
            format!("reached twice, from `{}` and from `{}`; {fix}", name(first), name(parent))
        }
    };
    fault(name(child), what)
}

/// A node, its parent, and so on; at most as many as there are nodes, for there may be cycles.
fn ancestors(parents: &[u32], from: u32) -> impl Iterator<Item = u32> {
    let up = |&node: &u32| Some(parents[node as usize]).filter(|&parent| parent != NOBODY);
    std::iter::successors(Some(from), up).take(parents.len() + 1)
}

/// The nodes from the root down, level by level.
fn level_order(
    nodes: &[Node],
    children: &[Vec<u32>],
    parents: &[u32],
    root: u32,
) -> Result<Vec<u32>, ParseError> {
    // No node has two parents and the root has none, so that none is listed twice.
    let mut order = Vec::with_capacity(nodes.len());
    order.push(root);
    let mut done = 0;
    while done < order.len() {
        let node: u32 = order[done];
        order.extend_from_slice(&children[node as usize]);
        done += 1;
    }
    if order.len() == nodes.len() {
        return Ok(order);
    }
    let mut reached = vec![false; nodes.len()];
    for &node in &order {
        reached[node as usize] = true;
    }
    let lost = reached.iter().position(|&known| !known).unwrap_or_default() as u32;
    let top = ancestors(parents, lost).last().unwrap_or(lost);
    let what = if parents[top as usize] == NOBODY {
        "no move leads to it; add one, or remove the node"
    } else {
        "it is on a cycle that the root does not reach; break the cycle, and lead a move to it"
    };
    Err(fault(&nodes[top as usize].name, what))
}
