//! The recursive search of expectimax, with optional pruning by Ballard's Star1.

use tussle_core::{
    Bound, CutReason, Event, Game, LeafKind, LimitChecker, Observer, Outcome, Report, SearchStats,
    StopReason, Turn, Value,
};

use super::{OpponentModel, Plan};
use crate::agent::{failure, root_player};
use crate::deepening::{Best, Iterate, Root, Task, deepen};
use crate::pv::Pv;
use crate::scale::Ends;
use crate::score::moves;
use crate::{Deepening, Query, SearchError};

pub(super) fn search<G: Game>(
    plan: &Plan<'_, G>,
    deepening: Deepening,
    game: &G,
    state: &G::State,
    mut query: Query<'_, G::Move>,
) -> Result<Report<G::Move>, SearchError> {
    let root = root_player(game, state)?;
    let mut first = Vec::new();
    moves(game, state, plan.dedupe, &mut first);
    let observer = query.events.take();
    let task = Task::new(deepening, false, query);
    let mut search = Search {
        game,
        plan,
        root,
        turned: root == 1 && game.players() <= 2,
        lines: task.lines,
        star1: plan.star1.map(|limits| game.value_range(root).unwrap_or(limits)),
        position: state,
        buffer: Vec::new(),
        pv: Pv::new(),
        watch: task.limits.checker(),
        stats: SearchStats::default(),
        largest: plan.draw.abs(),
        observer,
    };
    deepen(&mut search, &first, task)
}

/// Value of a node for the root player.
#[derive(Clone, Copy)]
struct NodeValue {
    /// Number to compare: utilities and evaluations on one scale.
    score: f64,
    /// Expected utility, which is reported if the value does not depend on evaluations.
    utility: f64,
    ends: Ends,
}

/// Search window: values outside it need not be exact.
#[derive(Clone, Copy)]
struct Window {
    alpha: f64,
    beta: f64,
}

const FULL: Window = Window { alpha: f64::NEG_INFINITY, beta: f64::INFINITY };

struct Search<'a, G: Game, O> {
    game: &'a G,
    plan: &'a Plan<'a, G>,
    /// Root player, whose values all nodes have.
    root: usize,
    /// True if values in events are negated: they belong to the first of two players, and the root player is
    /// the second.
    turned: bool,
    /// Number of best root moves that get an exact value.
    lines: usize,
    /// Least and largest value for the root player, if Star1 is on.
    star1: Option<(f64, f64)>,
    /// Position at the root.
    position: &'a G::State,
    buffer: Vec<G::Move>,
    pv: Pv<G::Move>,
    watch: LimitChecker,
    /// Counters. A value is proven if the number of evaluations did not change during its search.
    stats: SearchStats,
    /// Largest evaluation so far, or the value of a draw.
    largest: f64,
    observer: O,
}

