//! The search itself, with the cuts of Ballard's Star1 where they are asked for.

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
        observer,
    };
    deepen(&mut search, &first, task)
}

/// What a position is worth to the root player.
#[derive(Clone, Copy)]
struct Worth {
    /// What is compared: utilities and evaluations on one scale.
    score: f64,
    /// The expected utility, which is reported if no evaluation took part.
    utility: f64,
    ends: Ends,
}

/// Values outside of it need not be known exactly.
#[derive(Clone, Copy)]
struct Window {
    alpha: f64,
    beta: f64,
}

const FULL: Window = Window { alpha: f64::NEG_INFINITY, beta: f64::INFINITY };

struct Search<'a, G: Game, O> {
    game: &'a G,
    plan: &'a Plan<'a, G>,
    /// The player for whom everything is valued.
    root: usize,
    /// Observers are told what the first of two players thinks, and the root is the second.
    turned: bool,
    /// How many of the best root moves get an exact value.
    lines: usize,
    /// The least and the largest value for the root player, if averages are to be cut by them.
    star1: Option<(f64, f64)>,
    /// The position at the root.
    position: &'a G::State,
    buffer: Vec<G::Move>,
    pv: Pv<G::Move>,
    watch: LimitChecker,
    /// A value is proven if no evaluation was needed for it.
    stats: SearchStats,
    observer: O,
}

