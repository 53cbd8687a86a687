//! Agents, queries and errors of searches.

use std::fmt;
use std::time::Duration;

use tussle_core::time::{now, since};
use tussle_core::{
    EventSink, Game, Limits, Line, Report, RulesError, SearchStats, StopReason, Turn, Value,
    ZeroSum,
};

use crate::fault::{EvaluatorFault, FaultCell};
use crate::goal::Goal;
use crate::mcts::{TreeFilter, TreeNode};
use crate::score_tree::ScoreTree;

/// Callback that receives the report so far during a search.
pub type ProgressCallback<'a, M> = &'a mut (dyn FnMut(&Report<M>) + 'a);

/// A query to an agent: limits, number of exact lines, and receivers of progress and events.
#[must_use = "a query does nothing until an agent runs it"]
pub struct Query<'a, M> {
    /// Limits of the search.
    pub limits: Limits,
    /// Number of best root moves that get an exact value; the others may have bounds (MultiPV).
    pub lines: usize,
    /// Value of the position for the player to move, if it is known: alpha-beta then only looks for a move with
    /// this value. Other searches ignore it.
    pub known_value: Option<f64>,
    /// Question that alpha-beta answers instead of looking for the best move; see [`Goal`]. Other searches
    /// ignore it.
    pub goal: Option<Goal>,
    /// Receiver of progress reports: one per finished iteration, or several per second from Monte Carlo tree search.
    pub live: Option<ProgressCallback<'a, M>>,
    /// Receiver of every event of the search.
    pub events: Option<&'a mut (dyn EventSink<M> + 'a)>,
    /// True if Monte Carlo tree search keeps its tree for [`Agent::tree`].
    pub keep_tree: bool,
}

impl<'a, M> Query<'a, M> {
    /// Creates a query for one best move, without receivers.
    pub fn new(limits: &Limits) -> Self {
        let (known_value, goal, live, events) = (None, None, None, None);
        let limits = limits.clone();
        Self { limits, lines: 1, known_value, goal, live, events, keep_tree: false }
    }

    /// Sets the number of exact lines.
    pub fn lines(self, lines: usize) -> Self {
        Self { lines, ..self }
    }

    /// Sets the known value of the position for the player to move.
    pub fn known_value(self, value: f64) -> Self {
        Self { known_value: Some(value), ..self }
    }

    /// Asks whether the player to move can reach a goal.
    pub fn goal(self, goal: Goal) -> Self {
        Self { goal: Some(goal), ..self }
    }

    /// Sends every event of the search to `events`: an [`EventSink`], for example a closure.
    pub fn on_event(self, events: &'a mut (dyn EventSink<M> + 'a)) -> Self {
        Self { events: Some(events), ..self }
    }

    /// Sends progress reports to `live`: one per finished iteration, or several per second from Monte Carlo tree
    /// search.
    pub fn on_progress(self, live: ProgressCallback<'a, M>) -> Self {
        Self { live: Some(live), ..self }
    }

    /// Keeps the tree of Monte Carlo tree search for [`Agent::tree`].
    pub fn keep_tree(self) -> Self {
        Self { keep_tree: true, ..self }
    }
}

/// Error of a search that has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SearchError {
    /// The game is over.
    GameOver,
    /// The position is a chance node, so no player is to move.
    ChanceToMove,
    /// The options do not fit the game.
    Unsupported(UnsupportedOption),
    /// The rules of the game failed. The search has dropped its tree and its table.
    Rules(RulesError),
    /// The evaluator broke its contract. The search stopped at the first wrong answer.
    Evaluator(EvaluatorFault),
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GameOver => f.write_str("the game is over: there is no move to choose"),
            Self::ChanceToMove => f.write_str("chance is to move: no player has a move to choose"),
            Self::Unsupported(what) => what.fmt(f),
            Self::Rules(error) => error.fmt(f),
            Self::Evaluator(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for SearchError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Rules(error) => error.source(),
            _ => None,
        }
    }
}

