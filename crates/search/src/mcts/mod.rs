//! Monte Carlo tree search.
//!
//! | module | contents |
//! |---|---|
//! | `options` | options of the search |
//! | `phases` | one simulation: select, expand, simulate, back up |
//! | `policy`, `choice` | weights of children, and the choice among them |
//! | `informed`, `amaf` | knowledge about unvisited children; statistics of all moves as first |
//! | `order` | order of untried moves |
//! | `leaf` | rewards of a leaf |
//! | `proof` | proven wins, draws and losses (MCTS-Solver) |
//! | `edge`, `tree` | the tree and its memory |
//! | `transpositions` | children that transpositions share |
//! | `reuse`, `copy` | tree reuse between searches |
//! | `report`, `dump` | reports, and the tree as plain data |
//! | `time` | time management for game clocks |
//! | `tell` | events for observers |
//! | `counter` | simulation limit shared by threads |

mod amaf;
mod choice;
mod copy;
mod counter;
mod dump;
mod edge;
mod informed;
#[cfg(test)]
mod informed_tests;
mod leaf;
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
mod time;
mod transpositions;
mod tree;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tussle_core::time::{Instant, now, since};
use tussle_core::{
    Evaluator, Game, Hashed, Limits, Observer, Report, Rng, StopReason, Tactics, spawn_scoped,
};

use self::amaf::Amaf;
use self::counter::{CachePadded, Counter, Quota};
pub use self::dump::{TreeFilter, TreeNode};
use self::leaf::Leaves;
pub use self::leaf::WrittenPlayouts;
pub use self::options::{FinalMove, MctsOptions, Priors, Rollout};
use self::phases::{Scratch, Worker};
pub use self::policy::SelectionPolicy;
use self::reuse::RootedTree;
use self::time::TimeManager;
use crate::agent::root_player;
use crate::fault::FaultCell;
use crate::keys::KeyFunctions;
use crate::tactics::{Promise, TacticFunctions};
use crate::{Agent, MAX_THREADS, ProgressCallback, Query, SearchError, UnsupportedOption};

/// Minimum time between two progress reports.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(250);

/// Monte Carlo tree search, for any game. It needs only the rules.
///
/// A search without a time or node limit runs until the [stop flag](Limits::stop) is raised, the
/// root is proven ([`MctsOptions::solver`]), or the root has 2^32 - 1 visits.
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
    tactics: Option<TacticFunctions<G>>,
    promise: Option<Promise<G>>,
    written: Option<WrittenPlayouts<G>>,
    rooted: Option<RootedTree<G>>,
    rng: Rng,
}

impl<G: Game> std::fmt::Debug for Mcts<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mcts").field("options", &self.options).finish_non_exhaustive()
    }
}

impl<G: Game> Mcts<G> {
    /// Creates an agent.
    pub fn new(mut options: MctsOptions) -> Self {
        options.threads = options.threads.clamp(1, MAX_THREADS);
        let rng = Rng::new(options.seed);
        let (evaluator, keys, tactics, promise, written) = (None, None, None, None, None);
        Self { options, evaluator, keys, tactics, promise, written, rooted: None, rng }
    }

    /// Adds an evaluator. The options [`Rollout::Greedy`], [`Rollout::Evaluation`], `lambda` and
    /// [`Priors::Evaluator`] use it.
    #[must_use]
    pub fn with_evaluator(self, evaluator: impl Evaluator<G> + 'static) -> Self {
        Self { evaluator: Some(Arc::new(evaluator)), ..self }
    }

    /// Adds a table, so that transpositions (positions reached by different move orders) share their children.
    #[must_use]
    pub fn with_table(self) -> Self
    where
        G: Hashed,
    {
        self.with_keys(Some(KeyFunctions::of_game()))
    }

    /// Adds a table with the given keys; `None` means no table.
    #[must_use]
    pub fn with_keys(self, keys: Option<KeyFunctions<G>>) -> Self {
        Self { keys, ..self }
    }

    /// Lets the search use the game's knowledge of moves that win or lose at once. Below the root it
    /// plays a winning move where there is one (decisive moves), and otherwise only moves that do not
    /// lose at once (anti-decisive moves), if the game can find them [fast](Tactics::has_fast_narrow).
    #[must_use]
    pub fn with_tactics(self) -> Self
    where
        G: Tactics,
    {
        self.with_tactic_functions(Some(TacticFunctions::of_game()))
    }

