//! Minimax: a full search without pruning.

use std::sync::Arc;

use tussle_core::{
    Bound, Evaluator, Event, LeafKind, LimitChecker, Line, Observer, Report, Rng, SearchStats,
    StopReason, Turn, Value, ZeroSum,
};

use crate::agent::{check_draw, failure, reject_chance, reject_more_players, root_player};
use crate::deepening::{Iterate, Root, Task, deepen};
use crate::pv::Pv;
use crate::score::{Leaves, moves};
use crate::{Agent, Deepening, Query, SearchError, TerminalValue, UnsupportedOption};

/// Options of [`Minimax`].
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct MinimaxOptions {
    /// Iterative deepening.
    pub deepening: Deepening,
    /// Value of a draw for the root player [default: 0].
    pub draw: f64,
    /// Value of a finished game [default: its result].
    pub finished: TerminalValue,
    /// True to search moves in random order [default: false].
    pub shuffle: bool,
    /// True to search only one of several equivalent moves [default: false].
    pub dedupe: bool,
    /// Seed of the random order.
    pub seed: u64,
}

/// Minimax without pruning.
pub struct Minimax<G: ZeroSum> {
    options: MinimaxOptions,
    evaluator: Arc<dyn Evaluator<G>>,
    rng: Rng,
}

impl<G: ZeroSum> std::fmt::Debug for Minimax<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Minimax").field("options", &self.options).finish_non_exhaustive()
    }
}

impl<G: ZeroSum> Minimax<G> {
    /// Creates an agent that values positions at the horizon with `evaluator`.
    pub fn new(options: MinimaxOptions, evaluator: impl Evaluator<G> + 'static) -> Self {
        let rng = Rng::new(options.seed);
        Self { options, evaluator: Arc::new(evaluator), rng }
    }
}

impl<G: ZeroSum> Agent<G> for Minimax<G> {
    fn run(
        &mut self,
        game: &G,
        state: &G::State,
        mut query: Query<'_, G::Move>,
    ) -> Result<Report<G::Move>, SearchError> {
        self.check(game)?;
        let root = root_player(game, state)?;
        let MinimaxOptions { deepening, draw, finished, shuffle, dedupe, .. } = self.options;
        let mut first = Vec::new();
        moves(game, state, dedupe, &mut first);
        if shuffle {
            self.rng.shuffle(&mut first);
        }
        let observer = query.events.take();
        let task = Task::new(deepening, false, query);
        let mut search = Search {
            game,
            leaves: Leaves::new(game, &*self.evaluator, draw, finished),
            dedupe,
            root,
            position: state,
            buffer: Vec::new(),
            pv: Pv::new(),
            watch: task.limits.checker(),
            stats: SearchStats::default(),
            observer,
        };
        deepen(&mut search, &first, task)
    }

    fn check(&self, game: &G) -> Result<(), UnsupportedOption> {
        reject_chance(game)?;
        reject_more_players(game)?;
        check_draw(self.options.draw)
    }
}

struct Search<'a, G: ZeroSum, O> {
    game: &'a G,
    leaves: Leaves<'a, G>,
    dedupe: bool,
    /// Root player, whose values all nodes have.
    root: usize,
    /// The position at the root.
    position: &'a G::State,
    buffer: Vec<G::Move>,
    pv: Pv<G::Move>,
    watch: LimitChecker,
    /// Counters. A value is proven if the number of evaluations did not change during its search.
    stats: SearchStats,
    observer: O,
}

