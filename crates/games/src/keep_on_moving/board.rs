//! Boards as text: the five built-in ones, and any other from a file.

use tussle_core::ParseError;

/// A board to start from: its size, its blocked cells and where the players start.
///
/// ```
/// use tussle_games::keep_on_moving::Board;
///
/// let board = Board::parse("..#\n1.2\n").unwrap();
/// assert_eq!((board.width(), board.height(), board.players()), (3, 2, 2));
/// assert!(board.is_blocked(0, 2));
/// assert_eq!(board.starts(), [(1, 0), (1, 2)]);
///
/// let error = Board::parse("...\n1.x").unwrap_err();
/// assert!(error.to_string().starts_with("line 2, column 3"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    width: usize,
    height: usize,
    /// Row by row from the top.
    blocked: Vec<bool>,
    /// (row from the top, column) of player 1, player 2, …
    starts: Vec<(usize, usize)>,
}

/// The largest width and the largest height.
pub const MAX_SIDE: usize = 64;

/// The most players.
pub const MAX_PLAYERS: usize = 8;

impl Board {
    /// One of the five built-in boards: 0 small, 1 diag, 2 tunnels, 3 trick, 4 ai.
    pub fn builtin(i: usize) -> Option<Self> {
        BUILTIN.get(i).and_then(|text| Self::parse(text).ok())
    }

    /// Reads a board: one line a row, top row first; `#` blocked, `.` free, and the digits from
    /// 1 on where players start.
    ///
    /// # Errors
    /// If the rows differ in length, there are more than 64 of them or they have more than 64
    /// cells, a character is none of the above, or the players are not 1 to K, each once, with K
    /// from 2 to 8. The message names line and column, both counted from 1.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        // Some editors begin a file with a byte order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let (mut width, mut height) = (0, 0);
        let mut blocked = Vec::new();
        let mut starts = [None; MAX_PLAYERS];
        for (row, line) in text.trim_end_matches(['\r', '\n']).split('\n').enumerate() {
            let line = line.strip_suffix('\r').unwrap_or(line);
            if row == MAX_SIDE {
                return Err(fault((row, 0), "a board has at most 64 rows"));
            }
            let mut cells = 0;
            for (column, symbol) in line.chars().enumerate() {
                let here = (row, column);
                if column == MAX_SIDE {
                    return Err(fault(here, "a row has at most 64 cells"));
                }
                if row > 0 && column == width {
                    let message = format!("this row is longer than the {width} cells of line 1");
                    return Err(fault(here, message));
                }
                if let Some(player) = player_of(symbol) {
                    if let Some((r, c)) = starts[player].replace(here) {
                        let (digit, r, c) = (player + 1, r + 1, c + 1);
                        let message =
                            format!("player {digit} starts at line {r}, column {c} already");
                        return Err(fault(here, message));
                    }
                } else if symbol != '#' && symbol != '.' {
                    let message = format!(
                        "{symbol:?} is no cell: use `#` (blocked), `.` (free) or a digit 1 to 8 \
                         (a player's start)"
                    );
                    return Err(fault(here, message));
                }
                blocked.push(symbol == '#');
                cells += 1;
            }
            if row == 0 {
                width = cells;
            }
            if cells == 0 {
                return Err(fault((row, 0), "this row is empty"));
            }
            if cells < width {
                let message = format!("this row is shorter than the {width} cells of line 1");
                return Err(fault((row, cells), message));
            }
            height = row + 1;
        }
        let starts = one_to_k(starts)?;
        Ok(Self { width, height, blocked, starts })
    }

    /// Cells in a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Number of players.
    pub fn players(&self) -> usize {
        self.starts.len()
    }

    /// Whether a cell is blocked from the beginning; rows count from 0 at the top.
    ///
    /// # Panics
    /// If the cell is not on the board.
    pub fn is_blocked(&self, row: usize, column: usize) -> bool {
        assert!(column < self.width, "column {column} of {}", self.width);
        self.blocked[row * self.width + column]
    }

    /// Where the players start: (row from the top, column), player 1 first.
    pub fn starts(&self) -> &[(usize, usize)] {
        &self.starts
    }
}

/// The player, counted from 0, that a digit stands for.
pub(super) fn player_of(symbol: char) -> Option<usize> {
    let digit = symbol.to_digit(10)? as usize;
    (1..=MAX_PLAYERS).contains(&digit).then(|| digit - 1)
}

/// An error at (row, column), counted from 0 here and from 1 in the message.
fn fault((row, column): (usize, usize), message: impl AsRef<str>) -> ParseError {
    ParseError::new(format!("line {}, column {}: {}", row + 1, column + 1, message.as_ref()))
}

