//! Threads that search one root. The first of them gives the answer.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Scope;

use tussle_core::{
    Limits, Line, Observer, SearchStats, StopFlag, StopReason, Value, ZeroSum, spawn_scoped,
};

use super::queue::Queue;
use super::search::{Halt, Place, Search};
use super::teamwork::Teamwork;
use crate::SearchError;
use crate::agent::failure;
use crate::deepening::{Iterate, Root};

/// Minimum number of nodes of the earlier iterations before helpers are started: a shorter search is
/// over before they are of use.
const MIN_NODES_BEFORE_HELP: u64 = 5_000;

/// Minimum depth of an iteration with helpers.
const MIN_DEPTH_TO_HELP: u32 = 3;

/// Search of the first thread, with its helpers.
pub(super) struct Team<'scope, 'env, G: ZeroSum, O> {
    pub(super) first: Search<'env, G, O>,
    pub(super) helpers: Helpers<'scope, 'env, G>,
    /// Number of best moves that get exact values.
    pub(super) lines: usize,
    /// Values of the last two depths, the latest first.
    pub(super) last: [f64; 2],
}

/// Threads that search along with the first one; started once, in the first iteration that is long
/// enough.
pub(super) struct Helpers<'scope, 'env, G: ZeroSum> {
    scope: &'scope Scope<'scope, 'env>,
    /// Limits of the helpers; the first thread checks the others.
    limits: Limits,
    /// Searches of helpers that have not been started.
    idle: Vec<Search<'env, G, ()>>,
    /// Senders of tasks to the running helpers.
    running: Vec<Sender<Task<G::Move>>>,
    /// Sender and receiver of the counters of helpers that have ended.
    ended: (Sender<SearchStats>, Receiver<SearchStats>),
    /// Sum of the counters of the helpers, once they have ended.
    stats: SearchStats,
}

/// One iteration for a helper.
#[derive(Clone)]
struct Task<M> {
    depth: u32,
    roots: Vec<Root<M>>,
    lines: usize,
    last: [f64; 2],
    done: StopFlag,
}

impl<'scope, 'env, G: ZeroSum> Helpers<'scope, 'env, G> {
    pub(super) fn new(
        scope: &'scope Scope<'scope, 'env>,
        limits: &Limits,
        idle: Vec<Search<'env, G, ()>>,
    ) -> Self {
        Self {
            scope,
            limits: Limits { nodes: None, ..limits.clone() },
            idle,
            running: Vec::new(),
            ended: channel(),
            stats: SearchStats::default(),
        }
    }

    /// Starts all helpers; those that the system refuses to start are dropped.
    fn start(&mut self) {
        for mut search in self.idle.drain(..) {
            let (sender, tasks) = channel::<Task<G::Move>>();
            let (limits, ended) = (self.limits.clone(), self.ended.0.clone());
            let help = move || {
                for mut task in tasks {
                    search.watch = limits.clone().or_stop(&task.done).checker();
                    let _ = search.all(task.depth, &mut task.roots, task.lines, task.last);
                }
                let _ = ended.send(search.stats);
            };
            if spawn_scoped(self.scope, help).is_err() {
                break; // continue with the threads that were started
            }
            self.running.push(sender);
        }
    }

    /// Lets the helpers search an iteration along with the first thread.
    fn help(&self, task: &Task<G::Move>) {
        for helper in &self.running {
            let _ = helper.send(task.clone()); // a helper that panicked ends the search later
        }
    }

    /// Ends the helpers and waits for their counters.
    fn end(&mut self) {
        self.running.clear();
        let (_, ended) = std::mem::replace(&mut self.ended, channel());
        for stats in ended {
            let sum = &mut self.stats;
            sum.nodes += stats.nodes;
            sum.leaves += stats.leaves;
            sum.evaluations += stats.evaluations;
            sum.cutoffs += stats.cutoffs;
            sum.pruned += stats.pruned;
            sum.table_hits += stats.table_hits;
        }
    }
}

impl<G: ZeroSum, O: Observer<G::Move>> Iterate<G::Move> for Team<'_, '_, G, O> {
    fn iterate(
        &mut self,
        depth: u32,
        roots: &mut [Root<G::Move>],
    ) -> Result<(), (StopReason, usize)> {
        let Self { first, helpers, lines, last } = self;
        let is_long = first.stats.nodes >= MIN_NODES_BEFORE_HELP || first.stats.nodes == 0;
        if is_long && depth >= MIN_DEPTH_TO_HELP {
            helpers.start();
        }
        let done = StopFlag::default();
        let guard = done.on_drop();
        if !helpers.running.is_empty() {
            let (roots, lines, last) = (roots.to_vec(), *lines, *last);
            helpers.help(&Task { depth, roots, lines, last, done });
        }
        first.all(depth, roots, *lines, *last)?;
        drop(guard);
        for root in roots.iter_mut() {
            first.extend_pv(&mut root.pv, depth);
        }
        let best = roots.iter().map(|root| root.score).fold(f64::NAN, f64::max);
        *last = [best, last[0]];
        Ok(())
    }

