//! Heuristics for keep-on-moving, from ground, freedom and distance.

use tussle_core::{Evaluator, Game, Turn};

use super::{KeepOnMoving, MAX_SIDE, State};

/// Heuristic for keep-on-moving.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Eval {
    /// `a * ground + b * freedom - c * distance`: ground is the number of cells that the player
    /// reaches first minus the number that an opponent reaches first, freedom the value of
    /// [`Freedom`](Self::Freedom), and distance the steps to the nearest opponent.
    Territory(Territory),
    /// Number of free neighbours, or -1 if there is none.
    Freedom,
    /// Number of neighbours that are not free, or -1 if none is free. It prefers steps along a wall
    /// to steps into the open.
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
    /// Maximum number of steps to a cell that counts as ground.
    pub radius: u32,
    /// Minimum distance, in steps, that counts. Shorter distances count as 0.
    pub near: u32,
}

impl Default for Territory {
    fn default() -> Self {
        Self { a: 1.0, b: 1.0, c: 1.0, radius: 15, near: 5 }
    }
}

/// Value of a win, as in the university course from which the rules come.
const WIN: f64 = 99_999.0;
/// Value of a tie, as in the course: below the value of every unfinished position.
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

/// Result of the flood fill: the ground of a player and its distance to the opponents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reach {
    /// Cells that the player reaches before every opponent, minus cells that an opponent reaches
    /// first.
    pub(super) ground: i32,
    /// Steps to the nearest opponent through free cells; `None` if there is no path or the distance
    /// was not requested.
    pub(super) distance: Option<u32>,
}

/// One value per row of the board, and for an empty row above and below it.
type Rows<T> = [T; MAX_SIDE + 2];

/// Two flood fills that advance together, one step at a time, from different start cells.
///
/// A cell is unreached until either flood reaches it, and both continue from a cell that both reach
/// in the same step. Each flood therefore reaches exactly the cells that its side reaches no later
/// than the other side. The floods do not affect each other until they meet, which is half way on a
/// shortest path between the start cells.
struct Floods {
    /// Cells that no flood has reached: one word per row, one bit per column.
    unreached: Rows<u64>,
    /// Cells that the first and the second flood reached in the latest step. They are adjacent in
    /// memory, so that the compiler processes both at once.
    fronts: Rows<[u64; 2]>,
    /// For each flood, true if its front has a cell.
    is_running: [bool; 2],
    steps: u32,
    /// Length of the shortest path between the start cells, once the floods have met.
    distance: Option<u32>,
}

impl Floods {
    /// Advances both floods by one step.
    #[inline]
    fn step(&mut self, height: usize) {
        let end = height.min(MAX_SIDE) + 1; // proves to the compiler that rows are in bounds
        let (mut above, mut here) = ([0; 2], self.fronts[1]);
        let (mut reached, mut odd, mut even) = ([0; 2], 0, 0);
        for row in 1..end {
            let (below, unreached) = (self.fronts[row + 1], self.unreached[row]);
            let around = [0, 1].map(|i| here[i] << 1 | here[i] >> 1 | above[i] | below[i]);
            let new = around.map(|cells| cells & unreached);
            self.fronts[row] = new;
            self.unreached[row] = unreached & !(new[0] | new[1]);
            reached = [reached[0] | new[0], reached[1] | new[1]];
            odd |= around[0] & here[1];
            even |= new[0] & new[1];
            (above, here) = (here, below);
        }
        self.is_running = reached.map(|cells| cells != 0);
        self.steps += 1;
        if self.distance.is_none() && odd | even != 0 {
            // If the floods meet on a cell, each has made `steps` steps (even distance). If one
            // runs into the other's previous front, only one of them needs the last step (odd
            // distance).
            self.distance = Some(2 * self.steps - u32::from(odd != 0));
        }
    }
}

impl<const WORDS: usize, const PLAYERS: usize> KeepOnMoving<WORDS, PLAYERS> {
    /// Returns the free cells row by row.
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

