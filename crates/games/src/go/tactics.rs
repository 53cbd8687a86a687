//! Passes that win or lose at once, and how promising a stone looks.

use tussle_core::{Tactic, Tactics, generic_narrow, generic_winning_moves, retain_from};

use super::bits::Bits;
use super::patterns::is_match;
use super::{Go, Move, NO_POINT, State, Utility, captured};

/// Promise of a stone without any feature; a pass has 0. Differences of 16 should make a move e
/// times as likely to be the best.
const BASE: u32 = 120;
/// A stone that captures, and each captured stone up to [`MAX_STONES`].
const CAPTURE: u32 = 40;
/// A stone that captures a group beside an own group in atari.
const FREEING: u32 = 16;
/// A stone that gives own stones in atari two or more liberties.
const RESCUE: u32 = 40;
/// Each stone captured or rescued.
const STONE: u32 = 4;
const MAX_STONES: u32 = 8;
/// A stone that leaves a group of the opponent one liberty.
const ATARI: u32 = 16;
/// A stone that matches a pattern.
const PATTERN: u32 = 16;
/// A stone 1, 2 or 3 king's steps from the latest one.
const DISTANCE_BONUS: [u32; 3] = [20, 12, 4];
/// Each opposing stone beside the point.
const CONTACT: u32 = 4;
/// Each empty point beside the point, because liberties are useful.
const LIBERTY: u32 = 2;
/// Each line between the point and the edge, up to the third.
const LINE: u32 = 8;
/// A stone that captures nothing and leaves its group one liberty loses this.
const SELF_ATARI: u32 = 80;
/// A stone in an own eye has this.
const EYE: u32 = 8;

/// Returns true if the group of `stones` that contains `stone` has one liberty or none.
#[inline]
fn is_in_atari<const N: usize>(stone: Bits<N>, stones: Bits<N>, empty: Bits<N>) -> bool {
    let mut group = stone;
    loop {
        let beside = group.beside();
        if (beside & empty).is_many() {
            return false;
        }
        let next = group | beside & stones;
        if next == group {
            return true;
        }
        group = next;
    }
}

impl<const N: usize> Go<N> {
    /// Returns the score for the player to move.
    #[inline]
    fn lead(&self, state: &State<N>) -> f64 {
        let score = self.score(state);
        if state.mover() == 0 { score } else { -score }
    }

    /// Returns the promise of a stone.
    fn stone_promise(&self, state: &State<N>, point: u16) -> u32 {
        let mover = state.mover();
        let (own, opponent) = (state.stones[mover], state.stones[1 - mover]);
        let here = Bits::single(point);
        let beside = self.around(point);
        let empty = self.cells & !(own | opponent | here);
        let mut promise = BASE + LINE * u32::from(self.line(point));
        promise += LIBERTY * (beside & empty).count();
        let mut taken = Bits::EMPTY;
        let touched = beside & opponent;
        if !touched.is_empty() {
            promise += CONTACT * touched.count();
            taken = captured(beside, opponent, empty.beside());
            let (mut rest, mut atari) = (touched & !taken, false);
            while let Some(stone) = rest.first() {
                rest.remove(stone);
                atari |= is_in_atari(Bits::single(stone), opponent, empty);
            }
            promise += if atari { ATARI } else { 0 };
        }
        if !taken.is_empty() {
            promise += CAPTURE + STONE * taken.count().min(MAX_STONES);
            let mut rest = taken.beside() & own;
            let mut freed = false;
            while let Some(stone) = rest.first() {
                let group = Bits::single(stone).flood(own);
                rest = rest & !group;
                freed |= !(group.beside() & (empty | here)).is_many();
            }
            promise += if freed { FREEING } else { 0 };
        } else if is_in_atari(here, own | here, empty) {
            return promise.saturating_sub(SELF_ATARI);
        }
        let friends = beside & own;
        if !friends.is_empty() {
            let (mut rest, mut rescued) = (friends, 0);
            while let Some(stone) = rest.first() {
                rest.remove(stone);
                if is_in_atari(Bits::single(stone), own, empty | here) {
                    let group = Bits::single(stone).flood(own);
                    rest = rest & !group;
                    rescued += group.count();
                }
            }
            if rescued > 0 {
                promise += RESCUE + STONE * rescued.min(MAX_STONES);
            }
            if taken.is_empty() && self.is_eye(point, own, opponent) {
                return EYE;
            }
        }
        let latest = Self::latest(state);
        if latest != NO_POINT {
            let ((x, y), (column, row)) = (Bits::<N>::place(latest), Bits::<N>::place(point));
            let steps = x.abs_diff(column).max(y.abs_diff(row));
            promise += DISTANCE_BONUS.get(steps.wrapping_sub(1)).unwrap_or(&0);
        }
        if is_match(self.patterns, self.windows(point, [own, opponent]), 1, 1) {
            promise += PATTERN;
        }
        promise
    }
}

