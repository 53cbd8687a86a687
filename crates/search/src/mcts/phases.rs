//! One simulation in its four phases: select, expand, simulate, back up.

use std::collections::HashMap;
use std::sync::Mutex;

use tussle_core::{Evaluations, Event, Hashed, Observer, Rng, Turn};

use super::leaf::Leaves;
use super::settings::{Policy, Switches};
use super::tree::{Block, Edge, Id, Proof, Tree};

/// Blocks by the key of their position, where positions are merged.
pub(super) type Merged = Mutex<HashMap<u64, Block>>;

/// An edge on the way down, and the player who took it.
#[derive(Clone, Copy, Debug)]
struct Step {
    id: Id,
    /// Nobody for an outcome of chance.
    player: Option<usize>,
}

/// One thread's part of a search.
pub(super) struct Worker<'a, G: Evaluations, O> {
    pub(super) game: &'a G,
    pub(super) switches: &'a Switches,
    pub(super) leaves: Leaves<'a, G>,
    pub(super) tree: &'a Tree<G::Move>,
    pub(super) merged: Option<&'a Merged>,
    pub(super) root: Id,
    pub(super) start: &'a G::State,
    /// The player to move at the root.
    pub(super) player: usize,
    /// Whether no other thread works on the tree.
    pub(super) alone: bool,
    pub(super) rng: Rng,
    pub(super) observer: O,
    pub(super) scratch: Scratch<G>,
}

/// What a simulation needs and the next one uses again.
pub(super) struct Scratch<G: Evaluations> {
    state: G::State,
    path: Vec<Step>,
    moves: Vec<G::Move>,
    priors: Vec<f32>,
    /// For each player.
    rewards: Vec<f64>,
}

impl<G: Evaluations> Scratch<G> {
    pub(super) fn new(game: &G, state: &G::State) -> Self {
        Self {
            state: state.clone(),
            path: Vec::new(),
            moves: Vec::new(),
            priors: Vec::new(),
            rewards: vec![0.0; game.players()],
        }
    }
}

