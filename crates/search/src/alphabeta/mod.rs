//! Alpha-beta: minimax that leaves out what cannot matter.

mod busy;
mod known;
mod order;
mod queue;
mod root;
mod search;

use tussle_core::{
    Args, Budget, Evaluations, Hashed, Kind, Observer, Param, ParseError, Report, Rng, Stats,
    Stopped, ZeroSum, mix,
};

use self::busy::Busy;
use self::order::Order;
use self::root::Team;
use self::search::{NOWHERE, Search};
use crate::agent::{no_choice, player_asked};
use crate::deepening::{Task, deepen};
use crate::pv::Pv;
use crate::score::{self, Leaves};
use crate::settings::{self, Limits};
use crate::table::Table;
use crate::{Agent, AgentInfo, Query};

/// [`AlphaBeta`] in lists.
pub const ALPHABETA: AgentInfo = AgentInfo {
    name: "alphabeta",
    summary: "minimax that leaves out what cannot matter; exact, and strong where games are small",
    params: &[
        settings::DEPTH,
        settings::NODES,
        settings::EVAL,
        Param {
            key: "order",
            kind: Kind::Choice(&["none", "root", "full"]),
            default: "full",
            help: "none: as generated; root: the root's moves by their last values; full: also \
                   table move, killers and history everywhere",
        },
        Param {
            key: "tt",
            kind: Kind::IntOr(1, 1 << 16, "off"),
            default: "64",
            help: "MB for the transposition table",
        },
        Param {
            key: "window",
            kind: Kind::Choice(&["full", "aspiration", "pvs"]),
            default: "",
            help: "full: plain; aspiration: around the last value; pvs: null windows; unless \
                   said, pvs with order=full and plain otherwise",
        },
        settings::DEEPEN,
        settings::CONTRACT,
        settings::PARTIAL,
        Param {
            key: "quiesce",
            kind: Kind::Switch,
            default: "off",
            help: "follow captures beyond the horizon, where the game tells which moves they are",
        },
        settings::THREADS,
        Param {
            key: "value",
            kind: Kind::Float(-1e9, 1e9),
            default: "",
            help: "the root's value, if it is known: finds a move that has it",
        },
        settings::DRAW,
        settings::TERMINAL,
        settings::SHUFFLE,
        settings::DEDUPE,
        settings::BOOK,
    ],
};

/// Which moves are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ordering {
    None,
    Root,
    Full,
}

/// What windows nodes are searched with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Window {
    Full,
    Aspiration,
    Pvs,
}

/// How to search; none of it changes a value, except `quiesce`.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are switches")]
struct Switches {
    order: Ordering,
    window: Window,
    quiesce: bool,
    shuffle: bool,
    dedupe: bool,
    threads: usize,
    /// The value of the root, in the unit of reports, if it is known beforehand.
    known: Option<f64>,
    /// Whether the game draws by repetition, so that values may rest on what came before.
    repetition: bool,
    /// Whether what is found for one root player holds for the other.
    same_for_both: bool,
}

/// Alpha-beta search with everything that makes it fast, each behind a switch.
///
/// ```
/// use tussle_core::{Args, Budget, Game, Outcome};
/// # use tussle_core::{Evaluation, Evaluations, Hashed, Turn, ZeroSum};
/// use tussle_search::{Agent, AlphaBeta};
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
/// # impl Evaluations for Heap {
/// #     type Eval = ();
/// #     const EVALUATIONS: &'static [Evaluation] = &[];
/// #     fn evaluation(&self, _: usize, _: &Args) {}
/// #     fn evaluate(&self, (): &(), _: &(u32, usize), _: usize) -> f64 { 0.0 }
/// # }
/// // A heap of ten counters; take one, two or three; the last one wins.
/// let game = Heap(10);
/// let report = AlphaBeta::new(&game, ()).choose(&game, &game.start(), &Budget::unlimited());
/// assert_eq!(report.best(), Some(&2)); // and four are left after every pair of moves
/// assert_eq!(report.lines[0].outcome, Some(Outcome::Win));
/// ```
#[derive(Debug)]
pub struct AlphaBeta<G: Evaluations> {
    leaves: Leaves<G::Eval>,
    limits: Limits,
    switches: Switches,
    table_bytes: Option<usize>,
    table: Option<Table>,
    /// One for each thread.
    orders: Vec<Order<G::Move>>,
    /// Whether a known value is the first player's, whoever moves.
    firsts_view: bool,
    rng: Rng,
}

impl<G: Evaluations + Hashed + ZeroSum> AlphaBeta<G> {
    /// A player with the usual switches: full order, a table of 64 MB, null windows.
    pub fn new(game: &G, eval: G::Eval) -> Self {
        let leaves = Leaves { eval, draw: 0.0, eval_ends: false, payoffs: game.payoffs() };
        let switches = Switches {
            order: Ordering::Full,
            window: Window::Pvs,
            quiesce: false,
            shuffle: false,
            dedupe: true,
            threads: 1,
            known: None,
            repetition: game.repetition_draws(),
            same_for_both: false,
        };
        let limits = Limits { partial: true, ..Limits::default() };
        Self::with(leaves, limits, switches, Some(64 << 20), 0)
    }

    fn with(
        leaves: Leaves<G::Eval>,
        limits: Limits,
        switches: Switches,
        table_bytes: Option<usize>,
        seed: u64,
    ) -> Self {
        let orders = vec![Order::new(2); switches.threads];
        // What a repetition is worth must not depend on the board: see `whatever_came_before`.
        let table_bytes = table_bytes.filter(|_| !(switches.repetition && leaves.eval_ends));
        let rng = Rng::new(seed);
        Self { leaves, limits, switches, table_bytes, table: None, orders, firsts_view: false, rng }
    }

