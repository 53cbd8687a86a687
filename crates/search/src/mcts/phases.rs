//! One simulation in its four phases: select, expand, simulate, back up.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use tussle_core::{Event, Game, LimitChecker, Observer, Rng, StopReason, Turn};

use super::choice::Best;
use super::counter::Quota;
use super::edge::Edge;
use super::leaf::{Leaves, Scores};
use super::options::MctsOptions;
use super::policy::SelectionPolicy;
use super::proof::Proof;
use super::report::Shares;
use super::reuse::Kept;
use super::tree::{Block, Listed, Region, Tree};
use crate::keys::KeyFunctions;
use crate::score;

/// An edge on the way down, and the player who took it.
#[derive(Debug)]
pub(super) struct Step<'t, M> {
    pub(super) edge: Edge<'t, M>,
    /// Nobody for an outcome of chance.
    player: Option<usize>,
}

impl<M> Clone for Step<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Step<'_, M> {}

/// One thread's part of a search.
pub(super) struct Worker<'a, G: Game, O> {
    pub(super) game: &'a G,
    pub(super) options: &'a MctsOptions,
    pub(super) leaves: Leaves<'a, G>,
    pub(super) kept: &'a Kept<G>,
    pub(super) tree: &'a Tree<G::Move>,
    pub(super) keys: Option<KeyFunctions<G>>,
    pub(super) quota: Quota<'a>,
    /// When to stop, and whether another thread says so.
    pub(super) watch: LimitChecker,
    pub(super) done: &'a AtomicBool,
    /// The simulations this thread has begun, and why it begins no more.
    pub(super) begun: u64,
    pub(super) refused: Option<StopReason>,
    pub(super) shares: Option<&'a Mutex<Shares<G::Move>>>,
    /// The player to move at the root.
    pub(super) player: usize,
    /// Whether no other thread works on the tree.
    pub(super) alone: bool,
    /// If others do: how often this one has gone down, and about how often all of them have.
    pub(super) walks: u32,
    pub(super) root_visits: u32,
    pub(super) region: Region,
    pub(super) rng: Rng,
    pub(super) observer: O,
    pub(super) scratch: Scratch<'a, G>,
}

/// What a simulation needs and the next one uses again.
pub(super) struct Scratch<'a, G: Game> {
    pub(super) state: G::State,
    pub(super) path: Vec<Step<'a, G::Move>>,
    pub(super) moves: Vec<G::Move>,
    pub(super) priors: Vec<f32>,
    pub(super) scores: Scores,
}

impl<G: Game> Scratch<'_, G> {
    pub(super) fn new(game: &G, state: &G::State) -> Self {
        Self {
            state: state.clone(),
            path: Vec::new(),
            moves: Vec::new(),
            priors: Vec::new(),
            scores: Scores::new(game.players()),
        }
    }
}

impl<'a, G: Game, O: Observer<G::Move>> Worker<'a, G, O> {
    /// Whether there may be no further simulation, and why. To be asked before each, for it
    /// counts them.
    #[inline]
    pub(super) fn refusal(&mut self) -> Option<StopReason> {
        if self.refused.is_none() {
            // One simulation there is always time for.
            let late = self.watch.check(self.begun).filter(|_| self.begun > 0);
            self.refused = if self.done.load(Relaxed) {
                Some(StopReason::StopFlag)
            } else if late.is_some() {
                late
            } else if self.quota.take() {
                self.begun += 1;
                None
            } else {
                Some(StopReason::Nodes)
            };
        }
        self.refused
    }

    /// One walk down the tree, for which nobody had a [`refusal`](Self::refusal).
    pub(super) fn run(&mut self) {
        if self.observer.is_active() {
            self.observer.event(Event::Iteration(self.begun as u32));
        }
        if let Some(block) = self.select() {
            self.simulate_children(block);
        } else {
            self.simulate();
            self.back_up();
        }
    }

    /// The root gets all its children before the first simulation.
    pub(super) fn prepare(&mut self) {
        self.scratch.state.clone_from(&self.kept.state);
        let root = self.tree.edge(self.kept.root);
        // Where a leaf is expanded when it is reached, the root is, too.
        if !self.options.expand_all {
            self.expand(root);
        }
        if let Some(block) = root.block() {
            self.list_moves();
            let Scratch { moves, priors, .. } = &mut self.scratch;
            // A root with some of its children does, too.
            let listed = Listed { moves, priors, order: self.kept.order };
            let _ = self.tree.complete(block, listed, &mut self.region);
            moves.clear();
        }
    }

