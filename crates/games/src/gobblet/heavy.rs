//! Games with some sense: win if a step can, and uncover no line of the rival's.
//!
//! Three in a row need two visible pieces in a row and a third cell that no big piece covers:
//! most positions have none of that, and one look into a table says so. Only then are the pieces
//! tried one after the other.

use tussle_core::{Game, Rng, Turn};

use super::{FULL, Gobblet, HAS_LINE, LINES, Layers, Move, State};

/// For a set of cells, those that complete a line with it.
const COMPLETIONS: [u16; 512] = {
    let mut cells = [0; 512];
    let mut set = 0;
    while set < 512 {
        let mut i = 0;
        while i < 8 {
            let missing = LINES[i] & !(set as u64);
            if missing.is_power_of_two() {
                cells[set] |= missing as u16;
            }
            i += 1;
        }
        set += 1;
    }
    cells
};

/// How many steps that lose at once are passed over before all steps are gone through.
const PATIENCE: u32 = 16;

fn completions(set: u64) -> u64 {
    COMPLETIONS[set as usize % 512].into()
}

fn has_line(set: u64) -> bool {
    HAS_LINE[set as usize % 512] != 0
}

/// A position as the player to move sees it.
#[derive(Clone, Copy)]
struct Sight {
    own: u64,
    rival: u64,
    layers: Layers,
}

impl Sight {
    #[inline]
    fn new(own: u64, rival: u64) -> Self {
        Self { own, rival, layers: Layers::new([own, rival]) }
    }

    /// A step that wins, if there is one.
    #[inline]
    fn win(self) -> Option<Move> {
        let visible = self.layers.visible(self.own);
        // Lifting a piece shows no more of one's own cells, and a big piece goes anywhere but on
        // big ones.
        if completions(visible) & !self.layers.big == 0 { None } else { self.search(visible) }
    }

    #[inline(never)]
    fn search(self, visible: u64) -> Option<Move> {
        let Self { own, rival, layers } = self;
        let stuck = own & layers.covered();
        for (piece, below) in [layers.big, layers.medium, layers.small]
            .into_iter()
            .enumerate()
            .flat_map(|(size, taken)| [(2 * size, taken), (2 * size + 1, taken)])
        {
            let mine = FULL << (9 * piece);
            if stuck & mine != 0 {
                continue;
            }
            let from = own >> (9 * piece) & FULL;
            let (mut mine_shown, mut theirs_shown) = (visible, 0);
            if from != 0 {
                let rest = Self::new(own & !mine, rival);
                mine_shown = rest.layers.visible(rest.own);
                theirs_shown = rest.layers.visible(rival);
            }
            let mut cells = completions(mine_shown) & !below & FULL;
            while cells != 0 {
                let cell = cells & cells.wrapping_neg();
                cells &= cells - 1;
                if !has_line(theirs_shown & !cell) {
                    return Some(Move::new(piece, cell.trailing_zeros() as usize));
                }
            }
        }
        None
    }

    /// Whether a step is legal.
    #[inline]
    fn allows(self, bit: usize) -> bool {
        let stuck = self.own & self.layers.covered();
        (self.layers.taken() >> bit & 1) | (stuck >> (bit / 9 * 9) & FULL) == 0
    }

    /// The position after a step, as the rival sees it.
    #[inline]
    fn after(self, bit: usize) -> Self {
        Self::new(self.rival, self.own & !(FULL << (bit / 9 * 9)) | 1 << bit)
    }

    /// Whether the player to move has just been given a line, and the other has none.
    #[inline]
    fn is_won(self) -> bool {
        self.layers.has_line(self.own) & !self.layers.has_line(self.rival) != 0
    }

    /// Any step that does not lose at once, or any at all if there is no such step.
    #[inline]
    fn step(self, rng: &mut Rng) -> (usize, Self) {
        for _ in 0..PATIENCE {
            let bit = loop {
                let bit = rng.below(54);
                if self.allows(bit) {
                    break bit;
                }
            };
            let next = self.after(bit);
            if !next.is_won() {
                return (bit, next);
            }
        }
        self.careful_step(rng)
    }

