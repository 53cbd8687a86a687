//! Monte Carlo tree search: simulations grow a tree where it matters.
//!
//! ```text
//! settings   the options             edge, tree   the tree and its memory
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
mod options;
mod order;
mod phases;
mod policy;
mod proof;
mod report;
mod reuse;
mod tell;
#[cfg(test)]
mod tests;
mod tree;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tussle_core::time::{Instant, now};
use tussle_core::{
    Evaluator, Game, Hashed, Limits, Observer, Report, Rng, StopReason, spawn_scoped,
};

use self::counter::{CachePadded, Counter, Quota};
pub use self::dump::{TreeFilter, TreeNode};
use self::leaf::Leaves;
pub use self::leaf::WrittenPlayouts;
pub use self::options::{FinalMove, MctsOptions, Rollout};
use self::phases::{Scratch, Worker};
pub use self::policy::SelectionPolicy;
use self::reuse::Kept;
use crate::agent::root_player;
use crate::fault::FaultCell;
use crate::keys::KeyFunctions;
use crate::{Agent, MAX_THREADS, ProgressCallback, Query, SearchError, UnsupportedOption};

/// Progress reports are this far apart.
const LIVE_EVERY: Duration = Duration::from_millis(250);

/// Monte Carlo tree search, for any game: the rules are enough.
///
/// A search without a time or node limit runs until the [stop flag](Limits::stop) is raised, the
/// root is proven ([`MctsOptions::solver`]), or its counter of 32 bits is full.
///
/// ```
/// # use tussle_core::{Game, Turn};
/// # struct Heap(u32);
/// # impl Game for Heap {
/// #     type State = (u32, usize);
/// #     type Move = u32;
/// #     fn start(&self) -> (u32, usize) { (self.0, 0) }
/// #     fn turn(&self, s: &(u32, usize)) -> Turn { if s.0 == 0 { Turn::Over } else { Turn::Player(s.1) } }
/// #     fn moves(&self, s: &(u32, usize), out: &mut Vec<u32>) { out.extend(1..=s.0.min(3)) }
/// #     fn play(&self, s: &mut (u32, usize), take: u32) { *s = (s.0 - take, 1 - s.1) }
/// #     fn utility(&self, s: &(u32, usize), who: usize) -> f64 { if who == s.1 { -1.0 } else { 1.0 } }
/// # }
/// use tussle_core::Limits;
/// use tussle_search::{Agent, Mcts, MctsOptions};
///
/// let game = Heap(10);
/// let mut mcts = Mcts::new(MctsOptions { solver: true, ..Default::default() });
/// let report = mcts.search(&game, &game.start(), &Limits::nodes(10_000))?;
/// assert_eq!(report.best(), Some(&2));
/// # Ok::<(), tussle_search::SearchError>(())
/// ```
pub struct Mcts<G: Game> {
    options: MctsOptions,
    evaluator: Option<Arc<dyn Evaluator<G>>>,
    keys: Option<KeyFunctions<G>>,
    written: Option<WrittenPlayouts<G>>,
    kept: Option<Kept<G>>,
    rng: Rng,
}

impl<G: Game> std::fmt::Debug for Mcts<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mcts").field("options", &self.options).finish_non_exhaustive()
    }
}

impl<G: Game> Mcts<G> {
    /// Creates a player.
    pub fn new(mut options: MctsOptions) -> Self {
        options.threads = options.threads.clamp(1, MAX_THREADS);
        let rng = Rng::new(options.seed);
        Self { options, evaluator: None, keys: None, written: None, kept: None, rng }
    }

    /// Adds an evaluator, which the options make use of: [`Rollout::Greedy`],
    /// [`Rollout::Evaluation`], `lambda` and `use_policy`.
    #[must_use]
    pub fn with_evaluator(self, evaluator: impl Evaluator<G> + 'static) -> Self {
        Self { evaluator: Some(Arc::new(evaluator)), ..self }
    }

    /// Adds a table of transpositions: positions reached by different move orders share their
    /// children.
    #[must_use]
    pub fn with_table(self) -> Self
    where
        G: Hashed,
    {
        self.with_keys(Some(KeyFunctions::of_game()))
    }

    /// Sets the keys of the table; `None` means no table.
    #[must_use]
    pub fn with_keys(self, keys: Option<KeyFunctions<G>>) -> Self {
        Self { keys, ..self }
    }

    /// Sets the results of simulations that are written down instead of played; `None` means that all are played.
    #[must_use]
    pub fn with_written_playouts(self, written: Option<WrittenPlayouts<G>>) -> Self {
        Self { written, ..self }
    }

    /// Drops a tree that was kept.
    pub fn clear(&mut self) {
        self.kept = None;
    }

