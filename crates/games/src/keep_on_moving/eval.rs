//! What a position seems to be worth: ground, freedom and closeness.

use tussle_core::{Evaluator, Game, Turn};

use super::{KeepOnMoving, MAX_SIDE, State};

/// A heuristic of keep-on-moving.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Eval {
    /// `a * ground + b * freedom - c * distance`.
    Territory(Territory),
    /// Free neighbours, -1 if there is none.
    Freedom,
    /// Blocked neighbours, -1 if all are: a step along a wall is worth more than one into the
    /// open.
    Snug,
}

/// Weights of [`Eval::Territory`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Territory {
    /// Weight of the ground.
    pub a: f64,
    /// Weight of the freedom.
    pub b: f64,
    /// Weight of the distance.
    pub c: f64,
    /// Maximum distance of counted ground, in steps.
    pub radius: u32,
    /// Shorter distances than this one do not count.
    pub near: u32,
}

impl Default for Territory {
    fn default() -> Self {
        Self { a: 1.0, b: 1.0, c: 1.0, radius: 15, near: 5 }
    }
}

/// A win in the course's scale.
const WIN: f64 = 99_999.0;
/// A tie in the course's scale: worse than playing on.
const TIE: f64 = -9_999.0;

impl<const WORDS: usize, const PLAYERS: usize> Evaluator<KeepOnMoving<WORDS, PLAYERS>> for Eval {
    #[inline]
    fn value(
        &self,
        game: &KeepOnMoving<WORDS, PLAYERS>,
        state: &State<WORDS, PLAYERS>,
        player: usize,
    ) -> f64 {
        let exits = game.exits(&state.free, state.cells[player]).count_ones();
        if *self == Self::Snug {
            return if exits == 0 { -1.0 } else { f64::from(4 - exits) };
        }
        if game.turn(state) == Turn::Over {
            return match (state.winners >> player & 1 != 0, state.winners.count_ones()) {
                (false, _) => -WIN,
                (true, 1) => WIN,
                (true, _) => TIE,
            };
        }
        if state.out >> player & 1 != 0 {
            return -WIN;
        }
        let freedom = if exits == 0 { -1.0 } else { f64::from(exits) };
        let Eval::Territory(Territory { a, b, c, radius, near }) = *self else { return freedom };
        let Reach { ground, distance } = game.reach(state, player, radius, c != 0.0);
        let distance = distance.filter(|&steps| steps >= near).map_or(0.0, f64::from);
        a * f64::from(ground) + b * freedom - c * distance
    }
}

/// What a player can get to before the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reach {
    /// Cells the player reaches sooner than every rival, minus cells a rival reaches sooner.
    pub(super) ground: i32,
    /// Steps to the nearest rival through free cells, if there is a way and it was asked for.
    pub(super) distance: Option<u32>,
}

/// Something for each row of the board, and for an empty row above and below it.
type Rows<T> = [T; MAX_SIDE + 2];

/// Two floods that run over a board from their springs, both a step at a time.
///
/// A cell is dry until either flood reaches it, and both run on from a cell that both reach in
/// the same step. So each flood reaches exactly the cells to which its side comes no later than
/// the other. Until the floods meet they do not feel each other: they meet half way on a
/// shortest path between their springs.
struct Floods {
    /// One word a row, one bit a column.
    dry: Rows<u64>,
    /// The cells that the first and the second flood reached in the latest step, side by side
    /// so that the compiler handles both at once.
    fronts: Rows<[u64; 2]>,
    /// Whether each front holds a cell.
    run: [bool; 2],
    steps: u32,
    /// The length of the shortest path between the springs, once the floods have met.
    distance: Option<u32>,
}

