//! Who plays for a page: agents of ours, which it keeps between its moves, and programs.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tussle_arena::{Ask, Contestant, Fault, GameStart, Guard, Seat, Terms, Verdict, seat_for};
use tussle_catalog::{AnyAgent, AnyGame, AnyPosition};
use tussle_core::{Line, Report, Stats, Stopped, Turn};

use crate::refusal::Refusal;
use crate::server::KB;

/// Bytes that a program may take.
const MEMORY: u64 = 2 << 30;

/// How long we wait for a program that is late before it is ended.
const LATE: Duration = Duration::from_millis(500);

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
    seat: Box<dyn Seat>,
    /// The game it plays: where it began, and the moves it has seen.
    game: Option<(String, Vec<String>)>,
    _permit: OwnedSemaphorePermit,
}

impl Program {
    pub(crate) fn new(spec: &str, room: &Arc<Semaphore>) -> Result<Self, Refusal> {
        let Ok(permit) = room.clone().try_acquire_owned() else {
            return Err(Refusal::busy("too many programs run; try again when others have played"));
        };
        let guard = Guard::this(&["guard"]);
        let terms = Terms { memory: Some(MEMORY), ..Terms::default() };
        let seat = seat_for(&Contestant::new("the program", spec), &guard, &terms);
        Ok(Self { seat: seat.map_err(Refusal::wrong)?, game: None, _permit: permit })
    }

    /// Its move in a position that was reached from `start`.
    pub(crate) fn choose(
        &mut self,
        game: &dyn AnyGame,
        start: &dyn AnyPosition,
        position: &dyn AnyPosition,
        terms: &Terms,
        used: &[Duration],
        seed: u64,
    ) -> Result<Report<String>, Refusal> {
        let Turn::Player(player) = position.turn() else {
            return Err(Refusal::wrong("no player is to move"));
        };
        let text = start.text();
        let goes_on = |(known, moves): &(String, Vec<String>)| {
            *known == text && position.history().starts_with(moves)
        };
        if !self.game.as_ref().is_some_and(goes_on) {
            let is_usual = start.same(game.start().as_ref());
            let start = GameStart { game, start, is_usual, player, id: 0, seed, terms };
            self.seat.begin(&start).map_err(|fault| said(&fault))?;
        }
        self.game = None; // until we have its answer
        let mut clocks = vec![terms.clock.start(); game.players()];
        for used in used {
            let _ = clocks[player].press(*used); // whether it was in time is for the page to say
        }
        let began = Instant::now();
        let deadline = began + clocks[player].allowed();
        let ask = Ask { position, clocks: &clocks, player, began, deadline, terms };
        let answer = self.seat.choose(&ask).map_err(|fault| {
            if fault.verdict == Verdict::Time {
                self.seat.is_just_late(LATE);
            }
            said(&fault)
        })?;
        let Some(mv) = answer.mv else {
            return Err(Refusal::wrong("the program gives the game up"));
        };
        let mut after = position.boxed();
        after.play(&mv).map_err(|e| Refusal::wrong(format!("the program's move: {e}")))?;
        let mv = after.history().last().cloned().unwrap_or(mv);
        self.game = Some((text, position.history().to_vec()));
        let mut report = answer.report.unwrap_or_else(|| {
            let line = Line::new(mv.clone(), f64::NAN);
            Report::new(vec![line], Stats::default(), Stopped::Finished, began.elapsed())
        });
        if let Some(line) = report.lines.first_mut() {
            line.mv = mv;
        }
        Ok(report)
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
