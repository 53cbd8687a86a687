//! Games with some sense: capture, save, and keep one's eyes.
//!
//! In this order, and at random where several moves are alike:
//! 1. capture a group in atari whose capture frees a group of one's own that is in atari;
//! 2. capture any group in atari;
//! 3. save a group of one's own in atari by a stone on its last liberty, if it has two liberties
//!    or more then;
//! 4. put a stone on any other legal point that is not an eye of one's own;
//! 5. pass.
//!
//! No stone recreates an earlier board, also where that would be a draw and not illegal: players
//! who capture whatever they can would go round in circles in every fifth game on 19x19.
//!
//! An eye is an empty point with stones of one colour on all points beside it, and at most one
//! of the rival's on the four points across its corners, none if it lies on the edge.
//!
//! The last liberties of groups in atari stand in a set for each colour. A stone puts only its
//! own group and those beside it into atari, so that a ply adds the last liberties of these and
//! looks no further. Whoever takes a point from the set looks whether it still is one.

use tussle_core::{Game, Rng, Turn};

use super::bits::Bits;
use super::playout::Seen;
use super::{Go, Move, NO_POINT, Repetition, State, captured, is_connected, keys_of, stone_key};

/// What a stone on a point does.
struct Deed<const N: usize> {
    taken: Bits<N>,
    key: u64,
}

/// A game in progress, as the player to move sees it.
struct Fight<'a, const N: usize> {
    rules: &'a Go<N>,
    own: Bits<N>,
    rival: Bits<N>,
    empty: Bits<N>,
    colour: usize,
    key: u64,
    ko: u16,
    /// The last liberties of one's own groups, and of the rival's; points that were that once
    /// may be among them.
    own_last: Bits<N>,
    rival_last: Bits<N>,
    seen: Seen<'a, N>,
}

/// The only liberty of the group of `stones` that a stone belongs to, if it has but one.
#[inline]
fn last_liberty<const N: usize>(stone: Bits<N>, stones: Bits<N>, empty: Bits<N>) -> Option<u16> {
    let mut group = stone;
    loop {
        let beside = group.beside();
        let liberties = beside & empty;
        if liberties.is_many() {
            return None;
        }
        let next = group | beside & stones;
        if next == group {
            return liberties.first();
        }
        group = next;
    }
}

/// The last liberties of all groups of `stones` that are in atari.
fn last_liberties<const N: usize>(stones: Bits<N>, empty: Bits<N>) -> Bits<N> {
    let (mut rest, mut last) = (stones, Bits::EMPTY);
    while let Some(stone) = rest.first() {
        let group = Bits::single(stone).flood(stones);
        rest = rest & !group;
        let liberties = group.beside() & empty;
        if !liberties.is_many() {
            last = last | liberties;
        }
    }
    last
}

impl<const N: usize> Fight<'_, N> {
    /// What a stone does, if it may be put there and recreates no earlier board.
    #[inline]
    fn deed(&self, point: u16) -> Option<Deed<N>> {
        let beside = self.rules.around(point);
        let mut liberties = self.empty;
        liberties.remove(point);
        let near = liberties.beside();
        let taken = captured(beside, self.rival, near);
        let mut key = self.key ^ stone_key(self.colour, point);
        let legal = if taken.is_empty() {
            beside.meets(liberties) || is_connected(beside, self.own, near)
        } else {
            key ^= keys_of(taken, 1 - self.colour);
            point != self.ko
        };
        let again = self.rules.options.repetition != Repetition::Off && self.seen.contains(key);
        (legal && !again).then_some(Deed { taken, key })
    }

    /// Whether a point is an eye of the player to move.
    #[inline]
    fn is_eye(&self, point: u16) -> bool {
        let beside = self.rules.around(point);
        (beside & !self.own).is_empty() && {
            let corners = Bits::single(point).across() & self.rules.cells;
            let lost = (corners & self.rival).count();
            lost == 0 || lost == 1 && corners.count() == 4
        }
    }

    /// The groups of `stones` that have this point as their only liberty.
    #[inline]
    fn in_atari(&self, point: u16, stones: Bits<N>) -> Bits<N> {
        let mut rest = self.rules.around(point) & stones;
        let mut groups = Bits::EMPTY;
        while let Some(stone) = rest.first() {
            let group = Bits::single(stone).flood(stones);
            rest = rest & !group;
            if !(group.beside() & self.empty).is_many() {
                groups = groups | group;
            }
        }
        groups
    }

    /// A move that captures or saves, if there is one.
    #[inline]
    fn urgent(&mut self, rng: &mut Rng) -> Option<(u16, Deed<N>)> {
        self.own_last = self.own_last & self.empty;
        self.rival_last = self.rival_last & self.empty;
        if (self.own_last | self.rival_last).is_empty() {
            return None;
        }
        self.capture(rng).or_else(|| self.rescue(rng))
    }

    /// A stone that captures, if there is one; it frees stones in atari if one can. What is no
    /// last liberty any more leaves the sets.
    #[inline(never)]
    fn capture(&mut self, rng: &mut Rng) -> Option<(u16, Deed<N>)> {
        let (mut own_last, mut pressed) = (Bits::EMPTY, Bits::EMPTY);
        self.own_last.each(|point| {
            let groups = self.in_atari(point, self.own);
            if !groups.is_empty() {
                own_last.insert(point);
                pressed = pressed | groups;
            }
        });
        let (mut rival_last, mut freeing) = (Bits::EMPTY, Bits::EMPTY);
        self.rival_last.each(|point| {
            let groups = self.in_atari(point, self.rival);
            if !groups.is_empty() {
                rival_last.insert(point);
                if groups.beside().meets(pressed) {
                    freeing.insert(point);
                }
            }
        });
        (self.own_last, self.rival_last) = (own_last, rival_last);
        self.any_of(freeing, rng).or_else(|| self.any_of(rival_last & !freeing, rng))
    }

    /// A stone on the last liberty of one's own group that gives it two or more, if there is
    /// one.
    #[inline(never)]
    fn rescue(&mut self, rng: &mut Rng) -> Option<(u16, Deed<N>)> {
        let mut rescues = Bits::EMPTY;
        self.own_last.each(|point| {
            let (mut own, mut empty) = (self.own, self.empty);
            own.insert(point);
            empty.remove(point);
            let group = Bits::single(point).flood(own);
            if (group.beside() & empty).is_many() {
                rescues.insert(point);
            }
        });
        self.any_of(rescues, rng)
    }

    /// One of these points where a stone may be put.
    #[inline]
    fn any_of(&self, mut points: Bits<N>, rng: &mut Rng) -> Option<(u16, Deed<N>)> {
        loop {
            let count = points.count() as usize;
            if count == 0 {
                return None;
            }
            let chosen = if count == 1 { 0 } else { rng.below(count) };
            let point = points.nth(chosen)?;
            if let Some(deed) = self.deed(point) {
                return Some((point, deed));
            }
            points.remove(point);
        }
    }

    /// Puts a stone down.
    #[inline]
    fn put(&mut self, point: u16, deed: &Deed<N>) {
        let beside = self.rules.around(point);
        let taken = deed.taken;
        self.empty.remove(point);
        self.ko = NO_POINT;
        if !taken.is_empty() {
            if taken.count() == 1 && !beside.meets(self.own | self.empty) {
                self.ko = taken.first().unwrap_or(NO_POINT);
            }
            self.rival = self.rival & !taken;
            self.empty = self.empty | taken;
        }
        self.own.insert(point);
        self.key = deed.key;
        if let Some(last) = last_liberty(Bits::single(point), self.own, self.empty) {
            self.own_last.insert(last);
        }
        let mut rest = beside & self.rival;
        while let Some(stone) = rest.first() {
            rest.remove(stone);
            if let Some(last) = last_liberty(Bits::single(stone), self.rival, self.empty) {
                self.rival_last.insert(last);
            }
        }
        if self.rules.options.repetition != Repetition::Off {
            self.seen.insert(self.key);
        }
    }

    #[inline]
    fn turn_round(&mut self) {
        std::mem::swap(&mut self.own, &mut self.rival);
        std::mem::swap(&mut self.own_last, &mut self.rival_last);
        self.colour = 1 - self.colour;
    }
}

