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
    /// True to take the priors of PUCT from the evaluator's policy [default: false, uniform priors].
    pub use_policy: bool,
    /// True to simulate every child of a new node once, false to simulate one child [default: false].
    pub expand_all: bool,
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
            use_policy: false,
            expand_all: false,
            shuffle_untried: true,
            final_move: FinalMove::Visits,
            keep_tree: false,
            solver: false,
            paranoid: false,
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
            || self.use_policy && self.has_priors()
    }

    /// Checks that a search with these options can play this game.
    pub(super) fn check<G: Game>(
        &self,
        game: &G,
        has_evaluator: bool,
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
