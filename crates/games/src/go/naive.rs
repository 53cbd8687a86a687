//! Simple implementation of Go on a list of points, with which tests compare the fast one.

use std::collections::BTreeSet;

use super::{Options, Repetition};

/// Colours of all points, row by row from the lower left: 0 for Black, 1 for White.
pub(super) type Board = Vec<Option<u8>>;

#[derive(Clone)]
pub(super) struct Naive {
    pub(super) options: Options,
    pub(super) board: Board,
    pub(super) mover: u8,
    /// All earlier boards.
    earlier: Vec<Board>,
    /// For each move, true if it was a pass.
    passes: Vec<bool>,
    /// Point of the ko: the latest move captured a single stone there with a single stone.
    pub(super) ko: Option<usize>,
    pub(super) repeated: bool,
}

/// Returns the neighbours of a point.
pub(super) fn neighbours(width: usize, height: usize, point: usize) -> Vec<usize> {
    let (column, row) = (point % width, point / width);
    let mut all = Vec::new();
    if column > 0 {
        all.push(point - 1);
    }
    if column + 1 < width {
        all.push(point + 1);
    }
    if row > 0 {
        all.push(point - width);
    }
    if row + 1 < height {
        all.push(point + width);
    }
    all
}

/// Returns the points of the same colour that are connected to a point, and the points beside them,
/// in any order.
pub(super) fn region(
    width: usize,
    height: usize,
    board: &Board,
    point: usize,
) -> (Vec<usize>, Vec<usize>) {
    let (mut inside, mut border) = (vec![point], Vec::new());
    let mut seen = vec![false; board.len()];
    seen[point] = true;
    let mut next = 0;
    while let Some(&point) = inside.get(next) {
        next += 1;
        for beside in neighbours(width, height, point) {
            if !std::mem::replace(&mut seen[beside], true) {
                let same = board[beside] == board[point];
                (if same { &mut inside } else { &mut border }).push(beside);
            }
        }
    }
    (inside, border)
}

/// Returns true if every group of a board has a liberty.
pub(super) fn is_legal_board(width: usize, height: usize, board: &Board) -> bool {
    (0..board.len()).filter(|&point| board[point].is_some()).all(|point| {
        let (_, border) = region(width, height, board, point);
        border.iter().any(|&p| board[p].is_none())
    })
}

impl Naive {
    pub(super) fn new(options: Options) -> Self {
        let board = vec![None; options.width * options.height];
        Self {
            options,
            board,
            mover: 0,
            earlier: Vec::new(),
            passes: Vec::new(),
            ko: None,
            repeated: false,
        }
    }

    fn region(&self, board: &Board, point: usize) -> (Vec<usize>, Vec<usize>) {
        region(self.options.width, self.options.height, board, point)
    }

    /// Returns the board after a stone and the captured points, or `None` if it is suicide.
    fn after(&self, point: usize) -> Option<(Board, Vec<usize>)> {
        let mut board = self.board.clone();
        board[point] = Some(self.mover);
        let mut captured = Vec::new();
        for next in neighbours(self.options.width, self.options.height, point) {
            if board[next] == Some(1 - self.mover) {
                let (group, border) = self.region(&board, next);
                if border.iter().all(|&p| board[p].is_some()) {
                    for stone in group {
                        board[stone] = None;
                        captured.push(stone);
                    }
                }
            }
        }
        let (_, border) = self.region(&board, point);
        border.iter().any(|&p| board[p].is_none()).then_some((board, captured))
    }

    /// Returns the legal points.
    pub(super) fn legal(&self) -> Vec<usize> {
        if self.is_over() {
            return Vec::new();
        }
        let legal = |&point: &usize| {
            if self.board[point].is_some() || self.ko == Some(point) {
                return false;
            }
            let Some((after, _)) = self.after(point) else { return false };
            self.options.repetition != Repetition::Positional || !self.earlier.contains(&after)
        };
        (0..self.board.len()).filter(legal).collect()
    }

    pub(super) fn pass(&mut self) {
        self.passes.push(true);
        self.ko = None;
        self.mover = 1 - self.mover;
    }

    /// Puts down a stone and returns the number of captured stones.
    pub(super) fn put(&mut self, point: usize) -> usize {
        let (after, captured) = self.after(point).expect("it is legal");
        self.earlier.push(self.board.clone());
        self.ko = None;
        let (group, border) = self.region(&after, point);
        let liberties = border.iter().filter(|&&p| after[p].is_none()).count();
        if captured.len() == 1 && group.len() == 1 && liberties == 1 {
            self.ko = Some(captured[0]);
        }
        self.repeated =
            self.options.repetition == Repetition::Draw && self.earlier.contains(&after);
        self.board = after;
        self.passes.push(false);
        self.mover = 1 - self.mover;
        captured.len()
    }

    pub(super) fn is_over(&self) -> bool {
        let both_passed = matches!(self.passes[..], [.., true, true]);
        let capped = self.options.cap.is_some_and(|cap| self.passes.len() >= cap as usize);
        both_passed || capped || self.repeated
    }

    /// Returns Black's area minus White's area minus komi.
    pub(super) fn score(&self) -> f64 {
        let mut score = -self.options.komi;
        for point in 0..self.board.len() {
            let owner = self.board[point].or_else(|| {
                let (_, border) = self.region(&self.board, point);
                let colours: BTreeSet<_> = border.iter().map(|&p| self.board[p]).collect();
                if colours.len() == 1 { colours.into_iter().next().flatten() } else { None }
            });
            score += match owner {
                Some(0) => 1.0,
                Some(_) => -1.0,
                None => 0.0,
            };
        }
        score
    }
}
