//! Statistics of random and heavy playouts.

use tussle_core::{Game, Limits, Rng};

use crate::SearchError;
use crate::agent::check_rules;

/// Results of many playouts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayoutCounts {
    /// Number of playouts.
    pub playouts: u64,
    /// Total number of plies.
    pub plies: u64,
    /// Wins of each player: playouts in which only this player had the highest utility.
    pub wins: Vec<u64>,
    /// Playouts in which several players shared the highest utility.
    pub draws: u64,
}

/// Plays random games from `state` until the node limit or the time limit is reached, and returns their
/// results. One game is one node.
///
/// At least one game is played. Without either limit it never ends.
///
/// # Errors
/// If the rules of the game fail.
pub fn playouts<G: Game>(
    game: &G,
    state: &G::State,
    limits: &Limits,
    seed: u64,
) -> Result<PlayoutCounts, SearchError> {
    count(game, state, limits, seed, G::playout)
}

/// Like [`playouts`], with [heavy playouts](Game::heavy_playout).
///
/// # Errors
/// If the rules of the game fail.
pub fn heavy_playouts<G: Game>(
    game: &G,
    state: &G::State,
    limits: &Limits,
    seed: u64,
) -> Result<PlayoutCounts, SearchError> {
    count(game, state, limits, seed, G::heavy_playout)
}

#[inline]
fn count<G: Game>(
    game: &G,
    state: &G::State,
    limits: &Limits,
    seed: u64,
    play: impl Fn(&G, &mut G::State, &mut Rng, &mut Vec<G::Move>) -> u32,
) -> Result<PlayoutCounts, SearchError> {
    let players = game.players();
    let mut tally = PlayoutCounts { wins: vec![0; players], ..PlayoutCounts::default() };
    let mut rng = Rng::new(seed);
    let mut buffer = Vec::new();
    let mut scratch = state.clone();
    let mut watch = limits.checker();
    loop {
        scratch.clone_from(state);
        tally.plies += u64::from(play(game, &mut scratch, &mut rng, &mut buffer));
        check_rules(game)?;
        tally.playouts += 1;
        match sole_winner(game, &scratch, players) {
            Some(player) => tally.wins[player] += 1,
            None => tally.draws += 1,
        }
        if watch.check(tally.playouts).is_some() {
            return Ok(tally);
        }
    }
}

#[inline]
fn sole_winner<G: Game>(game: &G, state: &G::State, players: usize) -> Option<usize> {
    let (mut best, mut winner) = (f64::NEG_INFINITY, None);
    for player in 0..players {
        let utility = game.utility(state, player);
        if utility > best {
            (best, winner) = (utility, Some(player));
        } else if utility == best {
            winner = None;
        }
    }
    winner
}
