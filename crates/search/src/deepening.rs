//! Iterative deepening and limits at the root, shared by all classical searches.

use std::time::Duration;

use tussle_core::time::{now, since};
use tussle_core::{Bound, Limits, Line, Report, SearchStats, StopReason, Value};

use crate::score::MAX_PLIES;
use crate::{Deepening, ProgressCallback, Query, SearchError};

/// Root move with the result of its latest search.
#[derive(Clone, Debug)]
pub(crate) struct Root<M> {
    pub(crate) mv: M,
    /// Score for the root player, as the search compares it; NaN before the first search.
    pub(crate) score: f64,
    /// Value for every player, in max^n.
    pub(crate) values: Vec<f64>,
    /// Value to report, if it cannot be derived from the score: a mean does not tell which outcomes it
    /// contains.
    pub(crate) value: Option<Value>,
    pub(crate) bound: Bound,
    /// True if the score does not depend on evaluations.
    pub(crate) proven: bool,
    /// Depth of the latest search, in plies.
    pub(crate) depth: u32,
    /// Nodes spent on this move in all iterations.
    pub(crate) visits: u64,
    pub(crate) pv: Vec<M>,
}

impl<M: Copy> Root<M> {
    pub(crate) fn new(mv: M) -> Self {
        Self {
            mv,
            score: f64::NAN,
            values: Vec::new(),
            value: None,
            bound: Bound::Lower,
            proven: false,
            depth: 0,
            visits: 0,
            pv: vec![mv],
        }
    }

    /// Sets depth, proof and principal variation. The caller sets score, value and bound.
    pub(crate) fn searched(&mut self, depth: u32, proven: bool, answer: &[M]) {
        (self.depth, self.proven) = (depth, proven);
        self.pv.truncate(1);
        self.pv.extend_from_slice(answer);
    }
}

/// Scores of the root moves searched so far, the best first.
pub(crate) struct Best {
    lines: usize,
    scores: Vec<f64>,
}

impl Best {
    /// Creates an empty list for a search with this number of exact lines.
    pub(crate) fn new(lines: usize) -> Self {
        Self { lines: lines.max(1), scores: Vec::new() }
    }

    /// Returns the best score, if there is any.
    pub(crate) fn first(&self) -> Option<f64> {
        self.scores.first().copied()
    }

    /// Returns the score that a further move must exceed to need an exact score: that of the last exact line.
    /// `None` if there are fewer lines. A bound is enough for other moves.
    pub(crate) fn last_exact(&self) -> Option<f64> {
        self.scores.get(self.lines - 1).copied()
    }

    pub(crate) fn add(&mut self, score: f64) {
        self.scores.insert(self.scores.partition_point(|&other| other >= score), score);
    }
}

/// Search of all root moves to one depth.
pub(crate) trait Iterate<M> {
    /// Searches the moves in the given order and updates them one by one.
    ///
    /// # Errors
    /// If the search is stopped: the reason, and the number of finished moves. The other moves are unchanged.
    fn iterate(&mut self, depth: u32, roots: &mut [Root<M>]) -> Result<(), (StopReason, usize)>;

    /// Ends the search; called once, before the final report.
    fn end(&mut self) {}

    /// Returns the counters so far.
    fn stats(&self) -> SearchStats;

    /// Sets the value and the proof of a line. The default uses [`Root::value`], or the score if there is none.
    fn describe(&self, line: &mut Line<M>, root: &Root<M>) {
        line.value = root.value.unwrap_or(line.value);
    }

    /// Returns the lowest result of the game, which bounds the values of all moves.
    fn least(&self) -> Value;

    /// Returns true if no deeper search can change the result of this move.
    fn is_final(&self, root: &Root<M>) -> bool;

    /// Returns the error of the rules or the evaluator, if one of them has failed. All values are then invalid.
    fn failure(&self) -> Option<SearchError>;
}

/// Limits, receivers and options of a deepening search.
pub(crate) struct Task<'a, M> {
    pub(crate) deepening: Deepening,
    pub(crate) limits: Limits,
    /// Number of best moves that get exact values.
    pub(crate) lines: usize,
    /// True to order the moves of each depth by the values of the last depth.
    pub(crate) resort: bool,
    /// True if the query has a goal, so that also a single move needs a value.
    pub(crate) has_goal: bool,
    pub(crate) live: Option<ProgressCallback<'a, M>>,
}

impl<'a, M> Task<'a, M> {
    /// Starts the clock of a query.
    pub(crate) fn new(deepening: Deepening, resort: bool, query: Query<'a, M>) -> Self {
        let Query { limits, lines, goal, live, .. } = query;
        let (limits, has_goal) = (limits.with_clock_started(), goal.is_some());
        Self { deepening, limits, lines, resort, has_goal, live }
    }

    fn is_limited(&self) -> bool {
        self.limits.is_timed() || self.limits.nodes.is_some()
    }

    fn is_deepening(&self) -> bool {
        self.deepening.iterative.unwrap_or(self.is_limited())
    }
}

