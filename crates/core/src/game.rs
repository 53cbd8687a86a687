//! The rules of a game.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{Rng, RulesError};

/// Whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// A player is to move; players are numbered from 0.
    Player(usize),
    /// Chance is to move: dice, cards. The moves are its outcomes.
    Chance,
    /// The game has ended.
    Over,
}

/// What finished games can be worth.
///
/// # Contract
/// No utility is below `least` or above `most`, and the utilities of all players together are
/// never above `sum`. All of them are finite. Searches prune by it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Payoffs {
    /// The least any player can get.
    pub least: f64,
    /// The most any player can get.
    pub most: f64,
    /// The most all players can get together.
    pub sum: f64,
    /// Whether utilities are amounts in the unit of the evaluations (the margin of a game of
    /// Go, the values written in a tree), so that half of a large one is better than a small
    /// one. Otherwise a win is a win: searches rank it above every evaluation, and an early
    /// one above a late one.
    pub points: bool,
}

impl Payoffs {
    /// Two players, won, drawn or lost: +1, 0 and -1.
    pub const DUEL: Self = Self { least: -1.0, most: 1.0, sum: 0.0, points: false };
    /// More players who share 1 among the winners.
    pub const SHARED: Self = Self { least: 0.0, most: 1.0, sum: 1.0, points: false };

    /// Returns the usual bounds for this number of players.
    pub const fn of_players(players: usize) -> Self {
        if players <= 2 { Self::DUEL } else { Self::SHARED }
    }
}

/// The rules of a game, as a value: `Connect4 { width: 7, … }` knows everything that does not
/// change while a game is played.
///
/// # Contract
/// - [`moves`](Game::moves) appends at least one move, or none if the turn is [`Turn::Over`];
///   each move once, always in the same order for equal states.
/// - [`play`](Game::play) and [`visit`](Game::visit) are called only with a move that `moves`
///   lists for that state. Anything else may panic or leave a wrong state; it may never be
///   unsound.
/// - [`visit`](Game::visit) shows the state that `play` leads to, and leaves a state equal (`==`)
///   to the one before.
/// - Equal states have equal turns, moves and utilities.
/// - Every sequence of moves ends, with chance: with probability 1.
///
/// Break one of these and searches give wrong answers; the conformance suite in
/// `tussle-conformance` looks for exactly these faults.
///
/// # Speed
/// `moves`, `play`, `visit` and `playout` run millions of times a second: they should not
/// allocate beyond the growth of the caller's buffer.
pub trait Game: Send + Sync {
    /// A position: plain data, as small as it can be.
    type State: Clone + Eq + Debug + Send + Sync;
    /// A move, or an outcome of chance.
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// The number of players, 2 unless the game says otherwise.
    fn players(&self) -> usize {
        2
    }

    /// The position a game starts from.
    fn start(&self) -> Self::State;

    /// Whose turn it is.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Appends every legal move (at a chance node, every outcome) to `out`.
    fn moves(&self, state: &Self::State, out: &mut Vec<Self::Move>);

    /// Makes a legal move.
    fn play(&self, state: &mut Self::State, mv: Self::Move);

    /// What a finished game is worth to `player`.
    ///
    /// Two-player games use +1, 0 and -1 unless they score more finely; games of more players
    /// share 1 among the winners. Only called when the turn is [`Turn::Over`].
    fn utility(&self, state: &Self::State, player: usize) -> f64;

    /// What finished games can be worth; by default what [`utility`](Game::utility) says for
    /// this number of players.
    fn payoffs(&self) -> Payoffs {
        Payoffs::of_players(self.players())
    }

    /// The least and the largest value, result or evaluation, that any position has for `player`, if the game
    /// itself declares them. Without them, [`payoffs`](Game::payoffs) and the range of the evaluation count.
    fn value_range(&self, player: usize) -> Option<(f64, f64)> {
        let _ = player;
        None
    }

    /// Whether chance is ever to move.
    fn has_chance(&self) -> bool {
        false
    }

