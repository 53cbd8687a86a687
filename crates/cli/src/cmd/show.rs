//! `tussle show`

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Serialize;
use tussle_catalog::{AnyGame, AnyPosition};
use tussle_core::Turn;

use crate::failure::Failure;
use crate::{output, turns};

/// Draw a position: as text, SVG or PNG
///
/// Examples:
///   tussle show gobblet
///   tussle show connect4 --moves 4,4,3 --svg board.svg
///   tussle show tictactoe --position "x../.o./... x" --png board.png
///   tussle show keep-on-moving:board=2 --json
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Show {
    /// The game: name[:key=value,…], as `tussle games` lists them.
    game: String,
    #[command(flatten)]
    from: From,
    /// Write the drawing as SVG to this file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the drawing as PNG to this file.
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// Colours of the picture.
    #[arg(long, value_enum, default_value_t)]
    theme: Theme,
    /// Size of the PNG: pixels per SVG unit.
    #[arg(long, default_value_t = 2.0, value_name = "FACTOR")]
    scale: f32,
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
    /// Make these moves first, with commas or spaces between them.
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    moves: String,
}

impl From {
    /// The position asked for.
    pub(super) fn position(&self, game: &dyn AnyGame) -> Result<Box<dyn AnyPosition>, Failure> {
        let mut position = match &self.position {
            Some(text) => game.position(text)?,
            None => game.start(),
        };
        let moves = self.moves.split([',', ' ']).filter(|mv| !mv.is_empty());
        for (i, mv) in moves.enumerate() {
            position.play(mv).map_err(|e| Failure::usage(format!("move {}: {e}", i + 1)))?;
        }
        Ok(position)
    }
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum Theme {
    #[default]
    Light,
    Dark,
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
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let game = tussle_catalog::game(&self.game)?;
        let position = self.from.position(game.as_ref())?;
        let scene = position.scene();
        self.write_pictures(&scene)?;
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

    fn write_pictures(&self, scene: &tussle_core::Scene) -> Result<(), Failure> {
        if self.svg.is_none() && self.png.is_none() {
            return Ok(());
        }
        let theme = match self.theme {
            Theme::Light => tussle_view::Theme::Light,
            Theme::Dark => tussle_view::Theme::Dark,
        };
        let svg = tussle_view::svg(scene, theme);
        if let Some(path) = &self.svg {
            std::fs::write(path, &svg).map_err(|e| Failure::cannot_write(path, &e))?;
        }
        if let Some(path) = &self.png {
            let png = tussle_view::png(&svg, self.scale)
                .map_err(|e| Failure::usage(format!("cannot draw the PNG: {e}")))?;
            std::fs::write(path, png).map_err(|e| Failure::cannot_write(path, &e))?;
        }
        Ok(())
    }
}
