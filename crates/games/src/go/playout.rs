//! Random playout.

use tussle_core::{Game, Rng, Turn};

use super::bits::Bits;
use super::{
    Go, Move, NO_POINT, Repetition, State, Step, captured, is_connected, keys_of, stone_key,
};

/// Set of the boards of a playout. It uses no heap memory unless the playout is extremely long.
///
/// One bit per key answers nearly every lookup with "no". Keys are only compared if the bit is set.
pub(super) struct SeenBoards<'a, const N: usize> {
    /// Bloom filter: one bit per key.
    hints: [[u64; 8]; N],
    /// Latest keys, of which `len` are in use.
    latest: [[u64; 128]; N],
    len: usize,
    /// Keys before the latest ones, as steps of which only `before` matters.
    older: &'a mut Vec<Step>,
}

impl<'a, const N: usize> SeenBoards<'a, N> {
    pub(super) fn new(older: &'a mut Vec<Step>) -> Self {
        let mut hints = [[0; 8]; N];
        for step in &*older {
            let (word, bit) = Self::hint(step.before);
            hints.as_flattened_mut()[word] |= bit;
        }
        Self { hints, latest: [[0; 128]; N], len: 0, older }
    }

    #[inline]
    fn hint(key: u64) -> (usize, u64) {
        ((key >> 6) as usize % (8 * N), 1 << (key % 64))
    }

    #[inline]
    pub(super) fn contains(&self, key: u64) -> bool {
        let (word, bit) = Self::hint(key);
        self.hints.as_flattened()[word] & bit != 0 && self.is_listed(key)
    }

    #[inline(never)]
    fn is_listed(&self, key: u64) -> bool {
        self.latest.as_flattened()[..self.len].contains(&key)
            || self.older.iter().any(|step| step.before == key)
    }

    /// Adds a board. Returns false if it was already in the set.
    #[inline]
    pub(super) fn insert(&mut self, key: u64) -> bool {
        let (word, bit) = Self::hint(key);
        let hints = &mut self.hints.as_flattened_mut()[word];
        let may_contain = *hints & bit != 0;
        *hints |= bit;
        if may_contain && self.is_listed(key) {
            return false;
        }
        if self.len == 128 * N {
            self.spill();
        }
        self.latest.as_flattened_mut()[self.len % (128 * N)] = key;
        self.len += 1;
        true
    }

    #[inline(never)]
    fn spill(&mut self) {
        let step = |&before| Step { before, point: NO_POINT, colour: 0 };
        self.older.extend(self.latest.as_flattened().iter().map(step));
        self.len = 0;
    }
}

impl<const N: usize> Go<N> {
    /// Plays random moves to the end of the game and calls `visit` with every move.
    ///
    /// The empty points are kept in a list. A turn draws one of them or a pass, and removes illegal
    /// points from the draw until it gets a legal move. Every legal move is therefore equally
    /// likely.
    #[inline]
    pub(super) fn random_game(
        &self,
        state: &mut State<N>,
        rng: &mut Rng,
        mut visit: impl FnMut(Move),
    ) -> u32 {
        if self.turn(state) == Turn::Over {
            return 0;
        }
        let rule = self.options.repetition;
        let mut colour = state.mover();
        let (mut own, mut opponent) = (state.stones[colour], state.stones[1 - colour]);
        let mut empty = self.cells & !(own | opponent);
        let (mut key, mut ko, mut passes) = (state.key, state.ko, state.passes);
        let mut seen = SeenBoards::<N>::new(&mut state.past.steps);
        seen.insert(key);

        let mut points = [[0u16; 64]; N];
        let points = points.as_flattened_mut();
        let mut count = 0;
        empty.each(|point| {
            points[count % Bits::<N>::LEN] = point;
            count += 1;
        });

        let mut left = self.cap - state.moves;
        let mut repeated = false;
        while left > 0 && passes < 2 && !repeated {
            // The first `open` points of the list are not yet rejected in this turn.
            let mut open = count;
            loop {
                let chosen = rng.below(open + 1);
                if chosen == open {
                    visit(Move::PASS);
                    passes += 1;
                    ko = NO_POINT;
                    break;
                }
                let point = points[chosen % Bits::<N>::LEN];
                let beside = self.around(point);
                let mut liberties = empty;
                liberties.remove(point);
                let near = liberties.beside();
                let taken = captured(beside, opponent, near);
                let mut new_key = key ^ stone_key(colour, point);
                let legal = if taken.is_empty() {
                    beside.meets(liberties) || is_connected(beside, own, near)
                } else {
                    new_key ^= keys_of(taken, 1 - colour);
                    point != ko
                };
                if !legal || rule == Repetition::Positional && seen.contains(new_key) {
                    open -= 1;
                    points.swap(chosen, open);
                    continue;
                }
                visit(Move(point));
                ko = NO_POINT;
                count -= 1;
                points[chosen % Bits::<N>::LEN] = points[count % Bits::<N>::LEN];
                if !taken.is_empty() {
                    if taken.count() == 1 && !beside.meets(own | liberties) {
                        ko = taken.first().unwrap_or(NO_POINT);
                    }
                    taken.each(|point| {
                        points[count % Bits::<N>::LEN] = point;
                        count += 1;
                    });
                    opponent = opponent & !taken;
                }
                own.insert(point);
                empty = liberties | taken;
                key = new_key;
                passes = 0;
                if rule != Repetition::Off {
                    repeated = !seen.insert(key);
                }
                break;
            }
            (own, opponent) = (opponent, own);
            colour = 1 - colour;
            left -= 1;
        }
        let moves = self.cap - left;
        let plies = moves - state.moves;
        state.stones = if colour == 0 { [own, opponent] } else { [opponent, own] };
        state.mover = colour as u8;
        state.moves = moves;
        state.passes = passes;
        state.repeated = repeated;
        plies
    }
}