impl<const N: usize> Go<N> {
    /// Plays on to the end and shows `see` every move.
    #[inline]
    pub(super) fn heavy_game(
        &self,
        state: &mut State<N>,
        rng: &mut Rng,
        mut see: impl FnMut(Move),
    ) -> u32 {
        if self.turn(state) == Turn::Over {
            return 0;
        }
        let colour = state.mover();
        let mut fight = Fight {
            rules: self,
            own: state.stones[colour],
            rival: state.stones[1 - colour],
            empty: self.cells & !state.occupied(),
            colour,
            key: state.key,
            ko: state.ko,
            own_last: Bits::EMPTY,
            rival_last: Bits::EMPTY,
            seen: Seen::new(&mut state.past.steps),
        };
        fight.seen.insert(fight.key);
        fight.own_last = last_liberties(fight.own, fight.empty);
        fight.rival_last = last_liberties(fight.rival, fight.empty);

        let mut points = [[0u16; 64]; N];
        let points = points.as_flattened_mut();
        let mut count = 0;
        fight.empty.each(|point| {
            points[count % Bits::<N>::LEN] = point;
            count += 1;
        });

        let mut passes = state.passes;
        let mut left = self.cap - state.moves;
        while left > 0 && passes < 2 {
            let chosen = fight.urgent(rng).map(|(point, deed)| {
                let place = points[..count].iter().position(|&p| p == point).unwrap_or(0);
                (place, deed)
            });
            let chosen = chosen.or_else(|| {
                // The points not yet refused in this turn are the first `open` of the list.
                let mut open = count;
                while open > 0 {
                    let chosen = rng.below(open);
                    let point = points[chosen % Bits::<N>::LEN];
                    if !fight.is_eye(point)
                        && let Some(deed) = fight.deed(point)
                    {
                        return Some((chosen, deed));
                    }
                    open -= 1;
                    points.swap(chosen, open);
                }
                None
            });
            if let Some((chosen, deed)) = chosen {
                let point = points[chosen % Bits::<N>::LEN];
                see(Move(point));
                passes = 0;
                count -= 1;
                points[chosen % Bits::<N>::LEN] = points[count % Bits::<N>::LEN];
                deed.taken.each(|point| {
                    points[count % Bits::<N>::LEN] = point;
                    count += 1;
                });
                fight.put(point, &deed);
            } else {
                see(Move::PASS);
                passes += 1;
                fight.ko = NO_POINT;
            }
            fight.turn_round();
            left -= 1;
        }
        let moves = self.cap - left;
        let plies = moves - state.moves;
        let Fight { own, rival, colour, .. } = fight;
        state.stones = if colour == 0 { [own, rival] } else { [rival, own] };
        state.mover = colour as u8;
        state.moves = moves;
        state.passes = passes;
        plies
    }
}
