//! Connect four: discs fall into columns, four in a row win. Any board that fits 64 bits.

mod actions;
mod eval;
mod heavy;
mod notation;
mod scene;

use tussle_core::{Game, Hashed, ParseError, Rng, Symmetric, Turn, ZeroSum, mix};

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
    /// The lowest cell of every column.
    bottom: u64,
    /// Every cell, without the sentinels.
    cells: u64,
    /// The cells of the middle columns.
    middle: u64,
}

/// A position. Each player's discs are a bit a cell, column by column from the lower left, and
/// above every column lies a sentinel that is never set, so that no shift along a row, a column
/// or a diagonal carries a line from one edge of the board to the other:
/// ```text
///  6 13 20 27 34 41 48   sentinels
///  5 12 19 26 33 40 47
///  4 11 18 25 32 39 46
///  3 10 17 24 31 38 45
///  2  9 16 23 30 37 44
///  1  8 15 22 29 36 43
///  0  7 14 21 28 35 42
/// ```
/// With `stride` = height + 1, a neighbour is 1 bit away upwards, `stride` to the right, and
/// `stride` + 1 and `stride` - 1 along the diagonals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    discs: [u64; 2],
    plies: u8,
    /// Whether the player who moved last has a line.
    won: bool,
}

/// Maximum number of columns and of rows.
pub const MAX_SIDE: usize = 16;
/// Maximum length of the line that wins.
pub const MAX_CONNECT: usize = 8;

/// Brings the lowest bits of up to seven columns of six together, from bit 36 on: bit 7i becomes
/// bit 7i + 6k for every k, which is 36 + i for k = 6 - i, and no two of all these meet.
const GATHER: u64 = 1 | 1 << 6 | 1 << 12 | 1 << 18 | 1 << 24 | 1 << 30 | 1 << 36;

/// The members of a set of up to seven columns, from the left.
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

/// The members of `set` that begin a run: `length` members of it, each `step` bits above the
/// one before. Every round doubles what is known, so that a run of four takes two shifts.
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

/// The distances to the next cell upwards, to the right and along the two diagonals.
#[inline]
fn directions(stride: u32) -> [u32; 4] {
    [1, stride, stride + 1, stride - 1]
}

#[inline]
fn any_run(discs: u64, stride: u32, length: u32) -> bool {
    directions(stride).into_iter().fold(0, |any, step| any | runs(discs, step, length)) != 0
}

