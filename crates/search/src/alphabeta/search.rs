//! The search of one node.

use tussle_core::{
    Bound, CutReason, Event, LeafKind, LimitChecker, Observer, Rng, SearchStats, StopReason, Turn,
    Value, ZeroSum, mix,
};

use super::order::Order;
use super::queue::{Queue, SkippedMoves};
use super::team::{MoveValue, OpenNode};
use super::teamwork::Teamwork;
use super::{MoveOrder, Switches, WindowMode};
use crate::keys::KeyFunctions;
use crate::pv::Pv;
use crate::score::{self, Leaves, MAX_EVALUATION, MAX_PLIES, WIN};
use crate::table::{COUNT_INTERVAL, Entry, NO_MOVE, Table, UNLIMITED_DEPTH};
use crate::tactics::{Situation, TacticFunctions};

/// Maximum depth of the quiescence search below the horizon, in plies.
const MAX_QUIESCENCE_PLIES: u32 = 32;

/// Minimum depth of nodes that use the table: for others, searching a few leaves is faster than waiting
/// for memory.
const MIN_TABLE_DEPTH: u32 = 2;

/// Minimum depth of nodes at which all moves are looked up in the table before one is searched.
const MIN_CHILD_PROBE_DEPTH: u32 = 5;

/// Minimum depth of nodes whose late moves are reduced.
const MIN_REDUCED_DEPTH: u32 = 3;

/// Search of one tree by one thread.
///
/// Windows and values belong to the player `who`. A value of alpha or less is an upper bound of the true
/// value, a value of beta or more is a lower bound, and a value between them is exact.
pub(super) struct Search<'a, G: ZeroSum, O> {
    pub(super) game: &'a G,
    pub(super) switches: &'a Switches,
    pub(super) leaves: &'a Leaves<'a, G>,
    /// Root player, to whom the values of leaves belong.
    pub(super) root: usize,
    /// Value of a draw for each player.
    pub(super) draws: [f64; 2],
    /// Position at the root.
    pub(super) position: &'a G::State,
    /// Stack of the moves of all plies.
    pub(super) buffer: Vec<G::Move>,
    /// Stack of the keys of the moves.
    pub(super) keys: Vec<u64>,
    pub(super) pv: Pv<G::Move>,
    pub(super) order: &'a mut Order<G::Move>,
    pub(super) table: Option<&'a Table>,
    /// Present if there is a table.
    pub(super) hashes: Option<KeyFunctions<G>>,
    pub(super) tactics: Option<TacticFunctions<G>>,
    /// Number of entries stored in empty slots.
    pub(super) stores: u32,
    /// Part of every key that separates the values of the two root players.
    pub(super) salt: u64,
    /// Work of all threads; present if there are several.
    pub(super) teamwork: Option<&'a Teamwork>,
    /// Number of this thread.
    pub(super) thread: usize,
    /// Ply to which the search returns after a [`Halt`]; 0 if the search has to end.
    pub(super) unwind_to: u32,
    /// Number of nodes of helpers that are part of the counter of the first thread.
    pub(super) helper_nodes: u64,
    pub(super) watch: LimitChecker,
    /// Reason why the search was stopped.
    pub(super) stopped: StopReason,
    pub(super) stats: SearchStats,
    /// Number of evaluated leaves and unproven table hits so far. The value of a node is proven if this
    /// number did not change during its search.
    pub(super) horizon: u64,
    /// Earliest ply from the root whose position was repeated at the end of a game in the current subtree;
    /// [`NO_REPETITION`] if no game ended by repetition.
    pub(super) earliest_repeated: i64,
    pub(super) rng: Rng,
    pub(super) observer: O,
}

/// Signal that the search has to end or to return to a node at ply [`Search::unwind_to`]. The reason to end
/// is in [`Search::stopped`], because a `Result` without it fits into two registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Halt;

/// Value of [`Search::earliest_repeated`] without a repetition.
pub(super) const NO_REPETITION: i64 = i64::MAX;

/// Index of the best move before the first move was searched.
const NO_INDEX: usize = usize::MAX;

/// Depth, ply and player of a node.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Plies left to the horizon; [`UNLIMITED_DEPTH`] is never reduced.
    pub(super) depth: u32,
    /// Plies from the root.
    pub(super) ply: u32,
    /// Player to whom the window and the value belong.
    pub(super) who: usize,
}