impl<const N: usize> Tactics for Go<N> {
    fn winning_moves(&self, state: &State<N>, out: &mut Vec<Move>) {
        if state.moves + 1 >= self.cap {
            generic_winning_moves(self, state, out); // any move can end the game
        } else if state.passes == 1
            && self.options.utility == Utility::Win
            && self.lead(state) > 0.0
        {
            out.push(Move::PASS);
        }
    }

    /// Only the second of two passes ends a game with a winner, as long as the cap is far.
    fn narrow(&self, state: &State<N>, moves: &mut Vec<Move>, from: usize) -> Tactic {
        if self.options.utility == Utility::Margin {
            return Tactic::Open;
        }
        if self.cap - state.moves <= 2 {
            return generic_narrow(self, state, moves, from);
        }
        let lead = self.lead(state);
        if state.passes == 1 && lead > 0.0 {
            retain_from(moves, from, |mv| mv == Move::PASS);
            return Tactic::Win;
        }
        if lead < 0.0 {
            if moves[from..] == [Move::PASS] {
                return Tactic::Loss(2 - u32::from(state.passes));
            }
            retain_from(moves, from, |mv| mv != Move::PASS);
        }
        Tactic::Open
    }

    fn has_fast_narrow(&self) -> bool {
        true
    }

    /// Captures and rescues come first, then stones near the latest one that touch opposing stones,
    /// match a 3x3 pattern or give atari. Lines near the edge, stones that put
    /// themselves into atari, own eyes and the pass come later.
    fn promise(&self, state: &State<N>, mv: Move) -> u32 {
        if mv == Move::PASS { 0 } else { self.stone_promise(state, mv.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Options, Repetition};
    use super::*;
    use crate::tactics_tests::assert_tactics_are_exact;
    use tussle_core::{Game, Notation};

    #[test]
    fn tactics_equal_trying_every_reply() {
        for repetition in [Repetition::Draw, Repetition::Positional, Repetition::Off] {
            for komi in [0.0, 0.5, 2.5] {
                let options = Options { komi, repetition, ..Options::sized(2, 3) };
                let counts = assert_tactics_are_exact(&Go::<1>::new(&options).unwrap(), 3000);
                assert!(counts.wins > 50 && counts.narrowed > 50, "{counts:?}");
                assert!(counts.losses > 0, "{counts:?}");
            }
        }
        let endless = Options { cap: None, ..Options::sized(3, 3) };
        assert_tactics_are_exact(&Go::<1>::new(&endless).unwrap(), 300);
        assert_tactics_are_exact(&Go::<2>::new(&Options::sized(2, 9)).unwrap(), 300);
        let margin = Options { utility: Utility::Margin, ..Options::sized(2, 3) };
        let counts = assert_tactics_are_exact(&Go::<1>::new(&margin).unwrap(), 300);
        assert_eq!((counts.wins, counts.narrowed), (0, 0));
    }

    /// Returns the legal moves by descending promise.
    fn ranking(position: &str, moves: &str) -> Vec<String> {
        let rules = Go::<1>::new(&Options::sized(5, 5)).unwrap();
        let mut state = rules.parse_position(position).unwrap();
        for text in moves.split_whitespace() {
            let mv = rules.parse_move(&state, text).unwrap();
            rules.play(&mut state, mv);
        }
        let mut moves = rules.legal_moves(&state);
        moves.sort_by_key(|&mv| std::cmp::Reverse(rules.promise(&state, mv)));
        moves.into_iter().map(|mv| rules.move_text(&state, mv)).collect()
    }

    #[test]
    fn the_centre_comes_first_and_the_corners_and_the_pass_last() {
        let moves = ranking("...../...../...../...../..... X - 0 0", "");
        assert_eq!(moves[0], "C3");
        assert_eq!(moves[25], "pass");
        assert!(moves[21..25].iter().all(|mv| ["A1", "A5", "E1", "E5"].contains(&mv.as_str())));
    }

    #[test]
    fn a_capture_that_frees_own_stones_comes_before_another_capture_and_a_rescue() {
        // Both white stones and Black's stone on A1 are in atari.
        let mut moves = ranking("...XO/..XX./...../.X.../XO... X - 0 7", "");
        assert_eq!(moves[0], "C1");
        moves[1..3].sort();
        assert_eq!(moves[1..3], ["A2", "E4"]);
    }

    #[test]
    fn eyes_and_stones_that_put_themselves_into_atari_come_last() {
        // A1 is an eye of Black; Black's stone on E5 would have one liberty.
        let moves = ranking("...O./...../...../XX.../.X... X - 0 4", "");
        assert_eq!(moves[moves.len() - 3..], ["E5", "A1", "pass"]);
    }
}
