//! The search of one node.

use tussle_core::{
    Bound, CutReason, Event, LeafKind, LimitChecker, Observer, Rng, SearchStats, StopReason, Turn,
    Value, ZeroSum, mix,
};

use super::busy::Busy;
use super::order::Order;
use super::queue::{Left, Queue};
use super::{MoveOrder, Switches, WindowMode};
use crate::keys::KeyFunctions;
use crate::pv::Pv;
use crate::score::{BAND, DEEPEST, Leaves, WIN};
use crate::table::{Entry, NO_MOVE, PORTION, TO_THE_END, Table};

/// Captures and the like are followed this far beyond the horizon.
const QUIET_AFTER: u32 = 32;

/// Less deep nodes do not use the table: looking at a few leaves takes less time than waiting
/// for memory.
const TABLE_DEPTH: u32 = 2;

/// Moves this deep or deeper are shared among threads.
const SHARED_DEPTH: u32 = 3;

/// One thread's search of one tree.
///
/// Windows and values are for a player who is named: `who`. A value at most alpha is an upper
/// bound of the true one, a value of beta or more is a lower bound, anything between is exact.
pub(super) struct Search<'a, G: ZeroSum, O> {
    pub(super) game: &'a G,
    pub(super) switches: &'a Switches,
    pub(super) leaves: &'a Leaves<'a, G>,
    /// The player for whom leaves are valued.
    pub(super) root: usize,
    /// The position at the root.
    pub(super) position: &'a G::State,
    /// One stack of moves, and one of their keys, for all plies.
    pub(super) buffer: Vec<G::Move>,
    pub(super) keys: Vec<u64>,
    pub(super) pv: Pv<G::Move>,
    pub(super) order: &'a mut Order<G::Move>,
    pub(super) table: Option<&'a Table>,
    /// Present if there is a table.
    pub(super) hashes: Option<KeyFunctions<G>>,
    /// Entries stored so far.
    pub(super) stores: u32,
    /// Keeps the values of one root player apart from the other's.
    pub(super) salt: u64,
    /// Only if several threads search.
    pub(super) busy: Option<&'a Busy>,
    pub(super) watch: LimitChecker,
    /// Why the watch said stop, if it did.
    pub(super) stopped: StopReason,
    pub(super) stats: SearchStats,
    /// Values used so far that rest on an evaluation: one is proven if none was needed for it.
    pub(super) horizon: u64,
    /// The earliest ply, counted from the root, whose position came back and ended a game in
    /// the subtree being searched; [`NOWHERE`] if none did.
    pub(super) rests_on: i64,
    pub(super) rng: Rng,
    pub(super) observer: O,
}

/// The search has to end, and has written down why: a result without the reason fits two
/// registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Halt;

pub(super) const NOWHERE: i64 = i64::MAX;

/// No move has been looked at.
const NOT_YET: usize = usize::MAX;

/// Where a node stands.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Plies still to look ahead; [`TO_THE_END`] never runs out.
    pub(super) depth: u32,
    /// Plies from the root.
    pub(super) ply: u32,
    /// The player for whom the window and the value are.
    pub(super) who: usize,
}

impl Place {
    pub(super) fn below(self, who: usize) -> Self {
        let depth = if self.depth >= TO_THE_END { TO_THE_END } else { self.depth - 1 };
        Self { depth, ply: self.ply + 1, who }
    }
}

