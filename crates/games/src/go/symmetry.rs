//! Reflections and rotations.

use tussle_core::{Hashed, Symmetric};

use super::bits::Bits;
use super::{Go, History, Move, NO_POINT, State, key_of};

impl<const N: usize> Go<N> {
    /// Maps a point under symmetry `s`: bit 0 of `s` swaps left and right, bit 1 swaps top and
    /// bottom, and bit 2 then swaps columns and rows.
    fn reflect_point(&self, point: u16, s: usize) -> u16 {
        if point == NO_POINT {
            return NO_POINT;
        }
        let (mut column, mut row) = Bits::<N>::place(point);
        if s & 1 != 0 {
            column = self.options.width - 1 - column;
        }
        if s & 2 != 0 {
            row = self.options.height - 1 - row;
        }
        if s & 4 == 0 { Bits::<N>::index(column, row) } else { Bits::<N>::index(row, column) }
    }

    fn reflect_board(&self, stones: [Bits<N>; 2], s: usize) -> [Bits<N>; 2] {
        stones.map(|stones| {
            let mut image = Bits::EMPTY;
            stones.each(|point| image.insert(self.reflect_point(point, s)));
            image
        })
    }

    /// Reflects everything except the earlier boards.
    fn reflect_present(&self, state: &State<N>, s: usize) -> State<N> {
        let stones = self.reflect_board(state.stones, s);
        State {
            stones,
            key: key_of(stones),
            ko: self.reflect_point(state.ko, s),
            past: History { origin: [Bits::EMPTY; 2], steps: Vec::new() },
            ..*state
        }
    }
}

impl<const N: usize> Symmetric for Go<N> {
    fn symmetries(&self) -> usize {
        if self.options.width == self.options.height { 8 } else { 4 }
    }

    fn reflect(&self, state: &State<N>, s: usize) -> State<N> {
        let mut image = self.reflect_present(state, s);
        if !state.past.steps.is_empty() {
            let origin = self.reflect_board(state.past.origin, s);
            let stones = state.past.steps.iter();
            let stones = stones.map(|step| (self.reflect_point(step.point, s), step.colour));
            image.past = self.replay(origin, stones).past;
        }
        image
    }

    fn reflect_move(&self, Move(point): Move, s: usize) -> Move {
        Move(self.reflect_point(point, s))
    }

    // Board keys do not cover the earlier boards, which are slow to reflect.
    fn canonical(&self, state: &State<N>) -> (u64, usize) {
        (0..self.symmetries())
            .map(|s| (self.board_key(&self.reflect_present(state, s)), s))
            .min()
            .expect("the identity is a symmetry")
    }
}
