//! Entries of a catalog: the rules of a game and its capabilities.

use std::any::{Any, TypeId};
use std::fmt;
use std::sync::Arc;

use tussle_core::{
    Drawn, Evaluator, FnEvaluator, Game, Hashed, NoEvaluation, Notation, ParseError, Scene,
    Symmetric, Tactics, ZeroSum,
};
use tussle_search::{Agent, KeyFunctions, TacticFunctions, WrittenPlayouts};

use crate::agents::{MakeAgent, TunedAgent, make_duel, make_many};
use crate::erased::{Rules, seat};
use crate::keys::{Key, options};
use crate::param::{Args, Param};
use crate::{AnyAgent, AnyGame, Catalog, TreeFile};

/// Evaluation of a game, as lists and help texts show it.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// Name in spec strings: `eval=NAME`.
    pub name: &'static str,
    /// One line on what it measures.
    pub summary: &'static str,
    /// Parameters, which are written after `eval=` in a spec string.
    pub params: Vec<Param>,
    /// True if its evaluator [is antisymmetric](Evaluator::is_antisymmetric).
    pub antisymmetric: bool,
}

/// The evaluations of a game that declares none.
static NO_EVALUATIONS: [Evaluation; 1] = [Evaluation {
    name: "none",
    summary: "0 for every position",
    params: Vec::new(),
    antisymmetric: true,
}];

/// Game for a [`Catalog`]: its rules, and the capabilities that it declares.
///
/// Rules alone are enough: the board is then drawn as text, and moves and positions get texts made from
/// their `Debug` output. Each capability is declared by a method that requires the trait.
///
/// ```
/// # use tussle_core::{Game, Hashed, Turn, ZeroSum};
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
/// # impl ZeroSum for Heap {}
/// # impl Hashed for Heap {
/// #     fn board_key(&self, s: &(u32, usize)) -> u64 { tussle_core::mix(u64::from(s.0) * 2 + s.1 as u64) }
/// # }
/// use tussle_catalog::{Catalog, Entry};
/// use tussle_core::Limits;
///
/// let heap = Entry::new("heap", Heap(10)).zero_sum().hashed().evaluation_fn("parity", |s, _| f64::from(s.0 % 4));
/// let game = Catalog::standard().with(heap).game("heap")?;
/// let report = game.agent("alphabeta", 1)?.choose(game.start().as_ref(), &Limits::none())?;
/// assert_eq!(report.best().map(String::as_str), Some("2"));
/// # Ok::<(), tussle_catalog::Error>(())
/// ```
#[must_use = "an entry does nothing until a catalog has it"]
pub struct Entry<G: Game> {
    name: &'static str,
    summary: &'static str,
    params: Vec<Param>,
    make: MakeGame<G>,
    capabilities: Capabilities<G>,
}

/// Panics if spec strings cannot contain this name of a game or an agent.
fn check_name(name: &str) {
    let is_allowed = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    assert!(
        !name.is_empty() && name.chars().all(is_allowed),
        "{name:?}: expected a name of letters, digits, `-`, `_` and `.`, which spec strings can contain"
    );
}

/// Makes the rules of a game from its parameters.
type MakeGame<G> = Box<dyn Fn(&Args) -> Result<Arc<G>, ParseError> + Send + Sync>;

