//! The entry of Go. The board size determines the number of words of a state.

use std::sync::Arc;

use tussle_core::ParseError;
use tussle_games::Go;
use tussle_games::go::{Eval, MAX_KOMI, MAX_MOVES, MAX_SIDE, Options, Repetition, Utility};

use crate::agents::{GO, LARGE_GO, SMALL_GO};
use crate::entry::{Build, Capabilities, GameEntry};
use crate::keys::options;
use crate::param::{Args, Param};
use crate::params::settle;
use crate::{AnyGame, Error, Key, Spec};

const NAME: &str = "go";

/// Move limit of a spec.
#[derive(Default)]
enum Cap {
    #[default]
    Usual,
    Off,
    Moves(u32),
}

/// Options of a spec; their defaults depend on the size of the board.
#[derive(Default)]
struct GivenOptions {
    size: Option<usize>,
    width: Option<usize>,
    height: Option<usize>,
    komi: Option<f64>,
    repetition: Option<Repetition>,
    cap: Cap,
    utility: Option<Utility>,
}

const SIDE: (i64, i64) = (1, MAX_SIDE as i64);

const KEYS: &[Key<GivenOptions>] = &[
    Key::int(
        "size",
        SIDE,
        "5",
        |given, n| given.size = Some(n as usize),
        "columns and rows of the board",
    ),
    Key::int(
        "width",
        SIDE,
        "",
        |given, n| given.width = Some(n as usize),
        "columns of the board [default: size]",
    ),
    Key::int(
        "height",
        SIDE,
        "",
        |given, n| given.height = Some(n as usize),
        "rows of the board [default: size]",
    ),
    Key::float(
        "komi",
        (-MAX_KOMI, MAX_KOMI),
        "",
        |given, komi| given.komi = Some(komi),
        "White's points for moving second [default: 0.5 on 5x5, 5.5 on 9x9, else 7.5]",
    ),
    Key::choice(
        "superko",
        &["draw", "positional", "off"],
        "draw",
        |given, word| {
            given.repetition = Some(match word {
                "positional" => Repetition::Positional,
                "off" => Repetition::Off,
                _ => Repetition::Draw,
            });
        },
        "superko rule: a stone that repeats an earlier board draws the game, is illegal, or is allowed",
    ),
    Key::int_or_off(
        "cap",
        (1, MAX_MOVES as i64),
        "",
        |given, moves| given.cap = moves.map_or(Cap::Off, |moves| Cap::Moves(moves as u32)),
        "number of moves after which the game ends, including passes [default: 2 x width x height]",
    ),
    Key::choice(
        "utility",
        &["win", "margin"],
        "win",
        |given, word| {
            given.utility = Some(if word == "margin" { Utility::Margin } else { Utility::Win });
        },
        "utility of a finished game: +1, 0, -1, or the difference of points",
    ),
];

fn parameters() -> Vec<Param> {
    KEYS.iter().map(Key::param).collect()
}

pub(super) fn go() -> GameEntry {
    GameEntry {
        name: NAME,
        summary: "surround points; area scoring, simple ko, no suicide",
        params: parameters(),
        evaluations: capabilities::<1>().evaluation_list().to_vec(),
        tuned: GO,
        build: Arc::new(|request: Build<'_>| {
            let options = options_from(request.args)?;
            Ok(match options.words() {
                1 => finish(request, Go::<1>::new(&options)?),
                2 => finish(request, Go::<2>::new(&options)?),
                4 => finish(request, Go::<4>::new(&options)?),
                _ => finish(request, Go::<8>::new(&options)?),
            })
        }),
    }
}

fn capabilities<const N: usize>() -> Capabilities<Go<N>> {
    Capabilities::new()
        .evaluator("stones", "own stones minus the opponent's", Eval::Stones)
        .evaluator(
            "area",
            "own area minus the opponent's, including komi, if the game ended now",
            Eval::Area,
        )
        .complete()
        .zero_sum()
        .tuned(if N == 1 { SMALL_GO } else { LARGE_GO })
        .tactics()
        .agent_defaults(&["greedy:ties=random"])
}

fn finish<const N: usize>(request: Build<'_>, go: Go<N>) -> Arc<dyn AnyGame> {
    request.finish(Arc::new(go), Arc::new(capabilities()))
}

fn options_from(args: &Args) -> Result<Options, ParseError> {
    let given = options(KEYS, args);
    let size = given.size.unwrap_or(5);
    let usual = Options::sized(given.width.unwrap_or(size), given.height.unwrap_or(size));
    let options = Options {
        komi: given.komi.unwrap_or(usual.komi),
        repetition: given.repetition.unwrap_or(usual.repetition),
        cap: match given.cap {
            Cap::Usual => usual.cap,
            Cap::Off => None,
            Cap::Moves(moves) => Some(moves),
        },
        utility: given.utility.unwrap_or(usual.utility),
        ..usual
    };
    options.check()?;
    Ok(options)
}

/// Returns the rules of Go for a spec; `None` if it names another game.
///
/// # Errors
/// If its parameters are wrong.
pub fn go_options(spec: &str) -> Result<Option<Options>, Error> {
    let spec = Spec::parse(spec)?;
    if spec.name != NAME {
        return Ok(None);
    }
    let options = options_from(&settle(&spec, &parameters(), &[])?);
    options.map(Some).map_err(|reason| Error::Rules { spec: spec.name, reason })
}