impl Place {
    pub(super) fn below(self, who: usize) -> Self {
        let depth = if self.depth >= UNLIMITED_DEPTH { UNLIMITED_DEPTH } else { self.depth - 1 };
        Self { depth, ply: self.ply + 1, who }
    }
}

/// Returns the next larger number of a finite number or minus infinity. Unlike [`f64::next_up`], it has no
/// branch on the sign, which is mispredicted at every other node.
#[inline]
fn next_up(x: f64) -> f64 {
    // Adding 0 turns -0 into 0.
    let bits = (x + 0.0).to_bits();
    f64::from_bits(bits.wrapping_add(1).wrapping_sub(bits >> 63 << 1))
}

/// Returns the larger of two numbers, of which none is NaN. Unlike [`f64::max`], it is one instruction.
#[inline]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// Returns the smaller of two numbers, of which none is NaN.
#[inline]
fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// Least and largest value that a node can have.
#[derive(Clone, Copy)]
struct Range {
    least: f64,
    most: f64,
}

impl Range {
    /// Range of a node of which nothing is known.
    const ALL: Self = Self { least: f64::NEG_INFINITY, most: f64::INFINITY };

    fn only(value: f64) -> Self {
        Self { least: value, most: value }
    }

    #[inline]
    fn clamp(self, value: f64) -> f64 {
        smaller(larger(value, self.least), self.most)
    }
}

