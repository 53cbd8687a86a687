//! Monte Carlo tree search of the crate `minimax`.
//!
//! A simulation goes down to a leaf, which gets all its children at once, and plays a random game
//! from one of them. Wins and losses that are proven are passed up and cost no further game; draws
//! are not proven, so that a search of our two games goes on to the last simulation.

use std::cell::RefCell;

use minimax::{Game, MCTSOptions, MonteCarloTreeSearch, RolloutPolicy, Strategy, Winner};
use rand::SeedableRng;
use rand::rngs::SmallRng;

use super::connect4::Connect4;
use super::tictactoe::TicTacToe;
use crate::Answer;
use crate::found::{simulated, timed};

/// A search of so many simulations: `usual` with what the crate starts with, `tuned` with what
/// made it faster. Its exploration constant is fixed: 1.2 times ours.
pub fn answer(task: &str, n: u32) -> Answer {
    match task {
        "connect4/usual" => search::<Connect4>(usual(), n, usize::from),
        "connect4/tuned" => search::<Connect4>(tuned(), n, usize::from),
        "tictactoe/usual" => search::<TicTacToe>(usual(), n, place),
        "tictactoe/tuned" => search::<TicTacToe>(tuned(), n, place),
        _ => Err(format!("minimax does not have mcts {task}")),
    }
}

fn place(cell: u16) -> usize {
    cell.trailing_zeros() as usize
}

fn options() -> MCTSOptions {
    MCTSOptions::default().with_num_threads(1)
}

fn usual<G: Game>() -> MonteCarloTreeSearch<G> {
    MonteCarloTreeSearch::new(options())
}

/// A leaf becomes an inner node when it is seen again, as with us, and random games are played by a
/// loop of our own, without a list of moves and with one generator for all.
fn tuned<G: RandomGames>() -> MonteCarloTreeSearch<G> {
    let options = options().with_rollouts_before_expanding(1);
    MonteCarloTreeSearch::new_with_policy(options, Box::new(Loop(G::game)))
}

/// The crate starts a thread and drops the tree while the clock runs.
fn search<G>(mut search: MonteCarloTreeSearch<G>, n: u32, place: fn(G::M) -> usize) -> Answer
where
    G: Game + Sync,
    G::S: Clone + Default + Send,
    G::M: Copy + Sync,
{
    search.set_max_rollouts(n);
    let (best, cpu, wall) = timed(|| search.choose_move(&G::S::default()));
    simulated(n.into(), cpu, wall, best.map(place))
}

/// A game with random games of its own.
trait RandomGames: Game + 'static {
    /// How a game ends for the player who just moved; if it has ended already, so.
    fn game(board: &Self::S, rng: &mut SmallRng) -> Result<i32, Winner>;
}

impl RandomGames for Connect4 {
    #[inline]
    fn game(board: &Self::S, rng: &mut SmallRng) -> Result<i32, Winner> {
        Self::get_winner(board).map_or_else(|| Ok(board.playout(rng)), Err)
    }
}

impl RandomGames for TicTacToe {
    #[inline]
    fn game(board: &Self::S, rng: &mut SmallRng) -> Result<i32, Winner> {
        Self::get_winner(board).map_or_else(|| Ok(board.playout(rng)), Err)
    }
}

type Play<G> = fn(&<G as Game>::S, &mut SmallRng) -> Result<i32, Winner>;

/// Random games by a loop instead of move by move.
struct Loop<G: Game>(Play<G>);

thread_local! {
    static GENERATOR: RefCell<SmallRng> = RefCell::new(SmallRng::from_entropy());
}

impl<G: Game> RolloutPolicy for Loop<G> {
    type G = G;

    fn random_move(
        &self,
        _: &mut G::S,
        _: &mut Vec<G::M>,
        _: &mut rand_of_minimax::rngs::SmallRng,
    ) -> Result<G::M, Winner> {
        unreachable!("whole games are played")
    }

    /// A game that is over already is a proof, which the crate marks with the largest numbers.
    fn rollout(&self, _: &MCTSOptions, board: &G::S) -> i32 {
        let result = GENERATOR.with_borrow_mut(|rng| self.0(board, rng));
        match result {
            Ok(result) => result,
            Err(Winner::PlayerJustMoved) => i32::MAX,
            Err(Winner::PlayerToMove) => -i32::MAX,
            Err(Winner::Draw) => 0,
        }
    }
}