impl Floods {
    /// Runs one step further.
    #[inline]
    fn step(&mut self, height: usize) {
        let end = height.min(MAX_SIDE) + 1; // so that the compiler sees no row out of bounds
        let (mut above, mut here) = ([0; 2], self.fronts[1]);
        let (mut wet, mut odd, mut even) = ([0; 2], 0, 0);
        for row in 1..end {
            let (below, dry) = (self.fronts[row + 1], self.dry[row]);
            let around = [0, 1].map(|i| here[i] << 1 | here[i] >> 1 | above[i] | below[i]);
            let new = around.map(|cells| cells & dry);
            self.fronts[row] = new;
            self.dry[row] = dry & !(new[0] | new[1]);
            wet = [wet[0] | new[0], wet[1] | new[1]];
            odd |= around[0] & here[1];
            even |= new[0] & new[1];
            (above, here) = (here, below);
        }
        self.run = wet.map(|cells| cells != 0);
        self.steps += 1;
        if self.distance.is_none() && odd | even != 0 {
            // Each flood has come this far, except that one running into the other's old front
            // has made the last step alone.
            self.distance = Some(2 * self.steps - u32::from(odd != 0));
        }
    }
}

impl<const WORDS: usize, const PLAYERS: usize> KeepOnMoving<WORDS, PLAYERS> {
    /// The free cells row by row.
    fn free_rows(&self, free: &[u64; WORDS]) -> Rows<u64> {
        let mut rows = [0; MAX_SIDE + 2];
        let mask = u64::MAX >> (64 - self.width);
        for row in 0..self.height {
            let cell = self.cell(row, 0);
            let (word, shift) = (cell / 64, cell % 64);
            let high = free.get(word + 1).copied().unwrap_or(0);
            rows[row + 1] = (free[word] >> shift | (high << 1) << (63 - shift)) & mask;
        }
        rows
    }

    /// Floods the board from the player and from its rivals still in.
    pub(super) fn reach(
        &self,
        state: &State<WORDS, PLAYERS>,
        player: usize,
        radius: u32,
        want_distance: bool,
    ) -> Reach {
        let mut floods = Floods {
            dry: self.free_rows(&state.free),
            fronts: [[0; 2]; MAX_SIDE + 2],
            run: [false; 2],
            steps: 0,
            distance: None,
        };
        let still_in = self.still_in(state);
        for p in (0..self.players).filter(|p| still_in >> p & 1 != 0) {
            let (row, column) = self.place(usize::from(state.cells[p]));
            let side = usize::from(p != player);
            floods.fronts[row + 1][side] |= 1 << column;
            floods.run[side] = true;
        }
        let mut reached: Rows<[u64; 2]> = [[0; 2]; MAX_SIDE + 2];
        while floods.steps < radius && floods.run != [false; 2] {
            floods.step(self.height);
            for (all, new) in reached.iter_mut().zip(&floods.fronts).take(self.height + 1) {
                *all = [all[0] | new[0], all[1] | new[1]];
            }
        }
        // Cells that both reach in the same step are in both counts and cancel.
        let ground = reached[1..=self.height]
            .iter()
            .map(|all| all[0].count_ones() as i32 - all[1].count_ones() as i32)
            .sum();
        while want_distance && floods.distance.is_none() && floods.run == [true; 2] {
            floods.step(self.height);
        }
        Reach { ground, distance: floods.distance }
    }
}

#[cfg(test)]
mod tests {
    use tussle_core::{Notation, Rng};

    use super::super::naive::{Naive, random_board};
    use super::super::{Board, Direction};
    use super::*;

    fn on<const W: usize, const P: usize>(board: &str) -> KeepOnMoving<W, P> {
        KeepOnMoving::new(&Board::parse(board).unwrap()).unwrap()
    }

    const HEAVY: Eval = Eval::Territory(Territory { a: 1.0, b: 1.0, c: 1.0, radius: 15, near: 5 });

    /// Ground and distance by one search of the board per player.
    fn naive_reach(game: &Naive, player: usize, radius: u32) -> Reach {
        let maps: Vec<_> = game.at.iter().map(|&place| game.distances(place)).collect();
        let rivals = || (0..game.at.len()).filter(|&p| p != player && !game.out[p]);
        let mut ground = 0;
        for (r, row) in game.grid.iter().enumerate() {
            for c in (0..row.len()).filter(|&c| row[c] == '.') {
                let steps = |p: usize| maps[p][r][c].filter(|&n| n <= radius).unwrap_or(u32::MAX);
                let nearest = rivals().map(steps).min().unwrap_or(u32::MAX);
                ground += i32::from(steps(player) < nearest) - i32::from(nearest < steps(player));
            }
        }
        let to = |p: usize| maps[player][game.at[p].0][game.at[p].1];
        Reach { ground, distance: rivals().filter_map(to).min() }
    }

