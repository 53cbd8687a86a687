//! Every play of a roll, once for each position it can lead to.

use super::checkers::{BAR, Checkers, HOME, POINTS, turned};
use super::doubles::{Doubles, with_last};
use super::pairs::{Pairs, single_steps};
use super::{Move, Play, Roll, State, Step};

/// What the player to move sees of the board.
#[derive(Clone, Copy)]
pub(super) struct Board {
    own: Checkers,
    /// The points a checker may come to: the rival has one there at most.
    open: u32,
    /// The points where it hits one.
    blots: u32,
}

/// Numbers of the bits of a set, the highest first.
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

/// Where a checker comes to: 0 is off.
#[inline]
pub(super) fn target(from: usize, die: usize) -> usize {
    from.saturating_sub(die)
}

/// The places from which a checker may make a step of `die` pips, if the player's checkers are
/// on `taken`.
#[inline]
pub(super) fn sources(taken: u32, open: u32, die: usize) -> u32 {
    let onto_points = taken & open << die;
    if taken & !HOME != 0 {
        // A checker on the bar comes first, and while one is outside none is borne off.
        let bar = taken & 1 << BAR;
        return if bar != 0 { onto_points & bar } else { onto_points };
    }
    // The die's own point bears off; if no checker is so far away, the farthest does.
    let beyond = taken >> die >> 1;
    let farthest = taken.checked_ilog2().map_or(0, |place| 1 << place);
    onto_points | if beyond == 0 { farthest } else { taken & 1 << die }
}

impl Board {
    /// The board as `player` sees it.
    #[inline]
    pub(super) fn new(state: &State, player: usize) -> Self {
        let rival = state.checkers[1 - player];
        Self {
            own: state.checkers[player],
            open: POINTS & !turned(rival.held()),
            blots: turned(rival.blots()),
        }
    }

    /// The places from which a checker may make a step of `die` pips now.
    pub(super) fn sources(&self, die: usize) -> u32 {
        sources(self.own.taken(), self.open, die)
    }

    /// Whether a checker that comes to this place hits.
    pub(super) fn hits(&self, to: usize) -> bool {
        self.blots >> to & 1 != 0
    }

    /// Whether the rival holds this point.
    pub(super) fn is_held(&self, point: usize) -> bool {
        (POINTS & !self.open) >> point & 1 != 0
    }

    /// The points a checker may come to.
    #[inline]
    pub(super) fn open(&self) -> u32 {
        self.open
    }

    /// The points where it hits one.
    #[inline]
    pub(super) fn blots(&self) -> u32 {
        self.blots
    }

    /// The player's own checkers.
    #[inline]
    pub(super) fn own(&self) -> Checkers {
        self.own
    }
}
/// Appends every play of a roll.
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
