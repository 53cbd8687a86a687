//! Depth after depth, under limits: what all classical searches have in common at the root.

use std::time::Duration;

use tussle_core::time::{now, since};
use tussle_core::{Bound, Limits, Line, Report, SearchStats, StopReason, Value};

use crate::score::DEEPEST;
use crate::{Deepening, ProgressCallback, Query, SearchError};

/// A root move and what the latest search of it found.
#[derive(Clone, Debug)]
pub(crate) struct Root<M> {
    pub(crate) mv: M,
    /// For the root player, as the search compares it; NaN before the first search.
    pub(crate) score: f64,
    /// For every player, in a search for many.
    pub(crate) values: Vec<f64>,
    /// What is reported, in a search that averages: a mean does not say what it is made of.
    pub(crate) value: Option<Value>,
    pub(crate) bound: Bound,
    /// No evaluation took part.
    pub(crate) proven: bool,
    /// The plies it was searched to.
    pub(crate) depth: u32,
    /// The nodes spent on it, in all iterations together.
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

    /// Writes down how the move was searched; what was found is for the search to say.
    pub(crate) fn searched(&mut self, depth: u32, proven: bool, answer: &[M]) {
        (self.depth, self.proven) = (depth, proven);
        self.pv.truncate(1);
        self.pv.extend_from_slice(answer);
    }
}

/// The scores of the root moves searched so far, the best first.
pub(crate) struct Best {
    lines: usize,
    scores: Vec<f64>,
}

impl Best {
    /// Nothing yet; this many of the best should become exact.
    pub(crate) fn new(lines: usize) -> Self {
        Self { lines: lines.max(1), scores: Vec::new() }
    }

    /// The best score, if there is any.
    pub(crate) fn first(&self) -> Option<f64> {
        self.scores.first().copied()
    }

    /// The score of the last line asked for, once there are so many: of what is not above it, a
    /// bound is enough.
    pub(crate) fn last_asked(&self) -> Option<f64> {
        self.scores.get(self.lines - 1).copied()
    }

    pub(crate) fn add(&mut self, score: f64) {
        self.scores.insert(self.scores.partition_point(|&other| other >= score), score);
    }
}

/// A search of all root moves to one depth.
pub(crate) trait Iterate<M> {
    /// Searches the moves in the order given and writes down what it finds, move by move.
    ///
    /// # Errors
    /// Why it was stopped, and how many moves were finished by then; the others keep what they
    /// had.
    fn iterate(&mut self, depth: u32, roots: &mut [Root<M>]) -> Result<(), (StopReason, usize)>;

    /// What was spent so far.
    fn stats(&self) -> SearchStats;

    /// Fills in the value of a line, and what is proven: what the search wrote down, unless that
    /// follows from the score.
    fn describe(&self, line: &mut Line<M>, root: &Root<M>) {
        line.value = root.value.unwrap_or(line.value);
    }

    /// Returns the least result of a finished game, which no move is worth less than.
    fn least(&self) -> Value;

    /// Whether no deeper search can change what was found for this move.
    fn is_final(&self, root: &Root<M>) -> bool;

    /// Returns the error of the rules or the evaluator, if they have failed. The values found are worth nothing then.
    fn failure(&self) -> Option<SearchError>;
}

/// What to search, how far, and how to tell.
pub(crate) struct Task<'a, M> {
    pub(crate) deepening: Deepening,
    pub(crate) limits: Limits,
    /// How many of the best moves should become exact.
    pub(crate) lines: usize,
    /// Whether each depth takes the moves in the order of the values of the last one.
    pub(crate) resort: bool,
    pub(crate) live: Option<ProgressCallback<'a, M>>,
}

impl<'a, M> Task<'a, M> {
    /// Starts the clock of a query.
    pub(crate) fn new(deepening: Deepening, resort: bool, query: Query<'a, M>) -> Self {
        let Query { limits, lines, live, .. } = query;
        Self { deepening, limits: limits.with_clock_started(), lines, resort, live }
    }

    fn is_limited(&self) -> bool {
        self.limits.is_timed() || self.limits.nodes.is_some()
    }

    fn is_deepening(&self) -> bool {
        self.deepening.iterative.unwrap_or(self.is_limited())
    }
}

/// Searches to the end of the limits and reports.
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
        return Err(SearchError::GameOver); // against the contract of games, but not a panic
    }
    let last = task.limits.depth.unwrap_or(DEEPEST).max(1);
    let deepening = task.is_deepening();
    let hurried = task.is_limited() && task.limits.depth.is_none();
    let mut live = task.live.take();

    // `known` is what stands, best first; `roots` is what the next depth searches.
    let mut known: Vec<Root<M>> = moves.iter().map(|&mv| Root::new(mv)).collect();
    let mut roots = known.clone();
    let mut completed = 0;
    let mut depth = if deepening { 1 } else { last };
    let stopped = loop {
        let started = now();
        let result = search.iterate(depth, &mut roots);
        // After an error every position is an end, so that an iteration is over soon.
        if let Some(error) = search.failure() {
            return Err(error);
        }
        if let Err((why, finished)) = result {
            // Fewer lines than were asked for are no better answer than those of the last depth.
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
        if hurried && known.len() == 1 && task.lines <= 1 {
            // There is nothing to choose. One ply is too little to put beside the values of longer
            // searches, which may have proven something else.
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
        depth += 1;
    };
    let report = report(search, &known, completed, stopped, since(began));
    if let Some(live) = &mut live {
        live(&report);
    }
    Ok(report)
}

/// The best first. Equals stay as they are, but a bound never stands before an exact value.
fn sort<M>(roots: &mut [Root<M>]) {
    let rank = |root: &Root<M>| (root.score.is_nan(), root.bound == Bound::Upper);
    roots.sort_by(|a, b| {
        let by_score = b.score.partial_cmp(&a.score).unwrap_or(std::cmp::Ordering::Equal);
        rank(a).0.cmp(&rank(b).0).then(by_score).then(rank(a).1.cmp(&rank(b).1))
    });
}

/// Uses the finished moves of a depth that was cut short.
///
/// They may be compared with one another, not with moves that were searched less deep. So they
/// replace the former best move only if it is one of them, and more than an upper bound is known
/// of it: then the best of them is at least as good as it, as far as the deeper search sees. What
/// the others are worth at this depth is not known, unless it is final.
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
    // A search to the end has no depth of its own: it looked as far as its longest line, or as
    // it says itself if its lines end at the first chance node.
    stats.depth = if depth >= DEEPEST { stats.depth.max(longest(known)) } else { depth };
    Report::new(known.iter().map(line).collect(), stats, stopped, elapsed)
}

fn longest<M>(known: &[Root<M>]) -> u32 {
    known.iter().map(|root| root.pv.len() as u32).max().unwrap_or(0)
}

/// Returns `factor` times a duration, between zero and the longest one; zero for a factor that is not a number.
fn times(duration: Duration, factor: f64) -> Duration {
    let seconds = (duration.as_secs_f64() * factor).max(0.0);
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}
