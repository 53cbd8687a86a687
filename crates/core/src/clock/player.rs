//! Clock of one player during a game, with its time management.

use std::time::Duration;

use super::TimeControl;
use crate::Limits;
use crate::time::Instant;

/// Number of moves over which the rest of the bank is divided. The same after every move: a twentieth
/// of the rest never empties the bank, so the length of the game need not be guessed.
const MOVES_LEFT: u32 = 20;
/// Tenths of the increment that a move may spend. The rest refills an empty bank.
const INCREMENT_TENTHS: u32 = 9;
/// Maximum ratio of the hard limit to the soft limit.
const MAX_HARD_TO_SOFT: u32 = 3;
/// A hard limit is at most the bank divided by this number.
const HARD_BANK_DIVISOR: u32 = 2;
/// Minimum time for a move, unless the bank itself has less than [`MOVES_LEFT`] times as much.
const MIN_MOVE_TIME: Duration = Duration::from_millis(1);

/// A [`TimeControl`] that runs for one player.
///
/// Before a move, [`limits`](PlayerClock::limits) returns the limits of its search; after the move,
/// [`press`](PlayerClock::press) subtracts the time that was used.
///
/// If unused time is lost, a move may use all of its time. A bank of `B` with an increment
/// of `I` and a safety margin of `M` gives
///
/// ```text
/// soft = (B - M) / 20 + 9/10 I
/// hard = 3 soft, but at most (B - M) / 2
/// ```
///
/// and `soft` is never more than `hard`. So a bank without an increment shrinks by a twentieth per move
/// and is never empty. A bank with an increment approaches twice the increment, where a move uses as much
/// time as it adds.
///
/// ```
/// use std::time::{Duration, Instant};
/// use tussle_core::TimeControl;
///
/// let mut clock = "15s+1s".parse::<TimeControl>()?.player_clock();
/// let limits = clock.limits(Instant::now(), Duration::ZERO);
/// assert_eq!(limits.soft, Some(Duration::from_millis(1650)));
/// assert_eq!(limits.hard, Some(Duration::from_millis(4950)));
///
/// let in_time = clock.press(Duration::from_secs(3));
/// assert!(in_time);
/// assert_eq!(clock.allowed(), Duration::from_secs(13));
/// # Ok::<(), tussle_core::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerClock {
    clock: TimeControl,
    allowed: Duration,
}

impl PlayerClock {
    pub(super) fn new(clock: TimeControl) -> Self {
        let (TimeControl::PerMove(allowed)
        | TimeControl::Increment { base: allowed, .. }
        | TimeControl::FirstMove { first: allowed, .. }) = clock;
        Self { clock, allowed }
    }

    /// Returns the time in which the next move must be made.
    pub fn allowed(&self) -> Duration {
        self.allowed
    }

    /// Returns the time limits of the next move, if the clock started at `started`.
    ///
    /// The safety margin `margin` covers the delay between the answer and the stopping of the clock.
    /// The limits are never zero: they are at least a millisecond, or a twentieth of the allowed time
    /// if that is less.
    pub fn limits(&self, started: Instant, margin: Duration) -> Limits {
        let least = MIN_MOVE_TIME.min(self.allowed / MOVES_LEFT);
        let usable = self.allowed.saturating_sub(margin).max(least);
        let (soft, hard) = match self.clock {
            TimeControl::PerMove(_) | TimeControl::FirstMove { .. } => (usable, usable),
            TimeControl::Increment { increment, .. } => {
                let soft = (usable / MOVES_LEFT + increment / 10 * INCREMENT_TENTHS).max(least);
                let hard = soft
                    .saturating_mul(MAX_HARD_TO_SOFT)
                    .min(usable / HARD_BANK_DIVISOR)
                    .max(least);
                (soft.min(hard), hard)
            }
        };
        Limits { started: Some(started), soft: Some(soft), hard: Some(hard), ..Limits::none() }
    }

