//! Options for the position in which a command starts.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use tussle_catalog::{AnyGame, AnyPosition, Catalog, file, sgf};

use crate::failure::{Failure, check_rules};

/// Start position of a command.
#[derive(Args)]
pub(crate) struct StartPosition {
    /// Start position, instead of that of the game
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// SGF record of a Go game, whose last position is the start. With the game `go`, the record sets
    /// the size and komi
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    sgf: Option<PathBuf>,
    /// Moves to make first, separated by commas or spaces
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    moves: String,
}

/// Game and a position of it.
type GameAndPosition = (Arc<dyn AnyGame>, Box<dyn AnyPosition>);

impl StartPosition {
    /// Returns true if another position than the start of the game was given.
    pub(crate) fn is_given(&self) -> bool {
        self.position.is_some() || self.sgf.is_some() || !self.moves.is_empty()
    }

    /// Returns the game and the start position.
    pub(crate) fn open(&self, catalog: &Catalog, spec: &str) -> Result<GameAndPosition, Failure> {
        let (game, mut position) = if let Some(path) = &self.sgf {
            replay(catalog, spec, path)?
        } else {
            let game = catalog.game(spec)?;
            let position = match &self.position {
                Some(text) => game.position(text)?,
                None => game.start(),
            };
            (game, position)
        };
        let moves = self.moves.split([',', ' ']).filter(|mv| !mv.is_empty());
        for (i, mv) in moves.enumerate() {
            position.play(mv).map_err(|e| Failure::usage(format!("move {}: {e}", i + 1)))?;
        }
        check_rules(game.as_ref())?;
        Ok((game, position))
    }
}

/// Returns the last position of a recorded game. For the spec `go`, the record sets the rules.
fn replay(catalog: &Catalog, spec: &str, path: &Path) -> Result<GameAndPosition, Failure> {
    let wrong = |why: String| Failure::usage(format!("{}: {why}", path.display()));
    let text = file::read_text(path).map_err(|e| wrong(e.to_string()))?;
    let record = sgf::read(&text).map_err(|e| wrong(e.to_string()))?;
    let game = catalog.game(if spec == "go" { &record.spec } else { spec })?;
    if spec != "go" && game.spec() != record.spec {
        return Err(wrong(format!(
            "the record is of {}, not of {}; use the game `go` to take the rules from the record",
            record.spec,
            game.spec()
        )));
    }
    let mut position = game.position(&record.start)?;
    for mv in &record.moves {
        position.play(mv)?;
    }
    Ok((game, position))
}
