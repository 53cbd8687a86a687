//! A position as a page names it: the game, where it begins, the moves.

use std::fmt;
use std::sync::Arc;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use tussle_catalog::{AnyGame, AnyPosition, Catalog, Spec};
use tussle_engine::PlayerSpec;
use utoipa::ToSchema;

use crate::refusal::Refusal;

/// Trees of the lectures, which a page may name as if they were files.
pub(crate) const TREES: &[(&str, &str)] = &[
    ("lecture-alphabeta", include_str!("../../../examples/trees/lecture-alphabeta.json")),
    ("lecture-mcts", include_str!("../../../examples/trees/lecture-mcts.json")),
    ("star1", include_str!("../../../examples/trees/star1.json")),
    ("coin", include_str!("../../../examples/trees/coin.json")),
    ("kplayer", include_str!("../../../examples/trees/kplayer.json")),
    ("ucb1-exercise", include_str!("../../../examples/trees/ucb1-exercise.json")),
];

/// Moves of one game. The longest that somebody played has some hundred.
const MOST_MOVES: usize = 10_000;

/// Levels of a tree that is sent as text: searches and drawings call themselves for every one.
const MOST_LEVELS: usize = 200;

/// Plies that a search may be told to look ahead.
const MOST_PLIES: u32 = 1000;

/// A position: the game, where it begins, and the moves. The server keeps none.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Place {
    /// The spec of the game: `go:size=5`. A file is not opened; `tree:file=NAME` names a tree of /api/trees.
    pub(crate) game: String,
    /// The tree or board of a game that is read from a file, as text.
    pub(crate) text: Option<String>,
    /// The position it begins with, as the game writes it; the game's own start if this is left out.
    pub(crate) start: Option<String>,
    /// The moves from there.
    #[serde(default, deserialize_with = "few")]
    pub(crate) moves: Vec<String>,
}

/// Reads moves, and gives up where nobody would play on.
fn few<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    struct Moves;

    impl<'de> Visitor<'de> for Moves {
        type Value = Vec<String>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("moves")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<Vec<String>, A::Error> {
            let mut moves = Vec::new();
            while let Some(mv) = all.next_element()? {
                moves.push(mv);
                if moves.len() > MOST_MOVES {
                    let why = format!("a game has {MOST_MOVES} moves at most here");
                    return Err(serde::de::Error::custom(why));
                }
            }
            Ok(moves)
        }
    }

    from.deserialize_seq(Moves)
}

/// A game and a position of it.
pub(crate) type Opened = (Arc<dyn AnyGame>, Box<dyn AnyPosition>);

impl Place {
    /// The rules. Files of this machine are not opened for a page.
    pub(crate) fn rules(&self, catalog: &Catalog) -> Result<Arc<dyn AnyGame>, Refusal> {
        let spec = Spec::parse(&self.game)?;
        if let Some(text) = &self.text {
            let game = catalog.game_from_text(&spec.name, "file", text)?;
            if game.tree_file().is_some_and(|file| file.levels > MOST_LEVELS) {
                return Err(Refusal::wrong(format!(
                    "a tree of this server has {MOST_LEVELS} levels at most"
                )));
            }
            return Ok(game);
        }
        if let ("tree", Some(name)) = (spec.name.as_str(), spec.value("file"))
            && let Some((_, text)) = TREES.iter().find(|(tree, _)| *tree == name)
        {
            return Ok(catalog.game_from_text("tree", "file", text)?);
        }
        if let Some(file) = catalog.named_file(&self.game) {
            let names: Vec<&str> = TREES.iter().map(|(name, _)| *name).collect();
            return Err(Refusal::forbidden(format!(
                "{file}: a page opens no files of the server; send the text itself, or name a tree of the \
                 lectures: {}",
                names.join(", ")
            )));
        }
        Ok(catalog.game(&self.game)?)
    }

    /// Where it begins.
    pub(crate) fn start(&self, game: &dyn AnyGame) -> Result<Box<dyn AnyPosition>, Refusal> {
        Ok(match &self.start {
            Some(text) => game.position(text)?,
            None => game.start(),
        })
    }

    /// The game and the position after the moves.
    pub(crate) fn open(&self, catalog: &Catalog) -> Result<Opened, Refusal> {
        let game = self.rules(catalog)?;
        let position = self.position(game.as_ref())?;
        Ok((game, position))
    }

    /// The position after the moves, by rules that are at hand: agents know only positions of their own.
    pub(crate) fn position(&self, game: &dyn AnyGame) -> Result<Box<dyn AnyPosition>, Refusal> {
        let mut position = self.start(game)?;
        for (i, mv) in self.moves.iter().enumerate() {
            position.play(mv).map_err(|e| Refusal::wrong(format!("move {}: {e}", i + 1)))?;
        }
        // After an error of the rules every position counts as finished.
        let _ = position.turn();
        match game.failure() {
            Some(error) => Err(Refusal::failed(error)),
            None => Ok(position),
        }
    }
}

/// Rejects a tree with leaves that have no value: a search would find nothing there.
pub(crate) fn check_values(game: &dyn AnyGame) -> Result<(), Refusal> {
    match game.tree_file() {
        Some(file) if !file.bare_leaves.is_empty() => Err(Refusal::wrong(format!(
            "a tree without values cannot be searched: {} have none; give them a `value`, or name no agent to \
             work with wins and visits",
            file.bare_leaves.join(", ")
        ))),
        _ => Ok(()),
    }
}

/// How far a search is told to look ahead.
pub(crate) fn check_depth(depth: Option<u32>) -> Result<(), Refusal> {
    if depth.is_some_and(|depth| depth > MOST_PLIES) {
        return Err(Refusal::wrong(format!(
            "depth: a search looks {MOST_PLIES} plies ahead at most"
        )));
    }
    Ok(())
}

/// An agent's spec as a page names it: no files, no programs.
pub(crate) fn check_agent(catalog: &Catalog, spec: &str) -> Result<(), Refusal> {
    let depth = Spec::parse(spec).ok().and_then(|spec| spec.value("depth")?.parse().ok());
    check_depth(depth)?;
    if let PlayerSpec::Program { .. } = PlayerSpec::parse(spec) {
        return Err(Refusal::forbidden(format!("{spec}: a program only plays")));
    }
    check_files(catalog, spec)
}

/// A spec that names no file.
pub(crate) fn check_files(catalog: &Catalog, spec: &str) -> Result<(), Refusal> {
    match catalog.named_file(spec) {
        Some(file) => {
            Err(Refusal::forbidden(format!("{file}: a page opens no files of the server")))
        }
        None => Ok(()),
    }
}
