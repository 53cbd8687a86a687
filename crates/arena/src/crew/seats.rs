//! Seats of a machine: reuse of idle seats, and start of their programs.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tussle_engine::{Guard, PlayerSpec, Seat, Shortage, files_are_short};

use crate::{Contestant, RunError, SetupError, Slot, Tournament};

/// Number of seats that are kept between games, unless the workers need more. Each program has a supervisor that
/// samples it 50 times per second. Hundreds of supervisors would slow down the programs that play.
const MAX_IDLE_SEATS: usize = 32;

/// Seats of one game.
pub(super) type Seats = Vec<Box<dyn Seat>>;

/// The seats of the workers of a machine.
pub(super) struct SeatPool<'a> {
    tournament: &'a Tournament,
    guard: &'a Guard,
    /// By contestant, true if it is a program.
    programs: Vec<bool>,
    /// Idle seats with the index of their contestant, the one that was idle longest first.
    idle: Mutex<Vec<(usize, Box<dyn Seat>)>>,
    /// Held while programs are started, so that two games do not count on the same free descriptors.
    starting: Mutex<()>,
}

impl<'a> SeatPool<'a> {
    pub(super) fn new(tournament: &'a Tournament, guard: &'a Guard) -> Self {
        let is_program = |agent: &Contestant| {
            matches!(PlayerSpec::parse(&agent.spec), PlayerSpec::Program { .. })
        };
        let programs = tournament.spec.agents.iter().map(is_program).collect();
        let (idle, starting) = (Mutex::new(Vec::new()), Mutex::new(()));
        Self { tournament, guard, programs, idle, starting }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<(usize, Box<dyn Seat>)>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the seat that was idle longest. Returns false if there is none.
    pub(super) fn end_oldest(&self) -> bool {
        let mut idle = self.idle();
        let oldest = (!idle.is_empty()).then(|| idle.remove(0));
        drop(idle); // a program takes a moment to end
        oldest.is_some()
    }

    /// Returns the seats of a game, with their programs running. If resources are short, idle programs end first.
    /// `has_others` returns true if other workers can play the game.
    ///
    /// # Errors
    /// If a seat cannot be made, or this machine is short of descriptors, processes or memory for the programs.
    pub(super) fn take(
        &self,
        slot: &Slot,
        has_others: impl Fn() -> bool,
    ) -> Result<Seats, RunError> {
        let Tournament { spec: config, terms, .. } = self.tournament;
        let mut seats: Seats = Vec::new();
        for &agent in &slot.seats {
            let mut idle = self.idle();
            let kept = idle.iter().rposition(|(of, _)| *of == agent);
            let kept = kept.map(|at| idle.remove(at).1);
            drop(idle);
            let new = || config.agents[agent].seat(self.guard, terms);
            seats.push(kept.map_or_else(new, Ok).map_err(SetupError::from)?);
        }
        if !slot.seats.iter().any(|&agent| self.programs[agent]) {
            return Ok(seats);
        }
        let _starting = self.starting.lock().unwrap_or_else(PoisonError::into_inner);
        for seat in &mut seats {
            while files_are_short() && self.end_oldest() {}
            if files_are_short() && has_others() {
                let why = "too few file descriptors are free".to_owned();
                return Err(RunError::Short(Shortage(why)));
            }
            while let Err(shortage) = seat.prepare() {
                if !self.end_oldest() {
                    return Err(RunError::Short(shortage));
                }
            }
        }
        Ok(seats)
    }

    /// Keeps the seats of a game for later games of `workers` workers. Returns the surplus seats, whose programs end
    /// when the caller drops them; that takes a moment.
    #[must_use = "the programs of surplus seats end when the seats are dropped"]
    pub(super) fn keep(&self, agents: &[usize], seats: Seats, workers: usize) -> Seats {
        let mut idle = self.idle();
        idle.extend(agents.iter().copied().zip(seats));
        let excess = idle.len().saturating_sub(MAX_IDLE_SEATS.max(2 * workers));
        idle.drain(..excess).map(|(_, seat)| seat).collect()
    }
}
