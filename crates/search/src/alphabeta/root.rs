//! Search of the root: windows, and principal variations completed from the table.

use tussle_core::{Bound, Event, Observer, StopReason, Turn, ZeroSum, mix};

use super::order;
use super::search::{Halt, NO_REPETITION, Place, Search};
use super::{MoveOrder, WindowMode};
use crate::deepening::{Best, Root};
use crate::score::{MAX_EVALUATION, MAX_PLIES};
use crate::table::UNLIMITED_DEPTH;
use crate::tactics::Situation;

/// Minimum distance of the ends of the first aspiration window from the last value. The distance is
/// larger if the value changed by more between the last two iterations.
const MIN_ASPIRATION_DISTANCE: f64 = 1.0;

impl<G: ZeroSum, O: Observer<G::Move>> Search<'_, G, O> {
    /// Searches all root moves to one depth.
    pub(super) fn all(
        &mut self,
        depth: u32,
        roots: &mut [Root<G::Move>],
        lines: usize,
        [last, before]: [f64; 2],
    ) -> Result<(), (StopReason, usize)> {
        if self.observer.is_active() {
            self.observer.event(Event::Iteration(depth));
        }
        if self.switches.order == MoveOrder::Full && !last.is_nan() {
            // Moves after the best one often have equal bounds; one that was hard to refute may be better.
            roots[1..].sort_by_key(|root| std::cmp::Reverse(root.visits));
        }
        if let Some(enough) = self.switches.enough {
            // A null window: each move either has the known value or reaches the goal, or has less.
            self.in_window(depth, roots, lines, enough.next_down(), enough)?;
            self.leave(self.root, enough);
            return Ok(());
        }
        if self.switches.window == WindowMode::Mtd && lines <= 1 {
            return self.between_bounds(depth, roots, last);
        }
        let narrow = self.switches.window == WindowMode::Aspiration && lines <= 1;
        if !narrow || last.is_nan() || last.abs() > MAX_EVALUATION {
            let best = self.in_window(depth, roots, lines, f64::NEG_INFINITY, f64::INFINITY)?;
            self.leave(self.root, best);
            return Ok(());
        }
        let step = if before.is_nan() {
            MIN_ASPIRATION_DISTANCE
        } else {
            (last - before).abs().max(MIN_ASPIRATION_DISTANCE)
        };
        let (mut low, mut high) = (last - step, last + step);
        loop {
            let best = self.in_window(depth, roots, lines, low, high)?;
            self.leave(self.root, best);
            if best <= low {
                low = f64::NEG_INFINITY;
            } else if best >= high {
                high = f64::INFINITY;
            } else {
                return Ok(());
            }
        }
    }

    /// Searches with null windows until the bounds of the best value meet (MTD(f)), then its line.
    fn between_bounds(
        &mut self,
        depth: u32,
        roots: &mut [Root<G::Move>],
        last: f64,
    ) -> Result<(), (StopReason, usize)> {
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        let mut guess = if last.is_nan() { 0.0 } else { last };
        while low < high {
            // A value of `beta` or more is a lower bound; one below it an upper bound.
            let beta = if guess <= low { low.next_up() } else { guess.min(high) };
            let best = self.in_window(depth, roots, 1, beta.next_down(), beta)?;
            if best >= beta {
                low = best;
                // The best move comes first in the next search.
                if let Some(best) =
                    roots.iter().position(|root| root.bound == Bound::Lower && root.score >= beta)
                {
                    roots[..=best].rotate_right(1);
                }
            } else {
                high = best;
            }
            guess = self.next_guess(low, high, best);
        }
        let best = self.in_window(depth, roots, 1, low.next_down(), low.next_up())?;
        self.leave(self.root, best);
        Ok(())
    }

    /// Returns the next value to test: the bound just found, or the middle of two distances of a win.
    fn next_guess(&self, low: f64, high: f64, best: f64) -> f64 {
        let are_wins = low > MAX_EVALUATION || high < -MAX_EVALUATION;
        if !self.leaves.payoffs.points && are_wins && low.is_finite() && high.is_finite() {
            return f64::midpoint(low, high).ceil();
        }
        best
    }

    /// Searches all root moves in a window and returns the best value. Moves below the last requested line
    /// get bounds only.
    fn in_window(
        &mut self,
        depth: u32,
        roots: &mut [Root<G::Move>],
        lines: usize,
        low: f64,
        high: f64,
    ) -> Result<f64, (StopReason, usize)> {
        self.enter_root(low, high)?;
        let is_known = self.switches.enough.is_some();
        let mut best = Best::new(lines);
        // Only helpers postpone root moves: the finished moves of the first thread are the first ones.
        let count = roots.len();
        let mut order: Vec<usize> = (0..count).collect();
        let mut done = 0;
        while let Some(&index) = order.get(done) {
            let root = &mut roots[index];
            let key = order::hash(&root.mv) ^ mix(depth.into());
            let divided = self.teamwork.filter(|_| done > 0);
            if let Some(team) = divided {
                let is_first_try = done < count;
                if self.thread > 0 && is_first_try && team.is_searched(key) {
                    order.push(index);
                    done += 1;
                    continue;
                }
                team.begin_move(key);
            }
            let alpha = best.last_exact().unwrap_or(low).max(low);
            let value = self.root_move(root, depth, alpha, high, best.first().is_none());
            if let Some(team) = divided {
                team.end_move(key);
            }
            let value = value.map_err(|Halt| (self.stopped, done))?;
            root.score = value;
            root.bound = match value {
                x if x <= alpha => Bound::Upper,
                x if x >= high => Bound::Lower,
                _ => Bound::Exact,
            };
            if value > alpha && self.observer.is_active() && lines <= 1 && !is_known {
                self.tell_window(root.mv, self.root, value, high);
            }
            best.add(value);
            if value >= high {
                break; // the caller widens the window, or was looking for a move with this value
            }
            done += 1;
        }
        Ok(best.first().unwrap_or(f64::NEG_INFINITY))
    }

    fn enter_root(&mut self, alpha: f64, beta: f64) -> Result<(), (StopReason, usize)> {
        if let Some(why) = self.watch.check(self.stats.nodes) {
            return Err((why, 0));
        }
        if self.game.failure().is_some() {
            return Err((StopReason::StopFlag, 0)); // else the window would be widened forever
        }
        self.stats.nodes += 1;
        self.buffer.clear();
        self.keys.clear();
        self.earliest_repeated = NO_REPETITION;
        if self.observer.is_active() {
            self.tell_enter(None, self.root, alpha, beta);
        }
        Ok(())
    }

    fn root_move(
        &mut self,
        root: &mut Root<G::Move>,
        depth: u32,
        alpha: f64,
        beta: f64,
        first: bool,
    ) -> Result<f64, Halt> {
        self.exchange_counts();
        let (nodes, horizon) = (self.stats.nodes, self.horizon);
        let depth = if depth >= MAX_PLIES { UNLIMITED_DEPTH } else { depth };
        let place = Place { depth, ply: 0, who: self.root };
        let mut state = self.position.clone();
        self.game.play(&mut state, root.mv);
        let value = self.child(&mut state, root.mv, place.below(self.root), alpha, beta, first);
        root.visits += self.stats.nodes - nodes;
        let value = value?;
        root.searched(depth, self.horizon == horizon, self.pv.line(1));
        Ok(value)
    }

    /// Extends a principal variation that ended at a table hit, by further exact entries of the table.
    pub(super) fn extend_pv(&mut self, pv: &mut Vec<G::Move>, depth: u32) {
        let Some(table) = self.table else { return };
        let mut state = self.position.clone();
        for &mv in &*pv {
            self.game.play(&mut state, mv);
        }
        let longest = if depth >= MAX_PLIES { MAX_PLIES } else { depth } as usize;
        while pv.len() < longest && matches!(self.game.turn(&state), Turn::Player(_)) {
            let left = if depth >= MAX_PLIES { UNLIMITED_DEPTH } else { depth - pv.len() as u32 };
            self.buffer.clear();
            let is_open = matches!(self.list_moves(&state), None | Some(Situation::Open(_)));
            // A position with a forced move has no entry.
            let index = if self.tactics.is_some() && is_open && self.buffer.len() == 1 {
                0
            } else {
                let entry = table.probe(self.key(&state, left));
                match entry.filter(|entry| entry.bound == Bound::Exact) {
                    Some(entry) => entry.index,
                    None => return,
                }
            };
            let Some(&mv) = self.buffer.get(usize::from(index)) else { return };
            self.game.play(&mut state, mv);
            pv.push(mv);
        }
    }
}
