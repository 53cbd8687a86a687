//! Time management for game clocks, on which unused time counts later.

use std::time::Duration;

use tussle_core::{Game, Limits, StopReason};

use super::Search;
use super::options::{FinalMove, MctsOptions};

/// Share of the soft limit before which a search does not stop: speed and visits are not known well.
const MIN_SHARE: f64 = 0.1;
/// Share of the visits of the leading move from which another move contests the choice.
const CONTESTED_SHARE: f64 = 0.75;

/// The two leading moves of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Leaders {
    /// Visits of the most visited move.
    pub(super) first: u32,
    /// Visits of the second most visited move.
    pub(super) second: u32,
    /// True if the most visited move has the highest mean.
    pub(super) is_best_mean: bool,
}

/// Time limits that leave a choice.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeManager {
    soft: Duration,
    hard: Duration,
    /// True if the move with the most visits is played.
    plays_most_visited: bool,
}

impl TimeManager {
    /// Returns a manager, if these options and limits ask for one: the hard limit is above the soft one only if
    /// unused time is not lost.
    pub(super) fn new(options: &MctsOptions, limits: &Limits) -> Option<Self> {
        let (soft, hard) = (limits.soft?, limits.hard?);
        let plays_most_visited = options.final_move == FinalMove::Visits;
        (options.adaptive && soft < hard).then_some(Self { soft, hard, plays_most_visited })
    }

    /// Returns the reason to stop after this time and number of simulations, if there is one.
    pub(super) fn stop_reason(
        self,
        elapsed: Duration,
        simulations: u64,
        leaders: Leaders,
    ) -> Option<StopReason> {
        let Leaders { first, second, is_best_mean } = leaders;
        let is_contested = !is_best_mean || f64::from(second) >= CONTESTED_SHARE * f64::from(first);
        if elapsed >= self.soft && !is_contested {
            return Some(StopReason::Time);
        }
        let end = if elapsed < self.soft { self.soft } else { self.hard };
        let rate = simulations as f64 / elapsed.as_secs_f64();
        let rest = rate * end.saturating_sub(elapsed).as_secs_f64();
        let is_decided = self.plays_most_visited
            && elapsed.as_secs_f64() >= MIN_SHARE * self.soft.as_secs_f64()
            && f64::from(first - second) > rest;
        is_decided.then_some(StopReason::Finished)
    }
}

impl<G: Game> Search<'_, G> {
    /// Returns the two leading root moves.
    pub(super) fn leaders(&self) -> Leaders {
        let (mut first, mut second, mut mean, mut best_mean) = (0, 0, 0.0, f64::NEG_INFINITY);
        let block = self.rooted.tree.edge(self.rooted.root).block();
        for (_, edge) in block.into_iter().flat_map(|block| self.rooted.tree.children(block)) {
            let visits = edge.visits();
            if visits == 0 {
                continue;
            }
            best_mean = best_mean.max(edge.mean());
            if visits > first {
                (first, second, mean) = (visits, first, edge.mean());
            } else {
                second = second.max(visits);
            }
        }
        Leaders { first, second, is_best_mean: mean >= best_mean }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANAGER: TimeManager = TimeManager {
        soft: Duration::from_millis(100),
        hard: Duration::from_millis(300),
        plays_most_visited: true,
    };

    fn stops(ms: u64, first: u32, second: u32, is_best_mean: bool) -> Option<StopReason> {
        // Ten simulations per millisecond.
        let leaders = Leaders { first, second, is_best_mean };
        MANAGER.stop_reason(Duration::from_millis(ms), 10 * ms, leaders)
    }

    #[test]
    fn a_lead_that_the_rest_of_the_time_cannot_change_ends_the_search() {
        assert_eq!(stops(60, 501, 100, false), Some(StopReason::Finished));
        assert_eq!(stops(60, 499, 100, false), None);
        // With tree reuse, the lead can be large from the start.
        assert_eq!(stops(5, 5000, 100, true), None);
        assert_eq!(stops(11, 5000, 100, true), Some(StopReason::Finished));
        let by_mean = TimeManager { plays_most_visited: false, ..MANAGER };
        let leaders = Leaders { first: 900, second: 0, is_best_mean: true };
        assert_eq!(by_mean.stop_reason(Duration::from_millis(90), 900, leaders), None);
    }

    #[test]
    fn only_a_contested_choice_takes_more_than_the_soft_limit() {
        assert_eq!(stops(100, 500, 374, true), Some(StopReason::Time));
        assert_eq!(stops(100, 500, 376, true), None);
        assert_eq!(stops(100, 900, 100, false), None);
        // Beyond it, the lead must last until the hard limit.
        assert_eq!(stops(200, 1900, 100, false), Some(StopReason::Finished));
    }

    #[test]
    fn only_clocks_that_keep_unused_time_are_managed() {
        let (on, off) =
            (MctsOptions { adaptive: true, ..MctsOptions::default() }, MctsOptions::default());
        let ms = Duration::from_millis;
        let bank = Limits { soft: Some(ms(10)), hard: Some(ms(30)), ..Limits::none() };
        assert!(TimeManager::new(&on, &bank).is_some());
        assert!(TimeManager::new(&off, &bank).is_none());
        assert!(TimeManager::new(&on, &Limits::time(ms(10))).is_none());
        assert!(TimeManager::new(&on, &Limits::nodes(10)).is_none());
    }
}
