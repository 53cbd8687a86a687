//! Keep-on-moving: players walk over a board, and every cell they leave becomes blocked.

mod actions;
mod board;
mod eval;
#[cfg(test)]
mod naive;
mod notation;
mod scene;
mod symmetry;
#[cfg(test)]
mod tests;

use tussle_core::{Game, Hashed, ParseError, Rng, Turn, ZeroSum, mix, zobrist};

pub use board::{Board, MAX_PLAYERS, MAX_SIDE};
pub use eval::{Eval, Territory};

/// Keep-on-moving on a given board.
///
/// On its turn a player steps up, right, down or left to a free cell. The cell it leaves is blocked
/// for the rest of the game. A player who has to move and cannot has lost; if the opponent cannot
/// move either, the game is a tie.
///
/// With more than two players, a player who has to move and cannot is out, and the others continue.
/// If only one of the remaining players can move then, it wins at once; if none can, all remaining
/// players tie. For two players this gives the rule above.
///
/// Moves are listed in the order up, right, down, left.
///
/// `WORDS` is the capacity for cells, in words of 64 bits, and `PLAYERS` the capacity for players.
/// A smaller capacity makes states smaller and faster; `<68, 8>` is enough for every board.
///
/// ```
/// use tussle_core::{Game, Notation, Turn};
/// use tussle_games::keep_on_moving::{Board, KeepOnMoving};
///
/// let board = Board::parse("#.1.2").unwrap();
/// let game = KeepOnMoving::<3, 2>::new(&board).unwrap();
/// let mut state = game.start();
/// let right = game.parse_move(&state, "R").unwrap();
/// game.play(&mut state, right);
/// // Player 2 cannot move, and neither can player 1, so the game is a tie.
/// assert_eq!(game.turn(&state), Turn::Over);
/// assert_eq!(game.utility(&state, 0), 0.0);
/// ```
#[derive(Clone, Debug)]
pub struct KeepOnMoving<const WORDS: usize, const PLAYERS: usize> {
    width: usize,
    height: usize,
    /// Distance in bits from a cell to the one below it.
    stride: usize,
    players: usize,
    /// Cells that are not blocked from the beginning.
    open: [u64; WORDS],
    /// Offset from a cell to its neighbour in each of [`DIRECTIONS`].
    offsets: [i16; 4],
    /// Offset of a random step, by the set of exits and by a random number below 12.
    random_offsets: [[i16; 12]; 16],
    /// Symmetries that map the board and every start cell to themselves.
    symmetries: Vec<u8>,
    start: State<WORDS, PLAYERS>,
}

/// Position.
///
/// Each cell is a bit. A border of bits that are never free surrounds the board, so that a step is
/// an addition without a test for the edge. The right border of a row is the left border of the
/// next row. A board of 4 x 2 cells with stride 5 takes 20 bits:
/// ```text
///   0  1  2  3  4
///   5 [6  7  8  9]
///  10 [11 12 13 14]
///  15 16 17 18 19     up -5, right +1, down +5, left -1
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State<const WORDS: usize, const PLAYERS: usize> {
    /// Cells on which a player can step.
    free: [u64; WORDS],
    /// Hash of the cells taken and of the players' cells, updated with every step.
    key: u64,
    /// Cells of the players.
    cells: [u16; PLAYERS],
    /// Player to move; in a finished game, the player who had to move when it ended.
    mover: u8,
    /// Players who are out, as bits.
    out: u8,
    /// Players who share the win, as bits; 0 while the game is not over.
    winners: u8,
}

/// Move: a step to a neighbouring cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Direction {
    /// `U`
    Up,
    /// `R`
    Right,
    /// `D`
    Down,
    /// `L`
    Left,
}

/// Order in which moves are listed. It is the order of the simple player of the university course.
const DIRECTIONS: [Direction; 4] =
    [Direction::Up, Direction::Right, Direction::Down, Direction::Left];

