//! The numbers of an exercise, from the file of its tree.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;
use serde_json::Value;
use tussle_catalog::file::read_text;
use tussle_catalog::{AnyGame, AnyPosition, Spec};
use tussle_core::Turn;

use super::{ExerciseError, Standing};

/// Nobody works out more by hand.
const MOST: usize = 10_000;

/// Wins and visits; nothing where they are asked for.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct Stats {
    wins: f64,
    visits: u64,
}

/// The text of a tree's file; nothing for other games. It was checked when the game was made of it.
pub(in super::super) fn text_of(game: &dyn AnyGame) -> Result<Option<String>, ExerciseError> {
    let spec = Spec::parse(game.spec())?;
    let (Some(path), true) = (spec.value("file"), spec.name == "tree") else { return Ok(None) };
    let unread = |source| ExerciseError::Read { path: path.to_owned(), source };
    read_text(path.as_ref()).map(Some).map_err(unread)
}

/// The nodes as they are written in a tree's text.
fn written(text: &str) -> Result<BTreeMap<String, Value>, ExerciseError> {
    #[derive(Deserialize)]
    struct File {
        nodes: BTreeMap<String, Value>,
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let file: File = serde_json::from_str(text)?;
    Ok(file.nodes)
}

/// Wins and visits by the names of the nodes; nothing if the tree has none.
pub(super) fn stats(text: &str) -> Result<Option<HashMap<String, Option<Stats>>>, ExerciseError> {
    let mut stats = HashMap::new();
    for (name, node) in written(text)? {
        if let Some(value) = node.get("stats") {
            match Option::<Stats>::deserialize(value) {
                Ok(known) => stats.insert(name, known),
                Err(source) => return Err(ExerciseError::Stats { name, source }),
            };
        }
    }
    Ok((!stats.is_empty()).then_some(stats))
}

/// The leaves of a tree that have neither a value nor rollouts, so that a search would find nothing there.
pub fn bare_leaves(text: &str) -> Vec<String> {
    // Whatever cannot be read has been refused before.
    let nodes = written(text).unwrap_or_default();
    let is_bare = |node: &Value| {
        let has = |key: &str| node.get(key).is_some_and(|value| !value.is_null());
        node.is_object()
            && !["max", "min", "chance", "player", "value", "rollouts"].into_iter().any(has)
    };
    nodes.into_iter().filter(|(_, node)| is_bare(node)).map(|(name, _)| name).collect()
}

/// The nodes level by level, and those whose numbers are missing.
pub(super) fn nodes(
    position: &dyn AnyPosition,
    stats: &HashMap<String, Option<Stats>>,
) -> Result<(Vec<Standing>, Vec<usize>), ExerciseError> {
    let mover = |position: &dyn AnyPosition, by: usize| match position.turn() {
        Turn::Player(player) if player < 2 => Ok(player),
        // Nobody moves at a leaf; somebody would, if it were expanded.
        Turn::Over => Ok(1 - by),
        _ => Err(ExerciseError::Players(position.text())),
    };
    let root = position.without_history();
    // Before the root, the rival of the player to move has moved.
    let by = match root.turn() {
        Turn::Player(player) if player < 2 => 1 - player,
        Turn::Over => 1,
        _ => return Err(ExerciseError::Players(root.text())),
    };
    let mut nodes = vec![standing(root.as_ref(), None, by)];
    let mut positions = vec![root];
    let mut at = 0;
    while at < nodes.len() {
        let player = mover(positions[at].as_ref(), nodes[at].by)?;
        for mv in positions[at].moves() {
            let mut child = positions[at].without_history();
            if child.play(&mv).is_err() {
                continue;
            }
            let number = nodes.len();
            nodes[at].children.push(number);
            nodes.push(standing(child.as_ref(), Some(at), player));
            positions.push(child);
        }
        if nodes.len() > MOST {
            return Err(ExerciseError::Large(MOST));
        }
        at += 1;
    }
    let mut missing = Vec::new();
    for (number, node) in nodes.iter_mut().enumerate() {
        match stats.get(&node.name).copied().flatten() {
            Some(Stats { wins, visits }) => (node.wins, node.visits) = (wins, visits),
            None => missing.push(number),
        }
    }
    Ok((nodes, missing))
}

fn standing(position: &dyn AnyPosition, parent: Option<usize>, by: usize) -> Standing {
    Standing {
        name: position.text(),
        parent,
        children: Vec::new(),
        by,
        wins: 0.0,
        visits: 0,
        weight: None,
    }
}
