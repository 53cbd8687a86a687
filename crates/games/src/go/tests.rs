//! Tests of the rules against published numbers and a naive board.

mod heavy;
mod playouts;
mod texts;

use std::collections::{HashMap, HashSet};

use super::naive::{Board, Naive, is_legal_board};
use super::*;
use tussle_core::{Notation, Symmetric};

/// Board sizes for 1, 2, 4 and 8 words, from the smallest to the largest of each.
const SIZES: [(usize, usize); 22] = [
    (1, 1),
    (1, 2),
    (2, 1),
    (2, 2),
    (1, 5),
    (3, 2),
    (3, 3),
    (4, 4),
    (5, 5),
    (7, 6),
    (7, 8),
    (8, 7),
    (1, 9),
    (9, 9),
    (10, 10),
    (10, 11),
    (11, 10),
    (13, 13),
    (13, 16),
    (14, 13),
    (19, 1),
    (19, 19),
];

fn go<const N: usize>(width: usize, height: usize) -> Go<N> {
    Go::new(&Options::sized(width, height)).unwrap()
}

fn play<const N: usize>(rules: &Go<N>, position: &str, moves: &str) -> State<N> {
    let mut state = rules.parse_position(position).unwrap();
    for text in moves.split_whitespace() {
        let mv = rules.parse_move(&state, text).unwrap();
        rules.play(&mut state, mv);
    }
    state
}

fn legal<const N: usize>(rules: &Go<N>, state: &State<N>) -> Vec<Move> {
    let mut moves = Vec::new();
    rules.moves(state, &mut moves);
    moves
}

fn is_legal<const N: usize>(rules: &Go<N>, state: &State<N>, text: &str) -> bool {
    legal(rules, state).iter().any(|&mv| rules.move_text(state, mv) == text)
}

/// Returns the text of the board without the rest of the position.
fn board<const N: usize>(rules: &Go<N>, state: &State<N>) -> String {
    rules.position_text(state).split(' ').next().unwrap().to_owned()
}

/// Counts of random games by their end, and of captures and kos.
#[derive(Default)]
struct Ends {
    passes: u32,
    cap: u32,
    repetition: u32,
    captured: usize,
    kos: u32,
}

/// Plays a random game on both boards and compares everything at every move. Passes are rare, so
/// that boards fill up and repetitions occur.
fn compare<const N: usize>(options: &Options, rng: &mut Rng, ends: &mut Ends) {
    let rules = Go::<N>::new(options).unwrap();
    let (mut state, mut naive) = (rules.start(), Naive::new(*options));
    let point = |p: usize| Bits::<N>::index(p % options.width, p / options.width);
    loop {
        let here = rules.position_text(&state);
        for p in 0..naive.board.len() {
            assert_eq!(state.colour_at(point(p)), naive.board[p].map(usize::from), "{here}");
        }
        assert_eq!(state.ko, naive.ko.map_or(NO_POINT, point), "{here}");
        assert_eq!(state.key, key_of(state.stones), "{here}");
        assert_eq!(rules.turn(&state) == Turn::Over, naive.is_over(), "{here}");
        // The naive score takes long on large boards.
        if naive.board.len() <= 50 || state.moves % 16 == 0 || naive.is_over() {
            assert_eq!(rules.score(&state), naive.score(), "{here}");
        }
        let points = naive.legal();
        let mut expected: Vec<Move> = points.iter().map(|&p| Move(point(p))).collect();
        if !naive.is_over() {
            expected.push(Move::PASS);
        }
        assert_eq!(legal(&rules, &state), expected, "{here}");
        assert_eq!(state.repeated, naive.repeated, "{here}");
        if naive.is_over() {
            break;
        }
        assert_eq!(rules.turn(&state), Turn::Player(naive.mover.into()), "{here}");
        let chosen = rng.below(points.len() * 3 + 1);
        let before = state.clone();
        let mv = if let Some(&p) = points.get(chosen / 3) {
            ends.captured += naive.put(p);
            Move(point(p))
        } else {
            naive.pass();
            Move::PASS
        };
        let after = rules.visit(&mut state, mv, |child| child.clone());
        assert_eq!(state, before, "{here}: {mv:?} is not taken back");
        rules.play(&mut state, mv);
        assert_eq!(state, after);
        ends.kos += u32::from(naive.ko.is_some());
    }
    if naive.repeated {
        ends.repetition += 1;
        assert_eq!(rules.utility(&state, 0), 0.0);
    } else {
        let utility = rules.utility(&state, 0);
        assert_eq!(utility, naive.score().signum() * f64::from(u8::from(naive.score() != 0.0)));
        if state.passes == 2 { ends.passes += 1 } else { ends.cap += 1 }
    }
    assert_eq!(rules.utility(&state, 0), -rules.utility(&state, 1));
}

