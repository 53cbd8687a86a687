//! Tree reuse: keeping the subtree of the current position between searches.

use tussle_core::{Game, Turn};

use super::Mcts;
use super::order::Order;
use super::transpositions::SharedChildren;
use super::tree::{Id, Tree, drop_in_background};
use crate::score;

/// Tree with its root, which may be kept for the next search.
pub(super) struct RootedTree<G: Game> {
    pub(super) tree: Tree<G::Move>,
    pub(super) root: Id,
    pub(super) transpositions: Option<SharedChildren>,
    /// Position at the root.
    pub(super) state: G::State,
    /// Move that the search chose at the root.
    pub(super) played: Option<G::Move>,
    /// Memory limit for which the tree was created, in bytes.
    pub(super) memory: usize,
    /// Order in which moves are tried.
    pub(super) order: Order,
}

/// Maximum number of positions that are compared to find the current one in an old tree.
const MAX_COMPARED_POSITIONS: usize = 4096;
/// Maximum number of plies between two searches of one player: its move, opponents and chance.
const MAX_PLIES_BETWEEN_SEARCHES: u32 = 8;
/// Used share of the memory from which the subtree of the current position is copied to a new tree.
const COPY_THRESHOLD: f64 = 0.5;
/// Maximum size of a copied subtree in bytes, because the clock runs during the copy.
const MAX_COPIED_BYTES: usize = 8 << 20;
/// The transposition table, the copy of a subtree and the statistics of all moves as first each get the memory
/// divided by this number.
const MEMORY_DIVISOR: usize = 8;

fn max_copied_bytes(memory: usize) -> usize {
    MAX_COPIED_BYTES.min(memory / MEMORY_DIVISOR)
}

impl<G: Game> Mcts<G> {
    /// Moves the root to this position and returns its number of simulations, which is above 0 only if
    /// [`MctsOptions::keep_tree`](crate::MctsOptions::keep_tree) is set and the position is in the tree.
    ///
    /// [`run`](crate::Agent::run) does this itself. Call `advance` to do it earlier, while the clock of another
    /// player runs.
    pub fn advance(&mut self, game: &G, state: &G::State) -> u64 {
        let memory = self.rooted.as_ref().map_or(self.options.memory, |rooted| rooted.memory);
        let rooted = self.take_tree(game, state, memory);
        let visits = rooted.tree.edge(rooted.root).visits();
        self.rooted = Some(rooted);
        visits.into()
    }

    /// Returns the tree to search: the subtree of this position in the last tree, or a new tree.
    pub(super) fn take_tree(&mut self, game: &G, state: &G::State, memory: usize) -> RootedTree<G> {
        let Some(rooted) = self.rooted.take().filter(|rooted| rooted.memory == memory) else {
            return self.new_tree(state, memory, None);
        };
        let found = if self.options.keep_tree { rooted.find(game, state) } else { None };
        // Tactics leave out moves below the root, but the new root needs all of them.
        let found = found.filter(|&root| {
            self.tactics.is_none() || rooted.has_all_moves(game, state, root, self.options.dedupe)
        });
        let Some(root) = found else {
            return self.new_tree(state, memory, Some(rooted.tree));
        };
        let rooted = if rooted.tree.fullness() < COPY_THRESHOLD {
            RootedTree { root, state: state.clone(), played: None, ..rooted }
        } else {
            let tree = rooted.tree.copy_below(root, max_copied_bytes(memory));
            drop_in_background(rooted.tree.into_chunks());
            let transpositions = self.new_transpositions(memory);
            let order = rooted.order;
            RootedTree {
                tree,
                root: 0,
                transpositions,
                state: state.clone(),
                played: None,
                memory,
                order,
            }
        };
        rooted.tree.edge(rooted.root).become_root(&rooted.tree);
        rooted
    }

    fn new_tree(
        &self,
        state: &G::State,
        memory: usize,
        old: Option<Tree<G::Move>>,
    ) -> RootedTree<G> {
        let transpositions = self.new_transpositions(memory);
        let table = if transpositions.is_some() { memory / MEMORY_DIVISOR } else { 0 };
        let copy = if self.options.keep_tree { max_copied_bytes(memory) } else { 0 };
        let amaf = if self.options.rave.is_some() { memory / MEMORY_DIVISOR } else { 0 };
        let tree = old.map_or_else(|| Tree::new(memory - table - copy - amaf), Tree::emptied);
        // The seed that the next search will draw, taken from a clone so that it is not used up.
        let seed = self.rng.clone().next_u64();
        let order = if self.options.shuffle_untried { Order::Seeded(seed) } else { Order::Listed };
        RootedTree {
            tree,
            root: 0,
            transpositions,
            state: state.clone(),
            played: None,
            memory,
            order,
        }
    }

    fn new_transpositions(&self, memory: usize) -> Option<SharedChildren> {
        self.keys.is_some().then(|| SharedChildren::new(memory / MEMORY_DIVISOR))
    }
}

impl<G: Game> RootedTree<G> {
    /// Returns the share of the memory for tables of all moves as first, in bytes.
    pub(super) fn side_table_bytes(&self) -> usize {
        self.memory / MEMORY_DIVISOR
    }

    /// Drops all nodes, and keeps a small part of the memory for the next tree.
    pub(super) fn emptied(self) -> Self {
        Self { tree: self.tree.emptied(), root: 0, transpositions: None, ..self }
    }
}

impl<G: Game> RootedTree<G> {
    /// Returns true if no move is left out among the children of an edge to this position.
    fn has_all_moves(&self, game: &G, state: &G::State, edge: Id, dedupe: bool) -> bool {
        let Some(block) = self.tree.edge(edge).block() else { return true };
        let mut moves = Vec::new();
        score::moves(game, state, dedupe, &mut moves);
        self.tree.size(block) == moves.len()
    }

    /// Returns the edge to the position that the game has reached since the last search.
    ///
    /// Searches below the chosen move first, then below the other moves.
    fn find(&self, game: &G, wanted: &G::State) -> Option<Id> {
        let mut left = MAX_COMPARED_POSITIONS;
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
            self.find_below(game, id, &state, wanted, MAX_PLIES_BETWEEN_SEARCHES, &mut left)
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
        // At the next turn of the same player, the agent would have searched: look no further.
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
