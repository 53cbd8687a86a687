//! Alpha-beta: minimax with pruning.

mod order;
mod queue;
mod root;
mod search;
mod team;
mod teamwork;

use std::sync::Arc;

use tussle_core::{
    Evaluator, Game, Hashed, Limits, Observer, Report, Rng, SearchStats, StopReason, Tactics,
    ZeroSum, mix,
};

pub(crate) use self::order::promise_key;

use self::order::Order;
use self::search::{NO_REPETITION, Search};
use self::team::{Helpers, Team};
use self::teamwork::Teamwork;
use crate::agent::{check_draw, reject_chance, reject_more_players, root_player};
use crate::deepening::{Task, deepen};
use crate::keys::KeyFunctions;
use crate::pv::Pv;
use crate::score::{self, Leaves};
use crate::score_tree::ScoreTree;
use crate::table::Table;
use crate::tactics::TacticFunctions;
use crate::{Agent, Deepening, MAX_THREADS, Query, SearchError, TerminalValue, UnsupportedOption};

/// Move ordering of [`AlphaBeta`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum MoveOrder {
    /// The order in which the game lists moves.
    AsListed,
    /// Root moves by their values in the last iteration, other moves as listed.
    Root,
    /// Table move, killer moves and history in all nodes.
    #[default]
    Full,
}

/// Choice of search windows in [`AlphaBeta`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum WindowMode {
    /// Full windows, as in the textbook algorithm.
    Full,
    /// Aspiration windows at the root, around the value of the last iteration.
    Aspiration,
    /// Null windows for all moves but the first (principal variation search).
    Pvs,
    /// Null windows everywhere, until upper and lower bound of the root meet: MTD(f).
    Mtd,
}

/// Options of [`AlphaBeta`]. Only `draw`, `finished` and `quiescence` change the values that it finds.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "they are switches")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct AlphaBetaOptions {
    /// Move ordering [default: full].
    pub order: MoveOrder,
    /// Windows [default: `None`, which means null windows if `order` is full, else full windows].
    pub window: Option<WindowMode>,
    /// Memory of the transposition table that [`AlphaBeta::with_table`] adds, in bytes [default: 64 MiB].
    pub table_bytes: usize,
    /// True to look all moves of a deep node up in the table before one is searched (enhanced
    /// transposition cutoffs) [default: false].
    pub child_probes: bool,
    /// True for a quiescence search of noisy moves beyond the horizon [default: false].
    pub quiescence: bool,
    /// True for late-move reductions: moves that are searched late get one ply less, and the full depth
    /// only if they turn out better than the best move [default: false]. Values at a depth are then inexact,
    /// but proven outcomes stay true.
    pub reductions: bool,
    /// Number of threads, at most [`MAX_THREADS`] [default: 1]. With several, the answer depends on timing.
    pub threads: usize,
    /// Iterative deepening.
    pub deepening: Deepening,
    /// Value of a draw for the root player [default: 0].
    pub draw: f64,
    /// Value of a finished game [default: its result].
    pub finished: TerminalValue,
    /// True to search moves of equal rank in random order [default: false].
    pub shuffle: bool,
    /// True to search only one of several equivalent moves [default: true].
    pub dedupe: bool,
    /// Seed of the random order.
    pub seed: u64,
}

impl Default for AlphaBetaOptions {
    fn default() -> Self {
        Self {
            order: MoveOrder::Full,
            window: None,
            table_bytes: 64 << 20,
            child_probes: false,
            quiescence: false,
            reductions: false,
            threads: 1,
            deepening: Deepening::default(),
            draw: 0.0,
            finished: TerminalValue::Result,
            shuffle: false,
            dedupe: true,
            seed: 0,
        }
    }
}

impl AlphaBetaOptions {
    /// Checks that a search with these options can play this game.
    pub(crate) fn check<G: Game>(&self, game: &G) -> Result<(), UnsupportedOption> {
        reject_chance(game)?;
        check_draw(self.draw)?;
        if self.quiescence && !game.has_noisy_moves() {
            return Err(UnsupportedOption::Quiescence);
        }
        Ok(())
    }
}

