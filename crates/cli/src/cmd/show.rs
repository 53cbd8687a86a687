//! `tussle show`

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use tussle_catalog::{Catalog, sgf};
use tussle_core::Turn;

use crate::args::{Picture, StartPosition};
use crate::failure::Failure;
use crate::{layout, output, turns};

/// Draw a position as text, SVG or PNG
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
    /// Game spec, name[:key=value,…]; see `tussle games`
    game: String,
    #[command(flatten)]
    from: StartPosition,
    #[command(flatten)]
    picture: Picture,
    /// SGF file for the game up to this position (Go only)
    #[arg(long, value_name = "FILE")]
    write_sgf: Option<PathBuf>,
    /// Print one JSON document instead of the drawing
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document<'a> {
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
            return output::json(&Document {
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
                text +=
                    &layout::fit(&format!("chance: {}\n", listed.collect::<Vec<_>>().join(" ")));
            }
            _ => {
                let moves = position.moves();
                text += &layout::fit(&format!("{turn} to move: {}\n", moves.join(" ")));
            }
        }
        output::print(&text)
    }
}
