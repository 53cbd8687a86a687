//! Crate `mcts`, which has no games, with bitboards and random playouts as fast as ours.
//!
//! A simulation adds the first position that is not in the tree, with the list of its moves, and plays a
//! random playout from it. A finished position keeps its value and needs no further playouts.

use std::marker::PhantomData;

use ::mcts::tree_policy::UCTPolicy;
use ::mcts::{Evaluator, GameState, MCTS, MCTSManager, SearchHandle};
use rand::SeedableRng;
use rand::rngs::SmallRng;

use crate::Answer;
use crate::boards::{connect4, tictactoe};
use crate::error::RequestError;
use crate::measurement::{simulated, timed};

/// Exploration constant. The crate doubles it, and its rewards are 1 and -1 instead of 1 and 0, so it
/// corresponds to our √2.
const EXPLORATION: f64 = std::f64::consts::SQRT_2;

/// Answers `mcts` for `connect4` and `tictactoe` with `n` simulations.
pub fn answer(kind: &str, task: &str, n: u64) -> Answer {
    match (kind, task) {
        ("mcts", "connect4") => search(connect4::Board::default(), n, |cell| cell / 7),
        ("mcts", "tictactoe") => search(tictactoe::Board::default(), n, |cell| cell),
        _ => Err(RequestError::unsupported("mcts", kind, task)),
    }
}

/// Runs a search with one thread, without a table, and with the defaults of the crate. The time includes
/// the creation and the release of the tree.
fn search<B: Board>(start: B, n: u64, place: fn(u8) -> u8) -> Answer {
    let (best, cpu, wall) = timed(|| {
        let policy = UCTPolicy::new(EXPLORATION);
        let mut search = MCTSManager::new(start, Search(PhantomData), RandomGames, policy, ());
        search.playout_n(n);
        search.best_move()
    });
    simulated(n, cpu, wall, best.map(|cell| place(cell).into()))
}

/// Board with random playouts. Players are 1 and -1, moves are cells.
trait Board: GameState<Player = i8, Move = u8, MoveList = Cells> + Sync {
    /// Returns the result for the player who just moved, or `None` for an unfinished game.
    fn end(&self) -> Option<i32>;
    /// Plays a random playout and returns the result for the player who just moved.
    fn playout(&self, rng: &mut SmallRng) -> i32;
}

/// Search of a game.
struct Search<B>(PhantomData<fn() -> B>);

impl<B: Board> MCTS for Search<B> {
    type State = B;
    type Eval = RandomGames;
    type TreePolicy = UCTPolicy;
    type NodeData = ();
    type TranspositionTable = ();
    type ExtraThreadData = Generator;
}

struct Generator(SmallRng);

impl Default for Generator {
    fn default() -> Self {
        Self(SmallRng::from_entropy())
    }
}

struct RandomGames;

impl<B: Board> Evaluator<Search<B>> for RandomGames {
    /// Result for player 1.
    type StateEvaluation = i8;

    #[inline]
    fn evaluate_new_state(
        &self,
        board: &B,
        moves: &Cells,
        handle: Option<SearchHandle<Search<B>>>,
    ) -> (Vec<()>, i8) {
        let value = match handle {
            _ if moves.len() == 0 => board.end().unwrap_or(0),
            Some(mut handle) => board.playout(&mut handle.thread_data().extra_data.0),
            None => 0, // the root before the first simulation; the value is not used
        };
        (vec![(); moves.len()], -board.current_player() * value as i8)
    }

    #[inline]
    fn evaluate_existing_state(&self, _: &B, value: &i8, _: SearchHandle<Search<B>>) -> i8 {
        *value
    }

    #[inline]
    fn interpret_evaluation_for_player(&self, value: &i8, player: &i8) -> i64 {
        i64::from(value * player)
    }
}

/// Set of cells, iterated from the lowest.
pub struct Cells(u64);

impl Iterator for Cells {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        let cell = (self.0 != 0).then(|| self.0.trailing_zeros() as u8);
        self.0 &= self.0.wrapping_sub(1);
        cell
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Cells {}

impl GameState for connect4::Board {
    type Move = u8;
    type Player = i8;
    type MoveList = Cells;

    #[inline]
    fn current_player(&self) -> i8 {
        1 - 2 * (self.plies & 1) as i8
    }

    #[inline]
    fn available_moves(&self) -> Cells {
        Cells(if self.end().is_some() { 0 } else { self.landings() })
    }

    #[inline]
    fn make_move(&mut self, cell: &u8) {
        *self = self.after(1 << cell);
    }
}

impl Board for connect4::Board {
    #[inline]
    fn end(&self) -> Option<i32> {
        self.end()
    }

    #[inline]
    fn playout(&self, rng: &mut SmallRng) -> i32 {
        (*self).playout(rng)
    }
}

impl GameState for tictactoe::Board {
    type Move = u8;
    type Player = i8;
    type MoveList = Cells;

    #[inline]
    fn current_player(&self) -> i8 {
        1 - 2 * ((self.mover | self.opponent).count_ones() & 1) as i8
    }

    #[inline]
    fn available_moves(&self) -> Cells {
        Cells(if self.end().is_some() { 0 } else { self.free().into() })
    }

    #[inline]
    fn make_move(&mut self, cell: &u8) {
        *self = self.after(1 << cell);
    }
}

impl Board for tictactoe::Board {
    #[inline]
    fn end(&self) -> Option<i32> {
        self.end()
    }

    #[inline]
    fn playout(&self, rng: &mut SmallRng) -> i32 {
        (*self).playout(rng)
    }
}