    /// Floods the board from the player and from its opponents that are still in the game.
    pub(super) fn reach(
        &self,
        state: &State<WORDS, PLAYERS>,
        player: usize,
        radius: u32,
        want_distance: bool,
    ) -> Reach {
        let mut floods = Floods {
            unreached: self.free_rows(&state.free),
            fronts: [[0; 2]; MAX_SIDE + 2],
            is_running: [false; 2],
            steps: 0,
            distance: None,
        };
        let still_in = self.still_in(state);
        for p in (0..self.players).filter(|p| still_in >> p & 1 != 0) {
            let (row, column) = self.place(usize::from(state.cells[p]));
            let side = usize::from(p != player);
            floods.fronts[row + 1][side] |= 1 << column;
            floods.is_running[side] = true;
        }
        let mut reached: Rows<[u64; 2]> = [[0; 2]; MAX_SIDE + 2];
        while floods.steps < radius && floods.is_running != [false; 2] {
            floods.step(self.height);
            for (all, new) in reached.iter_mut().zip(&floods.fronts).take(self.height + 1) {
                *all = [all[0] | new[0], all[1] | new[1]];
            }
        }
        // Cells that both reach in the same step are in both counts, so they cancel out.
        let ground = reached[1..=self.height]
            .iter()
            .map(|all| all[0].count_ones() as i32 - all[1].count_ones() as i32)
            .sum();
        while want_distance && floods.distance.is_none() && floods.is_running == [true; 2] {
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

    const TERRITORY: Eval =
        Eval::Territory(Territory { a: 1.0, b: 1.0, c: 1.0, radius: 15, near: 5 });

    /// Computes ground and distance with one breadth-first search per player.
    fn naive_reach(game: &Naive, player: usize, radius: u32) -> Reach {
        let maps: Vec<_> = game.at.iter().map(|&place| game.distances(place)).collect();
        let opponents = || (0..game.at.len()).filter(|&p| p != player && !game.out[p]);
        let mut ground = 0;
        for (r, row) in game.grid.iter().enumerate() {
            for c in (0..row.len()).filter(|&c| row[c] == '.') {
                let steps = |p: usize| maps[p][r][c].filter(|&n| n <= radius).unwrap_or(u32::MAX);
                let nearest = opponents().map(steps).min().unwrap_or(u32::MAX);
                ground += i32::from(steps(player) < nearest) - i32::from(nearest < steps(player));
            }
        }
        let to = |p: usize| maps[player][game.at[p].0][game.at[p].1];
        Reach { ground, distance: opponents().filter_map(to).min() }
    }

    /// Compares the flood fill with the naive computation on the positions of random games.
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
    fn ground_and_distance_match_a_naive_search_for_two_players() {
        compare_with_naive::<3, 2>(8, 300);
        compare_with_naive::<68, 2>(64, 6);
    }

    #[test]
    fn ground_and_distance_match_a_naive_search_for_up_to_eight_players() {
        compare_with_naive::<68, 8>(9, 200);
    }

    #[test]
    fn territory_is_ground_plus_freedom_minus_distance() {
        // Player 1 reaches three cells first and player 2 four; the distance is 8 steps.
        let game: KeepOnMoving<3, 2> = on("1.......2.");
        let state = game.start();
        assert_eq!(game.reach(&state, 0, 15, true), Reach { ground: -1, distance: Some(8) });
        let value = |eval: Eval, player| eval.value(&game, &state, player);
        assert_eq!((value(TERRITORY, 0), value(TERRITORY, 1)), (-1.0 + 1.0 - 8.0, 1.0 + 2.0 - 8.0));
        let weighed =
            |radius, near| Eval::Territory(Territory { a: 10.0, b: 3.0, c: 0.5, radius, near });
        assert_eq!(value(weighed(15, 8), 0), -10.0 + 3.0 - 4.0);
        assert_eq!(value(weighed(15, 9), 0), -10.0 + 3.0);
        // The radius limits the ground, but not the distance.
        assert_eq!(value(weighed(2, 5), 1), 10.0 + 6.0 - 4.0);
        assert_eq!(value(weighed(0, 9), 1), 6.0);
    }

    #[test]
    fn distance_is_none_without_a_path_to_an_opponent() {
        let game: KeepOnMoving<3, 2> = on("1......#2.");
        assert_eq!(game.reach(&game.start(), 0, 15, true), Reach { ground: 5, distance: None });
        assert_eq!(TERRITORY.value(&game, &game.start(), 0), 5.0 + 1.0);
    }

    #[test]
    fn finished_games_have_fixed_values_and_a_tie_is_bad_for_both() {
        let value = |board, eval: Eval, player| {
            let game: KeepOnMoving<3, 2> = on(board);
            eval.value(&game, &game.start(), player)
        };
        for eval in [TERRITORY, Eval::Freedom] {
            assert_eq!((value("1#2.", eval, 0), value("1#2.", eval, 1)), (-99_999.0, 99_999.0));
            assert_eq!((value("12", eval, 0), value("12", eval, 1)), (-9_999.0, -9_999.0));
        }
        assert_eq!((value("1#2.", Eval::Snug, 0), value("1#2.", Eval::Snug, 1)), (-1.0, 3.0));
    }

    #[test]
    fn a_player_who_is_out_has_the_value_of_a_loss() {
        let game: KeepOnMoving<68, 8> = on("1....#2#....3");
        let mut state = game.start();
        assert_eq!(Eval::Freedom.value(&game, &state, 1), -1.0);
        game.play(&mut state, Direction::Right);
        assert_eq!(Eval::Freedom.value(&game, &state, 1), -99_999.0);
        assert_eq!(TERRITORY.value(&game, &state, 1), -99_999.0);
    }
}
