//! A position as a page shows it.

use serde::Serialize;
use tussle_catalog::{AnyGame, AnyPosition, turns};
use tussle_core::Scene;
use tussle_view::{CELL, PADDING, svg_for_page};
use utoipa::ToSchema;

use crate::holds::holds;

/// A drawing and what can be clicked in it.
#[derive(Serialize, ToSchema)]
pub(crate) struct Board {
    /// The drawing; its colours follow the page's `color-scheme`.
    pub(crate) svg: String,
    /// What can be clicked, in pixels of the drawing.
    spots: Vec<Spot>,
    /// The legal moves as clicks.
    choices: Vec<Choice>,
}

/// A part of the drawing that can be clicked, in its pixels.
#[derive(Serialize, ToSchema)]
struct Spot {
    name: String,
    /// Pieces on it, in words; left out if there are none.
    #[serde(skip_serializing_if = "String::is_empty")]
    holds: String,
    x: f32,
    y: f32,
    w: f32,
    h: f32,
}

/// A legal move as clicks.
#[derive(Serialize, ToSchema)]
struct Choice {
    #[serde(rename = "move")]
    mv: String,
    /// The clicks that make the move, as indices of spots.
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

/// All that a page needs to know of a position.
#[derive(Serialize, ToSchema)]
pub(crate) struct Seen {
    /// The spec of the game.
    game: String,
    players: usize,
    /// The position in one line.
    position: String,
    /// Player to move: `first`, `second` and so on; or `chance`, `over`.
    turn: String,
    /// The player to move, from 0.
    player: Option<usize>,
    /// The moves made, as the game writes them.
    moves: Vec<String>,
    /// Player who made each of them; null for chance.
    movers: Vec<Option<usize>>,
    /// The legal moves.
    legal: Vec<String>,
    /// Probabilities of the outcomes in `legal`, if chance is to move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    probabilities: Vec<f64>,
    /// How a finished game ended.
    result: Option<Ended>,
    board: Board,
}

/// How a game ended.
#[derive(Serialize, ToSchema)]
struct Ended {
    utilities: Vec<f64>,
    /// The winner, from 0, if there is one alone.
    winner: Option<usize>,
    /// Result in words.
    words: String,
}

impl Seen {
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
            result: position.utilities().map(|utilities| Ended {
                winner: turns::winner(&utilities),
                words: turns::result(&utilities),
                utilities,
            }),
            board: Board::new(&position.scene(), game.players()),
        }
    }
}

/// Who made the moves that led here.
fn movers(position: &dyn AnyPosition) -> Vec<Option<usize>> {
    let mut back = position.boxed();
    let mut movers = Vec::new();
    while back.undo() {
        movers.push(turns::mover(back.turn()));
    }
    movers.reverse();
    movers
}
