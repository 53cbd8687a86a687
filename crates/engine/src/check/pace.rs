//! The time that a program under test is given.

use std::time::{Duration, Instant};

use tussle_catalog::AnyPosition;
use tussle_core::{PlayerClock, TimeControl};

use crate::Terms;
use crate::external::told_millis;

/// Least time per move of every point that is not about time: programs keep fixed reserves.
const ROOMY: Duration = Duration::from_secs(2);

/// The time that a program is given.
pub(crate) struct Pace {
    /// The clock of the program's matches, if it is known.
    named: Option<TimeControl>,
    /// A short time per move that the program has kept.
    brisk: Option<Duration>,
}

impl Pace {
    pub(crate) fn new(named: Option<TimeControl>) -> Self {
        Self { named, brisk: None }
    }

    /// The clock of the program's matches, 2 s per move if it is not known.
    pub(crate) fn clock(&self) -> TimeControl {
        self.named.unwrap_or(TimeControl::PerMove(ROOMY))
    }

    /// The clock of points that are not about time.
    pub(crate) fn now(&self) -> TimeControl {
        if let Some(limit) = self.brisk {
            return TimeControl::PerMove(limit);
        }
        match self.clock() {
            TimeControl::PerMove(limit) => TimeControl::PerMove(limit.max(ROOMY)),
            TimeControl::FirstMove { first, later } => {
                TimeControl::FirstMove { first: first.max(ROOMY), later: later.max(ROOMY) }
            }
            bank @ TimeControl::Increment { .. } => bank,
        }
    }

    /// Returns true if less time is given than a program may need.
    pub(crate) fn is_brisk(&self) -> bool {
        self.brisk.is_some()
    }

    /// The program has answered in this time: the points that follow need no more.
    pub(crate) fn quicken(&mut self, limit: Duration) {
        self.brisk = (limit < ROOMY).then_some(limit);
    }

    /// Gives the whole time again.
    pub(crate) fn relax(&mut self) {
        self.brisk = None;
    }
}

/// A clock and how much of it the program still has.
#[derive(Clone, Copy)]
pub(crate) struct TimeGranted {
    pub(crate) clock: TimeControl,
    own: PlayerClock,
    /// Part of the time that the program is not told, as in a match.
    margin: Duration,
}

impl TimeGranted {
    /// The full clock in a position: it may be the player's first move or a later one.
    pub(crate) fn fresh(clock: TimeControl, position: &dyn AnyPosition) -> Self {
        let mut own = clock.player_clock();
        if matches!(clock, TimeControl::FirstMove { .. }) && !position.history().is_empty() {
            let _ = own.press(Duration::ZERO);
        }
        Self { clock, own, margin: Terms::default().margin }
    }

    /// Tells all of the time: no margin is kept back.
    pub(crate) fn whole(self) -> Self {
        Self { margin: Duration::ZERO, ..self }
    }

    /// The clock after moves that took this long.
    pub(crate) fn after(mut self, used: Duration) -> Self {
        let _ = self.own.press(used);
        self
    }

    /// Time in which the move must be made.
    pub(crate) fn limit(&self) -> Duration {
        self.own.allowed()
    }

    /// Milliseconds that the program is told.
    pub(crate) fn millis(&self) -> u64 {
        told_millis(self.limit(), self.margin)
    }

    /// Returns the time that a built-in agent would spend on the move.
    pub(crate) fn soft_limit(&self) -> Duration {
        self.own.limits(Instant::now(), self.margin).soft.unwrap_or(self.limit())
    }

    /// The time in words, for messages.
    pub(crate) fn words(&self) -> String {
        let millis = self.millis();
        match self.clock {
            TimeControl::Increment { .. } => format!("{millis} ms for the rest of the game"),
            TimeControl::PerMove(_) | TimeControl::FirstMove { .. } => {
                format!("{millis} ms for this move")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace(clock: &str) -> Pace {
        Pace::new(Some(clock.parse().expect("a clock")))
    }

    #[test]
    fn points_that_are_not_about_time_give_two_seconds_or_the_clock() {
        assert_eq!(Pace::new(None).now().to_string(), "2s");
        for (clock, now) in [("3s", "3s"), ("50ms", "2s"), ("9s/1s", "9s/2s"), ("9s+0s", "9s+0s")] {
            assert_eq!(pace(clock).now().to_string(), now);
            assert_eq!(pace(clock).clock().to_string(), clock);
        }
    }

    #[test]
    fn a_short_time_that_was_kept_is_given_until_it_fails() {
        let mut pace = pace("100ms");
        pace.quicken(Duration::from_millis(100));
        assert!(pace.is_brisk());
        assert_eq!(pace.now().to_string(), "100ms");
        pace.relax();
        assert_eq!(pace.now().to_string(), "2s");
        pace.quicken(Duration::from_secs(3));
        assert!(!pace.is_brisk());
    }
}
