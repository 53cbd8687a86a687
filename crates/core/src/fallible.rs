//! Rules that can fail: games in another process, in another language or over a network.

use std::collections::HashMap;
use std::error::Error;
use std::fmt::{self, Debug};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::{Game, Hashed, Notation, ParseError, Payoffs, Rng, Turn, ZeroSum};

/// Number of positions that a [`Fallible`] keeps by default.
const DEFAULT_MAX_POSITIONS: usize = 1 << 16;

/// Text of a move or position after an error of the rules.
const NO_TEXT: &str = "?";

/// Rules whose answers may be errors. [`Fallible`] makes a [`Game`] of them.
///
/// # Contract
/// As for [`Game`], as long as no method returns an error. Equal states have equal hashes.
pub trait TryGame: Send + Sync {
    /// A position, or a handle of one in another process.
    type State: Clone + Eq + Hash + Debug + Send + Sync;
    /// A move, or an outcome of chance. It need not be `Copy`: a text is fine.
    type Move: Clone + Eq + Hash + Debug + Send + Sync;
    /// Error of the rules.
    type Error: Error + Send + Sync + 'static;

    /// Returns the number of players [default: 2].
    fn players(&self) -> usize {
        2
    }

    /// Returns the bounds of utilities [default: those of [`Game::payoffs`]].
    fn payoffs(&self) -> Payoffs {
        Payoffs::of_players(self.players())
    }

    /// Returns true if the game has chance nodes [default: false].
    fn has_chance(&self) -> bool {
        false
    }

    /// Returns the position a game starts from.
    ///
    /// # Errors
    /// If the rules cannot answer; likewise for all other methods.
    fn start(&self) -> Result<Self::State, Self::Error>;

    /// Returns the player to move, chance, or the end of the game.
    ///
    /// # Errors
    /// If the rules cannot answer.
    fn turn(&self, state: &Self::State) -> Result<Turn, Self::Error>;

    /// Returns every legal move, or every outcome of a chance node.
    ///
    /// # Errors
    /// If the rules cannot answer.
    fn moves(&self, state: &Self::State) -> Result<Vec<Self::Move>, Self::Error>;

    /// Returns the position after a legal move.
    ///
    /// # Errors
    /// If the rules cannot answer.
    fn play(&self, state: &Self::State, mv: &Self::Move) -> Result<Self::State, Self::Error>;

    /// Returns the utility of a finished game for `player`.
    ///
    /// # Errors
    /// If the rules cannot answer.
    fn utility(&self, state: &Self::State, player: usize) -> Result<f64, Self::Error>;

    /// Returns the probability of a chance outcome [default: 1].
    ///
    /// # Errors
    /// If the rules cannot answer.
    fn probability(&self, state: &Self::State, outcome: &Self::Move) -> Result<f64, Self::Error> {
        let _ = (state, outcome);
        Ok(1.0)
    }
}

/// A [`TryGame`] of two players in which one's gain is the other's loss. Its [`Fallible`] is
/// [`ZeroSum`].
pub trait TryZeroSum: TryGame {}

/// A [`TryGame`] whose moves and positions have texts: then its [`Fallible`] has [`Notation`].
///
/// # Contract
/// As for [`Notation`], as long as no method returns an error.
pub trait TryNotation: TryGame {
    /// Returns the text of a legal move.
    ///
    /// # Errors
    /// If the rules cannot answer.
    fn move_text(&self, state: &Self::State, mv: &Self::Move) -> Result<String, Self::Error>;

    /// Returns the position in one line.
    ///
    /// # Errors
    /// If the rules cannot answer.
    fn position_text(&self, state: &Self::State) -> Result<String, Self::Error>;

    /// Returns the position with this text; `None` if these rules cannot have it.
    ///
    /// # Errors
    /// If the rules cannot answer.
    fn parse_position(&self, text: &str) -> Result<Option<Self::State>, Self::Error>;
}

/// First error of a game whose rules failed.
///
/// Two values are equal only if they are clones of the same error.
#[derive(Clone)]
pub struct RulesError(Arc<dyn Error + Send + Sync>);

impl RulesError {
    /// Wraps an error of the rules.
    pub fn new(error: impl Error + Send + Sync + 'static) -> Self {
        Self(Arc::new(error))
    }

    /// Returns the error of the rules, for example to downcast it.
    pub fn get(&self) -> &(dyn Error + Send + Sync + 'static) {
        &*self.0
    }
}

impl Debug for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RulesError").field(&self.0).finish()
    }
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the rules of the game failed: {}", self.0)
    }
}

impl Error for RulesError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.0)
    }
}

