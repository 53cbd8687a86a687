//! One simulation in its four phases: select, expand, simulate, back up.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use tussle_core::{Event, Game, LimitChecker, Observer, Rng, StopReason, Tactic, Turn};

use super::amaf::Amaf;
use super::choice::Best;
use super::counter::Quota;
use super::edge::{EDGES_PER_FOUR, Edge};
use super::informed::RankedMove;
use super::leaf::{Leaves, PlayoutBuffers, Scores};
use super::options::MctsOptions;
use super::policy::SelectionPolicy;
use super::proof::Proof;
use super::report::PlayerRewards;
use super::reuse::RootedTree;
use super::tree::{Block, MoveList, Region, Tree};
use crate::keys::KeyFunctions;
use crate::score;
use crate::tactics::{Promise, TacticFunctions};

/// Edge of the selected path, with the player who chose it.
#[derive(Debug)]
pub(super) struct Step<'t, M> {
    pub(super) edge: Edge<'t, M>,
    /// Player who made the move; `None` for a chance outcome.
    pub(super) player: Option<usize>,
}

impl<M> Clone for Step<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Step<'_, M> {}

/// State of one thread of a search.
pub(super) struct Worker<'a, G: Game, O> {
    pub(super) game: &'a G,
    pub(super) options: &'a MctsOptions,
    pub(super) leaves: Leaves<'a, G>,
    pub(super) rooted: &'a RootedTree<G>,
    pub(super) tree: &'a Tree<G::Move>,
    pub(super) keys: Option<KeyFunctions<G>>,
    pub(super) tactics: Option<TacticFunctions<G>>,
    /// Promises of moves, if they are the priors.
    pub(super) promise: Option<Promise<G>>,
    /// True if selection uses more than the statistics of the children.
    pub(super) is_informed: bool,
    pub(super) quota: Quota<'a>,
    pub(super) watch: LimitChecker,
    /// Raised by the first thread to stop the others.
    pub(super) done: &'a AtomicBool,
    /// Number of simulations that this thread has started.
    pub(super) started: u64,
    /// Reason why this thread starts no further simulation.
    pub(super) stopped: Option<StopReason>,
    pub(super) player_rewards: Option<&'a Mutex<PlayerRewards<G::Move>>>,
    /// Root player.
    pub(super) player: usize,
    /// True if only one thread searches.
    pub(super) is_single_threaded: bool,
    /// Number of simulations of this thread, if there are several threads.
    pub(super) simulations: u32,
    /// Approximate visits of the root by all threads, if there are several.
    pub(super) root_visits: u32,
    pub(super) region: Region,
    pub(super) rng: Rng,
    pub(super) observer: O,
    pub(super) scratch: Scratch<'a, G>,
}

/// Buffers of a simulation, reused by the next one.
pub(super) struct Scratch<'a, G: Game> {
    pub(super) state: G::State,
    pub(super) path: Vec<Step<'a, G::Move>>,
    pub(super) moves: Vec<G::Move>,
    pub(super) priors: Vec<f32>,
    pub(super) scores: Scores,
    /// Statistics of all moves as first.
    pub(super) amaf: Option<Box<Amaf<G::Move>>>,
    /// Moves with their ranks, to be sorted.
    pub(super) ranked: Vec<RankedMove<G::Move>>,
    pub(super) sorted: Vec<G::Move>,
}

impl<G: Game> Scratch<'_, G> {
    pub(super) fn new(game: &G, state: &G::State, amaf: Option<Box<Amaf<G::Move>>>) -> Self {
        Self {
            state: state.clone(),
            path: Vec::new(),
            moves: Vec::new(),
            priors: Vec::new(),
            scores: Scores::new(game.players()),
            amaf,
            ranked: Vec::new(),
            sorted: Vec::new(),
        }
    }
}

