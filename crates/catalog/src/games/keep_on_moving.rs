//! The entry of keep-on-moving. The board determines the number of words of a state.

use std::sync::Arc;

use tussle_core::ParseError;
use tussle_games::KeepOnMoving;
use tussle_games::keep_on_moving::{Board, Eval, MAX_SIDE, Territory};

use crate::agents::KEEP_ON_MOVING;
use crate::entry::{Build, Capabilities, GameEntry};
use crate::keys::options;
use crate::{AnyGame, Key};

/// Number of words of a state for a small board: up to 192 bits with its border.
const SMALL_BOARD_WORDS: usize = 3;
/// Number of words of a state for the largest board.
const MAX_BOARD_WORDS: usize = 68;

/// Board that a spec names.
#[derive(Default)]
struct BoardSource {
    builtin: Option<usize>,
    /// Path and text.
    file: Option<(String, String)>,
}

const KEYS: &[Key<BoardSource>] = &[
    Key::int(
        "board",
        (0, 4),
        "",
        |given, n| given.builtin = Some(n as usize),
        "built-in board: 0 small (the default without a file), 1 diag, 2 tunnels, 3 trick, \
         4 ai",
    ),
    Key::file(
        "file",
        |given, path, text| given.file = Some((path.to_owned(), text.to_owned())),
        "text file of a board: `#` blocked, `.` free, digits 1 to 8 where players start",
    ),
];

const WEIGHT: (f64, f64) = (-1000.0, 1000.0);
/// Range of the radius: a path has at most as many steps as the largest board has cells.
const STEPS: (i64, i64) = (0, (MAX_SIDE * MAX_SIDE) as i64);

const TERRITORY_KEYS: &[Key<Territory>] = &[
    Key::float(
        "a",
        WEIGHT,
        "1",
        |weights, a| weights.a = a,
        "weight of territory: cells I reach first minus cells an opponent reaches first",
    ),
    Key::float(
        "b",
        WEIGHT,
        "1",
        |weights, b| weights.b = b,
        "weight of freedom: free neighbours, -1 if none",
    ),
    Key::float(
        "c",
        WEIGHT,
        "1",
        |weights, c| weights.c = c,
        "weight of the distance to the nearest opponent",
    ),
    Key::int(
        "radius",
        STEPS,
        "15",
        |weights, steps| weights.radius = steps as u32,
        "maximum number of steps at which territory is counted",
    ),
    Key::int(
        "near",
        STEPS,
        "5",
        |weights, steps| weights.near = steps as u32,
        "distance below which an opponent is ignored",
    ),
];

pub(super) fn keep_on_moving() -> GameEntry {
    GameEntry {
        name: "keep-on-moving",
        summary: "leave a trail and do not get stuck; the last player able to move wins",
        params: KEYS.iter().map(Key::param).collect(),
        evaluations: capabilities::<SMALL_BOARD_WORDS, 2>().evaluation_list().to_vec(),
        tuned: KEEP_ON_MOVING,
        build: Arc::new(|request: Build<'_>| {
            let board = board(options(KEYS, request.args))?;
            if board.players() > 2 {
                let game = Arc::new(KeepOnMoving::<MAX_BOARD_WORDS, 8>::new(&board)?);
                return Ok(request.finish(game, Arc::new(capabilities())));
            }
            Ok(match KeepOnMoving::<SMALL_BOARD_WORDS, 2>::new(&board) {
                Ok(small) => finish(request, small),
                Err(_) => finish(request, KeepOnMoving::<MAX_BOARD_WORDS, 2>::new(&board)?),
            })
        }),
    }
}

fn capabilities<const WORDS: usize, const PLAYERS: usize>()
-> Capabilities<KeepOnMoving<WORDS, PLAYERS>> {
    Capabilities::new()
        .evaluator_with(
            "territory",
            "a * territory + b * freedom - c * distance; +99999 win, -99999 loss, -9999 tie",
            TERRITORY_KEYS,
            Eval::Territory,
        )
        .evaluator(
            "freedom",
            "my free neighbours, -1 if none; +99999 win, -99999 loss, -9999 tie",
            Eval::Freedom,
        )
        .evaluator(
            "snug",
            "4 minus my free neighbours, -1 if none; ignores the end of the game",
            Eval::Snug,
        )
        .complete()
        .tuned(KEEP_ON_MOVING)
}

fn finish<const WORDS: usize>(
    request: Build<'_>,
    game: KeepOnMoving<WORDS, 2>,
) -> Arc<dyn AnyGame> {
    request.finish(Arc::new(game), Arc::new(capabilities().zero_sum()))
}

/// Returns the board of a spec; board 0 if it names none.
fn board(given: BoardSource) -> Result<Board, ParseError> {
    match given {
        BoardSource { builtin: Some(_), file: Some(_) } => {
            Err(ParseError::new("`board` and `file` both name a board; give only one of them"))
        }
        BoardSource { builtin: None, file: Some((path, text)) } => {
            Board::parse(&text).map_err(|error| ParseError::new(format!("{path}: {error}")))
        }
        BoardSource { builtin, file: None } => {
            let i = builtin.unwrap_or(0);
            Board::builtin(i)
                .ok_or_else(|| ParseError::new(format!("board {i}: expected a number from 0 to 4")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spec_names_a_built_in_board_or_a_file_but_not_both() {
        let given = |builtin, file: Option<&str>| {
            let file = file.map(|text| ("my.txt".to_owned(), text.to_owned()));
            board(BoardSource { builtin, file })
        };
        assert_eq!(given(None, None).ok(), Board::builtin(0));
        assert_eq!(given(Some(3), None).ok(), Board::builtin(3));
        assert!(given(Some(5), None).is_err());
        assert_eq!(given(None, Some("1.2")), Board::parse("1.2"));
        assert!(given(Some(0), Some("1.2")).is_err());
        let error = given(None, Some("1..")).unwrap_err().to_string();
        assert!(error.starts_with("my.txt: line 1, column 1"), "{error}");
    }

    #[test]
    fn every_key_of_the_territory_sets_its_weight() {
        use crate::param::Args;
        use crate::param::Setting::{Float, Int};

        let settings =
            [("a", Float(2.0)), ("b", Float(3.0)), ("c", Float(4.0)), ("radius", Int(6))];
        let args = Args::new(settings.into_iter().chain([("near", Int(7))]).collect());
        let expected = Territory { a: 2.0, b: 3.0, c: 4.0, radius: 6, near: 7 };
        assert_eq!(options(TERRITORY_KEYS, &args), expected);
    }
}
