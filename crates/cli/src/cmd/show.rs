//! `tussle show`

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use serde::Serialize;
use tussle_catalog::{AnyGame, AnyPosition, Catalog, file, sgf};
use tussle_core::Turn;

use super::picture::Picture;
use crate::failure::Failure;
use crate::{output, turns};

/// Draw a position: as text, SVG or PNG
///
/// Examples:
///   tussle show gobblet
///   tussle show connect4 --moves 4,4,3 --svg board.svg
///   tussle show tictactoe --position "x../.o./... x" --png board.png
///   tussle show keep-on-moving:board=2 --json
///   tussle show go --sgf game.sgf
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Show {
    /// The game: name[:key=value,…], as `tussle games` lists them.
    game: String,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    picture: Picture,
    /// Write the game, up to this position, as SGF to this file (Go only).
    #[arg(long, value_name = "FILE")]
    write_sgf: Option<PathBuf>,
    /// One JSON document instead of the drawing.
    #[arg(long)]
    json: bool,
}

/// The position a command begins with.
#[derive(Args)]
pub(super) struct From {
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
pub(super) type Opened = (Arc<dyn AnyGame>, Box<dyn AnyPosition>);

impl From {
    /// The game and the position asked for.
    pub(super) fn open(&self, catalog: &Catalog, spec: &str) -> Result<Opened, Failure> {
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

#[derive(Serialize)]
struct Shown<'a> {
    game: &'a str,
    position: String,
    turn: String,
    moves: Vec<String>,
    result: Option<Vec<f64>>,
    drawing: String,
}

impl Show {
    pub(crate) fn run(&self, catalog: &Catalog) -> Result<(), Failure> {
        let (game, position) = self.from.open(catalog, &self.game)?;
        if let Some(path) = &self.write_sgf {
            let record = sgf::write(position.as_ref(), ["Black", "White"])?;
            output::write(path, record)?;
        }
        let scene = position.scene();
        self.picture.write(&scene)?;
        let turn = turns::turn(game.players(), position.turn());
        if self.json {
            return output::json(&Shown {
                game: game.spec(),
                position: position.text(),
                turn,
                moves: position.moves(),
                result: position.utilities(),
                drawing: scene.text(),
            });
        }
        let mut text = output::drawing(&scene);
        text += &format!("\nposition: {}\n", position.text());
        match (position.turn(), position.utilities()) {
            (_, Some(utilities)) => {
                text += &format!("over: {} {utilities:?}\n", turns::result(&utilities));
            }
            (Turn::Chance, None) => {
                let odds = position.probabilities();
                let outcomes = position.moves();
                let listed = outcomes.iter().zip(odds).map(|(mv, p)| format!("{mv} ({p:.4})"));
                text += &format!("chance: {}\n", listed.collect::<Vec<_>>().join(" "));
            }
            _ => {
                let moves = position.moves();
                text += &format!("{turn} to move: {}\n", moves.join(" "));
            }
        }
        output::print(&text)
    }
}
