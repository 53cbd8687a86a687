//! Checks node definitions and builds the tree from them.
//!
//! No function here is recursive, because a tree can be as deep as it has nodes.

use std::collections::{HashMap, HashSet};

use tussle_core::ParseError;

use super::{Kind, MAX_NODES, MAX_PLAYERS, Node, NodeStats, State};

/// Checked tree. Nodes are numbered level by level from the root (node 0), so the children of a
/// node have consecutive numbers after it.
#[derive(Clone, Debug)]
pub(super) struct Flat {
    pub(super) vertices: Vec<Vertex>,
    pub(super) names: Vec<Box<str>>,
    /// Label of the move into each node, if the definition has one.
    labels: Vec<Option<Box<str>>>,
    /// Nodes sorted by name.
    by_name: Vec<u32>,
    /// Number of values per node: 1 with a single value for two players, else the number of
    /// players.
    pub(super) width: usize,
    /// Values of the nodes, `width` numbers per node. Missing values have a default.
    pub(super) values: Vec<f64>,
    /// True for each node whose values are in the definition.
    pub(super) valued: Vec<bool>,
    /// Largest absolute result; 1 if all results are 0.
    pub(super) best: f64,
    /// Smallest and largest result of any player.
    pub(super) results: (f64, f64),
    /// Smallest and largest value of any node, results and estimates.
    pub(super) range: (f64, f64),
    /// Declared range of all values: of the first player, or with more players of every player.
    pub(super) declared: Option<(f64, f64)>,
    /// Largest sum of the values of a leaf.
    pub(super) sum: f64,
    /// True if the tree has a chance node.
    pub(super) chance: bool,
    /// Largest number of children of a player's node.
    pub(super) most_moves: u32,
    /// Largest number of children of a chance node.
    pub(super) most_outcomes: u32,
    pub(super) rollouts: HashMap<u32, Vec<f64>>,
    pub(super) stats: HashMap<u32, NodeStats>,
}

/// Node of a checked tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vertex {
    pub(super) kind: Kind,
    /// Parent of the node; the root is its own parent.
    pub(super) parent: u32,
    first_child: u32,
    pub(super) children: u32,
    /// Probability of the move into this node from a chance node, else 1.
    pub(super) probability: f64,
}

impl Flat {
    pub(super) fn new(nodes: Vec<Node>, root: &str) -> Result<Self, ParseError> {
        let ids = names(&nodes)?;
        let Some(&root) = ids.get(root) else {
            return Err(ParseError::new(format!(
                "the root `{root}` is not among the nodes; add it or correct its name"
            )));
        };
        let width = nodes.iter().map(|node| node.values.len()).max().unwrap_or(0).max(1);
        for node in &nodes {
            check_kind(node, width)?;
            check_moves(node)?;
            check_numbers(node, width)?;
        }
        check_player_kinds(&nodes)?;
        let (children, parents) = family(&nodes, &ids, root)?;
        drop(ids);
        let order = level_order(&nodes, &children, &parents, root)?;
        Ok(Self::in_order(nodes, &children, &order, width))
    }

    /// Builds the tree from checked nodes in level order.
    fn in_order(mut nodes: Vec<Node>, children: &[Vec<u32>], order: &[u32], width: usize) -> Self {
        let mut flat = Self {
            vertices: Vec::with_capacity(order.len()),
            names: Vec::with_capacity(order.len()),
            labels: vec![None; order.len()],
            by_name: (0..order.len() as u32).collect(),
            width,
            values: Vec::with_capacity(order.len() * width),
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
            // Divide before adding, because a sum of finite numbers can be infinite.
            let mean = node.rollouts.iter().map(|x| x / count).sum();
            self.values.extend(std::iter::repeat_n(if stub { mean } else { 0.0 }, self.width));
        } else {
            self.values.extend_from_slice(&node.values);
        }
        // Include the mean of the rollouts, because rounding can make it larger than the largest
        // one.
        let value = &self.values[i as usize * self.width..];
        let result = if node.kind == Kind::Leaf { value } else { &[] };
        for x in result.iter().chain(&node.rollouts) {
            self.best = self.best.max(x.abs());
            self.results = (self.results.0.min(*x), self.results.1.max(*x));
        }
        for x in value {
            self.range = (self.range.0.min(*x), self.range.1.max(*x));
        }
        if node.kind == Kind::Leaf {
            self.sum = self.sum.max(value.iter().sum());
        }
        if !node.rollouts.is_empty() {
            self.rollouts.insert(i, std::mem::take(&mut node.rollouts));
        }
        if let Some(stats) = node.stats {
            self.stats.insert(i, stats);
        }
    }