    fn run_observed<O: Observer<G::Move>>(
        &mut self,
        game: &G,
        state: &G::State,
        query: Query<'_, G::Move>,
        observer: O,
    ) -> Result<Report<G::Move>, SearchError> {
        let began = now();
        self.check(game)?;
        let player = root_player(game, state)?;
        let limits = limits(query.limits);
        let memory = self.options.memory.min(limits.memory.unwrap_or(usize::MAX));
        let kept = self.take_tree(game, state, memory);
        // Visits are counted in 32 bits.
        let most = u64::from(u32::MAX - kept.tree.edge(kept.root).visits());
        let seed = self.rng.next_u64();
        // An observer follows one thread.
        let alone = self.options.threads <= 1 || observer.is_active();
        // With two players the opponent is against the root player anyway.
        let paranoid = self.options.paranoid && game.players() > 2;
        let options = &MctsOptions { paranoid, ..self.options.clone() };
        let faults = &FaultCell::default();
        let evaluator = self.evaluator.as_deref();
        let search = Search {
            game,
            player,
            options,
            leaves: Leaves::new(game, options, evaluator, self.written, faults),
            faults,
            kept: &kept,
            keys: self.keys,
            limits: &limits,
            simulations: CachePadded(Counter::new(
                limits.nodes.map_or(most, |nodes| nodes.min(most)),
            )),
            done: CachePadded::default(),
            shares: (game.players() > 2).then(|| Mutex::new(report::Shares::new())),
            alone,
            began,
        };
        let stopped = search.run(seed, observer, query.live);
        if let Some(fault) = faults.get() {
            return Err(fault.into()); // and the tree is dropped
        }
        let report = search.report(stopped);
        let kept = Kept { played: report.best().copied(), ..kept };
        let keeps = self.options.keep_tree || query.keep_tree;
        self.kept = Some(if keeps { kept } else { kept.emptied() });
        if report.lines.is_empty() {
            return Err(SearchError::GameOver); // against the contract of games, but not a panic
        }
        Ok(report)
    }
}

/// Makes the soft time limit a hard one: there is always an answer, so no simulation has to be
/// finished first.
fn limits(mut limits: Limits) -> Limits {
    limits.hard = limits.hard.into_iter().chain(limits.soft).min();
    limits.with_clock_started()
}

/// One search of a tree.
struct Search<'a, G: Game> {
    game: &'a G,
    player: usize,
    options: &'a MctsOptions,
    leaves: Leaves<'a, G>,
    faults: &'a FaultCell,
    kept: &'a Kept<G>,
    keys: Option<KeyFunctions<G>>,
    limits: &'a Limits,
    simulations: CachePadded<Counter>,
    /// Threads that simulate on stop when the first has stopped.
    done: CachePadded<AtomicBool>,
    /// With more than two players: what the root's moves gave to each of them.
    shares: Option<Mutex<report::Shares<G::Move>>>,
    /// Whether one thread searches.
    alone: bool,
    began: Instant,
}

impl<G: Game> Search<'_, G> {
    fn run<O: Observer<G::Move>>(
        &self,
        seed: u64,
        observer: O,
        live: Option<ProgressCallback<'_, G::Move>>,
    ) -> StopReason {
        let mut first = self.worker(Rng::derive(seed, &[0]), observer);
        first.prepare();
        // Others join when there is something to choose from.
        if !self.alone && self.options.expand_all && first.refusal().is_none() {
            first.run();
        }
        let threads = if self.alone { 1 } else { self.options.threads as u64 };
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
            if stopped != StopReason::Nodes {
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

    /// The first thread: simulates, and watches the limits.
    fn lead<O: Observer<G::Move>>(
        &self,
        worker: &mut Worker<'_, G, O>,
        mut live: Option<ProgressCallback<'_, G::Move>>,
    ) -> StopReason {
        let mut next_live = self.began + LIVE_EVERY;
        let root = self.kept.tree.edge(self.kept.root);
        let one_move = || root.block().is_some_and(|block| self.kept.tree.size(block) == 1);
        let mut walks = 0_u64;
        loop {
            if self.options.solver && root.proof().is_exact() {
                return StopReason::Proven;
            }
            if let Some(why) = worker.refusal() {
                return why;
            }
            worker.run();
            if self.game.failure().is_some() || self.faults.get().is_some() {
                return StopReason::StopFlag; // the other threads stop, too
            }
            walks += 1;
            if walks == 1 && self.limits.is_timed() && one_move() {
                return StopReason::Finished; // there is nothing to choose
            }
            if let Some(live) = &mut live
                && (walks < 64 || walks.is_multiple_of(64))
                && now() >= next_live
            {
                next_live = now() + LIVE_EVERY;
                self.count_root();
                live(&self.report(StopReason::Time));
            }
        }
    }

    fn worker<O>(&self, rng: Rng, observer: O) -> Worker<'_, G, O> {
        Worker {
            game: self.game,
            options: self.options,
            leaves: self.leaves.clone(),
            kept: self.kept,
            tree: &self.kept.tree,
            keys: self.keys,
            quota: Quota::new(&self.simulations.0),
            watch: Limits { nodes: None, ..self.limits.clone() }.checker(),
            done: &self.done.0,
            begun: 0,
            refused: None,
            shares: self.shares.as_ref(),
            player: self.player,
            alone: self.alone,
            walks: 0,
            root_visits: 0,
            region: self.kept.tree.region(if self.alone { 1 } else { self.options.threads }),
            rng,
            observer,
            scratch: Scratch::new(self.game, &self.kept.state),
        }
    }
}

impl<G: Game> Agent<G> for Mcts<G> {
    fn run(
        &mut self,
        game: &G,
        state: &G::State,
        mut query: Query<'_, G::Move>,
    ) -> Result<Report<G::Move>, SearchError> {
        let result = match query.events.take() {
            None => self.run_observed(game, state, query, ()),
            Some(events) => self.run_observed(game, state, query, events),
        };
        if let Some(error) = game.failure() {
            self.clear(); // the tree has ends where no game ended
            return Err(error.into());
        }
        result
    }

    fn check(&self, game: &G) -> Result<(), UnsupportedOption> {
        self.options.check(game, self.evaluator.is_some(), self.keys)
    }

    fn is_deterministic(&self) -> bool {
        self.options.threads <= 1
    }

    fn keeps_tree(&self) -> bool {
        true
    }

    fn tree(&self, wish: &TreeFilter) -> Option<TreeNode<G::Move>> {
        Some(match &self.kept {
            Some(kept) => dump::dump(&self.options, &kept.tree, kept.order, kept.root, wish),
            None => TreeNode::default(),
        })
    }
}
