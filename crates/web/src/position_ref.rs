//! Reference to a position in a request: game, start position and moves.

use std::fmt;
use std::sync::Arc;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use tussle_catalog::{AnyGame, AnyPosition, Catalog, Spec};
use tussle_engine::PlayerSpec;
use utoipa::ToSchema;

use crate::api_error::ApiError;

/// Built-in trees, which a request may name like files.
pub(crate) const TREES: &[(&str, &str)] = &[
    ("lecture-alphabeta", include_str!("../../../examples/trees/lecture-alphabeta.json")),
    ("lecture-mcts", include_str!("../../../examples/trees/lecture-mcts.json")),
    ("star1", include_str!("../../../examples/trees/star1.json")),
    ("coin", include_str!("../../../examples/trees/coin.json")),
    ("kplayer", include_str!("../../../examples/trees/kplayer.json")),
    ("ucb1-exercise", include_str!("../../../examples/trees/ucb1-exercise.json")),
];

/// Maximum number of moves of a game in a request. Real games have a few hundred.
const MAX_MOVES: usize = 10_000;

/// Maximum number of levels of a tree that is sent as text. Searches and drawings recurse for each level.
const MAX_TREE_LEVELS: usize = 200;

/// Maximum depth limit of a search.
const MAX_DEPTH_PLIES: u32 = 1000;

/// Position, given by the game, the start position and the moves. The server does not store it.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PositionRef {
    /// Spec of the game: `go:size=5`. It may not name a file; `tree:file=NAME` names a tree of /api/trees.
    pub(crate) game: String,
    /// Text of the tree or board, for a game that is read from a file.
    pub(crate) text: Option<String>,
    /// Start position, in the notation of the game [default: the start position of the game].
    pub(crate) start: Option<String>,
    /// Moves from the start position.
    #[serde(default, deserialize_with = "parse_moves")]
    pub(crate) moves: Vec<String>,
}

/// Parses at most [`MAX_MOVES`] moves.
fn parse_moves<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    struct Moves;

    impl<'de> Visitor<'de> for Moves {
        type Value = Vec<String>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of moves")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<Vec<String>, A::Error> {
            let mut moves = Vec::new();
            while let Some(mv) = all.next_element()? {
                moves.push(mv);
                if moves.len() > MAX_MOVES {
                    let error = format!("expected at most {MAX_MOVES} moves");
                    return Err(serde::de::Error::custom(error));
                }
            }
            Ok(moves)
        }
    }

    from.deserialize_seq(Moves)
}

/// Game and a position of it.
pub(crate) type GamePosition = (Arc<dyn AnyGame>, Box<dyn AnyPosition>);

impl PositionRef {
    /// Returns the rules of the game. Specs that name a file of the server are rejected.
    pub(crate) fn rules(&self, catalog: &Catalog) -> Result<Arc<dyn AnyGame>, ApiError> {
        let spec = Spec::parse(&self.game)?;
        if let Some(text) = &self.text {
            let game = catalog.game_from_text(&spec.name, "file", text)?;
            if let Some(levels) = game.tree_file().map(|file| file.levels)
                && levels > MAX_TREE_LEVELS
            {
                return Err(ApiError::bad_request(format!(
                    "text: expected a tree of at most {MAX_TREE_LEVELS} levels, found {levels}"
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
            return Err(ApiError::forbidden(format!(
                "{file}: pages may not open files of the server; send the text itself or name a built-in tree: {}",
                names.join(", ")
            )));
        }
        Ok(catalog.game(&self.game)?)
    }

    /// Returns the start position.
    pub(crate) fn start(&self, game: &dyn AnyGame) -> Result<Box<dyn AnyPosition>, ApiError> {
        Ok(match &self.start {
            Some(text) => game.position(text)?,
            None => game.start(),
        })
    }

    /// Returns the game and the position after the moves.
    pub(crate) fn open(&self, catalog: &Catalog) -> Result<GamePosition, ApiError> {
        let game = self.rules(catalog)?;
        let position = self.position(game.as_ref())?;
        Ok((game, position))
    }

    /// Returns the position after the moves.
    ///
    /// `game` must be the rules with which the agent was created, because an agent accepts only positions of its own rules.
    pub(crate) fn position(&self, game: &dyn AnyGame) -> Result<Box<dyn AnyPosition>, ApiError> {
        let mut position = self.start(game)?;
        for (i, mv) in self.moves.iter().enumerate() {
            position.play(mv).map_err(|e| ApiError::bad_request(format!("move {}: {e}", i + 1)))?;
        }
        // After an error of the rules every position counts as finished.
        let _ = position.turn();
        match game.failure() {
            Some(error) => Err(ApiError::internal(error)),
            None => Ok(position),
        }
    }
}

/// Rejects a tree in which a leaf has no value.
pub(crate) fn check_values(game: &dyn AnyGame) -> Result<(), ApiError> {
    match game.tree_file() {
        Some(file) if !file.bare_leaves.is_empty() => Err(ApiError::bad_request(format!(
            "the tree cannot be searched: these leaves have no value: {}; add a `value` to each, or name no agent to \
             solve a tree with wins and visits as an exercise",
            file.bare_leaves.join(", ")
        ))),
        _ => Ok(()),
    }
}

/// Rejects a depth limit above the maximum.
pub(crate) fn check_depth(depth: Option<u32>) -> Result<(), ApiError> {
    match depth {
        Some(depth) if depth > MAX_DEPTH_PLIES => Err(ApiError::bad_request(format!(
            "depth: expected at most {MAX_DEPTH_PLIES} plies, found {depth}"
        ))),
        _ => Ok(()),
    }
}

/// Rejects agent specs that name an external program or a file, or have too large a depth limit.
pub(crate) fn check_agent(catalog: &Catalog, spec: &str) -> Result<(), ApiError> {
    let depth = Spec::parse(spec).ok().and_then(|spec| spec.value("depth")?.parse().ok());
    check_depth(depth)?;
    if let PlayerSpec::Program { .. } = PlayerSpec::parse(spec) {
        return Err(ApiError::forbidden(format!(
            "{spec}: an external program can only play; name a built-in agent"
        )));
    }
    check_files(catalog, spec)
}

/// Rejects specs that name a file.
pub(crate) fn check_files(catalog: &Catalog, spec: &str) -> Result<(), ApiError> {
    match catalog.named_file(spec) {
        Some(file) => {
            Err(ApiError::forbidden(format!("{file}: pages may not open files of the server")))
        }
        None => Ok(()),
    }
}
