//! Heavy playout: capture, save own groups, and keep own eyes.
//!
//! The first of these rules that gives a move decides; among several such moves the choice is
//! random:
//! 1. capture a group in atari whose capture frees an own group that is in atari;
//! 2. capture any group in atari;
//! 3. save an own group in atari by a stone on its last liberty, if the group then has two or more
//!    liberties;
//! 4. put a stone on any other legal point that is not an own eye;
//! 5. pass.
//!
//! No stone recreates an earlier board, even where that is legal and ends the game as a draw.
//! Otherwise, captures would repeat the board in every fifth game on 19x19.
//!
//! An eye is an empty point with stones of one colour on all neighbouring points, and with at most
//! one opposing stone on the four diagonal points; on the edge, with none.
//!
//! For each colour there is a set of the last liberties of groups in atari. A stone can put only
//! its own group and neighbouring groups into atari, so a ply adds the last liberties of these
//! only. A point in the set may be outdated; code that uses it checks it again.

use tussle_core::{Game, Rng, Turn};

use super::bits::Bits;
use super::playout::SeenBoards;
use super::{Go, Move, NO_POINT, Repetition, State, captured, is_connected, keys_of, stone_key};

/// Effect of a stone on a point: the captured stones and the new board key.
struct Placement<const N: usize> {
    taken: Bits<N>,
    key: u64,
}

/// Running playout, from the perspective of the player to move.
struct HeavyGame<'a, const N: usize> {
    rules: &'a Go<N>,
    own: Bits<N>,
    opponent: Bits<N>,
    empty: Bits<N>,
    colour: usize,
    key: u64,
    ko: u16,
    /// Last liberties of own groups in atari. May contain outdated points.
    own_last: Bits<N>,
    /// Last liberties of opposing groups in atari. May contain outdated points.
    opponent_last: Bits<N>,
    seen: SeenBoards<'a, N>,
}

/// Returns the last liberty of the group of `stones` that contains `stone`, or `None` if the group
/// has several.
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

/// Returns the last liberties of all groups of `stones` that are in atari.
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

impl<const N: usize> HeavyGame<'_, N> {
    /// Returns the effect of a stone on a point, or `None` if it is illegal or would recreate an
    /// earlier board.
    #[inline]
    fn placement(&self, point: u16) -> Option<Placement<N>> {
        let beside = self.rules.around(point);
        let mut liberties = self.empty;
        liberties.remove(point);
        let near = liberties.beside();
        let taken = captured(beside, self.opponent, near);
        let mut key = self.key ^ stone_key(self.colour, point);
        let legal = if taken.is_empty() {
            beside.meets(liberties) || is_connected(beside, self.own, near)
        } else {
            key ^= keys_of(taken, 1 - self.colour);
            point != self.ko
        };
        let again = self.rules.options.repetition != Repetition::Off && self.seen.contains(key);
        (legal && !again).then_some(Placement { taken, key })
    }

    /// Returns true if an empty point is an eye of the player to move.
    #[inline]
    fn is_eye(&self, point: u16) -> bool {
        let beside = self.rules.around(point);
        (beside & !self.own).is_empty() && {
            let corners = Bits::single(point).across() & self.rules.cells;
            let lost = (corners & self.opponent).count();
            lost == 0 || lost == 1 && corners.count() == 4
        }
    }

    /// Returns the groups of `stones` that have this point as their only liberty.
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

    /// Returns a move that captures or saves a group, if there is one.
    #[inline]
    fn urgent(&mut self, rng: &mut Rng) -> Option<(u16, Placement<N>)> {
        self.own_last = self.own_last & self.empty;
        self.opponent_last = self.opponent_last & self.empty;
        if (self.own_last | self.opponent_last).is_empty() {
            return None;
        }
        self.capture(rng).or_else(|| self.rescue(rng))
    }

    /// Returns a move that captures, if there is one, preferably one that frees an own group in
    /// atari. Removes outdated points from the sets of last liberties.
    #[inline(never)]
    fn capture(&mut self, rng: &mut Rng) -> Option<(u16, Placement<N>)> {
        let (mut own_last, mut pressed) = (Bits::EMPTY, Bits::EMPTY);
        self.own_last.each(|point| {
            let groups = self.in_atari(point, self.own);
            if !groups.is_empty() {
                own_last.insert(point);
                pressed = pressed | groups;
            }
        });
        let (mut opponent_last, mut freeing) = (Bits::EMPTY, Bits::EMPTY);
        self.opponent_last.each(|point| {
            let groups = self.in_atari(point, self.opponent);
            if !groups.is_empty() {
                opponent_last.insert(point);
                if groups.beside().meets(pressed) {
                    freeing.insert(point);
                }
            }
        });
        (self.own_last, self.opponent_last) = (own_last, opponent_last);
        self.any_of(freeing, rng).or_else(|| self.any_of(opponent_last & !freeing, rng))
    }

    /// Returns a move on the last liberty of an own group that gives it two or more liberties, if
    /// there is one.
    #[inline(never)]
    fn rescue(&mut self, rng: &mut Rng) -> Option<(u16, Placement<N>)> {
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

    /// Returns a random one of these points where a stone is allowed.
    #[inline]
    fn any_of(&self, mut points: Bits<N>, rng: &mut Rng) -> Option<(u16, Placement<N>)> {
        loop {
            let count = points.count() as usize;
            if count == 0 {
                return None;
            }
            let chosen = if count == 1 { 0 } else { rng.below(count) };
            let point = points.nth(chosen)?;
            if let Some(placement) = self.placement(point) {
                return Some((point, placement));
            }
            points.remove(point);
        }
    }

    /// Puts a stone on the board and updates the sets of last liberties.
    #[inline]
    fn put(&mut self, point: u16, placement: &Placement<N>) {
        let beside = self.rules.around(point);
        let taken = placement.taken;
        self.empty.remove(point);
        self.ko = NO_POINT;
        if !taken.is_empty() {
            if taken.count() == 1 && !beside.meets(self.own | self.empty) {
                self.ko = taken.first().unwrap_or(NO_POINT);
            }
            self.opponent = self.opponent & !taken;
            self.empty = self.empty | taken;
        }
        self.own.insert(point);
        self.key = placement.key;
        if let Some(last) = last_liberty(Bits::single(point), self.own, self.empty) {
            self.own_last.insert(last);
        }
        let mut rest = beside & self.opponent;
        while let Some(stone) = rest.first() {
            rest.remove(stone);
            if let Some(last) = last_liberty(Bits::single(stone), self.opponent, self.empty) {
                self.opponent_last.insert(last);
            }
        }
        if self.rules.options.repetition != Repetition::Off {
            self.seen.insert(self.key);
        }
    }

    #[inline]
    fn swap_sides(&mut self) {
        std::mem::swap(&mut self.own, &mut self.opponent);
        std::mem::swap(&mut self.own_last, &mut self.opponent_last);
        self.colour = 1 - self.colour;
    }
}