impl PartialEq for RulesError {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for RulesError {}

/// A [`Game`] made of a [`TryGame`]: keeps the first error and ends every game after it.
///
/// After an error every turn is [`Turn::Over`], no position has moves, and all utilities are 0. So
/// every search ends by itself, calls [`Game::failure`], and returns the error.
///
/// # Memory
/// - A position is behind an `Arc` and caches its turn and its moves. The latest positions and the moves
///   between them are kept, so that the rules are asked only once about a position that a search visits
///   again. At [`with_max_positions`](Fallible::with_max_positions) [default: 65,536] all of them are
///   dropped at once, except those that a search holds.
/// - A move is a number of 32 bits. The moves themselves are never dropped: memory grows with the number
///   of different moves of the game, not with the number of positions.
///
/// ```
/// use tussle_core::{Fallible, Game, TryGame, Turn};
///
/// /// Counts down from 3 and loses its connection at 1.
/// struct Remote;
///
/// impl TryGame for Remote {
///     type State = u32;
///     type Move = String;
///     type Error = std::io::Error;
///
///     fn start(&self) -> Result<u32, Self::Error> {
///         Ok(3)
///     }
///     fn turn(&self, &left: &u32) -> Result<Turn, Self::Error> {
///         match left {
///             1 => Err(std::io::ErrorKind::ConnectionReset.into()),
///             _ => Ok(Turn::Player(0)),
///         }
///     }
///     fn moves(&self, _: &u32) -> Result<Vec<String>, Self::Error> {
///         Ok(vec!["down".to_owned()])
///     }
///     fn play(&self, left: &u32, _: &String) -> Result<u32, Self::Error> {
///         Ok(left - 1)
///     }
///     fn utility(&self, _: &u32, _: usize) -> Result<f64, Self::Error> {
///         Ok(0.0)
///     }
/// }
///
/// let game = Fallible::new(Remote);
/// let mut state = game.start();
/// while let Some(&mv) = game.legal_moves(&state).first() {
///     game.play(&mut state, mv);
///     game.turn(&state);
/// }
/// assert_eq!(state.get(), Some(&1));
/// assert_eq!(game.turn(&game.start()), Turn::Over);
/// assert!(game.failure().is_some());
/// ```
pub struct Fallible<T: TryGame> {
    rules: T,
    error: OnceLock<RulesError>,
    /// Number of this `Fallible`, which its positions carry.
    owner: u64,
    max_positions: usize,
    memory: Mutex<Memory<T>>,
}

/// Positions and moves seen so far.
struct Memory<T: TryGame> {
    /// All moves, by their numbers.
    moves: Vec<T::Move>,
    numbers: HashMap<T::Move, u32>,
    /// Positions by their states, and positions after a move of a position.
    positions: HashMap<Arc<T::State>, FallibleState<T::State>>,
    successors: HashMap<(u64, u32), FallibleState<T::State>>,
    next_id: u64,
}

/// Position of a [`Fallible`]; cheap to clone.
///
/// A position belongs to the `Fallible` that created it. It never equals a position of another one, and
/// another one treats it as a finished game.
#[derive(Clone)]
pub struct FallibleState<S>(Option<Arc<Node<S>>>);

struct Node<S> {
    owner: u64,
    /// Number of the position; numbers are never reused.
    id: u64,
    state: Arc<S>,
    turn: OnceLock<Turn>,
    moves: OnceLock<Box<[MoveId]>>,
}

impl<S> FallibleState<S> {
    /// Position after an error.
    const LOST: Self = Self(None);

    /// Returns the state, unless the rules failed to give it.
    pub fn get(&self) -> Option<&S> {
        self.0.as_deref().map(|node| &*node.state)
    }
}

impl<S: PartialEq> PartialEq for FallibleState<S> {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(a), Some(b)) => {
                a.owner == b.owner && (Arc::ptr_eq(&a.state, &b.state) || a.state == b.state)
            }
            _ => false,
        }
    }
}

impl<S: Eq> Eq for FallibleState<S> {}

impl<S: Debug> Debug for FallibleState<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.get() {
            Some(state) => state.fmt(f),
            None => f.write_str("no position: the rules failed"),
        }
    }
}

/// Number of a move of a [`Fallible`], in the order in which the rules first listed them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoveId(u32);

impl MoveId {
    /// Stands for a move where the rules failed to list any.
    const NONE: Self = Self(u32::MAX);
}

/// Error of a move that the rules never listed, such as the move of another game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct UnknownMove(MoveId);

impl fmt::Display for UnknownMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "move number {}: expected a move that this game has listed", self.0.0)
    }
}

impl Error for UnknownMove {}

/// Error of a game with more different moves than there are numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TooManyMoves;

impl fmt::Display for TooManyMoves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("more than 4,294,967,295 different moves")
    }
}

impl Error for TooManyMoves {}

