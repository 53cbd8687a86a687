//! Connect four: discs fall into columns, four in a row win. Boards of any size that fits 64 bits.

mod actions;
mod eval;
mod heavy;
mod notation;
mod scene;
mod tactics;

use tussle_core::{Game, Hashed, ParseError, Rng, Symmetric, Turn, ZeroSum, mix};

use crate::record::in_turn;

pub use eval::Eval;

/// Connect four on a board of any size that fits 64 bits.
///
/// ```
/// use tussle_core::{Game, Notation, Turn};
/// use tussle_games::Connect4;
///
/// let game = Connect4::default(); // 7 columns, 6 rows, four in a row
/// let mut state = game.start();
/// for text in ["4", "3", "4", "3", "4", "3", "4"] {
///     let column = game.parse_move(&state, text).unwrap();
///     game.play(&mut state, column);
/// }
/// assert_eq!(game.turn(&state), Turn::Over);
/// assert_eq!(game.utility(&state, 0), 1.0);
///
/// assert!(Connect4::new(8, 7, 5).is_ok());
/// assert!(Connect4::new(9, 7, 5).is_err()); // 9 x (7 + 1) = 72 bits
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connect4 {
    width: u8,
    height: u8,
    connect: u8,
    /// Lowest cell of every column.
    bottom: u64,
    /// All cells, without the sentinels.
    cells: u64,
    /// Cells of the middle columns.
    middle: u64,
}

/// Position. Each player's discs are a set with one bit per cell, column by column from the lower
/// left. Above every column lies a sentinel bit that is never set, so that no shift along a row,
/// column or diagonal continues a line over the edge of the board:
/// ```text
///  6 13 20 27 34 41 48   sentinels
///  5 12 19 26 33 40 47
///  4 11 18 25 32 39 46
///  3 10 17 24 31 38 45
///  2  9 16 23 30 37 44
///  1  8 15 22 29 36 43
///  0  7 14 21 28 35 42
/// ```
/// With `stride` = height + 1, the distance to a neighbour is 1 bit upwards, `stride` bits to the
/// right, and `stride` + 1 and `stride` - 1 bits along the diagonals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    discs: [u64; 2],
    plies: u8,
    /// True if the player who moved last has a line.
    won: bool,
}

/// Maximum number of columns and of rows.
pub const MAX_SIDE: usize = 16;
/// Maximum length of a winning line.
pub const MAX_CONNECT: usize = 8;

/// Multiplier that moves the lowest bits of up to seven columns of six cells to bits 36 to 42: bit
/// 7i is copied to 7i + 6k for every k, which is 36 + i for k = 6 - i. No two copies overlap.
const GATHER_MULTIPLIER: u64 = 1 | 1 << 6 | 1 << 12 | 1 << 18 | 1 << 24 | 1 << 30 | 1 << 36;

/// Columns of each set of up to seven columns, from the left.
const COLUMNS: [[u8; 8]; 128] = {
    let mut columns = [[0; 8]; 128];
    let mut set = 0;
    while set < 128 {
        let (mut column, mut n) = (0, 0);
        while column < 7 {
            if set >> column & 1 != 0 {
                columns[set][n] = column;
                n += 1;
            }
            column += 1;
        }
        set += 1;
    }
    columns
};

/// Returns the members of `set` that begin a run: `length` members, each `step` bits above the one
/// before. Every round doubles the length known so far, so that a run of four takes two shifts.
#[inline]
fn runs(set: u64, step: u32, length: u32) -> u64 {
    let (mut runs, mut known) = (set, 1);
    while known < length {
        let more = known.min(length - known);
        runs &= runs.checked_shr(more * step).unwrap_or(0);
        known += more;
    }
    runs
}

/// Distances in bits to the next cell upwards, to the right and along the two diagonals.
#[inline]
fn directions(stride: u32) -> [u32; 4] {
    [1, stride, stride + 1, stride - 1]
}

#[inline]
fn any_run(discs: u64, stride: u32, length: u32) -> bool {
    directions(stride).into_iter().fold(0, |any, step| any | runs(discs, step, length)) != 0
}

/// Returns true if there are four in a row on columns of six cells. Here the shifts are constants,
/// which makes playouts twice as fast.
#[inline]
fn any_four(discs: u64) -> bool {
    any_run(discs, 7, 4)
}

impl State {
    fn occupied(self) -> u64 {
        self.discs[0] | self.discs[1]
    }

    fn mover(self) -> usize {
        usize::from(self.plies & 1)
    }
}

impl Default for Connect4 {
    /// 7 columns, 6 rows, four in a row.
    fn default() -> Self {
        Self::sized(7, 6, 4)
    }
}

