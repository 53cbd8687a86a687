//! Rewards of leaves by playouts and evaluations.

use tussle_core::{Evaluations, Evaluator, Game, Leaf, Mixture, Outcome, Payoffs, Rng, Turn};

use super::options::{MctsOptions, Priors, Rollout};
use crate::fault::FaultCell;

/// Function that gives results of simulations, as in a pen-and-paper exercise.
///
/// It returns the result of simulation number `nth` (from 0) from a position for the first player, or `None` if
/// the simulation has to be played. Other players get the negated result.
pub type WrittenPlayouts<G> = fn(game: &G, state: &<G as Game>::State, nth: u64) -> Option<f64>;

/// Result of one simulation.
#[derive(Debug)]
pub(super) struct Scores {
    /// Reward of each player.
    pub(super) rewards: Vec<f64>,
    /// Parts of the first player's reward, if it mixes an evaluation with a playout.
    pub(super) mix: Option<Mixture>,
    /// Latest answer of the evaluator.
    evaluations: Evaluations,
}

impl Scores {
    pub(super) fn new(players: usize) -> Self {
        Self { rewards: vec![0.0; players], mix: None, evaluations: Evaluations::default() }
    }
}

/// Lists that a playout needs.
pub(super) struct PlayoutBuffers<'b, M> {
    /// Empty list for legal moves.
    pub(super) moves: &'b mut Vec<M>,
    /// List to which the moves of the playout are appended, with their players.
    pub(super) record: Option<&'b mut Vec<(usize, M)>>,
}

/// Valuation of leaves in one search.
pub(super) struct Leaves<'a, G: Game> {
    options: &'a MctsOptions,
    evaluator: Option<&'a dyn Evaluator<G>>,
    written: Option<WrittenPlayouts<G>>,
    faults: &'a FaultCell,
    payoffs: Payoffs,
    has_two_players: bool,
    pub(super) special: SpecialRewards,
}

/// Rewards with a special meaning.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpecialRewards {
    /// Lowest reward.
    pub(super) least: f64,
    /// Reward assumed without any knowledge.
    pub(super) middle: f64,
    /// Reward assumed for an unvisited child by policies that do not visit each child once.
    pub(super) unvisited: f64,
    /// Sum of the rewards of the root player and of its opponents as a coalition.
    pub(super) span: f64,
}

