//! Tests of the rules against published numbers and the naive implementation.

use std::collections::{HashMap, HashSet};

use tussle_core::{Evaluator as _, Game, Hashed, Notation, ParseError, Rng, Symmetric, Turn};

use super::naive::{Naive, random_board};
use super::{Board, Direction, Eval, KeepOnMoving, State};
use crate::fast_playouts::assert_matches_default_playout;

type Small = KeepOnMoving<3, 2>;
type Duel = KeepOnMoving<68, 2>;
type ManyPlayers = KeepOnMoving<68, 8>;

fn small(board: usize) -> Small {
    Small::new(&Board::builtin(board).unwrap()).unwrap()
}

fn on<const W: usize, const P: usize>(board: &str) -> KeepOnMoving<W, P> {
    KeepOnMoving::new(&Board::parse(board).unwrap()).unwrap()
}

fn moves<G: Game>(game: &G, state: &G::State) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    moves
}

fn play<const W: usize, const P: usize>(game: &KeepOnMoving<W, P>, letters: &str) -> State<W, P> {
    let mut state = game.start();
    for letter in letters.chars() {
        let mv = game.parse_move(&state, &letter.to_string()).unwrap();
        game.play(&mut state, mv);
    }
    state
}

/// Plays random games on random boards, compares them with the naive rules, and checks notation,
/// keys and taking back in every position.
fn compare_with_naive<const W: usize, const P: usize>(side: usize, boards: u64) {
    for seed in 0..boards {
        let mut rng = Rng::new(seed);
        let board = random_board(&mut rng, side, P);
        let game: KeepOnMoving<W, P> = on(&board);
        let (mut state, mut naive) = (game.start(), Naive::new(&board));
        loop {
            let turn = if naive.winners.is_some() { Turn::Over } else { Turn::Player(naive.mover) };
            assert_eq!(game.turn(&state), turn, "{board}\n{state:?}");
            let legal = moves(&game, &state);
            let letters: Vec<String> = legal.iter().map(|&mv| game.move_text(&state, mv)).collect();
            let expected: Vec<String> = naive.moves().iter().map(char::to_string).collect();
            assert_eq!(letters, expected, "{board}");
            assert_eq!(state.key, game.fresh_key(&state), "{board}");
            let text = game.position_text(&state);
            assert_eq!(game.parse_position(&text).as_ref(), Ok(&state), "{board}");
            if legal.is_empty() {
                break;
            }
            let choice = rng.below(legal.len());
            let before = state.clone();
            let after = game.visit(&mut state, legal[choice], |child| child.clone());
            assert_eq!(state, before, "{board}");
            game.play(&mut state, legal[choice]);
            assert_eq!(state, after, "{board}");
            assert_ne!(game.board_key(&state), game.board_key(&before));
            naive.step(letters[choice].chars().next().unwrap());
        }
        let winners = naive.winners.unwrap();
        let share = |p: usize| match (naive.at.len(), winners.contains(&p)) {
            (2, _) if winners.len() == 2 => 0.0,
            (2, won) => {
                if won {
                    1.0
                } else {
                    -1.0
                }
            }
            (_, won) => {
                if won {
                    1.0 / winners.len() as f64
                } else {
                    0.0
                }
            }
        };
        for p in 0..naive.at.len() {
            assert_eq!(game.utility(&state, p), share(p), "{board}\n{winners:?}");
        }
    }
}

#[test]
fn games_of_two_players_match_the_naive_rules() {
    compare_with_naive::<3, 2>(8, 2000);
    compare_with_naive::<68, 2>(12, 200);
}

#[test]
fn games_of_two_to_eight_players_match_the_naive_rules() {
    compare_with_naive::<68, 8>(7, 3000);
    compare_with_naive::<2, 4>(6, 1000);
}

#[test]
fn a_player_who_cannot_move_ties_if_the_opponent_cannot_either_and_loses_otherwise() {
    // The player to move cannot move: a tie if the opponent cannot either, else a loss. If the
    // player to move can move, the game continues even though the opponent cannot move.
    for (board, letters, value) in [
        ("1.2", "R", 0.0),  // neither player can move
        (".1.2", "R", 0.0), // player 1 cannot go back
        ("1#2.", "", -1.0),
        ("12", "", 0.0),
        ("..1#2", "L", 1.0),
    ] {
        let game: Small = on(board);
        let state = play(&game, letters);
        assert_eq!(game.turn(&state), Turn::Over, "{board}");
        assert_eq!(game.utility(&state, 0), value, "{board}");
        assert!(moves(&game, &state).is_empty(), "{board}");
    }
    let game: Small = on("1...#\n####2");
    assert_eq!(game.turn(&game.start()), Turn::Player(0));
}

