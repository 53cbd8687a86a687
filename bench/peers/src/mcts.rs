//! The crate `mcts`, which brings no games: bitboards and random games as fast as ours.
//!
//! A simulation goes down to a position that is not in the tree yet and adds it, with the list of
//! its moves, at once; a random game from there is its value. A position that is over keeps its
//! value and needs no further game.

use std::marker::PhantomData;

use ::mcts::tree_policy::UCTPolicy;
use ::mcts::{Evaluator, GameState, MCTS, MCTSManager, SearchHandle};
use rand::SeedableRng;
use rand::rngs::SmallRng;

use crate::Answer;
use crate::boards::{connect4, tictactoe};
use crate::found::{simulated, timed};

/// Rewards are 1 and -1 here, so this is our sqrt 2: the crate doubles it.
const EXPLORATION: f64 = std::f64::consts::SQRT_2;

/// `connect4` and `tictactoe`, with this many simulations.
pub fn answer(kind: &str, task: &str, n: u64) -> Answer {
    match (kind, task) {
        ("mcts", "connect4") => search(connect4::Board::default(), n, |cell| cell / 7),
        ("mcts", "tictactoe") => search(tictactoe::Board::default(), n, |cell| cell),
        _ => Err(format!("mcts does not have {kind} {task}")),
    }
}

/// One thread, no table, everything else as the crate has it. The tree is made and dropped while
/// the clock runs.
fn search<B: Board>(start: B, n: u64, place: fn(u8) -> u8) -> Answer {
    let (best, cpu, wall) = timed(|| {
        let policy = UCTPolicy::new(EXPLORATION);
        let mut search = MCTSManager::new(start, Search(PhantomData), RandomGames, policy, ());
        search.playout_n(n);
        search.best_move()
    });
    simulated(n, cpu, wall, best.map(|cell| place(cell).into()))
}

/// What random games need beyond the crate's rules. A player is 1 or -1, a move a cell.
trait Board: GameState<Player = i8, Move = u8, MoveList = Cells> + Sync {
    /// What the end is worth to the player who just moved.
    fn end(&self) -> Option<i32>;
    /// What a random end is worth to the player who just moved.
    fn playout(&self, rng: &mut SmallRng) -> i32;
}

/// A search of a game.
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
    /// For the player 1.
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
            None => 0, // the root, before the first simulation; nobody looks at it
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

/// A set of cells, from the lowest on.
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
        1 - 2 * ((self.mover | self.rival).count_ones() & 1) as i8
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
