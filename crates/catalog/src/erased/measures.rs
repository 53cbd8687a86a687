//! Evaluations, counts and playouts of type-erased positions.

use tussle_core::{Game, Limits};
use tussle_search::PlayoutCounts;

use super::Position;
use crate::params::settle;
use crate::{Error, Spec};

/// Evaluations, counts of move sequences and playouts of a position, for tests, benchmarks and experiments.
pub trait PositionMeasures {
    /// Returns the evaluation of the position for a player. `evaluation` is a spec such as `territory:radius=5`, or
    /// empty for the default evaluation.
    ///
    /// # Errors
    /// If the game has no such evaluation or player.
    fn evaluate(&self, evaluation: &str, player: usize) -> Result<f64, Error>;
    /// Returns the number of move sequences of exactly `depth` plies.
    fn perft(&mut self, depth: u32) -> u64;
    /// Calls `each` with every legal move and the number of move sequences of exactly `depth` plies that start with
    /// it; does nothing for depth 0.
    fn divide(&mut self, depth: u32, each: &mut dyn FnMut(String, u64));
    /// Plays random games and returns their results.
    fn playouts(&self, limits: &Limits, seed: u64) -> PlayoutCounts;
    /// Plays heavy playouts and returns their results; `None` if the game has none.
    fn heavy_playouts(&self, limits: &Limits, seed: u64) -> Option<PlayoutCounts>;
}

impl<G: Game + 'static> PositionMeasures for Position<G> {
    fn evaluate(&self, evaluation: &str, player: usize) -> Result<f64, Error> {
        let game = self.game();
        if player >= game.players() {
            let n = game.players();
            return Err(Error::Spec(format!(
                "there is no player {player}: they count from 0 to {}",
                n - 1
            )));
        }
        // `territory:radius=5` is read like the parameters `eval=territory,radius=5`.
        let mut spec = Spec { name: "evaluation".to_owned(), pairs: Vec::new() };
        if !evaluation.is_empty() {
            let given = Spec::parse(evaluation)?;
            spec.pairs.push(("eval".to_owned(), given.name));
            spec.pairs.extend(given.pairs);
        }
        let table = [crate::Param {
            key: "eval",
            kind: crate::ParamKind::Evaluation,
            default: "",
            help: "",
        }];
        let args = settle(&spec, &table, self.rules.evaluations())?;
        let (index, args) = args.evaluation("eval");
        let evaluator = self.rules.capabilities.make_evaluator(index, &args);
        Ok(evaluator.value(game, &self.state, player))
    }

    fn perft(&mut self, depth: u32) -> u64 {
        // If the rules fail, the count is 0.
        tussle_search::perft(&*self.rules.game, &mut self.state, depth).unwrap_or_default()
    }

    fn divide(&mut self, depth: u32, each: &mut dyn FnMut(String, u64)) {
        let Some(rest) = depth.checked_sub(1) else { return };
        for mv in self.legal() {
            let text = self.rules.move_text(&self.state, mv);
            let game = &*self.rules.game;
            let perft = |child: &mut G::State| tussle_search::perft(game, child, rest);
            each(text, game.visit(&mut self.state, mv, perft).unwrap_or_default());
        }
    }

    fn playouts(&self, limits: &Limits, seed: u64) -> PlayoutCounts {
        tussle_search::playouts(self.game(), &self.state, limits, seed).unwrap_or_default()
    }

    fn heavy_playouts(&self, limits: &Limits, seed: u64) -> Option<PlayoutCounts> {
        let game = self.game();
        game.has_heavy_playout().then(|| {
            tussle_search::heavy_playouts(game, &self.state, limits, seed).unwrap_or_default()
        })
    }
}