/// The starts without their wrapping, if they are those of players 1 to K and K is at least 2.
fn one_to_k(
    starts: [Option<(usize, usize)>; MAX_PLAYERS],
) -> Result<Vec<(usize, usize)>, ParseError> {
    let first: Vec<_> = starts.iter().map_while(|&start| start).collect();
    let missing = first.len() + 1;
    let beyond = (first.len()..MAX_PLAYERS).find_map(|p| Some((p + 1, starts[p]?)));
    match (beyond, first.as_slice()) {
        (Some((player, at)), _) => Err(fault(
            at,
            format!("player {player} starts here, but player {missing} starts nowhere"),
        )),
        (None, []) => Err(fault(
            (0, 0),
            "nobody starts on this board: put a `1` and a `2` where the players start",
        )),
        (None, &[at]) => {
            Err(fault(at, "player 1 is alone: a game has 2 to 8 players, so put a `2` somewhere"))
        }
        _ => Ok(first),
    }
}

pub(super) const BUILTIN: [&str; 5] = [
    "\
..##..
.1##2.
..##..
......
......
......
",
    "\
................
...#..#..#..#...
..#..#....#..#..
.#..#......#..#.
#..#...12...#..#
",
    "\
.........2
.##.##.##.
..........
.##.##.##.
..........
.##.##.##.
..........
.##.##.##.
1.........
",
    "\
........##........
###.#...##...#.###
.......####.......
.#1#.#......#.#2#.
.##..#..##..#..##.
#....########....#
",
    "\
.####################......................2
...############.......#######............##.
....##########........########..........###.
.#..............##..##..##..##############..
.##............###..##..##...############...
.###...####...####..##..##....###....###....
.####...##...#####..##..##.....###..###.....
.#####......######..##..##......######......
.######....#####......######.....####.......
.#######..#####.......######......##........
........##......######.......#####..#######.
.......####.....######......#####....######.
......######......##..##..######......#####.
.....###..###.....##..##..#####...##...####.
....###....###....##..##..####...####...###.
...############...##..##..###............##.
..##############..##..##..##..............#.
.###..........########........##########....
.##............#######.......############...
1......................####################.
",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_boards_have_their_published_sizes() {
        let sizes: Vec<_> = (0..)
            .map_while(Board::builtin)
            .map(|board| (board.height(), board.width(), board.players()))
            .collect();
        assert_eq!(sizes, [(6, 6, 2), (5, 16, 2), (9, 10, 2), (6, 18, 2), (20, 44, 2)]);
    }

    #[test]
    fn windows_line_ends_and_a_missing_last_one_make_no_difference() {
        let board = Board::parse("1.#\n..2\n").unwrap();
        for same in ["1.#\n..2", "1.#\r\n..2", "1.#\r\n..2\r\n", "1.#\n..2\n\n"] {
            assert_eq!(Board::parse(same).as_ref(), Ok(&board), "{same:?}");
        }
    }

    #[test]
    fn a_bad_board_is_refused_with_line_and_column() {
        let wide = format!("12{}", ".".repeat(63));
        let tall = format!("12\n{}", "..\n".repeat(64));
        for (text, place) in [
            ("", "line 1, column 1: this row is empty"),
            ("\n12", "line 1, column 1: this row is empty"),
            ("12\n\n..", "line 2, column 1: this row is empty"),
            ("1.2\n..", "line 2, column 3: this row is shorter"),
            ("1.2\n...\n....", "line 3, column 4: this row is longer"),
            ("1.2\n.x.", "line 2, column 2: 'x' is no cell"),
            ("1.2 \n....", "line 1, column 4: ' ' is no cell"),
            ("1.2\n..9", "line 2, column 3: '9' is no cell"),
            ("1.0\n..2", "line 1, column 3: '0' is no cell"),
            ("1.2\n.1.", "line 2, column 2: player 1 starts at line 1, column 1 already"),
            ("1.2\n.4.", "line 2, column 2: player 4 starts here, but player 3 starts nowhere"),
            ("..2", "line 1, column 3: player 2 starts here, but player 1 starts nowhere"),
            ("..\n.1", "line 2, column 2: player 1 is alone"),
            ("..\n..", "line 1, column 1: nobody starts"),
            (&wide, "line 1, column 65: a row has at most 64"),
            (&tall, "line 65, column 1: a board has at most 64"),
        ] {
            let error = Board::parse(text).unwrap_err().to_string();
            assert!(error.starts_with(place), "{text:?}: {error}");
        }
        assert!(Board::parse(&wide[..64]).is_ok());
        assert!(Board::parse(&tall[..tall.len() - 3]).is_ok());
    }
}