    fn stats(&self) -> SearchStats {
        let mut sum = self.first.stats.clone();
        let helpers = &self.helpers.stats;
        if helpers.nodes > 0 {
            // The first thread has counted the nodes that the helpers had announced.
            sum.nodes += helpers.nodes.saturating_sub(self.first.helper_nodes);
            sum.leaves += helpers.leaves;
            sum.evaluations += helpers.evaluations;
            sum.cutoffs += helpers.cutoffs;
            sum.pruned += helpers.pruned;
            sum.table_hits += helpers.table_hits;
        }
        sum
    }

    fn end(&mut self) {
        self.helpers.end();
    }

    fn describe(&self, line: &mut Line<G::Move>, root: &Root<G::Move>) {
        // After reductions, a shorter win may have been missed.
        let is_exact = self.first.switches.full_depth_moves == usize::MAX;
        let depth = if is_exact { root.depth } else { 0 };
        self.first.leaves.describe(line, root.score, root.proven, depth);
    }

    fn least(&self) -> Value {
        let payoffs = &self.first.leaves.payoffs;
        Value::result(payoffs.least, payoffs)
    }

    fn is_final(&self, root: &Root<G::Move>) -> bool {
        let Search { leaves, switches, .. } = &self.first;
        match switches.enough.filter(|_| switches.has_goal) {
            Some(enough) => leaves.decides_goal(root.score, root.proven, enough),
            None => leaves.is_final(root.score, root.depth),
        }
    }

    fn failure(&self) -> Option<SearchError> {
        failure(self.first.game, &self.first.leaves.faults)
    }
}

/// Node while one of its moves is searched.
#[derive(Clone, Copy)]
pub(super) struct OpenNode {
    pub(super) key: u64,
    pub(super) place: Place,
    /// Index of the move.
    pub(super) index: usize,
    /// Best value of the moves before it.
    pub(super) best: f64,
    pub(super) alpha: f64,
    pub(super) beta: f64,
    /// True if no move before it has a value.
    pub(super) first: bool,
}

/// Result of the search of one move of a node.
pub(super) enum MoveValue {
    /// Value of the move.
    Found(f64),
    /// The move is searched later.
    Postponed,
    /// Value of the whole node, which another thread has finished.
    OfNode(f64),
}

impl<G: ZeroSum, O: Observer<G::Move>> Search<'_, G, O> {
    /// Announces a node whose moves are divided among threads.
    ///
    /// # Errors
    /// If another thread has finished a node on the way to this one.
    #[inline(never)]
    pub(super) fn enter_divided(
        &mut self,
        team: &Teamwork,
        key: u64,
        ply: u32,
    ) -> Result<(), Halt> {
        self.exchange_counts();
        // A listener gets an event for the end of every node, and values that depend on the path are
        // not in the table.
        if !self.observer.is_active()
            && !self.switches.repetition
            && let Some(finished) = team.finished_ply(self.thread)
            && finished < ply
        {
            self.unwind_to = finished;
            return Err(Halt);
        }
        team.enter_node(self.thread, ply, key);
        Ok(())
    }

    /// Tells the first thread how many nodes the helpers have searched.
    pub(super) fn exchange_counts(&mut self) {
        let Some(team) = self.teamwork else { return };
        if self.thread > 0 {
            team.tell_nodes(self.thread, self.stats.nodes);
        } else {
            let told = team.helper_nodes();
            self.stats.nodes += told - self.helper_nodes;
            self.helper_nodes = told;
        }
    }

    /// Continues a node after the search of a move ended with [`Halt`]: the value of the node may be in the
    /// table now, otherwise the move is postponed. `horizon` is [`Search::horizon`] before the move.
    ///
    /// # Errors
    /// If the search returns to an earlier node, or has to end.
    #[cold]
    pub(super) fn unwind(
        &mut self,
        node: OpenNode,
        horizon: u64,
        queue: &mut Queue,
    ) -> Result<MoveValue, Halt> {
        let OpenNode { key, place, index, best, alpha, beta, .. } = node;
        let (Some(team), Some(table)) = (self.teamwork, self.table) else { return Err(Halt) };
        if self.unwind_to != place.ply {
            team.leave_node(self.thread, place.ply);
            return Err(Halt);
        }
        self.unwind_to = 0;
        self.horizon = horizon;
        self.remove_deeper(queue);
        let known = table.probe(key);
        let known = known.and_then(|entry| self.known(entry, place.depth, place.ply, alpha, beta));
        let Some(value) = known else {
            self.postpone(queue, index);
            return Ok(MoveValue::Postponed);
        };
        if value > best {
            self.pv.clear(place.ply as usize);
        }
        self.remove_moves(*queue);
        team.leave_node(self.thread, place.ply);
        Ok(MoveValue::OfNode(best.max(value)))
    }
}
