//! Pentago and Pentago Twist: place a stone, then twist a quadrant of the board; five in a row win.
//! The two games differ only in their twists.

mod actions;
mod board;
mod distinct;
mod eval;
mod heavy;
mod notation;
mod plate;
mod playout;
mod scene;
mod tactics;

use std::fmt::Debug;
use std::marker::PhantomData;

use tussle_core::{Game, Hashed, Rng, Symmetric, Turn, ZeroSum, mix};

use crate::record::in_turn;

use board::{BITS, CELLS, has_five, moved_plate, reflected, twisted};
pub use eval::Eval;
use plate::{FLIP, HALF, LEFT, RIGHT, compose, inverse};

/// Pentago: the twists are quarter turns to the left or to the right.
///
/// ```
/// use tussle_core::{Game, Notation, Turn};
/// use tussle_games::Pentago;
///
/// // Five stones in the top row, and a last twist that would break the line.
/// let moves = "a6:3r a1:3r b6:3r b1:3r c6:3r c1:3r d6:3r a2:3r e6:0r";
/// let play = |game: Pentago| {
///     let mut state = game.start();
///     for text in moves.split(' ') {
///         let mv = game.parse_move(&state, text).unwrap();
///         game.play(&mut state, mv);
///     }
///     game.turn(&state)
/// };
/// assert_eq!(play(Pentago::default()), Turn::Over); // the stone won before the twist
/// assert_eq!(play(Pentago::new(false)), Turn::Player(1));
/// ```
pub type Pentago = Quadrants<Turns>;

/// Pentago Twist: the twists are a quarter turn to the right and a flip that swaps left and right.
///
/// ```
/// use tussle_core::{Game, Notation};
/// use tussle_games::PentagoTwist;
///
/// let game = PentagoTwist::default();
/// let mut state = game.start();
/// for text in ["a6:0r", "a6:0f"] {
///     let mv = game.parse_move(&state, text).unwrap();
///     game.play(&mut state, mv);
/// }
/// assert_eq!(game.position_text(&state), "x.o.../....../....../....../....../...... x");
/// ```
pub type PentagoTwist = Quadrants<TurnAndFlip>;

/// Rules of both games, with the twists of `T`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quadrants<T> {
    /// True if five in a row completed by the stone win before the twist.
    early: bool,
    twists: PhantomData<T>,
}

/// Pair of twists of a game.
pub trait Twists: Copy + Eq + Debug + Send + Sync + 'static {
    /// Motions of a plate, in the order in which moves are listed.
    const MOTIONS: [usize; 2];
    /// Letters of the twists in moves.
    const LETTERS: [char; 2];
    /// Names of the twists.
    const NAMES: [&'static str; 2];
    /// Motions of the whole board that map every twist to a twist.
    const SYMMETRIES: &'static [usize];
}

/// Twists of Pentago: a quarter turn to the left or to the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turns {}

impl Twists for Turns {
    const MOTIONS: [usize; 2] = [LEFT, RIGHT];
    const LETTERS: [char; 2] = ['l', 'r'];
    const NAMES: [&'static str; 2] = ["left", "right"];
    const SYMMETRIES: &'static [usize] = &[0, 1, 2, 3, 4, 5, 6, 7];
}

/// Twists of Pentago Twist: a quarter turn to the right, or a flip that swaps left and right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnAndFlip {}

impl Twists for TurnAndFlip {
    const MOTIONS: [usize; 2] = [RIGHT, FLIP];
    const LETTERS: [char; 2] = ['r', 'f'];
    const NAMES: [&'static str; 2] = ["right", "flip"];
    // A reflection would map the right turn to a left turn, and a quarter turn would map the flip
    // to one that swaps top and bottom. Neither is a twist of this game.
    const SYMMETRIES: &'static [usize] = &[0, HALF];
}

/// Position: the stones of both players, with the bit layout that `board.rs` draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    stones: [u64; 2],
    plies: u8,
    /// Players with five in a row: 1 for the first, 2 for the second, 3 for both. Follows from the
    /// stones.
    fives: u8,
}

impl State {
    #[inline]
    fn new(stones: [u64; 2], plies: u8) -> Self {
        Self { stones, plies, fives: fives(stones) }
    }

    #[inline]
    fn mover(self) -> usize {
        usize::from(self.plies & 1)
    }

    #[inline]
    fn occupied(self) -> u64 {
        self.stones[0] | self.stones[1]
    }

    #[inline]
    fn is_over(self) -> bool {
        self.fives != 0 || usize::from(self.plies) == CELLS
    }
}

/// Returns the players with five in a row, in the form of [`State::fives`].
#[inline]
fn fives(stones: [u64; 2]) -> u8 {
    u8::from(has_five(stones[0])) | u8::from(has_five(stones[1])) << 1
}

/// Move: the bit of the cell in the upper 13 bits, the plate in the next two bits, and the twist of
/// the plate (0 or 1) in the last bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(u16);

impl Move {
    const fn new(bit: usize, twist: usize) -> Self {
        Self((bit << 3 | twist) as u16)
    }

