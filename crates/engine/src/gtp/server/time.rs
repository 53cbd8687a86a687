//! The time an engine is told, and what it has spent of it.

use std::time::{Duration, Instant};

use tussle_core::{Limits, PlayerClock, TimeControl};

use crate::gtp::grammar::Colour;

/// How time is counted.
#[derive(Clone, Copy, Debug, PartialEq)]
enum System {
    /// Nobody said; our own clock.
    Own(TimeControl),
    /// Main time, then so many stones in each period; without a period only main time.
    Canadian { main: Duration, period: Duration, stones: u32 },
    /// Main time, then so many periods, each of which lasts until a move overruns it.
    Japanese { main: Duration, period: Duration, periods: u32 },
}

/// What one player has left.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Left {
    Own(PlayerClock),
    Main(Duration),
    /// Of the current period, and the stones or periods that go with it.
    Overtime(Duration, u32),
}

/// Both clocks.
#[derive(Debug)]
pub(super) struct Timing {
    /// Used while nobody says anything else.
    usual: TimeControl,
    system: System,
    left: [Left; 2],
}

impl Timing {
    pub(super) fn new(usual: TimeControl) -> Self {
        Self { usual, system: System::Own(usual), left: [Left::Own(usual.player_clock()); 2] }
    }

    /// `time_settings`: a period without stones means no limit, and so does no time at all.
    pub(super) fn settle(&mut self, main: Duration, period: Duration, stones: u32) {
        let unlimited = stones == 0 && (!period.is_zero() || main.is_zero());
        self.system = if unlimited {
            System::Own(self.usual)
        } else {
            System::Canadian { main, period, stones }
        };
        self.restart();
    }

    /// Periods that last until they are overrun, as KGS has them.
    pub(super) fn settle_japanese(&mut self, main: Duration, period: Duration, periods: u32) {
        self.system = System::Japanese { main, period, periods };
        self.restart();
    }

    /// No limit is told.
    pub(super) fn settle_nothing(&mut self) {
        self.system = System::Own(self.usual);
        self.restart();
    }

    /// A new game begins.
    pub(super) fn restart(&mut self) {
        let left = match self.system {
            System::Own(clock) => Left::Own(clock.player_clock()),
            System::Canadian { main, .. } | System::Japanese { main, .. } => self.after_main(main),
        };
        self.left = [left; 2];
    }

    /// `time_left`: without stones it is main time.
    pub(super) fn tell(&mut self, colour: Colour, time: Duration, stones: u32) {
        let left = if stones > 0 { Left::Overtime(time, stones) } else { self.after_main(time) };
        self.left[colour as usize] = left;
    }

    /// This much main time, or overtime if it is over and there is any.
    fn after_main(&self, main: Duration) -> Left {
        match self.system {
            System::Canadian { period, stones, .. } if main.is_zero() && stones > 0 => {
                Left::Overtime(period, stones)
            }
            System::Japanese { period, periods, .. } if main.is_zero() && periods > 0 => {
                Left::Overtime(period, periods)
            }
            _ => Left::Main(main),
        }
    }

    /// What to spend on the next move.
    pub(super) fn limits(&self, colour: Colour, began: Instant, margin: Duration) -> Limits {
        let clock = match (self.left[colour as usize], self.system) {
            (Left::Own(clock), _) => clock,
            (Left::Main(bank), system) => {
                // What a move in overtime will have is there for every later move.
                let increment = match system {
                    System::Canadian { period, stones, .. } if stones > 0 => period / stones,
                    System::Japanese { period, .. } => period,
                    _ => Duration::ZERO,
                };
                TimeControl::Increment { base: bank, increment }.player_clock()
            }
            (Left::Overtime(time, _), System::Japanese { .. }) => {
                TimeControl::PerMove(time).player_clock()
            }
            (Left::Overtime(time, stones), _) => {
                TimeControl::PerMove(time / stones.max(1)).player_clock()
            }
        };
        clock.limits(began, margin)
    }

