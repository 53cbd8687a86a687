//! Game trees from JSON files.
//!
//! ```text
//! { "root": "A", "range": [-6, 6],
//!   "nodes": { "A": { "max": ["B", { "to": "C", "move": "right" }] },
//!              "B": 3,
//!              "C": { "chance": [{ "to": "D", "p": 0.25 }, { "to": "E", "p": "3/4" }] },
//!              "D": { "value": -2, "rollouts": [1, -1] },
//!              "E": { "stats": { "wins": 1, "visits": 5 } } } }
//! ```
//! Nodes are listed next to each other and not nested, so that a deep tree is not a deep text. Visitors are
//! written by hand where derived ones would accept a name twice (maps keep the last) or give the error "did not
//! match any variant".

use std::collections::HashMap;
use std::fmt;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use tussle_core::{Game as _, ParseError, Turn};
use tussle_games::tree::{self, Edge, Kind, MAX_NODES, Node, NodeStats, State, Tree};
use tussle_games::{DuelTree, ManyTree};

/// Game tree of one of the two types.
#[derive(Clone, Debug)]
pub(crate) enum TreeGame {
    /// Tree with one value per leaf.
    Duel(DuelTree),
    /// Tree with a value for each player.
    Many(ManyTree),
}

/// Facts of a tree file that are not rules of its game.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeFile {
    /// Number of levels, including that of the root.
    pub levels: usize,
    /// Sorted names of the leaves that have neither a value nor rollouts.
    pub bare_leaves: Vec<String>,
    /// Wins and visits by name of the node, for exercises about UCB1.
    pub statistics: HashMap<String, NodeStats>,
}

impl TreeFile {
    /// Collects the facts of a tree.
    pub(crate) fn new<const DUEL: bool>(tree: &Tree<DUEL>) -> Self {
        let name = |state: &State| tree.name(state).to_owned();
        let is_bare = |state: &State| {
            tree.turn(state) == Turn::Over
                && !tree.has_value(state)
                && tree.rollouts(state).is_empty()
        };
        let mut bare_leaves: Vec<String> =
            tree.nodes().filter(is_bare).map(|state| name(&state)).collect();
        bare_leaves.sort_unstable();
        let written = |state: State| Some((name(&state), tree.stats(&state)?));
        let statistics = tree.nodes().filter_map(written).collect();
        Self { levels: tree.levels(), bare_leaves, statistics }
    }
}

/// Parses the text of a tree file; `path` is used in messages only.
///
/// # Errors
/// If the text is malformed (the message has line and column) or the nodes do not form a tree (the message names the
/// node).
pub(crate) fn read(path: &str, text: &str) -> Result<TreeGame, ParseError> {
    // Some editors write a byte order mark at the start of a file.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let file: File =
        serde_json::from_str(text).map_err(|error| ParseError::new(format!("{path}: {error}")))?;
    let File { root, nodes: Nodes(nodes), range, .. } = file;
    let tree = if tree::is_duel(&nodes) {
        DuelTree::new(nodes, &root).and_then(|tree| in_range(tree, range)).map(TreeGame::Duel)
    } else {
        ManyTree::new(nodes, &root).and_then(|tree| in_range(tree, range)).map(TreeGame::Many)
    };
    tree.map_err(|error| ParseError::new(format!("{path}: {error}")))
}

