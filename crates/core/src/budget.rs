//! What a search may spend, and why it stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::time::{Instant, now, since};

/// Why a search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Stopped {
    /// It did all it was asked to do.
    Finished,
    /// The value of the root is proven.
    Proven,
    /// The clock.
    Time,
    /// The node limit.
    Nodes,
    /// The depth limit.
    Depth,
    /// The memory limit.
    Memory,
    /// The [`StopFlag`] was raised.
    Asked,
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

/// Adds up the time in which a search was not let to run, as far as its [`Watch`] can tell: its
/// nodes took microseconds, and then nothing happened for a thousand times as long. A machine can
/// stand still without its clock of processor time showing it.
#[derive(Clone, Debug, Default)]
pub struct Stalls(Arc<AtomicU64>);

impl Stalls {
    /// All stalls so far.
    pub fn so_far(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::Relaxed))
    }

    fn add(&self, gap: Duration) {
        self.0.fetch_add(u64::try_from(gap.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

/// The limits of a search. `None` means unlimited. The search ends at the first limit it reaches.
///
/// A budget is plain data and may be used for any number of searches: unless [`started`] is set,
/// the clock starts with each search.
///
/// ```
/// use std::time::Duration;
/// use tussle_core::Budget;
///
/// let budget = Budget::default().time(Duration::from_secs(2)).nodes(100_000);
/// assert_eq!(budget.nodes, Some(100_000));
/// ```
///
/// [`started`]: Budget::started
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Budget {
    /// Start of the clock, if it began to run before the search [default: the start of the search].
    /// A budget with a start is good for one search.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub started: Option<Instant>,
    /// Do not begin anything long after this much time.
    pub soft: Option<Duration>,
    /// Have answered by then.
    pub hard: Option<Duration>,
    /// Nodes, as [`Stats::nodes`](crate::Stats::nodes) counts them.
    pub nodes: Option<u64>,
    /// Plies from the root.
    pub depth: Option<u32>,
    /// Bytes for tables and trees.
    pub memory: Option<usize>,
    /// Ends the search from outside.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub stop: Option<StopFlag>,
    /// Takes note of stalls, for whoever judges lateness.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub stalls: Option<Stalls>,
}

impl Budget {
    /// No limit at all.
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// Limits the time of each search.
    #[must_use]
    pub fn time(mut self, limit: Duration) -> Self {
        self.soft = Some(limit);
        self.hard = Some(limit);
        self
    }

    /// Limits the nodes.
    #[must_use]
    pub fn nodes(mut self, limit: u64) -> Self {
        self.nodes = Some(limit);
        self
    }

    /// Limits the depth.
    #[must_use]
    pub fn depth(mut self, limit: u32) -> Self {
        self.depth = Some(limit);
        self
    }

    /// Limits the memory.
    #[must_use]
    pub fn memory(mut self, bytes: usize) -> Self {
        self.memory = Some(bytes);
        self
    }

    /// Stops when this flag is raised.
    #[must_use]
    pub fn stop_flag(mut self, flag: StopFlag) -> Self {
        self.stop = Some(flag);
        self
    }

    /// Sets the start of the clock to now, unless it is set. A search calls it once, so that all
    /// its parts share one deadline.
    #[must_use]
    pub fn begun(mut self) -> Self {
        self.started.get_or_insert_with(now);
        self
    }

    /// Starts watching these limits; the clock starts now, unless it runs already.
    pub fn watch(&self) -> Watch {
        let now = now();
        let started = self.started.unwrap_or(now);
        Watch {
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

    /// Whether the clock can end the search.
    pub fn is_timed(&self) -> bool {
        self.soft.is_some() || self.hard.is_some()
    }
}

/// Looks at the clock should be this far apart: seldom enough to cost nothing, often enough
/// that no deadline is missed by much.
const SELDOM: Duration = Duration::from_micros(10);
const OFTEN: Duration = Duration::from_micros(40);

/// Where several nodes fit between two looks, nothing that a search does takes this long.
const STALL: Duration = Duration::from_millis(2);

/// A running [`Budget`].
///
/// A search calls [`check`](Watch::check) at every node; it costs a comparison. How many nodes
/// lie between two looks at the clock follows from how long they take.
///
/// ```
/// use tussle_core::{Budget, Stopped};
///
/// let mut watch = Budget::default().nodes(3).watch();
/// let mut nodes = 0;
/// let why = loop {
///     if let Some(why) = watch.check(nodes) {
///         break why;
///     }
///     nodes += 1;
/// };
/// assert_eq!((nodes, why), (3, Stopped::Nodes));
/// ```
#[derive(Clone, Debug)]
pub struct Watch {
    started: Instant,
    soft: Option<Instant>,
    hard: Option<Instant>,
    nodes: u64,
    stop: Option<StopFlag>,
    stalls: Option<Stalls>,
    /// The number of nodes at which there is something to look at again.
    next_look: u64,
    stride: u64,
    looked: Instant,
}

impl Watch {
    /// Whether to stop now, `nodes` having been spent so far.
    #[inline]
    pub fn check(&mut self, nodes: u64) -> Option<Stopped> {
        if nodes < self.next_look { None } else { self.look_closely(nodes) }
    }

    #[cold]
    fn look_closely(&mut self, nodes: u64) -> Option<Stopped> {
        if nodes >= self.nodes {
            return Some(Stopped::Nodes);
        }
        self.next_look = self.nodes;
        if self.hard.is_none() && self.stop.is_none() {
            return None;
        }
        let now = now();
        let gap = now - self.looked;
        self.looked = now;
        if let Some(stalls) = self.stalls.as_ref().filter(|_| gap > STALL && self.stride > 1) {
            stalls.add(gap);
        }
        if gap < SELDOM {
            self.stride = (self.stride * 2).min(1 << 20);
        } else if gap > OFTEN {
            // At once, not step by step: nodes may have become a hundred times slower.
            let share = OFTEN.as_secs_f64() / gap.as_secs_f64();
            self.stride = ((self.stride as f64 * share) as u64).max(1);
        }
        self.next_look = self.nodes.min(nodes + self.stride);
        self.stopped_at(now)
    }

    /// Looks at the stop flag and the hard deadline at once, whatever was spent.
    #[cold]
    pub fn look(&self) -> Option<Stopped> {
        self.stopped_at(now())
    }

    fn stopped_at(&self, now: Instant) -> Option<Stopped> {
        if self.stop.as_ref().is_some_and(StopFlag::is_stopped) {
            return Some(Stopped::Asked);
        }
        self.hard.is_some_and(|end| now >= end).then_some(Stopped::Time)
    }

    /// Whether the soft deadline would have passed after this much more time: then begin
    /// nothing that takes as long.
    pub fn is_late_in(&self, more: Duration) -> bool {
        let then = now().checked_add(more);
        self.soft.is_some_and(|end| then.is_none_or(|then| then >= end))
    }

    /// The time since the clock began to run.
    pub fn elapsed(&self) -> Duration {
        since(self.started)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_already_spent_counts() {
        let mut budget = Budget::default().time(Duration::from_millis(50));
        budget.started = Instant::now().checked_sub(Duration::from_millis(60));
        assert_eq!(budget.watch().check(0), Some(Stopped::Time));
    }

    #[test]
    fn a_budget_can_be_used_for_many_searches() {
        let budget = Budget::default().time(Duration::from_mins(1));
        for _ in 0..2 {
            let before = Instant::now();
            assert!(budget.watch().started >= before);
        }
        let begun = budget.begun();
        assert!(begun.started.is_some());
        assert_eq!(begun.clone().begun().started, begun.started);
        assert_eq!(Some(begun.watch().started), begun.started);
    }

    #[test]
    fn a_raised_flag_stops_a_search_soon() {
        let flag = StopFlag::default();
        let mut watch = Budget::default().stop_flag(flag.clone()).watch();
        assert_eq!(watch.check(0), None);
        flag.stop();
        let stopped_at = (1..100).find(|&n| watch.check(n) == Some(Stopped::Asked));
        assert!(stopped_at.is_some());
    }

    #[test]
    fn nodes_that_take_long_are_watched_more_closely() {
        let mut watch = Budget::default().time(Duration::from_mins(1)).watch();
        for nodes in 0..20 {
            std::thread::sleep(Duration::from_micros(300));
            assert_eq!(watch.check(nodes), None);
        }
        assert_eq!(watch.stride, 1);
        assert_eq!(watch.next_look, 20);
    }

    #[test]
    fn one_late_look_is_enough_to_look_sooner() {
        let mut watch = Budget::default().time(Duration::from_mins(1)).watch();
        watch.stride = 1 << 12;
        watch.looked = Instant::now().checked_sub(Duration::from_millis(10)).expect("later");
        assert_eq!(watch.check(0), None);
        assert!((1..=16).contains(&watch.stride), "{}", watch.stride);
    }

    #[test]
    fn a_stall_is_told_from_slow_nodes() {
        let stalls = Stalls::default();
        let budget = Budget { stalls: Some(stalls.clone()), ..Budget::default() };
        let mut watch = budget.time(Duration::from_mins(1)).watch();
        // Nodes that take long are looked at one by one, and are the search's own.
        for nodes in 0..3 {
            std::thread::sleep(STALL * 2);
            assert_eq!(watch.check(nodes), None);
        }
        assert_eq!(stalls.so_far(), Duration::ZERO);
        watch.stride = 100;
        std::thread::sleep(STALL * 2);
        assert_eq!(watch.check(3), None);
        assert!(stalls.so_far() >= STALL * 2);
    }

    #[test]
    fn a_limit_beyond_the_end_of_time_is_no_limit() {
        assert_eq!(Budget::default().time(Duration::MAX).watch().look(), None);
    }
}
