//! Games with some sense: win if a move can, and think again about a move that lets the rival
//! win.
//!
//! A window wins if it lacks at most one stone after a twist and the rival has none in it. The
//! stones on a plate tell which windows lack nothing there, which lack one stone at most, and
//! which have a stone there, with the plate as it is and after each of its two twists. So the
//! eight boards that are a twist away, and the one without a twist, take a dozen looks into
//! tables and some words laid over each other. The answer is exact.
//!
//! After a move chosen at random the same is asked for the rival, whose turn is next and who
//! needs the answer anyway. If the rival can win, one other move is tried, with the stone where
//! the rival's would have gone, and it stands. So a loss is often, not always, avoided. A third
//! try would cost more than it is worth.

use std::marker::PhantomData;

use tussle_core::Rng;

use super::board::{CELLS, WINDOWS, has_five, part, twisted};
use super::plate::{MOVED, SETS, inverse};
use super::{Move, Quadrants, State, Twists, fives};

/// All cells.
const BOARD: u64 = 0x01ff_01ff_01ff_01ff;

/// Nobody can win in one before this many plies: it takes four stones of five.
const SOONEST: usize = 8;

/// What the stones on one plate mean for the windows, with the plate as it is and after its two
/// twists: those that lack nothing on this plate in the lower half of a word, and those that lack
/// one stone at most in the upper half. The fourth word keeps a row within a line of the cache.
type Share = [u64; 4];

/// For a set of cells of a plate, its members in order, four bits each.
static MEMBERS: [u64; SETS] = {
    let mut members = [0; SETS];
    let mut set = 0;
    while set < SETS {
        let (mut rest, mut n) = (set, 0);
        while rest != 0 {
            members[set] |= (rest.trailing_zeros() as u64) << (4 * n);
            rest &= rest - 1;
            n += 1;
        }
        set += 1;
    }
    members
};

/// The n-th of these cells.
#[inline]
fn nth_cell(cells: u64, n: usize) -> usize {
    let (mut plate, mut rank) = (0, n);
    for next in 1..4 {
        let before = (cells & ((1 << (16 * next)) - 1)).count_ones() as usize;
        if n >= before {
            (plate, rank) = (next, n - before);
        }
    }
    16 * plate + (MEMBERS[part(cells, plate)] >> (4 * rank)) as usize % 16
}

/// A move that wins.
#[derive(Clone, Copy)]
struct Win {
    mv: Move,
    /// Whether it needs its stone; otherwise the twist alone does it.
    by_stone: bool,
}

/// What the player to move sees.
#[derive(Clone, Copy)]
enum Outlook {
    /// No win.
    Quiet,
    /// A win in one.
    Win(Win),
    /// Five in a row already: the rival's twist made them.
    Five,
}

/// Finds wins for one set of twists.
struct Sight<T>(PhantomData<T>);

