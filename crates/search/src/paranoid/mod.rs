//! Paranoid search: one player against a coalition of all others.

mod coalition;

use std::sync::Arc;

use tussle_core::{Evaluator, Game, Hashed, Outcome, Payoffs, Report, Value};

use crate::agent::root_player;
use crate::fault::EvaluatorFault;
use crate::keys::KeyFunctions;
use crate::scale::known_range;
use crate::score_tree::ScoreTree;
use crate::{Agent, AlphaBeta, AlphaBetaOptions, Query, SearchError, UnsupportedOption};
use coalition::{Coalition, CoalitionEvaluator};

/// Alpha-beta in games of more than two players, which treats all opponents as one coalition against the root
/// player.
pub struct Paranoid<G: Game> {
    options: AlphaBetaOptions,
    evaluator: Arc<dyn Evaluator<G>>,
    keys: Option<KeyFunctions<G>>,
}

impl<G: Game> std::fmt::Debug for Paranoid<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Paranoid").field("options", &self.options).finish_non_exhaustive()
    }
}

impl<G: Game> Paranoid<G> {
    /// Creates an agent without a table that values positions at the horizon with `evaluator`.
    pub fn new(options: AlphaBetaOptions, evaluator: impl Evaluator<G> + 'static) -> Self {
        Self { options, evaluator: Arc::new(evaluator), keys: None }
    }

    /// Adds a transposition table of [`AlphaBetaOptions::table_bytes`].
    #[must_use]
    pub fn with_table(self) -> Self
    where
        G: Hashed,
    {
        self.with_keys(Some(KeyFunctions::of_game()))
    }

    /// Adds a transposition table with the given keys; `None` means no table.
    #[must_use]
    pub fn with_keys(self, keys: Option<KeyFunctions<G>>) -> Self {
        Self { keys, ..self }
    }
}

impl<G: Game + 'static> Agent<G> for Paranoid<G> {
    fn run(
        &mut self,
        game: &G,
        state: &G::State,
        query: Query<'_, G::Move>,
    ) -> Result<Report<G::Move>, SearchError> {
        let player = root_player(game, state)?;
        let coalition = Coalition::new(game, player, &*self.evaluator, self.keys);
        let evaluator = CoalitionEvaluator(self.evaluator.clone());
        let search = AlphaBeta::new(self.options.clone(), evaluator);
        let mut search = if self.keys.is_some() { search.with_table() } else { search };
        let range = known_range(game, &*self.evaluator);
        let told = |report| told(&coalition, &game.payoffs(), range, report);
        let Query { limits, lines, known_value, goal, live, events, keep_tree } = query;
        let mut live = live.map(|live| move |report: &Report<G::Move>| live(&told(report.clone())));
        let query = Query {
            limits,
            lines,
            // The known value is a utility of the original game.
            known_value: known_value.map(|value| coalition.score(value)),
            goal: goal.map(|goal| goal.map(|utility| coalition.score(utility))),
            live: live.as_mut().map(|live| live as _),
            events: events.map(|events| events as _),
            keep_tree,
        };
        match search.run(&coalition, state, query) {
            Ok(report) => Ok(told(report)),
            // In the two-player game, the root player is always player 0.
            Err(SearchError::Evaluator(EvaluatorFault::Value { .. })) => {
                Err(EvaluatorFault::Value { player }.into())
            }
            Err(other) => Err(other),
        }
    }

    fn check(&self, game: &G) -> Result<(), UnsupportedOption> {
        self.options.check(game)
    }

    fn is_deterministic(&self) -> bool {
        self.options.threads <= 1
    }

    fn score_tree(
        &self,
        game: &G,
        state: &G::State,
        query: &Query<'_, G::Move>,
        max_nodes: usize,
    ) -> Option<ScoreTree> {
        let player = root_player(game, state).ok()?;
        self.check(game).ok()?;
        let coalition = Coalition::new(game, player, &*self.evaluator, self.keys);
        let known_value = query.known_value.map(|value| coalition.score(value));
        let query = Query { known_value, ..Query::new(&query.limits) };
        let evaluator = CoalitionEvaluator(self.evaluator.clone());
        ScoreTree::new(&coalition, state, &evaluator, &self.options, &query, max_nodes)
    }
}

/// Converts a report of the two-player game to the original game, with utilities for proven values.
fn told<G: Game>(
    coalition: &Coalition<'_, G>,
    payoffs: &Payoffs,
    range: Option<(f64, f64)>,
    mut report: Report<G::Move>,
) -> Report<G::Move> {
    // Bounds are compared with the value of the best move, so they must have the same unit.
    let best_is_proven = report.lines.first().is_some_and(|line| line.outcome().is_some());
    for line in &mut report.lines {
        if !line.searched {
            line.value = Value::result(payoffs.least, payoffs);
            continue;
        }
        let (number, is_proven) = (line.value.number(), line.outcome().is_some());
        if !is_proven && !best_is_proven {
            if !payoffs.points {
                line.value = Value::evaluation(number, range);
            }
            continue;
        }
        line.value = Value::result(coalition.utility(number), payoffs);
        if is_proven && !payoffs.points {
            let outcome = match line.value.number() {
                x if x >= payoffs.most => Outcome::Win,
                x if x <= payoffs.least => Outcome::Loss,
                _ => Outcome::Draw,
            };
            line.value = line.value.proven(outcome, None).within(line.bound);
        }
    }
    report
}