    #[inline(never)]
    fn careful_step(self, rng: &mut Rng) -> (usize, Self) {
        let choose = |fits: &dyn Fn(&usize) -> bool, rng: &mut Rng| {
            let count = (0..54).filter(fits).count();
            (count > 0).then(|| (0..54).filter(fits).nth(rng.below(count)).unwrap_or(0))
        };
        let legal = |bit: &usize| self.allows(*bit);
        let safe = |bit: &usize| self.allows(*bit) && !self.after(*bit).is_won();
        let bit = choose(&safe, rng).or_else(|| choose(&legal, rng)).unwrap_or(0);
        (bit, self.after(bit))
    }
}

impl Gobblet {
    /// Plays on to the end and shows `see` every step.
    #[inline]
    pub(super) fn heavy_game(
        self,
        state: &mut State,
        rng: &mut Rng,
        mut see: impl FnMut(Move),
    ) -> u32 {
        if self.turn(state) == Turn::Over {
            return 0;
        }
        let mover = state.mover();
        let mut sight = Sight::new(state.pieces[mover], state.pieces[1 - mover]);
        let mut steps = state.steps;
        loop {
            let mut over = false;
            if let Some(mv) = sight.win() {
                see(mv);
                sight = sight.after(9 * mv.piece() + mv.cell());
                over = true;
            } else {
                let (bit, next) = sight.step(rng);
                see(Move::new(bit / 9, bit % 9));
                sight = next;
                // A line of one's own would have been a win, unless the rival has one too.
                over |= sight.layers.has_line(sight.own) != 0;
            }
            steps += 1;
            if over || steps == self.steps {
                break;
            }
        }
        let plies = u32::from(steps - state.steps);
        let (own, rival) = (sight.own, sight.rival);
        *state = State::new(if steps & 1 == 0 { [own, rival] } else { [rival, own] }, steps);
        plies
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heavy_playouts::{
        Told, after, legal, obey_the_rules, random_positions, share_against_random_play,
        take_every_win, worth,
    };

    const RULES: Gobblet = Gobblet { steps: 100 };

    const TOLD: Told<Gobblet> =
        |rules, state, rng, moves| rules.heavy_game(state, rng, |mv| moves.push(mv));

    #[test]
    fn every_win_is_taken() {
        assert!(take_every_win(&RULES, TOLD, 5000) > 3000);
        // With a last step so near, lines come too late to win.
        assert!(take_every_win(&Gobblet { steps: 8 }, TOLD, 2000) > 500);
    }

    /// Whether a step loses at once.
    fn loses(state: &State, mv: Move) -> bool {
        worth(&RULES, state, mv) == Some(-1.0)
    }

    #[test]
    fn a_loss_is_uncovered_only_if_every_step_uncovers_one() {
        let mut traps = 0;
        obey_the_rules(&RULES, TOLD, 20_000, |state, chosen| {
            let steps = legal(&RULES, state);
            traps += u32::from(steps.iter().any(|&mv| loses(state, mv)));
            if loses(state, chosen) {
                assert!(steps.iter().all(|&mv| loses(state, mv)), "{chosen:?} in {state:?}");
            }
        });
        assert!(traps > 100, "{traps}");
    }

    #[test]
    fn where_most_steps_lose_the_others_are_found() {
        let mut traps = 0;
        random_positions(&RULES, 30_000, |state| {
            if RULES.turn(state) == Turn::Over {
                return;
            }
            let (mover, steps) = (state.mover(), legal(&RULES, state));
            let sight = Sight::new(state.pieces[mover], state.pieces[1 - mover]);
            let (bit, next) = sight.careful_step(&mut Rng::new(u64::from(state.steps)));
            let chosen = Move::new(bit / 9, bit % 9);
            assert!(steps.contains(&chosen));
            assert_eq!(next.rival, after(&RULES, state, chosen).pieces[mover]);
            if steps.iter().any(|&mv| !loses(state, mv)) {
                assert!(!loses(state, chosen), "{chosen:?} in {state:?}");
                traps += u32::from(steps.iter().any(|&mv| loses(state, mv)));
            }
        });
        assert!(traps > 100, "{traps}");
    }

    #[test]
    fn it_beats_random_play_from_both_seats() {
        let share = share_against_random_play(&RULES, TOLD, 600);
        assert!(share > 0.75, "{share}");
    }
}
