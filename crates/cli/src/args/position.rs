//! The position with which a command begins.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use tussle_catalog::{AnyGame, AnyPosition, Catalog, file, sgf};

use crate::failure::{Failure, check_rules};

/// Options for the position with which a command begins.
#[derive(Args)]
pub(crate) struct StartPosition {
    /// Begin with this position instead of the game's start.
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// Begin with the end of a recorded Go game; the record says the size and komi of `go`.
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    sgf: Option<PathBuf>,
    /// Make these moves first, with commas or spaces between them.
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    moves: String,
}

/// A game and a position of it.
type Opened = (Arc<dyn AnyGame>, Box<dyn AnyPosition>);

impl StartPosition {
    /// The game and the position asked for.
    pub(crate) fn open(&self, catalog: &Catalog, spec: &str) -> Result<Opened, Failure> {
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

/// The end of a recorded game. `go` alone leaves the rules to the record.
fn replay(catalog: &Catalog, spec: &str, path: &Path) -> Result<Opened, Failure> {
    let wrong = |why: String| Failure::usage(format!("{}: {why}", path.display()));
    let text = file::read_text(path).map_err(|e| wrong(e.to_string()))?;
    let record = sgf::read(&text).map_err(|e| wrong(e.to_string()))?;
    let game = catalog.game(if spec == "go" { &record.spec } else { spec })?;
    if spec != "go" && game.spec() != record.spec {
        return Err(wrong(format!(
            "a game of {}, not of {}; write just `go` for its rules",
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