impl<G: ZeroSum, O: Observer<G::Move>> Search<'_, G, O> {
    /// The value of `state`, the position after `mv`.
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
        if depth == 0 || ply >= DEEPEST {
            if self.switches.quiesce {
                return self.quiesce(state, place, mover, alpha, beta, QUIET_AFTER);
            }
            return self.at_horizon(state, place);
        }
        // From here on everything is for the mover.
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

    /// The same where no line is kept.
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

    /// A node with moves, for the player who is to move.
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
        if self.switches.window == WindowMode::Pvs && !self.leaves.payoffs.points {
            // No line through here wins sooner, or loses sooner, than this.
            alpha = alpha.max(f64::from(ply) - WIN);
            beta = beta.min(WIN - f64::from(ply + 1));
            if alpha >= beta {
                return Ok(self.leave(mover, alpha));
            }
        }
        if depth == 1 && !self.switches.quiesce {
            return self.frontier(state, place, alpha, beta);
        }
        let mut hash_move = NO_MOVE;
        let table = self.table.filter(|_| depth >= TABLE_DEPTH);
        let key = match table {
            None => 0,
            Some(table) => {
                let key = self.key(state, depth);
                if let Some(entry) = table.probe(key) {
                    hash_move = entry.index;
                    if let Some(value) = self.known(entry, depth, ply, alpha, beta) {
                        self.tell_leaf(mover, value, LeafKind::Table);
                        return Ok(self.leave(mover, value));
                    }
                }
                key
            }
        };
        let horizon = self.horizon;
        let rests_on = std::mem::replace(&mut self.rests_on, NOWHERE);

        let mut queue = self.line_up(state, hash_move, place);
        let (mut best, mut best_index, mut bound) = (f64::NEG_INFINITY, NOT_YET, Bound::Upper);
        while let Some(index) = self.take(&mut queue) {
            let shared = self.busy.filter(|_| depth >= SHARED_DEPTH && queue.taken > 1);
            let shared = shared.map(|busy| (busy, key ^ mix(index as u64 + 1)));
            if let Some((busy, busy_key)) = shared {
                // What another thread is searching can wait, once.
                if !queue.was_put_off() && busy.has(busy_key) {
                    self.put_off(&mut queue, index);
                    continue;
                }
                busy.enter(busy_key);
            }
            let mv = self.move_at(&queue, index);
            let first = best_index == NOT_YET;
            let value = self.game.visit(state, mv, |child| {
                self.child(child, mv, place.below(mover), alpha, beta, first)
            });
            if let Some((busy, busy_key)) = shared {
                busy.leave(busy_key);
            }
            let value = value?;
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
        self.clear_up(queue);

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
        self.rests_on = self.rests_on.min(rests_on);
        Ok(self.leave(mover, best))
    }

    /// A node whose moves lead to leaves: nothing to look up, to share or to search twice.
    #[inline(never)]
    fn frontier(
        &mut self,
        state: &mut G::State,
        place: Place,
        mut alpha: f64,
        beta: f64,
    ) -> Result<f64, Halt> {
        let mover = place.who;
        let below = place.below(mover);
        self.pv.clear(below.ply as usize);
        let mut queue = self.line_up(state, NO_MOVE, place);
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
        self.clear_up(queue);
        Ok(self.leave(mover, best))
    }

    /// The position after a move of a frontier node.
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

    /// A move has raised alpha; whether that is enough.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a call for every node is a twentieth of the time")]
    fn raise(&mut self, queue: Queue, index: usize, place: Place, alpha: f64, beta: f64) -> bool {
        let mv = self.move_at(&queue, index);
        self.pv.set(place.ply as usize, mv);
        if alpha >= beta {
            self.learn(queue, index, place);
            self.cut(place.who, &self.left(queue));
            return true;
        }
        if self.observer.is_active() {
            self.tell_window(mv, place.who, alpha, beta);
        }
        false
    }

    /// The key of a position that is searched this deep.
    #[inline]
    pub(super) fn key(&self, state: &G::State, depth: u32) -> u64 {
        let beyond = if self.switches.quiesce { QUIET_AFTER } else { 0 };
        self.hashes.map_or(0, |keys| (keys.table_key)(self.game, state, depth + beyond)) ^ self.salt
    }

    /// Puts what was found at a node into the table, as far as it holds on other ways here.
    #[inline]
    fn remember(&mut self, table: &Table, key: u64, entry: Entry, place: Place) {
        let new = if !self.switches.repetition {
            table.store(key, entry)
        } else if self.rests_on >= i64::from(place.ply) {
            table.store(key, self.whatever_came_before(entry, place.who))
        } else {
            return;
        };
        self.stores += u32::from(new);
        if new && self.stores.is_multiple_of(PORTION) {
            table.count_portion();
        }
    }

    /// A child's value for the mover: with a null window first, if the switches say so and a
    /// sibling has set alpha.
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
        if self.switches.window == WindowMode::Pvs && !first {
            let null = alpha.next_up();
            if null < beta {
                let value = self.value(state, mv, place, alpha, null)?;
                if value <= alpha || value >= beta {
                    return Ok(value);
                }
            }
        }
        self.value(state, mv, place, alpha, beta)
    }

    /// A cut at a node where this player moves.
    fn cut(&mut self, who: usize, left: &Left<G::Move>) {
        if left.number == 0 {
            return; // nothing was skipped
        }
        self.stats.cutoffs += 1;
        self.stats.pruned += left.number as u64;
        if self.observer.is_active() {
            let reason = if who == 0 { CutReason::Beta } else { CutReason::Alpha };
            self.observer.event(Event::Cut { reason, skipped: &left.moves });
        }
    }

    /// What the table's entry says about this node, if that is enough.
    ///
    /// Only what a search of the same depth found counts, or a proof that needed no more: so
    /// the table saves work and never changes a value.
    #[inline]
    fn known(&mut self, entry: Entry, depth: u32, ply: u32, alpha: f64, beta: f64) -> Option<f64> {
        if entry.depth != depth && !(entry.proven && entry.depth <= depth) {
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

    /// What holds of an entry on whatever way the position is reached.
    ///
    /// On another way other positions lie behind, and a line that went on here may end there as
    /// a draw. Who can have this value or more on one way can have it or the draw on any other;
    /// so a lower bound holds up to the draw's value, and an upper bound down to it.
    fn whatever_came_before(&self, entry: Entry, mover: usize) -> Entry {
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

    /// Beyond the horizon: the evaluation, or better if a loud move gives more.
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
        if best < beta && plies_left > 0 && place.ply < DEEPEST {
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
                self.loud_child(child, mv, below, alpha, beta, plies_left - 1)
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
                    let left = Left { number: self.buffer.len() - i - 1, moves };
                    if self.switches.order == MoveOrder::Full {
                        self.order.reward(mv, Place { who: mover, ..place });
                    }
                    self.cut(mover, &left);
                    break;
                }
            }
        }
        self.buffer.truncate(base);
        let value = self.leave(mover, best);
        Ok(if flip { -value } else { value })
    }

    /// The position after a loud move.
    fn loud_child(
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

    /// A finished game.
    fn end(&mut self, state: &G::State, place: Place) -> Result<f64, Halt> {
        let Place { ply, who, .. } = place;
        self.stats.leaves += 1;
        if self.switches.repetition
            && let Some(keys) = self.hashes
            && let Some(plies) = (keys.repeated_after)(self.game, state)
        {
            self.rests_on = self.rests_on.min(i64::from(ply) - i64::from(plies));
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

    /// A leaf at the horizon.
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

    /// Writes down that the evaluator has failed.
    #[cold]
    fn fail(&mut self) -> Halt {
        self.stopped = StopReason::StopFlag;
        Halt
    }
}

/// What observers are told, in the first player's frame.
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

/// A win counted from the root, counted from this ply instead: so that it means the same
/// wherever the position comes up.
#[inline]
fn from_here(value: f64, ply: u32, points: bool) -> f64 {
    if points || value.abs() <= BAND { value } else { value + f64::from(ply).copysign(value) }
}

/// The opposite of [`from_here`].
#[inline]
pub(super) fn from_root(value: f64, ply: u32, points: bool) -> f64 {
    if points || value.abs() <= BAND { value } else { value - f64::from(ply).copysign(value) }
}