/// Searches until a limit is reached, and returns the report.
pub(crate) fn deepen<M: Copy + Eq>(
    search: &mut impl Iterate<M>,
    moves: &[M],
    mut task: Task<'_, M>,
) -> Result<Report<M>, SearchError> {
    let began = now();
    let watch = task.limits.checker();
    if let Some(error) = search.failure() {
        return Err(error);
    }
    if moves.is_empty() {
        return Err(SearchError::GameOver); // the game breaks its contract
    }
    let last = task.limits.depth.unwrap_or(MAX_PLIES).max(1);
    let deepening = task.is_deepening();
    let hurried = task.is_limited() && task.limits.depth.is_none();
    let mut live = task.live.take();

    // `known` has the results so far, best first; `roots` has the moves in the order of the next depth.
    let mut known: Vec<Root<M>> = moves.iter().map(|&mv| Root::new(mv)).collect();
    let mut roots = known.clone();
    let mut completed = 0;
    let step = task.deepening.step.max(1);
    let mut depth = match task.limits.depth {
        _ if !deepening => last,
        Some(_) => 1 + (last - 1) % step,
        None => 1,
    };
    let stopped = loop {
        let started = now();
        let result = search.iterate(depth, &mut roots);
        // After an error of the rules every position is finished, so that the iteration ends soon.
        if let Some(error) = search.failure() {
            return Err(error);
        }
        if let Err((why, finished)) = result {
            // With fewer finished lines than requested, the last depth is the better answer.
            let enough = finished >= task.lines.clamp(1, roots.len());
            let wanted = completed == 0 || task.deepening.partial && enough;
            let is_final = |root: &Root<M>| root.proven || search.is_final(root);
            take_finished(&mut known, &roots[..finished], wanted, is_final);
            break why;
        }
        completed = depth;
        known.clone_from(&roots);
        sort(&mut known);
        let asked = &known[..task.lines.clamp(1, known.len())];
        if known.iter().all(|root| root.proven) || asked.iter().all(|root| search.is_final(root)) {
            break StopReason::Proven;
        }
        if depth >= last {
            break if task.limits.depth.is_some() {
                StopReason::Depth
            } else {
                StopReason::Finished
            };
        }
        if hurried && known.len() == 1 && task.lines <= 1 && !task.has_goal {
            // A single move needs no search. Its value at depth 1 is not reported, because the values of
            // deeper searches, with which it might be compared, may have proven something else.
            known[0].score = f64::NAN;
            break StopReason::Finished;
        }
        if task.limits.nodes.is_some_and(|most| search.stats().nodes >= most) {
            break StopReason::Nodes;
        }
        let took = since(started);
        if watch.is_late_in(task.deepening.contract.map_or(Duration::ZERO, |x| times(took, x))) {
            break StopReason::Time;
        }
        if let Some(live) = &mut live {
            live(&report(search, &known, completed, StopReason::Depth, since(began)));
        }
        if task.resort {
            roots.clone_from(&known);
        }
        depth = depth.saturating_add(step).min(last);
    };
    search.end();
    let report = report(search, &known, completed, stopped, since(began));
    if let Some(live) = &mut live {
        live(&report);
    }
    Ok(report)
}

/// Sorts the best moves first. Equal moves keep their order, except that exact values come before bounds.
fn sort<M>(roots: &mut [Root<M>]) {
    let rank = |root: &Root<M>| (root.score.is_nan(), root.bound == Bound::Upper);
    roots.sort_by(|a, b| {
        let by_score = b.score.partial_cmp(&a.score).unwrap_or(std::cmp::Ordering::Equal);
        rank(a).0.cmp(&rank(b).0).then(by_score).then(rank(a).1.cmp(&rank(b).1))
    });
}

/// Uses the finished moves of an interrupted depth.
///
/// Their values can be compared with one another, but not with values of a shallower search. So they
/// replace the former results only if the former best move is one of them, with more than an upper
/// bound. Then the best of them is at least as good as the former best move at the new depth. The values
/// of unfinished moves are dropped, unless they are final.
fn take_finished<M: Copy + Eq>(
    known: &mut Vec<Root<M>>,
    finished: &[Root<M>],
    wanted: bool,
    is_final: impl Fn(&Root<M>) -> bool,
) {
    let best = known[0].mv;
    let any_known = !known[0].score.is_nan();
    let is_former_best = |root: &Root<M>| root.mv == best && root.bound != Bound::Upper;
    if !wanted || finished.is_empty() || any_known && !finished.iter().any(is_former_best) {
        return;
    }
    let mut front = finished.to_vec();
    sort(&mut front);
    known.retain(|root| finished.iter().all(|done| done.mv != root.mv));
    for root in known.iter_mut().filter(|root| !is_final(root)) {
        (root.score, root.bound) = (f64::NAN, Bound::Lower);
        root.values.clear();
    }
    known.splice(0..0, front);
}

fn report<M: Copy>(
    search: &impl Iterate<M>,
    known: &[Root<M>],
    depth: u32,
    stopped: StopReason,
    elapsed: Duration,
) -> Report<M> {
    let line = |root: &Root<M>| {
        if root.score.is_nan() {
            let line = Line::unsearched(root.mv, search.least());
            return Line { visits: root.visits, pv: root.pv.clone(), ..line };
        }
        let mut line = Line::new(root.mv, root.score);
        line.values.clone_from(&root.values);
        line.bound = root.bound;
        line.visits = root.visits;
        line.pv.clone_from(&root.pv);
        search.describe(&mut line, root);
        line
    };
    let mut stats = search.stats();
    // The depth of a search without a depth limit is the length of its longest line. Searches whose
    // lines end at the first chance node count the depth themselves.
    stats.depth = if depth >= MAX_PLIES { stats.depth.max(longest(known)) } else { depth };
    Report::new(known.iter().map(line).collect(), stats, stopped, elapsed)
}

fn longest<M>(known: &[Root<M>]) -> u32 {
    known.iter().map(|root| root.pv.len() as u32).max().unwrap_or(0)
}

/// Returns `factor` times a duration, clamped to the range of durations; zero if `factor` is NaN.
fn times(duration: Duration, factor: f64) -> Duration {
    let seconds = (duration.as_secs_f64() * factor).max(0.0);
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}