impl<G: Game + 'static> Entry<G> {
    /// Creates an entry for a game without parameters; `name` is its name in spec strings.
    ///
    /// # Panics
    /// If the name is empty or has characters other than letters, digits, `-`, `_` and `.`.
    pub fn new(name: &'static str, game: G) -> Self {
        check_name(name);
        let game = Arc::new(game);
        let make = move |_: &Args| Ok(game.clone());
        let (summary, capabilities) = ("a game without a description", Capabilities::new());
        Self { name, summary, params: Vec::new(), make: Box::new(make), capabilities }
    }

    /// Creates an entry for a game whose rules have parameters. Each key of the table sets a field of the options
    /// `O`, from which `make` builds the rules. Errors of `make` are shown with the name of the game.
    ///
    /// # Panics
    /// As [`new`](Entry::new).
    ///
    /// ```
    /// use tussle_catalog::{Catalog, Entry, Key};
    /// use tussle_games::PentagoTwist;
    ///
    /// #[derive(Default)]
    /// struct Options { early: bool }
    ///
    /// const KEYS: &[Key<Options>] =
    ///     &[Key::switch("early", "off", |o, on| o.early = on, "five in a row win before the twist")];
    ///
    /// let entry = Entry::with_params("mine", KEYS, |_: Options| Ok(PentagoTwist::default()));
    /// let game = Catalog::empty().with(entry).game("mine:early=on")?;
    /// assert_eq!(game.spec(), "mine:early=on");
    /// # Ok::<(), tussle_catalog::Error>(())
    /// ```
    pub fn with_params<O: Default + 'static>(
        name: &'static str,
        keys: &'static [Key<O>],
        make: fn(O) -> Result<G, ParseError>,
    ) -> Self {
        check_name(name);
        Self {
            name,
            summary: "a game without a description",
            params: keys.iter().map(Key::param).collect(),
            make: Box::new(move |args| make(options(keys, args)).map(Arc::new)),
            capabilities: Capabilities::new(),
        }
    }

    /// Sets the one-line description that lists show.
    pub fn summary(self, summary: &'static str) -> Self {
        Self { summary, ..self }
    }

    fn with(self, declare: impl FnOnce(Capabilities<G>) -> Capabilities<G>) -> Self {
        Self { capabilities: declare(self.capabilities), ..self }
    }

    /// Declares two players with opposite interests: `minimax` and `alphabeta` play the game.
    pub fn zero_sum(self) -> Self
    where
        G: ZeroSum,
    {
        self.with(Capabilities::zero_sum)
    }

    /// Declares keys of positions, for transposition tables and opening books.
    pub fn hashed(self) -> Self
    where
        G: Hashed,
    {
        self.with(Capabilities::hashed)
    }

    /// Declares the board's symmetries; the game is [hashed](Entry::hashed) as well.
    pub fn symmetric(self) -> Self
    where
        G: Symmetric,
    {
        self.with(Capabilities::symmetric)
    }

    /// Declares knowledge of moves that win or lose at once: `alphabeta` and `mcts` use it.
    pub fn tactics(self) -> Self
    where
        G: Tactics,
    {
        self.with(Capabilities::tactics)
    }

    /// Declares the game's own texts of moves and positions.
    pub fn notation(self) -> Self
    where
        G: Notation,
    {
        self.with(Capabilities::notation)
    }

    /// Declares the game's own drawing; it has [notation](Entry::notation) as well.
    pub fn drawn(self) -> Self
    where
        G: Drawn,
    {
        self.with(Capabilities::drawn)
    }

    /// Adds an evaluation. The first one is the default of all searches.
    pub fn evaluator(
        self,
        name: &'static str,
        summary: &'static str,
        evaluator: impl Evaluator<G> + 'static,
    ) -> Self {
        self.with(|capabilities| capabilities.evaluator(name, summary, evaluator))
    }

    /// Adds a closure as an evaluation: it returns the value of a state for a player.
    pub fn evaluation_fn<F>(self, name: &'static str, value: F) -> Self
    where
        F: Fn(&G::State, usize) -> f64 + Send + Sync + 'static,
    {
        self.evaluator(name, "an evaluation of the game's author", FnEvaluator::new(value))
    }

    /// Adds an evaluation with parameters. Each key of the table sets a field of the options `O`, from
    /// which `make` builds the evaluation.
    pub fn evaluator_with<O: Default + 'static, E: Evaluator<G> + 'static>(
        self,
        name: &'static str,
        summary: &'static str,
        keys: &'static [Key<O>],
        make: fn(O) -> E,
    ) -> Self {
        self.with(|capabilities| capabilities.evaluator_with(name, summary, keys, make))
    }

    /// Declares the best known agents of this game. `mcts` and `alphabeta` then have these options, and `best` is the
    /// agent of that name.
    ///
    /// ```
    /// use tussle_catalog::{Catalog, Entry, TunedAgent};
    /// use tussle_games::TicTacToe;
    ///
    /// const TUNED: &[TunedAgent] =
    ///     &[TunedAgent::new("mcts", "mcts-textbook:c=0.7"), TunedAgent::new("best", "alphabeta")];
    ///
    /// let entry = Entry::new("mine", TicTacToe).complete().tuned(TUNED);
    /// let game = Catalog::empty().with(entry).game("mine")?;
    /// assert_eq!(game.settled_agent("mcts")?.value("c"), Some("0.7"));
    /// assert_eq!(game.settled_agent("best")?.name, "alphabeta");
    /// # Ok::<(), tussle_catalog::Error>(())
    /// ```
    pub fn tuned(self, tuned: &'static [TunedAgent]) -> Self {
        self.with(|capabilities| capabilities.tuned(tuned))
    }

    /// Sets defaults of agents in this game, as spec strings: `greedy:ties=random`. Those of `mcts-textbook` and
    /// `alphabeta-textbook` are also the defaults of `mcts` and `alphabeta` for keys that are not tuned.
    pub fn agent_defaults(self, specs: &'static [&'static str]) -> Self {
        self.with(|capabilities| capabilities.agent_defaults(specs))
    }

    /// Declares all capabilities of a two-player game, except evaluations.
    pub fn complete(self) -> Self
    where
        G: ZeroSum + Symmetric + Drawn,
    {
        self.with(|capabilities| capabilities.complete().zero_sum())
    }
}

