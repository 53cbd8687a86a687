//! Go games in SGF, the format in which Go programs exchange games.
//!
//! The main line of one game is read: the board size (also of rectangles), komi, stones set up before
//! the first move, and the moves. A private property, `TUSSLE[spec][position]`, stores the settings for which
//! SGF has no property, such as the repetition rule.
//!
//! ```
//! use tussle_catalog::{game, sgf};
//!
//! let record = sgf::read("(;GM[1]SZ[9]KM[5.5];B[ee];W[];B[gc])")?;
//! assert_eq!(record.spec, "go:size=9,komi=5.5,cap=off");
//! assert_eq!(record.moves, ["E5", "pass", "G7"]);
//!
//! let position = record.replay()?;
//! let text = sgf::write(position.as_ref(), ["Ann", "Bob"])?;
//! assert_eq!(sgf::read(&text)?, record);
//! # Ok::<(), tussle_catalog::Error>(())
//! ```

use sgf_parse::go::{Move, Point, Prop};
use sgf_parse::{Color, SgfNode};
use tussle_core::Turn;

use crate::{AnyPosition, Error, Spec, game, go_options};

/// Maximum number of consecutive nodes. The parser nests them, so more could overflow the stack; no game has as many.
const MAX_NESTED_NODES: usize = 5000;
/// Maximum number of rows and columns of a board.
const MAX_BOARD_SIDE: u8 = 19;
/// Name of the private property.
const PRIVATE_PROPERTY: &str = "TUSSLE";

/// Record of a game of Go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Spec of the game.
    pub spec: String,
    /// Position from which the game started.
    pub start: String,
    /// Moves, all of them legal.
    pub moves: Vec<String>,
    /// Result as the file has it, such as `B+3.5` or `W+Resign`.
    pub result: Option<String>,
}

impl Record {
    /// Returns the position at the end, with all moves as its history.
    ///
    /// # Errors
    /// If a move is illegal; the message gives its number. All moves of a record from [`read`] are legal.
    pub fn replay(&self) -> Result<Box<dyn AnyPosition>, Error> {
        let mut position = game(&self.spec)?.position(&self.start)?;
        for (i, mv) in self.moves.iter().enumerate() {
            position.play(mv).map_err(|error| wrong(format!("move {}: {error}", i + 1)))?;
        }
        Ok(position)
    }
}

fn wrong(why: impl std::fmt::Display) -> Error {
    Error::Spec(format!("SGF: {why}"))
}

/// Reads the main line of the one game in an SGF text.
///
/// # Errors
/// If the text is not an SGF file of exactly one Go game, its board or komi is not supported, or a move is
/// illegal; the message gives the number of the move.
pub fn read(text: &str) -> Result<Record, Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if depth(text) > MAX_NESTED_NODES {
        return Err(wrong(format!(
            "expected at most {MAX_NESTED_NODES} nodes in a line, found more"
        )));
    }
    let trees = sgf_parse::parse(text).map_err(wrong)?;
    let [tree] = trees.as_slice() else {
        return Err(wrong(format!("expected one game in the file, found {}", trees.len())));
    };
    let root = tree.as_go_node().map_err(|_| wrong("expected a game of Go (GM[1])"))?;

    let (mut setup, mut moves) = (Setup::new(root)?, Vec::new());
    for node in root.main_variation() {
        let number = moves.len() + 1;
        for prop in node.properties() {
            match prop {
                Prop::B(mv) => moves.push((0, setup.vertex(*mv, number)?)),
                Prop::W(mv) => moves.push((1, setup.vertex(*mv, number)?)),
                Prop::AB(_) | Prop::AW(_) | Prop::AE(_) | Prop::PL(_) if !moves.is_empty() => {
                    return Err(wrong(format!(
                        "stones are set up after move {}; only setup before the first move is supported",
                        moves.len()
                    )));
                }
                Prop::AB(points) => setup.put(points, 'X')?,
                Prop::AW(points) => setup.put(points, 'O')?,
                Prop::AE(points) => setup.put(points, '.')?,
                Prop::PL(colour) => setup.mover = Some(usize::from(*colour == Color::White)),
                Prop::Invalid(name, values)
                    if ["B", "W", "AB", "AW", "AE", "PL"].contains(&name.as_str()) =>
                {
                    let value = values.join("][");
                    return Err(wrong(format!("move {number}: {name}[{value}] is not valid")));
                }
                _ => {}
            }
        }
    }
    let mover = setup.mover(moves.first().map(|(colour, _)| *colour));
    let (spec, start) = from_private_property(root, &setup)?.unwrap_or_else(|| setup.rules(mover));
    let result = match root.get_property("RE") {
        Some(Prop::RE(text)) if !text.text.is_empty() => Some(text.text.clone()),
        _ => None,
    };
    let moves = check(&spec, &start, &moves)?;
    Ok(Record { spec, start, moves, result })
}