    /// A move took this long. Controllers need not say what is left.
    pub(super) fn spend(&mut self, colour: Colour, used: Duration) {
        let left = &self.left[colour as usize];
        let next = match (*left, self.system) {
            (Left::Own(mut clock), _) => {
                let _ = clock.press(used);
                Left::Own(clock)
            }
            (Left::Main(main), _) if used < main => Left::Main(main.saturating_sub(used)),
            (Left::Main(main), System::Canadian { period, stones, .. }) if stones > 0 => {
                overtime(period, (period + main).saturating_sub(used), stones)
            }
            (Left::Main(_), System::Japanese { period, periods, .. }) if periods > 0 => {
                Left::Overtime(period, periods)
            }
            (Left::Main(_), _) => Left::Main(Duration::ZERO),
            (Left::Overtime(_, periods), System::Japanese { period, .. }) => {
                Left::Overtime(period, periods)
            }
            (Left::Overtime(time, 1), System::Canadian { period, stones, .. }) if used <= time => {
                Left::Overtime(period, stones)
            }
            (Left::Overtime(time, stones), _) => overtime(time, time.saturating_sub(used), stones),
        };
        self.left[colour as usize] = next;
    }
}

/// A stone was played in a period. The last one begins another period.
fn overtime(period: Duration, left: Duration, stones: u32) -> Left {
    match stones {
        0 | 1 => Left::Overtime(period, stones.max(1)),
        _ => Left::Overtime(left, stones - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: Duration = Duration::from_secs(1);

    fn hard(timing: &Timing) -> u128 {
        let limits = timing.limits(Colour::Black, Instant::now(), Duration::ZERO);
        limits.hard.map_or(0, |time| time.as_millis())
    }

    #[test]
    fn main_time_is_a_bank_and_a_period_is_shared_by_its_stones() {
        let mut timing = Timing::new(TimeControl::PerMove(2 * S));
        assert_eq!(hard(&timing), 2000);
        timing.settle(60 * S, S, 0); // no limit
        assert_eq!(hard(&timing), 2000);
        timing.settle(20 * S, Duration::ZERO, 0);
        assert_eq!(hard(&timing), 3000);
        timing.tell(Colour::Black, 10 * S, 0);
        assert_eq!(hard(&timing), 1500);
        timing.settle(Duration::ZERO, 30 * S, 10);
        assert_eq!(hard(&timing), 3000);
        timing.tell(Colour::Black, 4 * S, 2);
        assert_eq!(hard(&timing), 2000);
        assert_eq!(timing.left[1], Left::Overtime(30 * S, 10));
    }

    #[test]
    fn time_is_counted_where_nobody_tells_what_is_left() {
        let mut timing = Timing::new(TimeControl::PerMove(2 * S));
        timing.settle(10 * S, 6 * S, 3);
        let black = |timing: &Timing| timing.left[0];
        timing.spend(Colour::Black, 4 * S);
        assert_eq!(black(&timing), Left::Main(6 * S));
        timing.spend(Colour::Black, 8 * S); // two seconds of the first period
        assert_eq!(black(&timing), Left::Overtime(4 * S, 2));
        timing.spend(Colour::Black, S);
        assert_eq!(black(&timing), Left::Overtime(3 * S, 1));
        timing.spend(Colour::Black, S);
        assert_eq!(black(&timing), Left::Overtime(6 * S, 3));
        assert_eq!(timing.left[1], Left::Main(10 * S));
        timing.restart();
        assert_eq!(black(&timing), Left::Main(10 * S));
    }

    #[test]
    fn a_japanese_period_is_there_again_for_each_move() {
        let mut timing = Timing::new(TimeControl::PerMove(2 * S));
        timing.settle_japanese(S, 5 * S, 3);
        timing.spend(Colour::Black, 2 * S);
        assert_eq!(hard(&timing), 5000);
        timing.spend(Colour::Black, 4 * S);
        assert_eq!(hard(&timing), 5000);
        timing.settle_nothing();
        assert_eq!(hard(&timing), 2000);
    }
}
