//! Expectimax: players choose, chance averages, and rivals may be chance, too.

mod rivals;
mod search;

use tussle_core::{Args, Evaluations, Kind, Param, ParseError, Report};

use crate::scale::Scale;
use crate::settings::{self, Limits};
use crate::{Agent, AgentInfo, Query};
use rivals::Rivals;

/// [`Expectimax`] in lists.
pub const EXPECTIMAX: AgentInfo = AgentInfo {
    name: "expectimax",
    summary: "averages over dice, and over what a model says that rivals do",
    params: &[
        settings::DEPTH,
        settings::NODES,
        settings::EVAL,
        Param {
            key: "opponent",
            kind: Kind::ChoiceOrFile(&["best", "uniform", "course"]),
            default: "",
            help: "what rivals do: best, uniform, course (weights by class of move), or a file \
                   of weights; by default best if the game has chance, else uniform",
        },
        Param {
            key: "prune",
            kind: Kind::Choice(&["none", "star1"]),
            default: "none",
            help: "star1: leave averages that cannot reach the window",
        },
        settings::DEEPEN,
        settings::CONTRACT,
        settings::PARTIAL,
        settings::DRAW,
        settings::TERMINAL,
        settings::DEDUPE,
    ],
};

/// Expectimax, for games with any number of players, with chance or without.
///
/// The player who searches takes the best move. Chance is averaged by its probabilities. The
/// others either play against the one who searches, or as a model of them says, and then they
/// are chance, too.
#[derive(Clone, Debug)]
pub struct Expectimax<G: Evaluations> {
    eval: G::Eval,
    scale: Scale,
    /// The root player's value of a tie, in the unit of the evaluations.
    draw: f64,
    /// Whether a finished game is worth what the evaluation says.
    eval_ends: bool,
    limits: Limits,
    dedupe: bool,
    rivals: Rivals,
    /// The least and the largest score of a finished game.
    ends: (f64, f64),
    /// The least and the largest score at all, if averages are to be cut by them.
    star1: Option<(f64, f64)>,
}

impl<G: Evaluations> Expectimax<G> {
    /// A player with the parameters of [`EXPECTIMAX`].
    ///
    /// # Errors
    /// If the weights of moves cannot be read or the game has none, and if averages are to be
    /// cut but nobody knows how large evaluations get.
    pub fn from_args(game: &G, args: &Args) -> Result<Self, ParseError> {
        let (index, eval_args) = args.evaluation("eval");
        let eval = game.evaluation(index, eval_args);
        let scale = Scale::new(game, &eval);
        let draw = args.float("draw");
        let eval_ends = args.choice("terminal") == "eval";
        let mut ends = scale.ends();
        if scale.is_tie(0.0) {
            ends = (ends.0.min(draw), ends.1.max(draw));
        }
        let star1 = match (args.choice("prune"), scale.horizons()) {
            ("none", _) => None,
            (_, Some(range)) if eval_ends => Some(range),
            (_, Some((low, high))) => Some((low.min(ends.0), high.max(ends.1))),
            (_, None) => {
                return Err(ParseError::new(format!(
                    "prune=star1: the evaluation `{}` does not say how large it can get, and \
                     without that nothing can be cut; use prune=none or another evaluation",
                    G::EVALUATIONS[index].name
                )));
            }
        };
        Ok(Self {
            eval,
            scale,
            draw,
            eval_ends,
            limits: Limits::from_args(args),
            dedupe: args.switch("dedupe"),
            rivals: Rivals::from_args(game, args)?,
            ends,
            star1,
        })
    }
}

impl<G: Evaluations> Agent<G> for Expectimax<G> {
    fn analyse(
        &mut self,
        game: &G,
        state: &G::State,
        query: Query<'_, G::Move>,
    ) -> Report<G::Move> {
        search::search(self, game, state, query)
    }
}
