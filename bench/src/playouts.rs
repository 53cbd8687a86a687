//! Random games a second: ours through the [`Game`] trait, as a search plays them, against
//! loops written by hand for one game.

use tussle_core::{Game, Rng, Turn};
use tussle_games::go::{Go, Options};
use tussle_games::{Connect4, TicTacToe};

use crate::measure::Row;
use crate::plain::{self, End};

/// What is known of a game's random play, in percent and plies: a side that is fast because it
/// plays something else must not count.
struct Known {
    first: f64,
    draw: f64,
    second: f64,
    plies: f64,
}

/// How the games of one side ended.
#[derive(Default)]
struct Tally {
    /// Won by the second player, drawn, won by the first.
    ends: [u64; 3],
    plies: u64,
}

impl Tally {
    #[inline]
    fn add(&mut self, winner: i8, plies: u32) {
        self.ends[(winner + 1) as usize] += 1;
        self.plies += u64::from(plies);
    }

    fn check(&self, who: &str, known: &Known) -> Result<(), String> {
        let games = self.ends.iter().sum::<u64>() as f64;
        let [second, draw, first] = self.ends.map(|n| 100.0 * n as f64 / games);
        let plies = self.plies as f64 / games;
        for (what, seen, known, tolerance) in [
            ("% won by the first player", first, known.first, 0.3),
            ("% drawn", draw, known.draw, 0.3),
            ("% won by the second player", second, known.second, 0.3),
            ("plies", plies, known.plies, 0.1),
        ] {
            if (seen - known).abs() > tolerance {
                return Err(format!("{who}: {seen:.2} {what}, but {known} is right"));
            }
        }
        Ok(())
    }
}

/// Plays games through the trait, each from a fresh copy of the start.
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
    plain: fn(&mut Rng) -> End,
    known: &Known,
    rounds: usize,
) -> Result<Row, String> {
    let (mut our_tally, mut our_rng) = (Tally::default(), Rng::new(1));
    let (mut plain_tally, mut plain_rng) = (Tally::default(), Rng::new(2));
    let row = Row::measure(
        name,
        "playouts/s",
        rounds,
        &mut |games| ours(game, &mut our_tally, &mut our_rng, games),
        Some(&mut |games| {
            for _ in 0..games {
                let end = plain(&mut plain_rng);
                plain_tally.add(end.winner, end.plies);
            }
        }),
    );
    our_tally.check(&format!("{name}, ours"), known)?;
    plain_tally.check(&format!("{name}, plain"), known)?;
    Ok(row)
}

/// Measures every game that has a plain loop.
pub fn run(rounds: usize) -> Result<Vec<Row>, String> {
    let tictactoe = Known { first: 58.5, draw: 12.7, second: 28.8, plies: 7.63 };
    let connect4 = Known { first: 55.5, draw: 0.3, second: 44.2, plies: 21.3 };
    let go5 = Known { first: 50.7, draw: 0.4, second: 48.9, plies: 35.36 };
    let go9 = Known { first: 40.0, draw: 0.2, second: 59.8, plies: 118.8 };
    let five = Go::<1>::new(&Options::sized(5, 5)).map_err(|e| e.to_string())?;
    let nine = Go::<2>::new(&Options::sized(9, 9)).map_err(|e| e.to_string())?;
    Ok(vec![
        row("tictactoe", &TicTacToe, plain::tictactoe::playout, &tictactoe, rounds)?,
        row("connect4", &Connect4::default(), plain::connect4::playout, &connect4, rounds)?,
        row("go 5x5", &five, plain::go::five::playout, &go5, rounds)?,
        row("go 9x9", &nine, plain::go::nine::playout, &go9, rounds)?,
    ])
}
