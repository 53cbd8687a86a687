//! Events of simulations, for observers.

use tussle_core::{Event, Game, Observer};

use super::leaf::Scores;
use super::options::MctsOptions;
use super::phases::Worker;
use super::tree::Block;

impl<G: Game, O: Observer<G::Move>> Worker<'_, G, O> {
    /// Sends the events of another simulation with the same selected path.
    pub(super) fn tell_selected_path(&mut self, length: usize) {
        if !self.observer.is_active() {
            return;
        }
        self.observer.event(Event::Iteration(self.started as u32));
        for step in &self.scratch.path[1..length] {
            if let Some(mv) = step.edge.mv() {
                self.observer.event(Event::Select(mv));
            }
        }
    }

    pub(super) fn tell_simulated(&mut self) {
        if self.observer.is_active() {
            let Scores { rewards, mix, .. } = &self.scratch.scores;
            self.observer.event(Event::Simulate { value: rewards[0], mix: *mix });
        }
    }

    /// Sends the weights of all children, including those without a slot.
    pub(super) fn tell_weights(&mut self, block: Block, visits: u32) {
        let MctsOptions { c, policy, .. } = *self.options;
        self.list_moves();
        let tree = self.tree;
        let mut children = tree.children(block);
        let len = self.scratch.moves.len();
        for place in self.rooted.order.from(0, len) {
            let mv = self.scratch.moves[place];
            let (visits, (mean, bonus)) = match children.next() {
                Some((_, edge)) => {
                    let parts = policy.parts(edge, c, visits, self.leaves.special.unvisited);
                    (edge.visits().into(), parts)
                }
                None => (0, (0.0, f64::INFINITY)),
            };
            self.observer.event(Event::Weigh { mv, visits, mean, bonus });
        }
        self.scratch.moves.clear();
    }

    /// Sends the weights of all children that an [informed](super::informed) choice compares. `bonus` is the factor
    /// of their exploration bonuses.
    pub(super) fn tell_informed_weights(&mut self, block: Block, bonus: f32) {
        let tree = self.tree;
        for (_, child) in tree.children(block) {
            let Some(mv) = child.mv() else { continue };
            let weight = child.weight();
            let (mean, bonus) = match weight.mean {
                mean if mean == f32::INFINITY => (0.0, f64::INFINITY),
                mean if mean == f32::NEG_INFINITY => (child.mean(), 0.0),
                mean => (mean.into(), (bonus * weight.share).into()),
            };
            self.observer.event(Event::Weigh { mv, visits: child.visits().into(), mean, bonus });
        }
    }
}
