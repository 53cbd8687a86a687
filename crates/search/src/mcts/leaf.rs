//! What a leaf is worth: rewards, rollouts and evaluations.

use tussle_core::{Evaluations, Game, Outcome, Payoffs, Rng, Turn};

use super::settings::{Rollout, Switches};

/// Values of leaves and priors of moves, from anything that can judge a position: an evaluation
/// now, a trained net in another crate.
pub trait LeafEvaluation<G: Game>: Send + Sync {
    /// The value of an unfinished position for each player, between 0 (lost) and 1 (won); in
    /// games of points, points.
    fn values(&self, game: &G, state: &G::State, out: &mut [f64]);

    /// How likely each move is to be the best, one number for each; they sum to 1. The state may
    /// be changed meanwhile and is left as it was.
    fn priors(
        &self,
        game: &G,
        state: &mut G::State,
        player: usize,
        moves: &[G::Move],
        out: &mut Vec<f32>,
    );
}

/// An evaluation of the game, squeezed into 0 to 1.
#[derive(Clone, Debug)]
pub(super) struct Heuristic<E> {
    pub(super) eval: E,
    /// The least and the largest value; where they are not known, the squeeze is gradual.
    pub(super) range: Option<(f64, f64)>,
    /// Whether results are points, which are what evaluations are in.
    pub(super) points: bool,
}

impl<E> Heuristic<E> {
    fn squeeze(&self, value: f64) -> f64 {
        match self.range {
            Some((low, high)) if high > low => ((value - low) / (high - low)).clamp(0.0, 1.0),
            _ => 0.5 + 0.5 * value / (10.0 + value.abs()),
        }
    }
}

impl<G: Evaluations> LeafEvaluation<G> for Heuristic<G::Eval> {
    fn values(&self, game: &G, state: &G::State, out: &mut [f64]) {
        for (player, value) in out.iter_mut().enumerate() {
            let worth = game.evaluate(&self.eval, state, player);
            *value = if self.points { worth } else { self.squeeze(worth) };
        }
    }

    fn priors(
        &self,
        game: &G,
        state: &mut G::State,
        player: usize,
        moves: &[G::Move],
        out: &mut Vec<f32>,
    ) {
        let base = out.len();
        for &mv in moves {
            let value = game.visit(state, mv, |child| game.evaluate(&self.eval, child, player));
            // A difference of a tenth of the range makes a move twice as likely.
            out.push((10.0 * self.squeeze(value)).exp2() as f32);
        }
        let sum: f32 = out[base..].iter().sum();
        out[base..].iter_mut().for_each(|prior| *prior /= sum);
    }
}

/// What one simulation gives.
#[derive(Debug)]
pub(super) struct Scores {
    /// For each player.
    pub(super) rewards: Vec<f64>,
    /// What the evaluation said of the leaf, for each player.
    values: Vec<f64>,
}

impl Scores {
    pub(super) fn new(players: usize) -> Self {
        Self { rewards: vec![0.0; players], values: vec![0.0; players] }
    }
}

/// How leaves are valued in one search.
pub(super) struct Leaves<'a, G: Evaluations> {
    switches: &'a Switches,
    /// Nobody unless leaves or moves are judged.
    judge: Option<&'a dyn LeafEvaluation<G>>,
    greedy: Option<&'a G::Eval>,
    payoffs: Payoffs,
    duel: bool,
    pub(super) levels: Levels,
}

/// Rewards that mean something.
#[derive(Clone, Copy, Debug)]
pub(super) struct Levels {
    /// The least there is.
    pub(super) least: f64,
    /// What nobody knows yet is worth.
    pub(super) middle: f64,
    /// What all players share, for those who play against one.
    pub(super) span: f64,
}

