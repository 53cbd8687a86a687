//! Searches of the positions of a game.

use tussle_catalog::{AnyAgent, AnyGame, AnyPosition, Query, turns};
use tussle_core::{Limits, Line, Outcome, Report, Turn};

use super::{ReviewError, Reviewer};

/// Approximate number of nodes that alpha-beta enters in the time of one simulation.
const NODES_PER_SIMULATION: u64 = 20;

/// Number of consecutive positions without a proof after which the search for proofs ends.
const MAX_POSITIONS_WITHOUT_PROOF: u32 = 3;

/// Number of the best-looking moves that are tried, in case some of them turn out to be lost.
pub(super) const MAX_FAVOURITES: usize = 4;

/// Minimum number of nodes for each outcome of a chance node.
const MIN_OUTCOME_NODES: u64 = 50;

/// Value of a position.
#[derive(Clone, Debug)]
pub(super) struct PositionValue {
    /// Value for every player.
    pub(super) values: Vec<f64>,
    /// Proven outcome for every player, in games without points.
    pub(super) outcomes: Vec<Option<Outcome>>,
    /// Plies to the end, if the outcome is proven.
    pub(super) distance: Option<u32>,
    /// Expected continuation.
    pub(super) line: Vec<String>,
    /// Moves with the best values, the best first.
    pub(super) favourites: Vec<String>,
    /// Square of the standard error of the values.
    pub(super) variance: f64,
    /// True if the values are in the unit of an evaluation.
    pub(super) is_estimate: bool,
}

impl PositionValue {
    pub(super) fn is_proven(&self) -> bool {
        self.outcomes.iter().all(Option::is_some)
    }

    fn over(utilities: Vec<f64>) -> Self {
        let outcome = |player| Some(turns::outcome(&utilities, player));
        Self {
            outcomes: (0..utilities.len()).map(outcome).collect(),
            values: utilities,
            distance: Some(0),
            line: Vec::new(),
            favourites: Vec::new(),
            variance: 0.0,
            is_estimate: false,
        }
    }
}

/// Searches positions.
pub(super) struct Judge<'a> {
    game: &'a dyn AnyGame,
    reviewer: &'a Reviewer,
    name: String,
    agent: Box<dyn AnyAgent>,
    /// Agent that searches for proofs; dropped after several positions without one.
    prover: Option<Box<dyn AnyAgent>>,
    /// True if the latest step found a proof.
    proved: bool,
    fruitless: u32,
}

impl<'a> Judge<'a> {
    pub(super) fn new(game: &'a dyn AnyGame, reviewer: &'a Reviewer) -> Result<Self, ReviewError> {
        let seed = reviewer.seed;
        let (name, agent, prover) = match &reviewer.agent {
            Some(spec) if tussle_catalog::is_program(spec) => {
                return Err(ReviewError::Program(spec.clone()));
            }
            Some(spec) => (spec.clone(), game.agent(spec, seed)?, None),
            // Only maxn gives both players a value if one does not follow from the other.
            None if game.players() == 2 && !game.is_zero_sum() => {
                ("maxn".to_owned(), game.agent("maxn", seed)?, None)
            }
            // Means of simulations have one scale in all games. In games of two players without chance, where
            // the solver is available, alpha-beta searches for proofs first.
            None => match game.agent("mcts:solver=on", seed) {
                Ok(agent) => {
                    let prover = game.agent("alphabeta", seed)?;
                    ("alphabeta, mcts:solver=on".to_owned(), agent, Some(prover))
                }
                Err(_) => ("mcts".to_owned(), game.agent("mcts", seed)?, None),
            },
        };
        Ok(Self { game, reviewer, name, agent, prover, proved: false, fruitless: 0 })
    }

    pub(super) fn name(&self) -> String {
        self.name.clone()
    }

    /// Prepares for the next position, which is one move earlier.
    pub(super) fn stepped(&mut self) {
        self.fruitless = if self.proved { 0 } else { self.fruitless + 1 };
        if self.fruitless >= MAX_POSITIONS_WITHOUT_PROOF {
            self.prover = None;
        }
        self.proved = false;
    }

    /// Measures the value of a position.
    pub(super) fn measure(
        &mut self,
        position: &dyn AnyPosition,
    ) -> Result<PositionValue, ReviewError> {
        self.share(position, 1.0)
    }

    fn share(
        &mut self,
        position: &dyn AnyPosition,
        share: f64,
    ) -> Result<PositionValue, ReviewError> {
        if self.reviewer.stop.is_stopped() {
            return Err(ReviewError::Stopped);
        }
        match position.turn() {
            Turn::Over => {
                self.proved = true;
                let mut over = PositionValue::over(position.utilities().unwrap_or_default());
                if !self.is_decisive() {
                    over.outcomes.fill(None);
                }
                Ok(over)
            }
            Turn::Chance => self.mean(position, share),
            Turn::Player(mover) => self.search(position, mover, share),
        }
    }