    /// A player with the parameters of [`ALPHABETA`].
    ///
    /// # Errors
    /// If the game has chance nodes, or lacks what a parameter asks for.
    pub fn from_args(game: &G, args: &Args, seed: u64) -> Result<Self, ParseError> {
        crate::refuse_chance(game)?;
        let quiesce = args.switch("quiesce");
        if quiesce && !G::HAS_LOUD_MOVES {
            return Err(ParseError::new(
                "quiesce=on: this game does not tell loud moves from quiet",
            ));
        }
        let order = match args.choice("order") {
            "none" => Ordering::None,
            "root" => Ordering::Root,
            _ => Ordering::Full,
        };
        let window = match args.is_set("window").then(|| args.choice("window")) {
            Some("aspiration") => Window::Aspiration,
            Some("pvs") => Window::Pvs,
            None if order == Ordering::Full => Window::Pvs,
            _ => Window::Full,
        };
        let leaves = Leaves::from_args(game, args);
        let antisymmetric = G::EVALUATIONS[args.evaluation("eval").0].antisymmetric;
        let switches = Switches {
            order,
            window,
            quiesce,
            shuffle: args.switch("shuffle"),
            dedupe: args.switch("dedupe"),
            threads: args.int("threads") as usize,
            known: args.is_set("value").then(|| args.float("value")),
            repetition: game.repetition_draws(),
            same_for_both: antisymmetric && leaves.draw == 0.0,
        };
        let table_bytes = args.int_or("tt").map(|mb| (mb as usize) << 20);
        Ok(Self::with(leaves, Limits::from_args(args), switches, table_bytes, seed))
    }

    /// The same player, who takes a known value for the first player's, whoever moves: as trees
    /// are reported.
    #[must_use]
    pub fn in_firsts_view(self, firsts_view: bool) -> Self {
        Self { firsts_view, ..self }
    }

    /// The table, as large as the parameters and the budget allow.
    fn prepare_table(&mut self, budget: &Budget) {
        let Some(bytes) = self.table_bytes else { return };
        let bytes = bytes.min(budget.memory.unwrap_or(usize::MAX));
        match &mut self.table {
            Some(table) if table.bytes() <= bytes => table.grow_older(),
            table => *table = Some(Table::new(bytes)),
        }
    }

    fn search<O: Observer<G::Move>>(
        &mut self,
        game: &G,
        state: &G::State,
        query: Query<'_, G::Move>,
        observer: O,
    ) -> Report<G::Move> {
        let Some(root) = player_asked(game, state) else { return no_choice() };
        self.prepare_table(&query.budget);
        let Self { leaves, limits, table, orders, rng, .. } = self;
        let mut switches = self.switches.clone();
        if self.firsts_view && root == 1 {
            switches.known = switches.known.map(|value| 0.0 - value);
        }
        let switches = &switches;
        let mut moves = Vec::new();
        score::moves(game, state, switches.dedupe, &mut moves);
        if switches.shuffle {
            rng.shuffle(&mut moves);
        }
        let task = Task::new(limits, switches.order != Ordering::None, query);
        let budget = task.full_budget();
        // Without a table there is nothing to share.
        let busy = (switches.threads > 1 && table.is_some()).then(Busy::new);
        let tree = Tree {
            game,
            switches,
            leaves,
            state,
            root,
            table: table.as_ref(),
            busy: busy.as_ref(),
            budget: &budget,
            seed: rng.next_u64(),
        };
        let (first, others) = orders.split_first_mut().expect("there is at least one thread");
        let others =
            others.iter_mut().zip(1..).map(|(order, thread)| tree.search(thread, order, ()));
        let others = others.collect();
        let first = tree.search(0, first, observer);
        let (lines, last) = (task.lines, [f64::NAN; 2]);
        let mut team = Team { first, others, lines, budget: &budget, last };
        let mut report = deepen(&mut team, &moves, task);
        // Counting what was saved takes longer than saving it: never on a player's clock.
        if switches.known.is_some() && !budget.is_timed() {
            report.savings = known::savings(game, state, leaves, switches, root, budget.depth);
        }
        report
    }
}

/// What the threads of a search have in common.
struct Tree<'a, G: Evaluations> {
    game: &'a G,
    switches: &'a Switches,
    leaves: &'a Leaves<G::Eval>,
    state: &'a G::State,
    root: usize,
    table: Option<&'a Table>,
    busy: Option<&'a Busy>,
    budget: &'a Budget,
    seed: u64,
}

impl<'a, G: Evaluations> Tree<'a, G> {
    /// One thread's search.
    fn search<O>(
        &self,
        thread: u64,
        order: &'a mut Order<G::Move>,
        observer: O,
    ) -> Search<'a, G, O> {
        let Self { game, switches, leaves, root, table, busy, .. } = *self;
        let bytes = table.map_or(0, |table| table.bytes() as u64);
        order.start();
        Search {
            game,
            switches,
            leaves,
            root,
            position: self.state,
            buffer: Vec::new(),
            keys: Vec::new(),
            pv: Pv::new(),
            order,
            table,
            stores: 0,
            salt: if switches.same_for_both { 0 } else { mix(root as u64) },
            busy,
            watch: self.budget.watch(),
            stopped: Stopped::Finished,
            stats: Stats { bytes, ..Stats::default() },
            horizon: 0,
            rests_on: NOWHERE,
            rng: Rng::derive(self.seed, &[thread]),
            observer,
        }
    }
}

impl<G: Evaluations + Hashed + ZeroSum> Agent<G> for AlphaBeta<G> {
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