impl Connect4 {
    /// Creates a game on `width` columns of `height` cells, won by `connect` discs in a row.
    ///
    /// # Errors
    /// If the board needs more than 64 bits (one for each cell and one for the sentinel above each
    /// column), or a number is out of range: columns and rows 1 to 16, lines 2 to 8.
    pub fn new(width: usize, height: usize, connect: usize) -> Result<Self, ParseError> {
        for (name, value, min, max) in [
            ("width", width, 1, MAX_SIDE),
            ("height", height, 1, MAX_SIDE),
            ("connect", connect, 2, MAX_CONNECT),
        ] {
            if !(min..=max).contains(&value) {
                return Err(ParseError::new(format!(
                    "{name}={value} is out of range: expected {min} to {max}"
                )));
            }
        }
        let bits = width * (height + 1);
        if bits > 64 {
            return Err(ParseError::new(format!(
                "width={width},height={height} is too large: width x (height + 1) is {bits}, at \
                 most 64 is possible; use a height up to {} with width={width}, or a width up to \
                 {} with height={height} (8x7 and 9x6 fit)",
                64 / width - 1,
                64 / (height + 1),
            )));
        }
        Ok(Self::sized(width as u8, height as u8, connect as u8))
    }

    fn sized(width: u8, height: u8, connect: u8) -> Self {
        let bottom = (0..width).map(|c| 1 << (c * (height + 1))).sum();
        let column = (1 << height) - 1;
        // The middle third of the columns, rounded up so that it is symmetric: 3 of 7, 2 of 4.
        let edge = width / 3;
        let middle = (edge..width - edge).fold(0, |set, c| set | column << (c * (height + 1)));
        Self { width, height, connect, bottom, cells: bottom * column, middle }
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.width.into()
    }

    /// Number of rows.
    pub fn height(&self) -> usize {
        self.height.into()
    }

    /// Number of discs in a row that win.
    pub fn connect(&self) -> usize {
        self.connect.into()
    }

    #[inline]
    fn stride(&self) -> u32 {
        u32::from(self.height) + 1
    }

    /// Returns true if column height and line length are those of the standard game.
    #[inline]
    fn is_standard(&self) -> bool {
        (self.height, self.connect) == (6, 4)
    }

    #[inline]
    fn has_line(&self, discs: u64) -> bool {
        if self.is_standard() { any_four(discs) } else { self.has_any_line(discs) }
    }

    /// Like [`has_line`](Self::has_line) for any size. Not inlined, so that the code for the
    /// standard size can be.
    #[inline(never)]
    fn has_any_line(&self, discs: u64) -> bool {
        any_run(discs, self.stride(), self.connect.into())
    }

    /// Returns the landing cells, the lowest empty cell of every column that is not full. Adding
    /// the bottom cell carries through the discs of a column to its first empty cell or its
    /// sentinel.
    #[inline]
    fn landings(&self, occupied: u64) -> u64 {
        (occupied + self.bottom) & self.cells
    }

    /// Appends the columns whose lowest cells are in this set.
    #[inline]
    fn push_columns(&self, lowest: u64, out: &mut Vec<u8>) {
        if self.width <= 7 && self.height == 6 {
            // Copying a constant number of moves takes one instruction. A mispredicted branch per
            // column would take longer than all of this.
            let columns = lowest.wrapping_mul(GATHER_MULTIPLIER) >> 36 & 0x7f;
            let end = out.len() + columns.count_ones() as usize;
            out.extend_from_slice(&COLUMNS[columns as usize]);
            out.truncate(end);
        } else {
            let is_in = |&c: &u8| lowest & self.column(c.into()) != 0;
            out.extend((0..self.width).filter(is_in));
        }
    }

    /// Returns the lowest cells of the columns that have a landing cell in this set.
    #[inline]
    fn lowest_cells(&self, landings: u64) -> u64 {
        // Subtracting a landing cell from the sentinel of its column clears the sentinel.
        let sentinels = self.bottom << self.height;
        (sentinels & !(sentinels - landings)) >> self.height
    }

    /// Returns the bits of a column with its sentinel.
    #[inline]
    fn column(&self, column: usize) -> u64 {
        let stride = self.stride();
        ((1 << stride) - 1) << (column as u32 * stride)
    }

