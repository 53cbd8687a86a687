//! Tests of the rules against examples of the rule book and a naive implementation.

use std::collections::{HashMap, HashSet};

use super::*;
use crate::fast_playouts::assert_matches_default_playout;
use tussle_core::Notation;

pub(super) const GAME: Backgammon = Backgammon { score: Score::Full };

pub(super) fn at(text: &str) -> State {
    GAME.parse_position(text).unwrap()
}

pub(super) fn legal(state: &State) -> Vec<Move> {
    let mut moves = Vec::new();
    GAME.moves(state, &mut moves);
    moves
}

/// Returns the legal moves of a position in alphabetical order.
fn texts(position: &str) -> Vec<String> {
    let state = at(position);
    let mut texts: Vec<String> =
        legal(&state).iter().map(|&mv| GAME.move_text(&state, mv)).collect();
    texts.sort();
    texts
}

fn after(position: &str, moves: &[&str]) -> String {
    let mut state = at(position);
    for text in moves {
        let mv = GAME.parse_move(&state, text).unwrap();
        GAME.play(&mut state, mv);
    }
    GAME.position_text(&state)
}

/// Numbers of checkers of both players by place, in the owner's numbering.
type Counts = [[u32; 26]; 2];

fn counts(state: &State) -> Counts {
    state.checkers.map(|checkers| std::array::from_fn(|place| checkers.count(place)))
}

/// Makes one step by the rule book; `None` if it is illegal.
fn naive_step(board: &Counts, player: usize, from: usize, die: usize) -> Option<Counts> {
    let (own, opponent) = (&board[player], &board[1 - player]);
    if own[from] == 0 || (own[25] > 0 && from != 25) {
        return None;
    }
    let mut next = *board;
    next[player][from] -= 1;
    if from > die {
        let to = from - die;
        match opponent[25 - to] {
            0 => {}
            1 => {
                next[1 - player][25 - to] = 0;
                next[1 - player][25] += 1;
            }
            _ => return None,
        }
        next[player][to] += 1;
    } else {
        let all_home = own[7..].iter().all(|&n| n == 0);
        let none_farther = own[from + 1..].iter().all(|&n| n == 0);
        if !all_home || (from < die && !none_farther) {
            return None;
        }
        next[player][0] += 1;
    }
    Some(next)
}

/// Adds to `ends` every sequence of steps with these dice in this order: the dice used and the
/// board after them.
fn naive_lines(
    board: &Counts,
    player: usize,
    dice: &[usize],
    used: &mut Vec<usize>,
    ends: &mut HashSet<(Vec<usize>, Counts)>,
) {
    ends.insert((used.clone(), *board));
    let Some((&die, rest)) = dice.split_first() else { return };
    for from in 1..=25 {
        if let Some(next) = naive_step(board, player, from, die) {
            used.push(die);
            naive_lines(&next, player, rest, used, ends);
            used.pop();
        }
    }
}

/// Returns the boards after a roll by the rule book: all orders of the dice, as many dice as
/// possible, and the larger die if only one can be played.
fn naive_plays(board: &Counts, player: usize, roll: Roll) -> HashSet<Counts> {
    let (high, low) = (usize::from(roll.high), usize::from(roll.low));
    let mut ends = HashSet::new();
    if high == low {
        naive_lines(board, player, &[high; 4], &mut Vec::new(), &mut ends);
    } else {
        naive_lines(board, player, &[high, low], &mut Vec::new(), &mut ends);
        naive_lines(board, player, &[low, high], &mut Vec::new(), &mut ends);
    }
    let longest = ends.iter().map(|(used, _)| used.len()).max().unwrap();
    ends.retain(|(used, _)| used.len() == longest);
    if longest == 1 && ends.iter().any(|(used, _)| used[0] == high) {
        ends.retain(|(used, _)| used[0] == high);
    }
    ends.into_iter().map(|(_, board)| board).collect()
}