/// Number of moves of a node that late-move reductions leave at the full depth.
const FULL_DEPTH_MOVES: usize = 3;

/// Options with all defaults resolved for one game and evaluator.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are switches")]
struct Switches {
    order: MoveOrder,
    window: WindowMode,
    child_probes: bool,
    quiesce: bool,
    shuffle: bool,
    dedupe: bool,
    /// Score that is enough for a root move, if the query has a known value or a goal.
    enough: Option<f64>,
    /// True if `enough` is the score of a goal.
    has_goal: bool,
    /// Number of moves of a node that are searched to the full depth first.
    full_depth_moves: usize,
    /// True if the game has draws by repetition, so that values may depend on earlier positions.
    repetition: bool,
    /// True if a value found for one root player is valid for the other.
    same_for_both: bool,
}

impl Switches {
    /// Returns true if moves after the first are searched with null windows.
    #[inline]
    fn has_null_windows(&self) -> bool {
        matches!(self.window, WindowMode::Pvs | WindowMode::Mtd)
    }
}

/// Alpha-beta search with optional move ordering, search windows, transposition table, quiescence search,
/// tactics and threads.
///
/// It needs two players with opposite interests and an evaluator. Call
/// [`with_table`](AlphaBeta::with_table) to add a transposition table, for which the game must be [`Hashed`].
///
/// ```
/// use tussle_core::{Limits, Game, NoEvaluation, Outcome};
/// # use tussle_core::{Hashed, Turn, ZeroSum};
/// use tussle_search::{Agent, AlphaBeta, AlphaBetaOptions};
/// # struct Heap(u32);
/// # impl Game for Heap {
/// #     type State = (u32, usize);
/// #     type Move = u32;
/// #     fn start(&self) -> (u32, usize) { (self.0, 0) }
/// #     fn turn(&self, &(left, player): &(u32, usize)) -> Turn {
/// #         if left == 0 { Turn::Over } else { Turn::Player(player) }
/// #     }
/// #     fn moves(&self, &(left, _): &(u32, usize), out: &mut Vec<u32>) { out.extend(1..=left.min(3)); }
/// #     fn play(&self, s: &mut (u32, usize), take: u32) { *s = (s.0 - take, 1 - s.1); }
/// #     fn utility(&self, &(_, player): &(u32, usize), who: usize) -> f64 {
/// #         if who == player { -1.0 } else { 1.0 }
/// #     }
/// # }
/// # impl ZeroSum for Heap {}
/// # impl Hashed for Heap {
/// #     fn board_key(&self, s: &(u32, usize)) -> u64 { tussle_core::mix(u64::from(s.0) << 1 | s.1 as u64) }
/// # }
///
/// // A heap of ten counters. A move takes one, two or three; the player who takes the last one wins.
/// let game = Heap(10);
/// let mut search = AlphaBeta::new(AlphaBetaOptions::default(), NoEvaluation).with_table();
/// let report = search.search(&game, &game.start(), &Limits::none())?;
/// assert_eq!(report.best(), Some(&2)); // leaves a multiple of four
/// assert_eq!(report.lines[0].outcome(), Some(Outcome::Win));
/// # Ok::<(), tussle_search::SearchError>(())
/// ```
pub struct AlphaBeta<G: ZeroSum> {
    options: AlphaBetaOptions,
    evaluator: Arc<dyn Evaluator<G>>,
    keys: Option<KeyFunctions<G>>,
    tactics: Option<TacticFunctions<G>>,
    table: Option<Table>,
    /// Move ordering of each thread.
    orders: Vec<Order<G::Move>>,
    rng: Rng,
}

impl<G: ZeroSum> std::fmt::Debug for AlphaBeta<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AlphaBeta").field("options", &self.options).finish_non_exhaustive()
    }
}