/// Plays the moves and returns them, without the passes that some programs write after the end of the game.
fn check(spec: &str, start: &str, moves: &[(usize, String)]) -> Result<Vec<String>, Error> {
    let mut position = game(spec)?.position(start).map_err(wrong)?;
    for (i, (colour, mv)) in moves.iter().enumerate() {
        let at = |why: &dyn std::fmt::Display| {
            wrong(format!("move {} ({}[{mv}]): {why}", i + 1, ['B', 'W'][*colour]))
        };
        match position.turn() {
            Turn::Over if moves[i..].iter().all(|(_, mv)| mv == "pass") => break,
            Turn::Player(mover) if mover != *colour => {
                let due = ["Black", "White"][mover];
                return Err(at(&format!("it is {due}'s turn")));
            }
            _ => position.play(mv).map_err(|error| at(&error))?,
        }
    }
    Ok(position.history().to_vec())
}

/// Returns the maximum depth of nested nodes.
fn depth(text: &str) -> usize {
    let (mut here, mut most, mut branches) = (0usize, 0, Vec::new());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'(' => branches.push(here),
            b')' => here = branches.pop().unwrap_or(0),
            b';' => here += 1,
            b'[' => {
                // A value: everything up to the next bracket without a backslash before it.
                while let Some(byte) = bytes.next().filter(|&byte| byte != b']') {
                    if byte == b'\\' {
                        bytes.next();
                    }
                }
            }
            _ => {}
        }
        most = most.max(here).max(branches.len());
    }
    most
}

/// Board and settings before the first move.
struct Setup {
    width: u8,
    height: u8,
    komi: Option<f64>,
    /// Rows from the top.
    board: Vec<Vec<char>>,
    mover: Option<usize>,
}

impl Setup {
    fn new(root: &SgfNode<Prop>) -> Result<Self, Error> {
        let (width, height) = match root.get_property("SZ") {
            Some(Prop::SZ(size)) => *size,
            None => (MAX_BOARD_SIDE, MAX_BOARD_SIDE),
            Some(other) => return Err(wrong(format!("{other}: expected a size such as SZ[9]"))),
        };
        if !(1..=MAX_BOARD_SIDE).contains(&width) || !(1..=MAX_BOARD_SIDE).contains(&height) {
            let why = format!(
                "expected a board of 1x1 to {MAX_BOARD_SIDE}x{MAX_BOARD_SIDE}, found {width}x{height}"
            );
            return Err(wrong(why));
        }
        let komi = match root.get_property("KM") {
            Some(Prop::KM(komi)) => Some(*komi),
            None => None,
            Some(other) => return Err(wrong(format!("{other}: expected a komi such as KM[7.5]"))),
        };
        let board = vec![vec!['.'; width.into()]; height.into()];
        Ok(Self { width, height, komi, board, mover: None })
    }

    fn put<'a>(
        &mut self,
        points: impl IntoIterator<Item = &'a Point>,
        symbol: char,
    ) -> Result<(), Error> {
        for &Point { x, y } in points {
            if x >= self.width || y >= self.height {
                let (column, row) = (x + 1, y + 1);
                return Err(wrong(format!(
                    "a stone set up in column {column}, row {row} from the \
                                          top is outside the board"
                )));
            }
            self.board[usize::from(y)][usize::from(x)] = symbol;
        }
        Ok(())
    }

    /// Returns the text of a move: a vertex in GTP form, or a pass, for which SGF also has `tt`.
    fn vertex(&self, mv: Move, number: usize) -> Result<String, Error> {
        match mv {
            Move::Pass | Move::Move(Point { x: MAX_BOARD_SIDE, y: MAX_BOARD_SIDE }) => {
                Ok("pass".to_owned())
            }
            Move::Move(Point { x, y }) if x < self.width && y < self.height => {
                // There is no column I.
                let letter = b'A' + x + u8::from(x >= 8);
                Ok(format!("{}{}", char::from(letter), self.height - y))
            }
            Move::Move(Point { x, y }) => Err(wrong(format!(
                "move {number}: column {}, row {} from the top is outside the board",
                x + 1,
                y + 1
            ))),
        }
    }

    /// Returns the player to move: that of the file, or of the first move, or White if there are only black stones
    /// (a handicap), else Black.
    fn mover(&self, first: Option<usize>) -> usize {
        let any = |symbol| self.board.iter().flatten().any(|&s| s == symbol);
        self.mover.or(first).unwrap_or_else(|| usize::from(any('X') && !any('O')))
    }

    fn board(&self) -> String {
        let rows: Vec<String> = self.board.iter().map(|row| row.iter().collect()).collect();
        rows.join("/")
    }

    /// Returns the spec and the start position of a game from another program. It has no move limit.
    fn rules(&self, mover: usize) -> (String, String) {
        let Self { width, height, .. } = self;
        let mut spec = if width == height {
            format!("go:size={width}")
        } else {
            format!("go:width={width},height={height}")
        };
        if let Some(komi) = self.komi {
            spec += &format!(",komi={komi}");
        }
        (spec + ",cap=off", format!("{} {} - 0 0", self.board(), ['X', 'O'][mover]))
    }
}