/// Checks that the list of plays has exactly one play for each board of [`naive_plays`].
fn check_plays(state: &State) {
    let Some(roll) = state.roll else { return };
    let expected = naive_plays(&counts(state), state.mover(), roll);
    let mut results = HashSet::new();
    let moves = legal(state);
    for &mv in &moves {
        let mut next = *state;
        GAME.play(&mut next, mv);
        let text = GAME.move_text(state, mv);
        assert!(results.insert(counts(&next)), "{}: {text} twice", GAME.position_text(state));
        assert_eq!((next.mover, next.roll), (1 - state.mover, None));
    }
    let missing: Vec<_> = expected.difference(&results).collect();
    let wrong: Vec<_> = results.difference(&expected).collect();
    assert!(
        missing.is_empty() && wrong.is_empty(),
        "{}: missing {missing:?}, wrong {wrong:?}",
        GAME.position_text(state)
    );
    let stuck = expected.len() == 1 && expected.contains(&counts(state));
    assert_eq!(moves == [Move::Play(Play::NONE)], stuck, "{}", GAME.position_text(state));
}

/// Returns a random position of one of several kinds, with fifteen checkers per player.
fn random_position(rng: &mut Rng) -> State {
    loop {
        // Places of a player's checkers: everywhere, home board, mostly off, bar and everywhere,
        // both home boards, near the middle.
        let kinds: [&[usize]; 6] = [
            &[
                1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
                24,
            ],
            &[0, 1, 2, 3, 4, 5, 6],
            &[0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7],
            &[25, 25, 24, 20, 18, 13, 8, 7, 6, 5, 4, 3, 2],
            &[0, 1, 2, 3, 4, 5, 6, 19, 20, 21, 22, 23, 24, 25],
            &[7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18],
        ];
        let mut board: Counts = [[0; 26]; 2];
        for player in 0..2 {
            let kind = kinds[rng.below(kinds.len())];
            let max_stack = 1 + rng.below(4) as u32;
            let mut left = 15;
            while left > 0 {
                let place = kind[rng.below(kind.len())];
                let across = 25 - place;
                let is_free = place == 0 || place == 25 || board[1 - player][across] == 0;
                // If the opponent has the point, the checkers are off or on the bar.
                let place = if is_free { place } else { [0, 25][rng.below(2)] };
                let count = left.min(1 + rng.below(max_stack as usize) as u32);
                board[player][place] += count;
                left -= count;
            }
        }
        let mut checkers = [Checkers::default(); 2];
        for (checkers, counts) in checkers.iter_mut().zip(&board) {
            for (place, &count) in counts.iter().enumerate() {
                checkers.put(place, count);
            }
        }
        let roll = Some(ROLLS[rng.below(21)]);
        let state = State { checkers, mover: rng.below(2) as u8, roll, opening: false };
        if state.winner().is_none() && !state.is_deadlock() {
            return state;
        }
    }
}

/// Plays random games and calls `visit` with every position.
pub(super) fn random_games(games: u64, mut visit: impl FnMut(&State)) {
    for seed in 0..games {
        let (mut state, mut rng) = (GAME.start(), Rng::new(seed));
        while GAME.turn(&state) != Turn::Over {
            visit(&state);
            let mv = if state.roll.is_some() {
                let moves = legal(&state);
                moves[rng.below(moves.len())]
            } else {
                GAME.sample(&state, &mut rng, &mut Vec::new())
            };
            GAME.play(&mut state, mv);
        }
        visit(&state);
    }
}

#[test]
fn plays_match_the_rule_book_in_random_positions() {
    let (mut rng, mut none, mut one, mut doubles) = (Rng::new(1), 0, 0, 0);
    for _ in 0..12_000 {
        let state = random_position(&mut rng);
        check_plays(&state);
        let [Move::Play(play), ..] = legal(&state)[..] else { panic!("{state:?}") };
        match play.steps().count() {
            0 => none += 1,
            1 => one += 1,
            3.. => doubles += 1,
            _ => {}
        }
    }
    // All rare cases occurred.
    assert!(none > 150 && one > 150 && doubles > 600, "{none} {one} {doubles}");
}

#[test]
fn plays_match_the_rule_book_in_random_games() {
    random_games(15, check_plays);
}

#[test]
fn both_players_start_with_167_pips() {
    let start = GAME.start();
    let set_up = [(24, 2), (13, 5), (8, 3), (6, 5)];
    for checkers in counts(&start) {
        assert_eq!(checkers.iter().sum::<u32>(), 15);
        assert!(set_up.iter().all(|&(point, count)| checkers[point] == count));
    }
    assert_eq!(start.checkers.map(Checkers::pips), [167, 167]);
}

#[test]
fn pip_counts_are_the_sums_of_the_places() {
    let mut rng = Rng::new(2);
    for _ in 0..1_000 {
        let state = random_position(&mut rng);
        for (checkers, counts) in state.checkers.into_iter().zip(counts(&state)) {
            let sum: u32 = counts.iter().enumerate().map(|(place, n)| place as u32 * n).sum();
            assert_eq!(checkers.pips(), sum);
        }
    }
}

