//! Greedy play: the best evaluation one ply ahead.

use std::sync::Arc;

use tussle_core::time::{now, since};
use tussle_core::{
    Evaluator, Event, Game, LeafKind, Line, Observer, Report, Rng, SearchStats, StopReason, Value,
};

use crate::agent::{failure, root_player};
use crate::fault::FaultCell;
use crate::scale::{ending, known_range};
use crate::{Agent, Query, SearchError};

/// Choice of [`Greedy`] among equally good moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum TieBreak {
    /// The first move generated.
    First,
    /// The last move generated.
    #[default]
    Last,
    /// A random move, all equally likely.
    Random,
}

/// Options of [`Greedy`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct GreedyOptions {
    /// Choice among equally good moves [default: the last].
    pub ties: TieBreak,
    /// Seed of [`TieBreak::Random`].
    pub seed: u64,
}

/// Agent that plays the move with the best evaluation one ply ahead.
///
/// Finished games are valued by the evaluator, so with an evaluation that ignores wins it may miss a win.
#[derive(Clone)]
pub struct Greedy<G: Game> {
    options: GreedyOptions,
    evaluator: Arc<dyn Evaluator<G>>,
    rng: Rng,
}

impl<G: Game> std::fmt::Debug for Greedy<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Greedy").field("options", &self.options).finish_non_exhaustive()
    }
}

impl<G: Game> Greedy<G> {
    /// Creates an agent that compares moves with `evaluator`.
    pub fn new(options: GreedyOptions, evaluator: impl Evaluator<G> + 'static) -> Self {
        let rng = Rng::new(options.seed);
        Self { options, evaluator: Arc::new(evaluator), rng }
    }
}

impl<G: Game> Agent<G> for Greedy<G> {
    fn run(
        &mut self,
        game: &G,
        state: &G::State,
        query: Query<'_, G::Move>,
    ) -> Result<Report<G::Move>, SearchError> {
        let began = now();
        let player = root_player(game, state)?;
        let moves = game.legal_moves(state);
        let mut state = state.clone();
        let mut observer = query.events;
        observer.event(Event::Iteration(1));
        enter(&mut observer, None);
        // Events have the values of the first of two players, and no proofs: greedy compares evaluations.
        let is_turned = player == 1 && game.players() <= 2;
        let told = |value: Value| {
            let value = value.without_proof();
            if is_turned { value.for_opponent() } else { value }
        };
        let payoffs = game.payoffs();
        let range = known_range(game, &*self.evaluator);
        let faults = FaultCell::default();
        let line = |&mv: &G::Move| {
            let (evaluation, value) = game.visit(&mut state, mv, |child| {
                let evaluation = self.evaluator.value(game, child, player);
                let evaluation = faults.checked(evaluation, player).unwrap_or_default();
                let value = if payoffs.points {
                    Value::result(evaluation, &payoffs)
                } else {
                    Value::evaluation(evaluation, range)
                };
                // Moves are compared by evaluations alone, but the result of a finished game is known.
                let outcome = ending(game, child, player);
                (evaluation, outcome.map_or(value, |outcome| value.proven(outcome, Some(1))))
            });
            let values = &[told(value)];
            enter(&mut observer, Some(mv));
            observer.event(Event::Leaf { values, kind: LeafKind::Evaluation });
            observer.event(Event::Leave { values });
            (evaluation, Line::new(mv, value))
        };
        let mut lines: Vec<_> = moves.iter().map(line).collect();
        if let Some(error) = failure(game, &faults) {
            return Err(error);
        }

        let best = lines.iter().map(|(value, _)| *value).fold(f64::NEG_INFINITY, f64::max);
        let mut ties = (0..lines.len()).filter(|&i| lines[i].0 == best);
        let chosen = match self.options.ties {
            TieBreak::First => ties.next(),
            TieBreak::Last => ties.next_back(),
            TieBreak::Random => {
                let n = ties.clone().count();
                ties.nth(if n == 0 { 0 } else { self.rng.below(n) })
            }
        };
        let chosen = lines.remove(chosen.ok_or(SearchError::GameOver)?);
        observer.event(Event::Leave { values: &[told(chosen.1.value)] });
        // A stable sort: equally good moves keep the order in which they are generated.
        lines.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        lines.insert(0, chosen);
        let lines = lines.into_iter().map(|(_, line)| line).collect();

        let leaves = moves.len() as u64;
        let stats = SearchStats {
            depth: 1,
            nodes: 1 + leaves,
            leaves,
            evaluations: leaves,
            ..SearchStats::default()
        };
        Ok(Report::new(lines, stats, StopReason::Finished, since(began)))
    }
}

/// Enters a node without a window.
fn enter<M>(observer: &mut impl Observer<M>, mv: Option<M>) {
    observer.event(Event::Enter { mv, alpha: Value::BELOW_ALL, beta: Value::ABOVE_ALL });
}
