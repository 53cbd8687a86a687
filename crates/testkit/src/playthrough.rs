//! A whole game, written down so that any change of rules, notation or drawing shows.

use tussle_catalog::{AnyGame, AnyPosition};
use tussle_core::{Rng, Turn};

/// How many plies are written in full; the rest of a long game only as moves.
const IN_FULL: usize = 12;

/// The seed of a playthrough unless its data file gives another.
pub const SEED: u64 = 2024;

/// Plays a random game with this seed and writes it down.
///
/// # Panics
/// If the game breaks its own contract.
pub fn playthrough(game: &dyn AnyGame, seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut position = game.start();
    let mut text = format!("game {}, {} players\n", game.spec(), game.players());
    loop {
        let ply = position.history().len();
        let over = position.turn() == Turn::Over;
        if ply <= IN_FULL || over {
            text += &describe(game, position.as_ref());
        }
        if over {
            return text;
        }
        let mv = position.roll(&mut rng).unwrap_or_else(|| {
            let moves = position.moves();
            moves[rng.below(moves.len())].clone()
        });
        text += &format!("plays {mv}\n");
        position.play(&mv).expect("a listed move is legal");
    }
}

fn describe(game: &dyn AnyGame, position: &dyn AnyPosition) -> String {
    let ply = position.history().len();
    let mut text = format!("\nply {ply}: {:?}\nposition {}\n", position.turn(), position.text());
    text += &position.scene().text();
    let moves = position.moves();
    text += &format!("{} moves", moves.len());
    for mv in moves {
        text += &format!(" {mv}");
    }
    text.push('\n');
    for evaluation in game.evaluations() {
        let values: Vec<String> = (0..game.players())
            .map(|player| position.evaluate(evaluation.name, player).expect("it is listed"))
            .map(|value| value.to_string())
            .collect();
        text += &format!("{}: {}\n", evaluation.name, values.join(" "));
    }
    if let Some(utilities) = position.utilities() {
        text += &format!("result: {utilities:?}\n");
    }
    text
}
