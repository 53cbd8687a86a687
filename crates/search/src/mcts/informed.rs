//! Selection with knowledge about unvisited children: first-play urgency, all moves as first, and priors.

use tussle_core::{Game, Observer, Turn};

use super::choice::Best;
use super::edge::{Edge, Weight};
use super::options::{MctsOptions, Priors};
use super::order::Order;
use super::phases::{Scratch, Worker};
use super::policy::SelectionPolicy;
use super::tree::{Block, Tree};

/// A position with more than n² / 4 visits has slots for more than n children.
const VISITS_SCALE: usize = 4;
/// Minimum number of visits between two updates of all weights.
const MIN_UPDATE_INTERVAL: usize = 8;
/// Simulations with the mean of an unknown move that are added to the statistic of a move when moves are sorted.
const SORTING_PRIOR: f32 = 5.0;
/// Difference of [promises](tussle_core::Tactics::promise) for which the prior of a move is e times as large.
const PROMISE_SCALE: f32 = 16.0;

/// Move to be sorted.
#[derive(Clone, Copy, Debug)]
pub(super) struct RankedMove<M> {
    /// Better moves have larger ranks.
    rank: f32,
    /// Place in the order of trying without knowledge.
    place: u32,
    mv: M,
}

impl MctsOptions {
    /// Returns true if selection uses more than the statistics of the children.
    pub(super) fn is_informed(&self) -> bool {
        self.rave.is_some()
            || self.policy == SelectionPolicy::Ucb1
                && (self.fpu.is_some() || self.priors == Priors::Tactics)
    }
}