impl<T: TryGame> Fallible<T> {
    /// Makes a game of rules that can fail.
    pub fn new(rules: T) -> Self {
        static OWNERS: AtomicU64 = AtomicU64::new(0);
        let memory = Memory {
            moves: Vec::new(),
            numbers: HashMap::new(),
            positions: HashMap::new(),
            successors: HashMap::new(),
            next_id: 0,
        };
        Self {
            rules,
            error: OnceLock::new(),
            owner: OWNERS.fetch_add(1, Ordering::Relaxed),
            max_positions: DEFAULT_MAX_POSITIONS,
            memory: Mutex::new(memory),
        }
    }

    /// Sets the number of positions to keep.
    #[must_use]
    pub fn with_max_positions(self, max_positions: usize) -> Self {
        Self { max_positions, ..self }
    }

    /// Returns the rules.
    pub fn rules(&self) -> &T {
        &self.rules
    }

    /// Returns a mutable reference to the rules, for example to reconnect.
    pub fn rules_mut(&mut self) -> &mut T {
        &mut self.rules
    }

    /// Clears the error and returns it: the rules are asked again. Positions that could not be computed because
    /// of the error stay finished.
    pub fn recover(&mut self) -> Option<RulesError> {
        self.error.take()
    }

    /// Returns the move with this number, if the rules have listed it.
    pub fn move_of(&self, id: MoveId) -> Option<T::Move> {
        self.memory().moves.get(id.0 as usize).cloned()
    }

    /// Returns the number of a move, if the rules have listed it.
    pub fn id_of(&self, mv: &T::Move) -> Option<MoveId> {
        self.memory().numbers.get(mv).copied().map(MoveId)
    }

    /// Locks the memory. A poisoned lock is usable, because the memory is consistent after every statement.
    fn memory(&self) -> MutexGuard<'_, Memory<T>> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the rules. Keeps their first error, after which they are not asked any more.
    fn ask<A, E: Error + Send + Sync + 'static>(
        &self,
        question: impl FnOnce(&T) -> Result<A, E>,
    ) -> Option<A> {
        if self.error.get().is_some() {
            return None;
        }
        match question(&self.rules) {
            Ok(answer) => Some(answer),
            Err(error) => {
                let _ = self.error.set(RulesError::new(error));
                None
            }
        }
    }

    /// Returns the node of a position, unless the rules have failed or another game made it.
    fn node<'a>(&self, position: &'a FallibleState<T::State>) -> Option<&'a Node<T::State>> {
        let is_usable = |node: &&Node<_>| node.owner == self.owner && self.error.get().is_none();
        position.0.as_deref().filter(is_usable)
    }

    /// Returns the position of a state, the same for equal states as long as it is kept.
    fn intern(&self, memory: &mut Memory<T>, state: T::State) -> FallibleState<T::State> {
        if let Some(position) = memory.positions.get(&state) {
            return position.clone();
        }
        if memory.positions.len() >= self.max_positions {
            memory.positions.clear();
            memory.successors.clear();
        }
        let state = Arc::new(state);
        let node = Node {
            owner: self.owner,
            id: memory.next_id,
            state: state.clone(),
            turn: OnceLock::new(),
            moves: OnceLock::new(),
        };
        memory.next_id += 1;
        let position = FallibleState(Some(Arc::new(node)));
        memory.positions.insert(state, position.clone());
        position
    }

    /// Numbers moves.
    fn number(&self, moves: Vec<T::Move>) -> Result<Box<[MoveId]>, TooManyMoves> {
        let mut memory = self.memory();
        let Memory { moves: known, numbers, .. } = &mut *memory;
        let number = |mv: T::Move| {
            if let Some(&number) = numbers.get(&mv) {
                return Ok(MoveId(number));
            }
            let number = u32::try_from(known.len()).ok().filter(|&number| number < u32::MAX);
            let number = number.ok_or(TooManyMoves)?;
            known.push(mv.clone());
            numbers.insert(mv, number);
            Ok(MoveId(number))
        };
        moves.into_iter().map(number).collect()
    }

    /// Returns the moves of a position; none if the rules fail.
    fn listed<'a>(&self, node: &'a Node<T::State>) -> &'a [MoveId] {
        if let Some(moves) = node.moves.get() {
            return moves;
        }
        let moves = self.ask(|rules| rules.moves(&node.state));
        let Some(moves) = moves.and_then(|moves| self.ask(|_| self.number(moves))) else {
            return &[];
        };
        node.moves.get_or_init(|| moves)
    }

    fn successor(&self, node: &Node<T::State>, mv: MoveId) -> Option<FallibleState<T::State>> {
        let known = {
            let memory = self.memory();
            if let Some(position) = memory.successors.get(&(node.id, mv.0)) {
                return Some(position.clone());
            }
            memory.moves.get(mv.0 as usize).cloned()
        };
        let known = self.ask(|_| known.ok_or(UnknownMove(mv)))?;
        let state = self.ask(|rules| rules.play(&node.state, &known))?;
        let mut memory = self.memory();
        let position = self.intern(&mut memory, state);
        // Cycles between kept positions could add successors without limit.
        if memory.successors.len() >= self.max_positions.saturating_mul(8) {
            memory.successors.clear();
        }
        memory.successors.insert((node.id, mv.0), position.clone());
        Some(position)
    }
}