/// An option of a search that does not fit a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnsupportedOption {
    /// The search has no chance nodes, but the game has chance.
    Chance,
    /// The search is for two players, but the game has more.
    Players {
        /// Number of players of the game.
        players: usize,
    },
    /// Quiescence search needs noisy moves, and the game lists none.
    Quiescence,
    /// The game has no heavy playouts.
    HeavyRollouts,
    /// The solver needs two players, results without points, and no chance.
    Solver,
    /// Monte Carlo tree search cannot share the children of transpositions in a game with draws by repetition.
    Transpositions,
    /// The memory limit is too small for a tree.
    Memory {
        /// Smallest possible limit in bytes.
        least: usize,
    },
    /// The options need an evaluator, and the search has none.
    NoEvaluator,
    /// The options need the game's tactics, and the search has none.
    NoTactics,
    /// Star1 needs the range of the evaluation, which is not known.
    UnknownRange,
    /// A number is NaN or outside its range.
    Number {
        /// Name of the option.
        option: &'static str,
        /// Its range, as text.
        range: &'static str,
    },
    /// A weighted opponent model needs one weight for every move class of the game.
    MoveClasses {
        /// Number of move classes of the game.
        classes: usize,
        /// Number of weights given.
        weights: usize,
    },
}

impl fmt::Display for UnsupportedOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chance => {
                f.write_str("expected a game without chance nodes; use expectimax for this game")
            }
            Self::Players { players } => {
                write!(f, "expected a game of two players, found {players}; use maxn or paranoid")
            }
            Self::Quiescence => f.write_str(
                "quiescence: expected a game with noisy moves, and this game lists none; turn it off",
            ),
            Self::HeavyRollouts => f.write_str(
                "rollout: this game has no heavy playouts; use random or greedy rollouts",
            ),
            Self::Solver => f.write_str(
                "solver: expected a game of two players without chance and points; turn it off",
            ),
            Self::Transpositions => f.write_str(
                "transpositions: expected a game without draws by repetition; turn the table off",
            ),
            Self::Memory { least } => {
                write!(f, "memory: a tree needs at least {least} bytes; raise the limit")
            }
            Self::NoEvaluator => {
                f.write_str("these options need an evaluation; give the search an evaluator")
            }
            Self::NoTactics => f.write_str(
                "priors: expected a game with tactics; give the search the game's tactics",
            ),
            Self::UnknownRange => f.write_str(
                "star1: expected an evaluation with a known range; turn it off or declare the range",
            ),
            Self::Number { option, range } => write!(f, "{option}: expected {range}"),
            Self::MoveClasses { classes, weights } => write!(
                f,
                "opponent model: expected a weight for each of {classes} move classes, found {weights}"
            ),
        }
    }
}

impl std::error::Error for UnsupportedOption {}

impl From<RulesError> for SearchError {
    fn from(error: RulesError) -> Self {
        Self::Rules(error)
    }
}

impl From<EvaluatorFault> for SearchError {
    fn from(fault: EvaluatorFault) -> Self {
        Self::Evaluator(fault)
    }
}

impl From<UnsupportedOption> for SearchError {
    fn from(what: UnsupportedOption) -> Self {
        Self::Unsupported(what)
    }
}

/// Source of moves for a player of a game.
///
/// An agent that keeps a tree or a table between searches treats equal positions as the same: use it for one game
/// value, or clear it before another one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not choose moves of `{G}`",
    note = "implement `Agent<{G}>`, or wrap a closure: `agent_fn(|game: &{G}, state, limits| …)`"
)]
pub trait Agent<G: Game>: Send {
    /// Answers a query about a position. The report has at least one line, the chosen move first.
    ///
    /// # Errors
    /// If no player is to move, the options do not fit the game, or the rules of the game or the evaluator fail. An
    /// agent that keeps a tree or a table drops it when the rules fail.
    fn run(
        &mut self,
        game: &G,
        state: &G::State,
        query: Query<'_, G::Move>,
    ) -> Result<Report<G::Move>, SearchError>;

    /// Chooses a move for the player to move, within the limits.
    ///
    /// # Errors
    /// As [`run`](Agent::run).
    fn search(
        &mut self,
        game: &G,
        state: &G::State,
        limits: &Limits,
    ) -> Result<Report<G::Move>, SearchError> {
        self.run(game, state, Query::new(limits))
    }

    /// Checks that the options fit the game. Every search does this first.
    ///
    /// # Errors
    /// If an option does not fit the game.
    fn check(&self, game: &G) -> Result<(), UnsupportedOption> {
        let _ = game;
        Ok(())
    }

    /// Returns true if the same seed gives the same answers, as long as no time limit ends a search.
    fn is_deterministic(&self) -> bool {
        true
    }

    /// Returns true if [`tree`](Agent::tree) can return a tree.
    fn keeps_tree(&self) -> bool {
        false
    }