fn compare_any(options: &Options, rng: &mut Rng, ends: &mut Ends) {
    match options.words() {
        1 => compare::<1>(options, rng, ends),
        2 => compare::<2>(options, rng, ends),
        4 => compare::<4>(options, rng, ends),
        _ => compare::<8>(options, rng, ends),
    }
}

#[test]
fn moves_captures_kos_ends_and_scores_match_a_naive_board_on_every_size() {
    let mut rng = Rng::new(3);
    for repetition in [Repetition::Draw, Repetition::Positional, Repetition::Off] {
        let mut all = Ends::default();
        for (width, height) in SIZES {
            let mut options = Options { repetition, ..Options::sized(width, height) };
            if width * height > 100 {
                options.cap = Some((width * height + 60) as u32); // the naive board is slow
            }
            let games = (3000 / (width * height * (width + height))).clamp(1, 150);
            for _ in 0..games {
                compare_any(&options, &mut rng, &mut all);
            }
        }
        assert!(all.captured > 500 && all.kos > 20 && all.passes > 20 && all.cap > 5);
        assert_eq!(all.repetition > 5, repetition == Repetition::Draw, "{}", all.repetition);
    }
}

#[test]
fn without_a_cap_repetition_ends_every_game() {
    let mut rng = Rng::new(4);
    for (width, height) in [(2, 2), (3, 2), (1, 5), (3, 3), (4, 4), (5, 5)] {
        for repetition in [Repetition::Draw, Repetition::Positional] {
            let options = Options { repetition, cap: None, ..Options::sized(width, height) };
            let mut ends = Ends::default();
            (0..20).for_each(|_| compare_any(&options, &mut rng, &mut ends));
            assert_eq!(ends.cap, 0);
        }
    }
}

#[test]
fn small_boards_play_the_same_in_more_words() {
    let mut rng = Rng::new(5);
    let mut ends = Ends::default();
    for (width, height) in [(3, 3), (5, 5), (7, 7)] {
        let options = Options::sized(width, height);
        compare::<2>(&options, &mut rng, &mut ends);
        compare::<4>(&options, &mut rng, &mut ends);
        compare::<8>(&options, &mut rng, &mut ends);
    }
    compare::<8>(&Options::sized(9, 9), &mut rng, &mut ends);
}

/// Returns all ways to colour the points of a board, as position text and as a naive board.
fn colourings(width: usize, height: usize) -> impl Iterator<Item = (String, Board)> {
    let points = width * height;
    (0..3u32.pow(points as u32)).map(move |number| {
        let digit = |p: usize| number / 3u32.pow(p as u32) % 3;
        let board: Board =
            (0..points).map(|p| [None, Some(0), Some(1)][digit(p) as usize]).collect();
        let rows: Vec<String> = (0..height)
            .rev()
            .map(|r| (0..width).map(|c| [".", "X", "O"][digit(r * width + c) as usize]).collect())
            .collect();
        (rows.join("/"), board)
    })
}

#[test]
fn numbers_of_legal_boards_match_the_published_ones() {
    for (width, height, count) in [
        (1, 1, 1),
        (2, 2, 57),
        (2, 3, 489),
        (3, 2, 489),
        (2, 4, 4125),
        (3, 3, 12_675),
        (3, 4, 321_689),
    ] {
        let rules = go::<1>(width, height);
        let (mut ours, mut naive) = (0, 0);
        for (text, board) in colourings(width, height) {
            ours += u32::from(rules.parse_position(&format!("{text} X - 0 0")).is_ok());
            naive += u32::from(is_legal_board(width, height, &board));
        }
        assert_eq!((ours, naive), (count, count), "{width}x{height}");
    }
}

