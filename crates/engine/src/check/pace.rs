//! Time that a program under test is given.

use std::time::{Duration, Instant};

use tussle_catalog::AnyPosition;
use tussle_core::{PlayerClock, TimeControl};

use crate::Terms;
use crate::external::told_millis;

/// Minimum time per move in points that are not about time. Programs may subtract a fixed reserve from their time.
const MIN_MOVE_TIME: Duration = Duration::from_secs(2);

/// Time per move in the points of a test.
pub(crate) struct Pace {
    /// Time control of the program's matches, if it is known.
    named: Option<TimeControl>,
    /// Short time per move in which the program has answered before.
    short: Option<Duration>,
}

impl Pace {
    pub(crate) fn new(named: Option<TimeControl>) -> Self {
        Self { named, short: None }
    }

    /// Returns the time control of the program's matches, or 2 s per move if it is not known.
    pub(crate) fn clock(&self) -> TimeControl {
        self.named.unwrap_or(TimeControl::PerMove(MIN_MOVE_TIME))
    }

    /// Returns the time control of points that are not about time.
    pub(crate) fn now(&self) -> TimeControl {
        if let Some(limit) = self.short {
            return TimeControl::PerMove(limit);
        }
        match self.clock() {
            TimeControl::PerMove(limit) => TimeControl::PerMove(limit.max(MIN_MOVE_TIME)),
            TimeControl::FirstMove { first, later } => TimeControl::FirstMove {
                first: first.max(MIN_MOVE_TIME),
                later: later.max(MIN_MOVE_TIME),
            },
            bank @ TimeControl::Increment { .. } => bank,
        }
    }

    /// Returns true if the time per move is shorter than the program may need.
    pub(crate) fn is_short(&self) -> bool {
        self.short.is_some()
    }

    /// Uses this time per move from now on, because the program has answered in it.
    pub(crate) fn shorten(&mut self, limit: Duration) {
        self.short = (limit < MIN_MOVE_TIME).then_some(limit);
    }

    /// Uses the full time per move again.
    pub(crate) fn relax(&mut self) {
        self.short = None;
    }
}

/// Time of a program for its next move.
#[derive(Clone, Copy)]
pub(crate) struct MoveTime {
    pub(crate) clock: TimeControl,
    own: PlayerClock,
    /// Safety margin, as in a match.
    margin: Duration,
}

impl MoveTime {
    /// Creates the full time in a position, which may be the player's first move or a later one.
    pub(crate) fn fresh(clock: TimeControl, position: &dyn AnyPosition) -> Self {
        let mut own = clock.player_clock();
        if matches!(clock, TimeControl::FirstMove { .. }) && !position.history().is_empty() {
            let _ = own.press(Duration::ZERO);
        }
        Self { clock, own, margin: Terms::default().margin }
    }

    /// Removes the safety margin.
    pub(crate) fn whole(self) -> Self {
        Self { margin: Duration::ZERO, ..self }
    }

    /// Returns the time after a move that took `used`.
    pub(crate) fn after(mut self, used: Duration) -> Self {
        let _ = self.own.press(used);
        self
    }

    /// Returns the time in which the move must be made.
    pub(crate) fn limit(&self) -> Duration {
        self.own.allowed()
    }

    /// Returns the milliseconds that the program is told it has.
    pub(crate) fn millis(&self) -> u64 {
        told_millis(self.limit(), self.margin)
    }

    /// Returns the time that a built-in agent would spend on the move.
    pub(crate) fn soft_limit(&self) -> Duration {
        self.own.limits(Instant::now(), self.margin).soft.unwrap_or(self.limit())
    }

    /// Returns the time in words, for messages.
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
    fn points_that_are_not_about_time_give_at_least_two_seconds() {
        assert_eq!(Pace::new(None).now().to_string(), "2s");
        for (clock, now) in [("3s", "3s"), ("50ms", "2s"), ("9s/1s", "9s/2s"), ("9s+0s", "9s+0s")] {
            assert_eq!(pace(clock).now().to_string(), now);
            assert_eq!(pace(clock).clock().to_string(), clock);
        }
    }

    #[test]
    fn a_short_time_is_used_until_relaxed() {
        let mut pace = pace("100ms");
        pace.shorten(Duration::from_millis(100));
        assert!(pace.is_short());
        assert_eq!(pace.now().to_string(), "100ms");
        pace.relax();
        assert_eq!(pace.now().to_string(), "2s");
        pace.shorten(Duration::from_secs(3));
        assert!(!pace.is_short());
    }
}
