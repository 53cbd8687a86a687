//! Random playouts per second: ours through the [`Game`] trait, as a search plays them, compared with
//! loops written by hand for one game.

use tussle_core::{Game, Rng, Turn};
use tussle_games::backgammon::{Backgammon, Score};
use tussle_games::go::{Go, Options};
use tussle_games::{Connect4, Pentago, TicTacToe};

use crate::error::BenchError;
use crate::measure::{Row, Work};
use crate::plain::{self, End};

/// Expected statistics of random play, in percent and plies. They detect a side that is fast because
/// it plays other rules.
struct ExpectedPlay {
    first: f64,
    draw: f64,
    second: f64,
    plies: f64,
}

/// Counts of the games of one side.
#[derive(Default)]
struct Tally {
    /// Games won by the second player, drawn, and won by the first.
    ends: [u64; 3],
    plies: u64,
    /// Sum of the squared numbers of plies.
    squares: u64,
}

impl Tally {
    #[inline]
    fn add(&mut self, winner: i8, plies: u32) {
        self.ends[(winner + 1) as usize] += 1;
        self.plies += u64::from(plies);
        self.squares += u64::from(plies).pow(2);
    }

    fn check(&self, side: &str, expected: &ExpectedPlay) -> Result<(), BenchError> {
        let games = self.ends.iter().sum::<u64>() as f64;
        let [second, draw, first] = self.ends.map(|n| 100.0 * n as f64 / games);
        let plies = self.plies as f64 / games;
        let variance = self.squares as f64 / games - plies * plies;
        // Slow games give small samples, so four standard errors are allowed.
        let share = f64::max(0.3, 4.0 * 50.0 / games.sqrt());
        let length = f64::max(0.1, 4.0 * (variance / games).sqrt());
        for (what, found, expected, tolerance) in [
            ("% won by the first player", first, expected.first, share),
            ("% drawn", draw, expected.draw, share),
            ("% won by the second player", second, expected.second, share),
            ("plies", plies, expected.plies, length),
        ] {
            if (found - expected).abs() > tolerance {
                return Err(BenchError::Statistics {
                    side: side.to_owned(),
                    what,
                    expected,
                    found,
                });
            }
        }
        Ok(())
    }
}

/// Plays games through the trait, each from a copy of the start.
fn ours<G: Game>(game: &G, tally: &mut Tally, rng: &mut Rng, games: u64) {
    let (start, mut scratch) = (game.start(), Vec::new());
    for _ in 0..games {
        let mut state = start.clone();
        let plies = game.playout(&mut state, rng, &mut scratch);
        assert_eq!(game.turn(&state), Turn::Over);
        tally.add(game.utility(&state, 0) as i8, plies);
    }
}

fn row<G: Game>(
    name: &str,
    game: &G,
    plain: Option<fn(&mut Rng) -> End>,
    expected: &ExpectedPlay,
    rounds: usize,
) -> Result<Row, BenchError> {
    let (mut our_tally, mut our_rng) = (Tally::default(), Rng::new(1));
    let (mut plain_tally, mut plain_rng) = (Tally::default(), Rng::new(2));
    let mut ours = |games| ours(game, &mut our_tally, &mut our_rng, games);
    let mut theirs = plain.map(|plain| {
        let (tally, rng) = (&mut plain_tally, &mut plain_rng);
        move |games: u64| {
            for _ in 0..games {
                let end = plain(rng);
                tally.add(end.winner, end.plies);
            }
        }
    });
    let peer = theirs.as_mut().map(|work| work as Work<'_>);
    let row = Row::measure(name, "playouts/s", rounds, &mut ours, peer);
    our_tally.check(&format!("{name}, ours"), expected)?;
    if plain.is_some() {
        plain_tally.check(&format!("{name}, plain"), expected)?;
    }
    Ok(row)
}

/// Measures every game that has a hand-written loop, and Backgammon without a peer: the best
/// hand-written loop for it would be the same code.
pub fn run(rounds: usize) -> Result<Vec<Row>, BenchError> {
    let tictactoe = ExpectedPlay { first: 58.5, draw: 12.7, second: 28.8, plies: 7.63 };
    let connect4 = ExpectedPlay { first: 55.5, draw: 0.3, second: 44.2, plies: 21.3 };
    let go5 = ExpectedPlay { first: 50.7, draw: 0.4, second: 48.9, plies: 35.36 };
    let go9 = ExpectedPlay { first: 40.0, draw: 0.2, second: 59.8, plies: 118.8 };
    let pentago = ExpectedPlay { first: 50.4, draw: 8.3, second: 41.2, plies: 28.1 };
    let backgammon = ExpectedPlay { first: 50.4, draw: 0.0, second: 49.6, plies: 193.5 };
    let five = Go::<1>::new(&Options::sized(5, 5))?;
    let nine = Go::<2>::new(&Options::sized(9, 9))?;
    let one_point = Backgammon { score: Score::Win };
    Ok(vec![
        row("tictactoe", &TicTacToe, Some(plain::tictactoe::playout), &tictactoe, rounds)?,
        row("connect4", &Connect4::default(), Some(plain::connect4::playout), &connect4, rounds)?,
        row("go 5x5", &five, Some(plain::go::five::playout), &go5, rounds)?,
        row("go 9x9", &nine, Some(plain::go::nine::playout), &go9, rounds)?,
        row("pentago", &Pentago::new(false), Some(plain::pentago::playout), &pentago, rounds)?,
        row("backgammon", &one_point, None, &backgammon, rounds)?,
    ])
}
