//! Computation of explanations and exercises, as in `tussle explain`.

use std::sync::Arc;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use tussle_catalog::{AnyGame, AnyPosition, Catalog, Spec};
use tussle_core::{Limits, StopFlag, Turn};
use tussle_explain::{
    Exercise, ExerciseDocument, Explanation, ExplanationDocument, explain_within,
};
use utoipa::ToSchema;

use crate::api_error::ApiError;
use crate::live::CHANCE_IS_TO_MOVE;
use crate::position_ref::{PositionRef, check_agent, check_depth, check_values};

/// Maximum number of nodes of an explained search.
const MAX_NODES: u64 = 100_000;

/// Maximum number of nodes times moves of the root. Each node adds an explanation of its children, so positions with many
/// moves get fewer nodes.
const MAX_CHILDREN: u64 = 2_000_000;

/// Maximum number of recorded steps. The search may continue after them; then the answer is marked as cut short.
const MAX_STEPS: usize = 20_000;

/// Default agents; the first that supports the game is used.
const DEFAULT_AGENTS: &[&str] = &["alphabeta", "expectimax", "maxn", "mcts"];

/// Search to be explained.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExplainRequest {
    pub(super) place: PositionRef,
    /// Spec of the agent: `mcts:nodes=1000`. Without it, a tree with wins and visits is solved as an exercise, and every other
    /// game is searched by the first of alphabeta, expectimax, maxn and mcts that supports it.
    pub(super) agent: Option<String>,
    /// Maximum number of nodes or simulations.
    pub(super) nodes: Option<u64>,
    /// Maximum depth in plies.
    pub(super) depth: Option<u32>,
    /// Seed of all random choices [default: 1].
    #[serde(default = "super::one")]
    pub(super) seed: u64,
}

/// Result of a request: an explained search or a solved exercise.
pub(super) enum ExplainResult {
    Search(Box<ExplainedSearch>),
    Exercise { game: String, exercise: Exercise },
}

/// Document of a search or of an exercise.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub(super) enum ExplainAnswer<'a> {
    Search(Box<ExplanationDocument<'a>>),
    Exercise(ExerciseDocument<'a>),
}

/// Explanation with the game and position it belongs to.
pub(super) struct ExplainedSearch {
    pub(super) explanation: Explanation,
    game: Arc<dyn AnyGame>,
    pub(super) position: Box<dyn AnyPosition>,
}

impl ExplainRequest {
    /// Explains the search, or solves the exercise.
    pub(super) fn explain(
        &self,
        catalog: &Catalog,
        memory: usize,
        stop: &StopFlag,
    ) -> Result<ExplainResult, ApiError> {
        let (game, position) = self.place.open(catalog)?;
        // Headings show the name of the tree on the page, not that of a file of the server.
        let name = match &self.place.text {
            Some(_) => format!("{}:file=your own", Spec::parse(&self.place.game)?.name),
            None => self.place.game.clone(),
        };
        if let Some(exercise) = self.exercise(game.as_ref(), position.as_ref())? {
            return Ok(ExplainResult::Exercise { game: name, exercise });
        }
        let suits = |agent: &&&str| game.agent(agent, self.seed).is_ok();
        let default = || DEFAULT_AGENTS.iter().find(suits).copied().unwrap_or("mcts");
        let agent = self.agent.as_deref().unwrap_or_else(default);
        check_agent(catalog, agent)?;
        check_depth(self.depth)?;
        match position.turn() {
            Turn::Player(_) => {}
            Turn::Over => {
                return Err(ApiError::bad_request(
                    "the game is over in this position: there is nothing to search",
                ));
            }
            Turn::Chance => return Err(ApiError::bad_request(CHANCE_IS_TO_MOVE)),
        }
        game.agent(agent, self.seed)?;
        check_values(game.as_ref())?;
        let limits = self.search_limits(position.as_ref(), agent)?.or_memory(memory).or_stop(stop);
        let (rules, root) = (game.as_ref(), position.as_ref());
        let explained = explain_within(rules, root, agent, &limits, self.seed, MAX_STEPS);
        let mut explanation = explained.map_err(ApiError::bad_request)?;
        explanation.game = name;
        let searched = ExplainedSearch { explanation, game, position };
        Ok(ExplainResult::Search(Box::new(searched)))
    }

    /// Returns the solved exercise, if the tree is an exercise and no agent other than `mcts` is requested.
    fn exercise(
        &self,
        game: &dyn AnyGame,
        position: &dyn AnyPosition,
    ) -> Result<Option<Exercise>, ApiError> {
        if game.tree_file().is_none() {
            return Ok(None);
        }
        match tussle_explain::exercise_constant(game, self.agent.as_deref())? {
            Some(c) => tussle_explain::exercise(game, position, c).map_err(ApiError::bad_request),
            None => Ok(None),
        }
    }

    /// Returns the requested limits; without any, those of a search that is short enough to read.
    fn search_limits(&self, position: &dyn AnyPosition, agent: &str) -> Result<Limits, ApiError> {
        let is_deep = self.depth.is_some() && position.rules().looks_by_plies(agent)?;
        let mut limits = Limits::none();
        if self.nodes.is_none()
            && !is_deep
            && let Some((readable, _)) = tussle_explain::readable_limits(position, agent)?
        {
            limits = readable;
        }
        limits.started = Some(Instant::now());
        limits.depth = self.depth.or(limits.depth);
        let most = MAX_NODES.min(MAX_CHILDREN / position.moves().len().max(1) as u64);
        // Set no node limit unless one is given: with one, alpha-beta would use iterative deepening.
        limits.nodes = self.nodes.or(limits.nodes).map(|nodes| nodes.min(most));
        Ok(limits)
    }
}

impl ExplainResult {
    /// Returns the document of `tussle explain --json`.
    pub(super) fn document(&self) -> ExplainAnswer<'_> {
        match self {
            Self::Exercise { game, exercise } => ExplainAnswer::Exercise(exercise.document(game)),
            Self::Search(searched) => {
                let ExplainedSearch { explanation, game, position } = searched.as_ref();
                let document = explanation.document(game.as_ref(), position.as_ref());
                ExplainAnswer::Search(Box::new(document))
            }
        }
    }
}