impl<G: Game, O: Observer<G::Move>> Search<'_, G, O> {
    /// Returns the value of `state`, the position after `mv`. A value of alpha or less is an upper bound, a
    /// value of beta or more is a lower bound.
    fn value(
        &mut self,
        state: &mut G::State,
        mv: G::Move,
        depth: u32,
        ply: u32,
        window: Window,
    ) -> Result<NodeValue, StopReason> {
        if let Some(why) = self.watch.check(self.stats.nodes) {
            return Err(why);
        }
        self.stats.nodes += 1;
        self.stats.depth = self.stats.depth.max(ply);
        self.pv.clear(ply as usize);
        self.enter(Some(mv), window);
        let turn = self.game.turn(state);
        let result = if turn == Turn::Over {
            self.leaf(state, LeafKind::End)?
        } else if depth == 0 {
            self.leaf(state, LeafKind::Evaluation)?
        } else {
            let base = self.buffer.len();
            let result = match turn {
                Turn::Player(mover)
                    if mover == self.root || self.plan.opponent == OpponentModel::Best =>
                {
                    self.choice(state, mover == self.root, depth, ply, window)?
                }
                _ => self.average(state, turn == Turn::Chance, depth, ply, window)?,
            };
            self.buffer.truncate(base);
            result
        };
        self.leave(result.score);
        Ok(result)
    }

    /// Returns the value of the best move: the highest for the root player (`mine`), the lowest for an opponent.
    fn choice(
        &mut self,
        state: &mut G::State,
        mine: bool,
        depth: u32,
        ply: u32,
        mut window: Window,
    ) -> Result<NodeValue, StopReason> {
        let base = self.buffer.len();
        moves(self.game, state, self.plan.dedupe, &mut self.buffer);
        let mut best: Option<NodeValue> = None;
        for i in base..self.buffer.len() {
            let mv = self.buffer[i];
            let result = self
                .game
                .visit(state, mv, |child| self.value(child, mv, depth - 1, ply + 1, window))?;
            let better = |best: NodeValue| {
                if mine { result.score > best.score } else { result.score < best.score }
            };
            if best.is_none_or(better) {
                best = Some(result);
                self.pv.set(ply as usize, mv);
                if self.star1.is_some() && self.narrow(mine, mv, result.score, &mut window) {
                    // Events are seen by the first player: beta of the second player is its alpha.
                    let reason =
                        if mine == self.turned { CutReason::Alpha } else { CutReason::Beta };
                    self.cut(reason, i + 1);
                    break;
                }
            }
        }
        // A player to move has a move, unless the rules have failed.
        best.ok_or(StopReason::StopFlag)
    }

    /// Returns the weighted mean over all moves.
    ///
    /// The sum is divided by the total weight only at the end, so that the mean of equal values is exactly
    /// that value.
    fn average(
        &mut self,
        state: &mut G::State,
        chance: bool,
        depth: u32,
        ply: u32,
        window: Window,
    ) -> Result<NodeValue, StopReason> {
        let base = self.buffer.len();
        self.game.moves(state, &mut self.buffer);
        let mut total = 0.0;
        for i in base..self.buffer.len() {
            total += self.weight(state, chance, self.buffer[i]);
        }
        // If the model gives all legal moves the weight 0, they are equally likely.
        let even = total == 0.0;
        if even {
            total = (self.buffer.len() - base) as f64;
        }
        if !chance && self.observer.is_active() {
            self.tell_odds(state, base, even, total);
        }
        let (mut seen, mut score, mut utility, mut ends) = (0.0, 0.0, 0.0, Ends::NONE);
        for i in base..self.buffer.len() {
            let mv = self.buffer[i];
            let weight = if even { 1.0 } else { self.weight(state, chance, mv) };
            if weight == 0.0 {
                continue;
            }
            seen += weight;
            let left = total - seen;
            let inner = self.inner_window(window, score, weight, left, total);
            let result = self
                .game
                .visit(state, mv, |child| self.value(child, mv, depth - 1, ply + 1, inner))?;
            score += weight * result.score;
            utility += weight * result.utility;
            ends = ends.or(result.ends);
            if let Some((low, high)) = self.star1 {
                let (least, most) = ((score + low * left) / total, (score + high * left) / total);
                let outside = if most <= window.alpha || result.score <= inner.alpha {
                    most.min(window.alpha)
                } else if least >= window.beta || result.score >= inner.beta {
                    least.max(window.beta)
                } else {
                    continue;
                };
                if left > 0.0 {
                    self.cut(CutReason::Chance, i + 1);
                }
                return Ok(NodeValue { score: outside, utility: f64::NAN, ends: Ends::UNKNOWN });
            }
        }
        Ok(NodeValue { score: score / total, utility: utility / total, ends })
    }

    #[inline]
    fn weight(&self, state: &G::State, chance: bool, mv: G::Move) -> f64 {
        if chance {
            self.game.probability(state, mv)
        } else {
            self.plan.opponent.weight(self.game, state, mv)
        }
    }

    /// Sends the probabilities of the moves in the buffer from index `from` on.
    fn tell_odds(&mut self, state: &G::State, from: usize, even: bool, total: f64) {
        let moves = &self.buffer[from..];
        let weight = |&mv: &G::Move| if even { 1.0 } else { self.weight(state, false, mv) };
        let probabilities: Vec<f64> = moves.iter().map(|mv| weight(mv) / total).collect();
        self.observer.event(Event::Odds { moves, probabilities: &probabilities });
    }

    /// Returns the window of one outcome: if the value lies outside it, the mean lies outside the window of
    /// the node, for all possible values of the remaining outcomes.
    fn inner_window(
        &self,
        window: Window,
        score: f64,
        weight: f64,
        left: f64,
        total: f64,
    ) -> Window {
        let Some((low, high)) = self.star1 else { return FULL };
        Window {
            alpha: (window.alpha * total - score - high * left) / weight,
            beta: (window.beta * total - score - low * left) / weight,
        }
    }

    /// Narrows the window by the best move so far; returns true if the window is empty.
    fn narrow(&mut self, mine: bool, by: G::Move, score: f64, window: &mut Window) -> bool {
        let before = *window;
        if mine {
            window.alpha = window.alpha.max(score);
        } else {
            window.beta = window.beta.min(score);
        }
        if self.observer.is_active() && (before.alpha, before.beta) != (window.alpha, window.beta) {
            let (alpha, beta) = self.told_window(*window);
            self.observer.event(Event::Window { by, alpha, beta });
        }
        window.alpha >= window.beta
    }

    /// Counts a cutoff that skips the moves in the buffer from index `from` on, if there are any.
    fn cut(&mut self, reason: CutReason, from: usize) {
        let skipped = &self.buffer[from..];
        if skipped.is_empty() {
            return;
        }
        self.stats.cutoffs += 1;
        self.stats.pruned += skipped.len() as u64;
        if self.observer.is_active() {
            self.observer.event(Event::Cut { reason, skipped });
        }
    }

    fn leaf(&mut self, state: &G::State, kind: LeafKind) -> Result<NodeValue, StopReason> {
        let Plan { evaluator, faults, scale, draw, eval_ends, .. } = self.plan;
        self.stats.leaves += 1;
        let result = if kind == LeafKind::Evaluation || *eval_ends {
            self.stats.evaluations += 1;
            let value = evaluator.value(self.game, state, self.root);
            let value = faults.checked(value, self.root).ok_or(StopReason::StopFlag)?;
            self.largest = self.largest.max(value.abs());
            NodeValue { score: scale.horizon(value), utility: f64::NAN, ends: Ends::UNKNOWN }
        } else {
            let utility = self.game.utility(state, self.root);
            let score = if scale.is_tie(utility) { *draw } else { scale.end(utility) };
            NodeValue { score, utility, ends: scale.ending(utility) }
        };
        if self.observer.is_active() {
            let values = &[self.told(result.score)];
            self.observer.event(Event::Leaf { values, kind });
        }
        Ok(result)
    }

    fn enter(&mut self, mv: Option<G::Move>, window: Window) {
        if self.observer.is_active() {
            let (alpha, beta) = self.told_window(window);
            self.observer.event(Event::Enter { mv, alpha, beta });
        }
    }

    fn leave(&mut self, score: f64) {
        if self.observer.is_active() {
            let values = &[self.told(score)];
            self.observer.event(Event::Leave { values });
        }
    }

    fn told(&self, score: f64) -> Value {
        let value = self.plan.scale.value(score, self.largest);
        if self.turned { value.for_opponent() } else { value }
    }

    fn told_window(&self, Window { alpha, beta }: Window) -> (Value, Value) {
        let (alpha, beta) = (self.told(alpha), self.told(beta));
        if self.turned { (beta, alpha) } else { (alpha, beta) }
    }

    /// Returns the value to report, with the outcome if it is certain.
    fn reported(&self, result: NodeValue, root: &Root<G::Move>) -> Value {
        let scale = &self.plan.scale;
        if !root.proven {
            return scale.value(result.score, self.largest);
        }
        if root.bound != Bound::Exact {
            return scale.result(scale.utility(result.score));
        }
        match result.ends.certain() {
            Some(Outcome::Draw) if scale.is_tie(0.0) => Value::draw().with_number(self.plan.draw),
            Some(outcome) => scale.result(result.utility).proven(outcome, None),
            None => scale.result(result.utility),
        }
    }
}

