//! Tic-tac-toe: three in a row on a 3x3 board.

use tussle_core::{
    Actions, Drawn, EarliestEnds, Evaluator, Form, Game, Hashed, Ink, Notation, ParseError, Rng,
    Scene, Symmetric, Tactic, Tactics, Turn, ZeroSum, mix, retain_from,
};

use crate::board::{MARGIN, cell_name, cell_spots, grid_scene, reflect_square, text_rows};

/// Tic-tac-toe.
///
/// ```
/// use tussle_core::{Game, Notation, Turn};
/// use tussle_games::TicTacToe;
///
/// let mut state = TicTacToe.start();
/// for text in ["a1", "b1", "a2", "b2", "a3"] {
///     let mv = TicTacToe.parse_move(&state, text).unwrap();
///     TicTacToe.play(&mut state, mv);
/// }
/// assert_eq!(TicTacToe.turn(&state), Turn::Over);
/// assert_eq!(TicTacToe.utility(&state, 0), 1.0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TicTacToe;

/// Position. Each player's stones are nine bits:
/// ```text
/// 6 7 8
/// 3 4 5
/// 0 1 2
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    stones: [u16; 2],
    plies: u8,
    /// True if the player who moved last has three in a row.
    won: bool,
}

const FULL: u16 = 0b1_1111_1111;
const LINES: [u16; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

/// True for each set of stones that contains a line.
const WINS: [bool; 512] = {
    let mut wins = [false; 512];
    let mut set = 0;
    while set < 512 {
        let mut i = 0;
        while i < 8 {
            wins[set] |= set as u16 & LINES[i] == LINES[i];
            i += 1;
        }
        set += 1;
    }
    wins
};

/// N-th cell of each set of cells, as a set with one bit.
const NTH: [[u16; 9]; 512] = {
    let mut nth = [[0; 9]; 512];
    let mut set = 0;
    while set < 512 {
        let (mut rest, mut n) = (set as u16, 0);
        while rest != 0 {
            nth[set][n] = rest & rest.wrapping_neg();
            rest &= rest - 1;
            n += 1;
        }
        set += 1;
    }
    nth
};

impl State {
    fn free(self) -> u16 {
        FULL & !(self.stones[0] | self.stones[1])
    }

    fn mover(self) -> usize {
        usize::from(self.plies & 1)
    }

    fn put(&mut self, cell: u16) {
        let mover = self.mover();
        self.stones[mover] |= cell;
        self.won = WINS[usize::from(self.stones[mover])];
        self.plies += 1;
    }
}

impl Game for TicTacToe {
    type State = State;
    /// The cell as one set bit.
    type Move = u16;

    fn start(&self) -> State {
        State { stones: [0; 2], plies: 0, won: false }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.won || state.plies == 9 { Turn::Over } else { Turn::Player(state.mover()) }
    }

    #[inline]
    fn moves(&self, state: &State, out: &mut Vec<u16>) {
        let free = if state.won { 0 } else { state.free() };
        // Copying a constant number of moves and truncating avoids a function call.
        let end = out.len() + free.count_ones() as usize;
        out.extend_from_slice(&NTH[usize::from(free)]);
        out.truncate(end);
    }

    #[inline]
    fn play(&self, state: &mut State, cell: u16) {
        state.put(cell);
    }

    #[inline]
    fn utility(&self, state: &State, player: usize) -> f64 {
        match (state.won, state.mover() == player) {
            (false, _) => 0.0,
            (true, true) => -1.0, // the opponent has just made a line
            (true, false) => 1.0,
        }
    }

    #[inline]
    fn playout(&self, state: &mut State, rng: &mut Rng, _: &mut Vec<u16>) -> u32 {
        if state.won {
            return 0;
        }
        // The last free cell replaces a chosen cell in the list. A choice therefore depends only
        // on the list, not on the board after the choice before.
        let mut free = NTH[usize::from(state.free())];
        // One random number is enough for a whole game: the high half of random * n is the choice,
        // and the low half is the random number of the next choice. The 9! games use 19 of 64 bits.
        let mut random = rng.next_u64();
        let first = state.plies;
        let (mut mine, mut theirs) = (state.stones[state.mover()], state.stones[1 - state.mover()]);
        for left in (1..=usize::from(9 - first)).rev() {
            let wide = u128::from(random) * left as u128;
            random = wide as u64;
            let i = (wide >> 64) as usize;
            mine |= free[i];
            free[i] = free[left - 1];
            (mine, theirs) = (theirs, mine);
            state.plies += 1;
            if WINS[usize::from(theirs)] {
                state.won = true;
                break;
            }
        }
        state.stones[state.mover()] = mine;
        state.stones[1 - state.mover()] = theirs;
        u32::from(state.plies - first)
    }
}

impl ZeroSum for TicTacToe {}

impl Tactics for TicTacToe {
    fn winning_moves(&self, state: &State, out: &mut Vec<u16>) {
        let base = out.len();
        self.moves(state, out);
        retain_from(out, base, |cell| WINS[usize::from(state.stones[state.mover()] | cell)]);
    }

    #[inline]
    fn narrow(&self, state: &State, moves: &mut Vec<u16>, from: usize) -> Tactic {
        let wins = |player: usize| {
            let stones = state.stones[player];
            let free = moves[from..].iter().filter(|&&cell| WINS[usize::from(stones | cell)]);
            free.fold(0, |cells, &cell| cells | cell)
        };
        let (wins, threats) = (wins(state.mover()), wins(1 - state.mover()));
        if wins != 0 {
            retain_from(moves, from, |cell| cell & wins != 0);
            Tactic::Win
        } else if threats == 0 {
            Tactic::Open
        } else if threats.is_power_of_two() {
            retain_from(moves, from, |cell| cell == threats);
            Tactic::Open
        } else {
            Tactic::Loss(2)
        }
    }

    fn has_fast_narrow(&self) -> bool {
        true
    }

    /// A player needs an empty cell and a line without a stone of the opponent. After a safe move the
    /// opponent cannot win at once.
    #[inline]
    fn earliest_ends(&self, state: &State) -> EarliestEnds {
        let empty = FULL & !(state.stones[0] | state.stones[1]);
        let left = empty.count_ones();
        let end = |player: usize, plies| {
            let has_line = WINS[usize::from(state.stones[player] | empty)];
            (left >= plies && has_line).then_some(plies)
        };
        EarliestEnds { win: end(state.mover(), 3), loss: end(1 - state.mover(), 4) }
    }
}

impl Hashed for TicTacToe {
    // The whole board is 18 bits. Mixing it is cheaper than updating a key with every move.
    #[inline]
    fn board_key(&self, state: &State) -> u64 {
        mix(u64::from(state.stones[0]) | u64::from(state.stones[1]) << 9)
    }
}

fn reflect_set(set: u16, s: usize) -> u16 {
    (0..9).filter(|i| set >> i & 1 != 0).map(|i| 1 << reflect_square(3, i, s)).sum()
}

impl Symmetric for TicTacToe {
    fn symmetries(&self) -> usize {
        8
    }

    fn reflect(&self, state: &State, s: usize) -> State {
        State { stones: state.stones.map(|set| reflect_set(set, s)), ..*state }
    }

    fn reflect_move(&self, cell: u16, s: usize) -> u16 {
        reflect_set(cell, s)
    }
}

const SYMBOLS: [char; 2] = ['x', 'o'];

impl Notation for TicTacToe {
    fn move_text(&self, _: &State, cell: u16) -> String {
        let i = cell.trailing_zeros() as usize;
        cell_name(i % 3, i / 3)
    }

    fn position_text(&self, state: &State) -> String {
        let row = |r: usize| -> String {
            (0..3)
                .map(|c| {
                    let owner = (0..2).find(|&p| state.stones[p] >> (3 * r + c) & 1 != 0);
                    owner.map_or('.', |p| SYMBOLS[p])
                })
                .collect()
        };
        format!("{}/{}/{} {}", row(2), row(1), row(0), SYMBOLS[state.mover()])
    }

    fn parse_position(&self, text: &str) -> Result<State, ParseError> {
        let shape = || {
            ParseError::new(format!(
                "`{text}`: expected three rows of three cells (x, o or .), top row first, and the \
                 player to move, as in `x../.o./... x`"
            ))
        };
        let (board, mover) = text.trim().split_once(' ').ok_or_else(shape)?;
        let rows: Vec<&str> = board.split('/').collect();
        if rows.len() != 3 || rows.iter().any(|row| row.chars().count() != 3) {
            return Err(shape());
        }
        let mut stones = [0u16; 2];
        for (r, row) in rows.iter().rev().enumerate() {
            for (c, symbol) in row.chars().enumerate() {
                match SYMBOLS.iter().position(|&s| s == symbol) {
                    Some(p) => stones[p] |= 1 << (3 * r + c),
                    None if symbol == '.' => {}
                    None => return Err(shape()),
                }
            }
        }
        let [x, o] = stones.map(u16::count_ones);
        if x != o && x != o + 1 {
            return Err(ParseError::new(format!(
                "`{text}`: {x} x and {o} o are impossible: x moves first and the players alternate"
            )));
        }
        let plies = (x + o) as u8;
        let state = State { stones, plies, won: false };
        let due = SYMBOLS[state.mover()];
        if mover.trim() != due.to_string() {
            return Err(ParseError::new(format!(
                "`{text}`: with {x} x and {o} o it is {due}'s turn; write `{due}` after the board"
            )));
        }
        if WINS[usize::from(stones[state.mover()])] {
            return Err(ParseError::new(format!(
                "`{text}`: {due}, the player to move, already has three in a row; the game would \
                 have ended before this position"
            )));
        }
        Ok(State { won: WINS[usize::from(stones[1 - state.mover()])], ..state })
    }

    fn why_illegal(&self, state: &State, text: &str) -> String {
        let cell = (0..9).find(|&i| cell_name(i % 3, i / 3) == text);
        match cell {
            _ if self.turn(state) == Turn::Over => "the game is over".to_owned(),
            Some(_) => "that cell is taken".to_owned(),
            None => "a move is a cell, a1 to c3".to_owned(),
        }
    }
}

/// Heuristic for tic-tac-toe.
#[derive(Clone, Copy, Debug)]
pub enum Eval {
    /// Lines without an opponent's stone, minus the same count for the opponent; ±10 for a win or
    /// loss.
    OpenLines,
}

impl Evaluator<TicTacToe> for Eval {
    fn value(&self, game: &TicTacToe, state: &State, player: usize) -> f64 {
        if state.won {
            return 10.0 * game.utility(state, player);
        }
        let open = |p: usize| LINES.iter().filter(|&line| line & state.stones[1 - p] == 0).count();
        open(player) as f64 - open(1 - player) as f64
    }

    fn range(&self, _: &TicTacToe) -> Option<(f64, f64)> {
        Some((-10.0, 10.0))
    }

    fn is_antisymmetric(&self) -> bool {
        true
    }
}

impl Drawn for TicTacToe {
    fn scene(&self, state: &State) -> Scene {
        let owner = |c: usize, r: usize| (0..2).find(|&p| state.stones[p] >> (3 * r + c) & 1 != 0);
        let mut scene = grid_scene(3, 3);
        for r in 0..3 {
            for c in 0..3 {
                let (x, y) = (MARGIN + c as f32 + 0.5, 2.5 - r as f32);
                match owner(c, r) {
                    Some(0) => {
                        let d = 0.27;
                        scene.line((x - d, y - d), (x + d, y + d), 0.13, Ink::Player(0));
                        scene.line((x - d, y + d), (x + d, y - d), 0.13, Ink::Player(0));
                    }
                    Some(_) => {
                        let ring = Form::Circle { x, y, r: 0.29 };
                        scene.shape(ring, None, Some((Ink::Player(1), 0.13)));
                    }
                    None => {}
                }
            }
        }
        cell_spots(&mut scene, 3, 3, cell_name);
        text_rows(&mut scene, 3, 3, |c, r| match owner(c, r) {
            Some(p) => (Ink::Player(p as u8), SYMBOLS[p]),
            None => (Ink::Faint, '.'),
        });
        scene
    }

    fn clicks(&self, _: &State, cell: u16) -> Vec<usize> {
        let i = cell.trailing_zeros() as usize;
        vec![3 * (2 - i / 3) + i % 3]
    }
}

/// Actions are numbered row by row from the upper left cell.
/// ```text
/// 3   0 1 2
/// 2   3 4 5
/// 1   6 7 8
///     a b c
/// ```
impl Actions for TicTacToe {
    fn actions(&self) -> usize {
        9
    }

    #[inline]
    fn action(&self, _: &State, cell: u16) -> usize {
        let bit = cell.trailing_zeros() as usize;
        3 * (2 - bit / 3) + bit % 3
    }

    #[inline]
    fn action_move(&self, state: &State, action: usize) -> Option<u16> {
        if action >= 9 || state.won {
            return None;
        }
        let cell = 1 << (3 * (2 - action / 3) + action % 3);
        (state.free() & cell != 0).then_some(cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{HashMap, HashSet};

    #[test]
    fn tactics_equal_trying_every_reply() {
        let counts = crate::tactics_tests::assert_tactics_are_exact(&TicTacToe, 3000);
        assert!(counts.wins > 500 && counts.losses > 50 && counts.narrowed > 300, "{counts:?}");
    }

    #[test]
    fn there_are_5478_states_765_up_to_symmetry_and_255168_games() {
        fn walk(state: State, games: &mut [u32; 3], seen: &mut HashMap<u64, HashSet<u64>>) {
            let key = TicTacToe.canonical(&state).0;
            seen.entry(key).or_default().insert(TicTacToe.board_key(&state));
            if TicTacToe.turn(&state) == Turn::Over {
                games[(1.0 - TicTacToe.utility(&state, 0)) as usize] += 1;
                return;
            }
            let mut moves = Vec::new();
            TicTacToe.moves(&state, &mut moves);
            for mv in moves {
                let mut next = state;
                TicTacToe.play(&mut next, mv);
                walk(next, games, seen);
            }
        }
        let (mut games, mut seen) = ([0; 3], HashMap::new());
        walk(TicTacToe.start(), &mut games, &mut seen);
        assert_eq!(games, [131_184, 46_080, 77_904]); // first, draw, second
        assert_eq!(seen.len(), 765);
        assert_eq!(seen.values().map(HashSet::len).sum::<usize>(), 5478);
    }

    #[test]
    fn fast_playouts_reach_each_final_position_with_its_probability() {
        fn walk(state: State, chance: f64, ends: &mut HashMap<u64, f64>) {
            if TicTacToe.turn(&state) == Turn::Over {
                *ends.entry(TicTacToe.board_key(&state)).or_default() += chance;
                return;
            }
            let mut moves = Vec::new();
            TicTacToe.moves(&state, &mut moves);
            for &mv in &moves {
                let mut next = state;
                TicTacToe.play(&mut next, mv);
                walk(next, chance / moves.len() as f64, ends);
            }
        }
        for text in [".../.../... x", "x../.o./... x", "o.x/.x./... o"] {
            let start = TicTacToe.parse_position(text).unwrap();
            let (mut ends, mut counts) = (HashMap::new(), HashMap::new());
            walk(start, 1.0, &mut ends);
            let (mut rng, games) = (Rng::new(8), 400_000);
            for _ in 0..games {
                let mut state = start;
                let plies = TicTacToe.playout(&mut state, &mut rng, &mut Vec::new());
                assert_eq!(plies, u32::from(state.plies - start.plies));
                *counts.entry(TicTacToe.board_key(&state)).or_default() += 1.0;
            }
            let (mut chi, freedom) = (0.0, ends.len() as f64);
            for (end, chance) in &ends {
                let expected: f64 = chance * f64::from(games);
                let seen: f64 = counts.remove(end).unwrap_or(0.0);
                chi += (seen - expected).powi(2) / expected;
            }
            assert!(counts.is_empty(), "{text}: {} unreachable positions", counts.len());
            // Chi squared has mean `freedom` and variance `2 * freedom`: allow 4 deviations.
            assert!(chi < freedom + 4.0 * f64::sqrt(2.0 * freedom), "{text} chi² {chi} {freedom}");
        }
    }

    #[test]
    fn random_games_last_7_63_plies_and_favour_the_first_player() {
        let (mut rng, games) = (Rng::new(6), 200_000);
        let (mut plies, mut ends) = (0, [0u32; 3]);
        for _ in 0..games {
            let mut state = TicTacToe.start();
            plies += TicTacToe.playout(&mut state, &mut rng, &mut Vec::new());
            ends[(1.0 - TicTacToe.utility(&state, 0)) as usize] += 1;
        }
        assert!((f64::from(plies) / f64::from(games) - 7.63).abs() < 0.02, "{plies}");
        for (seen, known) in ends.into_iter().zip([58.5, 12.7, 28.8]) {
            assert!((100.0 * f64::from(seen) / f64::from(games) - known).abs() < 0.5, "{ends:?}");
        }
    }

    #[test]
    fn impossible_positions_are_rejected() {
        for text in [
            "",
            "x",
            "xxx/.../... o",
            "xx./.../... o",
            "x../.../... x",
            "xxx/ooo/... x",
            "ooo/xx./... o",
            "x../.../.. o",
            "x../.../.... o",
            "x.?/.../... o",
        ] {
            let parsed = TicTacToe.parse_position(text);
            // Three x and no o look like a won game, but o must have moved twice.
            assert!(parsed.is_err(), "{text}: {parsed:?}");
        }
    }

    #[test]
    fn no_move_is_legal_after_a_win() {
        let won = TicTacToe.parse_position("oo./.../xxx o").unwrap();
        let error = TicTacToe.parse_move(&won, "c3").unwrap_err();
        assert_eq!(error.to_string(), "`c3`: the game is over");
    }

    #[test]
    fn the_open_centre_is_worth_more_than_a_corner() {
        let value = |text| {
            let mut state = TicTacToe.start();
            let mv = TicTacToe.parse_move(&state, text).unwrap();
            TicTacToe.play(&mut state, mv);
            Eval::OpenLines.value(&TicTacToe, &state, 0)
        };
        assert_eq!((value("b2"), value("a1"), value("b1")), (4.0, 3.0, 2.0));
    }
}