impl<G: ZeroSum> AlphaBeta<G> {
    /// Creates an agent without a table that values positions at the horizon with `evaluator`.
    pub fn new(mut options: AlphaBetaOptions, evaluator: impl Evaluator<G> + 'static) -> Self {
        options.threads = options.threads.clamp(1, MAX_THREADS);
        let rng = Rng::new(options.seed);
        Self {
            orders: vec![Order::new(2); options.threads],
            evaluator: Arc::new(evaluator),
            keys: None,
            tactics: None,
            table: None,
            rng,
            options,
        }
    }

    /// Adds a transposition table of [`AlphaBetaOptions::table_bytes`].
    #[must_use]
    pub fn with_table(self) -> Self
    where
        G: Hashed,
    {
        self.with_keys(Some(KeyFunctions::of_game()))
    }

    /// Adds a transposition table with the given keys; `None` means no table.
    #[must_use]
    pub fn with_keys(self, keys: Option<KeyFunctions<G>>) -> Self {
        Self { keys, ..self }
    }

    /// Drops the table and the order of moves that earlier searches found.
    pub fn clear(&mut self) {
        self.table = None;
        self.orders = vec![Order::new(2); self.options.threads];
    }

    /// Lets the search use the game's knowledge of moves that win or lose at once.
    ///
    /// No result changes, but at the same depth the search sees up to two plies more.
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

    fn switches(&self, game: &G, leaves: &Leaves<'_, G>, query: &Query<'_, G::Move>) -> Switches {
        let AlphaBetaOptions {
            order,
            window,
            child_probes,
            quiescence,
            reductions,
            shuffle,
            dedupe,
            draw,
            ..
        } = self.options;
        let usual = if order == MoveOrder::Full { WindowMode::Pvs } else { WindowMode::Full };
        Switches {
            order,
            window: window.unwrap_or(usual),
            child_probes,
            quiesce: quiescence,
            shuffle,
            dedupe,
            enough: match query.goal {
                Some(goal) => Some(leaves.least_score_of(goal)),
                None => query.known_value.map(|value| leaves.at_least(value)),
            },
            has_goal: query.goal.is_some(),
            full_depth_moves: if reductions { FULL_DEPTH_MOVES } else { usize::MAX },
            repetition: self.keys.is_some_and(|keys| (keys.has_repetition_draws)(game)),
            same_for_both: self.evaluator.is_antisymmetric() && draw == 0.0,
        }
    }

    /// Prepares the table for a search: keeps or creates it in the size that options and limits allow, or
    /// removes it.
    fn prepare_table(&mut self, limits: &Limits, is_usable: bool) {
        if self.keys.is_none() || !is_usable {
            self.table = None;
            return;
        }
        let bytes = self.options.table_bytes.min(limits.memory.unwrap_or(usize::MAX));
        match &mut self.table {
            Some(table) if table.bytes() <= bytes => table.grow_older(),
            table => *table = Some(Table::new(bytes)),
        }
    }

    fn run_observed<O: Observer<G::Move>>(
        &mut self,
        game: &G,
        state: &G::State,
        query: Query<'_, G::Move>,
        observer: O,
    ) -> Result<Report<G::Move>, SearchError> {
        self.check(game)?;
        let root = root_player(game, state)?;
        let AlphaBetaOptions { draw, finished, deepening, threads, .. } = self.options;
        let evaluator = self.evaluator.clone();
        let leaves = &Leaves::new(game, &*evaluator, draw, finished);
        let switches = &self.switches(game, leaves, &query);
        // With draws by repetition, the table needs a fixed draw value: see `independent_of_history`.
        let is_table_usable = !(switches.repetition && finished == TerminalValue::Evaluation);
        self.prepare_table(&query.limits, is_table_usable);
        // A finished game that is worth its evaluation is not won or lost.
        let has_results = finished == TerminalValue::Result && !game.payoffs().points;
        let tactics = self.tactics.filter(|_| has_results);
        let Self { keys, table, orders, rng, .. } = self;
        let mut moves = Vec::new();
        score::moves(game, state, switches.dedupe, &mut moves);
        if switches.shuffle {
            rng.shuffle(&mut moves);
        }
        let task = Task::new(deepening, switches.order != MoveOrder::AsListed, query);
        let limits = task.limits.clone();
        // Threads without a table cannot use each other's results.
        let threads = if table.is_some() { threads } else { 1 };
        let min_depth = min_divided_depth(moves.len());
        let teamwork = (threads > 1).then(|| Teamwork::new(threads, min_depth));
        let tree = Tree {
            game,
            switches,
            leaves,
            state,
            root,
            table: table.as_ref(),
            keys: *keys,
            tactics,
            teamwork: teamwork.as_ref(),
            limits: &limits,
            seed: rng.next_u64(),
        };
        let (first, others) = orders.split_first_mut().expect("there is at least one thread");
        let others = others.iter_mut().zip(1..threads);
        let others = others.map(|(order, thread)| tree.search(thread, order, ())).collect();
        let first = tree.search(0, first, observer);
        let (lines, last) = (task.lines, [f64::NAN; 2]);
        std::thread::scope(|scope| {
            let helpers = Helpers::new(scope, &limits, others);
            let mut team = Team { first, helpers, lines, last };
            deepen(&mut team, &moves, task)
        })
    }
}