impl<G: Game, O: Observer<G::Move>> Search<'_, G, O> {
    /// The value of `state`, the position after `mv`. At alpha or below it is an upper bound, at
    /// beta or above a lower bound.
    fn value(
        &mut self,
        state: &mut G::State,
        mv: G::Move,
        depth: u32,
        ply: u32,
        window: Window,
    ) -> Result<Worth, StopReason> {
        if let Some(why) = self.watch.check(self.stats.nodes) {
            return Err(why);
        }
        self.stats.nodes += 1;
        self.stats.depth = self.stats.depth.max(ply);
        self.pv.clear(ply as usize);
        self.enter(Some(mv), window);
        let turn = self.game.turn(state);
        let worth = if turn == Turn::Over {
            self.leaf(state, LeafKind::End)?
        } else if depth == 0 {
            self.leaf(state, LeafKind::Evaluation)?
        } else {
            let base = self.buffer.len();
            let worth = match turn {
                Turn::Player(mover)
                    if mover == self.root || self.plan.opponent == OpponentModel::Best =>
                {
                    self.choice(state, mover == self.root, depth, ply, window)?
                }
                _ => self.average(state, turn == Turn::Chance, depth, ply, window)?,
            };
            self.buffer.truncate(base);
            worth
        };
        self.leave(worth.score);
        Ok(worth)
    }

    /// The best of all moves, for the root player or against it.
    fn choice(
        &mut self,
        state: &mut G::State,
        mine: bool,
        depth: u32,
        ply: u32,
        mut window: Window,
    ) -> Result<Worth, StopReason> {
        let base = self.buffer.len();
        moves(self.game, state, self.plan.dedupe, &mut self.buffer);
        let mut best: Option<Worth> = None;
        for i in base..self.buffer.len() {
            let mv = self.buffer[i];
            let worth = self
                .game
                .visit(state, mv, |child| self.value(child, mv, depth - 1, ply + 1, window))?;
            let better = |best: Worth| {
                if mine { worth.score > best.score } else { worth.score < best.score }
            };
            if best.is_none_or(better) {
                best = Some(worth);
                self.pv.set(ply as usize, mv);
                if self.star1.is_some() && self.narrow(mine, mv, worth.score, &mut window) {
                    // The second player's beta is the first one's alpha.
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

    /// The mean over all moves, by their weights.
    ///
    /// They are divided by their sum only at the end, so that the mean of equal values is that
    /// value and nothing beside it.
    fn average(
        &mut self,
        state: &mut G::State,
        chance: bool,
        depth: u32,
        ply: u32,
        window: Window,
    ) -> Result<Worth, StopReason> {
        let base = self.buffer.len();
        self.game.moves(state, &mut self.buffer);
        let mut total = 0.0;
        for i in base..self.buffer.len() {
            total += self.weight(state, chance, self.buffer[i]);
        }
        // A model may say that no legal move is likely. One is made all the same.
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
            let worth = self
                .game
                .visit(state, mv, |child| self.value(child, mv, depth - 1, ply + 1, inner))?;
            score += weight * worth.score;
            utility += weight * worth.utility;
            ends = ends.or(worth.ends);
            if let Some((low, high)) = self.star1 {
                let (least, most) = ((score + low * left) / total, (score + high * left) / total);
                let outside = if most <= window.alpha || worth.score <= inner.alpha {
                    most.min(window.alpha)
                } else if least >= window.beta || worth.score >= inner.beta {
                    least.max(window.beta)
                } else {
                    continue;
                };
                if left > 0.0 {
                    self.cut(CutReason::Chance, i + 1);
                }
                return Ok(Worth { score: outside, utility: f64::NAN, ends: Ends::UNKNOWN });
            }
        }
        Ok(Worth { score: score / total, utility: utility / total, ends })
    }

    #[inline]
    fn weight(&self, state: &G::State, chance: bool, mv: G::Move) -> f64 {
        if chance {
            self.game.probability(state, mv)
        } else {
            self.plan.opponent.weight(self.game, state, mv)
        }
    }

    /// Tells how likely the model takes the moves from this place of the buffer on to be.
    fn tell_odds(&mut self, state: &G::State, from: usize, even: bool, total: f64) {
        let moves = &self.buffer[from..];
        let weight = |&mv: &G::Move| if even { 1.0 } else { self.weight(state, false, mv) };
        let probabilities: Vec<f64> = moves.iter().map(|mv| weight(mv) / total).collect();
        self.observer.event(Event::Odds { moves, probabilities: &probabilities });
    }

    /// The window of one outcome: outside of it, the mean is outside of the node's window,
    /// whatever the outcomes that are left are worth.
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

    /// Moves the window by the best move so far; true if nothing is left of it.
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

    /// Skips the moves from this place of the buffer on, if there are any.
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

    fn leaf(&mut self, state: &G::State, kind: LeafKind) -> Result<Worth, StopReason> {
        let Plan { evaluator, faults, scale, draw, eval_ends, .. } = self.plan;
        self.stats.leaves += 1;
        let worth = if kind == LeafKind::Evaluation || *eval_ends {
            self.stats.evaluations += 1;
            let value = evaluator.value(self.game, state, self.root);
            let value = faults.checked(value, self.root).ok_or(StopReason::StopFlag)?;
            Worth { score: scale.horizon(value), utility: f64::NAN, ends: Ends::UNKNOWN }
        } else {
            let utility = self.game.utility(state, self.root);
            let score = if scale.is_tie(utility) { *draw } else { scale.end(utility) };
            Worth { score, utility, ends: scale.ending(utility) }
        };
        if self.observer.is_active() {
            let values = &[self.told(worth.score)];
            self.observer.event(Event::Leaf { values, kind });
        }
        Ok(worth)
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
        let value = self.plan.scale.value(score);
        if self.turned { value.for_opponent() } else { value }
    }

    fn told_window(&self, Window { alpha, beta }: Window) -> (Value, Value) {
        let (alpha, beta) = (self.told(alpha), self.told(beta));
        if self.turned { (beta, alpha) } else { (alpha, beta) }
    }

    /// Returns the value to report, with the outcome if it is certain.
    fn reported(&self, worth: Worth, root: &Root<G::Move>) -> Value {
        let scale = &self.plan.scale;
        if !root.proven {
            return scale.value(worth.score);
        }
        if root.bound != Bound::Exact {
            return scale.result(scale.utility(worth.score));
        }
        match worth.ends.certain() {
            Some(Outcome::Draw) if scale.is_tie(0.0) => Value::draw().with_number(self.plan.draw),
            Some(outcome) => scale.result(worth.utility).proven(outcome, None),
            None => scale.result(worth.utility),
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
            let worth = self.value(&mut state, root.mv, depth - 1, 1, window);
            root.visits += self.stats.nodes - nodes;
            let worth = worth.map_err(|why| (why, done))?;
            root.score = worth.score;
            let exact = worth.score > window.alpha;
            root.bound = if exact { Bound::Exact } else { Bound::Upper };
            root.searched(depth, self.stats.evaluations == evaluations, self.pv.line(1));
            root.value = Some(self.reported(worth, root));
            best.add(worth.score);
            if let (Some(_), Some(last)) = (self.star1, best.last_asked()) {
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
