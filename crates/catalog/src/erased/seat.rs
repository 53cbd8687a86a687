//! Typed agents behind the erased layer: moves become texts on the way out.

use std::sync::Arc;

use tussle_core::{Event, Events, Line, Report, Turn};
use tussle_search::{Agent, Query, SearchError, TreeNode, TreeWish};

use super::{AnyAgent, AnyPosition, Playable, Position, Rules};
use crate::Error;
use crate::agents::OwnLimits;

struct Seated<G: Playable, A> {
    rules: Arc<Rules<G>>,
    agent: A,
    /// Limits of its spec.
    limits: OwnLimits,
}

/// Puts a typed agent behind the erased layer.
pub(crate) fn seat<G: Playable>(
    rules: &Arc<Rules<G>>,
    agent: impl Agent<G> + 'static,
    limits: OwnLimits,
) -> Box<dyn AnyAgent> {
    Box::new(Seated { rules: rules.clone(), agent, limits })
}

impl<G: Playable, A: Agent<G>> AnyAgent for Seated<G, A> {
    fn analyse(
        &mut self,
        position: &dyn AnyPosition,
        query: Query<'_, String>,
    ) -> Result<Report<String>, Error> {
        let same_rules = |p: &&Position<G>| Arc::ptr_eq(&p.rules, &self.rules);
        let Some(position) = position.as_any().downcast_ref::<Position<G>>().filter(same_rules)
        else {
            return Err(Error::OtherGame {
                agent: self.rules.spec.clone(),
                position: position.game_spec().to_owned(),
            });
        };
        if !matches!(position.turn(), Turn::Player(_)) {
            return Err(Error::NobodyToMove);
        }
        let Query { mut budget, lines, live, events, keep_tree } = query;
        budget.depth = budget.depth.into_iter().chain(self.limits.depth).min();
        budget.nodes = budget.nodes.into_iter().chain(self.limits.nodes).min();
        let mut live =
            live.map(|live| |report: &Report<G::Move>| live(&written(position, report.clone())));
        let mut events =
            events.map(|to| Retold { position, path: vec![position.state.clone()], to });
        let query = Query {
            budget,
            lines,
            live: live.as_mut().map(|live| live as _),
            events: events.as_mut().map(|events| events as _),
            keep_tree,
        };
        let report = self.agent.run(&self.rules.game, &position.state, query);
        let report = report.map_err(|error| match error {
            SearchError::GameOver | SearchError::ChanceToMove => Error::NobodyToMove,
            other => Error::Search { spec: self.rules.spec.clone(), reason: other },
        })?;
        Ok(written(position, report))
    }

    fn is_deterministic(&self) -> bool {
        self.agent.is_deterministic()
    }

    fn tree(&self, position: &dyn AnyPosition, wish: &TreeWish) -> Option<TreeNode<String>> {
        let position = position.as_any().downcast_ref::<Position<G>>()?;
        let tree = self.agent.tree(wish)?;
        Some(named(&self.rules.game, &mut position.state.clone(), tree))
    }
}

/// The tree with moves as texts; the state is that of its root, and is left so.
fn named<G: Playable>(game: &G, state: &mut G::State, node: TreeNode<G::Move>) -> TreeNode<String> {
    let child = |node: TreeNode<G::Move>| {
        let Some(mv) = node.mv else { return named(game, state, node) };
        let text = game.move_text(state, mv);
        let named = game.visit(state, mv, |child| named(game, child, node));
        TreeNode { mv: Some(text), ..named }
    };
    let TreeNode { visits, total, bonus, prior, outcome, children, hidden, .. } = node;
    let children = children.into_iter().map(child).collect();
    TreeNode { mv: None, visits, total, bonus, prior, outcome, children, hidden }
}

/// The report with moves as texts, in the view in which this game is reported.
fn written<G: Playable>(position: &Position<G>, report: Report<G::Move>) -> Report<String> {
    let game = &position.rules.game;
    let mut report = report.map(|pv| {
        let mut state = position.state.clone();
        pv.iter()
            .map(|&mv| {
                let text = game.move_text(&state, mv);
                game.play(&mut state, mv);
                text
            })
            .collect()
    });
    if position.rules.maxs_view && position.turn() == Turn::Player(1) {
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

/// Passes events on with moves as texts, for which it follows the search through the game.
struct Retold<'a, 'b, G: Playable> {
    position: &'a Position<G>,
    /// The states from the root to the node where the search is; never empty.
    path: Vec<G::State>,
    to: &'a mut (dyn Events<String> + 'b),
}

impl<G: Playable> Retold<'_, '_, G> {
    fn text(&self, mv: G::Move) -> String {
        self.position.rules.game.move_text(self.state(), mv)
    }

    fn state(&self) -> &G::State {
        &self.path[self.path.len() - 1]
    }

    fn go_down(&mut self, mv: G::Move) {
        let mut state = self.state().clone();
        self.position.rules.game.play(&mut state, mv);
        self.path.push(state);
    }

    fn go_up(&mut self) {
        self.path.truncate((self.path.len() - 1).max(1));
    }
}

impl<G: Playable> Events<G::Move> for Retold<'_, '_, G> {
    fn take(&mut self, event: Event<'_, G::Move>) {
        let texts: Vec<String> = match event {
            Event::Cut { skipped: moves, .. }
            | Event::Expand(moves)
            | Event::Odds { moves, .. } => moves.iter().map(|&mv| self.text(mv)).collect(),
            _ => Vec::new(),
        };
        match event {
            Event::Iteration(n) => {
                self.path.truncate(1);
                self.to.take(Event::Iteration(n));
            }
            Event::Enter { mv, alpha, beta } => {
                let text = mv.map(|mv| self.text(mv));
                if let Some(mv) = mv {
                    self.go_down(mv);
                }
                self.to.take(Event::Enter { mv: text, alpha, beta });
            }
            Event::Leave { values } => {
                self.go_up();
                self.to.take(Event::Leave { values });
            }
            Event::Select(mv) => {
                let text = self.text(mv);
                self.go_down(mv);
                self.to.take(Event::Select(text));
            }
            Event::Window { by, alpha, beta } => {
                let by = self.text(by);
                self.to.take(Event::Window { by, alpha, beta });
            }
            Event::Weigh { mv, visits, mean, bonus } => {
                let mv = self.text(mv);
                self.to.take(Event::Weigh { mv, visits, mean, bonus });
            }
            Event::Odds { probabilities, .. } => {
                self.to.take(Event::Odds { moves: &texts, probabilities });
            }
            Event::Cut { reason, .. } => self.to.take(Event::Cut { reason, skipped: &texts }),
            Event::Expand(_) => self.to.take(Event::Expand(&texts)),
            Event::Leaf { values, kind } => self.to.take(Event::Leaf { values, kind }),
            Event::Simulate { value } => self.to.take(Event::Simulate { value }),
            Event::BackUp { visits, total } => self.to.take(Event::BackUp { visits, total }),
            // Events that hold no move would pass unchanged, but there is no other one.
            _ => {}
        }
    }
}