/// Key of every bit of the largest board.
static CELL_KEYS: [u64; 68 * 64] = zobrist(0x6b65_6570);

/// Returns the key of a player on a cell: the key of the cell, rotated by a different number of
/// bits for each player.
#[inline]
fn player_key(player: usize, cell: usize) -> u64 {
    CELL_KEYS[cell].rotate_left(7 * (player as u32 + 1))
}

#[inline]
fn contains<const WORDS: usize>(set: &[u64; WORDS], cell: usize) -> bool {
    set[cell / 64] >> (cell % 64) & 1 != 0
}

#[inline]
fn remove<const WORDS: usize>(set: &mut [u64; WORDS], cell: usize) {
    set[cell / 64] &= !(1 << (cell % 64));
}

fn insert<const WORDS: usize>(set: &mut [u64; WORDS], cell: usize) {
    set[cell / 64] |= 1 << (cell % 64);
}

impl<const WORDS: usize, const PLAYERS: usize> KeepOnMoving<WORDS, PLAYERS> {
    /// Creates the game on a board.
    ///
    /// # Errors
    /// If the board has more cells or players than the capacity of this type.
    pub fn new(board: &Board) -> Result<Self, ParseError> {
        let (width, height, players) = (board.width(), board.height(), board.players());
        let stride = width + 1;
        let (bits, capacity) = ((height + 2) * stride, (WORDS * 64).min(CELL_KEYS.len()));
        if bits > capacity {
            return Err(ParseError::new(format!(
                "a board with {height} rows of {width} cells takes {bits} bits with its border; \
                 this type has {capacity}"
            )));
        }
        if players > PLAYERS.min(MAX_PLAYERS) {
            return Err(ParseError::new(format!(
                "the board has {players} players; this type has capacity for {PLAYERS}"
            )));
        }
        let offsets = [-(stride as i16), 1, stride as i16, -1];
        let mut game = Self {
            width,
            height,
            stride,
            players,
            open: [0; WORDS],
            offsets,
            random_offsets: random_offsets(offsets),
            symmetries: symmetry::symmetries(board),
            start: State {
                free: [0; WORDS],
                key: 0,
                cells: [0; PLAYERS],
                mover: 0,
                out: 0,
                winners: 0,
            },
        };
        for row in 0..height {
            for column in (0..width).filter(|&column| !board.is_blocked(row, column)) {
                let cell = game.cell(row, column);
                insert(&mut game.open, cell);
            }
        }
        let mut start = game.start.clone();
        start.free = game.open;
        for (player, &(row, column)) in board.starts().iter().enumerate() {
            let cell = game.cell(row, column);
            remove(&mut start.free, cell);
            start.cells[player] = cell as u16;
        }
        start.key = game.fresh_key(&start);
        game.settle(&mut start, 0);
        game.start = start;
        Ok(game)
    }

    /// Returns the bit number of a cell. Rows count from the top.
    fn cell(&self, row: usize, column: usize) -> usize {
        (row + 1) * self.stride + column + 1
    }

    /// Returns the row and column of a bit.
    fn place(&self, cell: usize) -> (usize, usize) {
        (cell / self.stride - 1, cell % self.stride - 1)
    }

    /// Returns the neighbour of a cell in a direction.
    #[inline]
    fn toward(&self, cell: u16, direction: Direction) -> u16 {
        cell.wrapping_add_signed(self.offsets[direction as usize])
    }

    /// Returns the directions in which the neighbour of `cell` is free; bit i is direction i.
    #[inline]
    fn exits<const N: usize>(&self, free: &[u64; N], cell: u16) -> usize {
        let cell = usize::from(cell);
        usize::from(contains(free, cell - self.stride))
            | usize::from(contains(free, cell + 1)) << 1
            | usize::from(contains(free, cell + self.stride)) << 2
            | usize::from(contains(free, cell - 1)) << 3
    }

