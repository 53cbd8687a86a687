//! What is searched or worked out, as `tussle explain` does it.

use std::sync::Arc;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use tussle_catalog::{AnyGame, AnyPosition, Catalog, Spec};
use tussle_core::{Limits, StopFlag, Turn};
use tussle_explain::{
    Exercise, ExerciseDocument, Explanation, ExplanationDocument, explain_within,
};
use utoipa::ToSchema;

use crate::place::{Place, check_agent, check_depth, check_values};
use crate::refusal::Refusal;

/// Nobody reads a longer search. Where there are many moves, each node has as many children to tell of.
const MOST_NODES: u64 = 100_000;
const MOST_CHILDREN: u64 = 2_000_000;

/// Nor more steps; a search may go on behind them, and the answer says that it did.
const MOST_STEPS: usize = 20_000;

/// Who searches if nobody is named: the first who can.
const DEFAULTS: &[&str] = &["alphabeta", "expectimax", "maxn", "mcts"];

/// Search to be explained.
#[derive(Deserialize, ToSchema)]
#[schema(as = Limited)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wish {
    pub(super) place: Place,
    /// Spec of the agent: `mcts:nodes=1000`. Left out: a tree with wins and visits is worked out, all else is searched by the
    /// first agent that plays the game.
    pub(super) agent: Option<String>,
    /// Nodes or simulations.
    pub(super) nodes: Option<u64>,
    /// Plies.
    pub(super) depth: Option<u32>,
    /// Seed of everything random [default: 1].
    #[serde(default = "super::one")]
    pub(super) seed: u64,
}

/// What came out.
pub(super) enum Told {
    Search(Box<Searched>),
    Exercise { game: String, exercise: Exercise },
}

/// Document of a search or of an exercise.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub(super) enum ExplainAnswer<'a> {
    Search(Box<ExplanationDocument<'a>>),
    Exercise(ExerciseDocument<'a>),
}

/// A search that was watched.
pub(super) struct Searched {
    pub(super) explanation: Explanation,
    game: Arc<dyn AnyGame>,
    pub(super) position: Box<dyn AnyPosition>,
}

impl Wish {
    /// Searches, or works out.
    pub(super) fn tell(
        &self,
        catalog: &Catalog,
        memory: usize,
        stop: &StopFlag,
    ) -> Result<Told, Refusal> {
        let (game, position) = self.place.open(catalog)?;
        // Names of trees in headings are those of the page, not of our files.
        let name = match &self.place.text {
            Some(_) => format!("{}:file=your own", Spec::parse(&self.place.game)?.name),
            None => self.place.game.clone(),
        };
        if let Some(exercise) = self.exercise(game.as_ref(), position.as_ref())? {
            return Ok(Told::Exercise { game: name, exercise });
        }
        let suits = |agent: &&&str| game.agent(agent, self.seed).is_ok();
        let usual = || DEFAULTS.iter().find(suits).copied().unwrap_or("mcts");
        let agent = self.agent.as_deref().unwrap_or_else(usual);
        check_agent(catalog, agent)?;
        check_depth(self.depth)?;
        match position.turn() {
            Turn::Player(_) => {}
            Turn::Over => {
                return Err(Refusal::wrong("the game is over here: there is nothing to search"));
            }
            Turn::Chance => return Err(Refusal::wrong("chance is to move here: roll first")),
        }
        game.agent(agent, self.seed)?;
        check_values(game.as_ref())?;
        let limits = self.search_limits(position.as_ref(), agent)?.or_memory(memory).or_stop(stop);
        let (rules, root) = (game.as_ref(), position.as_ref());
        let explained = explain_within(rules, root, agent, &limits, self.seed, MOST_STEPS);
        let mut explanation = explained.map_err(Refusal::wrong)?;
        explanation.game = name;
        let searched = Searched { explanation, game, position };
        Ok(Told::Search(Box::new(searched)))
    }

    /// The exercise, if the tree is one and no other agent than `mcts` is asked for.
    fn exercise(
        &self,
        game: &dyn AnyGame,
        position: &dyn AnyPosition,
    ) -> Result<Option<Exercise>, Refusal> {
        if game.tree_file().is_none() {
            return Ok(None);
        }
        match tussle_explain::exercise_constant(game, self.agent.as_deref())? {
            Some(c) => tussle_explain::exercise(game, position, c).map_err(Refusal::wrong),
            None => Ok(None),
        }
    }

    /// The limits that were given; without any, those of a search that can be read.
    fn search_limits(&self, position: &dyn AnyPosition, agent: &str) -> Result<Limits, Refusal> {
        let is_deep = self.depth.is_some() && position.catalog().looks_by_plies(agent)?;
        let mut limits = Limits::none();
        if self.nodes.is_none()
            && !is_deep
            && let Some((readable, _)) = tussle_explain::readable_limits(position, agent)?
        {
            limits = readable;
        }
        limits.started = Some(Instant::now());
        limits.depth = self.depth.or(limits.depth);
        let most = MOST_NODES.min(MOST_CHILDREN / position.moves().len().max(1) as u64);
        // Where none are given there must be none: alpha-beta would deepen step by step.
        limits.nodes = self.nodes.or(limits.nodes).map(|nodes| nodes.min(most));
        Ok(limits)
    }
}

impl Told {
    /// Returns the document of `tussle explain --json`.
    pub(super) fn document(&self) -> ExplainAnswer<'_> {
        match self {
            Self::Exercise { game, exercise } => ExplainAnswer::Exercise(exercise.document(game)),
            Self::Search(searched) => {
                let Searched { explanation, game, position } = searched.as_ref();
                let document = explanation.document(game.as_ref(), position.as_ref());
                ExplainAnswer::Search(Box::new(document))
            }
        }
    }
}
