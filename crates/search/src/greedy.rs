//! One ply of an evaluation.

use std::sync::Arc;

use tussle_core::time::{now, since};
use tussle_core::{Evaluator, Event, Game, LeafKind, Line, Observer, Report, Rng, Stats, Stopped};

use crate::agent::{check_rules, root_player};
use crate::{Agent, Query, SearchError};

/// Choice of [`Greedy`] among equally good moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Ties {
    /// The first one generated.
    First,
    /// The last one generated.
    #[default]
    Last,
    /// Any, equally likely.
    Random,
}

/// Options of [`Greedy`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct GreedyOptions {
    /// Choice among equally good moves [default: the last].
    pub ties: Ties,
    /// Seed of [`Ties::Random`].
    pub seed: u64,
}

/// Plays the move after which the evaluation is largest.
///
/// A finished game is worth what the evaluation says, so with an evaluation that ignores wins
/// it may walk past one.
#[derive(Clone)]
pub struct Greedy<G: Game> {
    options: GreedyOptions,
    evaluator: Arc<dyn Evaluator<G>>,
    rng: Rng,
}

impl<G: Game> Greedy<G> {
    /// Creates a player that compares moves with `evaluator`.
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
        // Events have the values of the first of two players.
        let is_turned = player == 1 && game.players() <= 2;
        let told = |value: f64| if is_turned { 0.0 - value } else { value };
        let value = |&mv: &G::Move| {
            let value = |child: &mut G::State| self.evaluator.value(game, child, player);
            let value = game.visit(&mut state, mv, value);
            let values = &[told(value)];
            enter(&mut observer, Some(mv));
            observer.event(Event::Leaf { values, kind: LeafKind::Evaluation });
            observer.event(Event::Leave { values });
            Line::new(mv, value)
        };
        let mut lines: Vec<_> = moves.iter().map(value).collect();
        check_rules(game)?;

        let best = lines.iter().map(|line| line.value).fold(f64::NEG_INFINITY, f64::max);
        let mut ties = (0..lines.len()).filter(|&i| lines[i].value == best);
        let chosen = match self.options.ties {
            Ties::First => ties.next(),
            Ties::Last => ties.next_back(),
            Ties::Random => {
                let n = ties.clone().count();
                ties.nth(if n == 0 { 0 } else { self.rng.below(n) })
            }
        };
        let chosen = lines.remove(chosen.ok_or(SearchError::GameOver)?);
        observer.event(Event::Leave { values: &[told(chosen.value)] });
        // A stable sort: equally good moves keep the order in which they are generated.
        lines.sort_by(|a, b| b.value.total_cmp(&a.value));
        lines.insert(0, chosen);

        let leaves = moves.len() as u64;
        let stats =
            Stats { depth: 1, nodes: 1 + leaves, leaves, evaluations: leaves, ..Stats::default() };
        Ok(Report::new(lines, stats, Stopped::Finished, since(began)))
    }
}

/// Enters a node without a window.
fn enter<M>(observer: &mut impl Observer<M>, mv: Option<M>) {
    observer.event(Event::Enter { mv, alpha: f64::NEG_INFINITY, beta: f64::INFINITY });
}