impl<T: TryGame + Debug> Debug for Fallible<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let error = self.error.get();
        f.debug_struct("Fallible")
            .field("rules", &self.rules)
            .field("error", &error)
            .finish_non_exhaustive()
    }
}

impl<T: TryGame> Game for Fallible<T> {
    type State = FallibleState<T::State>;
    type Move = MoveId;

    fn players(&self) -> usize {
        self.rules.players()
    }

    fn start(&self) -> Self::State {
        let Some(state) = self.ask(T::start) else { return FallibleState::LOST };
        self.intern(&mut self.memory(), state)
    }

    fn turn(&self, state: &Self::State) -> Turn {
        let Some(node) = self.node(state) else { return Turn::Over };
        if let Some(&turn) = node.turn.get() {
            return turn;
        }
        match self.ask(|rules| rules.turn(&node.state)) {
            Some(turn) => *node.turn.get_or_init(|| turn),
            None => Turn::Over,
        }
    }

    fn moves(&self, state: &Self::State, out: &mut Vec<MoveId>) {
        if let Some(node) = self.node(state) {
            out.extend_from_slice(self.listed(node));
        }
    }

    fn play(&self, state: &mut Self::State, mv: MoveId) {
        let next = self.node(state).and_then(|node| self.successor(node, mv));
        *state = next.unwrap_or(FallibleState::LOST);
    }

    fn utility(&self, state: &Self::State, player: usize) -> f64 {
        let Some(node) = self.node(state) else { return 0.0 };
        self.ask(|rules| rules.utility(&node.state, player)).unwrap_or(0.0)
    }

    fn payoffs(&self) -> Payoffs {
        self.rules.payoffs()
    }

    fn has_chance(&self) -> bool {
        self.rules.has_chance()
    }

    fn probability(&self, state: &Self::State, outcome: MoveId) -> f64 {
        let Some(node) = self.node(state) else { return 0.0 };
        let known = self.move_of(outcome);
        let known = self.ask(|_| known.ok_or(UnknownMove(outcome)));
        known
            .and_then(|known| self.ask(|rules| rules.probability(&node.state, &known)))
            .unwrap_or(0.0)
    }

    fn failure(&self) -> Option<RulesError> {
        self.error.get().cloned()
    }

    /// Draws an outcome. After an error, returns a move that no position has.
    fn sample(&self, state: &Self::State, rng: &mut Rng, _: &mut Vec<MoveId>) -> MoveId {
        let outcomes = self.node(state).map_or(&[][..], |node| self.listed(node));
        let mut left = rng.unit();
        for &outcome in outcomes {
            left -= self.probability(state, outcome);
            if left < 0.0 {
                return outcome;
            }
        }
        outcomes.last().copied().unwrap_or(MoveId::NONE)
    }
}

impl<T: TryZeroSum> ZeroSum for Fallible<T> {}

/// After an error, texts are `?`, and no position can be read.
impl<T: TryNotation> Notation for Fallible<T> {
    fn move_text(&self, state: &Self::State, mv: MoveId) -> String {
        let text = self
            .node(state)
            .zip(self.move_of(mv))
            .and_then(|(node, mv)| self.ask(|rules| rules.move_text(&node.state, &mv)));
        text.unwrap_or_else(|| NO_TEXT.to_owned())
    }

    fn position_text(&self, state: &Self::State) -> String {
        let text =
            self.node(state).and_then(|node| self.ask(|rules| rules.position_text(&node.state)));
        text.unwrap_or_else(|| NO_TEXT.to_owned())
    }

    fn parse_position(&self, text: &str) -> Result<Self::State, ParseError> {
        match self.ask(|rules| rules.parse_position(text)) {
            Some(Some(state)) => Ok(self.intern(&mut self.memory(), state)),
            Some(None) => {
                Err(ParseError::new(format!("`{text}`: expected a position of this game")))
            }
            None => {
                let error = self.failure().map(|error| error.to_string());
                Err(ParseError::new(error.unwrap_or_default()))
            }
        }
    }
}

impl<T: TryGame> Hashed for Fallible<T> {
    fn board_key(&self, state: &Self::State) -> u64 {
        let mut hasher = DefaultHasher::new();
        state.get().hash(&mut hasher);
        hasher.finish()
    }
}
