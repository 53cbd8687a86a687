//! Tests of the rules against published numbers and a naive board.

use std::collections::{HashMap, HashSet};

use tussle_core::{Notation, random_playout};

use super::board::{COMPLETE, SIDE, WINDOWS, bit, place};
use super::naive::Naive;
use super::plate::{IDENTITY, MOTION_IMAGES, MOTIONS, SETS, moved};
use super::*;
use crate::fast_playouts::{assert_matches_default_playout, assert_same_distribution};

pub(super) const TWIST: PentagoTwist = PentagoTwist::with(false);
pub(super) const EARLY_WINS: Pentago = Pentago::new(true);
pub(super) const LATE_WINS: Pentago = Pentago::new(false);

fn naive<T: Twists>(rules: Quadrants<T>) -> Naive {
    Naive::new(T::LETTERS, rules.early)
}

pub(super) fn legal<G: Game>(game: &G, state: &G::State) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    moves
}

pub(super) fn after<T: Twists>(rules: Quadrants<T>, moves: &str) -> State {
    moves.split_whitespace().fold(rules.start(), |mut state, text| {
        let mv = rules.parse_move(&state, text).unwrap();
        rules.play(&mut state, mv);
        state
    })
}

fn results<T: Twists>(rules: Quadrants<T>, state: &State) -> [f64; 2] {
    assert_eq!(rules.turn(state), Turn::Over);
    [rules.utility(state, 0), rules.utility(state, 1)]
}

/// Plays random games and calls `visit` with every state.
pub(super) fn random_games<T: Twists>(
    rules: Quadrants<T>,
    games: u64,
    mut visit: impl FnMut(State),
) {
    for seed in 0..games {
        let (mut state, mut rng) = (rules.start(), Rng::new(seed));
        visit(state);
        while rules.turn(&state) != Turn::Over {
            let moves = legal(&rules, &state);
            rules.play(&mut state, moves[rng.below(moves.len())]);
            visit(state);
        }
    }
}

/// Returns random sets of cells of all densities.
fn random_sets(count: usize) -> impl Iterator<Item = u64> {
    let mut rng = Rng::new(3);
    (0..count).map(move |i| {
        let share = 0.2 + 0.7 * (i as f64 / count as f64);
        BITS.iter().filter(|_| rng.unit() < share).map(|bit| 1 << bit).sum()
    })
}

fn image(motion: usize, set: usize) -> usize {
    MOTION_IMAGES[motion][set].into()
}

#[test]
fn twists_match_the_index_formulas() {
    let has = |set: usize, r: usize, c: usize| set >> (3 * r + c) & 1;
    for set in 0..SETS {
        let [right, left, flip] = [RIGHT, LEFT, FLIP].map(|motion| image(motion, set));
        for (r, c) in (0..9).map(|i| (i / 3, i % 3)) {
            assert_eq!(has(right, r, c), has(set, 2 - c, r));
            assert_eq!(has(left, r, c), has(set, c, 2 - r));
            assert_eq!(has(flip, r, c), has(set, r, 2 - c));
        }
    }
}

#[test]
fn compositions_and_inverses_of_motions_are_correct() {
    let twice = |a: usize, b: usize, set: usize| image(a, image(b, set));
    for set in 0..SETS {
        assert_eq!(image(IDENTITY, set), set);
        assert_eq!(twice(FLIP, FLIP, set), set);
        assert_eq!(twice(LEFT, RIGHT, set), set);
        assert_eq!(twice(RIGHT, RIGHT, set), image(HALF, set));
        assert_eq!(twice(HALF, HALF, set), set);
        for a in 0..MOTIONS {
            assert_eq!(twice(inverse(a), a, set), set, "{a}");
            for b in 0..MOTIONS {
                assert_eq!(image(compose(a, b), set), twice(a, b, set), "{a} after {b}");
            }
        }
    }
}

#[test]
fn a_twist_does_not_change_other_plates() {
    for stones in random_sets(200) {
        for (plate, motion) in (0..32).map(|i| (i / 8, i % 8)) {
            let twisted = twisted(stones, plate, motion);
            for (c, r) in (0..36).map(|i| (i % 6, i / 6)) {
                let (mut from_c, mut from_r) = (c, r);
                if 2 * (r / 3) + c / 3 == plate {
                    let (pr, pc) = moved(inverse(motion), (r % 3, c % 3), 2);
                    (from_r, from_c) = (3 * (r / 3) + pr, 3 * (c / 3) + pc);
                }
                assert_eq!(twisted >> bit(c, r) & 1, stones >> bit(from_c, from_r) & 1);
            }
        }
    }
}

