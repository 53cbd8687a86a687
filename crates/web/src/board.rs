//! Positions in the form in which a page shows them.

use serde::Serialize;
use tussle_catalog::{AnyGame, AnyPosition, turns};
use tussle_core::Scene;
use tussle_view::{CELL, PADDING, svg_for_page};
use utoipa::ToSchema;

use crate::holds::holds;

/// Drawing of a position, with its clickable spots.
#[derive(Serialize, ToSchema)]
pub(crate) struct Board {
    /// The drawing. Its colours follow the page's `color-scheme`.
    pub(crate) svg: String,
    /// Clickable areas, in pixels of the drawing.
    spots: Vec<Spot>,
    /// Legal moves as sequences of clicks.
    choices: Vec<Choice>,
}

/// Clickable area of a drawing, in its pixels.
#[derive(Serialize, ToSchema)]
struct Spot {
    name: String,
    /// Pieces on the spot, in words; left out if there are none.
    #[serde(skip_serializing_if = "String::is_empty")]
    holds: String,
    x: f32,
    y: f32,
    w: f32,
    h: f32,
}

/// Legal move as a sequence of clicks.
#[derive(Serialize, ToSchema)]
struct Choice {
    #[serde(rename = "move")]
    mv: String,
    /// Indices of the spots to click.
    spots: Vec<usize>,
}

impl Board {
    pub(crate) fn new(scene: &Scene, players: usize) -> Self {
        let at = |cells: f32| PADDING + CELL * cells;
        let spots = scene.spots.iter().enumerate().map(|(i, spot)| Spot {
            name: spot.name.clone(),
            holds: holds(scene, i, players),
            x: at(spot.x),
            y: at(spot.y),
            w: CELL * spot.w,
            h: CELL * spot.h,
        });
        let choices = scene.choices.iter();
        Self {
            svg: svg_for_page(scene),
            spots: spots.collect(),
            choices: choices
                .map(|choice| Choice { mv: choice.mv.clone(), spots: choice.spots.clone() })
                .collect(),
        }
    }
}

/// Position with everything that a page shows of it.
#[derive(Serialize, ToSchema)]
pub(crate) struct PositionView {
    /// Spec of the game.
    game: String,
    players: usize,
    /// The position as one line of text.
    position: String,
    /// Player to move: `first`, `second` and so on, `chance` or `over`.
    turn: String,
    /// Number of the player to move, from 0.
    player: Option<usize>,
    /// Moves made, in the notation of the game.
    moves: Vec<String>,
    /// Player who made each move; null for chance.
    movers: Vec<Option<usize>>,
    /// The legal moves.
    legal: Vec<String>,
    /// Probabilities of the outcomes in `legal`, if chance is to move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    probabilities: Vec<f64>,
    /// Result, if the game is over.
    result: Option<GameResult>,
    board: Board,
}

/// Result of a finished game.
#[derive(Serialize, ToSchema)]
struct GameResult {
    utilities: Vec<f64>,
    /// Number of the only winner, from 0; null if there is none.
    winner: Option<usize>,
    /// Result in words.
    words: String,
}

impl PositionView {
    pub(crate) fn new(game: &dyn AnyGame, position: &dyn AnyPosition) -> Self {
        let turn = position.turn();
        Self {
            game: game.spec().to_owned(),
            players: game.players(),
            position: position.text(),
            turn: turns::turn(game.players(), turn),
            player: turns::mover(turn),
            moves: position.history().to_vec(),
            movers: movers(position),
            legal: position.moves(),
            probabilities: position.probabilities(),
            result: position.utilities().map(|utilities| GameResult {
                winner: turns::winner(&utilities),
                words: turns::result(&utilities),
                utilities,
            }),
            board: Board::new(&position.scene(), game.players()),
        }
    }
}

/// Returns the player who made each move of the position's history; `None` for chance.
fn movers(position: &dyn AnyPosition) -> Vec<Option<usize>> {
    let mut back = position.boxed();
    let mut movers = Vec::new();
    while back.undo() {
        movers.push(turns::mover(back.turn()));
    }
    movers.reverse();
    movers
}