impl<G: Evaluations + Hashed, O: Observer<G::Move>> Worker<'_, G, O> {
    /// One walk down the tree; returns how many simulations it made.
    pub(super) fn run(&mut self) -> u64 {
        let leaf = self.select();
        if self.switches.expand_all && self.expand(leaf) {
            return self.simulate_children(leaf);
        }
        // A leaf that was seen before becomes an inner node, and its first child is the leaf.
        if self.edge(leaf).visits() > 1 && self.expand(leaf) {
            self.go_on();
        }
        self.simulate();
        self.back_up();
        1
    }

    /// The root gets its children before the first simulation.
    pub(super) fn prepare(&mut self) {
        self.scratch.state.clone_from(self.start);
        self.expand(self.root);
    }

    #[inline]
    fn edge(&self, id: Id) -> &Edge<G::Move> {
        self.tree.edge(id)
    }

    /// **Select**: from the root down to a position without children in the tree, or to a child
    /// that was never visited.
    fn select(&mut self) -> Id {
        self.scratch.state.clone_from(self.start);
        self.scratch.path.clear();
        self.arrive(Step { id: self.root, player: Some(self.player) });
        let mut id = self.root;
        loop {
            let edge = self.edge(id);
            if id != self.root && edge.proof() != Proof::Unknown {
                return id;
            }
            let Some(block) = edge.block() else { return id };
            id = self.descend(id, block);
            if self.edge(id).visits() == 1 {
                return id;
            }
        }
    }

    /// After an expansion: down to one of the new children.
    fn go_on(&mut self) {
        let last = self.scratch.path[self.scratch.path.len() - 1].id;
        if let Some(block) = self.edge(last).block() {
            self.descend(last, block);
        }
    }

    /// From a node to one of its children.
    fn descend(&mut self, id: Id, block: Block) -> Id {
        let (index, player) = match self.game.turn(&self.scratch.state) {
            Turn::Player(player) => (self.choose(id, block), Some(player)),
            _ => (self.draw(block), None),
        };
        let child = block.first + index as Id;
        if let Some(mv) = self.edge(child).mv() {
            self.game.play(&mut self.scratch.state, mv);
            if self.observer.is_active() {
                self.observer.event(Event::Select(mv));
            }
        }
        self.arrive(Step { id: child, player });
        child
    }

    /// A visit counts when it begins, so that other threads look elsewhere meanwhile.
    #[inline]
    fn arrive(&mut self, step: Step) {
        self.edge(step.id).visit(self.alone);
        self.scratch.path.push(step);
    }

    /// The child the policy prefers: the first of equals. Totals belong to the player who moves.
    fn choose(&mut self, id: Id, block: Block) -> usize {
        let edges = self.tree.edges(block);
        // This visit is counted already.
        let parent = f64::from(self.tree.edge(id).visits() - 1);
        if self.observer.is_active() {
            self.tell_weights(edges, parent);
        }
        let Switches { c, policy, solver, .. } = *self.switches;
        if let Policy::Epsilon(epsilon) = policy
            && self.rng.unit() < epsilon
        {
            return self.rng.below(edges.len());
        }
        let scale = bonus_scale(policy, c, parent);
        let (mut best, mut chosen) = (f64::NEG_INFINITY, 0);
        for (i, edge) in edges.iter().enumerate() {
            let visits = edge.visits();
            if visits == 0 && policy != Policy::Puct {
                return i;
            }
            // What is proven needs no further look. A proven draw still counts for what the
            // node is worth, so it is passed over every other time only.
            let skipped = match edge.proof() {
                Proof::Loss => solver,
                Proof::Draw => solver && parent as u64 % 2 == 0,
                _ => false,
            };
            if skipped {
                continue;
            }
            let mean = if visits == 0 { self.leaves.middle } else { edge.mean() };
            let value = mean + bonus(policy, scale, edge, visits);
            if value > best {
                (best, chosen) = (value, i);
            }
        }
        chosen
    }

    /// An outcome of chance, by its probability.
    fn draw(&mut self, block: Block) -> usize {
        let Scratch { state, moves, .. } = &mut self.scratch;
        let outcome = self.game.sample(state, &mut self.rng, moves);
        let edges = self.tree.edges(block);
        edges.iter().position(|edge| edge.mv() == Some(outcome)).unwrap_or(0)
    }

    /// **Expand**: the children of the position become known; false if it has none, or there is no
    /// memory for them.
    fn expand(&mut self, id: Id) -> bool {
        let edge = self.tree.edge(id);
        let turn = self.game.turn(&self.scratch.state);
        if turn == Turn::Over || edge.block().is_some() || !edge.claim() {
            return false;
        }
        let key = self.merged.map(|_| self.game.table_key(&self.scratch.state, u32::MAX));
        if let (Some(merged), Some(key)) = (self.merged, key) {
            let known = merged.lock().ok().and_then(|merged| merged.get(&key).copied());
            if let Some(block) = known {
                edge.adopt(block);
                return true;
            }
        }
        let Scratch { state, moves, priors, .. } = &mut self.scratch;
        moves.clear();
        priors.clear();
        if self.switches.dedupe && turn != Turn::Chance {
            self.game.distinct_moves(state, moves);
        } else {
            self.game.moves(state, moves);
        }
        if let Turn::Player(player) = turn
            && self.switches.policy == Policy::Puct
        {
            self.leaves.priors(self.game, state, player, moves, priors);
        }
        let block = self.tree.add(moves, priors);
        if self.observer.is_active() {
            self.observer.event(Event::Expand(moves));
        }
        moves.clear();
        let Some(block) = block else { return false };
        edge.adopt(block);
        if let (Some(merged), Some(key)) = (self.merged, key)
            && let Ok(mut merged) = merged.lock()
        {
            merged.insert(key, block);
        }
        true
    }

    /// **Simulate**: what the position turns out to be worth to each player.
    fn simulate(&mut self) {
        let Step { id, player } = self.scratch.path[self.scratch.path.len() - 1];
        let edge = self.tree.edge(id);
        let Scratch { state, moves, rewards, .. } = &mut self.scratch;
        if self.switches.solver
            && let Some(player) = player
            && id != self.root
        {
            let proof = match edge.proof() {
                Proof::Unknown if self.game.turn(state) == Turn::Over => {
                    self.leaves.proof(self.game, state, player)
                }
                known => known,
            };
            if proof != Proof::Unknown {
                self.leaves.proven_rewards(proof, player, rewards);
                edge.prove(proof);
                self.pass_up();
                self.tell_simulated();
                return;
            }
        }
        let nth = u64::from(edge.visits()) - 1;
        self.leaves.simulate(self.game, state, nth, &mut self.rng, moves, rewards);
        if self.switches.paranoid {
            let ours = rewards[self.player];
            let everybody = self.leaves.span;
            for (player, reward) in rewards.iter_mut().enumerate() {
                if player != self.player {
                    *reward = everybody - ours;
                }
            }
        }
        self.tell_simulated();
    }

    /// All new children of a leaf, once each.
    fn simulate_children(&mut self, leaf: Id) -> u64 {
        let Some(block) = self.edge(leaf).block() else { return 0 };
        let length = self.scratch.path.len();
        let here = self.scratch.state.clone();
        let player = match self.game.turn(&here) {
            Turn::Player(player) => Some(player),
            _ => None,
        };
        for (i, id) in block.ids().enumerate() {
            if i > 0 {
                // The way down counts for every simulation.
                for j in 0..length {
                    self.edge(self.scratch.path[j].id).visit(self.alone);
                }
            }
            self.scratch.state.clone_from(&here);
            self.scratch.path.truncate(length);
            if let Some(mv) = self.edge(id).mv() {
                self.game.play(&mut self.scratch.state, mv);
            }
            self.arrive(Step { id, player });
            self.simulate();
            self.back_up();
        }
        u64::from(block.len)
    }

    /// **Back up**: everybody on the way takes the result in, from the leaf up.
    fn back_up(&mut self) {
        for i in (0..self.scratch.path.len()).rev() {
            let Step { id, player } = self.scratch.path[i];
            let reward = player.map_or(0.0, |player| self.scratch.rewards[player]);
            let edge = self.tree.edge(id);
            edge.reward(reward, self.alone);
            if self.observer.is_active() {
                let (visits, total) = (edge.visits().into(), edge.total());
                self.observer.event(Event::BackUp { visits, total });
            }
        }
    }

    /// What the last edge of the path proves about those above it.
    fn pass_up(&mut self) {
        let path = &self.scratch.path;
        for i in (0..path.len() - 1).rev() {
            let (above, below) = (path[i], path[i + 1]);
            let (Some(mover), Some(into)) = (below.player, above.player) else { return };
            let edge = self.tree.edge(above.id);
            let Some(block) = edge.block() else { return };
            let Some(best) = best_proof(self.tree.edges(block)) else { return };
            // The root's edge speaks for the player who moves there.
            let same = mover == into;
            if !edge.prove(if same { best } else { best.turned() }) {
                return;
            }
        }
    }

    fn tell_simulated(&mut self) {
        if self.observer.is_active() {
            let value = self.scratch.rewards[0];
            self.observer.event(Event::Simulate { value });
        }
    }

    fn tell_weights(&mut self, edges: &[Edge<G::Move>], parent: f64) {
        let Switches { c, policy, .. } = *self.switches;
        let scale = bonus_scale(policy, c, parent);
        for edge in edges {
            let Some(mv) = edge.mv() else { continue };
            let visits = edge.visits();
            let (mean, bonus) = match visits {
                0 if policy != Policy::Puct => (0.0, f64::INFINITY),
                0 => (self.leaves.middle, bonus(policy, scale, edge, 0)),
                _ => (edge.mean(), bonus(policy, scale, edge, visits)),
            };
            self.observer.event(Event::Weigh { mv, visits: visits.into(), mean, bonus });
        }
    }
}

