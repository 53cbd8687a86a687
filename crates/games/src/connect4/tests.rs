//! Tests of the rules against published numbers and a naive board.

use std::collections::{HashMap, HashSet};

use super::*;
use crate::fast_playouts::assert_matches_default_playout;
use tussle_core::Notation;

/// Board sizes, from the smallest to those that use all 64 bits, with lines of every length.
pub(super) const SIZES: [(usize, usize, usize); 12] = [
    (7, 6, 4),
    (1, 1, 2),
    (1, 16, 2),
    (16, 1, 3),
    (2, 2, 2),
    (3, 3, 3),
    (4, 4, 4),
    (5, 6, 4),
    (9, 6, 5),
    (8, 7, 6),
    (8, 7, 7),
    (16, 3, 8),
];

pub(super) fn owner(game: &Connect4, state: &State, column: i32, row: i32) -> Option<usize> {
    game.owner(state, column as usize, row as usize)
}

fn play(game: &Connect4, moves: &str) -> State {
    moves.chars().fold(game.start(), |mut state, text| {
        let column = game.parse_move(&state, &text.to_string()).unwrap();
        game.play(&mut state, column);
        state
    })
}

fn legal(game: &Connect4, state: &State) -> Vec<u8> {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    moves
}

/// Board as a list of cells per column, which finds lines cell by cell.
struct Naive {
    columns: Vec<Vec<usize>>,
    height: usize,
    connect: i32,
}

impl Naive {
    fn new(width: usize, height: usize, connect: usize) -> Self {
        Self { columns: vec![Vec::new(); width], height, connect: connect as i32 }
    }

    fn open(&self) -> Vec<u8> {
        let open = |&c: &usize| self.columns[c].len() < self.height;
        (0..self.columns.len()).filter(open).map(|c| c as u8).collect()
    }

    fn at(&self, c: i32, r: i32) -> Option<usize> {
        self.columns.get(usize::try_from(c).ok()?)?.get(usize::try_from(r).ok()?).copied()
    }