impl<'a, G: Game, O: Observer<G::Move>> Worker<'a, G, O> {
    /// Returns the reason to stop, or counts one more simulation. Call it once before each simulation.
    #[inline]
    pub(super) fn stop_reason(&mut self) -> Option<StopReason> {
        if self.stopped.is_none() {
            // The first simulation is made even if the time is up.
            let late = self.watch.check(self.started).filter(|_| self.started > 0);
            self.stopped = if self.done.load(Relaxed) {
                Some(StopReason::StopFlag)
            } else if late.is_some() {
                late
            } else if self.quota.take() {
                self.started += 1;
                None
            } else {
                Some(StopReason::Nodes)
            };
        }
        self.stopped
    }

    /// Runs one simulation, after [`stop_reason`](Self::stop_reason) returned `None`.
    pub(super) fn run(&mut self) {
        if self.observer.is_active() {
            self.observer.event(Event::Iteration(self.started as u32));
        }
        if let Some(block) = self.select() {
            self.simulate_children(block);
        } else {
            self.simulate();
            self.back_up();
        }
    }

    /// Gives the root all of its children before the first simulation.
    pub(super) fn prepare(&mut self) {
        self.scratch.state.clone_from(&self.rooted.state);
        let root = self.tree.edge(self.rooted.root);
        // With `expand_all`, the root is expanded by the first simulation, like every leaf.
        if !self.options.expand_all {
            self.expand(root);
        }
        if let Some(block) = root.block() {
            self.list_moves();
            let order = self.sort_moves(Some(block), 0);
            let Scratch { moves, priors, .. } = &mut self.scratch;
            // If memory runs out, the root keeps the children that have a slot.
            let move_list = MoveList { moves, priors, order };
            let _ = self.tree.complete(block, move_list, &mut self.region);
            moves.clear();
            if self.is_informed {
                self.update_weights(block, 0);
            }
        }
    }

    /// **Select**: follows the selected path from the root to an unvisited child, or to a position that
    /// has no children and cannot get any. A leaf that was visited before is expanded, and its first child
    /// becomes the leaf. With `expand_all`, returns the new children, all of which are simulated.
    fn select(&mut self) -> Option<Block> {
        let all = self.options.expand_all;
        self.scratch.state.clone_from(&self.rooted.state);
        self.scratch.path.clear();
        if let Some(amaf) = &mut self.scratch.amaf {
            amaf.start();
        }
        let mut edge = self.tree.edge(self.rooted.root);
        let root = Step { edge, player: Some(self.player) };
        if self.is_single_threaded {
            self.arrive(root);
        } else {
            self.scratch.path.push(root);
            self.estimate_root_visits();
        }
        loop {
            let known = edge.block();
            let block = match known {
                Some(_) if edge.is_settled() && self.scratch.path.len() > 1 => return None,
                Some(block) => block,
                None if all || edge.visits() >= self.options.expand_visits => self.expand(edge)?,
                None => return None,
            };
            // Outcomes of a chance node are drawn instead, according to their probabilities.
            if known.is_none() && all && self.game.turn(&self.scratch.state) != Turn::Chance {
                return Some(block);
            }
            edge = self.descend(edge, block);
            // Without `expand_all`, the first visit of a child never expands it.
            if known.is_none() || (edge.visits() == 1 && !all) {
                return None;
            }
        }
    }

    /// Updates the approximate number of root visits. If all threads counted in the root itself, they
    /// would wait for each other; the sum over its children is the same number, and selection only needs it
    /// approximately.
    fn estimate_root_visits(&mut self) {
        self.simulations += 1;
        self.root_visits += self.options.threads as u32;
        if self.simulations % 64 == 1 {
            self.root_visits = self.tree.edge(self.rooted.root).visits_below(self.tree);
        }
    }

