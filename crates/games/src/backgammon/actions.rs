//! Action numbers of plays and rolls.
//!
//! An action gives the places from which the player to move plays the dice; the dice are part of
//! the position. Places are the player's points 1 to 24 and the bar, 25:
//! ```text
//! action          play
//!     0 …   624   two different dice: 25 * (larger die's place - 1) + smaller die's place - 1
//!   625 … 24375   all others: 625 + rank of the places of up to four steps
//! ```
//! The others are the plays of a double, single steps (all of a position use the same die) and
//! `none`, 625. Let the places be p1 >= p2 >= p3 >= p4, with 0 for a step that is not made. The
//! order of a double's steps does not matter, so the rank is that of a multiset:
//! ```text
//! rank = C(p1 + 3, 4) + C(p2 + 2, 3) + C(p3 + 1, 2) + p4
//!
//! none   1/off   1/off+1/off   2/1   2/1+1/off   …   24/20+24/20+13/9+13/9
//!   0      1          2         5        6                  20254
//! ```
//! There are C(29, 4) = 23,751 multisets, 20,475 of them with four places. A numbering of whole
//! plays cannot be much smaller: at least 17,724 of those are legal for some double. `OpenSpiel`
//! has 1,352 numbers, because it divides a double into two turns and counts both orders of the
//! dice.
//!
//! Of the 24,376 entries of a policy, few are legal in a position. A net can instead have one
//! output per place and die, and add the outputs of the steps of a play.
//!
//! Rolls are numbered as in `OpenSpiel`, so that the opening rolls are the first fifteen:
//! ```text
//! 21 31 41 51 61 32 42 52 62 43 53 63 54 64 65 11 22 33 44 55 66
//!  0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20
//! ```

use tussle_core::Actions;

use super::checkers::BAR;
use super::{Backgammon, Move, Play, ROLLS, Roll, State};

/// Number of plays of two different dice: one place for each die.
const PAIRS: usize = BAR * BAR;

/// Number of multisets of up to four places.
const MULTISETS: usize = 1 + rank([BAR; 4]);

/// Number of rolls that are not doubles.
const UNEQUAL_ROLLS: usize = 15;

/// Returns the rank of the places of up to four steps, the farthest first, then zeros.
const fn rank([a, b, c, d]: [usize; 4]) -> usize {
    let fours = a * (a + 1) * (a + 2) * (a + 3) / 24;
    let threes = b * (b + 1) * (b + 2) / 6;
    let twos = c * (c + 1) / 2;
    fours + threes + twos + d
}

fn play_action(play: Play) -> usize {
    match play.0.map(|step| (step.from(), step.die())) {
        [(first, one), (second, other), (0, _), _] if second != 0 && one != other => {
            let (larger, smaller) = if one > other { (first, second) } else { (second, first) };
            BAR * (larger - 1) + smaller - 1
        }
        steps => PAIRS + rank(steps.map(|(from, _)| from)),
    }
}

fn roll_action(roll: Roll) -> usize {
    let (high, low) = (usize::from(roll.high), usize::from(roll.low));
    if roll.is_double() {
        return UNEQUAL_ROLLS + high - 1;
    }
    // Five rolls have a 1 as the lower die, four a 2, and so on.
    let before = (low - 1) * (12 - low) / 2;
    before + high - low - 1
}

impl Actions for Backgammon {
    fn actions(&self) -> usize {
        PAIRS + MULTISETS
    }

    fn chance_actions(&self) -> usize {
        ROLLS.len()
    }

    #[inline]
    fn action(&self, _: &State, mv: Move) -> usize {
        match mv {
            Move::Roll(roll) => roll_action(roll),
            Move::Play(play) => play_action(play),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::Step;
    use super::super::checkers::{Checkers, OFF};
    use super::super::tests::{GAME, legal};
    use super::*;

    /// Returns the minimum checkers with which these steps are possible, with all others borne off.
    /// A step can start where an earlier one ended.
    fn fewest_checkers(steps: [Step; 4]) -> Checkers {
        let mut needed = [0; BAR + 1];
        let mut arrived = [0; BAR + 1];
        for step in steps {
            if arrived[step.from()] > 0 {
                arrived[step.from()] -= 1;
            } else {
                needed[step.from()] += 1;
            }
            arrived[step.to()] += 1;
        }
        let mut checkers = Checkers::default();
        (1..=BAR).for_each(|place| checkers.put(place, needed[place]));
        checkers.put(OFF, 15 - needed.iter().sum::<u32>());
        checkers
    }

    fn is_legal(roll: Roll, steps: [Step; 4]) -> bool {
        let mut opponent = Checkers::default();
        opponent.put(OFF, 14);
        opponent.put(BAR, 1);
        let checkers = [fewest_checkers(steps), opponent];
        let state = State { checkers, mover: 0, roll: Some(roll), opening: false };
        legal(&state).contains(&Move::Play(Play(steps)))
    }

    #[test]
    fn ranks_of_multisets_are_consecutive() {
        let mut next = 0;
        for a in 0..=BAR {
            for b in 0..=a {
                for c in 0..=b {
                    for d in 0..=c {
                        assert_eq!(rank([a, b, c, d]), next);
                        next += 1;
                    }
                }
            }
        }
        assert_eq!((next, MULTISETS), (23_751, 23_751));
        assert_eq!(GAME.actions(), 24_376);
    }

    #[test]
    fn most_multisets_of_four_places_are_legal_for_some_double() {
        let mut legal = HashSet::new();
        for die in 1..=6 {
            let roll = Roll { high: die, low: die };
            for a in 1..=BAR {
                for b in 1..=a {
                    for c in 1..=b {
                        for d in 1..=c {
                            let steps = [a, b, c, d].map(|from| Step::new(from, die.into()));
                            if is_legal(roll, steps) {
                                legal.insert(play_action(Play(steps)));
                            }
                        }
                    }
                }
            }
        }
        assert_eq!(legal.len(), 17_724);
    }

    #[test]
    fn the_opening_rolls_have_the_first_numbers() {
        let mut actions = ROLLS.map(|roll| (roll_action(roll), roll.dice()));
        actions.sort_unstable();
        assert!(actions.iter().map(|(action, _)| *action).eq(0..21));
        assert_eq!(actions[..3], [(0, (2, 1)), (1, (3, 1)), (2, (4, 1))]);
        assert_eq!(actions[14..16], [(14, (6, 5)), (15, (1, 1))]);
    }
}
