//! Tests of the heavy playout: a simple implementation of its rules checks every choice.

use super::super::naive::{neighbours, region};
use super::*;
use crate::heavy_playouts::{after, assert_heavy_games_are_legal, share_against_random_play};

fn recorded<const N: usize>(
    rules: &Go<N>,
    state: &mut State<N>,
    rng: &mut Rng,
    moves: &mut Vec<Move>,
) -> u32 {
    rules.heavy_game(state, rng, |mv| moves.push(mv))
}

/// Position as a list of points.
struct NaiveView {
    width: usize,
    height: usize,
    board: Board,
    mover: u8,
}

impl NaiveView {
    fn new<const N: usize>(rules: &Go<N>, state: &State<N>) -> Self {
        let Options { width, height, .. } = rules.options;
        let colour = |p: usize| state.colour_at(Bits::<N>::index(p % width, p / width));
        let board = (0..width * height).map(|p| colour(p).map(|c| c as u8)).collect();
        Self { width, height, board, mover: state.mover }
    }

    fn liberties(&self, point: usize) -> usize {
        let (_, border) = region(self.width, self.height, &self.board, point);
        border.into_iter().filter(|&p| self.board[p].is_none()).count()
    }

    fn beside(&self, point: usize) -> Vec<usize> {
        neighbours(self.width, self.height, point)
    }

    /// Returns true if a stone of the player to move beside this point is in atari.
    fn is_beside_atari(&self, point: usize) -> bool {
        let own = |&p: &usize| self.board[p] == Some(self.mover);
        self.beside(point).into_iter().filter(own).any(|p| self.liberties(p) == 1)
    }

    fn is_eye(&self, point: usize) -> bool {
        let (column, row) = (point % self.width, point / self.width);
        let near = |x: usize, by: usize, most: usize| x + by >= 1 && x + by - 1 < most;
        let mut corners = Vec::new();
        for (dc, dr) in [(0, 0), (0, 2), (2, 0), (2, 2)] {
            if near(column, dc, self.width) && near(row, dr, self.height) {
                corners.push(self.board[(row + dr - 1) * self.width + column + dc - 1]);
            }
        }
        let lost = corners.iter().filter(|&&c| c == Some(1 - self.mover)).count();
        self.board[point].is_none()
            && self.beside(point).into_iter().all(|p| self.board[p] == Some(self.mover))
            && (lost == 0 || lost == 1 && corners.len() == 4)
    }
}

/// Number of choices of each kind.
#[derive(Default, Debug)]
struct ChoiceCounts {
    freeing: u32,
    captures: u32,
    rescues: u32,
    others: u32,
    passes: u32,
}

/// Plays heavy playouts from random positions and checks every choice against their rules.
fn choices<const N: usize>(options: &Options, games: u64) -> ChoiceCounts {
    let rules = Go::<N>::new(options).unwrap();
    let mut seen = ChoiceCounts::default();
    assert_heavy_games_are_legal(&rules, recorded, games, |state, chosen| {
        let here = NaiveView::new(&rules, state);
        let number = |Move(point): Move| {
            let (column, row) = Bits::<N>::place(point);
            row * options.width + column
        };
        let [mut freeing, mut captures, mut rescues, mut others] = [const { Vec::new() }; 4];
        for mv in legal(&rules, state) {
            let next = after(&rules, state, mv);
            if mv == Move::PASS || next.repeated {
                continue;
            }
            let (point, there) = (number(mv), NaiveView::new(&rules, &next));
            let taken: Vec<usize> = (0..here.board.len())
                .filter(|&p| here.board[p].is_some() && there.board[p].is_none())
                .collect();
            if !taken.is_empty() {
                let frees = taken.iter().any(|&p| here.is_beside_atari(p));
                (if frees { &mut freeing } else { &mut captures }).push(mv);
            } else if here.is_beside_atari(point) && there.liberties(point) > 1 {
                rescues.push(mv);
            } else if !here.is_eye(point) {
                others.push(mv);
            }
        }
        let (wanted, count) = if !freeing.is_empty() {
            (freeing, &mut seen.freeing)
        } else if !captures.is_empty() {
            (captures, &mut seen.captures)
        } else if !rescues.is_empty() {
            (rescues, &mut seen.rescues)
        } else if !others.is_empty() {
            (others, &mut seen.others)
        } else {
            (vec![Move::PASS], &mut seen.passes)
        };
        *count += 1;
        let text = rules.move_text(state, chosen);
        assert!(wanted.contains(&chosen), "{text} in {}", rules.position_text(state));
    });
    seen
}

#[test]
fn heavy_playouts_capture_then_save_then_keep_eyes_and_pass_last() {
    for repetition in [Repetition::Draw, Repetition::Positional, Repetition::Off] {
        let sized = |width, height| Options { repetition, ..Options::sized(width, height) };
        let seen = choices::<1>(&sized(5, 5), 200);
        let ChoiceCounts { freeing, captures, rescues, others, passes } = seen;
        let least = [freeing, captures, rescues, others, passes].into_iter().min();
        assert!(least > Some(50), "{seen:?}");
        choices::<1>(&sized(2, 2), 200);
        choices::<1>(&sized(1, 5), 200);
        choices::<1>(&sized(7, 8), 10);
        choices::<2>(&sized(9, 9), 10);
        choices::<4>(&sized(6, 6), 30);
        choices::<8>(&sized(5, 5), 50);
        choices::<8>(&sized(19, 4), 5);
        if repetition != Repetition::Off {
            choices::<1>(&Options { cap: None, ..sized(4, 4) }, 100);
        }
    }
}

#[test]
fn heavy_playouts_capture_a_stone_in_atari_first() {
    let rules = go::<1>(5, 5);
    // White's stone on C3 has its last liberty on D3, and no black group needs saving.
    let state = rules.parse_position("...../..X../.XO../..X../O.... X - 0 6").unwrap();
    for seed in 0..50 {
        let mut moves = Vec::new();
        recorded(&rules, &mut state.clone(), &mut Rng::new(seed), &mut moves);
        assert_eq!(rules.move_text(&state, moves[0]), "D3");
    }
}

#[test]
fn heavy_playouts_beat_random_play_from_both_seats() {
    let small = share_against_random_play(&go::<1>(5, 5), recorded, 400);
    let large = share_against_random_play(&go::<2>(9, 9), recorded, 100);
    assert!(small > 0.8 && large > 0.8, "{small} {large}");
}
