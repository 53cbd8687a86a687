//! Monte Carlo tree search of the crate `minimax`.
//!
//! A simulation selects a leaf, adds all its children and plays a random playout from one of them.
//! Proven wins and losses are backed up and need no further playouts. Draws are not proven, so a search
//! of our two games always runs to the last simulation.

use std::cell::RefCell;

use minimax::{Game, MCTSOptions, MonteCarloTreeSearch, RolloutPolicy, Strategy, Winner};
use rand::SeedableRng;
use rand::rngs::SmallRng;

use super::connect4::Connect4;
use super::tictactoe::TicTacToe;
use crate::Answer;
use crate::error::RequestError;
use crate::measurement::{simulated, timed};

/// Runs a search of `n` simulations: `usual` with the defaults of the crate, `tuned` with faster
/// options. The exploration constant of the crate is fixed at 1.2 times ours.
pub fn answer(task: &str, n: u32) -> Answer {
    match task {
        "connect4/usual" => search::<Connect4>(usual(), n, usize::from),
        "connect4/tuned" => search::<Connect4>(tuned(), n, usize::from),
        "tictactoe/usual" => search::<TicTacToe>(usual(), n, place),
        "tictactoe/tuned" => search::<TicTacToe>(tuned(), n, place),
        _ => Err(RequestError::unsupported("minimax", "mcts", task)),
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

/// Returns a search that expands a leaf at its second visit, as ours does, and plays random playouts by a
/// hand-written loop, without a list of moves and with one random generator per thread.
fn tuned<G: RandomGames>() -> MonteCarloTreeSearch<G> {
    let options = options().with_rollouts_before_expanding(1);
    MonteCarloTreeSearch::new_with_policy(options, Box::new(Loop(G::game)))
}

/// Runs a search. Its time includes the start of a thread by the crate and the release of the tree.
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

/// Game with hand-written random playouts.
trait RandomGames: Game + 'static {
    /// Plays a random playout and returns its result for the player who just moved. Returns `Err` with the
    /// winner if the game is already over.
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

/// Rollout policy that plays whole games by a loop.
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
        unreachable!("`rollout` plays whole games")
    }

    /// Returns the largest numbers for a game that is already over, with which the crate marks proofs.
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