impl<G: ZeroSum, O: Observer<G::Move>> Search<'_, G, O> {
    /// Returns the value of `state`, the position after `mv`.
    pub(super) fn value(
        &mut self,
        state: &mut G::State,
        mv: G::Move,
        place: Place,
        alpha: f64,
        beta: f64,
    ) -> Result<f64, Halt> {
        let Place { depth, ply, who } = place;
        self.enter(mv, place, alpha, beta)?;
        let Turn::Player(mover) = self.game.turn(state) else {
            return self.end(state, place);
        };
        if depth == 0 || ply >= MAX_PLIES {
            if self.switches.quiesce {
                return self.quiesce(state, place, mover, alpha, beta, MAX_QUIESCENCE_PLIES);
            }
            return self.at_horizon(state, place);
        }
        // From here on, windows and values belong to the player to move.
        let flip = mover != who;
        let (alpha, beta) = if flip { (-beta, -alpha) } else { (alpha, beta) };
        let value = self.inner(state, Place { who: mover, ..place }, alpha, beta)?;
        Ok(if flip { -value } else { value })
    }

    #[inline]
    fn enter(&mut self, mv: G::Move, place: Place, alpha: f64, beta: f64) -> Result<(), Halt> {
        self.pv.clear(place.ply as usize);
        self.count(mv, place, alpha, beta)
    }

    /// Counts a node without clearing its principal variation.
    #[inline]
    fn count(&mut self, mv: G::Move, place: Place, alpha: f64, beta: f64) -> Result<(), Halt> {
        if let Some(why) = self.watch.check(self.stats.nodes) {
            self.stopped = why;
            return Err(Halt);
        }
        self.stats.nodes += 1;
        if self.observer.is_active() {
            self.tell_enter(Some(mv), place.who, alpha, beta);
        }
        Ok(())
    }

    /// Searches a node with moves, for the player to move.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a call for every node is a twentieth of the time")]
    fn inner(
        &mut self,
        state: &mut G::State,
        place: Place,
        mut alpha: f64,
        mut beta: f64,
    ) -> Result<f64, Halt> {
        let Place { depth, ply, who: mover } = place;
        if self.switches.has_null_windows() && !self.leaves.payoffs.points {
            // No line through this node wins or loses sooner than this (mate distance pruning).
            alpha = larger(alpha, f64::from(ply) - WIN);
            beta = smaller(beta, WIN - f64::from(ply + 1));
            if alpha >= beta {
                return Ok(self.leave(mover, alpha));
            }
        }
        let base = self.buffer.len();
        // Without tactics the moves are listed later: most table hits need none.
        let mut limits = Range::ALL;
        if self.tactics.is_some() {
            limits = match self.limited(state, base, place, alpha, beta) {
                Ok(limits) => limits,
                Err(value) => return Ok(value),
            };
            alpha = larger(alpha, limits.least);
            beta = smaller(beta, limits.most);
        }
        if depth == 1 && !self.switches.quiesce {
            return self.frontier(state, base, place, alpha, beta, limits);
        }
        let mut hash_move = NO_MOVE;
        // A forced move leads to a position that is in the table itself.
        let is_forced = self.tactics.is_some() && self.buffer.len() == base + 1;
        let table = self.table.filter(|_| depth >= MIN_TABLE_DEPTH && !is_forced);
        let key = match table {
            None => 0,
            Some(table) => {
                let key = self.key(state, depth);
                if let Some(entry) = table.probe(key) {
                    hash_move = entry.index;
                    if let Some(value) = self.known(entry, depth, ply, alpha, beta) {
                        self.buffer.truncate(base);
                        self.tell_leaf(mover, value, LeafKind::Table);
                        return Ok(self.leave(mover, value));
                    }
                }
                key
            }
        };
        if self.tactics.is_none() {
            self.list_moves(state);
        }
        let probes_children = self.switches.child_probes && depth >= MIN_CHILD_PROBE_DEPTH;
        if let Some(table) = table.filter(|_| probes_children)
            && let Some(value) = self.cut_by_child(table, key, state, base, place, beta)
        {
            return Ok(value);
        }
        let horizon = self.horizon;
        let earliest_repeated = std::mem::replace(&mut self.earliest_repeated, NO_REPETITION);

        let mut queue = self.queue_moves(state, base, hash_move, place);
        let divided = self.teamwork.filter(|team| depth >= team.min_depth && queue.has_keys());
        if let Some(team) = divided {
            self.enter_divided(team, key, ply)?;
        }
        let (mut best, mut best_index, mut bound) = (f64::NEG_INFINITY, NO_INDEX, Bound::Upper);
        while let Some(index) = self.take(&mut queue) {
            let first = best_index == NO_INDEX;
            let node = OpenNode { key, place, index, best, alpha, beta, first };
            let value = match self.move_value(state, node, divided, &mut queue)? {
                MoveValue::Found(value) => value,
                MoveValue::Postponed => continue,
                MoveValue::OfNode(value) => return Ok(self.leave(mover, value)),
            };
            if value > best {
                (best, best_index) = (value, index);
                if value > alpha {
                    (alpha, bound) = (value, Bound::Exact);
                    if self.raise(queue, index, place, alpha, beta) {
                        bound = Bound::Lower;
                        break;
                    }
                }
            }
        }
        self.remove_moves(queue);
        best = limits.clamp(best);

        if let Some(table) = table {
            let entry = Entry {
                value: from_here(best, ply, self.leaves.payoffs.points),
                bound,
                depth,
                proven: self.horizon == horizon,
                index: best_index.min(NO_MOVE.into()) as u16,
            };
            self.remember(table, key, entry, place);
        }
        if let Some(team) = divided {
            team.leave_node(self.thread, ply);
            team.interrupt_others(self.thread, ply, key);
        }
        self.earliest_repeated = self.earliest_repeated.min(earliest_repeated);
        Ok(self.leave(mover, best))
    }

    /// Returns the value of the child after the move just taken, unless another thread searches it or has
    /// finished the node.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a call for every node is a twentieth of the time")]
    fn move_value(
        &mut self,
        state: &mut G::State,
        node: OpenNode,
        divided: Option<&Teamwork>,
        queue: &mut Queue,
    ) -> Result<MoveValue, Halt> {
        let OpenNode { key, place, index, alpha, beta, first, .. } = node;
        let divided = divided.filter(|_| queue.taken > 1);
        let divided = divided.map(|team| (team, key ^ mix(index as u64 + 1)));
        if let Some((team, move_key)) = divided {
            // A move that another thread is searching is postponed once.
            if !queue.was_postponed() && team.is_searched(move_key) {
                self.postpone(queue, index);
                return Ok(MoveValue::Postponed);
            }
            team.begin_move(move_key);
        }
        let (mv, below, horizon) =
            (self.move_at(queue, index), place.below(place.who), self.horizon);
        let late = queue.taken > self.switches.full_depth_moves && place.depth >= MIN_REDUCED_DEPTH;
        let value = self.game.visit(state, mv, |child| {
            if late {
                self.late_child(child, mv, below, alpha, beta)
            } else {
                self.child(child, mv, below, alpha, beta, first)
            }
        });
        if let Some((team, move_key)) = divided {
            team.end_move(move_key);
        }
        let Ok(value) = value else { return self.unwind(node, horizon, queue) };
        Ok(MoveValue::Found(value))
    }

    /// Lists the moves of a node, without those that its tactics leave out.
    #[inline]
    pub(super) fn list_moves(&mut self, state: &G::State) -> Option<Situation> {
        let dedupe = self.switches.dedupe;
        if let Some(tactics) = self.tactics {
            return Some((tactics.list)(self.game, state, dedupe, &mut self.buffer));
        }
        score::moves(self.game, state, dedupe, &mut self.buffer);
        None
    }

    /// Lists the moves of a node that the tactics leave and returns the values that it can have, or, as an
    /// error, its value if that is decided.
    #[inline]
    fn limited(
        &mut self,
        state: &G::State,
        base: usize,
        place: Place,
        alpha: f64,
        beta: f64,
    ) -> Result<Range, f64> {
        let Some(situation) = self.list_moves(state) else { return Ok(Range::ALL) };
        let limits = self.limits(situation, place);
        let Range { least, most } = limits;
        if least >= most {
            return Err(self.settled(place, base, most));
        }
        if most > alpha && least < beta {
            return Ok(limits);
        }
        self.buffer.truncate(base);
        Err(self.leave(place.who, if least >= beta { least } else { most }))
    }

    /// Returns the values that a node can have for its mover, as far as the tactics tell.
    #[inline]
    fn limits(&self, situation: Situation, Place { ply, who, .. }: Place) -> Range {
        let draw = self.draws[who];
        let won_after = |plies: u32| WIN - f64::from(ply + plies);
        match situation {
            Situation::Win => Range::only(won_after(1)),
            Situation::Loss(plies) => Range::only(-won_after(plies)),
            Situation::Open(ends) => Range {
                least: ends.loss.map_or(draw, |plies| -won_after(plies)),
                most: ends.win.map_or(draw, won_after),
            },
        }
    }

    /// Looks for a move whose position is in the table with a value that cuts (enhanced
    /// transposition cutoff), and returns the value of the node.
    #[inline(never)]
    fn cut_by_child(
        &mut self,
        table: &Table,
        key: u64,
        state: &mut G::State,
        base: usize,
        place: Place,
        beta: f64,
    ) -> Option<f64> {
        let Place { depth, ply, who: mover } = place;
        let (below, points) = (place.below(mover), self.leaves.payoffs.points);
        for i in base..self.buffer.len() {
            let mv = self.buffer[i];
            let found = self.game.visit(state, mv, |child| {
                let Turn::Player(player) = self.game.turn(child) else { return None };
                let entry = table.probe(self.key(child, below.depth))?;
                entry.holds_at(below.depth).then_some((entry, player == mover))
            });
            let Some((entry, same)) = found else { continue };
            let value = from_root(entry.value, ply + 1, points);
            let (value, opposite) =
                if same { (value, Bound::Upper) } else { (-value, Bound::Lower) };
            if entry.bound == opposite || value < beta {
                continue;
            }
            self.stats.table_hits += 1;
            self.horizon += u64::from(!entry.proven);
            self.pv.clear(ply as usize + 1);
            self.pv.set(ply as usize, mv);
            self.buffer.truncate(base);
            if !self.switches.repetition {
                let value = from_here(value, ply, points);
                let index = (i - base).min(NO_MOVE.into()) as u16;
                let proven = entry.proven;
                let entry = Entry { value, bound: Bound::Lower, depth, proven, index };
                self.remember(table, key, entry, place);
            }
            self.tell_leaf(mover, value, LeafKind::Table);
            return Some(self.leave(mover, value));
        }
        None
    }

    /// A node whose tactical situation decides it; its moves begin at `base`.
    #[inline(never)]
    fn settled(&mut self, place: Place, base: usize, value: f64) -> f64 {
        self.stats.leaves += 1;
        let ply = place.ply as usize;
        self.pv.clear(ply + 1);
        self.pv.set(ply, self.buffer[base]);
        self.buffer.truncate(base);
        self.tell_leaf(place.who, value, LeafKind::Tactics);
        self.leave(place.who, value)
    }

    /// Searches a node whose moves lead to leaves, without table, threads and null windows.
    #[inline(never)]
    fn frontier(
        &mut self,
        state: &mut G::State,
        base: usize,
        place: Place,
        mut alpha: f64,
        beta: f64,
        limits: Range,
    ) -> Result<f64, Halt> {
        let mover = place.who;
        let below = place.below(mover);
        self.pv.clear(below.ply as usize);
        if self.tactics.is_none() {
            self.list_moves(state);
        }
        let mut queue = self.queue_moves(state, base, NO_MOVE, place);
        let mut best = f64::NEG_INFINITY;
        while let Some(index) = self.take(&mut queue) {
            let mv = self.move_at(&queue, index);
            let game = self.game;
            let value = game.visit(state, mv, |leaf| self.leaf(leaf, mv, below, alpha, beta))?;
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    if self.raise(queue, index, place, alpha, beta) {
                        break;
                    }
                }
            }
        }
        self.remove_moves(queue);
        Ok(self.leave(mover, limits.clamp(best)))
    }

    /// Values the position after a move of a frontier node.
    #[inline]
    fn leaf(
        &mut self,
        state: &G::State,
        mv: G::Move,
        place: Place,
        alpha: f64,
        beta: f64,
    ) -> Result<f64, Halt> {
        self.count(mv, place, alpha, beta)?;
        match self.game.turn(state) {
            Turn::Player(_) => self.at_horizon(state, place),
            _ => self.end(state, place),
        }
    }

    /// Records that a move has raised alpha. Returns true if it causes a cutoff.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a call for every node is a twentieth of the time")]
    fn raise(&mut self, queue: Queue, index: usize, place: Place, alpha: f64, beta: f64) -> bool {
        let mv = self.move_at(&queue, index);
        self.pv.set(place.ply as usize, mv);
        if alpha >= beta {
            self.learn(queue, index, place);
            self.cut(place.who, &self.skipped(queue));
            return true;
        }
        if self.observer.is_active() {
            self.tell_window(mv, place.who, alpha, beta);
        }
        false
    }

    /// Returns the table key of a position that is searched to this depth.
    #[inline]
    pub(super) fn key(&self, state: &G::State, depth: u32) -> u64 {
        let beyond = if self.switches.quiesce { MAX_QUIESCENCE_PLIES } else { 0 };
        self.hashes.map_or(0, |keys| (keys.table_key)(self.game, state, depth + beyond)) ^ self.salt
    }

    /// Stores the result of a node in the table, unless it depends on the path from the root.
    #[inline]
    fn remember(&mut self, table: &Table, key: u64, entry: Entry, place: Place) {
        let new = if !self.switches.repetition {
            table.store(key, entry)
        } else if self.earliest_repeated >= i64::from(place.ply) {
            table.store(key, self.independent_of_history(entry, place.who))
        } else {
            return;
        };
        self.stores += u32::from(new);
        if new && self.stores.is_multiple_of(COUNT_INTERVAL) {
            table.count_filled();
        }
    }

    /// Returns the value of a child for the player to move. Under principal variation search, all children
    /// but the first get a null window before the full one.
    #[inline]
    pub(super) fn child(
        &mut self,
        state: &mut G::State,
        mv: G::Move,
        place: Place,
        alpha: f64,
        beta: f64,
        first: bool,
    ) -> Result<f64, Halt> {
        // MTD(f) has no other windows. Inside a null window, the first test is false for every move.
        let null = next_up(alpha);
        if null < beta && !first && self.switches.window == WindowMode::Pvs {
            let value = self.value(state, mv, place, alpha, null)?;
            if value <= alpha || value >= beta {
                return Ok(value);
            }
        }
        self.value(state, mv, place, alpha, beta)
    }

    /// Returns the value of a child whose depth late-move reductions reduce by a ply. The full depth is
    /// searched only if the value is above alpha.
    ///
    /// A win or loss is true at every depth, and a value that depends on the horizon is never proven. So
    /// reductions change evaluations and distances, but not proven outcomes.
    #[inline(never)]
    fn late_child(
        &mut self,
        state: &mut G::State,
        mv: G::Move,
        place: Place,
        alpha: f64,
        beta: f64,
    ) -> Result<f64, Halt> {
        let less = if place.depth >= UNLIMITED_DEPTH { place.depth } else { place.depth - 1 };
        let reduced = Place { depth: less, ..place };
        let value = self.value(state, mv, reduced, alpha, alpha.next_up())?;
        if value <= alpha {
            return Ok(value);
        }
        self.child(state, mv, place, alpha, beta, false)
    }

    /// Counts a cutoff at a node where this player moves.
    fn cut(&mut self, who: usize, skipped: &SkippedMoves<G::Move>) {
        // The last move prunes nothing.
        self.stats.cutoffs += u64::from(skipped.number > 0);
        self.stats.pruned += skipped.number as u64;
        if self.observer.is_active() && skipped.number > 0 {
            let reason = if who == 0 { CutReason::Beta } else { CutReason::Alpha };
            self.observer.event(Event::Cut { reason, skipped: &skipped.moves });
        }
    }

    /// Returns the value of a table entry, if it decides this node.
    ///
    /// Only entries of the same depth count, or proofs of at most this depth. So the table saves work and
    /// never changes a value.
    #[inline]
    pub(super) fn known(
        &mut self,
        entry: Entry,
        depth: u32,
        ply: u32,
        alpha: f64,
        beta: f64,
    ) -> Option<f64> {
        if !entry.holds_at(depth) {
            return None;
        }
        let value = from_root(entry.value, ply, self.leaves.payoffs.points);
        let enough = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        };
        if !enough {
            return None;
        }
        self.stats.table_hits += 1;
        self.horizon += u64::from(!entry.proven);
        Some(value)
    }

    /// Weakens an entry so that it holds for every history of the position.
    ///
    /// After another history, a line that continued here may end as a draw by repetition. A player who
    /// reaches a value with one history reaches this value or the draw with every other. So a lower bound
    /// holds up to the value of the draw, and an upper bound down to it.
    fn independent_of_history(&self, entry: Entry, mover: usize) -> Entry {
        let points = self.leaves.payoffs.points;
        let draw = if points { 0.0 } else { self.leaves.draw };
        let draw = if mover == self.root { draw } else { -draw };
        let (value, bound) = match entry.bound {
            Bound::Exact if entry.value > draw => (entry.value, Bound::Upper),
            Bound::Exact if entry.value < draw => (entry.value, Bound::Lower),
            Bound::Exact => (draw, Bound::Exact),
            Bound::Lower => (entry.value.min(draw), Bound::Lower),
            Bound::Upper => (entry.value.max(draw), Bound::Upper),
        };
        Entry { value, bound, ..entry }
    }

    /// Searches noisy moves below the horizon; the evaluation is the least value of the node.
    fn quiesce(
        &mut self,
        state: &mut G::State,
        place: Place,
        mover: usize,
        alpha: f64,
        beta: f64,
        plies_left: u32,
    ) -> Result<f64, Halt> {
        let flip = mover != place.who;
        let (mut alpha, beta) = if flip { (-beta, -alpha) } else { (alpha, beta) };
        let ply = place.ply as usize;
        let mut best = self.evaluate(state, mover)?;
        let base = self.buffer.len();
        if best < beta && plies_left > 0 && place.ply < MAX_PLIES {
            self.game.noisy_moves(state, &mut self.buffer);
        }
        if self.buffer.len() == base {
            self.tell_leaf(mover, best, LeafKind::Evaluation);
        }
        for i in base..self.buffer.len() {
            alpha = alpha.max(best);
            let mv = self.buffer[i];
            let below = Place { depth: 0, ply: place.ply + 1, who: mover };
            let value = self.game.visit(state, mv, |child| {
                self.noisy_child(child, mv, below, alpha, beta, plies_left - 1)
            })?;
            if value > best {
                best = value;
                if value > alpha {
                    self.pv.set(ply, mv);
                }
                if value >= beta {
                    let moves = if self.observer.is_active() {
                        self.buffer[i + 1..].to_vec()
                    } else {
                        Vec::new()
                    };
                    let skipped = SkippedMoves { number: self.buffer.len() - i - 1, moves };
                    if self.switches.order == MoveOrder::Full {
                        self.order.reward(mv, Place { who: mover, ..place });
                    }
                    self.cut(mover, &skipped);
                    break;
                }
            }
        }
        self.buffer.truncate(base);
        let value = self.leave(mover, best);
        Ok(if flip { -value } else { value })
    }

    /// Values the position after a noisy move.
    fn noisy_child(
        &mut self,
        state: &mut G::State,
        mv: G::Move,
        place: Place,
        alpha: f64,
        beta: f64,
        plies_left: u32,
    ) -> Result<f64, Halt> {
        self.enter(mv, place, alpha, beta)?;
        match self.game.turn(state) {
            Turn::Player(mover) => self.quiesce(state, place, mover, alpha, beta, plies_left),
            _ => self.end(state, place),
        }
    }

    /// Values a finished game.
    fn end(&mut self, state: &G::State, place: Place) -> Result<f64, Halt> {
        let Place { ply, who, .. } = place;
        self.stats.leaves += 1;
        if self.switches.repetition
            && let Some(keys) = self.hashes
            && let Some(plies) = (keys.repeated_after)(self.game, state)
        {
            self.earliest_repeated = self.earliest_repeated.min(i64::from(ply) - i64::from(plies));
        }
        if self.leaves.eval_ends {
            self.stats.evaluations += 1;
            self.horizon += 1;
        }
        let value = self.leaves.end(self.game, state, self.root, ply);
        let value = value.ok_or_else(|| self.fail())?;
        let value = if who == self.root { value } else { -value };
        self.tell_leaf(who, value, LeafKind::End);
        Ok(self.leave(who, value))
    }

    /// Values a leaf at the horizon.
    #[inline]
    fn at_horizon(&mut self, state: &G::State, place: Place) -> Result<f64, Halt> {
        let value = self.evaluate(state, place.who)?;
        self.tell_leaf(place.who, value, LeafKind::Evaluation);
        Ok(self.leave(place.who, value))
    }

    #[inline]
    fn evaluate(&mut self, state: &G::State, who: usize) -> Result<f64, Halt> {
        self.stats.leaves += 1;
        self.stats.evaluations += 1;
        self.horizon += 1;
        let value = self.leaves.horizon(self.game, state, self.root);
        let value = value.ok_or_else(|| self.fail())?;
        Ok(if who == self.root { value } else { -value })
    }

    /// Stops the search after a fault of the evaluator.
    #[cold]
    fn fail(&mut self) -> Halt {
        self.stopped = StopReason::StopFlag;
        Halt
    }
}

