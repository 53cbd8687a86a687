//! Evaluations, counts and playouts.

use tussle_core::{Game, Limits};
use tussle_search::PlayoutCounts;

use super::Position;
use crate::params::settle;
use crate::{Error, Spec};

/// Measurements, for tests, benchmarks and experiments: evaluations, counts of move sequences, and
/// playouts.
pub trait PositionMeasures {
    /// Returns the value of an evaluation (a spec such as `territory:radius=5`; empty for the
    /// default one) for a player.
    ///
    /// # Errors
    /// If the game has no such evaluation or player.
    fn evaluate(&self, evaluation: &str, player: usize) -> Result<f64, Error>;
    /// The number of move sequences of this length from here.
    fn perft(&mut self, depth: u32) -> u64;
    /// The number of move sequences of this length that begin with each legal move, told to
    /// `each` one after another; nothing for length 0.
    fn divide(&mut self, depth: u32, each: &mut dyn FnMut(String, u64));
    /// Random games from here.
    fn playouts(&self, limits: &Limits, seed: u64) -> PlayoutCounts;
    /// Games from here played with some sense; `None` if the game has no heavy playouts.
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
        // `territory:radius=5` is read as the parameter `eval=territory` with its own beside it.
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
        // Rules that fail count nothing below the failure.
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