impl<G: Game, O: Observer<G::Move>> Iterate<G::Move> for Search<'_, G, O> {
    fn iterate(
        &mut self,
        depth: u32,
        roots: &mut [Root<G::Move>],
    ) -> Result<(), (StopReason, usize)> {
        if self.observer.is_active() {
            self.observer.event(Event::Iteration(depth));
        }
        self.enter(None, FULL);
        self.stats.nodes += 1;
        self.buffer.clear();
        let mut best = Best::new(self.lines);
        let mut window = FULL;
        for (done, root) in roots.iter_mut().enumerate() {
            let SearchStats { nodes, evaluations, .. } = self.stats;
            let mut state = self.position.clone();
            self.game.play(&mut state, root.mv);
            let result = self.value(&mut state, root.mv, depth - 1, 1, window);
            root.visits += self.stats.nodes - nodes;
            let result = result.map_err(|why| (why, done))?;
            root.score = result.score;
            let exact = result.score > window.alpha;
            root.bound = if exact { Bound::Exact } else { Bound::Upper };
            root.searched(depth, self.stats.evaluations == evaluations, self.pv.line(1));
            root.value = Some(self.reported(result, root));
            best.add(result.score);
            if let (Some(_), Some(last)) = (self.star1, best.last_exact()) {
                self.narrow(true, root.mv, last, &mut window);
            }
        }
        self.leave(best.first().unwrap_or(f64::NEG_INFINITY));
        Ok(())
    }

    fn stats(&self) -> SearchStats {
        self.stats.clone()
    }

    fn least(&self) -> Value {
        self.plan.scale.least()
    }

    fn is_final(&self, root: &Root<G::Move>) -> bool {
        let top = self.plan.scale.top().max(self.plan.ends.1);
        root.proven && root.bound == Bound::Exact && root.score >= top
    }

    fn failure(&self) -> Option<SearchError> {
        failure(self.game, &self.plan.faults)
    }
}