    #[inline]
    fn can_move(&self, state: &State<WORDS, PLAYERS>, player: usize) -> bool {
        self.exits(&state.free, state.cells[player]) != 0
    }

    /// Returns the players who are not out, as bits.
    #[inline]
    fn still_in(&self, state: &State<WORDS, PLAYERS>) -> u8 {
        (0xff >> (MAX_PLAYERS - self.players)) & !state.out
    }

    #[inline]
    fn after(&self, player: usize) -> usize {
        if player + 1 == self.players { 0 } else { player + 1 }
    }

    /// Gives the turn to `player`. If it cannot move, either the game ends, or the player is out
    /// and the turn passes to the next one.
    ///
    /// When a player is out, at least two others can move, so the loop ends at one of them.
    #[inline]
    fn settle(&self, state: &mut State<WORDS, PLAYERS>, mut player: usize) {
        loop {
            let still_in = self.still_in(state);
            if still_in >> player & 1 != 0 {
                state.mover = player as u8;
                if self.can_move(state, player) {
                    return;
                }
                let able: u8 = (0..self.players)
                    .filter(|&p| still_in >> p & 1 != 0 && self.can_move(state, p))
                    .map(|p| 1 << p)
                    .sum();
                match able.count_ones() {
                    0 => state.winners = still_in,
                    1 => state.winners = able,
                    _ => state.out |= 1 << player,
                }
                if state.winners != 0 {
                    return;
                }
            }
            player = self.after(player);
        }
    }

    /// Computes the key of the cells of a state.
    fn fresh_key(&self, state: &State<WORDS, PLAYERS>) -> u64 {
        let taken = (0..self.height)
            .flat_map(|row| (0..self.width).map(move |column| self.cell(row, column)))
            .filter(|&cell| contains(&self.open, cell) && !contains(&state.free, cell))
            .fold(0, |key, cell| key ^ CELL_KEYS[cell]);
        (0..self.players).fold(taken, |key, p| key ^ player_key(p, usize::from(state.cells[p])))
    }

    /// Plays random steps to the end of a game of two players.
    fn random_game_of_two(&self, state: &mut State<WORDS, PLAYERS>, rng: &mut Rng) -> u32 {
        let mover = usize::from(state.mover & 1);
        let cells = (state.cells[mover], state.cells[1 - mover]);
        let (plies, tie) = if (self.height + 2) * self.stride <= 64 {
            self.walk_pair(&mut [state.free[0]], cells, rng) // the board fits in a register
        } else {
            self.walk_pair(&mut state.free, cells, rng)
        };
        let mover = (mover + plies as usize) % 2;
        state.mover = mover as u8;
        state.winners = if tie { 0b11 } else { 0b10 >> mover };
        plies
    }

    /// Moves two players randomly, the first one to move, until one of them cannot move on its
    /// turn. Returns the number of steps, and true if the other player cannot move either.
    #[inline]
    fn walk_pair<const N: usize>(
        &self,
        free: &mut [u64; N],
        (mut cell, mut opponent): (u16, u16),
        rng: &mut Rng,
    ) -> (u32, bool) {
        let mut plies = 0;
        loop {
            let exits = self.exits(free, cell);
            if exits == 0 {
                return (plies, self.exits(free, opponent) == 0);
            }
            cell = cell.wrapping_add_signed(self.random_offsets[exits][rng.below(12)]);
            remove(free, usize::from(cell));
            (cell, opponent) = (opponent, cell);
            plies += 1;
        }
    }

    /// Plays random steps to the end of a game of any number of players.
    fn random_game_of_many(&self, state: &mut State<WORDS, PLAYERS>, rng: &mut Rng) -> u32 {
        let mut plies = 0;
        while state.winners == 0 {
            let mover = usize::from(state.mover);
            let cell = &mut state.cells[mover];
            let exits = self.exits(&state.free, *cell);
            *cell = cell.wrapping_add_signed(self.random_offsets[exits][rng.below(12)]);
            remove(&mut state.free, usize::from(*cell));
            self.settle(state, self.after(mover));
            plies += 1;
        }
        plies
    }
}

