//! Heavy playout: win if possible, and never uncover a line of the opponent if another step exists.
//!
//! A win needs two visible pieces in a line whose third cell has no big piece on it. A table lookup
//! shows that most positions have no such line. Only in the others are the pieces tried one by one.

use tussle_core::{Game, Rng, Turn};

use super::tactics::Perspective;
use super::{Gobblet, Move, State};

/// Number of random legal steps that may lose at once before [`Perspective::careful_step`] lists
/// all steps.
const MAX_RANDOM_TRIES: u32 = 16;

impl Perspective {
    /// Chooses a random step that does not lose at once, or any random step if all of them lose.
    #[inline]
    fn step(self, rng: &mut Rng) -> (usize, Self) {
        for _ in 0..MAX_RANDOM_TRIES {
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

    /// Like [`step`](Self::step), but chooses from a list of all steps.
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
    /// Plays to the end of the game and calls `visit` with every step.
    #[inline]
    pub(super) fn heavy_game(
        self,
        state: &mut State,
        rng: &mut Rng,
        mut visit: impl FnMut(Move),
    ) -> u32 {
        if self.turn(state) == Turn::Over {
            return 0;
        }
        let mover = state.mover();
        let mut view = Perspective::new(state.pieces[mover], state.pieces[1 - mover]);
        let mut steps = state.steps;
        loop {
            let mut over = false;
            if let Some(mv) = view.win() {
                visit(mv);
                view = view.after(9 * mv.piece() + mv.cell());
                over = true;
            } else {
                let (bit, next) = view.step(rng);
                visit(Move::new(bit / 9, bit % 9));
                view = next;
                // `Perspective::win` found no win, so the player who stepped has a line only if
                // the opponent has one too. It is enough to test the opponent.
                over |= view.layers.has_line(view.own) != 0;
            }
            steps += 1;
            if over || steps == self.steps {
                break;
            }
        }
        let plies = u32::from(steps - state.steps);
        let (own, opponent) = (view.own, view.opponent);
        let pieces = if steps & 1 == 0 { [own, opponent] } else { [opponent, own] };
        *state = State::new(pieces, steps);
        plies
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heavy_playouts::{
        RecordedPlayout, after, assert_every_win_is_taken, assert_heavy_games_are_legal,
        final_utility, legal, random_positions, share_against_random_play,
    };

    const RULES: Gobblet = Gobblet { steps: 100 };

    const RECORDED: RecordedPlayout<Gobblet> =
        |rules, state, rng, moves| rules.heavy_game(state, rng, |mv| moves.push(mv));

    #[test]
    fn every_win_is_taken() {
        assert!(assert_every_win_is_taken(&RULES, RECORDED, 5000) > 3000);
        // With a limit of 8 steps, some lines come too late to win.
        assert!(assert_every_win_is_taken(&Gobblet { steps: 8 }, RECORDED, 2000) > 500);
    }

    /// Returns true if a step loses at once.
    fn loses(state: &State, mv: Move) -> bool {
        final_utility(&RULES, state, mv) == Some(-1.0)
    }

    #[test]
    fn losing_steps_are_played_only_if_every_step_loses() {
        let mut traps = 0;
        assert_heavy_games_are_legal(&RULES, RECORDED, 20_000, |state, chosen| {
            let steps = legal(&RULES, state);
            traps += u32::from(steps.iter().any(|&mv| loses(state, mv)));
            if loses(state, chosen) {
                assert!(steps.iter().all(|&mv| loses(state, mv)), "{chosen:?} in {state:?}");
            }
        });
        assert!(traps > 100, "{traps}");
    }

    #[test]
    fn careful_step_finds_the_steps_that_do_not_lose() {
        let mut traps = 0;
        random_positions(&RULES, 30_000, |state| {
            if RULES.turn(state) == Turn::Over {
                return;
            }
            let (mover, steps) = (state.mover(), legal(&RULES, state));
            let view = Perspective::new(state.pieces[mover], state.pieces[1 - mover]);
            let (bit, next) = view.careful_step(&mut Rng::new(u64::from(state.steps)));
            let chosen = Move::new(bit / 9, bit % 9);
            assert!(steps.contains(&chosen));
            assert_eq!(next.opponent, after(&RULES, state, chosen).pieces[mover]);
            if steps.iter().any(|&mv| !loses(state, mv)) {
                assert!(!loses(state, chosen), "{chosen:?} in {state:?}");
                traps += u32::from(steps.iter().any(|&mv| loses(state, mv)));
            }
        });
        assert!(traps > 100, "{traps}");
    }

    #[test]
    fn heavy_playouts_beat_random_play_from_both_seats() {
        let share = share_against_random_play(&RULES, RECORDED, 600);
        assert!(share > 0.75, "{share}");
    }
}