    /// Plays random moves to the end of the game.
    ///
    /// The landing cells are kept in a list, in which the last column replaces a full one. A choice
    /// is then one multiplication and one load, without a search for the n-th open column.
    #[inline]
    fn random_game(&self, state: &mut State, rng: &mut Rng, has_line: impl Fn(u64) -> bool) -> u32 {
        if state.won {
            return 0;
        }
        let first = state.plies;
        let mut landings = [0; MAX_SIDE];
        let mut open = 0;
        let mut rest = self.landings(state.occupied());
        while rest != 0 {
            landings[open % MAX_SIDE] = rest & rest.wrapping_neg();
            rest &= rest - 1;
            open += 1;
        }
        let sentinels = self.bottom << self.height;
        // Before this ply, no player has enough discs for a line.
        let first_line = 2 * self.connect - 1;
        let (mut mine, mut theirs) = (state.discs[state.mover()], state.discs[1 - state.mover()]);
        let mut random = 0;
        while open > 0 {
            // The high half of random * n is the choice, and the low half is the random number of
            // the next choice. Eight choices among up to 16 columns use half of the 64 bits.
            if (state.plies - first).is_multiple_of(8) {
                random = rng.next_u64();
            }
            let wide = u128::from(random) * open as u128;
            random = wide as u64;
            let i = (wide >> 64) as usize % MAX_SIDE; // the remainder avoids a bounds check
            mine |= landings[i];
            (mine, theirs) = (theirs, mine);
            state.plies += 1;
            if state.plies >= first_line && has_line(theirs) {
                state.won = true;
                break;
            }
            landings[i] <<= 1;
            if landings[i] & sentinels != 0 {
                open -= 1;
                landings[i] = landings[open % MAX_SIDE];
            }
        }
        state.discs[state.mover()] = mine;
        state.discs[1 - state.mover()] = theirs;
        u32::from(state.plies - first)
    }
}

impl Game for Connect4 {
    type State = State;
    /// Column, from 0 at the left.
    type Move = u8;

    fn start(&self) -> State {
        State { discs: [0; 2], plies: 0, won: false }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.won || state.plies == self.width * self.height {
            Turn::Over
        } else {
            Turn::Player(state.mover())
        }
    }

    #[inline]
    fn moves(&self, state: &State, out: &mut Vec<u8>) {
        if state.won {
            return;
        }
        self.push_columns(!(state.occupied() >> (self.height - 1)) & self.bottom, out);
    }

    #[inline]
    fn play(&self, state: &mut State, column: u8) {
        let cell = self.landings(state.occupied()) & self.column(column.into());
        let mover = state.mover();
        state.discs[mover] |= cell;
        state.won = self.has_line(state.discs[mover]);
        state.plies += 1;
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
    fn playout(&self, state: &mut State, rng: &mut Rng, _: &mut Vec<u8>) -> u32 {
        if self.is_standard() {
            self.random_game(state, rng, any_four)
        } else {
            let (stride, connect) = (self.stride(), self.connect.into());
            self.random_game(state, rng, |discs| any_run(discs, stride, connect))
        }
    }

    fn has_heavy_playout(&self) -> bool {
        true
    }

    #[inline]
    fn heavy_playout(&self, state: &mut State, rng: &mut Rng, _: &mut Vec<u8>) -> u32 {
        self.heavy_game(state, rng, |_| ())
    }

    fn recorded_heavy_playout(
        &self,
        state: &mut State,
        rng: &mut Rng,
        _: &mut Vec<u8>,
        record: &mut Vec<(usize, u8)>,
    ) -> u32 {
        let (stride, mut visit) = (self.stride(), in_turn(state.mover(), record));
        self.heavy_game(state, rng, |cell| visit((cell.trailing_zeros() / stride) as u8))
    }
}

impl ZeroSum for Connect4 {}

impl Hashed for Connect4 {
    // One word holds the whole board: a bit at the first empty cell of every column, and below it
    // the first player's discs. The player to move follows from the number of discs. Mixing is a
    // bijection, so keys never collide, and costs less than updating a key with every move.
    #[inline]
    fn board_key(&self, state: &State) -> u64 {
        mix((state.occupied() + self.bottom) | state.discs[0])
    }
}

impl Symmetric for Connect4 {
    fn symmetries(&self) -> usize {
        2
    }

    fn reflect(&self, state: &State, s: usize) -> State {
        if s == 0 {
            return *state;
        }
        let stride = self.stride();
        let mirror = |discs: u64| {
            (0..self.width()).fold(0, |mirrored, c| {
                let column = (discs & self.column(c)) >> (c as u32 * stride);
                mirrored | column << ((self.width() - 1 - c) as u32 * stride)
            })
        };
        State { discs: state.discs.map(mirror), ..*state }
    }

    fn reflect_move(&self, column: u8, s: usize) -> u8 {
        if s == 0 { column } else { self.width - 1 - column }
    }
}

#[cfg(test)]
mod tests;