impl<'a, G: Game, O: Observer<G::Move>> Worker<'a, G, O> {
    /// Returns the child with the largest weight. Weights have all knowledge; those that it changes without a
    /// visit of the child are updated from time to time.
    #[inline(never)]
    pub(super) fn choose_informed(
        &mut self,
        edge: Edge<'a, G::Move>,
        block: Block,
        visits: u32,
    ) -> Edge<'a, G::Move> {
        let size = self.tree.size(block);
        let bonus = self.options.policy.bonus(self.options.c, visits);
        let learns = self.scratch.amaf.is_some();
        if learns {
            let placed = self.tree.placed(block);
            if placed < size && visits as usize * VISITS_SCALE >= placed * placed {
                self.add_slots(block, placed);
            }
            if (visits as usize).is_multiple_of(placed.max(MIN_UPDATE_INTERVAL)) {
                self.update_weights(block, 0);
            }
        }
        // As in `choose`.
        let is_shared = self.options.solver && self.rooted.transpositions.is_some();
        let Best { child, weight, placed } = if edge.is_bounded() || is_shared {
            self.tree.best_unproven(block, bonus, visits.is_multiple_of(4))
        } else {
            Tree::best(self.tree.fours(block), bonus)
        };
        let unvisited = self.options.fpu.map_or(f32::INFINITY, |fpu| fpu as f32);
        let wants_more = !learns && weight < unvisited || weight == f32::NEG_INFINITY;
        let added = if wants_more && placed < size { self.add_slots(block, placed) } else { None };
        if self.observer.is_active() {
            self.tell_informed_weights(block, bonus); // with the children that were added
        }
        added.unwrap_or(child)
    }

    /// Sets the weights of all children of the present position from number `begin` on.
    pub(super) fn update_weights(&mut self, block: Block, begin: usize) {
        let Turn::Player(player) = self.game.turn(&self.scratch.state) else { return };
        let reference = self.scratch.amaf.as_ref().map_or(0, |amaf| amaf.reference());
        for (_, child) in self.tree.children(block).skip(begin) {
            if child.weight() != Weight::NEVER {
                child.set_weight(self.informed_weight(child, child.total(), player, reference));
            }
        }
    }

    /// Returns the weight of a child of a position where this player moves, given its total reward and a table of
    /// all moves as first.
    #[inline]
    pub(super) fn informed_weight(
        &self,
        child: Edge<'a, G::Move>,
        total: f64,
        player: usize,
        reference: u32,
    ) -> Weight {
        let MctsOptions { policy, rave_bias, fpu, .. } = *self.options;
        let mut weight = policy.weight_with(child, total, self.leaves.special.unvisited);
        let visits = child.visits() as f32;
        if let (Some(fpu), f32::INFINITY) = (fpu, weight.mean) {
            weight.mean = fpu as f32;
        }
        if let (Some(amaf), Some(mv)) = (&self.scratch.amaf, child.mv()) {
            let statistic = amaf.statistic(reference, player, mv);
            let n = statistic.simulations;
            if n > 0.0 && visits > 0.0 {
                let share = n / (n + visits + rave_bias as f32 * n * visits);
                weight.mean += share * (statistic.mean() - weight.mean);
            } else if n > 0.0 {
                weight.mean = statistic.mean();
                if policy == SelectionPolicy::Ucb1 {
                    weight.share = 1.0; // as after one visit
                }
            }
        }
        if self.promise.is_some() && policy == SelectionPolicy::Ucb1 {
            weight.mean += self.options.prior_weight as f32 * child.prior() / (1.0 + visits);
        }
        weight
    }

    /// Returns the order of the moves in [`Scratch::moves`](super::phases::Scratch). With knowledge about moves
    /// below the root, the best `wanted` ones are first sorted by it. Moves that have slots as children of `block`
    /// stay in front.
    pub(super) fn sort_moves(&mut self, block: Option<Block>, wanted: usize) -> Order {
        let order = self.rooted.order;
        let is_sorted = self.scratch.amaf.is_some() || self.promise.is_some();
        let Turn::Player(player) = self.game.turn(&self.scratch.state) else { return order };
        if !is_sorted || self.scratch.path.len() <= 1 && block.is_none() {
            return order;
        }
        let Self { scratch, leaves, options, promise, .. } = self;
        let Scratch { state, moves, amaf, ranked, sorted, .. } = scratch;
        sorted.clear();
        if let Some(block) = block {
            sorted.extend(self.tree.children(block).filter_map(|(_, child)| child.mv()));
        }
        let placed = sorted.len();
        let unknown = options.fpu.unwrap_or(leaves.special.middle) as f32;
        ranked.clear();
        for (place, listed) in order.from(0, moves.len()).enumerate() {
            let mv = moves[listed];
            if sorted[..placed].contains(&mv) {
                continue;
            }
            let mut rank = unknown;
            if let Some(amaf) = amaf {
                let statistic = amaf.statistic(amaf.reference(), player, mv);
                let n = statistic.simulations;
                if n > 0.0 {
                    rank += n / (n + SORTING_PRIOR) * (statistic.mean() - unknown);
                }
            } else if let Some(promise) = promise {
                rank = promise(self.game, state, mv) as f32;
            }
            ranked.push(RankedMove { rank, place: place as u32, mv });
        }
        // Among equals, the order of trying without knowledge decides.
        let compare = |a: &RankedMove<G::Move>, b: &RankedMove<G::Move>| {
            b.rank.total_cmp(&a.rank).then(a.place.cmp(&b.place))
        };
        if (1..ranked.len()).contains(&wanted) {
            ranked.select_nth_unstable_by(wanted - 1, compare);
            ranked[..wanted].sort_unstable_by(compare);
        } else {
            ranked.sort_unstable_by(compare);
        }
        sorted.extend(ranked.iter().map(|ranked| ranked.mv));
        std::mem::swap(moves, sorted);
        Order::Listed
    }

    /// Appends a prior for each move by its promise. With PUCT they sum to 1, otherwise the largest is 1.
    pub(super) fn promised_priors(&mut self) {
        let Some(promise) = self.promise else { return };
        if !matches!(self.game.turn(&self.scratch.state), Turn::Player(_)) {
            return;
        }
        let scratch = &mut self.scratch;
        let promises = scratch.moves.iter().map(|&mv| promise(self.game, &scratch.state, mv));
        scratch.priors.extend(promises.map(|promise| promise as f32));
        let most = scratch.priors.iter().copied().fold(0.0, f32::max);
        let mut sum = 0.0;
        for prior in &mut scratch.priors {
            *prior = ((*prior - most) / PROMISE_SCALE).exp();
            sum += *prior;
        }
        if self.options.policy == SelectionPolicy::Puct {
            scratch.priors.iter_mut().for_each(|prior| *prior /= sum);
        }
    }

    /// Adds the simulation to the tables of all moves as first.
    #[inline(never)]
    pub(super) fn back_up_amaf(&mut self) {
        let Some(mut amaf) = self.scratch.amaf.take() else { return };
        let path = self.scratch.path.iter().map(|step| step.player.zip(step.edge.mv()));
        amaf.back_up(path, |player| self.reward(player));
        self.scratch.amaf = Some(amaf);
    }
}
