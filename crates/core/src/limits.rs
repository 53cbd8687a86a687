//! Limits of a search, and the reason why it stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::time::{Instant, now, since};

/// Reason why a search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum StopReason {
    /// The search completed its task.
    Finished,
    /// The value of the root was proven.
    Proven,
    /// The time limit was reached.
    Time,
    /// The node limit was reached.
    Nodes,
    /// The depth limit was reached.
    Depth,
    /// The memory limit was reached.
    Memory,
    /// The [`StopFlag`] was raised.
    #[cfg_attr(feature = "serde", serde(rename = "asked"))]
    StopFlag,
}

/// A flag that ends a search from another thread.
///
/// ```
/// use tussle_core::StopFlag;
/// let flag = StopFlag::default();
/// let other = flag.clone();
/// other.stop();
/// assert!(flag.is_stopped());
/// ```
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Asks the search to stop.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns true once [`stop`](StopFlag::stop) was called.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Returns a guard that raises the flag when it is dropped: an aborted request stops its search.
    ///
    /// ```
    /// use tussle_core::StopFlag;
    /// let flag = StopFlag::default();
    /// drop(flag.on_drop());
    /// assert!(flag.is_stopped());
    /// ```
    pub fn on_drop(&self) -> StopGuard {
        StopGuard(self.clone())
    }
}

/// Raises a [`StopFlag`] when it is dropped.
#[derive(Debug)]
#[must_use = "the flag is raised when the guard is dropped"]
pub struct StopGuard(StopFlag);