    /// Returns the mean over the outcomes of a chance node.
    fn mean(
        &mut self,
        position: &dyn AnyPosition,
        share: f64,
    ) -> Result<PositionValue, ReviewError> {
        let mut mean: Option<PositionValue> = None;
        let mut there = position.boxed();
        for (mv, odds) in position.moves().iter().zip(position.probabilities()) {
            there.play(mv)?;
            let one = self.share(there.as_ref(), share * odds)?;
            there.undo();
            let sum = mean.get_or_insert_with(|| PositionValue {
                values: vec![0.0; one.values.len()],
                outcomes: one.outcomes.clone(),
                distance: None,
                line: Vec::new(),
                favourites: Vec::new(),
                variance: 0.0,
                is_estimate: false,
            });
            for (sum, value) in sum.values.iter_mut().zip(&one.values) {
                *sum += odds * value;
            }
            for (all, one) in sum.outcomes.iter_mut().zip(one.outcomes) {
                *all = all.filter(|_| *all == one);
            }
            sum.variance += odds * odds * one.variance;
            sum.is_estimate |= one.is_estimate;
        }
        mean.ok_or(ReviewError::NoOutcome)
    }

    fn search(
        &mut self,
        position: &dyn AnyPosition,
        mover: usize,
        share: f64,
    ) -> Result<PositionValue, ReviewError> {
        // The search for proofs and the other search share the time of a position.
        let time = if self.prover.is_some() { 0.5 * share } else { share };
        let mut proof = self.limits(share, time);
        proof.nodes = proof.nodes.map(|nodes| nodes.saturating_mul(NODES_PER_SIMULATION));
        if let Some(prover) = &mut self.prover {
            let report = prover.analyse(position, Query::new(&proof))?;
            if report.outcome().is_some() {
                return self.told_by(&report, mover);
            }
        }
        let limits = self.limits(share, time);
        let report = self.agent.analyse(position, Query::new(&limits))?;
        if self.reviewer.stop.is_stopped() {
            return Err(ReviewError::Stopped);
        }
        let looked = report.stats.leaves + report.stats.evaluations + report.stats.playouts;
        if looked == 0 && report.stats.nodes <= 1 && position.moves().len() > 1 {
            return Err(ReviewError::NoSearch(self.name.clone()));
        }
        self.told_by(&report, mover)
    }

    fn limits(&self, share: f64, time_share: f64) -> Limits {
        let mut limits = Limits::memory(self.reviewer.memory);
        limits.stop = Some(self.reviewer.stop.clone());
        let part = |nodes: u64| ((nodes as f64 * share) as u64).max(MIN_OUTCOME_NODES.min(nodes));
        limits.nodes = self.reviewer.nodes.map(part);
        match self.reviewer.time {
            Some(time) => limits.or_time(time.mul_f64(time_share)),
            None => limits,
        }
    }

    /// Returns true for games without points, in which all wins are equal.
    fn is_decisive(&self) -> bool {
        let payoffs = self.game.payoffs();
        !payoffs.points && payoffs.most - payoffs.least <= 2.0
    }

    fn told_by(
        &mut self,
        report: &Report<String>,
        mover: usize,
    ) -> Result<PositionValue, ReviewError> {
        let players = self.game.players();
        let silent = || ReviewError::NoValues(self.name.clone());
        let best = report.lines.first().ok_or_else(silent)?;
        let values = self.game.values(mover, best).filter(|values| values.len() == players);
        let values = values.filter(|all| all.iter().all(|value| value.is_finite()));
        let values = values.ok_or_else(silent)?;
        let proven = report.outcome();
        let outcome = proven.filter(|_| self.is_decisive());
        self.proved |= outcome.is_some();
        let mut outcomes = vec![None; players];
        outcomes[mover] = outcome;
        if players == 2 {
            outcomes[1 - mover] = outcome.map(Outcome::for_opponent);
        }
        Ok(PositionValue {
            values,
            outcomes,
            distance: outcome.and(best.distance()),
            line: best.pv.clone(),
            favourites: report
                .lines
                .iter()
                .take(MAX_FAVOURITES)
                .map(|line| line.mv.clone())
                .collect(),
            variance: if proven.is_some() { 0.0 } else { variance(best) },
            is_estimate: proven.is_none() && best.sampled.is_none(),
        })
    }
}

/// Returns the variance of the mean of a line. Results differ from their mean by at most 1, in units of a win.
fn variance(line: &Line<String>) -> f64 {
    if line.sampled.is_some() { 1.0 / line.visits.max(1) as f64 } else { 0.0 }
}
