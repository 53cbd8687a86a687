//! Golden playthrough: the text of a whole game, which shows any change of rules, notation or
//! drawing.

use tussle_catalog::{AnyGame, AnyPosition};
use tussle_core::{Rng, Turn};

/// Number of plies with full descriptions. Of later plies, only the moves are written.
const DESCRIBED_PLIES: usize = 12;

/// Default seed of a playthrough; a data file can set another one.
pub const SEED: u64 = 2024;

/// Plays a random game with this seed and returns its text.
///
/// # Panics
/// If the game breaks the contract of its traits.
pub fn playthrough(game: &dyn AnyGame, seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut position = game.start();
    let mut text = format!("game {}, {} players\n", game.spec(), game.players());
    loop {
        let ply = position.history().len();
        let over = position.turn() == Turn::Over;
        if ply <= DESCRIBED_PLIES || over {
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