#[test]
fn every_legal_board_of_two_by_two_occurs_in_a_game() {
    // With passes, one colour can put down several stones in a row, and captures empty the board
    // again. On 2x2 this reaches every legal board.
    let options = Options { repetition: Repetition::Positional, cap: None, ..Options::sized(2, 2) };
    let rules = Go::<1>::new(&options).unwrap();
    let mut boards = HashSet::new();
    let mut rng = Rng::new(6);
    for _ in 0..20_000 {
        let mut state = rules.start();
        while rules.turn(&state) != Turn::Over {
            boards.insert(state.stones.map(|s| format!("{s:?}")));
            let moves = legal(&rules, &state);
            rules.play(&mut state, moves[rng.below(moves.len())]);
        }
    }
    assert_eq!(boards.len(), 57);
}

#[test]
fn only_two_consecutive_passes_end_the_game() {
    let rules = go::<1>(5, 5);
    let state = play(&rules, "...../...../...../...../..... X - 0 0", "pass A1 pass");
    assert_eq!(rules.turn(&state), Turn::Player(1));
    let state = play(&rules, &rules.position_text(&state), "pass");
    assert_eq!(rules.turn(&state), Turn::Over);
    assert_eq!(legal(&rules, &state), []);
}

#[test]
fn a_ko_can_be_retaken_after_a_move_elsewhere() {
    let rules = go::<1>(5, 5);
    let before = "...../...../.XO../XO.O./.XO.. X - 0 4";
    let state = play(&rules, before, "C2");
    assert_eq!(board(&rules, &state), "...../...../.XO../X.XO./.XO..");
    assert_eq!(rules.position_text(&state).split(' ').nth(2), Some("B2"));
    assert!(!is_legal(&rules, &state, "B2"));
    let error = rules.parse_move(&state, "B2").unwrap_err().to_string();
    assert_eq!(error, "`B2`: that would retake the ko at once; play elsewhere first");
    let state = play(&rules, before, "C2 E5 E4");
    assert!(is_legal(&rules, &state, "B2"));
    let state = play(&rules, before, "C2 E5 E4 B2");
    assert_eq!(board(&rules, &state), "....O/....X/.XO../XO.O./.XO..");
    assert_eq!(rules.turn(&state), Turn::Player(0), "the stones elsewhere are new: no repetition");
    let state = play(&rules, before, "C2 pass pass");
    assert_eq!(rules.turn(&state), Turn::Over);
}

/// Moves on 2x2 after which A1 captures three white stones and recreates the board of the first
/// move.
const REPETITION_CYCLE: &str = "A1 B2 B1 A2 A1 B1";

fn two_by_two(repetition: Repetition) -> Go<1> {
    Go::new(&Options { repetition, ..Options::sized(2, 2) }).unwrap()
}

#[test]
fn a_stone_that_recreates_a_board_ends_the_game_as_a_draw() {
    let rules = Go::<1>::new(&Options { cap: Some(7), ..Options::sized(2, 2) }).unwrap();
    let state = play(&rules, "../.. X - 0 0", &format!("{REPETITION_CYCLE} A1"));
    assert_eq!(board(&rules, &state), "../X.");
    assert_eq!(rules.turn(&state), Turn::Over);
    assert_eq!((rules.utility(&state, 0), rules.utility(&state, 1)), (0.0, 0.0));
    // The text of the position keeps the repetition, so that parsing gives a finished game.
    assert_eq!(rules.parse_position(&rules.position_text(&state)), Ok(state));
}

#[test]
fn positional_superko_forbids_what_simple_ko_allows() {
    let superko = two_by_two(Repetition::Positional);
    let state = play(&superko, "../.. X - 0 0", REPETITION_CYCLE);
    assert!(!is_legal(&superko, &state, "A1"));
    let error = superko.parse_move(&state, "A1").unwrap_err().to_string();
    assert_eq!(error, "`A1`: that would recreate an earlier board, which superko forbids");
    let simple = two_by_two(Repetition::Off);
    let state = play(&simple, "../.. X - 0 0", &format!("{REPETITION_CYCLE} A1"));
    assert_eq!(simple.turn(&state), Turn::Player(1), "only the cap ends the game");
}

