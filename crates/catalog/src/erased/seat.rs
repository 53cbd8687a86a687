//! Typed agents behind the erased layer: moves become texts on the way out.

use std::sync::Arc;

use tussle_core::{Game, Line, Report, Turn};
use tussle_search::{Agent, SearchError, TreeFilter, TreeNode};

use super::{AnyAgent, AnyPosition, Position, PositionPlay, Rules};
use crate::agents::OwnLimits;
use crate::recording::Recorder;
use crate::{Error, Query};

struct Seated<G: Game + 'static, A> {
    rules: Arc<Rules<G>>,
    agent: A,
    /// Limits of its spec.
    limits: OwnLimits,
}

/// Puts a typed agent behind the erased layer.
pub(crate) fn seat<G: Game + 'static>(
    rules: &Arc<Rules<G>>,
    agent: impl Agent<G> + 'static,
    limits: OwnLimits,
) -> Box<dyn AnyAgent> {
    Box::new(Seated { rules: rules.clone(), agent, limits })
}

impl<G: Game + 'static, A: Agent<G>> AnyAgent for Seated<G, A> {
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
        let Query { mut limits, lines, live, recording, keep_tree } = query;
        limits.depth = limits.depth.into_iter().chain(self.limits.depth).min();
        limits.nodes = limits.nodes.into_iter().chain(self.limits.nodes).min();
        let mut live =
            live.map(|live| |report: &Report<G::Move>| live(&written(position, report.clone())));
        let mut recorder = recording.map(|to| Recorder::new(&self.rules, &position.state, to));
        let query = tussle_search::Query {
            limits,
            lines,
            live: live.as_mut().map(|live| live as _),
            events: recorder.as_mut().map(|recorder| recorder as _),
            keep_tree,
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

    fn tree(&self, position: &dyn AnyPosition, wish: &TreeFilter) -> Option<TreeNode<String>> {
        let position = position.as_any().downcast_ref::<Position<G>>()?;
        let tree = self.agent.tree(wish)?;
        Some(named(&self.rules, &mut position.state.clone(), tree))
    }
}

/// The tree with moves as texts; the state is that of its root, and is left so.
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

/// The report with moves as texts, in the view in which this game is reported.
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

/// The line as the other player sees its value.
fn turn_round(line: &mut Line<String>) {
    // Outcome and expected score stay those of the player to move.
    line.value = line.value.with_number(0.0 - line.value.number());
    line.bound = line.bound.turned();
}
