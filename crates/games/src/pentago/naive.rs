//! Simple implementation of the rules on a table of cells, which shares no code with the fast one.

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Naive {
    /// Cells, row by row from the top.
    pub(super) cells: [[char; 6]; 6],
    pub(super) mover: char,
    /// Symbol of the winner, `=` for a draw, or `?` while the game is not over.
    pub(super) result: char,
    early: bool,
    letters: [char; 2],
}

impl Naive {
    pub(super) fn new(letters: [char; 2], early: bool) -> Self {
        Self { cells: [['.'; 6]; 6], mover: 'x', result: '?', early, letters }
    }

    pub(super) fn moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        for (r, row) in self.cells.iter().enumerate().filter(|_| self.result == '?') {
            for (column, _) in "abcdef".chars().zip(row).filter(|&(_, &cell)| cell == '.') {
                for quadrant in 0..4 {
                    let text = |letter| format!("{column}{}:{quadrant}{letter}", 6 - r);
                    moves.extend(self.letters.map(text));
                }
            }
        }
        moves
    }

    pub(super) fn play(&mut self, text: &str) {
        let text: Vec<char> = text.chars().collect();
        let column = "abcdef".find(text[0]).unwrap();
        let row = 6 - text[1].to_digit(10).unwrap() as usize;
        self.cells[row][column] = self.mover;
        let mover = self.mover;
        self.mover = if mover == 'x' { 'o' } else { 'x' };
        if self.early && self.has_five(mover) {
            self.result = mover;
            return;
        }
        self.twist(text[3].to_digit(10).unwrap() as usize, text[4]);
        let full = self.cells.iter().flatten().all(|&cell| cell != '.');
        self.result = match (self.has_five('x'), self.has_five('o')) {
            (true, false) => 'x',
            (false, true) => 'o',
            (true, true) => '=',
            (false, false) if full => '=',
            (false, false) => '?',
        };
    }

    fn twist(&mut self, quadrant: usize, letter: char) {
        let (top, left) = (3 * (quadrant / 2), 3 * (quadrant % 2));
        let before = self.cells;
        let old = |r: usize, c: usize| before[top + r][left + c];
        for r in 0..3 {
            for c in 0..3 {
                self.cells[top + r][left + c] = match letter {
                    'r' => old(2 - c, r),
                    'l' => old(c, 2 - r),
                    'f' => old(r, 2 - c),
                    _ => panic!("{letter}"),
                };
            }
        }
    }

    pub(super) fn has_five(&self, player: char) -> bool {
        let at = |r: i32, c: i32| {
            let row = self.cells.get(usize::try_from(r).ok()?)?;
            row.get(usize::try_from(c).ok()?).copied()
        };
        let starts = (0..6).flat_map(|r| (0..6).map(move |c| (r, c)));
        starts.into_iter().any(|(r, c)| {
            [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().any(|(down, right)| {
                (0..5).all(|i| at(r + i * down, c + i * right) == Some(player))
            })
        })
    }

    pub(super) fn text(&self) -> String {
        let rows: Vec<String> = self.cells.iter().map(|row| row.iter().collect()).collect();
        format!("{} {}", rows.join("/"), self.mover)
    }
}
