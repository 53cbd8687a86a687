//! Monte Carlo tree search: simulations grow a tree where it matters.
//!
//! The four phases of a simulation are four functions in `phases.rs`; what a leaf is worth is in
//! `leaf.rs`, the tree in `tree.rs`.

mod dump;
mod leaf;
mod phases;
mod report;
mod reuse;
mod settings;
mod tree;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tussle_core::{
    Args, Budget, Evaluations, Event, Hashed, Observer, ParseError, Report, Rng, StopFlag, Stopped,
    Turn,
};

pub use self::dump::TreeNode;
use self::leaf::Heuristic;
pub use self::leaf::LeafEvaluation;
use self::leaf::Leaves;
use self::phases::{Merged, Scratch, Worker};
use self::report::Found;
use self::reuse::Kept;
pub use self::settings::MCTS;
use self::settings::Switches;
use self::tree::{Proof, Tree};
use crate::{Agent, Query};

/// A search without any limit takes this long.
const USUAL_TIME: Duration = Duration::from_secs(2);
/// Live reports are this far apart.
const LIVE_EVERY: Duration = Duration::from_millis(250);

/// Monte Carlo tree search with run-time switches.
pub struct Mcts<G: Evaluations> {
    switches: Switches,
    eval: G::Eval,
    judge: Box<dyn LeafEvaluation<G>>,
    kept: Option<Kept<G>>,
    rng: Rng,
}

impl<G: Evaluations + std::fmt::Debug> std::fmt::Debug for Mcts<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mcts").field("switches", &self.switches).finish_non_exhaustive()
    }
}

impl<G: Evaluations + Hashed + 'static> Mcts<G> {
    /// A player with the parameters of [`MCTS`].
    ///
    /// # Errors
    /// If the game lacks what a parameter asks for.
    pub fn from_args(game: &G, args: &Args, seed: u64) -> Result<Self, ParseError> {
        let switches = Switches::from_args(game, args)?;
        let (index, eval_args) = args.evaluation("eval");
        let eval = game.evaluation(index, eval_args);
        let range = game.range(&eval);
        let judge = Box::new(Heuristic { eval: eval.clone(), range });
        let seed = if args.is_set("seed") { args.int("seed") as u64 } else { seed };
        Ok(Self { switches, eval, judge, kept: None, rng: Rng::new(seed) })
    }

    /// The same player with another judge of leaves.
    #[must_use]
    pub fn with_leaf_evaluation(self, judge: Box<dyn LeafEvaluation<G>>) -> Self {
        Self { judge, ..self }
    }

    fn search<O: Observer<G::Move>>(
        &mut self,
        game: &G,
        state: &G::State,
        query: Query<'_, G::Move>,
        observer: O,
    ) -> Report<G::Move> {
        let began = Instant::now();
        let Turn::Player(player) = game.turn(state) else {
            unreachable!("agents are asked only when a player is to move")
        };
        let mut budget = query.budget;
        budget.nodes = budget.nodes.into_iter().chain(self.switches.nodes).min();
        if budget.nodes.is_none() && !budget.is_timed() {
            budget = budget.time(USUAL_TIME);
        }
        let bytes = self.switches.memory.min(budget.memory.unwrap_or(usize::MAX));
        let Kept { tree, root, merged, .. } = self.take_tree(game, state, bytes);
        let seed = self.rng.next_u64();

        let search = Search {
            game,
            state,
            player,
            switches: &self.switches,
            leaves: Leaves::new(game, &self.switches, self.judge.as_ref(), &self.eval),
            tree: &tree,
            root,
            merged: self.switches.table.then_some(&merged),
            budget: &budget,
            simulations: AtomicU64::new(0),
            began,
        };
        let stopped = search.run(seed, observer, query.live);
        let report = search.report(stopped);
        drop(search);
        self.kept = self.switches.reuse.then(|| Kept {
            tree,
            root,
            merged,
            state: state.clone(),
            played: report.best().copied(),
        });
        report
    }
}