impl<G: ZeroSum, O: Observer<G::Move>> Search<'_, G, O> {
    /// Returns the value of `state`, the position after `mv`, for the root player.
    fn value(
        &mut self,
        state: &mut G::State,
        mv: G::Move,
        depth: u32,
        ply: u32,
    ) -> Result<f64, StopReason> {
        if let Some(why) = self.watch.check(self.stats.nodes) {
            return Err(why);
        }
        self.stats.nodes += 1;
        self.pv.clear(ply as usize);
        if self.observer.is_active() {
            let (alpha, beta) = (Value::BELOW_ALL, Value::ABOVE_ALL);
            self.observer.event(Event::Enter { mv: Some(mv), alpha, beta });
        }
        let turn = self.game.turn(state);
        let Turn::Player(mover) = turn else { return self.leaf(state, LeafKind::End, ply) };
        if depth == 0 {
            return self.leaf(state, LeafKind::Evaluation, ply);
        }
        let base = self.buffer.len();
        moves(self.game, state, self.dedupe, &mut self.buffer);
        let mut best = f64::NAN;
        for i in base..self.buffer.len() {
            let mv = self.buffer[i];
            let game = self.game;
            let value = game.visit(state, mv, |child| self.value(child, mv, depth - 1, ply + 1))?;
            let better = if mover == self.root { value > best } else { value < best };
            if better || best.is_nan() {
                best = value;
                self.pv.set(ply as usize, mv);
            }
        }
        self.buffer.truncate(base);
        self.leave(best);
        Ok(best)
    }

    fn leaf(&mut self, state: &G::State, kind: LeafKind, ply: u32) -> Result<f64, StopReason> {
        self.stats.leaves += 1;
        let leaves = &self.leaves;
        let value = if kind == LeafKind::End {
            leaves.end(self.game, state, self.root, ply)
        } else {
            leaves.horizon(self.game, state, self.root)
        };
        let value = value.ok_or(StopReason::StopFlag)?; // the evaluator has failed
        if kind == LeafKind::Evaluation || leaves.eval_ends {
            self.stats.evaluations += 1;
        }
        if self.observer.is_active() {
            let values = &[self.firsts_view(self.leaves.leaf_value(value, kind))];
            self.observer.event(Event::Leaf { values, kind });
        }
        self.leave(value);
        Ok(value)
    }

    fn leave(&mut self, value: f64) {
        if self.observer.is_active() {
            let values = &[self.firsts_view(self.leaves.value(value))];
            self.observer.event(Event::Leave { values });
        }
    }

    /// Returns the value for the first player, which events have.
    fn firsts_view(&self, value: Value) -> Value {
        if self.root == 0 { value } else { value.for_opponent() }
    }
}

impl<G: ZeroSum, O: Observer<G::Move>> Iterate<G::Move> for Search<'_, G, O> {
    fn iterate(
        &mut self,
        depth: u32,
        roots: &mut [Root<G::Move>],
    ) -> Result<(), (StopReason, usize)> {
        if self.observer.is_active() {
            self.observer.event(Event::Iteration(depth));
            let (alpha, beta) = (Value::BELOW_ALL, Value::ABOVE_ALL);
            self.observer.event(Event::Enter { mv: None, alpha, beta });
        }
        self.stats.nodes += 1;
        self.buffer.clear();
        let mut best = f64::NEG_INFINITY;
        for (done, root) in roots.iter_mut().enumerate() {
            let SearchStats { nodes, evaluations, .. } = self.stats;
            let mut state = self.position.clone();
            self.game.play(&mut state, root.mv);
            let value = self.value(&mut state, root.mv, depth - 1, 1);
            root.visits += self.stats.nodes - nodes;
            root.score = value.map_err(|why| (why, done))?;
            root.bound = Bound::Exact;
            root.searched(depth, self.stats.evaluations == evaluations, self.pv.line(1));
            best = best.max(root.score);
        }
        self.leave(best);
        Ok(())
    }

    fn stats(&self) -> SearchStats {
        self.stats.clone()
    }

    fn describe(&self, line: &mut Line<G::Move>, root: &Root<G::Move>) {
        self.leaves.describe(line, root.score, root.proven, root.depth);
    }

    fn least(&self) -> Value {
        Value::result(self.leaves.payoffs.least, &self.leaves.payoffs)
    }

    fn is_final(&self, root: &Root<G::Move>) -> bool {
        self.leaves.is_final(root.score, root.depth)
    }

    fn failure(&self) -> Option<SearchError> {
        failure(self.game, &self.leaves.faults)
    }
}