#[test]
fn of_three_players_one_who_cannot_move_is_out_and_the_others_continue() {
    let game: ManyPlayers = on("1....#2#....3");
    let mut state = game.start();
    game.play(&mut state, Direction::Right);
    // Player 2 cannot move on its turn, and two others can: it is player 3's turn at once.
    assert_eq!(game.turn(&state), Turn::Player(2));
    assert_eq!(game.position_text(&state), "#1...#2#....3 3 out:2");
    let state = play(&game, "RLRLRLR");
    // One step before the end, player 3 can still move, but player 1 cannot.
    assert_eq!(game.position_text(&state), "####1#2#.3### 3 out:2");
    let state = play(&game, "RLRLRLRL");
    // Player 1 cannot move on its turn, and neither can player 3: they share the win, player 2
    // lost.
    assert_eq!(game.turn(&state), Turn::Over);
    let shares: Vec<f64> = (0..3).map(|p| game.utility(&state, p)).collect();
    assert_eq!(shares, [0.5, 0.0, 0.5]);
}

#[test]
fn three_players_who_all_cannot_move_share_the_win() {
    let game: ManyPlayers = on("1#2#3");
    let shares: Vec<f64> = (0..3).map(|p| game.utility(&game.start(), p)).collect();
    assert_eq!((game.turn(&game.start()), shares), (Turn::Over, vec![1.0 / 3.0; 3]));
}

#[test]
fn boards_above_the_capacity_are_rejected() {
    let board = Board::builtin(4).unwrap();
    assert!(Small::new(&board).is_err());
    assert!(Duel::new(&board).is_ok());
    let three = Board::parse("1.2.3").unwrap();
    assert!(Duel::new(&three).is_err());
    assert!(ManyPlayers::new(&three).is_ok());
    let full = format!("12{}\n{}", ".".repeat(62), format!("{}\n", ".".repeat(64)).repeat(63));
    let full = Board::parse(&full).unwrap();
    assert_eq!((full.width(), full.height()), (64, 64));
    let game = ManyPlayers::new(&full).unwrap();
    let mut state = game.start();
    game.playout(&mut state, &mut Rng::new(1), &mut Vec::new());
    assert_eq!(game.turn(&state), Turn::Over);
    assert_eq!(Duel::new(&full).unwrap().payoffs().most, 1.0);
}

/// Returns the move of the simple player of the university course: the first of the steps with the
/// largest value of [`Eval::Snug`].
fn simple<const W: usize>(game: &KeepOnMoving<W, 2>, state: &State<W, 2>) -> Direction {
    let mover = usize::from(state.mover);
    let mut best = None;
    for mv in moves(game, state) {
        let mut next = state.clone();
        game.play(&mut next, mv);
        let score = Eval::Snug.value(game, &next, mover);
        if best.is_none_or(|(top, _)| score > top) {
            best = Some((score, mv));
        }
    }
    best.expect("the game is not over").1
}

fn simple_game<const W: usize>(board: usize) -> ([String; 2], f64) {
    let game = KeepOnMoving::<W, 2>::new(&Board::builtin(board).unwrap()).unwrap();
    let mut state = game.start();
    let mut walks = [String::new(), String::new()];
    while let Turn::Player(mover) = game.turn(&state) {
        let mv = simple(&game, &state);
        walks[mover].push_str(&game.move_text(&state, mv));
        game.play(&mut state, mv);
    }
    (walks, game.utility(&state, 0))
}

#[test]
fn simple_against_simple_takes_the_published_walks() {
    let walks = |first: &str, second: &str| [first.to_owned(), second.to_owned()];
    assert_eq!(simple_game::<3>(0), (walks("ULDDRDLDDRURUR", "URDDLDRDDLULDL"), 0.0));
    assert_eq!(simple_game::<3>(1), (walks("LLURURDR", "RRULULUL"), -1.0));
    assert_eq!(simple_game::<3>(2), (walks("UUUUUUUURRRRRRRR", "DDDDDDDDLLLUUUUU"), -1.0));
    assert_eq!(simple_game::<3>(3), (walks("ULLDD", "URRDD"), 0.0));
    let fourth = walks(
        "UUURURURURURURULLDLULDDDLDLUURUULUUUUUUUUUR",
        "DDDLDRDDDDDDDDDDDDDDLULULULULULULULULDLDRR",
    );
    assert_eq!(fourth[0].len() + fourth[1].len(), 85);
    assert_eq!(simple_game::<68>(4), (fourth.clone(), 1.0));
    assert_eq!(simple_game::<16>(4), (fourth, 1.0));
}

/// Value for the player to move, and the number of plies of the shortest and the longest game.
type Solution = (i32, u32, u32);