/// Number of plays that GNU Backgammon lists for each roll from the start position.
const OPENING_PLAYS: [(&str, usize); 21] = [
    ("11", 42),
    ("21", 15),
    ("22", 75),
    ("31", 16),
    ("32", 17),
    ("33", 73),
    ("41", 14),
    ("42", 18),
    ("43", 17),
    ("44", 52),
    ("51", 8),
    ("52", 8),
    ("53", 9),
    ("54", 9),
    ("55", 4),
    ("61", 10),
    ("62", 14),
    ("63", 14),
    ("64", 14),
    ("65", 7),
    ("66", 11),
];

const START: &str = "24:2/13:5/8:3/6:5 24:2/13:5/8:3/6:5";

#[test]
fn numbers_of_plays_per_opening_roll_match_gnu_backgammon() {
    for (roll, count) in OPENING_PLAYS {
        for player in ["first", "second"] {
            let state = at(&format!("{START} {player} {roll}"));
            assert_eq!(legal(&state).len(), count, "{roll}");
            assert_eq!(
                naive_plays(&counts(&state), state.mover(), state.roll.unwrap()).len(),
                count
            );
        }
    }
}

/// Computes the number in the data file with the naive plays only.
#[test]
fn there_are_89153_sequences_of_four_plies() {
    let start = counts(&GAME.start());
    let opening = ROLLS.into_iter().filter(|roll| !roll.is_double());
    let boards: Vec<Counts> = opening.flat_map(|roll| naive_plays(&start, 0, roll)).collect();
    assert_eq!(boards.len(), 190);
    let replies = |board: &Counts| -> usize {
        ROLLS.into_iter().map(|roll| naive_plays(board, 1, roll).len()).sum()
    };
    assert_eq!(boards.iter().map(replies).sum::<usize>(), 89153);
}

#[test]
fn the_opening_has_15_rolls_and_later_turns_have_21() {
    let mut state = GAME.start();
    assert_eq!(GAME.turn(&state), Turn::Chance);
    let rolls = legal(&state);
    assert_eq!(rolls.len(), 15);
    for &roll in &rolls {
        assert_eq!(GAME.probability(&state, roll), 1.0 / 15.0);
    }
    let roll = GAME.parse_move(&state, "21").unwrap();
    GAME.play(&mut state, roll);
    assert_eq!(GAME.turn(&state), Turn::Player(0));
    let play = GAME.parse_move(&state, "24/23+13/11").unwrap();
    GAME.play(&mut state, play);
    assert_eq!(GAME.turn(&state), Turn::Chance);
    let rolls = legal(&state);
    let names: Vec<String> = rolls.iter().map(|&roll| GAME.move_text(&state, roll)).collect();
    assert_eq!(names, OPENING_PLAYS.map(|(roll, _)| roll));
    for (&roll, name) in rolls.iter().zip(&names) {
        let ways = if name[..1] == name[1..] { 1.0 } else { 2.0 };
        assert_eq!(GAME.probability(&state, roll), ways / 36.0, "{name}");
    }
}

#[test]
fn sampled_rolls_match_their_probabilities() {
    let (mut rng, throws) = (Rng::new(5), 360_000);
    for opening in [true, false] {
        let state = State { opening, ..GAME.start() };
        let mut seen: HashMap<Roll, f64> = HashMap::new();
        for _ in 0..throws {
            let Move::Roll(roll) = GAME.sample(&state, &mut rng, &mut Vec::new()) else { panic!() };
            *seen.entry(roll).or_default() += 1.0;
        }
        let rolls = legal(&state);
        let mut chi = 0.0;
        for &mv in &rolls {
            let Move::Roll(roll) = mv else { panic!("{mv:?}") };
            let expected = GAME.probability(&state, mv) * f64::from(throws);
            chi += (seen.remove(&roll).unwrap_or(0.0) - expected).powi(2) / expected;
        }
        assert!(seen.is_empty(), "{seen:?}");
        let freedom = rolls.len() as f64 - 1.0;
        assert!(chi < freedom + 4.0 * f64::sqrt(2.0 * freedom), "chi² {chi}");
    }
}

