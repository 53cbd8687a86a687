//! Monte Carlo tree search: simulations grow a tree where it matters.
//!
//! ```text
//! settings   the switches             edge, tree   the tree and its memory
//! phases     one simulation           merged       positions reached in several ways
//! policy     what a child weighs      reuse, copy  from one search to the next
//! choice     the child that wins      report       what the tree says in the end
//! leaf       what a leaf is worth     dump         the tree as plain data
//! proof      what is certain          tell         what is told to those who watch
//! order      which move is tried first
//! ```

mod choice;
mod copy;
mod counter;
mod dump;
mod edge;
mod leaf;
mod merged;
mod order;
mod phases;
mod policy;
mod proof;
mod report;
mod reuse;
mod settings;
mod tell;
#[cfg(test)]
mod tests;
mod tree;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use tussle_core::time::{Instant, now};
use tussle_core::{
    Args, Budget, Evaluations, Hashed, Observer, ParseError, Report, Rng, Stopped, spawn_scoped,
};

use self::counter::{Aside, Counter, Quota};
pub use self::dump::{TreeNode, TreeWish};
use self::leaf::Heuristic;
pub use self::leaf::LeafEvaluation;
use self::leaf::Leaves;
use self::phases::{Scratch, Worker};
use self::policy::Policy;
use self::reuse::Kept;
pub use self::settings::MCTS;
use self::settings::Switches;
use crate::agent::{no_choice, player_asked};
use crate::{Agent, Live, Query};

/// Live reports are this far apart.
const LIVE_EVERY: Duration = Duration::from_millis(250);

/// Monte Carlo tree search with run-time switches.
///
/// A search without a time or node limit runs until the [stop flag](Budget::stop) is raised, the
/// root is proven (`solver=on`), or its counter of 32 bits is full.
pub struct Mcts<G: Evaluations> {
    switches: Switches,
    eval: Option<G::Eval>,
    judge: Option<Box<dyn LeafEvaluation<G>>>,
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
        let points = game.payoffs().points;
        let judge = Box::new(Heuristic { eval: eval.clone(), range, points });
        let seed = if args.is_set("seed") { args.int("seed") as u64 } else { seed };
        let (eval, judge, rng) = (Some(eval), Some(judge as _), Rng::new(seed));
        Ok(Self { switches, eval, judge, kept: None, rng })
    }

    /// A player with the defaults: UCB1 and random playouts.
    pub fn new(seed: u64) -> Self {
        let rng = Rng::new(seed);
        Self { switches: Switches::default(), eval: None, judge: None, kept: None, rng }
    }

    /// The same player with another judge, which gives priors to moves (the policy becomes PUCT)
    /// and values to leaves: a leaf is worth (1 - lambda) x its value + lambda x its playout.
    #[must_use]
    pub fn with_leaf_evaluation(mut self, judge: Box<dyn LeafEvaluation<G>>, lambda: f64) -> Self {
        self.switches =
            Switches { policy: Policy::Puct, eval_priors: true, lambda, ..self.switches };
        Self { judge: Some(judge), ..self }
    }

    fn search<O: Observer<G::Move>>(
        &mut self,
        game: &G,
        state: &G::State,
        query: Query<'_, G::Move>,
        observer: O,
    ) -> Report<G::Move> {
        let began = now();
        let Some(player) = player_asked(game, state) else { return no_choice() };
        let budget = self.limits(query.budget);
        let memory = self.switches.memory.min(budget.memory.unwrap_or(usize::MAX));
        let kept = self.take_tree(game, state, memory);
        // Visits are counted in 32 bits.
        let most = u64::from(u32::MAX - kept.tree.edge(kept.root).visits());
        let seed = self.rng.next_u64();
        // Somebody who watches wants to follow one thread.
        let alone = self.switches.threads == 1 || observer.is_active();
        let search = Search {
            game,
            player,
            switches: &self.switches,
            leaves: Leaves::new(game, &self.switches, self.judge.as_deref(), self.eval.as_ref()),
            kept: &kept,
            budget: &budget,
            simulations: Aside(Counter::new(budget.nodes.map_or(most, |nodes| nodes.min(most)))),
            done: Aside::default(),
            shares: (game.players() > 2).then(|| Mutex::new(report::Shares::new())),
            alone,
            began,
        };
        let stopped = search.run(seed, observer, query.live);
        let report = search.report(stopped);
        let kept = Kept { played: report.best().copied(), ..kept };
        let keeps = self.switches.reuse || query.keep_tree;
        self.kept = Some(if keeps { kept } else { kept.emptied() });
        report
    }

    /// What the search may spend: the player's own limits, too.
    fn limits(&self, mut budget: Budget) -> Budget {
        budget.nodes = budget.nodes.into_iter().chain(self.switches.nodes).min();
        // There is always something to answer, so no simulation has to be finished first.
        budget.hard = budget.hard.into_iter().chain(budget.soft).min();
        budget.begun()
    }
}

