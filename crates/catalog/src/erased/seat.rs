//! Typed agents behind [`AnyAgent`], whose reports have moves as texts.

use std::sync::Arc;

use tussle_core::{Game, Limits, Line, Report, Turn};
use tussle_search::{Agent, ScoreTree, SearchError, TreeFilter, TreeNode};

use super::{AnyAgent, AnyPosition, Position, PositionPlay, Rules};
use crate::agents::QueryDefaults;
use crate::recording::Recorder;
use crate::{Error, Query};

struct TypedAgent<G: Game + 'static, A> {
    rules: Arc<Rules<G>>,
    agent: A,
    /// Parts of every query that the agent's spec gives.
    defaults: QueryDefaults,
}

/// Makes a type-erased agent.
pub(crate) fn seat<G: Game + 'static>(
    rules: &Arc<Rules<G>>,
    agent: impl Agent<G> + 'static,
    defaults: QueryDefaults,
) -> Box<dyn AnyAgent> {
    Box::new(TypedAgent { rules: rules.clone(), agent, defaults })
}

impl<G: Game + 'static, A> TypedAgent<G, A> {
    /// Returns the query to the typed agent, without receivers.
    fn query<'q>(
        &self,
        position: &Position<G>,
        limits: &Limits,
    ) -> tussle_search::Query<'q, G::Move> {
        let QueryDefaults { depth, nodes, known_value, goal } = self.defaults;
        let mut query = tussle_search::Query::new(limits);
        query.limits.depth = limits.depth.into_iter().chain(depth).min();
        query.limits.nodes = limits.nodes.into_iter().chain(nodes).min();
        let is_turned =
            self.rules.capabilities.first_players_view && position.turn() == Turn::Player(1);
        query.known_value = known_value.map(|value| if is_turned { 0.0 - value } else { value });
        query.goal = goal;
        query
    }
}

impl<G: Game + 'static, A: Agent<G>> AnyAgent for TypedAgent<G, A> {
    fn analyse(
        &mut self,
        position: &dyn AnyPosition,
        query: Query<'_>,
    ) -> Result<Report<String>, Error> {
        let same_rules = |p: &&Position<G>| Arc::ptr_eq(&p.rules, &self.rules);
        let Some(position) = position.as_any().downcast_ref::<Position<G>>().filter(same_rules)
        else {
            return Err(Error::WrongGame {
                agent: self.rules.spec.clone(),
                position: position.game_spec().to_owned(),
            });
        };
        if !matches!(position.turn(), Turn::Player(_)) {
            return Err(Error::NoPlayerToMove);
        }
        let Query { limits, lines, live, recording, keep_tree } = query;
        let mut live =
            live.map(|live| |report: &Report<G::Move>| live(&written(position, report.clone())));
        let mut recorder = recording.map(|to| Recorder::new(&self.rules, &position.state, to));
        let query = tussle_search::Query {
            lines,
            live: live.as_mut().map(|live| live as _),
            events: recorder.as_mut().map(|recorder| recorder as _),
            keep_tree,
            ..self.query(position, &limits)
        };
        let report = self.agent.run(&self.rules.game, &position.state, query);
        let report = report.map_err(|error| match error {
            SearchError::GameOver | SearchError::ChanceToMove => Error::NoPlayerToMove,
            other => Error::Search { spec: self.rules.spec.clone(), reason: other },
        })?;
        Ok(written(position, report))
    }

    fn is_deterministic(&self) -> bool {
        self.agent.is_deterministic()
    }

    fn keeps_tree(&self) -> bool {
        self.agent.keeps_tree()
    }

    fn tree(&self, position: &dyn AnyPosition, filter: &TreeFilter) -> Option<TreeNode<String>> {
        let position = position.as_any().downcast_ref::<Position<G>>()?;
        let tree = self.agent.tree(filter)?;
        Some(named(&self.rules, &mut position.state.clone(), tree))
    }

    fn known_value_tree(
        &self,
        position: &dyn AnyPosition,
        limits: &Limits,
        max_nodes: usize,
    ) -> Option<ScoreTree> {
        self.defaults.known_value?;
        let position = position.as_any().downcast_ref::<Position<G>>()?;
        let query = self.query(position, limits);
        self.agent.score_tree(&self.rules.game, &position.state, &query, max_nodes)
    }
}

/// Converts the moves of a tree to texts. `state` is the position at its root, and is restored.
fn named<G: Game + 'static>(
    rules: &Rules<G>,
    state: &mut G::State,
    node: TreeNode<G::Move>,
) -> TreeNode<String> {
    let child = |node: TreeNode<G::Move>| {
        let Some(mv) = node.mv else { return named(rules, state, node) };
        let text = rules.move_text(state, mv);
        let named = rules.game.visit(state, mv, |child| named(rules, child, node));
        TreeNode { mv: Some(text), ..named }
    };
    let TreeNode { visits, total, bonus, prior, outcome, children, hidden, .. } = node;
    let children = children.into_iter().map(child).collect();
    TreeNode { mv: None, visits, total, bonus, prior, outcome, children, hidden }
}

/// Converts the moves of a report to texts, and its values to the view of the first player if the game declares it.
fn written<G: Game + 'static>(position: &Position<G>, report: Report<G::Move>) -> Report<String> {
    let rules = &position.rules;
    let mut report = report.map(|pv| {
        let mut state = position.state.clone();
        pv.iter()
            .map(|&mv| {
                let text = rules.move_text(&state, mv);
                rules.game.play(&mut state, mv);
                text
            })
            .collect()
    });
    if rules.capabilities.first_players_view && position.turn() == Turn::Player(1) {
        report.lines.iter_mut().for_each(turn_round);
    }
    report
}

/// Negates the value of a line, so that it belongs to the other player.
fn turn_round(line: &mut Line<String>) {
    // Outcome and expected score stay those of the player to move.
    line.value = line.value.with_number(0.0 - line.value.number());
    line.bound = line.bound.turned();
}
