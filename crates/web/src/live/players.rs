//! Who plays for a page: agents of ours, which it keeps between its moves, and programs.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tussle_catalog::{AnyAgent, AnyGame, AnyPosition};
use tussle_core::{Report, StopFlag, Turn};
use tussle_engine::{Fault, Guard, Programs, Terms};

use crate::refusal::Refusal;
use crate::server::KB;

/// Bytes that a program may take.
const MEMORY: u64 = 2 << 30;

/// A player and what it knows.
pub(crate) enum Player {
    Agent(Box<dyn AnyAgent>),
    Program(Program),
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

/// A program that plays for a page, and ends with it.
pub(crate) struct Program {
    player: tussle_engine::Player,
    _permit: OwnedSemaphorePermit,
}

impl Program {
    pub(crate) fn new(
        game: &Arc<dyn AnyGame>,
        spec: &str,
        seed: u64,
        guard: &Guard,
        room: &Arc<Semaphore>,
    ) -> Result<Self, Refusal> {
        let Ok(permit) = room.clone().try_acquire_owned() else {
            return Err(Refusal::busy("too many programs run; try again when others have played"));
        };
        let programs = Programs { memory: Some(MEMORY), ..Programs::new(guard.clone()) };
        Ok(Self { player: programs.player(game, spec, seed)?, _permit: permit })
    }

    /// Its move in a position; `used` are the times of its moves so far.
    pub(crate) fn choose(
        &mut self,
        position: &dyn AnyPosition,
        terms: &Terms,
        used: &[Duration],
        players: usize,
        stop: &StopFlag,
    ) -> Result<Report<String>, Refusal> {
        let Turn::Player(player) = position.turn() else {
            return Err(Refusal::wrong("no player is to move"));
        };
        let mut clocks = vec![terms.clock.player_clock(); players];
        for used in used {
            let _ = clocks[player].press(*used); // whether it was in time is for the page to say
        }
        let chosen = self.player.choose(position, &mut clocks, terms, Some(stop));
        match chosen.map_err(|fault| said(&fault))? {
            Some(chosen) => Ok(chosen.report),
            None => Err(Refusal::wrong("the program gives the game up")),
        }
    }
}

/// A fault in words, with what shows it.
fn said(fault: &Fault) -> Refusal {
    let mut why = format!("the program {}", fault.what);
    for line in &fault.evidence {
        why += &format!("\n{line}");
    }
    Refusal::wrong(why)
}
