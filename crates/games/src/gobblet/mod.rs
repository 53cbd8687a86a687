//! Gobblet Gobblers: three in a row on a 3x3 board, with pieces that cover smaller ones.

mod actions;
mod eval;
mod heavy;
mod notation;
mod scene;
mod tactics;

#[cfg(test)]
mod tests;

use tussle_core::{Game, Hashed, Rng, Symmetric, Turn, ZeroSum, mix};

use crate::board::reflect_square;
use crate::record::in_turn;

pub use eval::Eval;

/// Gobblet Gobblers with the rules of a university course.
///
/// ```
/// use tussle_core::{Game, Notation, Turn};
/// use tussle_games::Gobblet;
///
/// let rules = Gobblet::default();
/// let mut state = rules.start();
/// // The first player's big piece leaves cell 0 and uncovers a line of the opponent.
/// for text in ["S1@3", "M1@0", "B1@0", "M2@1", "S2@4", "B1@2", "B1@8"] {
///     let mv = rules.parse_move(&state, text).unwrap();
///     rules.play(&mut state, mv);
/// }
/// assert_eq!(rules.turn(&state), Turn::Over);
/// assert_eq!(rules.utility(&state, 0), -1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gobblet {
    /// Number of steps after which the game is a tie.
    pub steps: u16,
}

impl Default for Gobblet {
    fn default() -> Self {
        Self { steps: 100 }
    }
}

/// Position. Each player's pieces are 54 bits, nine per piece. The bit that is set for a piece
/// gives its cell; a piece in hand has no bit.
/// ```text
/// bit 9 * piece + cell     pieces 0 1 2 3 4 5     cells 0 1 2
///                                 B B M M S S           3 4 5
///                                 1 2 1 2 1 2           6 7 8
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    pieces: [u64; 2],
    steps: u16,
    /// Players with a line of visible pieces: bit 0 is the first player, bit 1 the second.
    lines: u8,
}

/// Move: a named piece and its target cell.
///
/// The number is 6 * cell + piece. A set of moves is therefore a 64-bit word, and its bits from the
/// lowest upwards are the moves in the order of generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(u8);

impl Move {
    fn new(piece: usize, cell: usize) -> Self {
        Self((6 * cell + piece) as u8)
    }

    /// Returns the piece, 0 to 5: B1 B2 M1 M2 S1 S2.
    #[inline]
    pub fn piece(self) -> usize {
        usize::from(self.0 % 6)
    }

    /// Returns the target cell, 0 to 8, row by row from the upper left.
    #[inline]
    pub fn cell(self) -> usize {
        usize::from(self.0 / 6)
    }
}

/// Set of all nine cells.
const FULL: u64 = 0b1_1111_1111;
// Multiplying a set of cells by one of these gives that set for both pieces of the size.
const BIG_PIECES: u64 = 1 | 1 << 9;
const MEDIUM_PIECES: u64 = BIG_PIECES << 18;
const SMALL_PIECES: u64 = BIG_PIECES << 36;