#[test]
fn there_are_32_windows_and_every_line_of_five_is_found() {
    let different: HashSet<u64> = WINDOWS.into_iter().collect();
    assert_eq!(different.len(), 32);
    for window in WINDOWS {
        assert_eq!(window.count_ones(), 5);
        assert!(has_five(window));
        for &cell in BITS.iter().filter(|&&cell| window >> cell & 1 != 0) {
            assert!(!has_five(window ^ 1 << cell));
        }
    }
    let mut found = [0; 2];
    for stones in random_sets(20_000) {
        let mut board = naive(TWIST);
        for &cell in BITS.iter().filter(|&&cell| stones >> cell & 1 != 0) {
            let (column, row) = place(cell.into());
            board.cells[row][column] = 'x';
        }
        assert_eq!(has_five(stones), board.has_five('x'), "{}", board.text());
        found[usize::from(has_five(stones))] += 1;
    }
    assert!(found.into_iter().all(|count| count > 2000), "{found:?}");
    assert_eq!(COMPLETE.map(|words| words[SETS - 1]), [u32::MAX; 4]);
}

fn check_against_naive_game<T: Twists>(rules: Quadrants<T>) {
    let (mut rng, mut ends) = (Rng::new(1), HashMap::<char, u32>::new());
    for _ in 0..400 {
        let (mut state, mut board) = (rules.start(), naive(rules));
        loop {
            let here = board.text();
            assert_eq!(rules.position_text(&state), here);
            assert_eq!(rules.parse_position(&here), Ok(state));
            let moves = legal(&rules, &state);
            let texts: Vec<String> = moves.iter().map(|&mv| rules.move_text(&state, mv)).collect();
            assert_eq!(texts, board.moves(), "{here}");
            assert_eq!(rules.turn(&state) == Turn::Over, board.result != '?', "{here}");
            if moves.is_empty() {
                break;
            }
            let i = rng.below(moves.len());
            rules.play(&mut state, moves[i]);
            board.play(&texts[i]);
        }
        let first = match board.result {
            'x' => 1.0,
            'o' => -1.0,
            _ => 0.0,
        };
        assert_eq!(results(rules, &state), [first, -first], "{}", board.text());
        *ends.entry(board.result).or_default() += 1;
    }
    assert!(ends.len() == 3 && ends.values().all(|&count| count > 5), "{ends:?}");
}

#[test]
fn all_variants_match_the_naive_game() {
    check_against_naive_game(TWIST);
    check_against_naive_game(EARLY_WINS);
    check_against_naive_game(LATE_WINS);
}

/// Four stones of the first player in the top row, and room for the fifth.
const FOUR: &str = "a6:3r a1:3r b6:3r b1:3r c6:3r c1:3r d6:3r a2:3r";

#[test]
fn an_early_win_is_legal_with_each_of_the_eight_twists() {
    let four = after(EARLY_WINS, FOUR);
    assert_eq!(EARLY_WINS.position_text(&four), "xxxx../....../....../....../o...../ooo... x");
    let winning: Vec<Move> =
        legal(&EARLY_WINS, &four).into_iter().filter(|mv| mv.bit() == bit(4, 0)).collect();
    assert_eq!(winning.len(), 8);
    for &mv in &winning {
        let mut state = four;
        EARLY_WINS.play(&mut state, mv);
        assert_eq!(EARLY_WINS.position_text(&state), "xxxxx./....../....../....../o...../ooo... o");
        assert_eq!(results(EARLY_WINS, &state), [1.0, -1.0]);
    }
    // Without early wins, the same stone wins only if the twist does not change the row.
    let four = after(LATE_WINS, FOUR);
    let wins = winning.iter().filter(|&&mv| {
        let mut state = four;
        LATE_WINS.play(&mut state, mv);
        LATE_WINS.turn(&state) == Turn::Over
    });
    assert_eq!(wins.map(|mv| mv.plate()).collect::<Vec<_>>(), [2, 2, 3, 3]);
    assert!(legal(&LATE_WINS, &four).len() == 8 * 28 && legal(&EARLY_WINS, &four).len() == 8 * 28);
}

fn play<T: Twists>(rules: Quadrants<T>, position: &str, text: &str) -> State {
    let mut state = rules.parse_position(position).unwrap();
    let mv = rules.parse_move(&state, text).unwrap();
    rules.play(&mut state, mv);
    state
}

#[test]
fn a_twist_can_complete_the_line_of_the_opponent() {
    // The second player's d5 and d4 turn into d6 and e6, beside a6 to c6.
    let position = "ooo.../...o../...o../....../x.x.../x.x.x. x";
    assert_eq!(results(TWIST, &play(TWIST, position, "f1:1r")), [-1.0, 1.0]);
    assert_eq!(results(EARLY_WINS, &play(EARLY_WINS, position, "f1:1r")), [-1.0, 1.0]);
    assert_eq!(results(LATE_WINS, &play(LATE_WINS, position, "f1:1r")), [-1.0, 1.0]);
}