#[test]
fn a_position_parsed_without_earlier_boards_does_not_repeat_them() {
    let rules = two_by_two(Repetition::Draw);
    let state = play(&rules, "OO/.O X - 0 6", "A1");
    assert_eq!(rules.turn(&state), Turn::Player(1), "the earlier board is unknown");
}

#[test]
fn the_empty_board_counts_as_an_earlier_one() {
    // The board is never empty again after the first stone, because suicide is illegal. The text of
    // a position therefore leaves out an empty first board, and writes down any other first board.
    let rules = go::<1>(2, 2);
    let state = play(&rules, "../.. X - 0 0", "A1");
    assert_eq!(rules.position_text(&state), "../X. O - 0 1 XA1");
    let state = play(&rules, "../X. O - 0 1", "B2");
    assert_eq!(rules.position_text(&state), ".O/X. X - 0 2 ../X.:OB2");
    assert!(state.past.has(key_of(play(&rules, "../X. O - 0 1", "").stones), 0));
}

#[test]
fn several_groups_are_captured_at_once() {
    let rules = go::<1>(5, 5);
    let state = play(&rules, "..X../.XOX./XO.OX/.X.X./..... X - 0 0", "C3");
    assert_eq!(board(&rules, &state), "..X../.X.X./X.X.X/.X.X./.....");
}

#[test]
fn suicide_is_illegal_for_any_number_of_stones() {
    let rules = go::<1>(5, 5);
    for (position, vertex) in [
        ("...../...../...../X..../.X... O - 0 0", "A1"),
        ("...../...../X..../OX.../.X... O - 0 0", "A1"),
        ("XX.../OOX../OOX../OOX../.X... O - 0 0", "A1"),
    ] {
        let state = rules.parse_position(position).unwrap();
        assert!(!is_legal(&rules, &state, vertex), "{position}");
        let error = rules.parse_move(&state, vertex).unwrap_err().to_string();
        assert!(error.ends_with("suicide is illegal"), "{error}");
    }
}

#[test]
fn a_stone_without_liberties_is_legal_if_it_captures() {
    let rules = go::<1>(5, 5);
    let state = play(&rules, "...../...../X..../OX.../.OX.. X - 0 0", "A1");
    assert_eq!(board(&rules, &state), "...../...../X..../.X.../X.X..");
    assert_eq!(state.ko, NO_POINT, "two stones were captured");
}

#[test]
fn a_snapback_is_legal_at_once() {
    let rules = go::<1>(5, 5);
    let state = play(&rules, "...../...../OO.../XXO../..O.. O - 0 0", "A1 B1 A1");
    assert_eq!(board(&rules, &state), "...../...../OO.../..O../O.O..");
}

#[test]
fn the_cap_counts_passes_and_the_game_is_scored_there() {
    let options = Options { cap: Some(4), utility: Utility::Margin, ..Options::sized(5, 5) };
    let rules = Go::<1>::new(&options).unwrap();
    let state = play(&rules, "...../...../...../...../..... X - 0 0", "A1 pass B1 C3");
    assert_eq!(rules.turn(&state), Turn::Over);
    // Two stones against one. Both colours reach every empty point. Komi is 0.5.
    assert_eq!((rules.utility(&state, 0), rules.utility(&state, 1)), (0.5, -0.5));
    assert_eq!(rules.payoffs().most, 25.5);
}