    fn has_line(&self, player: usize) -> bool {
        let (w, h) = (self.columns.len() as i32, self.height as i32);
        let run = |c: i32, r: i32, (dc, dr): (i32, i32)| {
            (0..self.connect).all(|i| self.at(c + dc * i, r + dr * i) == Some(player))
        };
        (0..w).any(|c| {
            (0..h).any(|r| [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().any(|d| run(c, r, d)))
        })
    }
}

#[test]
fn moves_lines_and_results_match_a_naive_board_on_every_size() {
    let mut rng = Rng::new(1);
    for (w, h, k) in SIZES {
        let game = Connect4::new(w, h, k).unwrap();
        let mut wins = 0;
        for _ in 0..200 {
            let (mut state, mut naive) = (game.start(), Naive::new(w, h, k));
            let mut player = 0;
            loop {
                let over = naive.has_line(1 - player) || naive.open().is_empty();
                assert_eq!(game.turn(&state) == Turn::Over, over, "{}", game.position_text(&state));
                if over {
                    break;
                }
                assert_eq!(legal(&game, &state), naive.open());
                let column = naive.open()[rng.below(naive.open().len())];
                game.play(&mut state, column);
                naive.columns[usize::from(column)].push(player);
                player = 1 - player;
            }
            let won = naive.has_line(1 - player);
            wins += u32::from(won);
            assert_eq!(game.utility(&state, 1 - player), f64::from(u8::from(won)));
            assert_eq!(game.utility(&state, player), -game.utility(&state, 1 - player));
        }
        assert!(wins > 0 || w.max(h) < k || w == 1, "{w}x{h}: no game had a line of {k}");
    }
}

#[test]
fn four_in_a_column_row_or_diagonal_win() {
    let game = Connect4::default();
    for moves in ["1212121", "1122334", "12233434474", "76655454414"] {
        let state = play(&game, moves);
        assert_eq!(game.turn(&state), Turn::Over, "{moves}");
        assert_eq!((game.utility(&state, 0), game.utility(&state, 1)), (1.0, -1.0), "{moves}");
    }
    let state = play(&game, "12137475");
    assert_eq!((game.utility(&state, 0), game.utility(&state, 1)), (-1.0, 1.0));
    assert_eq!(legal(&game, &state), []);
}

#[test]
fn lines_do_not_continue_over_the_edge() {
    let game = Connect4::default();
    let cells = |cells: [(usize, usize); 4]| cells.iter().fold(0, |s, &(c, r)| s | game.cell(c, r));
    // Neighbouring bits of two columns, on both sides of a sentinel.
    assert!(!game.has_line(cells([(2, 4), (2, 5), (3, 0), (3, 1)])));
    assert!(!game.has_line(cells([(2, 3), (2, 4), (2, 5), (3, 0)])));
    // Diagonals that leave the board at the top and return at the bottom, and vice versa.
    assert!(!game.has_line(cells([(0, 4), (1, 5), (3, 0), (4, 1)])));
    assert!(!game.has_line(cells([(0, 1), (1, 0), (1, 5), (2, 4)])));
    assert!(game.has_line(cells([(3, 2), (4, 3), (5, 4), (6, 5)])));
    assert!(game.has_line(cells([(3, 3), (4, 2), (5, 1), (6, 0)])));
}

#[test]
fn numbers_of_positions_per_ply_match_the_published_ones() {
    let game = Connect4::default();
    let mut layer = vec![game.start()];
    for count in [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184_275] {
        assert_eq!(layer.len(), count);
        let (mut seen, mut next) = (HashSet::new(), Vec::new());
        for state in layer.iter().filter(|s| game.turn(s) != Turn::Over) {
            for column in legal(&game, state) {
                let mut after = *state;
                game.play(&mut after, column);
                if seen.insert(game.board_key(&after)) {
                    next.push(after);
                }
            }
        }
        layer = next;
    }
}

#[test]
fn a_four_by_four_board_is_a_draw_and_its_keys_never_collide() {
    /// Returns the value for the player to move; solves every position once.
    fn solve(game: &Connect4, state: &State, known: &mut HashMap<u64, (State, i8)>) -> i8 {
        match game.turn(state) {
            Turn::Player(p) => {
                let key = game.board_key(state);
                if let Some((same, value)) = known.get(&key) {
                    assert_eq!(same, state);
                    return *value;
                }
                let after = |column| {
                    let mut after = *state;
                    game.play(&mut after, column);
                    after
                };
                let values = legal(game, state).into_iter().map(after);
                let value = values.map(|after| -solve(game, &after, known)).max().unwrap();
                assert_eq!(p, usize::from(state.plies % 2));
                known.insert(key, (*state, value));
                value
            }
            _ => game.utility(state, usize::from(state.plies % 2)) as i8,
        }
    }
    let game = Connect4::new(4, 4, 4).unwrap();
    assert_eq!(solve(&game, &game.start(), &mut HashMap::new()), 0);
}

#[test]
fn mirrored_games_have_mirrored_positions() {
    let mut rng = Rng::new(2);
    for (w, h, k) in SIZES {
        let game = Connect4::new(w, h, k).unwrap();
        let mut state = game.start();
        while game.turn(&state) != Turn::Over {
            let moves = legal(&game, &state);
            let column = moves[rng.below(moves.len())];
            let mut mirrored = game.reflect(&state, 1);
            game.play(&mut state, column);
            game.play(&mut mirrored, game.reflect_move(column, 1));
            assert_eq!(mirrored, game.reflect(&state, 1));
            assert_eq!(game.canonical(&mirrored).0, game.canonical(&state).0);
            let rows = |state| -> Vec<String> {
                let text = game.position_text(state);
                text.split([' ', '/']).map(str::to_owned).collect()
            };
            let reversed = |row: String| row.chars().rev().collect::<String>();
            let expected: Vec<String> = rows(&state).into_iter().map(reversed).collect();
            assert_eq!(rows(&mirrored), expected);
        }
    }
}

#[test]
fn errors_of_too_large_boards_name_sizes_that_fit() {
    let error = Connect4::new(9, 8, 4).unwrap_err().to_string();
    assert!(error.contains("is 81, at most 64 is possible"), "{error}");
    assert!(error.contains("height up to 6") && error.contains("width up to 7"), "{error}");
    assert!(Connect4::new(9, 6, 4).is_ok() && Connect4::new(7, 8, 4).is_ok());
    for (w, h, k) in [(0, 6, 4), (7, 0, 4), (7, 6, 1), (17, 1, 4), (1, 17, 4), (7, 6, 9)] {
        let error = Connect4::new(w, h, k).unwrap_err().to_string();
        assert!(error.contains("out of range"), "{error}");
    }
    let fits = (1..=MAX_SIDE).flat_map(|w| (1..=MAX_SIDE).map(move |h| (w, h)));
    for (w, h) in fits.filter(|(w, h)| w * (h + 1) <= 64) {
        assert_eq!(Connect4::new(w, h, 4).unwrap().cells.count_ones() as usize, w * h);
    }
}

#[test]
fn fast_playouts_match_default_playouts() {
    let standard = Connect4::default();
    let wide = Connect4::new(9, 6, 5).unwrap();
    for (game, start) in
        [(standard, ""), (standard, "4444443333"), (wide, ""), (wide, "111111999999")]
    {
        assert_matches_default_playout(&game, &play(&game, start), 40_000);
    }
}

#[test]
fn fast_playouts_reach_each_final_position_with_its_probability() {
    fn walk(game: &Connect4, state: State, chance: f64, ends: &mut HashMap<String, f64>) {
        if game.turn(&state) == Turn::Over {
            *ends.entry(game.position_text(&state)).or_default() += chance;
            return;
        }
        let moves = legal(game, &state);
        for &column in &moves {
            let mut after = state;
            game.play(&mut after, column);
            walk(game, after, chance / moves.len() as f64, ends);
        }
    }
    for (w, h, k) in [(2, 2, 2), (3, 2, 3), (3, 3, 3)] {
        let game = Connect4::new(w, h, k).unwrap();
        let mut ends = HashMap::new();
        walk(&game, game.start(), 1.0, &mut ends);
        let (mut rng, games) = (Rng::new(4), 200_000);
        let mut counts: HashMap<String, u32> = HashMap::new();
        for _ in 0..games {
            let mut state = game.start();
            let plies = game.playout(&mut state, &mut rng, &mut Vec::new());
            assert_eq!(plies, u32::from(state.plies));
            *counts.entry(game.position_text(&state)).or_default() += 1;
        }
        let (mut chi, mut freedom) = (0.0, 0.0);
        for (position, chance) in &ends {
            let expected = chance * f64::from(games);
            let seen = f64::from(counts.remove(position).unwrap_or(0));
            if expected >= 10.0 {
                chi += (seen - expected).powi(2) / expected;
                freedom += 1.0;
            }
        }
        assert!(counts.is_empty(), "{counts:?} cannot be reached");
        assert!(chi < freedom + 4.0 * f64::sqrt(2.0 * freedom), "{w}x{h} chi² {chi} of {freedom}");
    }
}

#[test]
fn random_games_last_21_plies_and_favour_the_first_player() {
    let game = Connect4::default();
    let games = 200_000;
    let (mut rng, mut scratch) = (Rng::new(9), Vec::new());
    let (mut total, mut first, mut draws) = (0.0, 0.0, 0.0);
    for _ in 0..games {
        let mut state = game.start();
        total += f64::from(game.playout(&mut state, &mut rng, &mut scratch));
        let utility = game.utility(&state, 0);
        first += f64::from(u8::from(utility > 0.0));
        draws += f64::from(u8::from(utility == 0.0));
    }
    let share = |count: f64| 100.0 * count / f64::from(games);
    assert!((total / f64::from(games) - 21.3).abs() < 0.1, "{}", total / f64::from(games));
    assert!((share(first) - 55.5).abs() < 0.5, "{}", share(first));
    assert!((share(draws) - 0.3).abs() < 0.1, "{}", share(draws));
}

#[test]
fn a_playout_from_a_finished_game_changes_nothing() {
    let game = Connect4::default();
    let won = play(&game, "1212121");
    let mut state = won;
    assert_eq!(game.playout(&mut state, &mut Rng::new(1), &mut Vec::new()), 0);
    assert_eq!(state, won);
}