#[test]
fn a_twist_that_completes_lines_of_both_players_is_a_draw() {
    let position = "ooo.../xxxox./...ox./....../....../...... x";
    for state in [
        play(TWIST, position, "f1:1r"),
        play(EARLY_WINS, position, "f1:1r"),
        play(LATE_WINS, position, "f1:1r"),
    ] {
        assert_eq!(EARLY_WINS.position_text(&state), "ooooo./xxxxx./....../....../....../.....x o");
        assert_eq!(results(EARLY_WINS, &state), [0.0, 0.0]);
    }
}

#[test]
fn a_full_board_without_a_line_is_a_draw() {
    let position = "xxooxx/ooxxoo/xxooxx/ooxxoo/xxooxx/ooxxo. o";
    for state in [
        play(TWIST, position, "f1:3f"),
        play(EARLY_WINS, position, "f1:3r"),
        play(LATE_WINS, position, "f1:3r"),
    ] {
        assert_eq!((state.plies, state.fives), (36, 0));
        assert_eq!(results(EARLY_WINS, &state), [0.0, 0.0]);
        assert!(legal(&EARLY_WINS, &state).is_empty());
    }
}

#[test]
fn each_ply_has_eight_moves_per_free_cell_and_few_distinct_boards() {
    let boards = |plies: usize| {
        let mut layer = HashSet::from([TWIST.start().stones]);
        for ply in 0..plies {
            let mut next = HashSet::new();
            for stones in layer {
                let state = State::new(stones, ply as u8);
                let moves = legal(&TWIST, &state);
                assert_eq!(moves.len(), 8 * (36 - ply));
                for mv in moves {
                    let mut after = state;
                    TWIST.play(&mut after, mv);
                    next.insert(after.stones);
                }
            }
            layer = next;
        }
        layer.len()
    };
    assert_eq!([1, 2, 3].map(boards), [36, 1260, 21_420]);
}

fn check_distinct_moves<T: Twists>(rules: Quadrants<T>, starts: &[State]) -> usize {
    let mut dropped = 0;
    let mut check = |state: State| {
        let (mut seen, mut expected) = (HashSet::new(), Vec::new());
        let moves = legal(&rules, &state);
        for &mv in &moves {
            let mut after = state;
            rules.play(&mut after, mv);
            if seen.insert((after.stones, after.fives)) {
                expected.push(mv);
            }
        }
        let mut distinct = Vec::new();
        rules.distinct_moves(&state, &mut distinct);
        assert_eq!(distinct, expected, "{}", rules.position_text(&state));
        dropped += moves.len() - distinct.len();
    };
    for &state in starts {
        check(state);
    }
    random_games(rules, 300, check);
    dropped
}

/// Returns boards with many symmetric plates. The boards need not be reachable in a game.
fn symmetric_boards() -> Vec<State> {
    let mut rng = Rng::new(12);
    let symmetric: Vec<usize> =
        (0..SETS).filter(|&set| (1..MOTIONS).any(|motion| image(motion, set) == set)).collect();
    let mut board = || {
        let mut plates = || {
            (0..4).fold(0u64, |all, plate| {
                all | (symmetric[rng.below(symmetric.len())] as u64) << (16 * plate)
            })
        };
        let (first, second) = (plates(), plates());
        let second = second & !first;
        State::new([first, second], (first | second).count_ones() as u8)
    };
    let boards: Vec<State> = (0..20_000).map(|_| board()).collect();
    boards.into_iter().filter(|state| !state.is_over()).collect()
}

#[test]
fn distinct_moves_keeps_the_first_of_moves_with_the_same_board() {
    let starts = symmetric_boards();
    assert!(starts.len() > 3000, "{}", starts.len());
    for dropped in [
        check_distinct_moves(TWIST, &starts),
        check_distinct_moves(EARLY_WINS, &starts),
        check_distinct_moves(LATE_WINS, &starts),
    ] {
        assert!(dropped > 50_000, "{dropped}");
    }
    let mut moves = Vec::new();
    TWIST.distinct_moves(&TWIST.start(), &mut moves);
    assert_eq!(moves.len(), 36);
}

fn symmetries_of<T: Twists>(rules: Quadrants<T>) -> Vec<usize> {
    let conjugate = |motion, twist| compose(compose(motion, twist), inverse(motion));
    let keeps = |&motion: &usize| {
        T::MOTIONS.into_iter().all(|twist| T::MOTIONS.contains(&conjugate(motion, twist)))
    };
    assert_eq!(rules.symmetries(), T::SYMMETRIES.len());
    (0..MOTIONS).filter(keeps).collect()
}