/// What the player who chooses among these can prove: a win if one of them wins, otherwise
/// the best if all are proven.
fn best_proof<M: Copy>(edges: &[Edge<M>]) -> Option<Proof> {
    let mut best = Proof::Loss;
    let mut all = true;
    for edge in edges {
        match edge.proof() {
            Proof::Win => return Some(Proof::Win),
            Proof::Draw => best = Proof::Draw,
            Proof::Loss => {}
            Proof::Unknown => all = false,
        }
    }
    all.then_some(best)
}

/// The part of the bonus that all siblings share.
#[inline]
pub(super) fn bonus_scale(policy: Policy, c: f64, parent: f64) -> f64 {
    match policy {
        Policy::Ucb1 => c * parent.max(1.0).ln().sqrt(),
        Policy::Puct => c * parent.sqrt(),
        Policy::Epsilon(_) => 0.0,
    }
}

/// The bonus of a move for having been visited little.
#[inline]
pub(super) fn bonus<M: Copy>(policy: Policy, scale: f64, edge: &Edge<M>, visits: u32) -> f64 {
    match policy {
        Policy::Ucb1 => scale / f64::from(visits).sqrt(),
        Policy::Puct => scale * edge.prior() / (1.0 + f64::from(visits)),
        Policy::Epsilon(_) => 0.0,
    }
}
