//! A game of many players, seen by one who takes all others for one rival.

use tussle_core::{
    Args, Evaluation, Evaluations, Game, Hashed, MoveClass, Payoffs, Rng, Turn, ZeroSum, mix,
};

use crate::scale::Scale;

/// A game of two, made of a game of many: one player is the first, everybody else together is
/// the second and wants the first to get as little as possible.
///
/// Finished games are amounts here, in the unit of the evaluations and beyond all of them: whole
/// numbers, for tables keep fewer digits than searches compare. Only their order matters.
pub(super) struct Coalition<'a, G: Evaluations> {
    game: &'a G,
    /// The one against all others.
    one: usize,
    scale: Scale,
    /// Utilities are amounts already.
    points: bool,
}

impl<'a, G: Evaluations> Coalition<'a, G> {
    pub(super) fn new(game: &'a G, one: usize, eval: &G::Eval) -> Self {
        let points = game.payoffs().points;
        Self { game, one, scale: Scale::new(game, eval).finer(), points }
    }

    /// What a result of the game of many counts here.
    pub(super) fn score(&self, utility: f64) -> f64 {
        let score = self.scale.end(utility);
        if self.points { score } else { score.round() }
    }

    /// What the game of many gives for a score without evaluations.
    pub(super) fn utility(&self, score: f64) -> f64 {
        if self.points {
            return score;
        }
        let utility = self.scale.utility(score);
        // Scores are rounded; shares of a win are not.
        let share = 1.0 / (1.0 / utility).round();
        if (share - utility).abs() < 1e-4 { share } else { utility }
    }

    /// The value for one of the two, from the value for the one.
    fn sided(value: f64, player: usize) -> f64 {
        if player == 0 { value } else { 0.0 - value }
    }
}

impl<G: Evaluations> Game for Coalition<'_, G> {
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

    fn move_classes(&self) -> &'static [MoveClass] {
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

    fn sample(&self, state: &G::State, rng: &mut Rng, scratch: &mut Vec<G::Move>) -> G::Move {
        self.game.sample(state, rng, scratch)
    }

    fn playout(&self, state: &mut G::State, rng: &mut Rng, scratch: &mut Vec<G::Move>) -> u32 {
        self.game.playout(state, rng, scratch)
    }
}

impl<G: Evaluations> ZeroSum for Coalition<'_, G> {}

impl<G: Evaluations + Hashed> Hashed for Coalition<'_, G> {
    fn board_key(&self, state: &G::State) -> u64 {
        self.game.board_key(state) ^ mix(self.one as u64)
    }

    fn table_key(&self, state: &G::State, reach: u32) -> u64 {
        self.game.table_key(state, reach) ^ mix(self.one as u64)
    }

    fn repetition_draws(&self) -> bool {
        self.game.repetition_draws()
    }

    fn repeated_after(&self, state: &G::State) -> Option<u32> {
        self.game.repeated_after(state)
    }
}

impl<G: Evaluations> Evaluations for Coalition<'_, G> {
    type Eval = G::Eval;

    // For either side they are what they are for the one, or its opposite; that they are
    // antisymmetric cannot be said in the list, and costs no more than a use of tables.
    const EVALUATIONS: &'static [Evaluation] = G::EVALUATIONS;

    fn evaluation(&self, index: usize, args: &Args) -> G::Eval {
        self.game.evaluation(index, args)
    }

    fn evaluate(&self, eval: &G::Eval, state: &G::State, player: usize) -> f64 {
        Self::sided(self.scale.horizon(self.game.evaluate(eval, state, self.one)), player)
    }

    fn range(&self, eval: &G::Eval) -> Option<(f64, f64)> {
        let (low, high) = self.game.range(eval)?;
        let most = self.scale.horizon(low.abs().max(high.abs()));
        Some((-most, most))
    }

    const HAS_LOUD_MOVES: bool = G::HAS_LOUD_MOVES;

    fn loud_moves(&self, state: &G::State, out: &mut Vec<G::Move>) {
        self.game.loud_moves(state, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game of three in which only `visit` shows the state 7.
    struct InPlace;

    impl Game for InPlace {
        type State = u32;
        type Move = u32;

        fn players(&self) -> usize {
            3
        }

        fn start(&self) -> u32 {
            0
        }

        fn turn(&self, _: &u32) -> Turn {
            Turn::Player(0)
        }

        fn moves(&self, _: &u32, out: &mut Vec<u32>) {
            out.push(1);
        }

        fn play(&self, state: &mut u32, mv: u32) {
            *state += mv;
        }

        fn visit<R>(&self, _: &mut u32, _: u32, then: impl FnOnce(&mut u32) -> R) -> R {
            then(&mut 7)
        }

        fn utility(&self, _: &u32, _: usize) -> f64 {
            0.0
        }
    }

    impl Evaluations for InPlace {
        type Eval = ();
        const EVALUATIONS: &'static [Evaluation] = &[];

        fn evaluation(&self, _: usize, _: &Args) {}

        fn evaluate(&self, (): &(), _: &u32, _: usize) -> f64 {
            0.0
        }
    }

    #[test]
    fn a_coalition_visits_moves_as_its_game_does() {
        let coalition = Coalition::new(&InPlace, 0, &());
        assert_eq!(coalition.visit(&mut 0, 1, |child| *child), 7);
    }
}