#[test]
fn pentago_has_eight_symmetries_and_pentago_twist_two() {
    assert_eq!(symmetries_of(TWIST), TurnAndFlip::SYMMETRIES);
    assert_eq!(symmetries_of(EARLY_WINS), Turns::SYMMETRIES);
    assert_eq!(TWIST.symmetries(), 2);
    assert_eq!(EARLY_WINS.symmetries(), 8);
    // `reflected` moves every cell as the motion does.
    for stones in random_sets(100) {
        for motion in 0..MOTIONS {
            let image = reflected(stones, motion);
            for (c, r) in (0..36).map(|i| (i % SIDE, i / SIDE)) {
                let (to_r, to_c) = moved(motion, (r, c), SIDE - 1);
                assert_eq!(image >> bit(to_c, to_r) & 1, stones >> bit(c, r) & 1);
            }
        }
    }
}

fn check_reflections<T: Twists>(rules: Quadrants<T>) {
    let mut rng = Rng::new(5);
    for _ in 0..30 {
        let mut state = rules.start();
        while rules.turn(&state) != Turn::Over {
            let moves = legal(&rules, &state);
            let mv = moves[rng.below(moves.len())];
            let mut next = state;
            rules.play(&mut next, mv);
            for s in 0..rules.symmetries() {
                let mut image = rules.reflect(&state, s);
                rules.play(&mut image, rules.reflect_move(mv, s));
                assert_eq!(image, rules.reflect(&next, s), "symmetry {s}");
                assert_eq!(rules.canonical(&image).0, rules.canonical(&next).0);
            }
            state = next;
        }
    }
}

#[test]
fn reflected_games_have_reflected_positions() {
    check_reflections(TWIST);
    check_reflections(EARLY_WINS);
    check_reflections(LATE_WINS);
}

fn fast_playouts_match_default_playouts<T: Twists>(rules: Quadrants<T>) {
    let middle = "x.o.../.x..o./....x./o...../.x..o./.....x o";
    for start in [rules.start(), rules.parse_position(middle).unwrap()] {
        assert_matches_default_playout(&rules, &start, 40_000);
    }
    // With three free cells, every final position is counted separately.
    let late = ".xooxx/ooxxo./xxooxx/ooxxoo/xxooxx/.oxxoo o";
    let late = rules.parse_position(late).unwrap();
    let ends = |game: &dyn Fn(&mut State, &mut Rng)| {
        let (mut rng, mut counts) = (Rng::new(2), HashMap::new());
        for _ in 0..100_000 {
            let mut state = late;
            game(&mut state, &mut rng);
            *counts.entry((state.stones, state.fives)).or_default() += 1.0;
        }
        counts
    };
    let fast = ends(&|state, rng| {
        rules.playout(state, rng, &mut Vec::new());
    });
    let plain = ends(&|state, rng| {
        random_playout(&rules, state, rng, &mut Vec::new());
    });
    assert!(fast.len() > 100, "{}", fast.len());
    assert_same_distribution(&fast, &plain);
}

#[test]
fn fast_playouts_of_all_variants_match_default_playouts() {
    fast_playouts_match_default_playouts(TWIST);
    fast_playouts_match_default_playouts(EARLY_WINS);
    fast_playouts_match_default_playouts(LATE_WINS);
}

#[test]
fn random_games_without_early_wins_last_28_plies_and_favour_the_first_player() {
    let (games, mut rng) = (300_000, Rng::new(9));
    let (mut plies, mut shares) = (0.0, [0.0_f64; 4]);
    for _ in 0..games {
        let mut state = LATE_WINS.start();
        let length = LATE_WINS.playout(&mut state, &mut rng, &mut Vec::new());
        assert_eq!(state.occupied().count_ones(), length);
        plies += f64::from(length) / f64::from(games);
        shares[usize::from(state.fives)] += 100.0 / f64::from(games);
    }
    let [full, first, second, both] = shares;
    assert!((plies - 28.1_f64).abs() < 0.1, "{plies}");
    for (seen, known) in [(first, 50.4), (full + both, 8.3), (second, 41.2)] {
        assert!((seen - known).abs() < 0.4, "{shares:?}");
    }
}

#[test]
fn a_playout_from_a_finished_game_changes_nothing() {
    let won = after(EARLY_WINS, &format!("{FOUR} e6:0r"));
    let mut state = won;
    assert_eq!(EARLY_WINS.playout(&mut state, &mut Rng::new(1), &mut Vec::new()), 0);
    assert_eq!(state, won);
}
