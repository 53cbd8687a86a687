//! Seat of an external program, and the trait of protocol clients.

use std::time::{Duration, Instant};

use super::{Answer, Ask, GameStart, Seat};
use crate::external::ExternalProgram;
use crate::{Fault, Shortage, Usage};

/// Client of a protocol, which sends requests to a program and reads its replies.
pub(crate) trait Client: Send {
    /// Checks that programs of this protocol can play a game.
    ///
    /// # Errors
    /// If the protocol cannot express the game.
    fn check(&self, start: &GameStart<'_>) -> Result<(), Fault> {
        let _ = start;
        Ok(())
    }

    /// Returns true if a running program cannot be used for another game, because an answer is still pending.
    fn is_out_of_step(&self) -> bool {
        false
    }

    /// Announces a new game to the program. `is_new` is true if the program was started for it.
    ///
    /// # Errors
    /// If the program does not follow the protocol.
    fn begin(
        &mut self,
        program: &mut ExternalProgram,
        is_new: bool,
        start: &GameStart<'_>,
    ) -> Result<(), Fault>;

    /// Asks for a move.
    ///
    /// # Errors
    /// Like [`Seat::choose`].
    fn ask(&mut self, program: &mut ExternalProgram, ask: &Ask<'_>) -> Result<Answer, Fault>;

    /// Waits for a late answer until the deadline. Returns true if it arrived.
    fn wait_for_late_answer(&mut self, program: &mut ExternalProgram, deadline: Instant) -> bool;
}

/// Seat of a program that speaks the protocol of a client.
pub(crate) struct ProgramSeat<C> {
    program: ExternalProgram,
    client: C,
}

impl<C: Client + Default + 'static> ProgramSeat<C> {
    /// Creates the seat of a program with a new client.
    pub(crate) fn boxed(program: ExternalProgram) -> Box<dyn Seat> {
        Box::new(Self { program, client: C::default() })
    }
}

impl<C: Client> ProgramSeat<C> {
    /// Ends a program that cannot be used for the next game.
    fn end_out_of_step(&mut self) {
        if self.client.is_out_of_step() && !self.program.is_fresh() {
            self.program.end();
        }
    }
}

impl<C: Client> Seat for ProgramSeat<C> {
    fn prepare(&mut self) -> Result<(), Shortage> {
        self.end_out_of_step();
        self.program.prepare()
    }

    fn begin(&mut self, start: &GameStart<'_>) -> Result<(), Fault> {
        self.client.check(start)?;
        self.end_out_of_step();
        let is_new = self.program.ensure()?;
        let begun = self.client.begin(&mut self.program, is_new, start);
        self.program.settle_start(begun)
    }

    fn choose(&mut self, ask: &Ask<'_>) -> Result<Answer, Fault> {
        let answer = self.client.ask(&mut self.program, ask);
        self.program.settle(answer)
    }

    fn is_just_late(&mut self, grace: Duration) -> bool {
        let deadline = Instant::now() + grace;
        let is_late = self.client.wait_for_late_answer(&mut self.program, deadline);
        self.program.measure();
        if !is_late {
            self.program.end_late();
        }
        is_late
    }

    fn excess(&mut self) -> Option<Fault> {
        self.program.excess()
    }

    fn usage(&self) -> Usage {
        self.program.usage()
    }

    fn is_deterministic(&self) -> bool {
        false // unknown
    }
}