    /// **Select**: from the root down to a child that was never visited, or to a position that
    /// has and gets no children. A leaf that was seen before becomes an inner node, and its first
    /// child is the leaf. If all new children are to be simulated, returns them.
    fn select(&mut self) -> Option<Block> {
        let all = self.options.expand_all;
        self.scratch.state.clone_from(&self.kept.state);
        self.scratch.path.clear();
        let mut edge = self.tree.edge(self.kept.root);
        let root = Step { edge, player: Some(self.player) };
        if self.alone {
            self.arrive(root);
        } else {
            self.scratch.path.push(root);
            self.guess_visits();
        }
        loop {
            let known = edge.block();
            let block = match known {
                Some(_)
                    if self.options.solver
                        && edge.proof().is_exact()
                        && self.scratch.path.len() > 1 =>
                {
                    return None;
                }
                Some(block) => block,
                None if all || edge.visits() > 1 => self.expand(edge)?,
                None => return None,
            };
            // Chance decides for itself how often each of its outcomes comes.
            if known.is_none() && all && self.game.turn(&self.scratch.state) != Turn::Chance {
                return Some(block);
            }
            edge = self.descend(edge, block);
            // With all its siblings, a child is expanded when it is reached.
            if known.is_none() || (edge.visits() == 1 && !all) {
                return None;
            }
        }
    }

    /// Where threads share a tree, the root's numbers would be written all the time by all of
    /// them, and each would wait for the others. The sum of its children says the same, and to
    /// choose among them, about the sum is enough.
    fn guess_visits(&mut self) {
        self.walks += 1;
        self.root_visits += self.options.threads as u32;
        if self.walks % 64 == 1 {
            self.root_visits = self.tree.edge(self.kept.root).visits_below(self.tree);
        }
    }

    /// From a node to one of its children.
    #[expect(clippy::inline_always, reason = "the way down is one loop; a tenth of a simulation")]
    #[inline(always)]
    fn descend(&mut self, edge: Edge<'a, G::Move>, block: Block) -> Edge<'a, G::Move> {
        let (child, player) = match self.game.turn(&self.scratch.state) {
            Turn::Player(player) => (self.choose(edge, block), Some(player)),
            _ => (self.draw(block), None),
        };
        self.go_to(child, player)
    }

    /// Makes the move of an edge.
    #[expect(clippy::inline_always, reason = "see `descend`")]
    #[inline(always)]
    fn go_to(&mut self, edge: Edge<'a, G::Move>, player: Option<usize>) -> Edge<'a, G::Move> {
        if let Some(mv) = edge.mv() {
            if self.observer.is_active() {
                self.observer.event(Event::Select(mv));
            }
            self.game.play(&mut self.scratch.state, mv);
        }
        self.arrive(Step { edge, player });
        edge
    }

    /// A visit counts when it begins, so that other threads look elsewhere meanwhile.
    #[inline]
    fn arrive(&mut self, step: Step<'a, G::Move>) {
        step.edge.visit(self.alone);
        if !self.alone {
            self.burden(step.edge);
        }
        self.scratch.path.push(step);
    }

    #[inline(never)] // it is for threads only, and choices alone are faster without it
    fn burden(&self, edge: Edge<'a, G::Move>) {
        edge.set_weight(self.options.policy.burdened(edge, &self.leaves.levels));
    }

    /// The child the policy prefers: the first of equals. Totals belong to the player who moves.
    #[expect(clippy::inline_always, reason = "see `descend`")]
    #[inline(always)]
    fn choose(&mut self, edge: Edge<'a, G::Move>, block: Block) -> Edge<'a, G::Move> {
        let at_root = self.scratch.path.len() == 1;
        let visits = if self.alone || !at_root {
            edge.visits() - 1 // this one is counted already
        } else {
            self.root_visits
        };
        if self.observer.is_active() {
            self.tell_weights(block, visits);
        }
        let policy = self.options.policy;
        let fours = self.tree.fours(block);
        let size = fours.size();
        if let SelectionPolicy::Epsilon(epsilon) = policy
            && self.rng.unit() < epsilon
        {
            let nth = self.rng.below(size);
            return self.tree.child(block, nth).unwrap_or(self.tree.first_child(block));
        }
        if visits as usize <= size
            && policy == SelectionPolicy::Ucb1
            && let Some(child) = self.next_untried(block, visits)
        {
            return child;
        }
        let bonus = policy.bonus(self.options.c, visits);
        if self.options.solver {
            return self.choose_unproven(block, bonus, visits);
        }
        let Best { child, weight, placed } = Tree::best(fours, bonus);
        if placed < size
            && weight < f32::INFINITY
            && let Some(child) = self.place_more(block, placed)
        {
            return child;
        }
        child
    }

    #[inline(never)]
    fn choose_unproven(&mut self, block: Block, bonus: f32, visits: u32) -> Edge<'a, G::Move> {
        let Best { child, weight, placed } =
            self.tree.best_unproven(block, bonus, visits.is_multiple_of(4));
        if placed < self.tree.size(block) && weight < f32::INFINITY {
            return self.place_more(block, placed).unwrap_or(child);
        }
        child
    }

    /// Moves are tried in the order of their places. Where nobody came another way, the visits tell which one
    /// is next without looking through those before it.
    fn next_untried(&mut self, block: Block, visits: u32) -> Option<Edge<'a, G::Move>> {
        let next = visits.checked_sub(1)? as usize;
        let before = next.checked_sub(1).map(|before| self.tree.child(block, before));
        if before.is_some_and(|before| before.is_none_or(|before| before.visits() == 0)) {
            return None;
        }
        match self.tree.child(block, next) {
            Some(child) => (child.visits() == 0).then_some(child),
            None => self.place_more(block, next),
        }
    }

    /// A place for as many children again; the first of them.
    #[inline(never)]
    fn place_more(&mut self, block: Block, placed: usize) -> Option<Edge<'a, G::Move>> {
        if self.tree.is_full(&self.region) {
            return None;
        }
        self.list_moves();
        let Scratch { moves, priors, .. } = &mut self.scratch;
        let listed = Listed { moves, priors, order: self.kept.order };
        let child = self.tree.extend(block, listed, placed, placed, &mut self.region);
        moves.clear();
        child
    }