fn solve(game: &Small, state: &State<3, 2>, seen: &mut HashMap<State<3, 2>, Solution>) -> Solution {
    if let Some(&solution) = seen.get(state) {
        return solution;
    }
    let solution = match game.turn(state) {
        Turn::Player(_) => {
            let mut solution = (-1, u32::MAX, 0);
            for mv in moves(game, state) {
                let mut next = state.clone();
                game.play(&mut next, mv);
                let (value, shortest, longest) = solve(game, &next, seen);
                solution.0 = solution.0.max(-value);
                solution.1 = solution.1.min(shortest + 1);
                solution.2 = solution.2.max(longest + 1);
            }
            solution
        }
        _ => (game.utility(state, usize::from(state.mover)) as i32, 0, 0),
    };
    seen.insert(state.clone(), solution);
    solution
}

#[test]
fn boards_0_to_3_are_ties_with_published_first_moves_sizes_and_lengths() {
    for (board, states, lengths, first_moves) in [
        (0, 111_839, (6, 28), "U-1 D0 L-1"),
        (1, 90_904, (6, 44), "U0 L-1"),
        (2, 75_386, (16, 53), "U-1 R0"),
        (3, 21_941, (10, 39), "U0"),
    ] {
        let game = small(board);
        let mut seen = HashMap::new();
        let (value, shortest, longest) = solve(&game, &game.start(), &mut seen);
        assert_eq!((value, seen.len(), (shortest, longest)), (0, states, lengths), "board {board}");
        let values: Vec<String> = moves(&game, &game.start())
            .into_iter()
            .map(|mv| {
                let mut next = game.start();
                game.play(&mut next, mv);
                format!("{}{}", game.move_text(&next, mv), -seen[&next].0)
            })
            .collect();
        assert_eq!(values.join(" "), first_moves, "board {board}");
        let keys: HashSet<u64> = seen.keys().map(|state| game.board_key(state)).collect();
        assert_eq!(keys.len(), states, "two states of board {board} share a key");
    }
}

fn perft<G: Game>(game: &G, state: &mut G::State, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut count = 0;
    for mv in moves(game, state) {
        count += game.visit(state, mv, |child| perft(game, child, depth - 1));
    }
    count
}

#[test]
fn perft_matches_the_naive_rules() {
    for board in 0..5 {
        let text = super::board::BUILTIN[board];
        let game: Duel = on(text);
        for depth in 0..=16 {
            let naive = Naive::new(text).perft(depth);
            assert_eq!(perft(&game, &mut game.start(), depth), naive, "board {board}");
        }
    }
}

fn check_playouts<const W: usize, const P: usize>(game: &KeepOnMoving<W, P>, games: u32) {
    assert_matches_default_playout(game, &game.start(), games);
}

#[test]
fn fast_playouts_match_default_playouts() {
    check_playouts(&small(0), 200_000);
    check_playouts(&small(1), 100_000);
    check_playouts(&on::<68, 2>("1....\n.....\n..#..\n.....\n....2"), 100_000);
    check_playouts(&on::<68, 8>("1....\n...3.\n..#..\n.4...\n....2"), 100_000);
    check_playouts(&on::<68, 8>("1....\n.....\n..#..\n.....\n....2"), 100_000);
}

#[test]
fn a_playout_from_a_finished_game_changes_nothing() {
    for board in ["12", "1#2.", "1.#2#.3", "1#2#3"] {
        let game: ManyPlayers = on(board);
        let mut state = play(&game, if board == "1.#2#.3" { "R" } else { "" });
        assert_eq!(game.turn(&state), Turn::Over);
        let before = state.clone();
        assert_eq!(game.playout(&mut state, &mut Rng::new(1), &mut Vec::new()), 0);
        assert_eq!(state, before);
    }
}

#[test]
fn symmetries_that_swap_players_do_not_count() {
    for board in 0..4 {
        assert_eq!(small(board).symmetries(), 1, "board {board}");
    }
    // Allowed: swapping left and right, or reflection in the diagonal. Half turns swap the players.
    assert_eq!(on::<3, 2>(".1.\n...\n.2.\n...").symmetries(), 2);
    assert_eq!(on::<3, 2>("1..\n...\n..2").symmetries(), 2);
    assert_eq!(on::<3, 2>("1.#\n...\n..2").symmetries(), 1);
    assert_eq!(on::<3, 2>("...\n1.2\n...\n.#.").symmetries(), 1);
    assert_eq!(on::<3, 2>("12").symmetries(), 2); // top and bottom of a single row
}