fn in_range<const DUEL: bool>(
    tree: Tree<DUEL>,
    range: Option<(f64, f64)>,
) -> Result<Tree<DUEL>, ParseError> {
    match range {
        Some((low, high)) => tree.with_range(low, high),
        None => Ok(tree),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `root` and `nodes`")]
struct File {
    /// Note for people; ignored.
    #[serde(default, rename = "about")]
    _about: String,
    root: String,
    /// Least and largest value of a node.
    #[serde(default, deserialize_with = "least_and_largest")]
    range: Option<(f64, f64)>,
    nodes: Nodes,
}

fn least_and_largest<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<(f64, f64)>, D::Error> {
    let wrong = "`range`: expected the least and the largest value, as in [-6, 6]";
    let Ok(numbers) = Vec::<f64>::deserialize(deserializer) else {
        return Err(D::Error::custom(wrong));
    };
    match numbers[..] {
        [low, high] => Ok(Some((low, high))),
        _ => Err(D::Error::custom(wrong)),
    }
}

/// Nodes in the order of the file. A repeated name is kept, so that [`Tree`] can reject it.
struct Nodes(Vec<Node>);

impl<'de> Deserialize<'de> for Nodes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Names;
        impl<'de> Visitor<'de> for Names {
            type Value = Nodes;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with a node for each name")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Nodes, A::Error> {
                let mut nodes = Vec::new();
                while let Some(name) = map.next_key::<String>()? {
                    if nodes.len() == MAX_NODES {
                        let what = format!("more than {MAX_NODES} nodes, which is the limit");
                        return Err(A::Error::custom(what));
                    }
                    nodes.push(map.next_value_seed(NamedNode(name))?);
                }
                Ok(Nodes(nodes))
            }
        }
        deserializer.deserialize_map(Names)
    }
}

/// Deserialises the node with this name, and adds the name to its error messages.
struct NamedNode(String);

impl<'de> DeserializeSeed<'de> for NamedNode {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        let Self(name) = self;
        let at = |error: D::Error| D::Error::custom(format_args!("node `{name}`: {error}"));
        let node =
            deserializer.deserialize_any(Body).and_then(NodeObject::into_node).map_err(at)?;
        Ok(Node { name, ..node })
    }
}

/// Node as a JSON object. `player` needs `moves`; `max`, `min` and `chance` contain their moves.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct NodeObject {
    max: Option<Vec<Move>>,
    min: Option<Vec<Move>>,
    chance: Option<Vec<Move>>,
    player: Option<usize>,
    moves: Option<Vec<Move>>,
    value: Option<Values>,
    #[serde(default)]
    rollouts: Vec<f64>,
    #[serde(default, deserialize_with = "known_or_asked")]
    stats: Option<NodeStats>,
}

impl NodeObject {
    fn into_node<E: Error>(self) -> Result<Node, E> {
        let numbered = match (self.player, self.moves) {
            (Some(k), Some(moves)) => Some((Kind::Player(k), moves)),
            (None, None) => None,
            (Some(_), None) => return Err(E::custom("`player` needs `moves` in the same node")),
            (None, Some(_)) => {
                return Err(E::custom(
                    "`moves` needs `player` in the same node; for other nodes write \
                     {\"max\": [moves]}, min or chance",
                ));
            }
        };
        let sided = [(Kind::Max, self.max), (Kind::Min, self.min), (Kind::Chance, self.chance)];
        let sided = sided.into_iter().filter_map(|(kind, moves)| Some((kind, moves?)));
        let mut kinds = sided.chain(numbered);
        let (kind, moves) = kinds.next().unwrap_or((Kind::Leaf, Vec::new()));
        if kinds.next().is_some() {
            return Err(E::custom("give only one of `max`, `min`, `chance` and `player`"));
        }
        Ok(Node {
            name: String::new(),
            kind,
            moves: moves.into_iter().map(|Move(edge)| edge).collect(),
            values: self.value.map_or_else(Vec::new, |Values(values)| values),
            rollouts: self.rollouts,
            stats: self.stats,
        })
    }
}

/// Visitor of a node: a leaf as a number or a list of numbers, or an object.
struct Body;