impl<T: Twists> Sight<T> {
    /// For every plate and every set of its cells.
    #[expect(clippy::large_stack_arrays, reason = "it is made by the compiler")]
    const SHARES: &'static [[Share; SETS]; 4] = &{
        let mut shares = [[[0; 4]; SETS]; 4];
        let mut plate = 0;
        while plate < 4 {
            let mut set = 0;
            while set < SETS {
                let mut w = 0;
                while w < 32 {
                    let missing = (part(WINDOWS[w], plate) & !set).count_ones();
                    let (complete, nearly) = ((missing == 0) as u64, (missing <= 1) as u64);
                    shares[plate][set][0] |= (complete | nearly << 32) << w;
                    w += 1;
                }
                set += 1;
            }
            while set > 0 {
                set -= 1;
                shares[plate][set][1] = shares[plate][MOVED[T::MOTIONS[0]][set] as usize][0];
                shares[plate][set][2] = shares[plate][MOVED[T::MOTIONS[1]][set] as usize][0];
            }
            plate += 1;
        }
        shares
    };

    /// What the player of `mine` sees, whose turn it is.
    #[inline]
    fn outlook(rules: Quadrants<T>, mine: u64, theirs: u64) -> Outlook {
        // Windows that the rival does not touch lack nothing among the other cells.
        let open = BOARD & !theirs;
        let mine_shares = four(|plate| &Self::SHARES[plate][part(mine, plate)]);
        let open_shares = four(|plate| &Self::SHARES[plate][part(open, plate)]);
        let complete = mine_shares.map(|share| share[0] as u32);
        let nearly = mine_shares.map(|share| (share[0] >> 32) as u32);
        let open_still = open_shares.map(|share| share[0] as u32);
        if complete[0] & complete[1] & complete[2] & complete[3] != 0 {
            return Outlook::Five;
        }
        // What two plates make of a window together: nothing lacks, one stone at most, open.
        let pair = |a: usize, b: usize| {
            let one = nearly[a] & complete[b] | complete[a] & nearly[b];
            (complete[a] & complete[b], one, open_still[a] & open_still[b])
        };
        let halves = [pair(0, 1), pair(2, 3)];
        let (mut chances, mut any) = ([0; 8], 0);
        for plate in 0..4 {
            // The other three plates are the neighbour and the other half.
            let ((all, one, rest_open), beside) = (halves[1 - plate / 2], plate ^ 1);
            let rest_open = rest_open & open_still[beside];
            let one = (nearly[beside] & all | complete[beside] & one) & rest_open;
            let all = complete[beside] & all & rest_open;
            let rest = u64::from(all) << 32 | u64::from(one);
            for kind in 0..2 {
                let filled = mine_shares[plate][1 + kind] & rest;
                let filled = (filled | filled >> 32) & open_shares[plate][1 + kind];
                chances[2 * plate + kind] = filled as u32;
                any |= filled as u32;
            }
        }
        if any == 0 { Outlook::Quiet } else { Self::find(rules, &chances, mine, theirs) }
    }

    /// A win among the windows that can be filled after each of the eight twists.
    #[inline(never)]
    fn find(rules: Quadrants<T>, chances: &[u32; 8], mine: u64, theirs: u64) -> Outlook {
        for (twist, &windows) in chances.iter().enumerate() {
            let (plate, motion, mut windows) = (twist / 2, T::MOTIONS[twist % 2], windows);
            // Five of both are a draw, unless the stone wins before the twist. Such a stone is
            // found here, too: there is a plate on which its window has no cell.
            let both = windows != 0 && has_five(twisted(theirs, plate, motion));
            while windows != 0 {
                let window = WINDOWS[windows.trailing_zeros() as usize];
                windows &= windows - 1;
                let stone = window & !twisted(mine, plate, motion);
                let by_stone = stone != 0;
                // Where the stone lies before the twist; if none is needed, anywhere.
                let cells = if by_stone {
                    twisted(stone, plate, inverse(motion))
                } else {
                    BOARD & !(mine | theirs)
                };
                let bit = cells.trailing_zeros() as usize;
                if !both || rules.early && by_stone && has_five(mine | cells) {
                    return Outlook::Win(Win { mv: Move::new(bit, twist), by_stone });
                }
            }
        }
        Outlook::Quiet
    }
}

fn four<A>(each: impl FnMut(usize) -> A) -> [A; 4] {
    std::array::from_fn(each)
}

/// The stones of both players after a move of the first.
#[inline]
fn after<T: Twists>(mine: u64, theirs: u64, mv: Move) -> (u64, u64) {
    let (plate, motion) = (mv.plate(), T::MOTIONS[mv.kind()]);
    let mine = mine | 1 << mv.bit();
    (twisted(mine, plate, motion), twisted(theirs, plate, motion))
}

/// Plays on to the end, shows `see` every move, and returns the number of plies.
#[inline]
pub(super) fn heavy_game<T: Twists>(
    rules: Quadrants<T>,
    state: &mut State,
    rng: &mut Rng,
    mut see: impl FnMut(Move),
) -> u32 {
    if state.is_over() {
        return 0;
    }
    let first = usize::from(state.plies);
    let (mut mine, mut theirs) = (state.stones[state.mover()], state.stones[1 - state.mover()]);
    let mut plies = first;
    let mut outlook =
        if first < SOONEST { Outlook::Quiet } else { Sight::<T>::outlook(rules, mine, theirs) };
    loop {
        plies += 1;
        if let Outlook::Win(Win { mv, .. }) = outlook {
            see(mv);
            let won = mine | 1 << mv.bit();
            let stays = rules.early && has_five(won);
            (theirs, mine) = if stays { (won, theirs) } else { after::<T>(mine, theirs, mv) };
            break;
        }
        let free = BOARD & !(mine | theirs);
        let choices = 8 * (CELLS + 1 - plies);
        let choice = rng.below(choices);
        let mut mv = Move::new(nth_cell(free, choice / 8), choice % 8);
        let (mut moved, mut rival) = after::<T>(mine, theirs, mv);
        if plies >= SOONEST {
            outlook = Sight::<T>::outlook(rules, rival, moved);
            if !matches!(outlook, Outlook::Quiet) && plies < CELLS {
                let choice = rng.below(choices);
                let cell = match outlook {
                    Outlook::Win(Win { mv: reply, by_stone: true }) => {
                        // Where that cell was before the move that did not help.
                        let back = inverse(T::MOTIONS[mv.kind()]);
                        let stone = twisted(1 << reply.bit(), mv.plate(), back);
                        stone.trailing_zeros() as usize
                    }
                    _ => nth_cell(free, choice / 8),
                };
                mv = Move::new(cell, choice % 8);
                (moved, rival) = after::<T>(mine, theirs, mv);
                outlook = Sight::<T>::outlook(rules, rival, moved);
            }
        }
        see(mv);
        (mine, theirs) = (rival, moved);
        if plies == CELLS || matches!(outlook, Outlook::Five) {
            break;
        }
    }
    let mover = plies % 2;
    state.stones[mover] = mine;
    state.stones[1 - mover] = theirs;
    state.plies = plies as u8;
    state.fives = fives(state.stones);
    (plies - first) as u32
}