/// Returns the spec and the start position in the private property, if the file has it.
fn from_private_property(
    root: &SgfNode<Prop>,
    setup: &Setup,
) -> Result<Option<(String, String)>, Error> {
    let Some(Prop::Unknown(_, values)) = root.get_property(PRIVATE_PROPERTY) else {
        return Ok(None);
    };
    let [spec, start] = values.as_slice() else {
        return Err(wrong(format!(
            "{PRIVATE_PROPERTY}: expected a spec and a position; or remove the property"
        )));
    };
    let name = Spec::parse(spec)?.name;
    let board = start.split(' ').next().unwrap_or_default();
    if name != "go" || board != setup.board() {
        return Err(wrong(format!(
            "{PRIVATE_PROPERTY} contradicts the other properties; remove it"
        )));
    }
    Ok(Some((game(spec)?.spec().to_owned(), start.clone())))
}

/// Returns the SGF text of a game: rules, start position, moves, and the result if the game is over. Empty names of
/// players are omitted.
///
/// # Errors
/// If it is not a game of Go.
pub fn write(position: &dyn AnyPosition, names: [&str; 2]) -> Result<String, Error> {
    write_decided(position, names, None)
}

/// Like [`write()`], for a game that was not decided on the board; `decided` is the result, such as `W+Resign`.
///
/// # Errors
/// If it is not a game of Go.
pub fn write_decided(
    position: &dyn AnyPosition,
    names: [&str; 2],
    decided: Option<&str>,
) -> Result<String, Error> {
    let Some(options) = go_options(position.game_spec())? else {
        let name = Spec::parse(position.game_spec())?.name;
        return Err(wrong(format!("expected a game of go, found {name}")));
    };
    let mut first = position.boxed();
    while first.undo() {}
    let start = first.text();
    let (width, height) = (options.width, options.height);

    let mut text = String::from("(;FF[4]GM[1]CA[UTF-8]AP[tussle]");
    text += &if width == height { format!("SZ[{width}]") } else { format!("SZ[{width}:{height}]") };
    text += &format!("KM[{}]", options.komi);
    for (key, name) in ["PB", "PW"].into_iter().zip(names) {
        if !name.is_empty() {
            text += &format!("{key}[{}]", escape(name));
        }
    }
    if let Some(decided) = decided {
        text += &format!("RE[{}]", escape(decided));
    } else if let Some(utilities) = position.utilities() {
        text += &format!("RE[{}]", result(position, utilities[0])?);
    }
    text += &format!("{PRIVATE_PROPERTY}[{}][{}]", escape(position.game_spec()), escape(&start));
    let board = start.split(' ').next().unwrap_or_default();
    for (key, symbol) in [("AB", 'X'), ("AW", 'O')] {
        let mut name = key;
        for (y, row) in board.split('/').enumerate() {
            for (x, _) in row.chars().enumerate().filter(|&(_, s)| s == symbol) {
                text += &format!("{name}[{}{}]", letter(x), letter(y));
                name = ""; // further values of the same property
            }
        }
    }
    let mut mover = match first.turn() {
        Turn::Player(player) => player,
        _ => 0,
    };
    if mover == 1 {
        text += "PL[W]";
    }
    for (i, mv) in position.history().iter().enumerate() {
        text += if i % 10 == 0 { "\n" } else { "" };
        text += &format!(";{}[{}]", ['B', 'W'][mover], point(mv, height));
        mover = 1 - mover;
    }
    Ok(text + ")\n")
}

/// Escapes the characters that would end a value.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

fn letter(n: usize) -> char {
    char::from(b'a' + n as u8)
}

/// Returns a vertex in SGF letters; empty for a pass.
fn point(mv: &str, height: usize) -> String {
    let parts = mv.chars().next().zip(mv.get(1..).and_then(|row| row.parse::<usize>().ok()));
    let Some((column, row)) = parts.filter(|(_, row)| (1..=height).contains(row)) else {
        return String::new();
    };
    let x = "ABCDEFGHJKLMNOPQRST".find(column).unwrap_or_default();
    format!("{}{}", letter(x), letter(height - row))
}

/// Returns the result of a game in SGF notation.
fn result(position: &dyn AnyPosition, utility: f64) -> Result<String, Error> {
    let score = position.evaluate("area", 0)?;
    Ok(match utility {
        u if u > 0.0 => format!("B+{score}"),
        u if u < 0.0 => format!("W+{}", -score),
        _ => "0".to_owned(),
    })
}