    /// Compares both on the positions of random games.
    fn compare_with_naive<const W: usize, const P: usize>(side: usize, boards: u64) {
        for seed in 0..boards {
            let mut rng = Rng::new(seed);
            let board = random_board(&mut rng, side, P);
            let game: KeepOnMoving<W, P> = on(&board);
            let (mut state, mut naive) = (game.start(), Naive::new(&board));
            while game.turn(&state) != Turn::Over {
                for player in (0..game.players()).filter(|&p| !naive.out[p]) {
                    let radius = rng.below(20) as u32;
                    let reach = game.reach(&state, player, radius, true);
                    let expected = naive_reach(&naive, player, radius);
                    assert_eq!(reach, expected, "{board}\n{state:?} {player} {radius}");
                    let ground = game.reach(&state, player, radius, false).ground;
                    assert_eq!(ground, expected.ground);
                }
                let letters = naive.moves();
                let letter = letters[rng.below(letters.len())];
                let mv = game.parse_move(&state, &letter.to_string()).unwrap();
                game.play(&mut state, mv);
                naive.step(letter);
            }
        }
    }

    #[test]
    fn the_flood_finds_what_a_plain_search_of_the_board_finds() {
        compare_with_naive::<3, 2>(8, 300);
        compare_with_naive::<68, 2>(64, 6);
    }

    #[test]
    fn the_flood_works_for_any_number_of_players() {
        compare_with_naive::<68, 8>(9, 200);
    }

    #[test]
    fn territory_is_ground_plus_freedom_minus_distance() {
        // Player 1 is first at three cells and player 2 at four; they are 8 steps apart.
        let game: KeepOnMoving<3, 2> = on("1.......2.");
        let state = game.start();
        assert_eq!(game.reach(&state, 0, 15, true), Reach { ground: -1, distance: Some(8) });
        let value = |eval: Eval, player| eval.value(&game, &state, player);
        assert_eq!((value(HEAVY, 0), value(HEAVY, 1)), (-1.0 + 1.0 - 8.0, 1.0 + 2.0 - 8.0));
        let weighed =
            |radius, near| Eval::Territory(Territory { a: 10.0, b: 3.0, c: 0.5, radius, near });
        assert_eq!(value(weighed(15, 8), 0), -10.0 + 3.0 - 4.0);
        assert_eq!(value(weighed(15, 9), 0), -10.0 + 3.0);
        // The distance is measured beyond the radius, the ground is not.
        assert_eq!(value(weighed(2, 5), 1), 10.0 + 6.0 - 4.0);
        assert_eq!(value(weighed(0, 9), 1), 6.0);
    }

    #[test]
    fn without_a_way_to_the_rival_there_is_no_distance() {
        let game: KeepOnMoving<3, 2> = on("1......#2.");
        assert_eq!(game.reach(&game.start(), 0, 15, true), Reach { ground: 5, distance: None });
        assert_eq!(HEAVY.value(&game, &game.start(), 0), 5.0 + 1.0);
    }

    #[test]
    fn the_end_of_the_game_outweighs_everything_and_a_tie_is_bad_for_both() {
        let value = |board, eval: Eval, player| {
            let game: KeepOnMoving<3, 2> = on(board);
            eval.value(&game, &game.start(), player)
        };
        for eval in [HEAVY, Eval::Freedom] {
            assert_eq!((value("1#2.", eval, 0), value("1#2.", eval, 1)), (-99_999.0, 99_999.0));
            assert_eq!((value("12", eval, 0), value("12", eval, 1)), (-9_999.0, -9_999.0));
        }
        assert_eq!((value("1#2.", Eval::Snug, 0), value("1#2.", Eval::Snug, 1)), (-1.0, 3.0));
    }

    #[test]
    fn a_player_who_is_out_has_lost_already() {
        let game: KeepOnMoving<68, 8> = on("1....#2#....3");
        let mut state = game.start();
        assert_eq!(Eval::Freedom.value(&game, &state, 1), -1.0);
        game.play(&mut state, Direction::Right);
        assert_eq!(Eval::Freedom.value(&game, &state, 1), -99_999.0);
        assert_eq!(HEAVY.value(&game, &state, 1), -99_999.0);
    }
}