impl<G: Game> fmt::Debug for Entry<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<G: Game + 'static> From<Entry<G>> for GameEntry {
    fn from(entry: Entry<G>) -> Self {
        let Entry { name, summary, params, make, capabilities } = entry;
        let evaluations = capabilities.evaluation_list().to_vec();
        let tuned = capabilities.tuned;
        let capabilities = Arc::new(capabilities);
        let build = move |request: Build<'_>| {
            let game = make(request.args)?;
            Ok(request.finish(game, capabilities.clone()))
        };
        Self { name, summary, params, evaluations, tuned, build: Arc::new(build) }
    }
}

/// One game of a [`Catalog`].
#[derive(Clone)]
pub struct GameEntry {
    /// Its name in spec strings.
    pub name: &'static str,
    /// One-line description.
    pub summary: &'static str,
    /// The parameters of its rules.
    pub params: Vec<Param>,
    /// Its heuristics, the default one first.
    pub evaluations: Vec<Evaluation>,
    /// Its best known agents.
    pub tuned: &'static [TunedAgent],
    pub(crate) build: Arc<BuildGame>,
}

impl fmt::Debug for GameEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GameEntry").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Builds a game behind the erased layer.
pub(crate) type BuildGame = dyn Fn(Build<'_>) -> Result<Arc<dyn AnyGame>, ParseError> + Send + Sync;

/// A request for a game: its canonical spec and its parameters.
pub(crate) struct Build<'a> {
    pub(crate) catalog: &'a Catalog,
    pub(crate) spec: String,
    pub(crate) args: &'a Args,
}

impl Build<'_> {
    /// Puts the rules behind the erased layer.
    pub(crate) fn finish<G: Game + 'static>(
        self,
        game: Arc<G>,
        capabilities: Arc<Capabilities<G>>,
    ) -> Arc<dyn AnyGame> {
        let catalog = self.catalog.clone();
        Arc::new(Rules { spec: self.spec, game, capabilities, catalog }).erased()
    }
}

/// Makes an evaluation from its parameters.
type MakeEvaluator<G> = dyn Fn(&Args) -> Arc<dyn Evaluator<G>> + Send + Sync;

/// Function that parses a move of a position.
type ParseMove<G> = fn(&G, &<G as Game>::State, &str) -> Result<<G as Game>::Move, ParseError>;

/// [`Notation`] as plain functions.
pub(crate) struct NotationTable<G: Game> {
    pub(crate) move_text: fn(&G, &G::State, G::Move) -> String,
    pub(crate) position_text: fn(&G, &G::State) -> String,
    pub(crate) parse_position: fn(&G, &str) -> Result<G::State, ParseError>,
    pub(crate) parse_move: ParseMove<G>,
}

/// [`Hashed`] as plain functions.
pub(crate) struct KeyTable<G: Game> {
    pub(crate) board_key: fn(&G, &G::State) -> u64,
    pub(crate) table_key: fn(&G, &G::State, u32) -> u64,
    /// Keys for the tables of searches.
    pub(crate) of_searches: KeyFunctions<G>,
}

/// [`Symmetric`] as plain functions.
pub(crate) struct SymmetryTable<G: Game> {
    pub(crate) symmetries: fn(&G) -> usize,
    pub(crate) reflect: fn(&G, &G::State, usize) -> G::State,
    pub(crate) reflect_move: fn(&G, G::Move, usize) -> G::Move,
    pub(crate) canonical: fn(&G, &G::State) -> (u64, usize),
}