#[test]
fn komi_depends_on_the_size_and_must_be_half_points() {
    let komi = |width, height| Options::sized(width, height).komi;
    assert_eq!((komi(5, 5), komi(9, 9), komi(19, 19), komi(5, 9)), (0.5, 5.5, 7.5, 7.5));
    for komi in [0.25, f64::NAN, 1000.5, f64::INFINITY] {
        let error = Go::<1>::new(&Options { komi, ..Options::sized(5, 5) }).unwrap_err();
        assert!(error.to_string().contains("whole or half number"), "{error}");
    }
    let endless = Options { repetition: Repetition::Off, cap: None, ..Options::sized(5, 5) };
    assert!(Go::<1>::new(&endless).unwrap_err().to_string().contains("might never end"));
    assert!(Go::<1>::new(&Options::sized(20, 5)).unwrap_err().to_string().contains("1 to 19"));
    assert!(Go::<1>::new(&Options::sized(9, 9)).unwrap_err().to_string().contains("2 words"));
}

/// Returns true if Black gets at least `goal` points against best play. The key of `memory` has the
/// whole state, including all earlier boards, so a stored answer is always valid.
fn black_gets(
    rules: &Go<1>,
    state: &mut State<1>,
    goal: f64,
    memory: &mut HashMap<(u64, Vec<u64>), bool>,
) -> bool {
    if rules.turn(state) == Turn::Over {
        return rules.utility(state, 0) >= goal;
    }
    let mut past: Vec<u64> = state.past.steps.iter().map(|step| step.before).collect();
    past.sort_unstable();
    past.dedup();
    let key = (rules.board_key(state), past);
    if let Some(&known) = memory.get(&key) {
        return known;
    }
    let black = state.mover == 0;
    let mut answer = !black;
    for mv in legal(rules, state).into_iter().rev() {
        let got = rules.visit(state, mv, |child| black_gets(rules, child, goal, memory));
        if got == black {
            answer = black;
            break;
        }
    }
    memory.insert(key, answer);
    answer
}

#[test]
fn tiny_boards_have_their_known_values_under_each_repetition_rule() {
    for (width, height, repetition, value) in [
        (1, 3, Repetition::Draw, 3.0),
        (1, 4, Repetition::Draw, 4.0),
        (2, 2, Repetition::Draw, 0.0),
        (2, 2, Repetition::Positional, 1.0),
        (1, 5, Repetition::Positional, 0.0),
    ] {
        let options = Options {
            repetition,
            komi: 0.0,
            cap: None,
            utility: Utility::Margin,
            ..Options::sized(width, height)
        };
        let rules = Go::<1>::new(&options).unwrap();
        for (goal, expected) in [(value, true), (value + 1.0, false)] {
            let got = black_gets(&rules, &mut rules.start(), goal, &mut HashMap::new());
            assert_eq!(got, expected, "{width}x{height} {repetition:?}: at least {goal}");
        }
    }
}

#[test]
fn the_table_key_has_the_move_count_only_if_the_cap_is_in_reach() {
    let rules = go::<1>(5, 5);
    let at = |moves| play(&rules, &format!("...../...../..X../...../..... O - 0 {moves}"), "");
    assert_eq!(rules.board_key(&at(1)), rules.board_key(&at(49)));
    assert_eq!(rules.table_key(&at(1), 10), rules.table_key(&at(3), 10));
    assert_ne!(rules.table_key(&at(41), 10), rules.table_key(&at(43), 10));
    assert_ne!(rules.table_key(&at(1), 49), rules.table_key(&at(3), 49));
    let endless = Go::<1>::new(&Options { cap: None, ..Options::sized(5, 5) }).unwrap();
    assert_eq!(endless.table_key(&at(1), u32::MAX), endless.table_key(&at(3), u32::MAX));
}

#[test]
fn a_rectangle_has_four_symmetries_and_a_square_eight() {
    assert_eq!((go::<1>(5, 5).symmetries(), go::<1>(5, 6).symmetries()), (8, 4));
    let rules = go::<1>(4, 3);
    let state = play(&rules, "..../..../.... X - 0 0", "A1 B3");
    let images: HashSet<String> =
        (0..4).map(|s| board(&rules, &rules.reflect(&state, s))).collect();
    let expected = [".O../..../X...", "..O./..../...X", "X.../..../.O..", "...X/..../..O."];
    assert_eq!(images, expected.map(String::from).into());
    let image = rules.reflect(&state, 3);
    assert_eq!(rules.position_text(&image), "...X/..../..O. X - 0 2 XD3,OC1");
}
