//! The rules of a game.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{Rng, RulesError};

/// Player to move, chance, or the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// A player is to move; players are numbered from 0.
    Player(usize),
    /// A random event with known probabilities comes next. The moves are its outcomes.
    Chance,
    /// The game has ended.
    Over,
}

/// Bounds of the utilities of finished games, by which searches prune.
///
/// # Contract
/// No utility is below `least` or above `most`, and the utilities of all players together are
/// never above `sum`. All of them are finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Payoffs {
    /// Lowest utility of a player.
    pub least: f64,
    /// Highest utility of a player.
    pub most: f64,
    /// Highest sum of the utilities of all players.
    pub sum: f64,
    /// True if utilities are amounts in the unit of the evaluations, such as the margin in Go:
    /// searches then compare utilities and evaluations as numbers. Otherwise searches rank a win above
    /// every evaluation, and an early win above a late one.
    pub points: bool,
}

impl Payoffs {
    /// Bounds for two players: +1 for a win, 0 for a draw, -1 for a loss.
    pub const DUEL: Self = Self { least: -1.0, most: 1.0, sum: 0.0, points: false };
    /// Bounds for more than two players: the winners share 1.
    pub const SHARED: Self = Self { least: 0.0, most: 1.0, sum: 1.0, points: false };

    /// Returns the usual bounds for this number of players.
    pub const fn of_players(players: usize) -> Self {
        if players <= 2 { Self::DUEL } else { Self::SHARED }
    }
}

/// Rules of a game, as a value: `Connect4 { width: 7, … }` holds everything that does not
/// change during a game.
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
/// - Every sequence of moves ends; in a game with chance, with probability 1.
///
/// If a game breaks this contract, searches give wrong answers. The suite in
/// `tussle-conformance` tests the rules of a game against it.
///
/// # Speed
/// `moves`, `play`, `visit` and `playout` run millions of times per second: they should not
/// allocate beyond the growth of the caller's buffer.
pub trait Game: Send + Sync {
    /// A position: plain data, as small as it can be.
    type State: Clone + Eq + Debug + Send + Sync;
    /// A move, or an outcome of chance.
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// Returns the number of players [default: 2].
    fn players(&self) -> usize {
        2
    }

    /// Returns the position a game starts from.
    fn start(&self) -> Self::State;

    /// Returns the player to move, chance, or the end of the game.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Appends every legal move (at a chance node, every outcome) to `out`.
    fn moves(&self, state: &Self::State, out: &mut Vec<Self::Move>);

    /// Makes a legal move.
    fn play(&self, state: &mut Self::State, mv: Self::Move);

    /// Returns the utility of a finished game for `player`.
    ///
    /// Two-player games use +1, 0 and -1, unless their rules count points; in games of more players
    /// the winners share 1. Only called when the turn is [`Turn::Over`].
    fn utility(&self, state: &Self::State, player: usize) -> f64;

    /// Returns the bounds of utilities [default: those that [`utility`](Game::utility) names for
    /// this number of players].
    fn payoffs(&self) -> Payoffs {
        Payoffs::of_players(self.players())
    }

    /// Returns the least and the largest value, result or evaluation, that any position has for `player`, if the
    /// game itself declares them [default: `None`]. Searches then use [`payoffs`](Game::payoffs) and the range of
    /// the evaluation instead.
    fn value_range(&self, player: usize) -> Option<(f64, f64)> {
        let _ = player;
        None
    }

    /// Returns true if the game has chance nodes [default: false].
    fn has_chance(&self) -> bool {
        false
    }