impl Drop for StopGuard {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Total time in which a search made no progress although it was running.
///
/// A [`LimitChecker`] counts a gap as a stall if nodes took microseconds and then one took more than 2 ms.
/// Virtual machines can pause in this way without any effect on the measured processor time.
#[derive(Clone, Debug, Default)]
pub struct Stalls(Arc<AtomicU64>);

impl Stalls {
    /// Returns the total time so far.
    pub fn total(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::Relaxed))
    }

    fn add(&self, gap: Duration) {
        self.0.fetch_add(u64::try_from(gap.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

/// Limits of a search. `None` means unlimited. The search ends at the first limit that it reaches.
///
/// Limits are plain data and serve any number of searches: the clock starts with each search, unless
/// [`started`] is set.
///
/// ```
/// use std::time::Duration;
/// use tussle_core::Limits;
///
/// let limits = Limits::time(Duration::from_secs(2)).or_nodes(100_000);
/// assert_eq!(limits.nodes, Some(100_000));
/// ```
///
/// [`started`]: Limits::started
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Limits {
    /// Start of the clock, if it started before the search [default: the start of the search].
    /// Use limits with a start for one search only.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub started: Option<Instant>,
    /// Soft time limit: the search starts no new iteration after it.
    pub soft: Option<Duration>,
    /// Hard time limit: the search must have answered by then.
    pub hard: Option<Duration>,
    /// Node limit, as [`SearchStats::nodes`](crate::SearchStats::nodes) counts nodes.
    pub nodes: Option<u64>,
    /// Depth limit in plies from the root; 0 counts as 1.
    pub depth: Option<u32>,
    /// Memory limit of tables and trees, in bytes.
    pub memory: Option<usize>,
    /// Flag that ends the search from another thread.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub stop: Option<StopFlag>,
    /// Counter of the time in which the search was stalled.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub stalls: Option<Stalls>,
}

impl Limits {
    /// Creates limits that are all `None`.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// Creates a time limit for each search, soft and hard.
    #[must_use]
    pub fn time(limit: Duration) -> Self {
        Self::none().or_time(limit)
    }

    /// Creates a node limit.
    #[must_use]
    pub fn nodes(limit: u64) -> Self {
        Self::none().or_nodes(limit)
    }

    /// Creates a depth limit, in plies.
    #[must_use]
    pub fn depth(limit: u32) -> Self {
        Self::none().or_depth(limit)
    }

    /// Creates a memory limit, in bytes.
    #[must_use]
    pub fn memory(bytes: usize) -> Self {
        Self::none().or_memory(bytes)
    }

    /// Adds a time limit for each search, soft and hard.
    #[must_use]
    pub fn or_time(mut self, limit: Duration) -> Self {
        self.soft = Some(limit);
        self.hard = Some(limit);
        self
    }

    /// Adds a node limit.
    #[must_use]
    pub fn or_nodes(mut self, limit: u64) -> Self {
        self.nodes = Some(limit);
        self
    }

    /// Adds a depth limit, in plies.
    #[must_use]
    pub fn or_depth(mut self, limit: u32) -> Self {
        self.depth = Some(limit);
        self
    }

    /// Adds a memory limit, in bytes.
    #[must_use]
    pub fn or_memory(mut self, bytes: usize) -> Self {
        self.memory = Some(bytes);
        self
    }

    /// Adds a flag that ends the search when it is raised.
    #[must_use]
    pub fn or_stop(mut self, flag: &StopFlag) -> Self {
        self.stop = Some(flag.clone());
        self
    }

    /// Sets the start of the clock to now, unless it is set. A search calls this once, so that all of its
    /// parts share one deadline.
    #[must_use]
    pub fn with_clock_started(mut self) -> Self {
        self.started.get_or_insert_with(now);
        self
    }

    /// Returns a checker of these limits. The clock starts now, unless it runs already.
    pub fn checker(&self) -> LimitChecker {
        let now = now();
        let started = self.started.unwrap_or(now);
        LimitChecker {
            started,
            soft: self.soft.and_then(|limit| started.checked_add(limit)),
            hard: self.hard.and_then(|limit| started.checked_add(limit)),
            nodes: self.nodes.unwrap_or(u64::MAX),
            stop: self.stop.clone(),
            stalls: self.stalls.clone(),
            next_look: 0,
            stride: 1,
            looked: now,
        }
    }

    /// Returns true if the clock can end the search.
    pub fn is_timed(&self) -> bool {
        self.soft.is_some() || self.hard.is_some()
    }
}

/// Bounds of the time between two readings of the clock: long enough that reading costs little, short
/// enough to miss no deadline by much.
const MIN_CHECK_INTERVAL: Duration = Duration::from_micros(10);
const MAX_CHECK_INTERVAL: Duration = Duration::from_micros(40);

/// Length from which a gap between two readings is a stall, if several nodes fit between readings.
const MIN_STALL: Duration = Duration::from_millis(2);

/// Checks the [`Limits`] of a running search.
///
/// A search calls [`check`](LimitChecker::check) at every node. Most calls cost one comparison: the
/// clock is only read after a number of nodes that adapts to the time per node.
///
/// ```
/// use tussle_core::{Limits, StopReason};
///
/// let mut watch = Limits::nodes(3).checker();
/// let mut nodes = 0;
/// let why = loop {
///     if let Some(why) = watch.check(nodes) {
///         break why;
///     }
///     nodes += 1;
/// };
/// assert_eq!((nodes, why), (3, StopReason::Nodes));
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct LimitChecker {
    started: Instant,
    soft: Option<Instant>,
    hard: Option<Instant>,
    nodes: u64,
    stop: Option<StopFlag>,
    stalls: Option<Stalls>,
    /// Number of nodes at which the clock and the flag are checked again.
    next_look: u64,
    stride: u64,
    looked: Instant,
}

impl LimitChecker {
    /// Returns the reason to stop now, if there is one, after `nodes` nodes.
    #[inline]
    #[must_use]
    pub fn check(&mut self, nodes: u64) -> Option<StopReason> {
        if nodes < self.next_look { None } else { self.look_closely(nodes) }
    }

    #[cold]
    fn look_closely(&mut self, nodes: u64) -> Option<StopReason> {
        if nodes >= self.nodes {
            return Some(StopReason::Nodes);
        }
        self.next_look = self.nodes;
        if self.hard.is_none() && self.stop.is_none() {
            return None;
        }
        let now = now();
        let gap = now - self.looked;
        self.looked = now;
        if let Some(stalls) = self.stalls.as_ref().filter(|_| gap > MIN_STALL && self.stride > 1) {
            stalls.add(gap);
        }
        if gap < MIN_CHECK_INTERVAL {
            self.stride = (self.stride * 2).min(1 << 20);
        } else if gap > MAX_CHECK_INTERVAL {
            // Reduced in one step, because nodes may have become a hundred times slower.
            let share = MAX_CHECK_INTERVAL.as_secs_f64() / gap.as_secs_f64();
            self.stride = ((self.stride as f64 * share) as u64).max(1);
        }
        self.next_look = self.nodes.min(nodes + self.stride);
        self.stopped_at(now)
    }

    /// Checks the stop flag and the hard limit now, independent of the number of nodes.
    #[cold]
    #[must_use]
    pub fn look(&self) -> Option<StopReason> {
        self.stopped_at(now())
    }

    fn stopped_at(&self, now: Instant) -> Option<StopReason> {
        if self.stop.as_ref().is_some_and(StopFlag::is_stopped) {
            return Some(StopReason::StopFlag);
        }
        self.hard.is_some_and(|end| now >= end).then_some(StopReason::Time)
    }

    /// Returns true if the soft limit will have passed after `more` time.
    #[must_use]
    pub fn is_late_in(&self, more: Duration) -> bool {
        let then = now().checked_add(more);
        self.soft.is_some_and(|end| then.is_none_or(|then| then >= end))
    }

    /// Returns the time since the clock started.
    pub fn elapsed(&self) -> Duration {
        since(self.started)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_already_spent_counts() {
        let mut limits = Limits::time(Duration::from_millis(50));
        limits.started = Instant::now().checked_sub(Duration::from_millis(60));
        assert_eq!(limits.checker().check(0), Some(StopReason::Time));
    }

    #[test]
    fn limits_can_be_used_for_many_searches() {
        let limits = Limits::time(Duration::from_mins(1));
        for _ in 0..2 {
            let before = Instant::now();
            assert!(limits.checker().started >= before);
        }
        let begun = limits.with_clock_started();
        assert!(begun.started.is_some());
        assert_eq!(begun.clone().with_clock_started().started, begun.started);
        assert_eq!(Some(begun.checker().started), begun.started);
    }

    #[test]
    fn a_raised_flag_stops_a_search_soon() {
        let flag = StopFlag::default();
        let mut watch = Limits::none().or_stop(&flag).checker();
        assert_eq!(watch.check(0), None);
        flag.stop();
        let stopped_at = (1..100).find(|&n| watch.check(n) == Some(StopReason::StopFlag));
        assert!(stopped_at.is_some());
    }

    #[test]
    fn slow_nodes_are_checked_one_by_one() {
        let mut watch = Limits::time(Duration::from_mins(1)).checker();
        for nodes in 0..20 {
            std::thread::sleep(Duration::from_micros(300));
            assert_eq!(watch.check(nodes), None);
        }
        assert_eq!(watch.stride, 1);
        assert_eq!(watch.next_look, 20);
    }

    #[test]
    fn one_late_check_shortens_the_check_interval() {
        let mut watch = Limits::time(Duration::from_mins(1)).checker();
        watch.stride = 1 << 12;
        watch.looked = Instant::now().checked_sub(Duration::from_millis(10)).expect("later");
        assert_eq!(watch.check(0), None);
        assert!((1..=16).contains(&watch.stride), "{}", watch.stride);
    }

    #[test]
    fn each_early_check_doubles_the_check_interval() {
        let mut watch = Limits::time(Duration::from_mins(1)).checker();
        // A busy machine may delay one check, but not a thousand.
        let doubles = |_| {
            (watch.stride, watch.looked) = (8, Instant::now());
            watch.check(watch.next_look).is_none() && watch.stride == 16
        };
        assert!((0..1000).any(doubles));
    }

    #[test]
    fn a_stall_is_distinguished_from_slow_nodes() {
        let stalls = Stalls::default();
        let limits = Limits { stalls: Some(stalls.clone()), ..Limits::none() };
        let mut watch = limits.or_time(Duration::from_mins(1)).checker();
        // With one check per node, a long gap is a slow node and not a stall.
        for nodes in 0..3 {
            std::thread::sleep(MIN_STALL * 2);
            assert_eq!(watch.check(nodes), None);
        }
        assert_eq!(stalls.total(), Duration::ZERO);
        watch.stride = 100;
        std::thread::sleep(MIN_STALL * 2);
        assert_eq!(watch.check(3), None);
        assert!(stalls.total() >= MIN_STALL * 2);
    }

    #[test]
    fn a_time_limit_that_overflows_is_ignored() {
        assert_eq!(Limits::time(Duration::MAX).checker().look(), None);
    }
}