impl<'de> Visitor<'de> for Body {
    type Value = NodeObject;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value, a list of values, or an object such as {\"max\": [moves]}")
    }

    fn visit_i64<E: Error>(self, x: i64) -> Result<NodeObject, E> {
        Numbers.visit_i64(x).map(leaf)
    }

    fn visit_u64<E: Error>(self, x: u64) -> Result<NodeObject, E> {
        Numbers.visit_u64(x).map(leaf)
    }

    fn visit_f64<E: Error>(self, x: f64) -> Result<NodeObject, E> {
        Numbers.visit_f64(x).map(leaf)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<NodeObject, A::Error> {
        Numbers.visit_seq(list).map(leaf)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<NodeObject, A::Error> {
        NodeObject::deserialize(MapAccessDeserializer::new(map))
    }
}

fn leaf(values: Values) -> NodeObject {
    NodeObject { value: Some(values), ..NodeObject::default() }
}

/// Values of a node: one number, or one for each player.
struct Values(Vec<f64>);

impl<'de> Deserialize<'de> for Values {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Numbers)
    }
}

struct Numbers;

impl<'de> Visitor<'de> for Numbers {
    type Value = Values;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number or a list of numbers")
    }

    fn visit_i64<E: Error>(self, x: i64) -> Result<Values, E> {
        Ok(Values(vec![x as f64]))
    }

    fn visit_u64<E: Error>(self, x: u64) -> Result<Values, E> {
        Ok(Values(vec![x as f64]))
    }

    fn visit_f64<E: Error>(self, x: f64) -> Result<Values, E> {
        Ok(Values(vec![x]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Values, A::Error> {
        let mut values = Vec::new();
        while let Some(x) = list.next_element()? {
            values.push(x);
        }
        Ok(Values(values))
    }
}

/// Move: the name of a node, or an object.
struct Move(Edge);

impl<'de> Deserialize<'de> for Move {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct MoveObject {
            to: String,
            #[serde(rename = "move")]
            label: Option<String>,
            p: Option<Chance>,
        }

        struct Target;
        impl<'de> Visitor<'de> for Target {
            type Value = Move;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a node, or an object such as {\"to\": name, \"p\": 0.5}")
            }

            fn visit_str<E: Error>(self, to: &str) -> Result<Move, E> {
                Ok(Move(Edge { to: to.to_owned(), label: None, probability: None }))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Move, A::Error> {
                let MoveObject { to, label, p } =
                    MoveObject::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Move(Edge { to, label, probability: p.map(|Chance(p)| p) }))
            }
        }
        deserializer.deserialize_any(Target)
    }
}

/// Probability: a number, or a fraction as text, because 1/3 has no exact decimal form.
struct Chance(f64);

impl<'de> Deserialize<'de> for Chance {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fraction;
        impl Visitor<'_> for Fraction {
            type Value = Chance;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, or a fraction such as \"1/6\"")
            }

            fn visit_i64<E: Error>(self, p: i64) -> Result<Chance, E> {
                Ok(Chance(p as f64))
            }

            fn visit_u64<E: Error>(self, p: u64) -> Result<Chance, E> {
                Ok(Chance(p as f64))
            }

            fn visit_f64<E: Error>(self, p: f64) -> Result<Chance, E> {
                Ok(Chance(p))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Chance, E> {
                let whole = |part: &str| part.trim().parse::<u32>().ok().map(f64::from);
                let parts = text.split_once('/').map(|(over, under)| (whole(over), whole(under)));
                let Some((Some(over), Some(under))) = parts else {
                    return Err(E::invalid_value(serde::de::Unexpected::Str(text), &self));
                };
                Ok(Chance(over / under))
            }
        }
        deserializer.deserialize_any(Fraction)
    }
}

/// Deserialises the statistics of a node: `null` means that an exercise asks for them; a missing key means that there
/// are none.
fn known_or_asked<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<NodeStats>, D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct KnownStats {
        wins: f64,
        visits: u64,
    }
    let known = Option::<KnownStats>::deserialize(deserializer)?;
    Ok(Some(
        known.map_or(NodeStats::Asked, |KnownStats { wins, visits }| NodeStats::Known {
            wins,
            visits,
        }),
    ))
}

#[cfg(test)]
mod tests;