/// [`Drawn`] as plain functions.
pub(crate) struct DrawingTable<G: Game> {
    pub(crate) scene: fn(&G, &G::State) -> Scene,
    pub(crate) clicks: fn(&G, &G::State, G::Move) -> Vec<usize>,
    pub(crate) landing: fn(&G, &G::State, G::Move) -> Option<usize>,
    pub(crate) target: fn(&G, &G::State, G::Move) -> Option<usize>,
}

/// Capabilities that a game declared.
pub(crate) struct Capabilities<G: Game> {
    /// True for two players with opposite interests.
    pub(crate) is_zero_sum: bool,
    /// Constructor of the agents that only this kind of game supports.
    pub(crate) special: MakeAgent<G>,
    pub(crate) keys: Option<KeyTable<G>>,
    pub(crate) symmetry: Option<SymmetryTable<G>>,
    pub(crate) tactics: Option<TacticFunctions<G>>,
    pub(crate) notation: Option<NotationTable<G>>,
    pub(crate) drawing: Option<DrawingTable<G>>,
    /// Agents that have other defaults in this game, as spec strings.
    pub(crate) agent_defaults: &'static [&'static str],
    /// Best known agents.
    pub(crate) tuned: &'static [TunedAgent],
    /// True if values in reports are those of the first player, even if the second is to move.
    pub(crate) first_players_view: bool,
    /// Given results of simulations, which are not played.
    pub(crate) written_playouts: Option<WrittenPlayouts<G>>,
    /// Facts of the tree file that the game was built from. Nodes of such a game have names.
    pub(crate) tree_file: Option<TreeFile>,
    evaluations: Vec<Evaluation>,
    /// Constructors, in the order of `evaluations`.
    evaluators: Vec<Box<MakeEvaluator<G>>>,
}

impl<G: Game + 'static> Capabilities<G> {
    pub(crate) fn new() -> Self {
        Self {
            is_zero_sum: false,
            special: make_many,
            keys: None,
            symmetry: None,
            tactics: None,
            notation: None,
            drawing: None,
            agent_defaults: &[],
            tuned: &[],
            first_players_view: false,
            written_playouts: None,
            tree_file: None,
            evaluations: Vec::new(),
            evaluators: Vec::new(),
        }
    }

    /// The evaluations, the default one first; never empty.
    pub(crate) fn evaluation_list(&self) -> &[Evaluation] {
        if self.evaluations.is_empty() { &NO_EVALUATIONS } else { &self.evaluations }
    }

    /// Returns the evaluation at `index` of the list.
    pub(crate) fn make_evaluator(&self, index: usize, args: &Args) -> Arc<dyn Evaluator<G>> {
        match self.evaluators.get(index) {
            Some(make) => make(args),
            None => Arc::new(NoEvaluation),
        }
    }

    pub(crate) fn zero_sum(self) -> Self
    where
        G: ZeroSum,
    {
        Self { is_zero_sum: true, special: make_duel, ..self }
    }

    pub(crate) fn hashed(self) -> Self
    where
        G: Hashed,
    {
        let keys = KeyTable {
            board_key: G::board_key,
            table_key: G::table_key,
            of_searches: KeyFunctions::of_game(),
        };
        Self { keys: Some(keys), ..self }
    }

    pub(crate) fn tactics(self) -> Self
    where
        G: Tactics,
    {
        Self { tactics: Some(TacticFunctions::of_game()), ..self }
    }

    pub(crate) fn symmetric(self) -> Self
    where
        G: Symmetric,
    {
        let symmetry = SymmetryTable {
            symmetries: G::symmetries,
            reflect: G::reflect,
            reflect_move: G::reflect_move,
            canonical: G::canonical,
        };
        Self { symmetry: Some(symmetry), ..self.hashed() }
    }

    pub(crate) fn notation(self) -> Self
    where
        G: Notation,
    {
        let notation = NotationTable {
            move_text: G::move_text,
            position_text: G::position_text,
            parse_position: G::parse_position,
            parse_move: G::parse_move,
        };
        Self { notation: Some(notation), ..self }
    }

    pub(crate) fn drawn(self) -> Self
    where
        G: Drawn,
    {
        let drawing = DrawingTable {
            scene: G::scene,
            clicks: G::clicks,
            landing: G::landing,
            target: G::target,
        };
        Self { drawing: Some(drawing), ..self.notation() }
    }

    pub(crate) fn evaluator(
        mut self,
        name: &'static str,
        summary: &'static str,
        evaluator: impl Evaluator<G> + 'static,
    ) -> Self {
        let antisymmetric = evaluator.is_antisymmetric();
        let evaluator: Arc<dyn Evaluator<G>> = Arc::new(evaluator);
        self.evaluations.push(Evaluation { name, summary, params: Vec::new(), antisymmetric });
        self.evaluators.push(Box::new(move |_| evaluator.clone()));
        self
    }

    pub(crate) fn evaluator_with<O: Default + 'static, E: Evaluator<G> + 'static>(
        mut self,
        name: &'static str,
        summary: &'static str,
        keys: &'static [Key<O>],
        make: fn(O) -> E,
    ) -> Self {
        let antisymmetric = make(O::default()).is_antisymmetric();
        let params = keys.iter().map(Key::param).collect();
        self.evaluations.push(Evaluation { name, summary, params, antisymmetric });
        self.evaluators.push(Box::new(move |args| Arc::new(make(options(keys, args)))));
        self
    }

    /// Declares all capabilities except [`zero_sum`](Capabilities::zero_sum) and evaluations.
    pub(crate) fn complete(self) -> Self
    where
        G: Symmetric + Drawn,
    {
        self.symmetric().drawn()
    }

    pub(crate) fn agent_defaults(self, agent_defaults: &'static [&'static str]) -> Self {
        Self { agent_defaults, ..self }
    }

    pub(crate) fn tuned(self, tuned: &'static [TunedAgent]) -> Self {
        Self { tuned, ..self }
    }

    pub(crate) fn written_playouts(self, written: WrittenPlayouts<G>) -> Self {
        Self { written_playouts: Some(written), ..self }
    }

    pub(crate) fn tree_file(self, file: TreeFile) -> Self {
        Self { tree_file: Some(file), ..self }
    }

    pub(crate) fn first_players_view(self) -> Self {
        Self { first_players_view: true, ..self }
    }
}