    /// Returns the names of the move classes that opponent models distinguish [default: none].
    fn move_classes(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns the class of a legal move, as an index into [`move_classes`](Game::move_classes).
    fn move_class(&self, state: &Self::State, mv: Self::Move) -> usize {
        let _ = (state, mv);
        0
    }

    /// Returns the probability of a chance outcome that `moves` lists; the probabilities sum to 1.
    ///
    /// Only called when the turn is [`Turn::Chance`]; games without chance need not override it.
    fn probability(&self, state: &Self::State, outcome: Self::Move) -> f64 {
        let _ = (state, outcome);
        1.0
    }

    /// Appends the first move of every class of equivalent moves: those that lead to positions
    /// of equal value for a reason that the rules know, such as two equal pieces in hand or two
    /// twists with the same result. The default appends all moves.
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

    /// Returns true if [`heavy_playout`](Game::heavy_playout) differs from random play [default: false].
    fn has_heavy_playout(&self) -> bool {
        false
    }

    /// Plays to the end with knowledge of the game, for example by taking wins and preventing
    /// losses. Otherwise like [`playout`](Game::playout), which is the default.
    fn heavy_playout(
        &self,
        state: &mut Self::State,
        rng: &mut Rng,
        scratch: &mut Vec<Self::Move>,
    ) -> u32 {
        self.playout(state, rng, scratch)
    }

    /// Like [`heavy_playout`](Game::heavy_playout), and appends each move of a player with that player
    /// to `record`.
    ///
    /// The default records nothing if the game has heavy playouts. A game that overrides
    /// `heavy_playout` should override this method too, so that searches can use the moves.
    fn recorded_heavy_playout(
        &self,
        state: &mut Self::State,
        rng: &mut Rng,
        scratch: &mut Vec<Self::Move>,
        record: &mut Vec<(usize, Self::Move)>,
    ) -> u32 {
        if self.has_heavy_playout() {
            self.heavy_playout(state, rng, scratch)
        } else {
            self.recorded_playout(state, rng, scratch, record)
        }
    }

    /// Returns the first error of rules that can fail; `None` for all others.
    ///
    /// After an error every turn is [`Turn::Over`], `moves` appends nothing, and utilities are 0: see
    /// [`Fallible`](crate::Fallible). A search calls this where it checks its limits and at its end, and returns the
    /// error instead of a report. A game that wraps another one must forward the call.
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
    /// and undoing it is cheaper than the copy: if the state is large or owns memory on
    /// the heap. An override may assume that `then` does not change its argument.
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

    /// Draws a random outcome of a chance node according to [`probability`](Game::probability).
    ///
    /// `scratch` is used as a stack and restored.
    ///
    /// # Panics
    /// If the game lists no outcomes, against its contract.
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

    /// Plays uniformly random moves until the game is over, and returns the number of plies.
    /// Chance outcomes are drawn according to their probabilities.
    ///
    /// A game may override it with something faster that has **the same distribution** over
    /// final positions and lengths. Afterwards only [`turn`](Game::turn) and
    /// [`utility`](Game::utility) of `state` are meaningful: an override need not update parts of
    /// the state that those two do not read. `scratch` is used as a stack and restored.
    fn playout(
        &self,
        state: &mut Self::State,
        rng: &mut Rng,
        scratch: &mut Vec<Self::Move>,
    ) -> u32 {
        random_playout(self, state, rng, scratch)
    }

    /// Like [`playout`](Game::playout), and appends each move of a player with that player to `record`.
    ///
    /// An override must have the same distribution over final positions and lengths, but it may play
    /// another game than `playout` does with the same random numbers.
    fn recorded_playout(
        &self,
        state: &mut Self::State,
        rng: &mut Rng,
        scratch: &mut Vec<Self::Move>,
        record: &mut Vec<(usize, Self::Move)>,
    ) -> u32 {
        let visit = |player, mv| record.push((player, mv));
        visited_random_playout(self, state, rng, scratch, visit)
    }
}

/// Plays uniformly random moves from the list of legal moves: the default of [`Game::playout`].
/// Tests compare faster overrides with it.
pub fn random_playout<G: Game + ?Sized>(
    game: &G,
    state: &mut G::State,
    rng: &mut Rng,
    scratch: &mut Vec<G::Move>,
) -> u32 {
    visited_random_playout(game, state, rng, scratch, |_, _| ())
}

/// Like [`random_playout`], and calls `visit` with each player and its move.
#[inline]
fn visited_random_playout<G: Game + ?Sized>(
    game: &G,
    state: &mut G::State,
    rng: &mut Rng,
    scratch: &mut Vec<G::Move>,
    mut visit: impl FnMut(usize, G::Move),
) -> u32 {
    let base = scratch.len();
    let mut plies = 0;
    loop {
        let mv = match game.turn(state) {
            Turn::Over => return plies,
            Turn::Chance => game.sample(state, rng, scratch),
            Turn::Player(player) => {
                game.moves(state, scratch);
                if scratch.len() == base {
                    return plies; // the rules have failed
                }
                let mv = scratch[base + rng.below(scratch.len() - base)];
                scratch.truncate(base);
                visit(player, mv);
                mv
            }
        };
        game.play(state, mv);
        plies += 1;
    }
}
