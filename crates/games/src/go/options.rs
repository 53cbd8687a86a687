//! The variants of the rules, and their names in spec strings.

use tussle_core::{Args, Described, Kind, Param, ParseError};

use super::Go;
use super::bits::Bits;

/// What a stone means that recreates an earlier whole board, whoever is to move then. The
/// empty board counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// It ends the game as a draw.
    Draw,
    /// It is illegal: positional superko.
    Positional,
    /// Nothing; only the simple ko rule holds.
    Off,
}

/// What a finished game is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Utility {
    /// +1, 0 or -1.
    Win,
    /// The difference of points, komi included.
    Margin,
}

/// The rules of a game of Go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// White's points for moving second; a multiple of one half.
    pub komi: f64,
    /// What recreating an earlier board means.
    pub repetition: Repetition,
    /// The game ends after so many moves, passes included.
    pub cap: Option<u32>,
    /// What a finished game is worth.
    pub utility: Utility,
}

/// The most columns and rows.
const MOST: usize = 19;
/// The largest komi, either way, and the highest cap.
const MOST_KOMI: f64 = 1000.0;
const MOST_MOVES: u32 = 1_000_000;

const DRAW: &str = "draw";
const POSITIONAL: &str = "positional";
const OFF: &str = "off";
const WIN: &str = "win";
const MARGIN: &str = "margin";

impl Options {
    /// The usual rules on a board of this size: komi 0.5 on 5x5, 5.5 on 9x9, 7.5 otherwise; a
    /// repetition is a draw; the game ends after two moves for each point.
    pub fn sized(width: usize, height: usize) -> Self {
        let komi = match (width, height) {
            (5, 5) => 0.5,
            (9, 9) => 5.5,
            _ => 7.5,
        };
        Self {
            width,
            height,
            komi,
            repetition: Repetition::Draw,
            cap: Some(2 * (width * height) as u32),
            utility: Utility::Win,
        }
    }

    /// The `N` of the [`Go`] for a board of this size.
    pub fn words(&self) -> usize {
        let (width, height) = (self.width, self.height);
        if Bits::<1>::fits(width, height) {
            1
        } else if Bits::<2>::fits(width, height) {
            2
        } else {
            8
        }
    }

    /// The options that a spec string gives.
    ///
    /// # Errors
    /// If the values, each in its range, do not go together.
    ///
    /// # Panics
    /// If `args` were not read against [`Go`]'s table of parameters.
    pub fn from_args(args: &Args) -> Result<Self, ParseError> {
        let side = |key| args.int(if args.is_set(key) { key } else { "size" }) as usize;
        let usual = Self::sized(side("width"), side("height"));
        let options = Self {
            komi: if args.is_set("komi") { args.float("komi") } else { usual.komi },
            repetition: match args.choice("superko") {
                POSITIONAL => Repetition::Positional,
                OFF => Repetition::Off,
                _ => Repetition::Draw,
            },
            cap: if args.is_set("cap") { args.int_or("cap").map(|n| n as u32) } else { usual.cap },
            utility: if args.choice("utility") == MARGIN { Utility::Margin } else { Utility::Win },
            ..usual
        };
        options.check()?;
        Ok(options)
    }

    /// Whether the options are in their ranges and go together.
    pub(super) fn check(&self) -> Result<(), ParseError> {
        let wrong = |why: String| Err(ParseError::new(why));
        let Self { width, height, komi, .. } = *self;
        if !(1..=MOST).contains(&width) || !(1..=MOST).contains(&height) {
            return wrong(format!("{width}x{height}: a board has 1 to {MOST} columns and rows"));
        }
        if !(-MOST_KOMI..=MOST_KOMI).contains(&komi) || (2.0 * komi).fract() != 0.0 {
            return wrong(format!(
                "komi={komi}: give a whole or half number of points from -{MOST_KOMI} to \
                 {MOST_KOMI}, such as 0.5 or 7"
            ));
        }
        if self.cap.is_some_and(|cap| !(1..=MOST_MOVES).contains(&cap)) {
            return wrong(format!("the cap may be 1 to {MOST_MOVES} moves, or off"));
        }
        if self.cap.is_none() && self.repetition == Repetition::Off {
            return wrong(
                "superko=off,cap=off: a game may then go round in circles for ever; leave one of \
                 them on"
                    .to_owned(),
            );
        }
        Ok(())
    }
}

impl<const N: usize> Described for Go<N> {
    const NAME: &'static str = "go";
    const SUMMARY: &'static str = "surround points; area scoring, simple ko, no suicide";
    const PARAMS: &'static [Param] = &[
        Param {
            key: "size",
            kind: Kind::Int(1, MOST as i64),
            default: "5",
            help: "columns and rows of the board",
        },
        Param {
            key: "width",
            kind: Kind::Int(1, MOST as i64),
            default: "",
            help: "columns, if not as many as size says",
        },
        Param {
            key: "height",
            kind: Kind::Int(1, MOST as i64),
            default: "",
            help: "rows, if not as many as size says",
        },
        Param {
            key: "komi",
            kind: Kind::Float(-MOST_KOMI, MOST_KOMI),
            default: "",
            help: "White's points for moving second; 0.5 on 5x5, 5.5 on 9x9, 7.5 otherwise",
        },
        Param {
            key: "superko",
            kind: Kind::Choice(&[DRAW, POSITIONAL, OFF]),
            default: DRAW,
            help: "a stone that recreates an earlier board ends the game as a draw, or is \
                   illegal, or nothing",
        },
        Param {
            key: "cap",
            kind: Kind::IntOr(1, MOST_MOVES as i64, OFF),
            default: "",
            help: "the game ends after so many moves, passes included; 2 x width x height",
        },
        Param {
            key: "utility",
            kind: Kind::Choice(&[WIN, MARGIN]),
            default: WIN,
            help: "what a finished game is worth: +1, 0, -1, or the difference of points",
        },
    ];
    const AGENTS: &'static [&'static str] = &["greedy:ties=random"];

    fn from_args(args: &Args) -> Result<Self, ParseError> {
        Self::new(&Options::from_args(args)?)
    }
}
