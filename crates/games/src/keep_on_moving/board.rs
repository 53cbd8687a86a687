//! Boards: parser of their text format, and the five built-in boards.

use tussle_core::ParseError;

/// Board on which a game starts: size, blocked cells and start cells of the players.
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
    /// True for each blocked cell, row by row from the top.
    blocked: Vec<bool>,
    /// Row from the top and column of player 1, player 2, …
    starts: Vec<(usize, usize)>,
}

/// Maximum width and maximum height.
pub const MAX_SIDE: usize = 64;

/// Maximum number of players.
pub const MAX_PLAYERS: usize = 8;

impl Board {
    /// Returns one of the five built-in boards: 0 small, 1 diag, 2 tunnels, 3 trick, 4 ai.
    pub fn builtin(i: usize) -> Option<Self> {
        BUILTIN.get(i).and_then(|text| Self::parse(text).ok())
    }

    /// Parses a board: one line per row, top row first, with `#` for a blocked cell, `.` for a free
    /// cell, and the digit of a player from 1 for its start cell.
    ///
    /// # Errors
    /// If the rows differ in length, the board has more than 64 rows or 64 columns, a character is
    /// none of the above, or the players are not 1 to K, each once, with K from 2 to 8. The message
    /// names line and column, both counted from 1.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        // Some editors put a byte order mark at the start of a file.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let (mut width, mut height) = (0, 0);
        let mut blocked = Vec::new();
        let mut starts = [None; MAX_PLAYERS];
        for (row, line) in text.trim_end_matches(['\r', '\n']).split('\n').enumerate() {
            let line = line.strip_suffix('\r').unwrap_or(line);
            if row == MAX_SIDE {
                return Err(error_at((row, 0), "a board has at most 64 rows"));
            }
            let mut cells = 0;
            for (column, symbol) in line.chars().enumerate() {
                let here = (row, column);
                if column == MAX_SIDE {
                    return Err(error_at(here, "a row has at most 64 cells"));
                }
                if row > 0 && column == width {
                    let message = format!("this row is longer than the {width} cells of line 1");
                    return Err(error_at(here, message));
                }
                if let Some(player) = player_of(symbol) {
                    if let Some((r, c)) = starts[player].replace(here) {
                        let (digit, r, c) = (player + 1, r + 1, c + 1);
                        let message =
                            format!("player {digit} already starts at line {r}, column {c}");
                        return Err(error_at(here, message));
                    }
                } else if symbol != '#' && symbol != '.' {
                    let message = format!(
                        "found {symbol:?}, expected `#` (blocked), `.` (free) or a digit 1 to 8 (a \
                         player's start)"
                    );
                    return Err(error_at(here, message));
                }
                blocked.push(symbol == '#');
                cells += 1;
            }
            if row == 0 {
                width = cells;
            }
            if cells == 0 {
                return Err(error_at((row, 0), "this row is empty"));
            }
            if cells < width {
                let message = format!("this row is shorter than the {width} cells of line 1");
                return Err(error_at((row, cells), message));
            }
            height = row + 1;
        }
        let starts = check_starts(starts)?;
        Ok(Self { width, height, blocked, starts })
    }

    /// Number of columns.
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

    /// Returns true if a cell is blocked from the beginning. Rows count from 0 at the top.
    ///
    /// # Panics
    /// If the cell is not on the board.
    pub fn is_blocked(&self, row: usize, column: usize) -> bool {
        assert!(column < self.width, "column {column} of a board with {} columns", self.width);
        self.blocked[row * self.width + column]
    }

    /// Start cells of the players, player 1 first, as row from the top and column.
    pub fn starts(&self) -> &[(usize, usize)] {
        &self.starts
    }
}

/// Returns the player of a digit; players count from 0, digits from 1.
pub(super) fn player_of(symbol: char) -> Option<usize> {
    let digit = symbol.to_digit(10)? as usize;
    (1..=MAX_PLAYERS).contains(&digit).then(|| digit - 1)
}

/// Returns an error at a row and column, which count from 0 here and from 1 in the message.
fn error_at((row, column): (usize, usize), message: impl AsRef<str>) -> ParseError {
    ParseError::new(format!("line {}, column {}: {}", row + 1, column + 1, message.as_ref()))
}

/// Returns the starts of players 1 to K, or an error if a player is missing or K is below 2.
fn check_starts(
    starts: [Option<(usize, usize)>; MAX_PLAYERS],
) -> Result<Vec<(usize, usize)>, ParseError> {
    let first: Vec<_> = starts.iter().map_while(|&start| start).collect();
    let missing = first.len() + 1;
    let beyond = (first.len()..MAX_PLAYERS).find_map(|p| Some((p + 1, starts[p]?)));
    match (beyond, first.as_slice()) {
        (Some((player, at)), _) => Err(error_at(
            at,
            format!("player {player} starts here, but player {missing} has no start"),
        )),
        (None, []) => Err(error_at(
            (0, 0),
            "no player starts on this board; put a `1` and a `2` on the start cells",
        )),
        (None, &[at]) => Err(error_at(
            at,
            "only player 1 starts on this board; a game needs 2 to 8 players, so put a `2` on another cell",
        )),
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
    fn built_in_boards_have_their_published_sizes() {
        let sizes: Vec<_> = (0..)
            .map_while(Board::builtin)
            .map(|board| (board.height(), board.width(), board.players()))
            .collect();
        assert_eq!(sizes, [(6, 6, 2), (5, 16, 2), (9, 10, 2), (6, 18, 2), (20, 44, 2)]);
    }

    #[test]
    fn line_ends_may_be_crlf_and_the_last_one_may_be_missing() {
        let board = Board::parse("1.#\n..2\n").unwrap();
        for same in ["1.#\n..2", "1.#\r\n..2", "1.#\r\n..2\r\n", "1.#\n..2\n\n"] {
            assert_eq!(Board::parse(same).as_ref(), Ok(&board), "{same:?}");
        }
    }

    #[test]
    fn errors_of_boards_name_line_and_column() {
        let wide = format!("12{}", ".".repeat(63));
        let tall = format!("12\n{}", "..\n".repeat(64));
        for (text, place) in [
            ("", "line 1, column 1: this row is empty"),
            ("\n12", "line 1, column 1: this row is empty"),
            ("12\n\n..", "line 2, column 1: this row is empty"),
            ("1.2\n..", "line 2, column 3: this row is shorter"),
            ("1.2\n...\n....", "line 3, column 4: this row is longer"),
            ("1.2\n.x.", "line 2, column 2: found 'x', expected"),
            ("1.2 \n....", "line 1, column 4: found ' ', expected"),
            ("1.2\n..9", "line 2, column 3: found '9', expected"),
            ("1.0\n..2", "line 1, column 3: found '0', expected"),
            ("1.2\n.1.", "line 2, column 2: player 1 already starts at line 1, column 1"),
            ("1.2\n.4.", "line 2, column 2: player 4 starts here, but player 3 has no start"),
            ("..2", "line 1, column 3: player 2 starts here, but player 1 has no start"),
            ("..\n.1", "line 2, column 2: only player 1 starts"),
            ("..\n..", "line 1, column 1: no player starts"),
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