impl<G: Game> Clone for Leaves<'_, G> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<'a, G: Game> Leaves<'a, G> {
    pub(super) fn new(
        game: &G,
        options: &'a MctsOptions,
        evaluator: Option<&'a dyn Evaluator<G>>,
        written: Option<WrittenPlayouts<G>>,
        faults: &'a FaultCell,
    ) -> Self {
        let payoffs = game.payoffs();
        let has_two_players = game.players() == 2;
        let special = if payoffs.points {
            SpecialRewards { least: payoffs.least, middle: 0.0, unvisited: 0.0, span: 0.0 }
        } else {
            SpecialRewards { least: 0.0, middle: 0.5, unvisited: 0.5, span: 1.0 }
        };
        let special =
            SpecialRewards { unvisited: options.fpu.unwrap_or(special.unvisited), ..special };
        Self { options, evaluator, written, faults, payoffs, has_two_players, special }
    }

    /// Returns the reward for a utility: points unchanged, anything else as a number from 0 to 1.
    fn reward(&self, utility: f64) -> f64 {
        let Payoffs { least, most, points, .. } = self.payoffs;
        if points {
            utility
        } else if self.has_two_players && utility == 0.0 {
            self.options.draw
        } else {
            (utility - least) / (most - least)
        }
    }

    /// Returns the mean utility for a mean reward. It is exact only if a draw has the reward 0.5.
    pub(super) fn utility(&self, reward: f64) -> f64 {
        let Payoffs { least, most, points, .. } = self.payoffs;
        if points { reward } else { least + reward * (most - least) }
    }

    pub(super) fn rewards(&self, game: &G, state: &G::State, out: &mut [f64]) {
        for (player, reward) in out.iter_mut().enumerate() {
            *reward = self.reward(game.utility(state, player));
        }
    }

    /// Returns the utility of a proven outcome.
    pub(super) fn proven_utility(&self, outcome: Outcome) -> f64 {
        match outcome {
            Outcome::Win => self.payoffs.most,
            Outcome::Draw => 0.0,
            Outcome::Loss => self.payoffs.least,
        }
    }

    /// Computes the rewards of all players for an outcome that is proven for one of them.
    pub(super) fn proven_rewards(&self, outcome: Outcome, player: usize, out: &mut [f64]) {
        let utility = self.proven_utility(outcome);
        for (who, reward) in out.iter_mut().enumerate() {
            *reward = self.reward(if who == player { utility } else { 0.0 - utility });
        }
    }

    /// Runs simulation number `nth` (from 0) from this state, which it overwrites.
    pub(super) fn simulate(
        &self,
        game: &G,
        state: &mut G::State,
        nth: u64,
        rng: &mut Rng,
        buffers: PlayoutBuffers<'_, G::Move>,
        scores: &mut Scores,
    ) {
        let PlayoutBuffers { moves, record } = buffers;
        let Scores { rewards, mix, evaluations } = scores;
        *mix = None;
        if let Some(result) = self.written.and_then(|written| written(game, state, nth)) {
            for (player, reward) in rewards.iter_mut().enumerate() {
                *reward = if player == 0 { result } else { 0.0 - result };
            }
            return;
        }
        if game.turn(state) == Turn::Over {
            self.rewards(game, state, rewards);
            return;
        }
        let MctsOptions { rollout, lambda, .. } = *self.options;
        if let Some(evaluator) = self.evaluator
            && self.options.evaluates_leaves()
        {
            evaluator.evaluate(game, &[Leaf { state, moves: &[] }], evaluations);
            if self.faults.checked_answer(evaluations, rewards.len(), 0).is_none() {
                rewards.fill(self.special.middle); // the search stops, and reports the fault
                return;
            }
            if !self.options.plays_on() {
                rewards.copy_from_slice(&evaluations.values);
                return;
            }
        }
        match (rollout, record) {
            (Rollout::Greedy, record) if self.evaluator.is_some() => {
                let buffers = PlayoutBuffers { moves, record };
                if self.greedy_playout(game, state, rng, buffers).is_none() {
                    rewards.fill(self.special.middle);
                    return;
                }
            }
            (Rollout::Heavy, Some(record)) => {
                game.recorded_heavy_playout(state, rng, moves, record);
            }
            (Rollout::Heavy, None) => {
                game.heavy_playout(state, rng, moves);
            }
            (_, Some(record)) => {
                game.recorded_playout(state, rng, moves, record);
            }
            (_, None) => {
                game.playout(state, rng, moves);
            }
        }
        self.rewards(game, state, rewards);
        if lambda < 1.0 {
            let parts = evaluations.values.first().zip(rewards.first());
            *mix = parts.map(|(&evaluation, &rollout)| Mixture { lambda, evaluation, rollout });
            for (reward, value) in rewards.iter_mut().zip(&evaluations.values) {
                *reward = (1.0 - lambda) * *value + lambda * *reward;
            }
        }
    }

    /// Plays to the end; every player takes the move with the best evaluation, a random one among equals. Returns
    /// `None` if the evaluator fails; the game is then not finished.
    fn greedy_playout(
        &self,
        game: &G,
        state: &mut G::State,
        rng: &mut Rng,
        buffers: PlayoutBuffers<'_, G::Move>,
    ) -> Option<()> {
        let PlayoutBuffers { moves, mut record } = buffers;
        let evaluator = self.evaluator?;
        loop {
            let mv = match game.turn(state) {
                Turn::Over => return Some(()),
                Turn::Chance => game.sample(state, rng, moves),
                Turn::Player(player) => {
                    moves.clear();
                    game.moves(state, moves);
                    let Some(&first) = moves.first() else { return Some(()) }; // the rules have failed
                    let (mut best, mut chosen, mut equals) = (f64::NEG_INFINITY, first, 0);
                    for &mv in moves.iter() {
                        let value =
                            game.visit(state, mv, |child| evaluator.value(game, child, player));
                        let value = self.faults.checked(value, player)?;
                        if value > best {
                            (best, chosen, equals) = (value, mv, 1);
                        } else if value == best {
                            equals += 1;
                            if rng.below(equals) == 0 {
                                chosen = mv;
                            }
                        }
                    }
                    moves.clear();
                    if let Some(record) = &mut record {
                        record.push((player, chosen));
                    }
                    chosen
                }
            };
            game.play(state, mv);
        }
    }

    /// Appends the prior of every move.
    pub(super) fn priors(
        &self,
        game: &G,
        state: &G::State,
        moves: &[G::Move],
        scores: &mut Scores,
        out: &mut Vec<f32>,
    ) {
        if let Some(evaluator) = self.evaluator
            && self.options.priors == Priors::Evaluator
        {
            let Scores { rewards, evaluations, .. } = scores;
            evaluator.evaluate(game, &[Leaf { state, moves }], evaluations);
            if self.faults.checked_answer(evaluations, rewards.len(), moves.len()).is_some() {
                out.extend_from_slice(&evaluations.policy);
                return;
            }
        }
        out.extend(std::iter::repeat_n(1.0 / moves.len() as f32, moves.len()));
    }
}
