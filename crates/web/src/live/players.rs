//! Players of a page: built-in agents and external programs, which are kept between searches.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tussle_catalog::{AnyAgent, AnyGame, is_program};
use tussle_engine::{Fault, Programs};

use crate::api_error::ApiError;
use crate::server::{KB, Shared};

/// Memory limit of an external program in bytes.
const PROGRAM_MEMORY_BYTES: u64 = 2 << 30;

/// Player with the state that it keeps between searches.
pub(crate) enum Player {
    Agent(Box<dyn AnyAgent>),
    /// External program, with one of the permits to run a program.
    Program {
        player: tussle_engine::Player,
        _permit: OwnedSemaphorePermit,
    },
}

/// Cache of the latest players of one page.
#[derive(Clone)]
pub(crate) struct PlayerCache {
    players: Arc<Mutex<Vec<CachedPlayer>>>, // the latest first
    capacity: usize,
}

struct CachedPlayer {
    name: String,
    /// Rules that the player was created with. An agent rejects positions of other rules, even equal ones.
    game: Arc<dyn AnyGame>,
    player: Player,
    /// Memory that the player uses, in bytes.
    bytes: u64,
    /// Permit for its part of the memory of all pages.
    _permit: OwnedSemaphorePermit,
}

impl PlayerCache {
    /// Creates an empty cache of at most `capacity` players.
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Self { players: Arc::default(), capacity }
    }

    /// Removes the player with this name; returns its game, the player and the bytes that it uses.
    pub(crate) fn take(&self, name: &str) -> Option<(Arc<dyn AnyGame>, Player, u64)> {
        let mut players = self.players.lock().unwrap_or_else(PoisonError::into_inner);
        let at = players.iter().position(|cached| cached.name == name)?;
        let CachedPlayer { game, player, bytes, .. } = players.remove(at);
        Some((game, player, bytes))
    }

    /// Stores a player, and removes older ones if memory is short. Without enough memory the player is dropped; the next
    /// search then creates a new one.
    pub(crate) fn put(
        &self,
        name: String,
        (game, player): (Arc<dyn AnyGame>, Player),
        bytes: u64,
        memory: &Arc<Semaphore>,
    ) {
        let units = (bytes + name.len() as u64).div_ceil(KB as u64);
        let units = u32::try_from(units).unwrap_or(u32::MAX);
        let mut players = self.players.lock().unwrap_or_else(PoisonError::into_inner);
        players.truncate(self.capacity - 1);
        let permit = loop {
            match memory.clone().try_acquire_many_owned(units) {
                Ok(permit) => break permit,
                Err(_) if players.pop().is_none() => return,
                Err(_) => {} // retry with the memory of the removed player
            }
        };
        players.insert(0, CachedPlayer { name, game, player, bytes, _permit: permit });
    }
}

impl Player {
    /// Creates a player. An external program starts with its first move and ends with its page.
    pub(super) fn new(
        shared: &Shared,
        game: &Arc<dyn AnyGame>,
        spec: &str,
        seed: u64,
    ) -> Result<Self, ApiError> {
        if !is_program(spec) {
            return Ok(Self::Agent(game.agent(spec, seed)?));
        }
        let Ok(permit) = shared.programs.clone().try_acquire_owned() else {
            return Err(ApiError::busy(
                "too many external programs are running on this server; try again later",
            ));
        };
        let guard = shared.options.guard.clone();
        let programs = Programs { memory: Some(PROGRAM_MEMORY_BYTES), ..Programs::new(guard) };
        Ok(Self::Program { player: programs.player(game, spec, seed)?, _permit: permit })
    }
}

/// Returns an error with the fault of a program and its evidence.
pub(super) fn fault_error(fault: &Fault) -> ApiError {
    let mut message = format!("the program {}", fault.what);
    for line in &fault.evidence {
        message += &format!("\n{line}");
    }
    ApiError::bad_request(message)
}