/// Agent that was added to a [`Catalog`] by [`Catalog::with_agent`].
#[derive(Clone)]
pub struct AgentEntry {
    /// Its name in spec strings.
    pub name: &'static str,
    /// One-line description.
    pub summary: &'static str,
    /// Type of the games it plays.
    game: TypeId,
    /// A [`TypedConstructor`] for the type of the games.
    make: Arc<dyn Any + Send + Sync>,
}

/// Makes an agent of another crate from its seed.
type OwnConstructor<G> = dyn Fn(&Arc<Rules<G>>, u64) -> Box<dyn AnyAgent> + Send + Sync;

/// [`OwnConstructor`] with a type of its own, so that [`AgentEntry`] can store it as [`Any`].
struct TypedConstructor<G: Game>(Box<OwnConstructor<G>>);

impl AgentEntry {
    pub(crate) fn new<G: Game + 'static, A: Agent<G> + 'static>(
        name: &'static str,
        summary: &'static str,
        make: impl Fn(u64) -> A + Send + Sync + 'static,
    ) -> Self {
        check_name(name);
        let make = TypedConstructor::<G>(Box::new(move |rules, seed| {
            seat(rules, make(seed), crate::agents::QueryDefaults::default())
        }));
        Self { name, summary, game: TypeId::of::<G>(), make: Arc::new(make) }
    }

    /// Returns true if both agents have the same name and type of games.
    pub(crate) fn replaces(&self, other: &Self) -> bool {
        (self.name, self.game) == (other.name, other.game)
    }

    /// Makes the agent, if it plays games of this type.
    pub(crate) fn make<G: Game + 'static>(
        &self,
        rules: &Arc<Rules<G>>,
        seed: u64,
    ) -> Option<Box<dyn AnyAgent>> {
        self.make.downcast_ref::<TypedConstructor<G>>().map(|make| (make.0)(rules, seed))
    }
}

impl fmt::Debug for AgentEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgentEntry")
            .field("name", &self.name)
            .field("game", &self.game)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use tussle_games::TicTacToe;

    use super::Entry;

    #[test]
    fn a_name_that_no_spec_can_contain_is_rejected() {
        for name in ["", "a:b", "a,b", "a b", "a=b", " a"] {
            assert!(catch_unwind(|| Entry::new(name, TicTacToe)).is_err(), "{name:?}");
        }
        for name in ["heap", "keep-on-moving", "go_9x9", "größer", "v2.1"] {
            assert!(catch_unwind(|| Entry::new(name, TicTacToe)).is_ok(), "{name:?}");
        }
    }
}