    /// An outcome of chance, by its probability.
    fn draw(&mut self, block: Block) -> Edge<'a, G::Move> {
        let Scratch { state, moves, .. } = &mut self.scratch;
        let outcome = self.game.sample(state, &mut self.rng, moves);
        let mut children = self.tree.children(block);
        let found = children.find(|(_, edge)| edge.mv() == Some(outcome));
        found.map_or(self.tree.first_child(block), |(_, edge)| edge)
    }

    /// The moves to try from the current position.
    pub(super) fn list_moves(&mut self) {
        let Scratch { state, moves, .. } = &mut self.scratch;
        moves.clear();
        let dedupe = self.options.dedupe && self.game.turn(state) != Turn::Chance;
        score::moves(self.game, state, dedupe, moves);
    }

    /// **Expand**: the children of the position become known, unless it has none, they are known
    /// already, or there is no memory for them.
    fn expand(&mut self, edge: Edge<'a, G::Move>) -> Option<Block> {
        let turn = self.game.turn(&self.scratch.state);
        if turn == Turn::Over
            || self.tree.is_full(&self.region)
            || edge.block().is_some()
            || !edge.claim()
        {
            return None;
        }
        let key =
            |keys: KeyFunctions<G>| (keys.table_key)(self.game, &self.scratch.state, u32::MAX);
        let merged = self.kept.merged.as_ref().zip(self.keys.map(key));
        if let Some(block) = merged.and_then(|(merged, key)| merged.find(key)) {
            edge.adopt(block);
            // What is certain there is so here.
            if let (Some(&step), Turn::Player(mover)) = (self.scratch.path.last(), turn)
                && self.options.solver
            {
                self.prove(step, mover);
            }
            return Some(block);
        }
        self.list_moves();
        let Scratch { state, moves, priors, path, scores } = &mut self.scratch;
        priors.clear();
        let policy = self.options.policy;
        if let (Turn::Player(_), SelectionPolicy::Puct) = (turn, policy) {
            self.leaves.priors(self.game, state, moves, scores, priors);
        }
        // Some children get a place later, where they are sure to be visited in order.
        let all = policy != SelectionPolicy::Ucb1
            || self.options.expand_all
            || turn == Turn::Chance
            || path.is_empty();
        let listed = Listed { moves, priors, order: self.kept.order };
        let block = self.tree.add(listed, all, &mut self.region);
        if self.observer.is_active() {
            self.observer.event(Event::Expand(moves));
        }
        moves.clear();
        let block = block?;
        if policy == SelectionPolicy::Puct {
            for (_, child) in self.tree.children(block) {
                child.set_weight(policy.weight(child, self.leaves.levels.middle));
            }
        }
        edge.adopt(block);
        if let Some((merged, key)) = merged {
            merged.insert(key, block);
        }
        Some(block)
    }

    /// **Simulate**: what the position turns out to be worth to each player.
    fn simulate(&mut self) {
        let Step { edge, player, .. } = self.scratch.path[self.scratch.path.len() - 1];
        let Scratch { state, moves, scores, path, .. } = &mut self.scratch;
        if self.options.solver
            && let Some(player) = player
            && path.len() > 1
        {
            if self.game.turn(state) == Turn::Over {
                edge.prove(Proof::of_end(self.game, state, player));
            }
            if let Some(outcome) = edge.proof().outcome() {
                self.leaves.proven_rewards(outcome, player, &mut scores.rewards);
                scores.mix = None;
                self.pass_up();
                self.tell_simulated();
                return;
            }
        }
        let nth = u64::from(edge.visits()).saturating_sub(1);
        self.leaves.simulate(self.game, state, nth, &mut self.rng, moves, scores);
        self.tell_simulated();
    }

    /// All new children of a leaf, once each, as long as there may be more simulations.
    fn simulate_children(&mut self, block: Block) {
        let length = self.scratch.path.len();
        let here = self.scratch.state.clone();
        let player = match self.game.turn(&here) {
            Turn::Player(player) => Some(player),
            _ => None,
        };
        let tree = self.tree;
        for (i, (_, edge)) in tree.children(block).enumerate() {
            if i > 0 {
                if self.refusal().is_some() {
                    return;
                }
                self.tell_way_down(length);
                // The way down counts for every simulation.
                for step in &self.scratch.path[usize::from(!self.alone)..length] {
                    step.edge.visit(self.alone);
                }
            }
            self.scratch.state.clone_from(&here);
            self.scratch.path.truncate(length);
            self.go_to(edge, player);
            self.simulate();
            self.back_up();
        }
    }

    /// **Back up**: everybody on the way takes the result in, from the leaf up.
    fn back_up(&mut self) {
        let counted = usize::from(!self.alone);
        for &Step { edge, player, .. } in self.scratch.path[counted..].iter().rev() {
            let reward = player.map_or(0.0, |player| self.reward(player));
            let total = edge.reward(reward, self.alone);
            let policy = self.options.policy;
            edge.set_weight(policy.weight_with(edge, total, self.leaves.levels.middle));
            if self.observer.is_active() {
                let (visits, total) = (edge.visits().into(), edge.total());
                self.observer.event(Event::BackUp { visits, total });
            }
        }
        if let (Some(shares), Some(child)) = (self.shares, self.scratch.path.get(1))
            && let (Some(mv), Ok(mut shares)) = (child.edge.mv(), shares.lock())
        {
            shares.add(mv, &self.scratch.scores.rewards);
        }
    }

    /// What the result is to a player on the way. Whoever is against the one who searches gains
    /// what that one loses.
    #[inline]
    fn reward(&self, player: usize) -> f64 {
        let rewards = &self.scratch.scores.rewards;
        if self.options.paranoid && player != self.player {
            self.leaves.levels.span - rewards[self.player]
        } else {
            rewards[player]
        }
    }

    /// What the last edge of the path proves about those above it.
    fn pass_up(&mut self) {
        for pair in self.scratch.path.windows(2).rev() {
            let Some(mover) = pair[1].player else { return };
            if !self.prove(pair[0], mover) {
                return;
            }
        }
    }

    /// What the children of a position prove about the edge to it; false if nothing new.
    fn prove(&self, above: Step<'a, G::Move>, mover: usize) -> bool {
        let (Some(into), Some(block)) = (above.player, above.edge.block()) else { return false };
        let proof = self.tree.proof_of(block);
        // The root's edge speaks for the player who moves there.
        above.edge.prove(if mover == into { proof } else { proof.turned() })
    }
}