    /// Returns the names of the classes of moves that opponent models tell apart; most games have none.
    fn move_classes(&self) -> &'static [&'static str] {
        &[]
    }

    /// The class of a legal move, as its place in [`move_classes`](Game::move_classes).
    fn move_class(&self, state: &Self::State, mv: Self::Move) -> usize {
        let _ = (state, mv);
        0
    }

    /// The probability of a chance outcome that `moves` lists; they sum to 1.
    ///
    /// Only called when the turn is [`Turn::Chance`]; games without chance leave it alone.
    fn probability(&self, state: &Self::State, outcome: Self::Move) -> f64 {
        let _ = (state, outcome);
        1.0
    }

    /// Appends the first move of every class of equivalent moves: moves that lead to positions
    /// of equal worth for a reason the rules know (two equal pieces in hand, twists that give
    /// the same board). The default keeps all moves.
    #[inline]
    fn distinct_moves(&self, state: &Self::State, out: &mut Vec<Self::Move>) {
        self.moves(state, out);
    }

    /// Returns true if [`noisy_moves`](Game::noisy_moves) ever lists a move.
    fn has_noisy_moves(&self) -> bool {
        false
    }

    /// Appends the noisy moves, such as captures: those after which an evaluation is unreliable,
    /// and which quiescence search follows beyond its horizon.
    fn noisy_moves(&self, state: &Self::State, out: &mut Vec<Self::Move>) {
        let _ = (state, out);
    }

    /// Whether [`heavy_playout`](Game::heavy_playout) is more than random play.
    fn has_heavy_playout(&self) -> bool {
        false
    }

    /// Plays on to the end with some sense: takes wins, prevents losses. Otherwise like
    /// [`playout`](Game::playout).
    fn heavy_playout(
        &self,
        state: &mut Self::State,
        rng: &mut Rng,
        scratch: &mut Vec<Self::Move>,
    ) -> u32 {
        self.playout(state, rng, scratch)
    }

    /// Returns the first error of rules that can fail; `None` for all others.
    ///
    /// After an error every turn is [`Turn::Over`], `moves` appends nothing, and utilities are 0: see
    /// [`Fallible`](crate::Fallible). A search asks where it checks its limits and at its end, and returns the error
    /// instead of a report. A game that wraps another one passes the call on.
    #[inline]
    fn failure(&self) -> Option<RulesError> {
        None
    }

    /// Returns every legal move (at a chance node, every outcome) in a new vector.
    ///
    /// Searches call [`moves`](Game::moves) with a buffer that they keep.
    fn legal_moves(&self, state: &Self::State) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.moves(state, &mut moves);
        moves
    }

    /// Calls `then` with the position after a legal move and returns its result; afterwards
    /// `state` equals the state before the call.
    ///
    /// The default plays the move on a copy of the state. Override it only where making the move
    /// and taking it back is cheaper than the copy: where the state is large or owns memory on
    /// the heap. An override may assume that `then` leaves its argument as it found it.
    #[inline]
    fn visit<R>(
        &self,
        state: &mut Self::State,
        mv: Self::Move,
        then: impl FnOnce(&mut Self::State) -> R,
    ) -> R {
        let mut child = state.clone();
        self.play(&mut child, mv);
        then(&mut child)
    }

    /// Draws an outcome of a chance node by its probability.
    ///
    /// `scratch` is used as a stack and left as it was found.
    ///
    /// # Panics
    /// If the game lists no outcomes, which a chance node always has.
    #[must_use]
    fn sample(
        &self,
        state: &Self::State,
        rng: &mut Rng,
        scratch: &mut Vec<Self::Move>,
    ) -> Self::Move {
        let base = scratch.len();
        self.moves(state, scratch);
        let mut left = rng.unit();
        let mut chosen = scratch[scratch.len() - 1];
        for &outcome in &scratch[base..] {
            left -= self.probability(state, outcome);
            if left < 0.0 {
                chosen = outcome;
                break;
            }
        }
        scratch.truncate(base);
        chosen
    }

    /// Plays uniformly random moves (chance by its probabilities) until the game is over, and
    /// returns how many plies that took.
    ///
    /// A game may override it with something faster that has **the same distribution** over
    /// final positions and lengths. Afterwards only [`turn`](Game::turn) and
    /// [`utility`](Game::utility) of `state` are meaningful: an override need not keep up what
    /// those two do not read. `scratch` is used as a stack and left as it was found.
    fn playout(
        &self,
        state: &mut Self::State,
        rng: &mut Rng,
        scratch: &mut Vec<Self::Move>,
    ) -> u32 {
        random_playout(self, state, rng, scratch)
    }
}

/// What [`Game::playout`] does unless a game has something faster: moves from the list, one
/// after another. Tests compare the fast ones with it.
pub fn random_playout<G: Game + ?Sized>(
    game: &G,
    state: &mut G::State,
    rng: &mut Rng,
    scratch: &mut Vec<G::Move>,
) -> u32 {
    let base = scratch.len();
    let mut plies = 0;
    loop {
        let mv = match game.turn(state) {
            Turn::Over => return plies,
            Turn::Chance => game.sample(state, rng, scratch),
            Turn::Player(_) => {
                game.moves(state, scratch);
                if scratch.len() == base {
                    return plies; // the rules have failed
                }
                let mv = scratch[base + rng.below(scratch.len() - base)];
                scratch.truncate(base);
                mv
            }
        };
        game.play(state, mv);
        plies += 1;
    }
}
