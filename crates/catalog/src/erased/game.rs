//! Type-erased games.

use std::sync::Arc;
use std::time::Duration;

use tussle_core::{Game, Limits, Line, ParseError, Payoffs, RulesError};

use super::{AnyAgent, AnyPosition, Position, Rules};
use crate::agents;
use crate::{Catalog, Error, Evaluation, Spec, TreeFile, plain};

/// Game whose type is not known.
pub trait AnyGame: Send + Sync {
    /// Returns the canonical spec: the spec string of this game without defaults.
    fn spec(&self) -> &str;
    /// Returns the catalog of the game.
    fn catalog(&self) -> &Catalog;
    /// Returns the number of players.
    fn players(&self) -> usize;
    /// Returns the evaluations, the default one first.
    fn evaluations(&self) -> &[Evaluation];
    /// Returns the number of symmetries of the rules, including the identity.
    fn symmetries(&self) -> usize;
    /// Returns the bounds of utilities.
    fn payoffs(&self) -> Payoffs;
    /// Returns true if the game declares two players with opposite interests.
    fn is_zero_sum(&self) -> bool;
    /// Returns the first error of rules that can fail, after which every position counts as finished; `None` for all
    /// others.
    fn failure(&self) -> Option<RulesError>;
    /// Returns the value of a line of a report for every player, if the line has a value; `mover` is the player to
    /// move at the root.
    fn values(&self, mover: usize, line: &Line<String>) -> Option<Vec<f64>>;
    /// Returns the facts of the tree file that the game was built from; `None` for other games.
    fn tree_file(&self) -> Option<&TreeFile> {
        None
    }
    /// Returns the spec of an agent with all presets, and `best`, replaced: the name of an agent and all given
    /// parameters.
    ///
    /// # Errors
    /// If no agent or preset has this name.
    fn expanded_agent(&self, spec: &str) -> Result<Spec, Error>;
    /// Returns true if an agent is a classical search, which uses a depth limit.
    ///
    /// # Errors
    /// If no agent or preset has this name.
    fn looks_by_plies(&self, spec: &str) -> Result<bool, Error> {
        Ok(agents::looks_by_plies(&self.expanded_agent(spec)?))
    }
    /// Returns true if an agent without further limits searches until it has a proof: a classical search whose spec
    /// has no limit.
    ///
    /// # Errors
    /// If no agent or preset has this name.
    fn runs_to_a_proof(&self, spec: &str) -> Result<bool, Error> {
        Ok(agents::runs_to_a_proof(&self.expanded_agent(spec)?))
    }
    /// Returns a default time limit for an agent that would otherwise search indefinitely: `mcts`, if neither its
    /// spec nor the limits have a number of simulations or a time. The library itself sets no default limit.
    ///
    /// # Errors
    /// If no agent or preset has this name.
    fn default_time(&self, spec: &str, limits: &Limits) -> Result<Option<Duration>, Error> {
        Ok(agents::default_time(&self.expanded_agent(spec)?, limits))
    }
    /// Returns an agent's spec with all the parameters that it has in this game: given, by a preset, by the game, or
    /// by default. Those without a value are left out.
    ///
    /// # Errors
    /// If no agent or preset has this name.
    fn settled_agent(&self, spec: &str) -> Result<Spec, Error>;
    /// Returns a standard agent's spec with all its parameters, in a form that means the same in versions with other
    /// tuned defaults: `mcts` is `mcts-textbook` with all keys. `None` for an agent that was added to the catalog.
    ///
    /// # Errors
    /// If no agent or preset has this name.
    fn recorded_agent(&self, spec: &str) -> Result<Option<Spec>, Error>;
    /// Returns the position a game starts from.
    fn start(&self) -> Box<dyn AnyPosition>;
    /// Parses a position.
    ///
    /// # Errors
    /// If the text is malformed or these rules cannot have such a position.
    fn position(&self, text: &str) -> Result<Box<dyn AnyPosition>, Error>;
    /// Creates an agent for this game.
    ///
    /// # Errors
    /// If no agent has this name, its parameters are wrong, or it cannot play this game.
    fn agent(&self, spec: &str, seed: u64) -> Result<Box<dyn AnyAgent>, Error>;
}

/// Typed rules behind the erased layer.
pub(super) struct TypedGame<G: Game>(pub(super) Arc<Rules<G>>);

impl<G: Game + 'static> TypedGame<G> {
    fn at(&self, state: G::State) -> Box<dyn AnyPosition> {
        Box::new(Position::new(&self.0, state))
    }
}

impl<G: Game + 'static> AnyGame for TypedGame<G> {
    fn spec(&self) -> &str {
        &self.0.spec
    }

    fn catalog(&self) -> &Catalog {
        &self.0.catalog
    }

    fn players(&self) -> usize {
        self.0.game.players()
    }

    fn evaluations(&self) -> &[Evaluation] {
        self.0.evaluations()
    }

    fn symmetries(&self) -> usize {
        let symmetry = self.0.capabilities.symmetry.as_ref();
        symmetry.map_or(1, |symmetry| (symmetry.symmetries)(&self.0.game))
    }

    fn payoffs(&self) -> Payoffs {
        self.0.game.payoffs()
    }

    fn is_zero_sum(&self) -> bool {
        self.0.capabilities.is_zero_sum
    }

    fn failure(&self) -> Option<RulesError> {
        self.0.game.failure()
    }

    fn values(&self, mover: usize, line: &Line<String>) -> Option<Vec<f64>> {
        if !line.values.is_empty() {
            return Some(line.values.clone());
        }
        let value = line.known_value().filter(|_| self.0.capabilities.is_zero_sum)?;
        let firsts =
            if self.0.capabilities.first_players_view || mover == 0 { value } else { 0.0 - value };
        Some(vec![firsts, 0.0 - firsts]) // no -0
    }

    fn tree_file(&self) -> Option<&TreeFile> {
        self.0.capabilities.tree_file.as_ref()
    }

    fn expanded_agent(&self, spec: &str) -> Result<Spec, Error> {
        agents::expanded(&self.0, spec)
    }

    fn settled_agent(&self, spec: &str) -> Result<Spec, Error> {
        agents::settled(&self.0, spec)
    }

    fn recorded_agent(&self, spec: &str) -> Result<Option<Spec>, Error> {
        agents::recorded(&self.0, spec)
    }

    fn start(&self) -> Box<dyn AnyPosition> {
        self.at(self.0.game.start())
    }

    fn position(&self, text: &str) -> Result<Box<dyn AnyPosition>, Error> {
        if let Some(notation) = &self.0.capabilities.notation {
            return Ok(self.at((notation.parse_position)(&self.0.game, text)?));
        }
        let mut words = text.split_whitespace();
        if words.next() != Some(plain::START) {
            let what = "a position is `start` and the moves made since, with spaces between them";
            return Err(ParseError::new(format!("`{text}`: {what}")).into());
        }
        let mut position = self.start();
        for mv in words {
            position.play(mv)?;
        }
        Ok(position.without_history())
    }

    fn agent(&self, spec: &str, seed: u64) -> Result<Box<dyn AnyAgent>, Error> {
        agents::build_agent(&self.0, spec, seed)
    }
}
