//! Keeping what an earlier search found about the position the game has come to.

use tussle_core::{Game, Turn};

use super::Mcts;
use super::merged::Merged;
use super::order::Order;
use super::tree::{Id, Tree, drop_aside};

/// A tree between two searches.
pub(super) struct Kept<G: Game> {
    pub(super) tree: Tree<G::Move>,
    pub(super) root: Id,
    pub(super) merged: Option<Merged>,
    /// The position at the root.
    pub(super) state: G::State,
    /// The move that was chosen there.
    pub(super) played: Option<G::Move>,
    /// The bytes it was made for.
    pub(super) memory: usize,
    /// The order in which its moves are tried.
    pub(super) order: Order,
}

/// Positions compared before a tree is given up.
const MOST_COMPARED: usize = 4096;
/// Plies between two searches of one player: its move, chance, a few rivals, chance.
const FURTHEST: u32 = 8;
/// Above this share of its memory, the live part of a tree is moved to a new one …
const CROWDED: f64 = 0.5;
/// … but no more than these bytes, because the clock is running.
const MOST_COPIED: usize = 8 << 20;
/// The part of the memory that is left to the table of merged positions, and that to a copy of
/// the live part.
const SHARE: usize = 8;

fn most_copied(memory: usize) -> usize {
    MOST_COPIED.min(memory / SHARE)
}

impl<G: Game> Mcts<G> {
    /// Moves on to this position and keeps its subtree if the options say so; returns the number of
    /// its simulations. [`run`](crate::Agent::run) does so by itself; this is for doing it while the
    /// clock of another player runs.
    pub fn advance(&mut self, game: &G, state: &G::State) -> u64 {
        let memory = self.kept.as_ref().map_or(self.options.memory, |kept| kept.memory);
        let kept = self.take_tree(game, state, memory);
        let visits = kept.tree.edge(kept.root).visits();
        self.kept = Some(kept);
        visits.into()
    }

    /// The tree to search: the part of the last one below this position, or a new one.
    pub(super) fn take_tree(&mut self, game: &G, state: &G::State, memory: usize) -> Kept<G> {
        let Some(kept) = self.kept.take().filter(|kept| kept.memory == memory) else {
            return self.new_tree(state, memory, None);
        };
        let found = if self.options.keep_tree { kept.find(game, state) } else { None };
        let Some(root) = found else {
            return self.new_tree(state, memory, Some(kept.tree));
        };
        let kept = if kept.tree.fullness() < CROWDED {
            Kept { root, state: state.clone(), played: None, ..kept }
        } else {
            let tree = kept.tree.copy_below(root, most_copied(memory));
            drop_aside(kept.tree.into_chunks());
            let merged = self.new_merged(memory);
            let order = kept.order;
            Kept { tree, root: 0, merged, state: state.clone(), played: None, memory, order }
        };
        kept.tree.edge(kept.root).become_root(&kept.tree);
        kept
    }

    fn new_tree(&self, state: &G::State, memory: usize, old: Option<Tree<G::Move>>) -> Kept<G> {
        let merged = self.new_merged(memory);
        let table = if merged.is_some() { memory / SHARE } else { 0 };
        let copy = if self.options.keep_tree { most_copied(memory) } else { 0 };
        let tree = old.map_or_else(|| Tree::new(memory - table - copy), Tree::emptied);
        // The seed of the search that comes next, which is not used up.
        let seed = self.rng.clone().next_u64();
        let order = if self.options.shuffle_untried { Order::Seeded(seed) } else { Order::Listed };
        Kept { tree, root: 0, merged, state: state.clone(), played: None, memory, order }
    }

    fn new_merged(&self, memory: usize) -> Option<Merged> {
        self.keys.is_some().then(|| Merged::new(memory / SHARE))
    }
}

impl<G: Game> Kept<G> {
    /// Drops all nodes. A little memory stays for the next tree.
    pub(super) fn emptied(self) -> Self {
        Self { tree: self.tree.emptied(), root: 0, merged: None, ..self }
    }
}

impl<G: Game> Kept<G> {
    /// The edge to a position that play from the root has come to.
    ///
    /// Looks behind the move that was chosen first, then behind the others.
    fn find(&self, game: &G, wanted: &G::State) -> Option<Id> {
        let mut left = MOST_COMPARED;
        if self.state == *wanted {
            return Some(self.root);
        }
        let block = self.tree.edge(self.root).block()?;
        let children: Vec<_> = self.tree.children(block).collect();
        let (first, others): (Vec<_>, Vec<_>) =
            children.into_iter().partition(|(_, edge)| edge.mv() == self.played);
        first.into_iter().chain(others).find_map(|(id, edge)| {
            let mut state = self.state.clone();
            game.play(&mut state, edge.mv()?);
            self.find_below(game, id, &state, wanted, FURTHEST, &mut left)
        })
    }

    fn find_below(
        &self,
        game: &G,
        id: Id,
        state: &G::State,
        wanted: &G::State,
        plies: u32,
        left: &mut usize,
    ) -> Option<Id> {
        if *state == *wanted {
            return Some(id);
        }
        let asked = game.turn(&self.state);
        // Where the same player is to move again, the search would have been asked.
        if plies == 0 || game.turn(state) == asked || game.turn(state) == Turn::Over {
            return None;
        }
        for (child, edge) in self.tree.children(self.tree.edge(id).block()?) {
            *left = left.checked_sub(1)?;
            let mut next = state.clone();
            game.play(&mut next, edge.mv()?);
            let found = self.find_below(game, child, &next, wanted, plies - 1, left);
            if found.is_some() {
                return found;
            }
        }
        None
    }
}