/// Events, with values of the first player.
impl<G: ZeroSum, O: Observer<G::Move>> Search<'_, G, O> {
    pub(super) fn tell_enter(&mut self, mv: Option<G::Move>, who: usize, alpha: f64, beta: f64) {
        let (alpha, beta) = self.told_window(who, alpha, beta);
        self.observer.event(Event::Enter { mv, alpha, beta });
    }

    pub(super) fn tell_window(&mut self, by: G::Move, who: usize, alpha: f64, beta: f64) {
        let (alpha, beta) = self.told_window(who, alpha, beta);
        self.observer.event(Event::Window { by, alpha, beta });
    }

    fn told_window(&self, who: usize, alpha: f64, beta: f64) -> (Value, Value) {
        let (alpha, beta) = (self.leaves.value(alpha), self.leaves.value(beta));
        if who == 0 { (alpha, beta) } else { (beta.for_opponent(), alpha.for_opponent()) }
    }

    #[inline]
    fn tell_leaf(&mut self, who: usize, score: f64, kind: LeafKind) {
        if self.observer.is_active() {
            let value = self.leaves.leaf_value(score, kind);
            let values = &[if who == 0 { value } else { value.for_opponent() }];
            self.observer.event(Event::Leaf { values, kind });
        }
    }

    #[inline]
    pub(super) fn leave(&mut self, who: usize, score: f64) -> f64 {
        if self.observer.is_active() {
            let value = self.leaves.value(score);
            let values = &[if who == 0 { value } else { value.for_opponent() }];
            self.observer.event(Event::Leave { values });
        }
        score
    }
}

/// Converts a score whose wins are counted in plies from the root to one that is counted from this ply,
/// so that it does not depend on the path to the position.
#[inline]
fn from_here(value: f64, ply: u32, points: bool) -> f64 {
    if points || value.abs() <= MAX_EVALUATION {
        value
    } else {
        value + f64::from(ply).copysign(value)
    }
}

/// Converts a score back: the inverse of [`from_here`].
#[inline]
pub(super) fn from_root(value: f64, ply: u32, points: bool) -> f64 {
    if points || value.abs() <= MAX_EVALUATION {
        value
    } else {
        value - f64::from(ply).copysign(value)
    }
}