    fn bit(self) -> usize {
        usize::from(self.0 >> 3)
    }

    /// Returns the number of the twist, `2 * plate + kind`.
    fn twist(self) -> usize {
        usize::from(self.0 & 7)
    }

    fn plate(self) -> usize {
        self.twist() / 2
    }

    /// Returns the index of the twist in [`Twists::MOTIONS`].
    fn kind(self) -> usize {
        self.twist() % 2
    }
}

/// Eight moves of every cell, by its bit.
static MOVES: [[Move; 8]; 64] = {
    let mut moves = [[Move(0); 8]; 64];
    let mut i = 0;
    while i < 64 * 8 {
        moves[i / 8][i % 8] = Move::new(i / 8, i % 8);
        i += 1;
    }
    moves
};

impl<T> Quadrants<T> {
    const fn with(early: bool) -> Self {
        Self { early, twists: PhantomData }
    }
}

impl Pentago {
    /// Creates the game. With `early`, five in a row completed by the stone win at once, before the
    /// twist; otherwise lines count only after the twist.
    pub const fn new(early: bool) -> Self {
        Self::with(early)
    }

    /// Returns true if five in a row completed by the stone win before the twist.
    pub const fn early(self) -> bool {
        self.early
    }
}

impl Default for Pentago {
    /// Creates the game with early wins.
    fn default() -> Self {
        Self::new(true)
    }
}

impl Default for PentagoTwist {
    fn default() -> Self {
        Self::with(false)
    }
}

impl<T: Twists> Game for Quadrants<T> {
    type State = State;
    type Move = Move;

    fn start(&self) -> State {
        State { stones: [0; 2], plies: 0, fives: 0 }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.is_over() { Turn::Over } else { Turn::Player(state.mover()) }
    }

    #[inline]
    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        if state.fives != 0 {
            return;
        }
        let occupied = state.occupied();
        for &bit in BITS.iter().filter(|&&bit| occupied >> bit & 1 == 0) {
            out.extend_from_slice(&MOVES[usize::from(bit)]);
        }
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) {
        let mover = state.mover();
        state.stones[mover] |= 1 << mv.bit();
        state.plies += 1;
        if self.early && has_five(state.stones[mover]) {
            state.fives = 1 << mover;
        } else {
            let (plate, motion) = (mv.plate(), T::MOTIONS[mv.kind()]);
            state.stones = state.stones.map(|stones| twisted(stones, plate, motion));
            state.fives = fives(state.stones);
        }
    }

    #[inline]
    fn utility(&self, state: &State, player: usize) -> f64 {
        match (state.fives, player) {
            (1, 0) | (2, 1) => 1.0,
            (1 | 2, _) => -1.0,
            _ => 0.0,
        }
    }

    fn distinct_moves(&self, state: &State, out: &mut Vec<Move>) {
        distinct::distinct_moves(*self, *state, out);
    }

    #[inline]
    fn playout(&self, state: &mut State, rng: &mut Rng, _: &mut Vec<Move>) -> u32 {
        playout::random_game(*self, state, rng)
    }

    fn has_heavy_playout(&self) -> bool {
        true
    }

    #[inline]
    fn heavy_playout(&self, state: &mut State, rng: &mut Rng, _: &mut Vec<Move>) -> u32 {
        heavy::heavy_game(*self, state, rng, |_| ())
    }

    fn recorded_heavy_playout(
        &self,
        state: &mut State,
        rng: &mut Rng,
        _: &mut Vec<Move>,
        record: &mut Vec<(usize, Move)>,
    ) -> u32 {
        let visit = in_turn(state.mover(), record);
        heavy::heavy_game(*self, state, rng, visit)
    }
}

impl<T: Twists> ZeroSum for Quadrants<T> {}

impl<T: Twists> Hashed for Quadrants<T> {
    // The player to move follows from the number of stones.
    #[inline]
    fn board_key(&self, state: &State) -> u64 {
        mix(mix(state.stones[0]) ^ state.stones[1])
    }
}

impl<T: Twists> Symmetric for Quadrants<T> {
    fn symmetries(&self) -> usize {
        T::SYMMETRIES.len()
    }

    fn reflect(&self, state: &State, s: usize) -> State {
        State { stones: state.stones.map(|set| reflected(set, T::SYMMETRIES[s])), ..*state }
    }

    fn reflect_move(&self, mv: Move, s: usize) -> Move {
        let motion = T::SYMMETRIES[s];
        let bit = reflected(1 << mv.bit(), motion).trailing_zeros() as usize;
        // The reflected twist: undo the symmetry, twist, and apply the symmetry again.
        let twist = compose(compose(motion, T::MOTIONS[mv.kind()]), inverse(motion));
        let kind = usize::from(twist == T::MOTIONS[1]);
        Move::new(bit, 2 * moved_plate(mv.plate(), motion) + kind)
    }
}

#[cfg(test)]
mod naive;
#[cfg(test)]
mod tests;