const LINES: [u64; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

/// 1 for each set of cells that contains a line, else 0.
const HAS_LINE: [u8; 512] = {
    let mut has = [0; 512];
    let mut set = 0;
    while set < 512 {
        let mut i = 0;
        while i < 8 {
            if set as u64 & LINES[i] == LINES[i] {
                has[set] = 1;
            }
            i += 1;
        }
        set += 1;
    }
    has
};

/// Moves of piece 0 to each set of cells.
const MOVES_TO: [u64; 512] = {
    let mut moves = [0; 512];
    let mut set = 0;
    while set < 512 {
        let mut cell = 0;
        while cell < 9 {
            moves[set] |= (set as u64 >> cell & 1) << (6 * cell);
            cell += 1;
        }
        set += 1;
    }
    moves
};

/// Occupied cells by size: each set has the cells with a piece of this size or a bigger one.
#[derive(Clone, Copy)]
struct Layers {
    big: u64,
    medium: u64,
    small: u64,
}

impl Layers {
    #[inline]
    fn new(pieces: [u64; 2]) -> Self {
        let all = pieces[0] | pieces[1];
        let either = all | all >> 9; // either of the two pieces of a size
        let big = either & FULL;
        let medium = big | either >> 18 & FULL;
        let small = medium | either >> 36 & FULL;
        Self { big, medium, small }
    }

    /// Returns for each piece the cells that hold a bigger piece, which covers it there.
    #[inline]
    fn covered(self) -> u64 {
        (self.big * MEDIUM_PIECES) | (self.medium * SMALL_PIECES)
    }

    /// Returns for each piece the cells that it cannot enter: they hold a piece at least as big.
    #[inline]
    fn taken(self) -> u64 {
        (self.big * BIG_PIECES) | (self.medium * MEDIUM_PIECES) | (self.small * SMALL_PIECES)
    }

    /// Returns the cells on which one of these pieces is on top.
    #[inline]
    fn visible(self, pieces: u64) -> u64 {
        let tops = pieces & !self.covered();
        let by_size = tops | tops >> 9;
        (by_size | by_size >> 18 | by_size >> 36) & FULL
    }

    /// Returns 1 if these pieces, all of one player, have a line of visible ones, else 0.
    #[inline]
    fn has_line(self, pieces: u64) -> u8 {
        HAS_LINE[self.visible(pieces) as usize]
    }
}

/// Returns the players with a line, as bits of [`State::lines`].
#[inline]
fn lines(pieces: [u64; 2]) -> u8 {
    let layers = Layers::new(pieces);
    layers.has_line(pieces[0]) | layers.has_line(pieces[1]) << 1
}

impl State {
    #[inline]
    fn new(pieces: [u64; 2], steps: u16) -> Self {
        Self { pieces, steps, lines: lines(pieces) }
    }

    #[inline]
    fn mover(self) -> usize {
        usize::from(self.steps & 1)
    }

    /// Returns the set of legal moves.
    #[inline]
    fn legal(self) -> u64 {
        let layers = Layers::new(self.pieces);
        let stuck = self.pieces[self.mover()] & layers.covered();
        let free = [layers.big, layers.medium, layers.small].map(|taken| FULL & !taken);
        let mut legal = 0;
        for piece in 0..6 {
            if stuck >> (9 * piece) & FULL == 0 {
                legal |= MOVES_TO[free[piece / 2] as usize] << piece;
            }
        }
        legal
    }

    /// Returns the cells on which the player has the top piece.
    #[inline]
    fn visible(self, player: usize) -> u64 {
        Layers::new(self.pieces).visible(self.pieces[player])
    }

    #[inline]
    fn is_in_hand(self, player: usize, piece: usize) -> bool {
        self.pieces[player] >> (9 * piece) & FULL == 0
    }

    /// Returns the cell of a piece, or `None` if it is in hand.
    fn cell_of(self, player: usize, piece: usize) -> Option<usize> {
        let cell = self.pieces[player] >> (9 * piece) & FULL;
        (cell != 0).then(|| cell.trailing_zeros() as usize)
    }

    /// Returns the stack on a cell from the bottom up, as (player, piece).
    fn stack(self, cell: usize) -> impl DoubleEndedIterator<Item = (usize, usize)> {
        (0..12)
            .rev()
            .map(|i| (i & 1, i >> 1))
            .filter(move |&(player, piece)| self.pieces[player] >> (9 * piece + cell) & 1 != 0)
    }

    /// Returns the visible piece of a cell, as (player, piece).
    pub fn top(self, cell: usize) -> Option<(usize, usize)> {
        self.stack(cell).next_back()
    }
}

/// Returns the positions of the bits that are set in a player's pieces.
fn bits(set: u64) -> impl Iterator<Item = usize> {
    (0..54).filter(move |bit| set >> bit & 1 != 0)
}

/// Appends a set of moves in the order of generation.
#[inline]
fn append(mut set: u64, out: &mut Vec<Move>) {
    let base = out.len();
    out.resize(base + set.count_ones() as usize, Move(0));
    for slot in &mut out[base..] {
        *slot = Move(set.trailing_zeros() as u8);
        set &= set.wrapping_sub(1);
    }
}

impl Game for Gobblet {
    type State = State;
    type Move = Move;

    fn start(&self) -> State {
        State { pieces: [0; 2], steps: 0, lines: 0 }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.lines != 0 || state.steps >= self.steps {
            Turn::Over
        } else {
            Turn::Player(state.mover())
        }
    }

    #[inline]
    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        if self.turn(state) != Turn::Over {
            append(state.legal(), out);
        }
    }

    #[inline]
    fn distinct_moves(&self, state: &State, out: &mut Vec<Move>) {
        if self.turn(state) == Turn::Over {
            return;
        }
        let mut set = state.legal();
        let in_hand = |piece| state.is_in_hand(state.mover(), piece);
        for second in [1, 3, 5] {
            // While two equal pieces are in hand, the moves of the second lead to the same games.
            if in_hand(second - 1) && in_hand(second) {
                set &= !(MOVES_TO[FULL as usize] << second);
            }
        }
        append(set, out);
    }

    /// Covering an own piece has its own class, so that weights can apply to opposing pieces only.
    fn move_classes(&self) -> &'static [&'static str] {
        &["other", "over-rival", "over-own", "small"]
    }

    fn move_class(&self, state: &State, mv: Move) -> usize {
        let (cell, mover) = (1 << mv.cell(), state.mover());
        if mv.piece() >= 4 {
            3
        } else if state.visible(1 - mover) & cell != 0 {
            1
        } else if state.visible(mover) & cell != 0 {
            2
        } else {
            0
        }
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) {
        let (mover, first_bit) = (state.mover(), 9 * mv.piece());
        let before = state.pieces[mover];
        state.pieces[mover] = before & !(FULL << first_bit) | 1 << (first_bit + mv.cell());
        state.lines = lines(state.pieces);
        state.steps += 1;
    }

    #[inline]
    fn utility(&self, state: &State, player: usize) -> f64 {
        match state.lines {
            _ if state.steps >= self.steps => 0.0,
            0b01 => 1.0 - 2.0 * player as f64,
            0b10 => 2.0 * player as f64 - 1.0,
            _ => 0.0,
        }
    }

    #[inline]
    fn playout(&self, state: &mut State, rng: &mut Rng, _: &mut Vec<Move>) -> u32 {
        if self.turn(state) == Turn::Over {
            return 0;
        }
        let (mut steps, mover) = (state.steps, state.mover());
        let (mut own, mut opponent) = (state.pieces[mover], state.pieces[1 - mover]);
        let mut layers = Layers::new(state.pieces);
        loop {
            // Draw one of the 54 moves until a legal one is found. At least 10 are legal, mostly
            // two in three. The random number does not depend on the board, so the processor can
            // overlap the steps of a game. Choosing among the legal moves directly was slower.
            let (taken, stuck) = (layers.taken(), own & layers.covered());
            (own, opponent) = loop {
                let bit = rng.below(54);
                let first_bit = bit / 9 * 9;
                if (taken >> bit & 1) | (stuck >> first_bit & FULL) == 0 {
                    break (opponent, own & !(FULL << first_bit) | 1 << bit);
                }
            };
            steps += 1;
            layers = Layers::new([own, opponent]);
            if layers.has_line(own) | layers.has_line(opponent) != 0 || steps == self.steps {
                let plies = steps - state.steps;
                let mover = usize::from(steps & 1);
                let pieces = if mover == 0 { [own, opponent] } else { [opponent, own] };
                *state = State::new(pieces, steps);
                return u32::from(plies);
            }
        }
    }

    fn has_heavy_playout(&self) -> bool {
        true
    }

    #[inline]
    fn heavy_playout(&self, state: &mut State, rng: &mut Rng, _: &mut Vec<Move>) -> u32 {
        self.heavy_game(state, rng, |_| ())
    }

    fn recorded_heavy_playout(
        &self,
        state: &mut State,
        rng: &mut Rng,
        _: &mut Vec<Move>,
        record: &mut Vec<(usize, Move)>,
    ) -> u32 {
        let visit = in_turn(state.mover(), record);
        self.heavy_game(state, rng, visit)
    }
}