    /// Sets the tactics; `None` means that the search tries every move.
    #[must_use]
    pub fn with_tactic_functions(self, tactics: Option<TacticFunctions<G>>) -> Self {
        Self { tactics, ..self }
    }

    /// Adds the game's [promises](Tactics::promise) of moves, which [`Priors::Tactics`] uses.
    #[must_use]
    pub fn with_promises(self) -> Self
    where
        G: Tactics,
    {
        self.with_promises_of(Some(TacticFunctions::of_game()))
    }

    /// Sets the tactics whose promises [`Priors::Tactics`] uses.
    #[must_use]
    pub fn with_promises_of(self, tactics: Option<TacticFunctions<G>>) -> Self {
        Self { promise: tactics.map(|tactics| tactics.promise), ..self }
    }

    /// Sets given results for simulations, which then are not played; `None` means that all are played.
    #[must_use]
    pub fn with_written_playouts(self, written: Option<WrittenPlayouts<G>>) -> Self {
        Self { written, ..self }
    }

    /// Drops the tree of the last search.
    pub fn clear(&mut self) {
        self.rooted = None;
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
        let time = TimeManager::new(&self.options, &query.limits);
        let limits = limits(query.limits, time.is_some());
        let memory = self.options.memory.min(limits.memory.unwrap_or(usize::MAX));
        let rooted = self.take_tree(game, state, memory);
        // Visits are counted in 32 bits.
        let most = u64::from(u32::MAX - rooted.tree.edge(rooted.root).visits());
        let seed = self.rng.next_u64();
        // Observers can follow only one thread.
        let is_single_threaded = self.options.threads <= 1 || observer.is_active();
        // With two players, the opponent opposes the root player anyway.
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
            rooted: &rooted,
            keys: self.keys,
            tactics: self.tactics,
            promise: self.promise.filter(|_| self.options.priors == Priors::Tactics),
            limits: &limits,
            time,
            simulations: CachePadded(Counter::new(
                limits.nodes.map_or(most, |nodes| nodes.min(most)),
            )),
            done: CachePadded::default(),
            player_rewards: (game.players() > 2).then(|| Mutex::new(report::PlayerRewards::new())),
            is_single_threaded,
            began,
            amaf_bytes: AtomicU64::new(0),
        };
        let stopped = search.run(seed, observer, query.live);
        if let Some(fault) = faults.get() {
            return Err(fault.into()); // and the tree is dropped
        }
        let report = search.report(stopped);
        let rooted = RootedTree { played: report.best().copied(), ..rooted };
        let keeps = self.options.keep_tree || query.keep_tree;
        self.rooted = Some(if keeps { rooted } else { rooted.emptied() });
        if report.lines.is_empty() {
            return Err(SearchError::GameOver); // the game breaks its contract
        }
        Ok(report)
    }
}

/// Makes the soft time limit a hard one, unless time is managed: the search can stop after any simulation.
fn limits(mut limits: Limits, is_managed: bool) -> Limits {
    if !is_managed {
        limits.hard = limits.hard.into_iter().chain(limits.soft).min();
    }
    limits.with_clock_started()
}

