//! Agents: anything that chooses moves.

use std::fmt;
use std::time::Duration;

use tussle_core::time::{now, since};
use tussle_core::{
    EventSink, Game, Limits, Line, Report, RulesError, SearchStats, StopReason, Turn, Value,
    ZeroSum,
};

use crate::fault::{EvaluatorFault, FaultCell};
use crate::mcts::{TreeFilter, TreeNode};
use crate::score_tree::ScoreTree;

/// Receives what a search knows so far, whenever it knows more.
pub type ProgressCallback<'a, M> = &'a mut (dyn FnMut(&Report<M>) + 'a);

/// A query to an agent: limits, number of exact lines, and receivers of progress and events.
#[must_use = "a query does nothing until an agent runs it"]
pub struct Query<'a, M> {
    /// Limits of the search.
    pub limits: Limits,
    /// Number of best root moves that get an exact value; the others may have bounds (multi-PV).
    pub lines: usize,
    /// Value of the position for the player to move, if it is known: alpha-beta then only looks for a move that
    /// has it. Other searches ignore it.
    pub known_value: Option<f64>,
    /// Receives the report of every finished iteration.
    pub live: Option<ProgressCallback<'a, M>>,
    /// Receives every event of the search.
    pub events: Option<&'a mut (dyn EventSink<M> + 'a)>,
    /// True if an agent that samples keeps its tree for [`Agent::tree`].
    pub keep_tree: bool,
}

impl<'a, M> Query<'a, M> {
    /// Asks for one best move, without listeners.
    pub fn new(limits: &Limits) -> Self {
        let (known_value, live, events) = (None, None, None);
        Self { limits: limits.clone(), lines: 1, known_value, live, events, keep_tree: false }
    }

    /// Sets the number of exact lines.
    pub fn lines(self, lines: usize) -> Self {
        Self { lines, ..self }
    }

    /// Sets the known value of the position for the player to move.
    pub fn known_value(self, value: f64) -> Self {
        Self { known_value: Some(value), ..self }
    }

    /// Sends every event of the search to `events`: an observer, or a closure.
    pub fn on_event(self, events: &'a mut (dyn EventSink<M> + 'a)) -> Self {
        Self { events: Some(events), ..self }
    }

    /// Sends the report of every finished iteration to `live`.
    pub fn on_progress(self, live: ProgressCallback<'a, M>) -> Self {
        Self { live: Some(live), ..self }
    }

    /// Keeps the tree of a search that samples for [`Agent::tree`].
    pub fn keep_tree(self) -> Self {
        Self { keep_tree: true, ..self }
    }
}

/// Reason why a search has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SearchError {
    /// The game is over.
    GameOver,
    /// Chance is to move, not a player.
    ChanceToMove,
    /// The options ask for something that the game does not have.
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
            Self::ChanceToMove => f.write_str("chance is to move: there is no move to choose"),
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
    /// A table of transpositions in a tree cannot be used with draws by repetition.
    Transpositions,
    /// The memory limit is below the smallest tree.
    Memory {
        /// Smallest possible limit in bytes.
        least: usize,
    },
    /// The options use an evaluation, and the search has no evaluator.
    NoEvaluator,
    /// Star1 needs the range of the evaluation, which is not known.
    UnknownRange,
    /// A number is outside its range, or not a number.
    Number {
        /// The option.
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
            Self::Chance => f.write_str("this game has chance nodes; use expectimax"),
            Self::Players { players } => {
                write!(f, "expected a game of two players, found {players}; use maxn or paranoid")
            }
            Self::Quiescence => f.write_str("quiescence: this game lists no noisy moves"),
            Self::HeavyRollouts => f.write_str("heavy rollouts: this game has none of its own"),
            Self::Solver => f.write_str(
                "the solver is for games of two players that are won, drawn or lost, without dice",
            ),
            Self::Transpositions => {
                f.write_str("transpositions: this game has draws by repetition")
            }
            Self::Memory { least } => write!(f, "memory: a tree needs at least {least} bytes"),
            Self::NoEvaluator => {
                f.write_str("these options use an evaluation; give the search an evaluator")
            }
            Self::UnknownRange => {
                f.write_str("star1: the evaluation does not declare its range, which pruning needs")
            }
            Self::Number { option, range } => write!(f, "{option}: expected {range}"),
            Self::MoveClasses { classes, weights } => {
                write!(f, "opponent model: {weights} weights for {classes} classes of moves")
            }
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

/// Chooses moves of a game.
///
/// An agent that keeps a tree or a table between searches takes equal positions for the same: use it for one game
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

    /// Checks that the options fit the game, which every search does first.
    ///
    /// # Errors
    /// If they do not.
    fn check(&self, game: &G) -> Result<(), UnsupportedOption> {
        let _ = game;
        Ok(())
    }

    /// Returns true if the same seed gives the same answers unless the clock interferes.
    fn is_deterministic(&self) -> bool {
        true
    }

    /// Returns true if [`tree`](Agent::tree) has an answer.
    fn keeps_tree(&self) -> bool {
        false
    }

    /// Returns the tree that a query makes alpha-beta search, laid out in memory, to the depth of its limits and
    /// without quiescence search; `None` from other agents, and if the tree has more than `max_nodes` nodes.
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

    /// Returns the tree of the latest search, from an agent that samples. It has no nodes below
    /// the root unless [`Query::keep_tree`] was set, or the agent keeps its tree.
    fn tree(&self, wish: &TreeFilter) -> Option<TreeNode<G::Move>> {
        let _ = wish;
        None
    }
}

/// Agent made of a closure by [`agent_fn`].
#[derive(Clone, Copy)]
pub struct FnAgent<F>(F);

impl<F> fmt::Debug for FnAgent<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FnAgent")
    }
}

/// Makes an agent of a closure that chooses a legal move of a position within the limits.
///
/// The type of the closure's first argument has to be written, for type inference.
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

/// Rejects games with chance, for searches that answer every move with one best reply.
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