/// Four in a row on columns of six: the shifts are constants here, which makes playouts twice as
/// fast.
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
    /// The game on `width` columns of `height` cells, won by `connect` in a row.
    ///
    /// # Errors
    /// If the board needs more than 64 bits (a cell is one, and so is the sentinel above each
    /// column), or a number is out of its range: columns and rows 1 to 16, lines 2 to 8.
    pub fn new(width: usize, height: usize, connect: usize) -> Result<Self, ParseError> {
        for (name, value, least, most) in [
            ("width", width, 1, MAX_SIDE),
            ("height", height, 1, MAX_SIDE),
            ("connect", connect, 2, MAX_CONNECT),
        ] {
            if !(least..=most).contains(&value) {
                return Err(ParseError::new(format!(
                    "{name}={value} is out of range: it may be {least} to {most}"
                )));
            }
        }
        let bits = width * (height + 1);
        if bits > 64 {
            return Err(ParseError::new(format!(
                "width={width},height={height} is too large: width x (height + 1) is {bits} and \
                 may be 64; with width={width} the height may be up to {}, with \
                 height={height} the width up to {} (8x7 and 9x6 fit)",
                64 / width - 1,
                64 / (height + 1),
            )));
        }
        Ok(Self::sized(width as u8, height as u8, connect as u8))
    }

    fn sized(width: u8, height: u8, connect: u8) -> Self {
        let bottom = (0..width).map(|c| 1 << (c * (height + 1))).sum();
        let column = (1 << height) - 1;
        // The middle third of the columns, rounded up to what is symmetric: 3 of 7, 2 of 4.
        let edge = width / 3;
        let middle = (edge..width - edge).fold(0, |set, c| set | column << (c * (height + 1)));
        Self { width, height, connect, bottom, cells: bottom * column, middle }
    }

    /// The number of columns.
    pub fn width(&self) -> usize {
        self.width.into()
    }

    /// The number of rows.
    pub fn height(&self) -> usize {
        self.height.into()
    }

    /// How many in a row win.
    pub fn connect(&self) -> usize {
        self.connect.into()
    }

    #[inline]
    fn stride(&self) -> u32 {
        u32::from(self.height) + 1
    }

    /// Whether lines and columns are those of the usual game.
    #[inline]
    fn is_usual(&self) -> bool {
        (self.height, self.connect) == (6, 4)
    }

    #[inline]
    fn has_line(&self, discs: u64) -> bool {
        if self.is_usual() { any_four(discs) } else { self.has_any_line(discs) }
    }

    /// The same on any size: kept out of the way, so that the usual one is inlined.
    #[inline(never)]
    fn has_any_line(&self, discs: u64) -> bool {
        any_run(discs, self.stride(), self.connect.into())
    }

    /// The cells a disc can fall on, one in every column that is not full: adding the bottom
    /// cell carries through the discs of a column to its first empty cell, or to its sentinel.
    #[inline]
    fn landings(&self, occupied: u64) -> u64 {
        (occupied + self.bottom) & self.cells
    }

    /// The bits of a column, its sentinel included.
    #[inline]
    fn column(&self, column: usize) -> u64 {
        let stride = self.stride();
        ((1 << stride) - 1) << (column as u32 * stride)
    }

    /// Plays at random to the end. The cells to fall on stand in a list: choosing one is a
    /// multiplication and a load, and a full column leaves by letting the last one take its
    /// place, so that nothing searches the board for the n-th free column.
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
        // Nobody has enough discs for a line before this many plies.
        let soonest = 2 * self.connect - 1;
        let (mut mine, mut theirs) = (state.discs[state.mover()], state.discs[1 - state.mover()]);
        let mut random = 0;
        while open > 0 {
            // The high half of random * n is the choice, the low half is the randomness left
            // for the next one. Eight choices among up to 16 use half of the 64 bits.
            if (state.plies - first).is_multiple_of(8) {
                random = rng.next_u64();
            }
            let wide = u128::from(random) * open as u128;
            random = wide as u64;
            let i = (wide >> 64) as usize % MAX_SIDE; // the remainder spares a check of the bounds
            mine |= landings[i];
            (mine, theirs) = (theirs, mine);
            state.plies += 1;
            if state.plies >= soonest && has_line(theirs) {
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
    /// The column, from 0 at the left.
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
        let open = !(state.occupied() >> (self.height - 1)) & self.bottom;
        if self.width <= 7 && self.height == 6 {
            // A copy of fixed size is one instruction, and a wrong guess about a column takes
            // longer than all of this.
            let open = open.wrapping_mul(GATHER) >> 36 & 0x7f;
            let end = out.len() + open.count_ones() as usize;
            out.extend_from_slice(&COLUMNS[open as usize]);
            out.truncate(end);
        } else {
            let is_open = |&c: &u8| open & self.column(c.into()) != 0;
            out.extend((0..self.width).filter(is_open));
        }
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
            (true, true) => -1.0, // the rival has just made a line
            (true, false) => 1.0,
        }
    }

    #[inline]
    fn playout(&self, state: &mut State, rng: &mut Rng, _: &mut Vec<u8>) -> u32 {
        if self.is_usual() {
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
}

impl ZeroSum for Connect4 {}

impl Hashed for Connect4 {
    // One word holds the whole board: a bit on the first empty cell of every column, and below
    // it the first player's discs; the side to move follows from the number of discs. Mixing it
    // is a bijection, so keys never collide, and costs less than keeping a key up to date.
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
