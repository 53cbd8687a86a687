//! Simple implementation of the rules on a grid of characters, with which tests compare the fast
//! one.

use std::collections::VecDeque;

use tussle_core::Rng;

pub(super) type Place = (usize, usize);

/// State of a game.
#[derive(Clone, Debug)]
pub(super) struct Naive {
    /// `.` for free cells, any other character for cells that are not free.
    pub(super) grid: Vec<Vec<char>>,
    pub(super) at: Vec<Place>,
    pub(super) out: Vec<bool>,
    pub(super) mover: usize,
    /// Players who share the win, once the game is over.
    pub(super) winners: Option<Vec<usize>>,
}

impl Naive {
    pub(super) fn new(board: &str) -> Self {
        let mut grid: Vec<Vec<char>> = board.lines().map(|line| line.chars().collect()).collect();
        let mut starts = Vec::new();
        for (r, row) in grid.iter_mut().enumerate() {
            for (c, symbol) in row.iter_mut().enumerate() {
                if symbol.is_ascii_digit() {
                    starts.push((*symbol, (r, c)));
                    *symbol = '#';
                }
            }
        }
        starts.sort_unstable();
        let at: Vec<Place> = starts.into_iter().map(|(_, place)| place).collect();
        let out = vec![false; at.len()];
        let mut game = Self { grid, at, out, mover: 0, winners: None };
        game.settle_turn();
        game
    }

    /// Returns the free neighbours of a place, in the order U R D L.
    pub(super) fn free_around(&self, (r, c): Place) -> Vec<(char, Place)> {
        [('U', -1, 0), ('R', 0, 1), ('D', 1, 0), ('L', 0, -1)]
            .into_iter()
            .filter_map(|(letter, down, right)| {
                let place = (r.checked_add_signed(down)?, c.checked_add_signed(right)?);
                let cell = self.grid.get(place.0)?.get(place.1)?;
                (*cell == '.').then_some((letter, place))
            })
            .collect()
    }

    pub(super) fn moves(&self) -> Vec<char> {
        if self.winners.is_some() {
            return Vec::new();
        }
        self.free_around(self.at[self.mover]).into_iter().map(|(letter, _)| letter).collect()
    }

    pub(super) fn step(&mut self, letter: char) {
        let options = self.free_around(self.at[self.mover]);
        let (_, place) = options.into_iter().find(|&(l, _)| l == letter).expect("a legal step");
        self.grid[place.0][place.1] = '#';
        self.at[self.mover] = place;
        self.mover = (self.mover + 1) % self.at.len();
        self.settle_turn();
    }

    /// Applies the rule for the start of a turn: "if it can move it must. If not, let R be the
    /// players still in who can move now: R empty -> all still in tie; one in R -> it wins at once;
    /// otherwise the mover is out."
    fn settle_turn(&mut self) {
        let can_move = |p: usize| !self.free_around(self.at[p]).is_empty();
        let still_in: Vec<usize> = (0..self.at.len()).filter(|&p| !self.out[p]).collect();
        let r: Vec<usize> = still_in.iter().copied().filter(|&p| can_move(p)).collect();
        if self.out[self.mover] {
            // A player who is out has no more turns.
        } else if can_move(self.mover) {
            return;
        } else if r.is_empty() {
            self.winners = Some(still_in);
            return;
        } else if r.len() == 1 {
            self.winners = Some(r);
            return;
        } else {
            self.out[self.mover] = true;
        }
        self.mover = (self.mover + 1) % self.at.len();
        self.settle_turn();
    }

    /// Returns the number of steps from a place to every cell through free cells. The cells of
    /// players can be reached but not crossed.
    pub(super) fn distances(&self, from: Place) -> Vec<Vec<Option<u32>>> {
        let mut steps = vec![vec![None; self.grid[0].len()]; self.grid.len()];
        steps[from.0][from.1] = Some(0);
        let mut queue = VecDeque::from([from]);
        while let Some((r, c)) = queue.pop_front() {
            let next = steps[r][c].map(|n| n + 1);
            for (down, right) in [(-1, 0), (0, 1), (1, 0), (0, -1)] {
                let (Some(r), Some(c)) = (r.checked_add_signed(down), c.checked_add_signed(right))
                else {
                    continue;
                };
                if r >= steps.len() || c >= steps[0].len() || steps[r][c].is_some() {
                    continue;
                }
                if self.grid[r][c] == '.' {
                    steps[r][c] = next;
                    queue.push_back((r, c));
                } else if self.at.contains(&(r, c)) {
                    steps[r][c] = next;
                }
            }
        }
        steps
    }

    pub(super) fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let count = |letter| {
            let mut next = self.clone();
            next.step(letter);
            next.perft(depth - 1)
        };
        self.moves().into_iter().map(count).sum()
    }
}

/// Returns a random board of at most `side` x `side` cells with 2 to `players` players.
pub(super) fn random_board(rng: &mut Rng, side: usize, players: usize) -> String {
    loop {
        let (width, height) = (1 + rng.below(side), 1 + rng.below(side));
        let cells = width * height;
        if cells < 2 {
            continue;
        }
        let walls = rng.unit() * 0.5;
        let mut symbols: Vec<char> =
            (0..cells).map(|_| if rng.unit() < walls { '#' } else { '.' }).collect();
        let k = 2 + rng.below(players.min(cells) - 1);
        symbols[..k].copy_from_slice(&['1', '2', '3', '4', '5', '6', '7', '8'][..k]);
        rng.shuffle(&mut symbols);
        let rows = symbols.chunks(width).map(|row| row.iter().collect::<String>());
        return rows.collect::<Vec<_>>().join("\n");
    }
}
