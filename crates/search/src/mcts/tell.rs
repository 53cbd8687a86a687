//! What a simulation tells those who watch it.

use tussle_core::{Event, Game, Observer};

use super::leaf::Scores;
use super::options::MctsOptions;
use super::phases::Worker;
use super::tree::Block;

impl<G: Game, O: Observer<G::Move>> Worker<'_, G, O> {
    /// Another simulation begins with the same way down.
    pub(super) fn tell_way_down(&mut self, length: usize) {
        if !self.observer.is_active() {
            return;
        }
        self.observer.event(Event::Iteration(self.begun as u32));
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

    /// What every child weighs, also those without a place as yet.
    pub(super) fn tell_weights(&mut self, block: Block, visits: u32) {
        let MctsOptions { c, policy, .. } = *self.options;
        self.list_moves();
        let tree = self.tree;
        let mut children = tree.children(block);
        let len = self.scratch.moves.len();
        for place in self.kept.order.from(0, len) {
            let mv = self.scratch.moves[place];
            let (visits, (mean, bonus)) = match children.next() {
                Some((_, edge)) => {
                    let parts = policy.parts(edge, c, visits, self.leaves.levels.middle);
                    (edge.visits().into(), parts)
                }
                None => (0, (0.0, f64::INFINITY)),
            };
            self.observer.event(Event::Weigh { mv, visits, mean, bonus });
        }
        self.scratch.moves.clear();
    }
}
