//! Time of an engine: the time control that the controller sets, and the time left.

use std::time::{Duration, Instant};

use tussle_core::{Limits, PlayerClock, TimeControl};

use crate::gtp::grammar::Colour;

/// Time system.
#[derive(Clone, Copy, Debug, PartialEq)]
enum System {
    /// Time control of the engine's settings, without time commands.
    Own(TimeControl),
    /// Main time, then `stones` stones in each period. Without a period there is only main time.
    Canadian { main: Duration, period: Duration, stones: u32 },
    /// Main time, then `periods` periods. A period is used up only by a move that exceeds it.
    Japanese { main: Duration, period: Duration, periods: u32 },
}

/// Time that a player has left.
#[derive(Clone, Copy, Debug, PartialEq)]
enum RemainingTime {
    Own(PlayerClock),
    Main(Duration),
    /// Time of the current period, and the number of stones or periods left.
    Overtime(Duration, u32),
}

/// Clocks of both players.
#[derive(Debug)]
pub(super) struct Timing {
    /// Time control without time commands.
    usual: TimeControl,
    system: System,
    left: [RemainingTime; 2],
}

impl Timing {
    pub(super) fn new(usual: TimeControl) -> Self {
        Self {
            usual,
            system: System::Own(usual),
            left: [RemainingTime::Own(usual.player_clock()); 2],
        }
    }

    /// Sets the time control of `time_settings`. A period without stones means no limit, and so do zero times.
    pub(super) fn set(&mut self, main: Duration, period: Duration, stones: u32) {
        let unlimited = stones == 0 && (!period.is_zero() || main.is_zero());
        self.system = if unlimited {
            System::Own(self.usual)
        } else {
            System::Canadian { main, period, stones }
        };
        self.restart();
    }

    /// Sets Japanese overtime, an extension of KGS.
    pub(super) fn set_japanese(&mut self, main: Duration, period: Duration, periods: u32) {
        self.system = System::Japanese { main, period, periods };
        self.restart();
    }

    /// Sets no limit: the engine uses its own time control.
    pub(super) fn set_unlimited(&mut self) {
        self.system = System::Own(self.usual);
        self.restart();
    }

    /// Resets both clocks for a new game.
    pub(super) fn restart(&mut self) {
        let left = match self.system {
            System::Own(clock) => RemainingTime::Own(clock.player_clock()),
            System::Canadian { main, .. } | System::Japanese { main, .. } => self.after_main(main),
        };
        self.left = [left; 2];
    }

    /// Sets the time left of `time_left`. Without stones it is main time.
    pub(super) fn set_left(&mut self, colour: Colour, time: Duration, stones: u32) {
        let left =
            if stones > 0 { RemainingTime::Overtime(time, stones) } else { self.after_main(time) };
        self.left[colour as usize] = left;
    }

    /// Returns this main time as time left, or the overtime if the main time is over and there is overtime.
    fn after_main(&self, main: Duration) -> RemainingTime {
        match self.system {
            System::Canadian { period, stones, .. } if main.is_zero() && stones > 0 => {
                RemainingTime::Overtime(period, stones)
            }
            System::Japanese { period, periods, .. } if main.is_zero() && periods > 0 => {
                RemainingTime::Overtime(period, periods)
            }
            _ => RemainingTime::Main(main),
        }
    }

    /// Returns the limits of the next search.
    pub(super) fn limits(&self, colour: Colour, began: Instant, margin: Duration) -> Limits {
        let clock = match (self.left[colour as usize], self.system) {
            (RemainingTime::Own(clock), _) => clock,
            (RemainingTime::Main(bank), system) => {
                // Every later move will have at least the time of a move in overtime.
                let increment = match system {
                    System::Canadian { period, stones, .. } if stones > 0 => period / stones,
                    System::Japanese { period, .. } => period,
                    _ => Duration::ZERO,
                };
                TimeControl::Increment { base: bank, increment }.player_clock()
            }
            (RemainingTime::Overtime(time, _), System::Japanese { .. }) => {
                TimeControl::PerMove(time).player_clock()
            }
            (RemainingTime::Overtime(time, stones), _) => {
                TimeControl::PerMove(time / stones.max(1)).player_clock()
            }
        };
        clock.limits(began, margin)
    }

