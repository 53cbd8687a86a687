//! Two-player view of a game of many players: one player against the coalition of all others.

use std::sync::Arc;

use tussle_core::{Evaluator, Game, Hashed, Payoffs, Rng, RulesError, Turn, ZeroSum, mix};

use crate::keys::KeyFunctions;
use crate::scale::{Scale, known_range};

/// Two-player game made of a game of many players. The first player is `one`; the second is the coalition
/// of all others, which minimises the value of the first.
///
/// Results are points on the scale of the evaluations, and larger than all of them. They are whole numbers,
/// because tables keep fewer digits than searches compare. Only their order matters.
pub(super) struct Coalition<'a, G: Game> {
    game: &'a G,
    /// Player against the coalition.
    one: usize,
    scale: Scale,
    /// True if the utilities of the original game are points.
    points: bool,
    /// Keys of the original game, if the search has a table.
    keys: Option<KeyFunctions<G>>,
}

impl<'a, G: Game> Coalition<'a, G> {
    pub(super) fn new(
        game: &'a G,
        one: usize,
        evaluator: &dyn Evaluator<G>,
        keys: Option<KeyFunctions<G>>,
    ) -> Self {
        let points = game.payoffs().points;
        Self { game, one, scale: Scale::new(game, evaluator).finer(), points, keys }
    }

    /// Returns the score of a utility of the original game.
    pub(super) fn score(&self, utility: f64) -> f64 {
        let score = self.scale.end(utility);
        if self.points { score } else { score.round() }
    }

    /// Returns the utility in the original game of a score that does not depend on evaluations.
    pub(super) fn utility(&self, score: f64) -> f64 {
        if self.points {
            return score;
        }
        let utility = self.scale.utility(score);
        // Undo the rounding of the score: a shared win is 1 / 2, 1 / 3 and so on.
        let share = 1.0 / (1.0 / utility).round();
        if (share - utility).abs() < 1e-4 { share } else { utility }
    }

    /// Returns the value for a player of the two-player game, given the value for `one`.
    fn sided(value: f64, player: usize) -> f64 {
        if player == 0 { value } else { 0.0 - value }
    }
}

impl<G: Game> Game for Coalition<'_, G> {
    type State = G::State;
    type Move = G::Move;

    fn start(&self) -> G::State {
        self.game.start()
    }

    fn turn(&self, state: &G::State) -> Turn {
        match self.game.turn(state) {
            Turn::Player(mover) => Turn::Player(usize::from(mover != self.one)),
            other => other,
        }
    }

    fn moves(&self, state: &G::State, out: &mut Vec<G::Move>) {
        self.game.moves(state, out);
    }

    fn play(&self, state: &mut G::State, mv: G::Move) {
        self.game.play(state, mv);
    }

    #[inline]
    fn visit<R>(
        &self,
        state: &mut G::State,
        mv: G::Move,
        then: impl FnOnce(&mut G::State) -> R,
    ) -> R {
        self.game.visit(state, mv, then)
    }

    fn utility(&self, state: &G::State, player: usize) -> f64 {
        Self::sided(self.score(self.game.utility(state, self.one)), player)
    }

    fn payoffs(&self) -> Payoffs {
        let Payoffs { least, most, .. } = self.game.payoffs();
        let most = self.score(least).abs().max(self.score(most).abs());
        Payoffs { least: -most, most, sum: 0.0, points: true }
    }

    fn has_chance(&self) -> bool {
        self.game.has_chance()
    }

    fn move_classes(&self) -> &'static [&'static str] {
        self.game.move_classes()
    }

    fn move_class(&self, state: &G::State, mv: G::Move) -> usize {
        self.game.move_class(state, mv)
    }

    fn probability(&self, state: &G::State, outcome: G::Move) -> f64 {
        self.game.probability(state, outcome)
    }

    fn distinct_moves(&self, state: &G::State, out: &mut Vec<G::Move>) {
        self.game.distinct_moves(state, out);
    }

    fn has_noisy_moves(&self) -> bool {
        self.game.has_noisy_moves()
    }

    fn noisy_moves(&self, state: &G::State, out: &mut Vec<G::Move>) {
        self.game.noisy_moves(state, out);
    }

    fn failure(&self) -> Option<RulesError> {
        self.game.failure()
    }

    fn sample(&self, state: &G::State, rng: &mut Rng, scratch: &mut Vec<G::Move>) -> G::Move {
        self.game.sample(state, rng, scratch)
    }

    fn playout(&self, state: &mut G::State, rng: &mut Rng, scratch: &mut Vec<G::Move>) -> u32 {
        self.game.playout(state, rng, scratch)
    }
}

impl<G: Game> ZeroSum for Coalition<'_, G> {}

impl<G: Game> Hashed for Coalition<'_, G> {
    fn board_key(&self, state: &G::State) -> u64 {
        self.table_key(state, u32::MAX)
    }

    fn table_key(&self, state: &G::State, reach: u32) -> u64 {
        self.keys.map_or(0, |keys| (keys.table_key)(self.game, state, reach)) ^ mix(self.one as u64)
    }

    fn has_repetition_draws(&self) -> bool {
        self.keys.is_some_and(|keys| (keys.has_repetition_draws)(self.game))
    }

    fn repeated_after(&self, state: &G::State) -> Option<u32> {
        self.keys.and_then(|keys| (keys.repeated_after)(self.game, state))
    }
}

/// Evaluator of the original game, for both players of the two-player game.
pub(super) struct CoalitionEvaluator<G: Game>(pub(super) Arc<dyn Evaluator<G>>);

impl<'a, G: Game> Evaluator<Coalition<'a, G>> for CoalitionEvaluator<G> {
    #[inline]
    fn value(&self, game: &Coalition<'a, G>, state: &G::State, player: usize) -> f64 {
        let value = self.0.value(game.game, state, game.one);
        // The search must see NaN and infinity, to report them; the scale would clamp infinity.
        let score = if value.is_finite() { game.scale.horizon(value) } else { value };
        Coalition::<G>::sided(score, player)
    }

    fn range(&self, game: &Coalition<'a, G>) -> Option<(f64, f64)> {
        let (low, high) = known_range(game.game, &*self.0)?;
        let most = game.scale.horizon(low.abs().max(high.abs()));
        Some((-most, most))
    }

    // `is_antisymmetric` stays false although the evaluator is antisymmetric: shared table entries would
    // change which nodes are visited.
}
