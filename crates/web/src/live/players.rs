//! Who plays for a page: agents of ours, which it keeps between its moves, and programs.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tussle_catalog::{AnyAgent, AnyGame, is_program};
use tussle_engine::{Fault, Programs};

use crate::refusal::Refusal;
use crate::server::{KB, Shared};

/// Bytes that a program may take.
const MEMORY: u64 = 2 << 30;

/// A player and what it knows.
pub(crate) enum Player {
    Agent(Box<dyn AnyAgent>),
    /// A program, and its part of all that may run.
    Program {
        player: tussle_engine::Player,
        _permit: OwnedSemaphorePermit,
    },
}

/// The latest players of one page.
#[derive(Clone)]
pub(crate) struct Players {
    kept: Arc<Mutex<Vec<Kept>>>, // the latest first
    most: usize,
}

struct Kept {
    name: String,
    /// An agent knows positions of these rules only, and not of others that are made alike.
    game: Arc<dyn AnyGame>,
    player: Player,
    /// What it remembers.
    bytes: u64,
    /// Its part of what all pages may keep.
    _room: OwnedSemaphorePermit,
}

impl Players {
    /// Nobody yet, and never more than `most`.
    pub(crate) fn at_most(most: usize) -> Self {
        Self { kept: Arc::default(), most }
    }

    /// The player of this name, for as long as it thinks, the game it plays, and the bytes it remembers.
    pub(crate) fn take(&self, name: &str) -> Option<(Arc<dyn AnyGame>, Player, u64)> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|kept| kept.name == name)?;
        let Kept { game, player, bytes, .. } = kept.remove(at);
        Some((game, player, bytes))
    }

    /// Keeps a player, if there is room for what it remembers; another one can be made at any time.
    pub(crate) fn put(
        &self,
        name: String,
        (game, player): (Arc<dyn AnyGame>, Player),
        bytes: u64,
        room: &Arc<Semaphore>,
    ) {
        let units = (bytes + name.len() as u64).div_ceil(KB as u64);
        let units = u32::try_from(units).unwrap_or(u32::MAX);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.truncate(self.most - 1);
        let room = loop {
            match room.clone().try_acquire_many_owned(units) {
                Ok(room) => break room,
                Err(_) if kept.pop().is_none() => return,
                Err(_) => {} // the one that went makes room
            }
        };
        kept.insert(0, Kept { name, game, player, bytes, _room: room });
    }
}

impl Player {
    /// Makes a player. A program is started by its first move, and ends with its page.
    pub(super) fn new(
        shared: &Shared,
        game: &Arc<dyn AnyGame>,
        spec: &str,
        seed: u64,
    ) -> Result<Self, Refusal> {
        if !is_program(spec) {
            return Ok(Self::Agent(game.agent(spec, seed)?));
        }
        let Ok(permit) = shared.programs.clone().try_acquire_owned() else {
            return Err(Refusal::busy("too many programs run; try again when others have played"));
        };
        let guard = shared.options.guard.clone();
        let programs = Programs { memory: Some(MEMORY), ..Programs::new(guard) };
        Ok(Self::Program { player: programs.player(game, spec, seed)?, _permit: permit })
    }
}

/// Returns the refusal that tells the fault of a program, with its evidence.
pub(super) fn refusal(fault: &Fault) -> Refusal {
    let mut why = format!("the program {}", fault.what);
    for line in &fault.evidence {
        why += &format!("\n{line}");
    }
    Refusal::wrong(why)
}