#[cfg(test)]
mod tests {
    use super::super::board::place;
    use super::super::tests::{EARLY, LATE, TWIST, legal};
    use super::*;
    use crate::heavy_playouts::{
        Told, after, random_positions, share_against_random_play, take_every_win, worth,
    };
    use tussle_core::{Game, Notation};

    const fn told<T: Twists>() -> Told<Quadrants<T>> {
        |rules, state, rng, moves| heavy_game(*rules, state, rng, |mv| moves.push(mv))
    }

    #[test]
    fn every_win_is_taken() {
        assert!(take_every_win(&TWIST, told(), 1000) > 500);
        assert!(take_every_win(&EARLY, told(), 1000) > 500);
        assert!(take_every_win(&LATE, told(), 1000) > 500);
    }

    #[test]
    fn a_stone_that_wins_before_the_twist_is_found_where_every_twist_would_spoil_it() {
        // `o` lacks one stone on the long way from e6 to a2. Both turns of the plate beside it
        // bring the upright line of `x` into its row.
        let cells = |texts: &str| -> u64 {
            texts
                .split(' ')
                .map(|text| 1 << EARLY.parse_move(&EARLY.start(), text).unwrap().bit())
                .sum()
        };
        let stones = [cells("e1:0l e2:0l e3:0l b2:0l c2:0l"), cells("e6:0l d5:0l c4:0l b3:0l")];
        let state = State::new(stones, 9);
        for seed in 0..20 {
            let (mut end, mut moves) = (state, Vec::new());
            assert_eq!(told()(&EARLY, &mut end, &mut Rng::new(seed), &mut moves), 1);
            assert_eq!(place(moves[0].bit()), (0, 4));
            assert_eq!(EARLY.utility(&end, 1), 1.0);
            assert_eq!(after(&EARLY, &state, moves[0]), end);
        }
        // Without early wins there is none.
        let won = |mv| worth(&LATE, &state, mv) == Some(1.0);
        assert!(!legal(&LATE, &state).into_iter().any(won));
    }

    #[test]
    fn the_nth_cell_is_the_nth() {
        let mut rng = Rng::new(1);
        for _ in 0..1000 {
            let cells = BOARD & rng.next_u64();
            let listed = (0..64).filter(|bit| cells >> bit & 1 != 0);
            for (n, bit) in listed.enumerate() {
                assert_eq!(nth_cell(cells, n), bit);
            }
        }
    }

    /// How often a chosen move loses or lets the rival win, in positions where it
    /// could have been avoided.
    fn blunders<T: Twists>(
        rules: Quadrants<T>,
        mut choose: impl FnMut(&State, &[Move]) -> Move,
    ) -> f64 {
        let wins = |state: &State| {
            legal(&rules, state).into_iter().any(|mv| worth(&rules, state, mv) == Some(1.0))
        };
        let (mut positions, mut blunders) = (0, 0);
        random_positions(&rules, 1500, |state| {
            let moves = legal(&rules, state);
            if moves.is_empty() || wins(state) {
                return;
            }
            let safe = |&mv: &Move| match worth(&rules, state, mv) {
                None => !wins(&after(&rules, state, mv)),
                Some(worth) => worth >= 0.0,
            };
            let count = moves.iter().filter(|mv| safe(mv)).count();
            if 0 < count && count < moves.len() {
                positions += 1;
                blunders += u32::from(!safe(&choose(state, &moves)));
            }
        });
        assert!(positions > 100, "{positions}");
        f64::from(blunders) / f64::from(positions)
    }

    #[test]
    fn a_loss_in_one_is_seen_more_often_than_not() {
        fn compare<T: Twists>(rules: Quadrants<T>) {
            let (mut rng, mut list) = (Rng::new(2), Vec::new());
            let blind = blunders(rules, |_, moves| moves[rng.below(moves.len())]);
            let heavy = blunders(rules, |state, _| {
                list.clear();
                told()(&rules, &mut state.clone(), &mut rng, &mut list);
                list[0]
            });
            assert!(heavy < 0.7 * blind, "{heavy} of random play's {blind}");
        }
        compare(TWIST);
        compare(EARLY);
    }

    #[test]
    fn it_beats_random_play_from_both_seats() {
        let shares = [
            share_against_random_play(&TWIST, told(), 400),
            share_against_random_play(&EARLY, told(), 400),
            share_against_random_play(&LATE, told(), 400),
        ];
        assert!(shares.iter().all(|&share| share > 0.75), "{shares:?}");
    }
}
