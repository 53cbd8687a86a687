//! Options of Monte Carlo tree search.

use tussle_core::Game;

use super::policy::SelectionPolicy;
use crate::UnsupportedOption;
use crate::agent::check_draw;
use crate::keys::KeyFunctions;

/// Minimum memory limit. Less would not hold the moves of some positions.
const MIN_MEMORY_BYTES: usize = 256_000;

/// Playout policy of [`Mcts`](super::Mcts), by which a leaf gets its reward.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Rollout {
    /// Playouts of random moves.
    #[default]
    Random,
    /// Playouts in which every player takes the move with the best evaluation. Needs an evaluator.
    Greedy,
    /// [Heavy playouts](Game::heavy_playout) of the game.
    Heavy,
    /// No playout: the reward is the evaluation of the leaf. Needs an evaluator.
    Evaluation,
}

/// Final move choice of [`Mcts`](super::Mcts).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum FinalMove {
    /// The move with the most visits (robust child).
    #[default]
    Visits,
    /// The move with the highest mean reward (max child).
    Mean,
    /// The move with the largest sum of rewards.
    Total,
    /// The move with the highest lower confidence bound, mean - c / sqrt(n) (secure child).
    Secure,
}

/// Priors of moves: how promising a move is before its first visit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Priors {
    /// All moves are equally promising.
    #[default]
    Uniform,
    /// The evaluator's policy. Only [`SelectionPolicy::Puct`] uses it.
    Evaluator,
    /// [Promises](tussle_core::Tactics::promise) of the game. Moves with larger promises are tried first.
    Tactics,
}

/// Options of [`Mcts`](super::Mcts).
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "they are switches")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct MctsOptions {
    /// Exploration constant of UCB1 and PUCT [default: sqrt 2].
    pub c: f64,
    /// Selection policy [default: UCB1].
    pub policy: SelectionPolicy,
    /// Playout policy [default: random moves].
    pub rollout: Rollout,
    /// Weight of the playout [default: 1]: the reward of a leaf is (1 - lambda) x evaluation + lambda x
    /// result of the playout. Below 1 it needs an evaluator.
    pub lambda: f64,
    /// Priors of moves [default: uniform].
    pub priors: Priors,
    /// Weight w of the progressive bias of UCB1 with priors by tactics [default: 0.1]: the mean of a child is
    /// increased by w prior / (1 + n), where the largest prior among siblings is 1.
    pub prior_weight: f64,
    /// First-play urgency: mean that selection assumes for an unvisited child, in the unit of the rewards
    /// [default: `None`]. `None` means infinity under UCB1, and half a win under PUCT.
    pub fpu: Option<f64>,
    /// All moves as first (GRAVE): number of visits from which a position has statistics of the moves
    /// made at any later time, for itself and for the positions below [default: `None`, off].
    pub rave: Option<u32>,
    /// Bias b of these statistics [default: 0.001]. Their share of a mean is m / (m + n + b m n), for m
    /// simulations with the move at any later time and n visits of the child.
    pub rave_bias: f64,
    /// True to simulate every child of a new node once, false to simulate one child [default: false].
    pub expand_all: bool,
    /// Number of visits at which a position gets its children, at least 2 [default: 2]. More visits need less
    /// memory. No effect with `expand_all`.
    pub expand_visits: u32,
    /// True to try unvisited moves in random order, false to try them as the game lists them [default: true].
    pub shuffle_untried: bool,
    /// Final move choice [default: most visits].
    pub final_move: FinalMove,
    /// True to keep the subtree of the current position between searches [default: false].
    pub keep_tree: bool,
    /// True to back up proven wins, draws and losses, and to stop once the root is proven
    /// (MCTS-Solver) [default: false].
    pub solver: bool,
    /// True to assume that all opponents play against the root player, in games of more than two players
    /// [default: false].
    pub paranoid: bool,
    /// True to manage the time of game clocks that keep unused time, where the hard limit is above the soft
    /// one [default: false].
    ///
    /// The search stops when no other move can get more visits until the soft limit. It continues up to the hard
    /// limit while the choice is contested: the second move has three quarters of the visits of the first, or
    /// another move has a higher mean.
    pub adaptive: bool,
    /// Number of threads, at most [`MAX_THREADS`](crate::MAX_THREADS) [default: 1]. With several, the
    /// answer depends on timing.
    pub threads: usize,
    /// Memory limit of the tree in bytes, at least 256 KB [default: 500 MB].
    pub memory: usize,
    /// Reward of a draw between 0 (loss) and 1 (win) [default: 0.5].
    pub draw: f64,
    /// True to try only one of several equivalent moves [default: true].
    pub dedupe: bool,
    /// Seed of the random choices.
    pub seed: u64,
}