impl<const N: usize> Go<N> {
    /// Plays to the end of the game and calls `visit` with every move.
    #[inline]
    pub(super) fn heavy_game(
        &self,
        state: &mut State<N>,
        rng: &mut Rng,
        mut visit: impl FnMut(Move),
    ) -> u32 {
        if self.turn(state) == Turn::Over {
            return 0;
        }
        let colour = state.mover();
        let mut game = HeavyGame {
            rules: self,
            own: state.stones[colour],
            opponent: state.stones[1 - colour],
            empty: self.cells & !state.occupied(),
            colour,
            key: state.key,
            ko: state.ko,
            own_last: Bits::EMPTY,
            opponent_last: Bits::EMPTY,
            seen: SeenBoards::new(&mut state.past.steps),
        };
        game.seen.insert(game.key);
        game.own_last = last_liberties(game.own, game.empty);
        game.opponent_last = last_liberties(game.opponent, game.empty);

        let mut points = [[0u16; 64]; N];
        let points = points.as_flattened_mut();
        let mut count = 0;
        game.empty.each(|point| {
            points[count % Bits::<N>::LEN] = point;
            count += 1;
        });

        let mut passes = state.passes;
        let mut left = self.cap - state.moves;
        while left > 0 && passes < 2 {
            let chosen = game.urgent(rng).map(|(point, placement)| {
                let place = points[..count].iter().position(|&p| p == point).unwrap_or(0);
                (place, placement)
            });
            let chosen = chosen.or_else(|| {
                // The first `open` points of the list are not yet rejected in this turn.
                let mut open = count;
                while open > 0 {
                    let chosen = rng.below(open);
                    let point = points[chosen % Bits::<N>::LEN];
                    if !game.is_eye(point)
                        && let Some(placement) = game.placement(point)
                    {
                        return Some((chosen, placement));
                    }
                    open -= 1;
                    points.swap(chosen, open);
                }
                None
            });
            if let Some((chosen, placement)) = chosen {
                let point = points[chosen % Bits::<N>::LEN];
                visit(Move(point));
                passes = 0;
                count -= 1;
                points[chosen % Bits::<N>::LEN] = points[count % Bits::<N>::LEN];
                placement.taken.each_unordered(|point| {
                    points[count % Bits::<N>::LEN] = point;
                    count += 1;
                });
                game.put(point, &placement);
            } else {
                visit(Move::PASS);
                passes += 1;
                game.ko = NO_POINT;
            }
            game.swap_sides();
            left -= 1;
        }
        let moves = self.cap - left;
        let plies = moves - state.moves;
        let HeavyGame { own, opponent, colour, .. } = game;
        state.stones = if colour == 0 { [own, opponent] } else { [opponent, own] };
        state.mover = colour as u8;
        state.moves = moves;
        state.passes = passes;
        plies
    }
}
