//! List of the plays of a roll, one for each resulting position.

use super::checkers::{BAR, Checkers, HOME, POINTS, turned};
use super::doubles::{Doubles, with_last};
use super::pairs::{Pairs, single_steps};
use super::{Move, Play, Roll, State, Step};

/// Board from the perspective of one player.
#[derive(Clone, Copy)]
pub(super) struct Board {
    own: Checkers,
    /// Points that a checker can enter, because the opponent has at most one there.
    open: u32,
    /// Points on which a checker hits an opposing one.
    blots: u32,
}

/// Iterator over the bits of a set, the highest first.
pub(super) struct Bits(pub(super) u32);

impl Iterator for Bits {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let highest = self.0.checked_ilog2()?;
        self.0 ^= 1 << highest;
        Some(highest as usize)
    }
}

/// Returns the place that a checker enters; 0 is off.
#[inline]
pub(super) fn target(from: usize, die: usize) -> usize {
    from.saturating_sub(die)
}

/// Returns the places from which a step of `die` pips is legal, if the player's checkers are on the
/// places `taken`.
#[inline]
pub(super) fn sources(taken: u32, open: u32, die: usize) -> u32 {
    let onto_points = taken & open << die;
    if taken & !HOME != 0 {
        // A checker on the bar must move first. No checker can be borne off while one is outside
        // the home board.
        let bar = taken & 1 << BAR;
        return if bar != 0 { onto_points & bar } else { onto_points };
    }
    // A checker on the point of the die can be borne off; if no checker is beyond that point, the
    // farthest checker can.
    let beyond = taken >> die >> 1;
    let farthest = taken.checked_ilog2().map_or(0, |place| 1 << place);
    onto_points | if beyond == 0 { farthest } else { taken & 1 << die }
}

impl Board {
    /// Returns the board from the perspective of `player`.
    #[inline]
    pub(super) fn new(state: &State, player: usize) -> Self {
        let opponent = state.checkers[1 - player];
        Self {
            own: state.checkers[player],
            open: POINTS & !turned(opponent.held()),
            blots: turned(opponent.blots()),
        }
    }

    /// Returns the places from which a step of `die` pips is legal.
    pub(super) fn sources(&self, die: usize) -> u32 {
        sources(self.own.taken(), self.open, die)
    }

    /// Returns true if a checker that enters this place hits.
    pub(super) fn hits(&self, to: usize) -> bool {
        self.blots >> to & 1 != 0
    }

    /// Returns true if the opponent holds this point.
    pub(super) fn is_held(&self, point: usize) -> bool {
        (POINTS & !self.open) >> point & 1 != 0
    }

    /// Returns the points that a checker can enter.
    #[inline]
    pub(super) fn open(&self) -> u32 {
        self.open
    }

    /// Returns the points on which a checker hits an opposing one.
    #[inline]
    pub(super) fn blots(&self) -> u32 {
        self.blots
    }

    /// Returns the player's checkers.
    #[inline]
    pub(super) fn own(&self) -> Checkers {
        self.own
    }
}

/// Appends all plays of a roll.
#[inline]
pub(super) fn append(board: &Board, roll: Roll, out: &mut Vec<Move>) {
    let base = out.len();
    if roll.is_double() {
        let (die, mut longest) = (usize::from(roll.high), 0);
        Doubles::find(board, die, |steps, made, places| {
            if made > longest {
                longest = made;
                out.truncate(base);
            }
            if made == longest {
                let plays = Bits(places).map(|from| with_last(steps, made, from, die));
                out.extend(plays.map(Move::Play));
            }
        });
    } else {
        Pairs::new(board, roll).append(roll, out);
        if out.len() == base {
            let (steps, die) = single_steps(board, roll);
            out.extend(Bits(steps).map(|from| Move::Play(Play::one(Step::new(from, die)))));
        }
    }
    if out.len() == base {
        out.push(Move::Play(Play::NONE));
    }
}