/// One search of a tree.
struct Search<'a, G: Evaluations> {
    game: &'a G,
    player: usize,
    switches: &'a Switches,
    leaves: Leaves<'a, G>,
    kept: &'a Kept<G>,
    budget: &'a Budget,
    simulations: Aside<Counter>,
    /// Threads that simulate on stop when the first has stopped.
    done: Aside<AtomicBool>,
    /// With more than two players: what the root's moves gave to each of them.
    shares: Option<Mutex<report::Shares<G::Move>>>,
    /// Whether one thread searches.
    alone: bool,
    began: Instant,
}

impl<G: Evaluations + Hashed> Search<'_, G> {
    fn run<O: Observer<G::Move>>(
        &self,
        seed: u64,
        observer: O,
        live: Option<Live<'_, G::Move>>,
    ) -> Stopped {
        let mut first = self.worker(Rng::derive(seed, &[0]), observer);
        first.prepare();
        // Others join when there is something to choose from.
        if !self.alone && self.switches.expand_all && first.refusal().is_none() {
            first.run();
        }
        let threads = if self.alone { 1 } else { self.switches.threads as u64 };
        let stopped = std::thread::scope(|scope| {
            for thread in 1..threads {
                let rng = Rng::derive(seed, &[thread]);
                let help = move || {
                    let mut worker = self.worker(rng, ());
                    while worker.refusal().is_none() {
                        worker.run();
                    }
                };
                if spawn_scoped(scope, help).is_err() {
                    break; // the threads there are search on
                }
            }
            let stopped = self.lead(&mut first, live);
            if stopped != Stopped::Nodes {
                self.done.0.store(true, Relaxed); // otherwise the others finish what they have taken
            }
            stopped
        });
        self.count_root();
        stopped
    }

    /// Threads leave the root's own numbers to be made up.
    fn count_root(&self) {
        if !self.alone {
            self.kept.tree.edge(self.kept.root).sum_up(&self.kept.tree);
        }
    }

    /// The first thread: simulates, and watches the budget.
    fn lead<O: Observer<G::Move>>(
        &self,
        worker: &mut Worker<'_, G, O>,
        mut live: Option<Live<'_, G::Move>>,
    ) -> Stopped {
        let mut next_live = self.began + LIVE_EVERY;
        let root = self.kept.tree.edge(self.kept.root);
        let one_move = || root.block().is_some_and(|block| self.kept.tree.size(block) == 1);
        let mut walks = 0_u64;
        loop {
            if self.switches.solver && root.proof().is_exact() {
                return Stopped::Proven;
            }
            if let Some(why) = worker.refusal() {
                return why;
            }
            worker.run();
            walks += 1;
            if walks == 1 && self.budget.is_timed() && one_move() {
                return Stopped::Finished; // there is nothing to choose
            }
            if let Some(live) = &mut live
                && (walks < 64 || walks.is_multiple_of(64))
                && now() >= next_live
            {
                next_live = now() + LIVE_EVERY;
                self.count_root();
                live(&self.report(Stopped::Time));
            }
        }
    }

    fn worker<O>(&self, rng: Rng, observer: O) -> Worker<'_, G, O> {
        Worker {
            game: self.game,
            switches: self.switches,
            leaves: self.leaves.clone(),
            kept: self.kept,
            tree: &self.kept.tree,
            quota: Quota::new(&self.simulations.0),
            watch: Budget { nodes: None, ..self.budget.clone() }.watch(),
            done: &self.done.0,
            begun: 0,
            refused: None,
            shares: self.shares.as_ref(),
            player: self.player,
            alone: self.alone,
            walks: 0,
            root_visits: 0,
            region: self.kept.tree.region(if self.alone { 1 } else { self.switches.threads }),
            rng,
            observer,
            scratch: Scratch::new(self.game, &self.kept.state),
        }
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

    fn tree(&self, wish: &TreeWish) -> Option<TreeNode<G::Move>> {
        Some(match &self.kept {
            Some(kept) => dump::dump(&self.switches, &kept.tree, kept.order, kept.root, wish),
            None => TreeNode::default(),
        })
    }
}