/// Returns the table that maps a set of exits and a random number below 12 to a uniformly chosen
/// offset. 12 is divisible by every number of exits, so the random number does not depend on them.
fn random_offsets(offsets: [i16; 4]) -> [[i16; 12]; 16] {
    let mut table = [[0; 12]; 16];
    for (exits, row) in table.iter_mut().enumerate().skip(1) {
        let open = (0..4).filter(|direction| exits >> direction & 1 != 0).cycle();
        for (offset, direction) in row.iter_mut().zip(open) {
            *offset = offsets[direction];
        }
    }
    table
}

impl<const WORDS: usize, const PLAYERS: usize> Game for KeepOnMoving<WORDS, PLAYERS> {
    type State = State<WORDS, PLAYERS>;
    type Move = Direction;

    #[inline]
    fn players(&self) -> usize {
        self.players
    }

    fn start(&self) -> Self::State {
        self.start.clone()
    }

    #[inline]
    fn turn(&self, state: &Self::State) -> Turn {
        if state.winners == 0 { Turn::Player(usize::from(state.mover)) } else { Turn::Over }
    }

    #[inline]
    fn moves(&self, state: &Self::State, out: &mut Vec<Direction>) {
        if state.winners != 0 {
            return; // the game is over, even if the winner could still move
        }
        let exits = self.exits(&state.free, state.cells[usize::from(state.mover)]);
        out.extend(DIRECTIONS.into_iter().filter(|&direction| exits >> direction as u8 & 1 != 0));
    }

    #[inline]
    fn play(&self, state: &mut Self::State, direction: Direction) {
        let mover = usize::from(state.mover);
        let from = state.cells[mover];
        let to = self.toward(from, direction);
        state.cells[mover] = to;
        let (from, to) = (usize::from(from), usize::from(to));
        remove(&mut state.free, to);
        state.key ^= CELL_KEYS[to] ^ player_key(mover, from) ^ player_key(mover, to);
        self.settle(state, self.after(mover));
    }

    /// Makes the step and takes it back, because large boards are slow to copy.
    #[inline]
    fn visit<R>(
        &self,
        state: &mut Self::State,
        direction: Direction,
        then: impl FnOnce(&mut Self::State) -> R,
    ) -> R {
        let State { key, mover, out, .. } = *state;
        let from = state.cells[usize::from(mover)];
        self.play(state, direction);
        let result = then(state);
        insert(&mut state.free, usize::from(state.cells[usize::from(mover)]));
        state.cells[usize::from(mover)] = from;
        (state.key, state.mover, state.out, state.winners) = (key, mover, out, 0);
        result
    }

    #[inline]
    fn utility(&self, state: &Self::State, player: usize) -> f64 {
        let (won, winners) = (state.winners >> player & 1 != 0, state.winners.count_ones());
        match (self.players, won) {
            (2, _) if winners == 2 => 0.0,
            (2, true) => 1.0,
            (2, false) => -1.0,
            (_, true) => 1.0 / f64::from(winners),
            (_, false) => 0.0,
        }
    }

    #[inline]
    fn playout(&self, state: &mut Self::State, rng: &mut Rng, _: &mut Vec<Direction>) -> u32 {
        match self.players {
            2 => self.random_game_of_two(state, rng),
            _ => self.random_game_of_many(state, rng),
        }
    }
}

impl<const WORDS: usize> ZeroSum for KeepOnMoving<WORDS, 2> {}

impl<const WORDS: usize, const PLAYERS: usize> Hashed for KeepOnMoving<WORDS, PLAYERS> {
    #[inline]
    fn board_key(&self, state: &Self::State) -> u64 {
        state.key ^ mix(u64::from(state.mover) << 8 | u64::from(state.out))
    }
}