impl<G: Evaluations> Clone for Leaves<'_, G> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<'a, G: Evaluations> Leaves<'a, G> {
    pub(super) fn new(
        game: &G,
        switches: &'a Switches,
        judge: Option<&'a dyn LeafEvaluation<G>>,
        greedy: Option<&'a G::Eval>,
    ) -> Self {
        let payoffs = game.payoffs();
        let duel = game.players() == 2;
        let levels = if payoffs.points {
            Levels { least: payoffs.least, middle: 0.0, span: 0.0 }
        } else {
            Levels { least: 0.0, middle: 0.5, span: 1.0 }
        };
        Self { switches, judge, greedy, payoffs, duel, levels }
    }

    /// The reward for a utility: points as they are, anything else between 0 and 1.
    fn reward(&self, utility: f64) -> f64 {
        let Payoffs { least, most, points, .. } = self.payoffs;
        if points {
            utility
        } else if self.duel && utility == 0.0 {
            self.switches.draw
        } else {
            (utility - least) / (most - least)
        }
    }

    /// The utility whose mean this reward is; draws that are not worth half a win shift it.
    pub(super) fn utility(&self, reward: f64) -> f64 {
        let Payoffs { least, most, points, .. } = self.payoffs;
        if points { reward } else { least + reward * (most - least) }
    }

    pub(super) fn rewards(&self, game: &G, state: &G::State, out: &mut [f64]) {
        for (player, reward) in out.iter_mut().enumerate() {
            *reward = self.reward(game.utility(state, player));
        }
    }

    /// What an end that is proven for a player is worth to that player.
    pub(super) fn proven_utility(&self, outcome: Outcome) -> f64 {
        match outcome {
            Outcome::Win => self.payoffs.most,
            Outcome::Draw => 0.0,
            Outcome::Loss => self.payoffs.least,
        }
    }

    /// What an end that is proven for a player gives to each.
    pub(super) fn proven_rewards(&self, outcome: Outcome, player: usize, out: &mut [f64]) {
        let utility = self.proven_utility(outcome);
        for (who, reward) in out.iter_mut().enumerate() {
            *reward = self.reward(if who == player { utility } else { 0.0 - utility });
        }
    }

    /// The rewards of one simulation from this state, which is used up; `nth` simulations went
    /// before it.
    pub(super) fn simulate(
        &self,
        game: &G,
        state: &mut G::State,
        nth: u64,
        rng: &mut Rng,
        moves: &mut Vec<G::Move>,
        scores: &mut Scores,
    ) {
        let Scores { rewards, values } = scores;
        if let Some(result) = game.scripted(state, nth) {
            for (player, reward) in rewards.iter_mut().enumerate() {
                *reward = if player == 0 { result } else { 0.0 - result };
            }
            return;
        }
        if game.turn(state) == Turn::Over {
            self.rewards(game, state, rewards);
            return;
        }
        let Switches { rollout, lambda, .. } = *self.switches;
        if let Some(judge) = self.judge
            && self.switches.uses_judge()
        {
            judge.values(game, state, values);
            if !self.switches.plays_on() {
                rewards.copy_from_slice(values);
                return;
            }
        }
        match rollout {
            Rollout::Heavy => {
                game.heavy_playout(state, rng, moves);
            }
            Rollout::Greedy if self.greedy.is_some() => {
                self.greedy_playout(game, state, rng, moves);
            }
            _ => {
                game.playout(state, rng, moves);
            }
        }
        self.rewards(game, state, rewards);
        if lambda < 1.0 {
            for (reward, value) in rewards.iter_mut().zip(values) {
                *reward = (1.0 - lambda) * *value + lambda * *reward;
            }
        }
    }

    /// Everybody plays the move after which the evaluation is best; any of equals.
    fn greedy_playout(
        &self,
        game: &G,
        state: &mut G::State,
        rng: &mut Rng,
        moves: &mut Vec<G::Move>,
    ) {
        let Some(eval) = self.greedy else { return };
        loop {
            let mv = match game.turn(state) {
                Turn::Over => return,
                Turn::Chance => game.sample(state, rng, moves),
                Turn::Player(player) => {
                    moves.clear();
                    game.moves(state, moves);
                    let (mut best, mut chosen, mut equals) = (f64::NEG_INFINITY, moves[0], 0);
                    for &mv in moves.iter() {
                        let value =
                            game.visit(state, mv, |child| game.evaluate(eval, child, player));
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
                    chosen
                }
            };
            game.play(state, mv);
        }
    }

    pub(super) fn priors(
        &self,
        game: &G,
        state: &mut G::State,
        player: usize,
        moves: &[G::Move],
        out: &mut Vec<f32>,
    ) {
        if let Some(judge) = self.judge
            && self.switches.eval_priors
        {
            judge.priors(game, state, player, moves, out);
        } else {
            out.extend(std::iter::repeat_n(1.0 / moves.len() as f32, moves.len()));
        }
    }
}