    /// Returns the whole tree that alpha-beta would search for a query, to the depth limit and without quiescence
    /// search; `None` from other agents, or if the tree has more than `max_nodes` nodes.
    fn score_tree(
        &self,
        game: &G,
        state: &G::State,
        query: &Query<'_, G::Move>,
        max_nodes: usize,
    ) -> Option<ScoreTree> {
        let _ = (game, state, query, max_nodes);
        None
    }

    /// Returns the tree of the latest Monte Carlo tree search; `None` from other agents. It has no nodes below
    /// the root, unless [`Query::keep_tree`] was set or the agent keeps its tree.
    fn tree(&self, filter: &TreeFilter) -> Option<TreeNode<G::Move>> {
        let _ = filter;
        None
    }
}

/// Agent that calls a closure, made by [`agent_fn`].
#[derive(Clone, Copy)]
pub struct FnAgent<F>(F);

impl<F> fmt::Debug for FnAgent<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FnAgent")
    }
}

/// Makes an agent of a closure that chooses a legal move of a position within the limits.
///
/// Write the type of the closure's first argument; the compiler cannot infer it.
///
/// ```
/// # use tussle_core::{Limits, Game, Turn};
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
/// use tussle_search::{Agent, agent_fn};
///
/// let game = Heap(10);
/// let mut first_move = agent_fn(|game: &Heap, state, _limits| game.legal_moves(state)[0]);
/// let report = first_move.search(&game, &game.start(), &Limits::none())?;
/// assert_eq!(report.best(), Some(&1));
/// # Ok::<(), tussle_search::SearchError>(())
/// ```
pub fn agent_fn<G: Game, F>(choose: F) -> FnAgent<F>
where
    F: FnMut(&G, &G::State, &Limits) -> G::Move + Send,
{
    FnAgent(choose)
}

impl<G: Game, F: FnMut(&G, &G::State, &Limits) -> G::Move + Send> Agent<G> for FnAgent<F> {
    fn run(
        &mut self,
        game: &G,
        state: &G::State,
        query: Query<'_, G::Move>,
    ) -> Result<Report<G::Move>, SearchError> {
        let began = now();
        root_player(game, state)?;
        let mv = (self.0)(game, state, &query.limits);
        check_rules(game)?;
        Ok(chosen(game, mv, since(began)))
    }

    fn is_deterministic(&self) -> bool {
        false
    }
}

/// Returns the report of an agent that chooses a move without a value for it.
pub(crate) fn chosen<G: Game>(game: &G, mv: G::Move, elapsed: Duration) -> Report<G::Move> {
    let payoffs = game.payoffs();
    let line = Line::unsearched(mv, Value::result(payoffs.least, &payoffs));
    let stats = SearchStats { nodes: 1, ..SearchStats::default() };
    Report::new(vec![line], stats, StopReason::Finished, elapsed)
}

/// Returns the error of the rules, if they have failed.
pub(crate) fn check_rules<G: Game>(game: &G) -> Result<(), SearchError> {
    game.failure().map_or(Ok(()), |error| Err(error.into()))
}

/// Returns the error of the rules or the evaluator, if they have failed.
pub(crate) fn failure<G: Game>(game: &G, faults: &FaultCell) -> Option<SearchError> {
    let of_rules = game.failure().map(SearchError::from);
    of_rules.or_else(|| faults.get().map(SearchError::from))
}

/// Returns the player to move at the root.
pub(crate) fn root_player<G: Game>(game: &G, state: &G::State) -> Result<usize, SearchError> {
    let turn = game.turn(state);
    check_rules(game)?;
    match turn {
        Turn::Player(player) => Ok(player),
        Turn::Chance => Err(SearchError::ChanceToMove),
        Turn::Over => Err(SearchError::GameOver),
    }
}

/// Rejects games with chance nodes, for searches that cannot average.
pub(crate) fn reject_chance<G: Game>(game: &G) -> Result<(), UnsupportedOption> {
    if game.has_chance() { Err(UnsupportedOption::Chance) } else { Ok(()) }
}

/// Rejects games of more than two players, which break the contract of `ZeroSum`.
pub(crate) fn reject_more_players<G: ZeroSum>(game: &G) -> Result<(), UnsupportedOption> {
    match game.players() {
        0..=2 => Ok(()),
        players => Err(UnsupportedOption::Players { players }),
    }
}

/// Rejects a value of a draw that is not a number that searches can compare.
pub(crate) fn check_draw(draw: f64) -> Result<(), UnsupportedOption> {
    if draw.is_finite() {
        Ok(())
    } else {
        Err(UnsupportedOption::Number { option: "draw", range: "a finite number" })
    }
}