/// Returns the minimum depth of nodes whose moves threads divide, by the number of moves of the root.
/// In a smaller subtree, announcing every move costs more than is gained.
fn min_divided_depth(moves: usize) -> u32 {
    if moves <= 12 { 4 } else { 3 }
}

/// State that the threads of a search share.
struct Tree<'a, G: ZeroSum> {
    game: &'a G,
    switches: &'a Switches,
    leaves: &'a Leaves<'a, G>,
    state: &'a G::State,
    root: usize,
    table: Option<&'a Table>,
    keys: Option<KeyFunctions<G>>,
    tactics: Option<TacticFunctions<G>>,
    teamwork: Option<&'a Teamwork>,
    limits: &'a Limits,
    seed: u64,
}

impl<'a, G: ZeroSum> Tree<'a, G> {
    /// Creates the search of one thread.
    fn search<O>(
        &self,
        thread: usize,
        order: &'a mut Order<G::Move>,
        observer: O,
    ) -> Search<'a, G, O> {
        let Self { game, switches, leaves, root, table, keys, tactics, teamwork, .. } = *self;
        let bytes = table.map_or(0, |table| table.bytes() as u64);
        order.start();
        Search {
            game,
            switches,
            leaves,
            root,
            draws: [0, 1].map(|who| if who == root { leaves.draw } else { 0.0 - leaves.draw }),
            position: self.state,
            buffer: Vec::new(),
            keys: Vec::new(),
            pv: Pv::new(),
            order,
            table,
            hashes: keys,
            tactics,
            stores: 0,
            salt: if switches.same_for_both { 0 } else { mix(root as u64) },
            teamwork,
            thread,
            unwind_to: 0,
            helper_nodes: 0,
            watch: self.limits.checker(),
            stopped: StopReason::Finished,
            stats: SearchStats { bytes, ..SearchStats::default() },
            horizon: 0,
            earliest_repeated: NO_REPETITION,
            rng: Rng::derive(self.seed, &[thread as u64]),
            observer,
        }
    }
}

impl<G: ZeroSum> Agent<G> for AlphaBeta<G> {
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
            // The table and the move ordering learned from positions that only looked finished.
            self.table = None;
            self.orders.fill(Order::new(2));
            return Err(error.into());
        }
        result
    }

    fn check(&self, game: &G) -> Result<(), UnsupportedOption> {
        reject_more_players(game)?;
        self.options.check(game)
    }

    fn is_deterministic(&self) -> bool {
        self.options.threads <= 1
    }

    fn score_tree(
        &self,
        game: &G,
        state: &G::State,
        query: &Query<'_, G::Move>,
        max_nodes: usize,
    ) -> Option<ScoreTree> {
        self.check(game).ok()?;
        ScoreTree::new(game, state, &*self.evaluator, &self.options, query, max_nodes)
    }
}
