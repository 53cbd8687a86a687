//! Minimax: every continuation, without a short cut.

use tussle_core::{
    Args, Bound, Evaluations, Event, LeafKind, Line, Observer, ParseError, Report, Rng, Stats,
    Stopped, Turn, Watch, ZeroSum,
};

use crate::agent::{no_choice, player_asked};
use crate::deepening::{Iterate, Root, Task, deepen};
use crate::pv::Pv;
use crate::score::{Leaves, moves};
use crate::settings::{self, Limits};
use crate::{Agent, AgentInfo, Query};

/// [`Minimax`] in lists.
pub const MINIMAX: AgentInfo = AgentInfo {
    name: "minimax",
    summary: "looks at every continuation; the rival answers best",
    params: &[
        settings::DEPTH,
        settings::NODES,
        settings::EVAL,
        settings::DEEPEN,
        settings::CONTRACT,
        settings::PARTIAL,
        settings::DRAW,
        settings::TERMINAL,
        settings::SHUFFLE,
        tussle_core::Param { default: "off", ..settings::DEDUPE },
        settings::BOOK,
    ],
};

/// Minimax without pruning.
#[derive(Clone, Debug)]
pub struct Minimax<G: Evaluations> {
    leaves: Leaves<G::Eval>,
    limits: Limits,
    shuffle: bool,
    dedupe: bool,
    rng: Rng,
}

impl<G: Evaluations + ZeroSum> Minimax<G> {
    /// A player with the parameters of [`MINIMAX`].
    ///
    /// # Errors
    /// If the game has chance nodes.
    pub fn from_args(game: &G, args: &Args, seed: u64) -> Result<Self, ParseError> {
        crate::refuse_chance(game)?;
        Ok(Self {
            leaves: Leaves::from_args(game, args),
            limits: Limits::from_args(args),
            shuffle: args.switch("shuffle"),
            dedupe: args.switch("dedupe"),
            rng: Rng::new(seed),
        })
    }
}

impl<G: Evaluations + ZeroSum> Agent<G> for Minimax<G> {
    fn analyse(
        &mut self,
        game: &G,
        state: &G::State,
        mut query: Query<'_, G::Move>,
    ) -> Report<G::Move> {
        let Some(root) = player_asked(game, state) else { return no_choice() };
        let mut first = Vec::new();
        moves(game, state, self.dedupe, &mut first);
        if self.shuffle {
            self.rng.shuffle(&mut first);
        }
        let observer = query.events.take();
        let task = Task::new(&self.limits, false, query);
        let mut search = Search {
            game,
            agent: self,
            root,
            position: state,
            buffer: Vec::new(),
            pv: Pv::new(),
            watch: task.full_budget().watch(),
            stats: Stats::default(),
            observer,
        };
        deepen(&mut search, &first, task)
    }
}

struct Search<'a, G: Evaluations, O> {
    game: &'a G,
    agent: &'a Minimax<G>,
    /// The player for whom everything is valued.
    root: usize,
    /// The position at the root.
    position: &'a G::State,
    buffer: Vec<G::Move>,
    pv: Pv<G::Move>,
    watch: Watch,
    /// A value is proven if no evaluation was needed for it.
    stats: Stats,
    observer: O,
}

impl<G: Evaluations + ZeroSum, O: Observer<G::Move>> Search<'_, G, O> {
    /// The value of `state`, the position after `mv`, for the root player.
    fn value(
        &mut self,
        state: &mut G::State,
        mv: G::Move,
        depth: u32,
        ply: u32,
    ) -> Result<f64, Stopped> {
        if let Some(why) = self.watch.check(self.stats.nodes) {
            return Err(why);
        }
        self.stats.nodes += 1;
        self.pv.clear(ply as usize);
        if self.observer.is_active() {
            let (alpha, beta) = (f64::NEG_INFINITY, f64::INFINITY);
            self.observer.event(Event::Enter { mv: Some(mv), alpha, beta });
        }
        let turn = self.game.turn(state);
        let Turn::Player(mover) = turn else { return Ok(self.leaf(state, LeafKind::End, ply)) };
        if depth == 0 {
            return Ok(self.leaf(state, LeafKind::Evaluation, ply));
        }
        let base = self.buffer.len();
        moves(self.game, state, self.agent.dedupe, &mut self.buffer);
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

    fn leaf(&mut self, state: &G::State, kind: LeafKind, ply: u32) -> f64 {
        let Minimax { leaves, .. } = self.agent;
        self.stats.leaves += 1;
        let value = if kind == LeafKind::End {
            leaves.end(self.game, state, self.root, ply)
        } else {
            leaves.horizon(self.game, state, self.root)
        };
        if kind == LeafKind::Evaluation || leaves.eval_ends {
            self.stats.evaluations += 1;
        }
        if self.observer.is_active() {
            let values = &[self.firsts_view(value)];
            self.observer.event(Event::Leaf { values, kind });
        }
        self.leave(value);
        value
    }

    fn leave(&mut self, value: f64) {
        if self.observer.is_active() {
            let values = &[self.firsts_view(value)];
            self.observer.event(Event::Leave { values });
        }
    }

    /// Observers are told what the first player thinks.
    fn firsts_view(&self, value: f64) -> f64 {
        if self.root == 0 { value } else { 0.0 - value }
    }
}

impl<G: Evaluations + ZeroSum, O: Observer<G::Move>> Iterate<G::Move> for Search<'_, G, O> {
    fn iterate(&mut self, depth: u32, roots: &mut [Root<G::Move>]) -> Result<(), (Stopped, usize)> {
        if self.observer.is_active() {
            self.observer.event(Event::Iteration(depth));
            let (alpha, beta) = (f64::NEG_INFINITY, f64::INFINITY);
            self.observer.event(Event::Enter { mv: None, alpha, beta });
        }
        self.stats.nodes += 1;
        self.buffer.clear();
        let mut best = f64::NEG_INFINITY;
        for (done, root) in roots.iter_mut().enumerate() {
            let Stats { nodes, evaluations, .. } = self.stats;
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

    fn stats(&self) -> Stats {
        self.stats.clone()
    }

    fn describe(&self, line: &mut Line<G::Move>, root: &Root<G::Move>) {
        self.agent.leaves.describe(line, root.score, root.proven, root.depth);
    }

    fn least(&self) -> f64 {
        self.agent.leaves.payoffs.least
    }

    fn is_final(&self, root: &Root<G::Move>) -> bool {
        self.agent.leaves.is_final(root.score, root.depth)
    }
}