    /// Declares the range of all values. A node without a value gets 0, or the end of the range
    /// that is nearest to 0.
    pub(super) fn declare(&mut self, (low, high): (f64, f64)) -> Result<(), ParseError> {
        if !(low.is_finite() && high.is_finite()) {
            let what = format!("the range [{low}, {high}] must have two finite numbers as ends");
            return Err(ParseError::new(what));
        }
        if low > high {
            return Err(ParseError::new(format!(
                "the range [{low}, {high}] is empty; write the smaller value first, as in [{high}, {low}]"
            )));
        }
        let outside = |x: &&f64| !(low..=high).contains(*x);
        for (i, value) in self.values.chunks_mut(self.width).enumerate() {
            let rollouts = self.rollouts.get(&(i as u32)).map_or(&[][..], Vec::as_slice);
            let values = if self.valued[i] { &*value } else { &[] };
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
            for x in &mut *value {
                *x = x.clamp(low, high);
            }
            if self.vertices[i].kind == Kind::Leaf {
                self.sum = self.sum.max(value.iter().sum());
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

    /// Returns the children of a node.
    pub(super) fn children(&self, node: u32) -> std::ops::Range<u32> {
        let vertex = &self.vertices[node as usize];
        vertex.first_child..vertex.first_child + vertex.children
    }

    /// Returns the text of the move that leads to a node.
    pub(super) fn label(&self, node: u32) -> &str {
        self.own_label(node).unwrap_or(&self.names[node as usize])
    }

    /// Returns the text of the move that leads to a node, unless it is the name of the node.
    pub(super) fn own_label(&self, node: u32) -> Option<&str> {
        self.labels[node as usize].as_deref().filter(|&label| label != &*self.names[node as usize])
    }

    pub(super) fn find(&self, name: &str) -> Option<u32> {
        let at = self.by_name.binary_search_by_key(&name, |&i| &self.names[i as usize]);
        at.ok().map(|at| self.by_name[at])
    }
}

/// Returns an error about a node.
fn fault(node: &str, what: impl std::fmt::Display) -> ParseError {
    ParseError::new(format!("node `{node}`: {what}"))
}

/// Returns the reason why a text cannot be the name of a node or move in move lists and spec
/// strings.
fn fault_of_word(word: &str) -> Option<&'static str> {
    const RESERVED: [char; 3] = [',', '>', '|'];
    if word.is_empty() {
        Some("is empty; write at least one character")
    } else if word.chars().any(|c| c.is_whitespace() || c.is_control()) {
        Some("contains white space; join the words with `-` or `_`")
    } else if word.contains(RESERVED) {
        Some("contains a comma, `>` or `|`; use other characters")
    } else {
        None
    }
}

/// Returns the position of each name in the list of nodes.
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
            wrong(format!("there is no player {k}; expected 1 to {MAX_PLAYERS}"))
        }
        Kind::Player(k) if width == 1 && k > 2 => wrong(format!(
            "player {k} moves here, but the leaves have a single value, which allows players 1 and \
             2; give each leaf one value per player"
        )),
        Kind::Player(k) if width > 1 && k > width => wrong(format!(
            "player {k} moves here, but the leaves have values for {width} players only"
        )),
        Kind::Max | Kind::Min if width > 1 => wrong(format!(
            "max and min need a single value at each leaf, but the leaves have {width}; write the \
             number of the player who moves"
        )),
        Kind::Leaf if !node.moves.is_empty() => wrong(
            "it has moves, but a leaf has none; make it a node of a player or of chance".to_owned(),
        ),
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
                format_args!("two moves have the label `{label}`; change one of them"),
            ));
        }
    }
    check_probabilities(node)
}