#[test]
fn a_checker_on_the_bar_enters_first() {
    // The opponent holds its points 1 to 5, so that a checker enters only with a 6, on point 19.
    let closed = "bar:1/13:14 5:3/4:3/3:3/2:3/1:2/10:1 first";
    assert_eq!(texts(&format!("{closed} 61")), ["bar/19+13/12", "bar/19+19/18"]);
    assert_eq!(texts(&format!("{closed} 66")).len(), 4);
    assert_eq!(texts(&format!("{closed} 51")), ["none"]);
    // With two checkers on the bar and one open point, one checker enters and none else moves.
    let two = "bar:2/13:13 5:3/4:3/3:3/2:3/1:3 first";
    assert_eq!(texts(&format!("{two} 61")), ["bar/19"]);
}

#[test]
fn the_larger_die_is_played_if_only_one_can_be() {
    // The checker on 14 can move to 8 or 9, but from neither of them to 3.
    assert_eq!(texts("14:1/1:14 22:8/6:7 first 65"), ["14/8"]);
    // The smaller die is played only if the larger one cannot be played at all.
    assert_eq!(texts("14:1/1:14 22:8/17:7 first 65"), ["14/9"]);
}

#[test]
fn both_dice_are_played_if_they_can_be() {
    // After 14/9 the 6 could not be played, because 9/3 and 12/6 are blocked.
    assert_eq!(texts("14:1/12:1/1:13 22:8/19:7 first 65"), ["12/7+7/1", "14/8+12/7"]);
}

#[test]
fn a_double_is_played_as_often_as_it_can_be() {
    // Three steps of 5 from 24 are possible; the fourth would enter point 4, which is held.
    assert_eq!(texts("24:1/1:14 21:15 first 55"), ["24/19+19/14+14/9"]);
    assert_eq!(texts("24:1/1:14 6:15 first 55"), ["none"]);
    assert_eq!(texts("13:2/1:13 20:15 first 44"), ["13/9+13/9"]);
}

#[test]
fn plays_over_a_blot_and_around_it_are_different() {
    let state = "24:1/1:14 2:1/6:14 first";
    // There is a blot on 23 (the opponent's 2). Point 19 is held, so the 5 cannot be played first.
    assert_eq!(texts(&format!("{state} 51")), ["24/23*+23/18"]);
    // If both orders are possible, there are two plays with a blot in between, and one without.
    assert_eq!(texts("24:1/1:14 2:1/8:14 first 51"), ["24/19+19/18", "24/23*+23/18"]);
    assert_eq!(texts("24:1/1:14 3:1/8:14 first 51"), ["24/19+19/18"]);
    assert_eq!(texts("24:1/1:14 2:1/6:1/8:13 first 51"), ["24/19*+19/18", "24/23*+23/18"]);
}

#[test]
fn a_hit_moves_a_blot_to_the_bar() {
    assert_eq!(
        after("24:1/6:14 2:1/6:14 first 11", &["24/23*+23/22+6/5+6/5"]),
        "22:1/6:12/5:2 bar:1/6:14 second -"
    );
    // The first of two steps of a checker can hit.
    assert_eq!(
        after("24:1/6:14 2:1/4:14 first 51", &["24/23*+23/18"]),
        "18:1/6:14 bar:1/4:14 second -"
    );
}

#[test]
fn bearing_off_takes_the_exact_point_or_the_farthest_checker() {
    // A 6 bears off from point 6. A 1 bears off from point 1 or moves within the home board.
    assert_eq!(texts("6:1/1:14 13:15 first 61"), ["6/5+5/off", "6/off+1/off"]);
    // No checker is on 6 or 5, so both dice bear off the farthest checkers.
    assert_eq!(texts("4:2/1:13 13:15 first 65"), ["4/off+4/off"]);
    assert_eq!(texts("4:1/3:1/1:1/off:12 13:15 first 65"), ["4/off+3/off"]);
    // A 4 or 3 cannot bear off the checker on 2 while the other checker is farther away. The plays
    // 6/2+2/off and 6/3+3/off have the same result, so only one is listed.
    assert_eq!(texts("6:1/2:1/off:13 20:2/1:13 first 43"), ["6/2+2/off"]);
    // No checker is borne off while one is outside the home board or on the bar.
    assert_eq!(texts("7:1/1:14 13:15 first 65"), ["7/1+1/off"]);
    assert_eq!(texts("bar:1/6:14 6:15 first 61"), ["bar/24+24/18"]);
}