/// One search of a tree.
struct Search<'a, G: Game> {
    game: &'a G,
    player: usize,
    options: &'a MctsOptions,
    leaves: Leaves<'a, G>,
    faults: &'a FaultCell,
    rooted: &'a RootedTree<G>,
    keys: Option<KeyFunctions<G>>,
    tactics: Option<TacticFunctions<G>>,
    /// Promises of moves, if they are the priors.
    promise: Option<Promise<G>>,
    limits: &'a Limits,
    time: Option<TimeManager>,
    simulations: CachePadded<Counter>,
    /// Raised when the first thread has stopped, to stop the others.
    done: CachePadded<AtomicBool>,
    /// Rewards of every player behind the root moves, in games of more than two players.
    player_rewards: Option<Mutex<report::PlayerRewards<G::Move>>>,
    /// True if only one thread searches.
    is_single_threaded: bool,
    began: Instant,
    /// Bytes of the statistics of all moves as first, of the threads that have finished.
    amaf_bytes: AtomicU64,
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
        // The other threads start when the root has children.
        if !self.is_single_threaded && self.options.expand_all && first.stop_reason().is_none() {
            first.run();
        }
        let threads = if self.is_single_threaded { 1 } else { self.options.threads as u64 };
        let stopped = std::thread::scope(|scope| {
            for thread in 1..threads {
                let rng = Rng::derive(seed, &[thread]);
                let help = move || {
                    let mut worker = self.worker(rng, ());
                    while worker.stop_reason().is_none() {
                        worker.run();
                    }
                    self.count_amaf_bytes(&worker);
                };
                if spawn_scoped(scope, help).is_err() {
                    break; // continue with the threads that were started
                }
            }
            let stopped = self.lead(&mut first, live);
            if stopped != StopReason::Nodes {
                self.done.0.store(true, Relaxed); // at the node limit, the others finish their simulations
            }
            stopped
        });
        self.count_root();
        self.count_amaf_bytes(&first);
        stopped
    }

    fn count_amaf_bytes<O>(&self, worker: &Worker<'_, G, O>) {
        let bytes = worker.scratch.amaf.as_ref().map_or(0, |amaf| amaf.bytes());
        self.amaf_bytes.fetch_add(bytes as u64, Relaxed);
    }

    /// Computes the numbers of the root from its children; several threads do not count there.
    fn count_root(&self) {
        if !self.is_single_threaded {
            self.rooted.tree.edge(self.rooted.root).sum_children(&self.rooted.tree);
        }
    }

    /// Runs the first thread, which also checks for proofs and sends progress reports.
    fn lead<O: Observer<G::Move>>(
        &self,
        worker: &mut Worker<'_, G, O>,
        mut live: Option<ProgressCallback<'_, G::Move>>,
    ) -> StopReason {
        let mut next_live = self.began + PROGRESS_INTERVAL;
        let root = self.rooted.tree.edge(self.rooted.root);
        let one_move = || root.block().is_some_and(|block| self.rooted.tree.size(block) == 1);
        let mut count = 0_u64;
        loop {
            if self.options.solver && root.proof().is_exact() {
                return StopReason::Proven;
            }
            if let Some(why) = worker.stop_reason() {
                return why;
            }
            worker.run();
            if self.game.failure().is_some() || self.faults.get().is_some() {
                return StopReason::StopFlag; // which also stops the other threads
            }
            count += 1;
            if count == 1 && self.limits.is_timed() && one_move() {
                return StopReason::Finished; // the only move needs no search
            }
            if let Some(time) = self.time
                && count.is_multiple_of(64)
                && let Some(started) = self.limits.started
            {
                let simulations = self.simulations.0.taken();
                let why = time.stop_reason(since(started), simulations, self.leaders());
                if let Some(why) = why {
                    return why;
                }
            }
            if let Some(live) = &mut live
                && (count < 64 || count.is_multiple_of(64))
                && now() >= next_live
            {
                next_live = now() + PROGRESS_INTERVAL;
                self.count_root();
                live(&self.report(StopReason::Time));
            }
        }
    }

    fn worker<O>(&self, rng: Rng, observer: O) -> Worker<'_, G, O> {
        let amaf = self.options.rave.map(|threshold| {
            let threads = if self.is_single_threaded { 1 } else { self.options.threads };
            Box::new(Amaf::new(
                threshold,
                self.game.players(),
                self.rooted.side_table_bytes() / threads,
            ))
        });
        Worker {
            game: self.game,
            options: self.options,
            leaves: self.leaves.clone(),
            rooted: self.rooted,
            tree: &self.rooted.tree,
            keys: self.keys,
            tactics: self.tactics,
            promise: self.promise,
            is_informed: self.options.is_informed(),
            quota: Quota::new(&self.simulations.0),
            watch: Limits { nodes: None, ..self.limits.clone() }.checker(),
            done: &self.done.0,
            started: 0,
            stopped: None,
            player_rewards: self.player_rewards.as_ref(),
            player: self.player,
            is_single_threaded: self.is_single_threaded,
            simulations: 0,
            root_visits: 0,
            region: self.rooted.tree.region(if self.is_single_threaded {
                1
            } else {
                self.options.threads
            }),
            rng,
            observer,
            scratch: Scratch::new(self.game, &self.rooted.state, amaf),
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
            self.clear(); // the tree has positions that only looked finished
            return Err(error.into());
        }
        result
    }

    fn check(&self, game: &G) -> Result<(), UnsupportedOption> {
        self.options.check(game, self.evaluator.is_some(), self.promise.is_some(), self.keys)
    }

    fn is_deterministic(&self) -> bool {
        self.options.threads <= 1
    }

    fn keeps_tree(&self) -> bool {
        true
    }

    fn tree(&self, filter: &TreeFilter) -> Option<TreeNode<G::Move>> {
        Some(match &self.rooted {
            Some(rooted) => {
                dump::dump(&self.options, &rooted.tree, rooted.order, rooted.root, filter)
            }
            None => TreeNode::default(),
        })
    }
}
