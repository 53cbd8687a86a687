//! What a search may spend, and why it stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Why a search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
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
    /// Somebody raised the [`StopFlag`].
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

    /// Whether somebody asked.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The limits of one search. Whatever is `None` is unlimited; whichever limit is met first
/// ends the search.
///
/// ```
/// use std::time::Duration;
/// use tussle_core::Budget;
///
/// let budget = Budget::default().time(Duration::from_secs(2)).nodes(100_000);
/// assert_eq!(budget.nodes, Some(100_000));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// The instant the player's clock began to run, which may be before the search started.
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
    pub stop: Option<StopFlag>,
}

impl Budget {
    /// No limit at all.
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// Limits the time; the clock runs from now.
    #[must_use]
    pub fn time(mut self, limit: Duration) -> Self {
        self.started = Some(Instant::now());
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

    /// Starts watching these limits.
    pub fn watch(&self) -> Watch {
        let started = self.started.unwrap_or_else(Instant::now);
        Watch {
            started,
            soft: self.soft.and_then(|limit| started.checked_add(limit)),
            hard: self.hard.and_then(|limit| started.checked_add(limit)),
            nodes: self.nodes.unwrap_or(u64::MAX),
            stop: self.stop.clone(),
            next_look: 0,
        }
    }
}

/// A running [`Budget`].
///
/// A search calls [`check`](Watch::check) at every node; it costs a comparison, and a look at
/// the clock once every [`Watch::STRIDE`] nodes.
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
    next_look: u64,
}

impl Watch {
    /// Nodes between two looks at the clock.
    pub const STRIDE: u64 = 256;

    /// Whether to stop now, `nodes` having been spent so far.
    #[inline]
    pub fn check(&mut self, nodes: u64) -> Option<Stopped> {
        if nodes >= self.nodes {
            return Some(Stopped::Nodes);
        }
        if nodes < self.next_look {
            return None;
        }
        self.next_look = nodes + Self::STRIDE;
        self.look()
    }

    /// Looks at the stop flag and the hard deadline at once, whatever was spent.
    #[cold]
    pub fn look(&self) -> Option<Stopped> {
        if self.stop.as_ref().is_some_and(StopFlag::is_stopped) {
            return Some(Stopped::Asked);
        }
        (self.hard.is_some_and(|end| Instant::now() >= end)).then_some(Stopped::Time)
    }

    /// Whether the soft deadline has passed: begin nothing long.
    pub fn is_late(&self) -> bool {
        self.soft.is_some_and(|end| Instant::now() >= end)
    }

    /// The time since the clock began to run.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
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
    fn a_raised_flag_stops_a_search_within_a_stride() {
        let flag = StopFlag::default();
        let mut watch = Budget::default().stop_flag(flag.clone()).watch();
        assert_eq!(watch.check(0), None);
        flag.stop();
        let stopped_at = (1..=2 * Watch::STRIDE).find(|&n| watch.check(n).is_some());
        assert_eq!(stopped_at, Some(Watch::STRIDE));
    }

    #[test]
    fn a_limit_beyond_the_end_of_time_is_no_limit() {
        assert_eq!(Budget::default().time(Duration::MAX).watch().look(), None);
    }
}