impl Default for MctsOptions {
    fn default() -> Self {
        Self {
            c: std::f64::consts::SQRT_2,
            policy: SelectionPolicy::Ucb1,
            rollout: Rollout::Random,
            lambda: 1.0,
            priors: Priors::Uniform,
            prior_weight: 0.1,
            fpu: None,
            rave: None,
            rave_bias: 0.001,
            expand_all: false,
            expand_visits: 2,
            shuffle_untried: true,
            final_move: FinalMove::Visits,
            keep_tree: false,
            solver: false,
            paranoid: false,
            adaptive: false,
            threads: 1,
            memory: 500_000_000,
            draw: 0.5,
            dedupe: true,
            seed: 0,
        }
    }
}

impl MctsOptions {
    /// Returns true if children have priors.
    pub(super) fn has_priors(&self) -> bool {
        self.policy == SelectionPolicy::Puct
    }

    /// Returns true if leaves are evaluated.
    pub(super) fn evaluates_leaves(&self) -> bool {
        self.rollout == Rollout::Evaluation || self.lambda < 1.0
    }

    /// Returns true if leaves have playouts.
    pub(super) fn plays_on(&self) -> bool {
        self.rollout != Rollout::Evaluation && self.lambda > 0.0
    }

    fn needs_evaluator(&self) -> bool {
        self.evaluates_leaves()
            || self.rollout == Rollout::Greedy
            || self.priors == Priors::Evaluator && self.has_priors()
    }

    /// Checks that a search with these options can play this game.
    pub(super) fn check<G: Game>(
        &self,
        game: &G,
        has_evaluator: bool,
        has_promises: bool,
        keys: Option<KeyFunctions<G>>,
    ) -> Result<(), UnsupportedOption> {
        let number = |option, range| Err(UnsupportedOption::Number { option, range });
        if !(self.c.is_finite() && self.c >= 0.0) {
            return number("c", "a number from 0");
        }
        if !(0.0..=1.0).contains(&self.lambda) {
            return number("lambda", "a number from 0 to 1");
        }
        if let SelectionPolicy::Epsilon(epsilon) = self.policy
            && !(0.0..=1.0).contains(&epsilon)
        {
            return number("epsilon", "a number from 0 to 1");
        }
        if self.fpu.is_some_and(|fpu| !fpu.is_finite()) {
            return number("fpu", "a finite number");
        }
        if self.expand_visits < 2 {
            return number("expand_visits", "a whole number from 2");
        }
        if self.rave == Some(0) {
            return number("rave", "a whole number from 1");
        }
        if !(self.rave_bias.is_finite() && self.rave_bias >= 0.0) {
            return number("rave_bias", "a number from 0");
        }
        if !(self.prior_weight.is_finite() && self.prior_weight >= 0.0) {
            return number("prior_weight", "a number from 0");
        }
        if self.priors == Priors::Tactics && !has_promises {
            return Err(UnsupportedOption::NoTactics);
        }
        check_draw(self.draw)?;
        if self.memory < MIN_MEMORY_BYTES {
            return Err(UnsupportedOption::Memory { least: MIN_MEMORY_BYTES });
        }
        if self.needs_evaluator() && !has_evaluator {
            return Err(UnsupportedOption::NoEvaluator);
        }
        if self.rollout == Rollout::Heavy && !game.has_heavy_playout() {
            return Err(UnsupportedOption::HeavyRollouts);
        }
        if self.solver && (game.players() != 2 || game.payoffs().points || game.has_chance()) {
            return Err(UnsupportedOption::Solver);
        }
        if keys.is_some_and(|keys| (keys.has_repetition_draws)(game)) {
            return Err(UnsupportedOption::Transpositions);
        }
        Ok(())
    }
}
