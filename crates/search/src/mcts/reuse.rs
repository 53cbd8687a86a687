//! Keeping what an earlier search found about the position the game has come to.

use tussle_core::{Evaluations, Hashed, Turn};

use super::phases::Merged;
use super::tree::{Id, Tree};
use super::{Mcts, nothing_merged};

/// A tree between two searches.
pub(super) struct Kept<G: Evaluations> {
    pub(super) tree: Tree<G::Move>,
    pub(super) root: Id,
    pub(super) merged: Merged,
    /// The position at the root.
    pub(super) state: G::State,
    /// The move that was chosen there.
    pub(super) played: Option<G::Move>,
}

/// Positions compared before a tree is given up.
const MOST_COMPARED: usize = 4096;
/// Plies between two searches of one player: its move, chance, a few rivals, chance.
const FURTHEST: u32 = 8;
/// Above this share of its memory, the live part of a tree is moved to a new one.
const CROWDED: f64 = 0.5;

impl<G: Evaluations + Hashed + 'static> Mcts<G> {
    /// The tree to search: the part of the last one below this position, or a new one.
    pub(super) fn take_tree(&mut self, game: &G, state: &G::State, bytes: usize) -> Kept<G> {
        if let Some(kept) = self.kept.take()
            && let Some(root) = kept.find(game, state)
        {
            if kept.tree.fullness() < CROWDED && kept.tree.bytes() <= bytes {
                return Kept { root, state: state.clone(), ..kept };
            }
            let tree = kept.tree.copy_below(root);
            // Giving back much memory takes a while, and the clock is running.
            std::thread::spawn(move || drop(kept));
            return Kept {
                tree,
                root: 0,
                merged: nothing_merged(),
                state: state.clone(),
                played: None,
            };
        }
        let tree = Tree::new(bytes);
        let root = tree.add_root().unwrap_or(0);
        Kept { tree, root, merged: nothing_merged(), state: state.clone(), played: None }
    }
}

impl<G: Evaluations> Kept<G> {
    /// The edge to a position that play from the root has come to.
    ///
    /// Looks behind the move that was chosen first, then behind the others.
    fn find(&self, game: &G, wanted: &G::State) -> Option<Id> {
        let mut left = MOST_COMPARED;
        if self.state == *wanted {
            return Some(self.root);
        }
        let block = self.tree.edge(self.root).block()?;
        let played = |id: &Id| self.tree.edge(*id).mv() == self.played;
        let (first, others): (Vec<Id>, Vec<Id>) = block.ids().partition(played);
        first.into_iter().chain(others).find_map(|id| {
            let mut state = self.state.clone();
            game.play(&mut state, self.tree.edge(id).mv()?);
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
        for child in self.tree.edge(id).block()?.ids() {
            *left = left.checked_sub(1)?;
            let mut next = state.clone();
            game.play(&mut next, self.tree.edge(child).mv()?);
            let found = self.find_below(game, child, &next, wanted, plies - 1, left);
            if found.is_some() {
                return found;
            }
        }
        None
    }
}