    /// Subtracts the time of a move, because controllers need not send the time left.
    pub(super) fn spend(&mut self, colour: Colour, used: Duration) {
        let left = &self.left[colour as usize];
        let next = match (*left, self.system) {
            (RemainingTime::Own(mut clock), _) => {
                let _ = clock.press(used);
                RemainingTime::Own(clock)
            }
            (RemainingTime::Main(main), _) if used < main => {
                RemainingTime::Main(main.saturating_sub(used))
            }
            (RemainingTime::Main(main), System::Canadian { period, stones, .. }) if stones > 0 => {
                overtime(period, (period + main).saturating_sub(used), stones)
            }
            (RemainingTime::Main(_), System::Japanese { period, periods, .. }) if periods > 0 => {
                RemainingTime::Overtime(period, periods)
            }
            (RemainingTime::Main(_), _) => RemainingTime::Main(Duration::ZERO),
            (RemainingTime::Overtime(_, periods), System::Japanese { period, .. }) => {
                RemainingTime::Overtime(period, periods)
            }
            (RemainingTime::Overtime(time, 1), System::Canadian { period, stones, .. })
                if used <= time =>
            {
                RemainingTime::Overtime(period, stones)
            }
            (RemainingTime::Overtime(time, stones), _) => {
                overtime(time, time.saturating_sub(used), stones)
            }
        };
        self.left[colour as usize] = next;
    }
}

/// Returns the time left after a stone was played in a period. The last stone begins a new period.
fn overtime(period: Duration, left: Duration, stones: u32) -> RemainingTime {
    match stones {
        0 | 1 => RemainingTime::Overtime(period, stones.max(1)),
        _ => RemainingTime::Overtime(left, stones - 1),
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
    fn main_time_is_a_bank_and_a_period_is_divided_among_its_stones() {
        let mut timing = Timing::new(TimeControl::PerMove(2 * S));
        assert_eq!(hard(&timing), 2000);
        timing.set(60 * S, S, 0); // no limit
        assert_eq!(hard(&timing), 2000);
        timing.set(20 * S, Duration::ZERO, 0);
        assert_eq!(hard(&timing), 3000);
        timing.set_left(Colour::Black, 10 * S, 0);
        assert_eq!(hard(&timing), 1500);
        timing.set(Duration::ZERO, 30 * S, 10);
        assert_eq!(hard(&timing), 3000);
        timing.set_left(Colour::Black, 4 * S, 2);
        assert_eq!(hard(&timing), 2000);
        assert_eq!(timing.left[1], RemainingTime::Overtime(30 * S, 10));
    }

    #[test]
    fn time_left_is_computed_without_time_left_commands() {
        let mut timing = Timing::new(TimeControl::PerMove(2 * S));
        timing.set(10 * S, 6 * S, 3);
        let black = |timing: &Timing| timing.left[0];
        timing.spend(Colour::Black, 4 * S);
        assert_eq!(black(&timing), RemainingTime::Main(6 * S));
        timing.spend(Colour::Black, 8 * S); // two seconds of the first period
        assert_eq!(black(&timing), RemainingTime::Overtime(4 * S, 2));
        timing.spend(Colour::Black, S);
        assert_eq!(black(&timing), RemainingTime::Overtime(3 * S, 1));
        timing.spend(Colour::Black, S);
        assert_eq!(black(&timing), RemainingTime::Overtime(6 * S, 3));
        assert_eq!(timing.left[1], RemainingTime::Main(10 * S));
        timing.restart();
        assert_eq!(black(&timing), RemainingTime::Main(10 * S));
    }

    #[test]
    fn each_move_in_overtime_has_a_whole_japanese_period() {
        let mut timing = Timing::new(TimeControl::PerMove(2 * S));
        timing.set_japanese(S, 5 * S, 3);
        timing.spend(Colour::Black, 2 * S);
        assert_eq!(hard(&timing), 5000);
        timing.spend(Colour::Black, 4 * S);
        assert_eq!(hard(&timing), 5000);
        timing.set_unlimited();
        assert_eq!(hard(&timing), 2000);
    }
}
