//! One game of a match.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::time::Instant;

use tussle_catalog::{AnyAgent, AnyGame};
use tussle_core::{Rng, Stopped, Turn};

use crate::cmd::terms::Terms;
use crate::failure::Failure;
use crate::{course, turns};

/// One finished game.
pub(super) struct Game {
    pub(super) moves: Vec<String>,
    pub(super) utilities: Vec<f64>,
    /// The seat whose time ran out, which ended the game.
    pub(super) late: Option<usize>,
    /// Whether the clock had no say in any move, so that the seed alone decided.
    pub(super) untimed: bool,
    /// What the course prints of it, if asked for.
    pub(super) printout: String,
}

impl Game {
    /// Equal for equal games, and by chance for one pair in 2^64; the moves would fill the memory.
    pub(super) fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.moves.hash(&mut hasher);
        hasher.finish()
    }
}

/// Plays game number `id` between agents with these names, by seat.
pub(super) fn play(
    game: &dyn AnyGame,
    names: &[String],
    id: u64,
    terms: &Terms,
    course: bool,
) -> Result<Game, Failure> {
    let players = game.players();
    let seed = |seat: usize| Rng::derive(terms.seed, &[id, seat as u64]).next_u64();
    let agents = names.iter().enumerate().map(|(seat, name)| game.agent(name, seed(seat)));
    let mut agents: Vec<Box<dyn AnyAgent>> = agents.collect::<Result<_, _>>()?;
    let mut clocks = vec![terms.clock.start(); players];
    let mut chance = Rng::derive(terms.seed, &[id, players as u64]);
    let mut printout = String::new();
    if course {
        printout += &course::opening(game.spec(), names, terms.clock);
    }
    let mut untimed = true;
    let mut position = game.start();
    let (utilities, late) = loop {
        let mv = match position.turn() {
            Turn::Over => break (position.utilities().unwrap_or_default(), None),
            Turn::Chance => position.roll(&mut chance).unwrap_or_default(),
            Turn::Player(seat) => {
                let began = Instant::now();
                let budget = clocks[seat].budget(began, terms.margin);
                let report = agents[seat].choose(position.as_ref(), &budget).map_err(|e| {
                    Failure::usage(format!("game {}, {}: {e}", id + 1, names[seat]))
                })?;
                if !clocks[seat].press(began.elapsed()) {
                    break (turns::defeat(players, seat), Some(seat));
                }
                untimed &= !matches!(report.stopped, Stopped::Time | Stopped::Asked);
                let mv = report.best().cloned().unwrap_or_default();
                if course {
                    let number = position.history().len() + 1;
                    printout += &course::one_move(&names[seat], number, &mv, Some(&report));
                }
                mv
            }
        };
        position.play(&mv)?;
    };
    if course {
        printout += &course::ending(&utilities);
    }
    let untimed = untimed && late.is_none() && agents.iter().all(|agent| agent.is_deterministic());
    Ok(Game { moves: position.history().to_vec(), utilities, late, untimed, printout })
}
