//! Expectimax: search with chance nodes and opponent models.

mod search;

use std::sync::Arc;

use tussle_core::{Evaluator, Game, Report};

use crate::agent::check_draw;
use crate::fault::FaultCell;
use crate::scale::Scale;
use crate::{Agent, Deepening, Query, SearchError, TerminalValue, UnsupportedOption};

/// Assumed behaviour of the opponents in [`Expectimax`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum OpponentModel {
    /// Opponents choose the worst move for the root player.
    Best,
    /// Opponents choose every legal move with equal probability.
    Uniform,
    /// Opponents choose a move with a probability proportional to the weight of its class: one weight for
    /// each of [`Game::move_classes`].
    Weighted(Vec<f64>),
}

impl OpponentModel {
    /// Returns the weight of a legal move; probabilities are proportional to weights.
    #[inline]
    fn weight<G: Game>(&self, game: &G, state: &G::State, mv: G::Move) -> f64 {
        match self {
            Self::Weighted(weights) => weights[game.move_class(state, mv)],
            _ => 1.0,
        }
    }
}

/// Options of [`Expectimax`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct ExpectimaxOptions {
    /// Opponent model [default: `None`, which means best if the game has chance, else uniform].
    pub opponent: Option<OpponentModel>,
    /// True to prune chance nodes whose mean cannot reach the window (Ballard's Star1) [default: false]. The
    /// evaluator must declare its range.
    pub star1: bool,
    /// Iterative deepening.
    pub deepening: Deepening,
    /// Value of a draw for the root player, in the unit of the evaluation [default: 0].
    pub draw: f64,
    /// Value of a finished game [default: its result].
    pub finished: TerminalValue,
    /// True to search only one of several equivalent moves [default: true].
    pub dedupe: bool,
}

impl Default for ExpectimaxOptions {
    fn default() -> Self {
        Self {
            opponent: None,
            star1: false,
            deepening: Deepening::default(),
            draw: 0.0,
            finished: TerminalValue::Result,
            dedupe: true,
        }
    }
}

/// Expectimax, for games with any number of players, with chance or without.
///
/// The value of a node of the root player is that of its best move, the value of a chance node is the mean of
/// its outcomes. Opponents choose the worst move for the root player, or their moves are averaged by an
/// [`OpponentModel`].
#[derive(Clone)]
pub struct Expectimax<G: Game> {
    options: ExpectimaxOptions,
    evaluator: Arc<dyn Evaluator<G>>,
}

impl<G: Game> std::fmt::Debug for Expectimax<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Expectimax").field("options", &self.options).finish_non_exhaustive()
    }
}

impl<G: Game> Expectimax<G> {
    /// Creates an agent that values positions at the horizon with `evaluator`.
    pub fn new(options: ExpectimaxOptions, evaluator: impl Evaluator<G> + 'static) -> Self {
        Self { options, evaluator: Arc::new(evaluator) }
    }

    /// Resolves the defaults of the options for a game and the evaluator.
    fn plan<'a>(&'a self, game: &G) -> Result<Plan<'a, G>, UnsupportedOption> {
        let ExpectimaxOptions { opponent, star1, draw, finished, dedupe, .. } = &self.options;
        let opponent = match opponent {
            Some(model) => model.clone(),
            // In a game without chance, an opponent that plays its best would make this plain minimax.
            None if game.has_chance() => OpponentModel::Best,
            None => OpponentModel::Uniform,
        };
        check_draw(*draw)?;
        if let OpponentModel::Weighted(weights) = &opponent {
            if !weights.iter().all(|weight| weight.is_finite() && *weight >= 0.0) {
                return Err(UnsupportedOption::Number {
                    option: "weight",
                    range: "a number from 0",
                });
            }
            let (classes, weights) = (game.move_classes().len(), weights.len());
            if classes == 0 || classes != weights {
                return Err(UnsupportedOption::MoveClasses { classes, weights });
            }
        }
        let scale = Scale::new(game, &*self.evaluator);
        let eval_ends = *finished == TerminalValue::Evaluation;
        let mut ends = scale.ends();
        if scale.is_tie(0.0) {
            ends = (ends.0.min(*draw), ends.1.max(*draw));
        }
        let star1 = match (star1, scale.horizons()) {
            (false, _) => None,
            (true, Some(range)) if eval_ends => Some(range),
            (true, Some((low, high))) => Some((low.min(ends.0), high.max(ends.1))),
            (true, None) => return Err(UnsupportedOption::UnknownRange),
        };
        let (evaluator, faults) = (&*self.evaluator, FaultCell::default());
        let (draw, dedupe) = (*draw, *dedupe);
        Ok(Plan { evaluator, faults, scale, draw, eval_ends, dedupe, opponent, ends, star1 })
    }
}

/// Options with all defaults resolved for one game.
struct Plan<'a, G: Game> {
    evaluator: &'a dyn Evaluator<G>,
    faults: FaultCell,
    scale: Scale,
    /// Value of a draw for the root player, in the unit of the evaluation.
    draw: f64,
    /// True if finished games are valued by the evaluator.
    eval_ends: bool,
    dedupe: bool,
    opponent: OpponentModel,
    /// Least and largest score of a finished game.
    ends: (f64, f64),
    /// Least and largest score of any position, if Star1 is on.
    star1: Option<(f64, f64)>,
}

impl<G: Game> Agent<G> for Expectimax<G> {
    fn run(
        &mut self,
        game: &G,
        state: &G::State,
        query: Query<'_, G::Move>,
    ) -> Result<Report<G::Move>, SearchError> {
        search::search(&self.plan(game)?, self.options.deepening, game, state, query)
    }

    fn check(&self, game: &G) -> Result<(), UnsupportedOption> {
        self.plan(game).map(|_| ())
    }
}