#[test]
fn reflected_moves_lead_to_reflected_positions() {
    for board in [
        ".1..2.\n.#..#.\n......\n......\n.#..#.\n......",
        "..1..\n.#.#.\n.....\n..2..",
        "1....\n..#..\n.#...\n...2.\n....3",
        "....3\n..#..\n...#.\n.2...\n1....",
        "#...#\n.....\n1.2.3\n.....\n#...#",
    ] {
        let game: ManyPlayers = on(board);
        let mut rng = Rng::new(5);
        for _ in 0..50 {
            let mut state = game.start();
            while let Turn::Player(_) = game.turn(&state) {
                let legal = moves(&game, &state);
                let mv = legal[rng.below(legal.len())];
                let before = state.clone();
                game.play(&mut state, mv);
                for s in 0..game.symmetries() {
                    let mut image = game.reflect(&before, s);
                    game.play(&mut image, game.reflect_move(mv, s));
                    assert_eq!(image, game.reflect(&state, s), "{board}");
                    assert_eq!(game.canonical(&image).0, game.canonical(&state).0);
                }
            }
        }
    }
    let symmetries = |board| on::<68, 8>(board).symmetries();
    assert_eq!(symmetries("1....\n..#..\n.#...\n...2.\n....3"), 2);
    assert_eq!(symmetries("....3\n..#..\n...#.\n.2...\n1...."), 2);
    assert_eq!(symmetries("#...#\n.....\n1.2.3\n.....\n#...#"), 2);
}

#[test]
fn impossible_positions_are_rejected() {
    let duel: ManyPlayers = on("1.#\n..2");
    let crowd: ManyPlayers = on("1...#\n.#2#.\n3....");
    let check = |game: &ManyPlayers, text: &str, why: &str| {
        let parsed: Result<_, ParseError> = game.parse_position(text);
        let error = parsed.expect_err(text).to_string();
        assert!(error.contains(why), "{text}: {error}");
    };
    for (text, why) in [
        ("", "expected rows"),
        ("1.#/..2", "expected rows"),
        ("1.#/..2 3", "expected rows"),
        ("1.#/..2 11", "expected rows"),
        ("1.#/..2 1 2 1", "expected rows"),
        ("1.#/..2 1 2", "expected `out:`"),
        ("1.#/..2 1 out:", "expected `out:`"),
        ("1.#/..2 1 out:22", "expected `out:`"),
        ("1.#/..2 1 out:2", "fewer than two players are still in"),
        ("1.# 1", "expected 2 rows, found 1"),
        ("1.#/../2. 1", "expected 2 rows, found 3"),
        ("1.#./..2 1", "row 1: expected 3 cells, found 4"),
        ("1.#/.é 1", "row 2: expected 3 cells, found 2"),
        ("1.#/.é2 1", "row 2, column 2: expected `#`, `.` or a digit 1 to 2, found 'é'"),
        ("1.#/.32 1", "row 2, column 2: expected `#`, `.` or a digit 1 to 2, found '3'"),
        ("1../..2 1", "row 1, column 3: this cell is blocked"),
        ("#.1/..2 2", "row 1, column 3: this cell is blocked"),
        (".1#/..2 2", "row 1, column 1: the start cell of a player is never free"),
        ("11#/..2 1", "row 1, column 2: player 1 is on the board a second time"),
        ("###/..2 1", "player 1 is not on the board"),
        ("1.#/..2 2", "after 0 steps it is player 1's turn, not 2's"),
        ("#1#/..2 1", "after 1 steps it is player 2's turn, not 1's"),
    ] {
        check(&duel, text, why);
    }
    for (text, why) in [
        ("1...#/.#2#./3.... 1 out:1", "player 1 is out and cannot be the player to move"),
        ("1...#/.#2#./3.... 1 out:3", "player 3 can move, so it is not out"),
        ("#1..#/###2./3.... 1 out:4", "expected `out:`"),
        ("1##.#/##2#./3.... 1", "player 1 cannot move and others can, so it is out"),
    ] {
        check(&crowd, text, why);
    }
    let state = crowd.parse_position("##1##/##2##/3.... 3 out:1").unwrap();
    assert_eq!(crowd.turn(&state), Turn::Player(2));
}

#[test]
fn errors_of_illegal_steps_name_the_reason() {
    let game: Small = on("#.#\n12.\n...");
    let mut state = game.start();
    let why = |state: &_, text: &str| game.parse_move(state, text).unwrap_err().to_string();
    assert!(why(&state, "L").contains("leaves the board"));
    assert!(why(&state, "U").contains("blocked"));
    assert!(why(&state, "R").contains("another player"));
    assert!(why(&state, "d").contains("a move is U, R, D or L"));
    for mv in [Direction::Down, Direction::Right] {
        game.play(&mut state, mv);
    }
    assert!(why(&state, "U").contains("because a player left it"));
    assert!(why(&state, "D").contains("leaves the board"));
}

#[test]
fn the_state_of_a_small_board_has_40_bytes() {
    assert_eq!(size_of::<State<3, 2>>(), 40);
}