/// Maximum rounding error of the sum of probabilities.
const PROBABILITY_TOLERANCE: f64 = 1e-9;

fn check_probabilities(node: &Node) -> Result<(), ParseError> {
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
                    "the outcome to `{}` has no probability, but others have one; write all \
                     probabilities, or none for equally likely outcomes",
                    edge.to
                ),
            ));
        };
        if !(p > 0.0 && p <= 1.0 + PROBABILITY_TOLERANCE) {
            return Err(fault(
                &node.name,
                format_args!(
                    "the outcome to `{}` has the probability {p}; it must be above 0 and at most \
                     1 (leave out impossible outcomes)",
                    edge.to
                ),
            ));
        }
        sum += p;
    }
    if (sum - 1.0).abs() > PROBABILITY_TOLERANCE {
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
        return wrong(format!("it has {width} values; at most {MAX_PLAYERS} players are possible"));
    }
    if !node.values.is_empty() && node.values.len() != width {
        return wrong(format!(
            "found {} value(s), expected {width} as at other nodes, one per player",
            node.values.len()
        ));
    }
    if node.kind == Kind::Leaf
        && node.values.is_empty()
        && node.rollouts.is_empty()
        && node.stats.is_none()
    {
        return wrong("a leaf needs a value, rollouts or stats".to_owned());
    }
    if let Some(x) = node.values.iter().chain(&node.rollouts).find(|x| !x.is_finite()) {
        return wrong(format!("expected finite numbers as values, found {x}"));
    }
    if width > 1 && !node.rollouts.is_empty() {
        return wrong(format!(
            "rollouts are possible only with a single value per leaf, but leaves have {width} \
             values; leave them out"
        ));
    }
    if let Some(NodeStats::Known { wins, visits }) = node.stats
        && !(0.0..=visits as f64).contains(&wins)
    {
        return wrong(format!(
            "found {wins} wins in {visits} visits; wins must be between 0 and the visits"
        ));
    }
    Ok(())
}

fn check_player_kinds(nodes: &[Node]) -> Result<(), ParseError> {
    let sided = nodes.iter().find(|node| matches!(node.kind, Kind::Max | Kind::Min));
    let numbered = nodes.iter().find(|node| matches!(node.kind, Kind::Player(_)));
    if let (Some(sided), Some(numbered)) = (sided, numbered) {
        return Err(fault(
            &numbered.name,
            format_args!(
                "it belongs to a numbered player, but node `{}` is max or min; use either numbers \
                 or max and min (max is player 1, min is player 2)",
                sided.name
            ),
        ));
    }
    Ok(())
}

const NO_PARENT: u32 = u32::MAX;

/// Children of each node, and parent of each node.
type Family = (Vec<Vec<u32>>, Vec<u32>);

fn family(nodes: &[Node], ids: &HashMap<&str, u32>, root: u32) -> Result<Family, ParseError> {
    let mut parents = vec![NO_PARENT; nodes.len()];
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
            if child != root && *parent == NO_PARENT {
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

/// Returns the error for a move from `parent` to `child`, which is the root or already has a
/// parent.
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

/// Returns a node, its parent, and so on. The number is limited by the number of nodes, because
/// there can be cycles.
fn ancestors(parents: &[u32], from: u32) -> impl Iterator<Item = u32> {
    let up = |&node: &u32| Some(parents[node as usize]).filter(|&parent| parent != NO_PARENT);
    std::iter::successors(Some(from), up).take(parents.len() + 1)
}

/// Returns the nodes level by level from the root.
fn level_order(
    nodes: &[Node],
    children: &[Vec<u32>],
    parents: &[u32],
    root: u32,
) -> Result<Vec<u32>, ParseError> {
    // No node has two parents and the root has none, so no node is listed twice.
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
    let unreached = reached.iter().position(|&is_reached| !is_reached).unwrap_or_default() as u32;
    let top = ancestors(parents, unreached).last().unwrap_or(unreached);
    let what = if parents[top as usize] == NO_PARENT {
        "no move leads to it; add one, or remove the node"
    } else {
        "it is on a cycle that the root does not reach; remove the cycle and add a move to it"
    };
    Err(fault(&nodes[top as usize].name, what))
}