/// One search of a tree.
struct Search<'a, G: Evaluations> {
    game: &'a G,
    state: &'a G::State,
    player: usize,
    switches: &'a Switches,
    leaves: Leaves<'a, G>,
    tree: &'a Tree<G::Move>,
    root: tree::Id,
    merged: Option<&'a Merged>,
    budget: &'a Budget,
    simulations: AtomicU64,
    began: Instant,
}

impl<G: Evaluations + Hashed> Search<'_, G> {
    fn run<O: Observer<G::Move>>(
        &self,
        seed: u64,
        observer: O,
        mut live: Option<crate::Live<'_, G::Move>>,
    ) -> Stopped {
        let mut first = self.worker(Rng::derive(seed, &[0]), observer);
        first.prepare();
        let done = StopFlag::default();
        std::thread::scope(|scope| {
            for thread in 1..self.switches.threads as u64 {
                let (done, rng) = (&done, Rng::derive(seed, &[thread]));
                scope.spawn(move || {
                    let mut worker = self.worker(rng, ());
                    while !done.is_stopped() && self.go_on() {
                        self.simulations.fetch_add(worker.run() - 1, Ordering::Relaxed);
                    }
                });
            }
            let stopped = self.lead(&mut first, &mut live);
            done.stop();
            stopped
        })
    }

    /// Takes the right to one simulation more.
    fn go_on(&self) -> bool {
        let limit = self.budget.nodes.unwrap_or(u64::MAX);
        let count = |n: u64| (n < limit).then_some(n + 1);
        self.simulations.fetch_update(Ordering::Relaxed, Ordering::Relaxed, count).is_ok()
    }

    /// The first thread: simulates, and watches the budget.
    fn lead<O: Observer<G::Move>>(
        &self,
        worker: &mut Worker<'_, G, O>,
        live: &mut Option<crate::Live<'_, G::Move>>,
    ) -> Stopped {
        let mut watch = Budget { nodes: None, ..self.budget.clone() }.watch();
        let mut next_live = self.began + LIVE_EVERY;
        let mut own = 0;
        let only_one = self.tree.edge(self.root).block().is_some_and(|block| block.len == 1);
        loop {
            if let Some(why) = watch.check(own).filter(|_| own > 0) {
                return why;
            }
            if self.switches.solver && self.tree.edge(self.root).proof() != Proof::Unknown {
                return Stopped::Proven;
            }
            if !self.go_on() {
                return Stopped::Nodes;
            }
            if worker.observer.is_active() {
                worker.observer.event(Event::Iteration(own as u32 + 1));
            }
            let made = worker.run();
            own += made.max(1);
            self.simulations.fetch_add(made.max(1) - 1, Ordering::Relaxed);
            if only_one && self.budget.is_timed() {
                return Stopped::Finished; // there is nothing to choose
            }
            if let Some(live) = live
                && own % 256 == 0
                && Instant::now() >= next_live
            {
                next_live = Instant::now() + LIVE_EVERY;
                live(&self.report(Stopped::Time));
            }
        }
    }

    fn worker<O>(&self, rng: Rng, observer: O) -> Worker<'_, G, O> {
        Worker {
            game: self.game,
            switches: self.switches,
            leaves: self.leaves.clone(),
            tree: self.tree,
            merged: self.merged,
            root: self.root,
            start: self.state,
            player: self.player,
            alone: self.switches.threads == 1,
            rng,
            observer,
            scratch: Scratch::new(self.game, self.state),
        }
    }

    fn report(&self, stopped: Stopped) -> Report<G::Move> {
        Found {
            game: self.game,
            tree: self.tree,
            root: self.root,
            switches: self.switches,
            leaves: &self.leaves,
        }
        .report(self.simulations.load(Ordering::Relaxed), stopped, self.began.elapsed())
    }
}

impl<G: Evaluations + Hashed + 'static> Agent<G> for Mcts<G> {
    fn analyse(
        &mut self,
        game: &G,
        state: &G::State,
        mut query: Query<'_, G::Move>,
    ) -> Report<G::Move> {
        match query.events.take() {
            None => self.search(game, state, query, ()),
            Some(events) => self.search(game, state, query, events),
        }
    }

    fn is_deterministic(&self) -> bool {
        self.switches.threads == 1
    }
}

/// Nothing is merged yet.
fn nothing_merged() -> Merged {
    Mutex::default()
}