    /// Moves from a node to one of its children.
    #[expect(
        clippy::inline_always,
        reason = "selection is one loop; a call costs a tenth of a simulation"
    )]
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

    /// Appends an edge to the selected path and counts the visit. It is counted before its result is known, so
    /// that other threads prefer other edges.
    #[inline]
    fn arrive(&mut self, step: Step<'a, G::Move>) {
        step.edge.visit(self.is_single_threaded);
        if !self.is_single_threaded {
            self.add_virtual_loss(step.edge);
        }
        self.scratch.path.push(step);
    }

    #[inline(never)] // only several threads need it, and a single thread is faster without its code
    fn add_virtual_loss(&self, edge: Edge<'a, G::Move>) {
        edge.set_weight(self.options.policy.with_virtual_loss(edge, &self.leaves.special));
    }

    /// Returns the child that the selection policy prefers, the first among equals.
    #[expect(clippy::inline_always, reason = "see `descend`")]
    #[inline(always)]
    fn choose(&mut self, edge: Edge<'a, G::Move>, block: Block) -> Edge<'a, G::Move> {
        let at_root = self.scratch.path.len() == 1;
        let visits = if self.is_single_threaded || !at_root {
            edge.visits() - 1 // without the present visit
        } else {
            self.root_visits
        };
        if let Some(amaf) = &mut self.scratch.amaf {
            amaf.enter(block, visits, self.scratch.path.len());
        }
        if self.observer.is_active() && !self.is_informed {
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
        if self.is_informed {
            return self.choose_informed(edge, block, visits);
        }
        if visits as usize <= size
            && policy == SelectionPolicy::Ucb1
            && let Some(child) = self.next_untried(block, visits)
        {
            return child;
        }
        let bonus = policy.bonus(self.options.c, visits);
        // A proof of shared children is not flagged at all edges that lead to them.
        let is_shared = self.options.solver && self.rooted.transpositions.is_some();
        if edge.is_bounded() || is_shared {
            return self.choose_unproven(block, bonus, visits);
        }
        let Best { child, weight, placed } = Tree::best(fours, bonus);
        if placed < size
            && weight < f32::INFINITY
            && let Some(child) = self.add_slots(block, placed)
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
            return self.add_slots(block, placed).unwrap_or(child);
        }
        child
    }

    /// Returns the next untried child, if its number follows from the visits of the position. Children are tried
    /// in order, so this fails only if a transposition or another thread visited the position too.
    fn next_untried(&mut self, block: Block, visits: u32) -> Option<Edge<'a, G::Move>> {
        let next = visits.checked_sub(1)? as usize;
        let (before, child) = self.tree.neighbours(block, next);
        if next > 0 && before.is_none_or(|before| before.visits() == 0) {
            return None;
        }
        match child {
            Some(child) => (child.visits() == 0).then_some(child),
            None => self.add_slots(block, next),
        }
    }

    /// Adds slots for as many further children as there are, and returns the first of them.
    #[inline(never)]
    pub(super) fn add_slots(&mut self, block: Block, placed: usize) -> Option<Edge<'a, G::Move>> {
        if self.tree.is_full(&self.region) {
            return None;
        }
        self.list_moves();
        let order = self.sort_moves(Some(block), placed);
        self.scratch.priors.clear();
        self.promised_priors();
        let Scratch { moves, priors, .. } = &mut self.scratch;
        let move_list = MoveList { moves, priors, order };
        let child = self.tree.extend(block, move_list, placed, placed, &mut self.region);
        moves.clear();
        if self.is_informed && child.is_some() {
            self.update_weights(block, placed);
        }
        child
    }

    /// Draws a chance outcome according to its probability.
    fn draw(&mut self, block: Block) -> Edge<'a, G::Move> {
        let Scratch { state, moves, .. } = &mut self.scratch;
        let outcome = self.game.sample(state, &mut self.rng, moves);
        let mut children = self.tree.children(block);
        let found = children.find(|(_, edge)| edge.mv() == Some(outcome));
        found.map_or(self.tree.first_child(block), |(_, edge)| edge)
    }

    /// Lists the moves to try from the current position, and returns its tactical situation. At the
    /// root all moves are listed.
    pub(super) fn list_moves(&mut self) -> Tactic {
        let Scratch { state, moves, path, .. } = &mut self.scratch;
        moves.clear();
        let is_choice = self.game.turn(state) != Turn::Chance;
        score::moves(self.game, state, self.options.dedupe && is_choice, moves);
        let Some(tactics) = self.tactics.filter(|_| is_choice && path.len() > 1) else {
            return Tactic::Open;
        };
        if (tactics.has_fast_narrow)(self.game) {
            return (tactics.narrow)(self.game, state, moves, 0);
        }
        let all = moves.len();
        (tactics.winning_moves)(self.game, state, moves);
        if moves.len() == all {
            return Tactic::Open;
        }
        moves.drain(..all);
        Tactic::Win
    }

    /// Notes that the player to move behind the last edge of the path wins or loses for certain.
    fn settle(&self, edge: Edge<'a, G::Move>, tactic: Tactic) -> bool {
        let proof = match tactic {
            Tactic::Open => return false,
            Tactic::Win => Proof::WIN,
            Tactic::Loss(_) => Proof::LOSS,
        };
        let into = self.scratch.path.last().and_then(|step| step.player);
        let (Some(into), Turn::Player(mover)) = (into, self.game.turn(&self.scratch.state)) else {
            return false;
        };
        edge.prove(if mover == into { proof } else { proof.turned() });
        true
    }

    /// **Expand**: creates the children of the position. Returns `None` if the game is over, the position is
    /// already expanded, or memory has run out.
    fn expand(&mut self, edge: Edge<'a, G::Move>) -> Option<Block> {
        let turn = self.game.turn(&self.scratch.state);
        if turn == Turn::Over
            || self.tree.is_full(&self.region)
            || edge.block().is_some()
            || !edge.claim(self.is_single_threaded)
        {
            return None;
        }
        let key =
            |keys: KeyFunctions<G>| (keys.table_key)(self.game, &self.scratch.state, u32::MAX);
        let transpositions = self.rooted.transpositions.as_ref().zip(self.keys.map(key));
        if let Some(block) =
            transpositions.and_then(|(transpositions, key)| transpositions.find(key))
        {
            edge.set_children(block, self.is_single_threaded);
            // Proofs of the shared children also hold here.
            if let (Some(&step), Turn::Player(mover)) = (self.scratch.path.last(), turn)
                && self.options.solver
            {
                self.prove(step, mover);
            }
            return Some(block);
        }
        let tactic = self.list_moves();
        if self.options.solver && self.settle(edge, tactic) {
            self.scratch.moves.clear();
            return None;
        }
        let policy = self.options.policy;
        // UCB1 visits children in order, so that later ones can get their slots later.
        let all = policy != SelectionPolicy::Ucb1
            || self.options.expand_all
            || turn == Turn::Chance
            || self.scratch.path.is_empty();
        let order = self.sort_moves(None, if all { 0 } else { EDGES_PER_FOUR });
        self.scratch.priors.clear();
        self.promised_priors();
        let Scratch { state, moves, priors, scores, .. } = &mut self.scratch;
        if let (Turn::Player(_), SelectionPolicy::Puct, true) = (turn, policy, priors.is_empty()) {
            self.leaves.priors(self.game, state, moves, scores, priors);
        }
        let move_list = MoveList { moves, priors, order };
        let block = self.tree.add(move_list, all, &mut self.region);
        if self.observer.is_active() {
            self.observer.event(Event::Expand(moves));
        }
        moves.clear();
        let block = block?;
        if self.is_informed {
            self.update_weights(block, 0);
        } else if policy == SelectionPolicy::Puct {
            for (_, child) in self.tree.children(block) {
                child.set_weight(policy.weight(child, self.leaves.special.unvisited));
            }
        }
        edge.set_children(block, self.is_single_threaded);
        if let Some((transpositions, key)) = transpositions {
            transpositions.insert(key, block);
        }
        Some(block)
    }

    /// **Simulate**: determines the reward of each player at the leaf.
    fn simulate(&mut self) {
        let Step { edge, player, .. } = self.scratch.path[self.scratch.path.len() - 1];
        let Scratch { state, moves, scores, path, amaf, .. } = &mut self.scratch;
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
                self.back_up_proof();
                self.tell_simulated();
                return;
            }
        }
        let nth = u64::from(edge.visits()).saturating_sub(1);
        let record = amaf.as_mut().map(|amaf| &mut amaf.record);
        let buffers = PlayoutBuffers { moves, record };
        self.leaves.simulate(self.game, state, nth, &mut self.rng, buffers, scores);
        self.tell_simulated();
    }

    /// Simulates each new child of a leaf once, until a limit is reached.
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
                if self.stop_reason().is_some() {
                    return;
                }
                self.tell_selected_path(length);
                // Every simulation counts as a visit of the whole path.
                for step in &self.scratch.path[usize::from(!self.is_single_threaded)..length] {
                    step.edge.visit(self.is_single_threaded);
                }
            }
            self.scratch.state.clone_from(&here);
            self.scratch.path.truncate(length);
            self.go_to(edge, player);
            self.simulate();
            self.back_up();
        }
    }

    /// **Back up**: adds the result to every edge of the selected path, from the leaf to the root.
    fn back_up(&mut self) {
        if self.scratch.amaf.is_some() {
            self.back_up_amaf();
        }
        if self.is_single_threaded
            && self.options.policy == SelectionPolicy::Ucb1
            && !self.is_informed
            && !self.options.paranoid
            && !self.observer.is_active()
        {
            self.back_up_alone();
        } else {
            self.back_up_any();
        }
        if let (Some(player_rewards), Some(child)) = (self.player_rewards, self.scratch.path.get(1))
            && let (Some(mv), Ok(mut player_rewards)) = (child.edge.mv(), player_rewards.lock())
        {
            player_rewards.add(mv, &self.scratch.scores.rewards);
        }
    }

    /// The usual case of [`back_up`](Self::back_up): one thread, UCB1, and no observer.
    #[inline]
    fn back_up_alone(&self) {
        let Scratch { path, scores, .. } = &self.scratch;
        let (rewards, solver) = (&scores.rewards[..], self.options.solver);
        for &Step { edge, player, .. } in path.iter().rev() {
            let reward = player.and_then(|player| rewards.get(player)).copied().unwrap_or(0.0);
            edge.add(reward);
            if solver {
                edge.pass_over_if_lost();
            }
        }
    }

    fn back_up_any(&mut self) {
        let counted = usize::from(!self.is_single_threaded);
        for i in (counted..self.scratch.path.len()).rev() {
            let Step { edge, player, .. } = self.scratch.path[i];
            let reward = player.map_or(0.0, |player| self.reward(player));
            let total = edge.reward(reward, self.is_single_threaded);
            edge.set_weight(match player {
                Some(player) if self.is_informed => {
                    let reference =
                        self.scratch.amaf.as_ref().map_or(0, |amaf| amaf.reference_at(i));
                    self.informed_weight(edge, total, player, reference)
                }
                _ => {
                    let policy = self.options.policy;
                    policy.weight_with(edge, total, self.leaves.special.unvisited)
                }
            });
            edge.pass_over_if_lost();
            if self.observer.is_active() {
                let (visits, total) = (edge.visits().into(), edge.total());
                self.observer.event(Event::BackUp { visits, total });
            }
        }
    }

    /// Returns the reward of the simulation for a player. With `paranoid`, opponents gain what the root player
    /// loses.
    #[inline]
    pub(super) fn reward(&self, player: usize) -> f64 {
        let rewards = &self.scratch.scores.rewards;
        if self.options.paranoid && player != self.player {
            self.leaves.special.span - rewards[self.player]
        } else {
            rewards[player]
        }
    }

    /// Backs up a proof of the last edge along the selected path, as far as it proves something new.
    fn back_up_proof(&mut self) {
        for pair in self.scratch.path.windows(2).rev() {
            let Some(mover) = pair[1].player else { return };
            if !self.prove(pair[0], mover) {
                return;
            }
        }
    }

    /// Adds to an edge the proof that the children of its position give; returns false if it was known before.
    fn prove(&self, above: Step<'a, G::Move>, mover: usize) -> bool {
        let (Some(into), Some(block)) = (above.player, above.edge.block()) else { return false };
        let proof = self.tree.proof_of(block);
        // The proof of the root's edge belongs to the player to move at the root.
        above.edge.prove(if mover == into { proof } else { proof.turned() })
    }
}