impl ZeroSum for Gobblet {}

impl Hashed for Gobblet {
    // Mixing two words and the player to move is about as cheap as updating a key at every step.
    // B1 and B2 are different pieces in the key as in `==`, so that a move stored under the key
    // means the same piece in every position with that key.
    #[inline]
    fn board_key(&self, state: &State) -> u64 {
        mix(mix(state.pieces[0]) ^ (state.pieces[1] << 1 | state.mover() as u64))
    }

    #[inline]
    fn table_key(&self, state: &State, reach: u32) -> u64 {
        let key = self.board_key(state);
        let left = self.steps.saturating_sub(state.steps);
        if u32::from(left) <= reach { mix(key ^ u64::from(state.steps)) } else { key }
    }
}

impl Symmetric for Gobblet {
    fn symmetries(&self) -> usize {
        8
    }

    fn reflect(&self, state: &State, s: usize) -> State {
        let reflect = |set: u64| {
            bits(set).map(|bit| 1 << (bit / 9 * 9 + reflect_square(3, bit % 9, s))).sum()
        };
        State { pieces: state.pieces.map(reflect), ..*state }
    }

    fn reflect_move(&self, mv: Move, s: usize) -> Move {
        Move::new(mv.piece(), reflect_square(3, mv.cell(), s))
    }
}