#[test]
fn a_win_is_worth_one_two_or_three_points() {
    for (loser, points) in [
        ("6:14/off:1", 1.0),
        ("bar:1/6:13/off:1", 1.0),
        ("24:14/off:1", 1.0),
        ("18:15", 2.0),
        ("6:15", 2.0),
        ("19:1/6:14", 3.0),
        ("24:1/6:14", 3.0),
        ("bar:1/6:14", 3.0),
    ] {
        for (position, player) in
            [(format!("off:15 {loser} second -"), 0), (format!("{loser} off:15 first -"), 1)]
        {
            let state = at(&position);
            assert_eq!(GAME.turn(&state), Turn::Over);
            assert_eq!(legal(&state), []);
            assert_eq!(GAME.utility(&state, player), points, "{position}");
            assert_eq!(GAME.utility(&state, 1 - player), -points, "{position}");
            let win_only = Backgammon { score: Score::Win };
            assert_eq!(win_only.utility(&state, player), 1.0);
            assert_eq!(win_only.utility(&state, 1 - player), -1.0);
        }
    }
    assert_eq!(after("1:1/off:14 6:15 first 65", &["1/off"]), "off:15 6:15 second -");
}

#[test]
fn a_player_who_is_closed_out_passes() {
    let closed_out = "bar:3/6:2/5:2/4:2/3:2/2:2/1:2 6:3/5:3/4:3/3:2/2:2/1:2 first";
    assert_eq!(GAME.turn(&at(&format!("{closed_out} -"))), Turn::Chance);
    assert_eq!(texts(&format!("{closed_out} 66")), ["none"]);
    let waited = after(&format!("{closed_out} 66"), &["none"]);
    assert!(waited.ends_with("second -"), "{waited}");
}

#[test]
fn fast_playouts_match_default_playouts() {
    // Games from the start vary too much in length for this comparison; these endgames are short.
    let race = at("6:2/5:3/4:1/off:9 6:1/4:2/2:3/off:9 first -");
    assert_matches_default_playout(&GAME, &race, 40_000);
    let contact = at("24:1/6:2/5:3/off:9 24:1/4:2/2:3/off:9 second -");
    assert_matches_default_playout(&GAME, &contact, 40_000);
}

#[test]
fn random_play_chooses_every_listed_play_equally_often() {
    let mut rng = Rng::new(7);
    for _ in 0..400 {
        let state = random_position(&mut rng);
        let (moves, board) = (legal(&state), Board::new(&state, state.mover()));
        let draws = 40 * moves.len();
        let mut seen: HashMap<Play, f64> = HashMap::new();
        for _ in 0..draws {
            *seen.entry(random_play(&board, state.roll.unwrap(), &mut rng)).or_default() += 1.0;
        }
        let mut chi = 0.0;
        for &mv in &moves {
            let Move::Play(play) = mv else { panic!("{mv:?}") };
            chi += (seen.remove(&play).unwrap_or(0.0) - 40.0).powi(2) / 40.0;
        }
        assert!(seen.is_empty(), "{}: {seen:?} are not listed", GAME.position_text(&state));
        let freedom = moves.len() as f64 - 1.0;
        let limit = freedom + 6.0 * f64::sqrt(2.0 * freedom) + 10.0;
        assert!(chi < limit, "{}: chi² {chi} of {freedom}", GAME.position_text(&state));
    }
}

#[test]
fn random_games_last_193_plies_and_most_are_gammons_or_backgammons() {
    let (games, mut rng) = (20_000, Rng::new(3));
    let (mut plies, mut shares) = (0.0, [0.0_f64; 7]);
    for _ in 0..games {
        let mut state = GAME.start();
        let length = GAME.playout(&mut state, &mut rng, &mut Vec::new());
        plies += f64::from(length) / f64::from(games);
        shares[(GAME.utility(&state, 0) + 3.0) as usize] += 1.0 / f64::from(games);
    }
    assert!((plies - 193.5_f64).abs() < 3.0, "{plies}");
    // Random players hardly gain from moving first, and no game is drawn.
    let first = shares[4] + shares[5] + shares[6];
    assert!((first - 0.5).abs() < 0.02 && shares[3] == 0.0, "{shares:?}");
    assert!((shares[2] + shares[4] - 0.38).abs() < 0.03, "{shares:?}");
}

#[test]
fn different_positions_have_different_keys() {
    let mut keys = HashMap::new();
    random_games(20, |state| {
        let same = keys.entry(GAME.board_key(state)).or_insert(*state);
        assert_eq!(same, state);
    });
}