    /// Stops the clock after a move that took `used`. Returns true if the move was in time; a player
    /// whose time ran out has lost.
    #[must_use]
    pub fn press(&mut self, used: Duration) -> bool {
        let left = self.allowed.saturating_sub(used);
        match self.clock {
            TimeControl::PerMove(_) => {}
            TimeControl::Increment { .. } if left.is_zero() => self.allowed = Duration::ZERO,
            TimeControl::Increment { increment, .. } => {
                self.allowed = left.saturating_add(increment);
            }
            TimeControl::FirstMove { later, .. } => self.allowed = later,
        }
        !left.is_zero()
    }

    /// Lets a player continue whose latest move was too late: an empty bank gets the increment. Returns the
    /// time allowed for the next move, which is zero for an empty bank without an increment.
    pub fn forgive(&mut self) -> Duration {
        if let TimeControl::Increment { increment, .. } = self.clock {
            self.allowed = self.allowed.max(increment);
        }
        self.allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    const MARGIN: Duration = Duration::from_millis(10);

    fn clock(text: &str) -> PlayerClock {
        text.parse::<TimeControl>().expect("a clock").player_clock()
    }

    fn limits(clock: &PlayerClock, margin: Duration) -> (Duration, Duration) {
        let limits = clock.limits(Instant::now(), margin);
        (limits.soft.expect("a soft limit"), limits.hard.expect("a hard limit"))
    }

    /// Returns a random bank, from a second to some minutes, and a random increment.
    fn random_bank(rng: &mut Rng) -> (Duration, Duration) {
        let mut time = || Duration::from_nanos(rng.next_u64() >> (24 + rng.below(40)));
        (time() + Duration::from_secs(1), time())
    }

    #[test]
    fn each_of_the_three_time_controls_counts_down_by_its_rule() {
        let s = Duration::from_secs;
        let mut each = clock("2s");
        assert!(each.press(Duration::from_millis(1999)));
        assert_eq!(each.allowed(), s(2));
        assert!(!each.press(s(2)));

        let mut bank = clock("15s+1s");
        assert!(bank.press(s(14)));
        assert_eq!(bank.allowed(), s(2));
        assert!(bank.press(s(0)));
        assert_eq!(bank.allowed(), s(3));
        // The increment comes after the move, too late for a player without time.
        assert!(!bank.press(s(3)));
        assert_eq!(bank.allowed(), s(0));

        let mut first = clock("30s/2s");
        assert!(first.press(s(29)));
        assert_eq!(first.allowed(), s(2));
        assert!(first.press(s(1)) && !first.press(s(3)));
    }

    #[test]
    fn a_forgiven_player_gets_the_increment_or_its_usual_time() {
        let s = Duration::from_secs;
        for (text, left) in [("15s+1s", s(1)), ("15s+0s", s(0)), ("2s", s(2)), ("30s/2s", s(2))] {
            let mut clock = clock(text);
            assert!(!clock.press(s(99)));
            assert_eq!(clock.forgive(), left, "{text}");
        }
    }

    /// Exact to the nanosecond; a move is late only if it uses all of the allowed time.
    #[test]
    fn time_spent_plus_time_left_equals_time_granted() {
        let mut rng = Rng::new(11);
        for _ in 0..2000 {
            let (bank, increment) = random_bank(&mut rng);
            let mut clock = TimeControl::Increment { base: bank, increment }.player_clock();
            let (mut given, mut spent) = (bank, Duration::ZERO);
            loop {
                let allowed = clock.allowed();
                assert_eq!(given.checked_sub(spent), Some(allowed));
                let used = allowed.mul_f64(rng.unit() * 1.1);
                let in_time = clock.press(used);
                assert_eq!(in_time, used < allowed, "{used:?} of {allowed:?}");
                if !in_time {
                    assert_eq!(clock.allowed(), Duration::ZERO);
                    break;
                }
                (given, spent) = (given + increment, spent + used);
            }
            let (first, later) = random_bank(&mut rng);
            let mut clock =
                TimeControl::FirstMove { first, later: later.max(MIN_MOVE_TIME) }.player_clock();
            for n in 0..4 {
                let allowed = if n == 0 { first } else { later.max(MIN_MOVE_TIME) };
                assert_eq!(clock.allowed(), allowed);
                let used = allowed.mul_f64(rng.unit() * 2.0);
                assert_eq!(clock.press(used), used < allowed);
            }
        }
    }

    #[test]
    fn time_that_would_be_lost_is_used_up_to_the_margin() {
        for (text, millis) in [("2s", 1990), ("30s/2s", 29_990), ("12ms", 2), ("11ms", 1)] {
            let hard = Duration::from_millis(millis);
            assert_eq!(limits(&clock(text), MARGIN), (hard, hard), "{text}");
        }
        // The margin exceeds the allowed time.
        let (soft, hard) = limits(&clock("5ms"), MARGIN);
        assert_eq!((soft, hard), (Duration::from_micros(250), soft));
        assert_eq!(limits(&clock("50ms"), Duration::MAX).1, MIN_MOVE_TIME);
    }

    #[test]
    fn limits_keep_the_start_of_the_clock() {
        let began = Instant::now();
        assert_eq!(clock("15s+1s").limits(began, MARGIN).started, Some(began));
    }

    #[test]
    fn a_bank_outlasts_every_game_whose_moves_keep_to_the_hard_limit() {
        let mut rng = Rng::new(3);
        for _ in 0..300 {
            let (bank, increment) = random_bank(&mut rng);
            let mut clock = TimeControl::Increment { base: bank, increment }.player_clock();
            let always_all = rng.below(2) == 0;
            for _ in 0..200 {
                let allowed = clock.allowed();
                let (soft, hard) = limits(&clock, MARGIN);
                assert!(!soft.is_zero() && soft <= hard && hard < allowed, "{clock:?}");
                assert!(hard <= MIN_MOVE_TIME || hard + MARGIN < allowed, "{clock:?}");
                let share = if always_all { 1.0 } else { rng.unit() };
                assert!(clock.press(hard.mul_f64(share)), "{clock:?}");
            }
        }
    }

    #[test]
    fn a_game_uses_most_of_its_bank() {
        let s = Duration::from_secs;
        for (bank, increment, moves) in [(15, 1, 25), (15, 1, 40), (60, 0, 35), (1, 2, 25)] {
            let mut clock =
                TimeControl::Increment { base: s(bank), increment: s(increment) }.player_clock();
            let mut spent = Duration::ZERO;
            for _ in 0..moves {
                let (soft, _) = limits(&clock, MARGIN);
                spent += soft;
                assert!(clock.press(soft));
            }
            let available = s(bank + increment * moves);
            let share = spent.as_secs_f64() / available.as_secs_f64();
            assert!(share > 0.8, "{bank}s+{increment}s, {moves} moves: {share}");
        }
    }

    #[test]
    fn a_bank_approaches_twice_its_increment() {
        for text in ["15s+1s", "60s+1s", "500ms+1s"] {
            let mut clock = clock(text);
            for _ in 0..200 {
                let (soft, _) = limits(&clock, Duration::ZERO);
                assert!(clock.press(soft));
            }
            let left = clock.allowed().as_secs_f64();
            assert!((1.99..2.01).contains(&left), "{text}: {left} s left");
        }
    }

    #[test]
    fn more_time_never_gives_smaller_limits() {
        let mut rng = Rng::new(5);
        for _ in 0..2000 {
            let ((bank, increment), (more, faster)) =
                (random_bank(&mut rng), random_bank(&mut rng));
            let less =
                limits(&TimeControl::Increment { base: bank, increment }.player_clock(), MARGIN);
            let richer = TimeControl::Increment { base: bank + more, increment };
            let quicker = TimeControl::Increment { base: bank, increment: increment + faster };
            for other in [richer, quicker] {
                let (soft, hard) = limits(&other.player_clock(), MARGIN);
                assert!(soft >= less.0 && hard >= less.1, "{bank:?}+{increment:?} v {other}");
            }
            let margin = limits(
                &TimeControl::Increment { base: bank, increment }.player_clock(),
                MARGIN * 2,
            );
            assert!(margin.0 <= less.0 && margin.1 <= less.1, "{bank:?}+{increment:?}");
        }
    }

    #[test]
    fn the_longest_times_do_not_overflow() {
        let bank = Duration::MAX;
        let mut clock = TimeControl::Increment { base: bank, increment: bank }.player_clock();
        let (soft, hard) = limits(&clock, MARGIN);
        assert!(soft <= hard && hard < bank);
        assert!(clock.press(hard));
        assert_eq!(clock.allowed(), bank);
    }
}
