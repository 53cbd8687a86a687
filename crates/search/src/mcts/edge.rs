//! An edge: a move from one position to the next, and what came of it. Edges lie in fours.

use std::hint::select_unpredictable;
use std::sync::OnceLock;
use std::sync::atomic::{
    AtomicU8, AtomicU16, AtomicU32, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

use super::proof::Proof;
use super::tree::{Block, Id, NONE, Tree};

/// Edges that lie together.
pub(super) const LANES: usize = 4;
/// In [`Four::marks`]: a thread makes, or has made, the children.
const EXPANDING: u8 = 0x80;

/// What a choice looks at: the mean, and what the bonus that all siblings share is multiplied by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Weight {
    pub(super) mean: f32,
    pub(super) share: f32,
}

impl Weight {
    /// To be tried before all that were.
    pub(super) const UNTRIED: Self = Self { mean: f32::INFINITY, share: 0.0 };
    /// Never to be chosen.
    pub(super) const NEVER: Self = Self { mean: f32::NEG_INFINITY, share: 0.0 };

    /// All in all, where siblings share this bonus.
    #[inline]
    pub(super) fn under(self, bonus: f32) -> f32 {
        self.mean + bonus * self.share
    }
}

/// Four moves, and what came of them: two cache lines, where moves have two bytes. In the first
/// is what the way down needs next, so that it waits for memory once a ply: what every choice
/// among siblings reads, and where the children are. Other threads have to wait for neither. In
/// the second is what threads count in, and only those that came this way.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Four<M> {
    /// [`Weight`]s, as the bits of `f32`s. Threads may see one half before the other.
    means: [AtomicU32; LANES],
    shares: [AtomicU32; LANES],
    /// Where the first segment of children is, in fours.
    children: [AtomicU32; LANES],
    /// In the first four of a segment: where the next one is.
    pub(super) next: AtomicU32,
    /// In the first four of a segment: how many fours it has.
    pub(super) len: AtomicU16,
    /// In the first four of a block: how many children there are, whether they have a place
    /// already or not.
    pub(super) count: AtomicU16,
    /// The upper halves of `f32`s: two or three digits are enough.
    priors: [AtomicU16; LANES],
    /// The sums of rewards of the player who makes the move, as the bits of `f64`s.
    totals: [AtomicU64; LANES],
    visits: [AtomicU32; LANES],
    marks: [AtomicU8; LANES],
    pub(super) moves: OnceLock<[M; LANES]>,
}

impl<M> Default for Four<M> {
    fn default() -> Self {
        Self {
            means: Default::default(),
            shares: Default::default(),
            totals: Default::default(),
            visits: Default::default(),
            children: Default::default(),
            moves: OnceLock::new(),
            priors: Default::default(),
            marks: Default::default(),
            next: AtomicU32::new(NONE),
            len: AtomicU16::new(0),
            count: AtomicU16::new(0),
        }
    }
}

/// One instruction, where `f32::max` takes several because it looks for NaN.
#[inline]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

impl<M> Four<M> {
    /// What the one weighs most that does, under a bonus, and which it is: the first of equals.
    #[inline]
    pub(super) fn heaviest(&self, bonus: f32) -> (f32, usize) {
        let (mut most, mut best) = (self.weight(0).under(bonus), 0);
        for lane in 1..LANES {
            let weight = self.weight(lane).under(bonus);
            best = select_unpredictable(weight > most, lane, best);
            most = larger(most, weight);
        }
        (most, best)
    }

    #[inline]
    fn weight(&self, lane: usize) -> Weight {
        let of = |halves: &[AtomicU32; LANES]| f32::from_bits(halves[lane].load(Relaxed));
        Weight { mean: of(&self.means), share: of(&self.shares) }
    }
}

/// A move from one position to the next.
#[derive(Debug)]
pub(super) struct Edge<'t, M> {
    pub(super) four: &'t Four<M>,
    pub(super) lane: usize,
}

impl<M> Clone for Edge<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Edge<'_, M> {}

impl<M: Copy> Edge<'_, M> {
    #[inline]
    pub(super) fn visits(self) -> u32 {
        self.four.visits[self.lane % LANES].load(Relaxed)
    }

    #[inline]
    pub(super) fn total(self) -> f64 {
        f64::from_bits(self.four.totals[self.lane % LANES].load(Relaxed))
    }

    /// The mean reward; NaN if never visited.
    #[inline]
    pub(super) fn mean(self) -> f64 {
        self.total() / f64::from(self.visits())
    }

    #[inline]
    pub(super) fn prior(self) -> f32 {
        f32::from_bits(u32::from(self.four.priors[self.lane % LANES].load(Relaxed)) << 16)
    }

    pub(super) fn set_prior(self, prior: f32) {
        let rounded = prior.to_bits().saturating_add(1 << 15) >> 16;
        self.four.priors[self.lane % LANES].store(rounded as u16, Relaxed);
    }

    #[inline]
    pub(super) fn weight(self) -> Weight {
        self.four.weight(self.lane % LANES)
    }

    #[inline]
    pub(super) fn set_weight(self, weight: Weight) {
        self.four.means[self.lane % LANES].store(weight.mean.to_bits(), Relaxed);
        self.four.shares[self.lane % LANES].store(weight.share.to_bits(), Relaxed);
    }

    /// The move; the root's edge has none.
    #[inline]
    pub(super) fn mv(self) -> Option<M> {
        self.four.moves.get().map(|moves| moves[self.lane % LANES])
    }

    #[inline]
    pub(super) fn proof(self) -> Proof {
        Proof::from_bits(self.four.marks[self.lane % LANES].load(Relaxed))
    }

    /// Notes what is proven; false if all of it was known.
    pub(super) fn prove(self, proof: Proof) -> bool {
        let before = self.four.marks[self.lane % LANES].fetch_or(proof.to_bits(), Relaxed);
        before | proof.to_bits() != before
    }

    /// One visit more. Without other threads, nobody looks before the result is known.
    #[inline]
    pub(super) fn visit(self, alone: bool) {
        let visits = &self.four.visits[self.lane % LANES];
        if alone {
            visits.store(visits.load(Relaxed) + 1, Relaxed);
        } else {
            visits.fetch_add(1, Relaxed);
        }
    }

    /// The result of a visit; returns the new total.
    #[inline]
    pub(super) fn reward(self, reward: f64, alone: bool) -> f64 {
        let total = &self.four.totals[self.lane % LANES];
        if alone {
            let sum = self.total() + reward;
            total.store(sum.to_bits(), Relaxed);
            return sum;
        }
        let add = |bits| Some((f64::from_bits(bits) + reward).to_bits());
        let (Ok(before) | Err(before)) = total.fetch_update(Relaxed, Relaxed, add);
        f64::from_bits(before) + reward
    }

    /// The children, if the position behind this edge is expanded.
    #[inline]
    pub(super) fn block(self) -> Option<Block> {
        let first = self.four.children[self.lane % LANES].load(Acquire);
        (first != NONE).then_some(Block { first })
    }

    /// Whether the caller is the one to expand the position.
    pub(super) fn claim(self) -> bool {
        self.four.marks[self.lane % LANES].fetch_or(EXPANDING, Relaxed) & EXPANDING == 0
    }

    /// These are the children.
    pub(super) fn adopt(self, block: Block) {
        self.four.children[self.lane % LANES].store(block.first, Release);
    }
}

impl<M: Copy> Edge<'_, M> {
    /// How often its children were visited.
    pub(super) fn visits_below(self, tree: &Tree<M>) -> u32 {
        self.children(tree).map(|(_, child)| child.visits()).sum()
    }

    fn children(self, tree: &Tree<M>) -> impl Iterator<Item = (Id, Edge<'_, M>)> {
        self.block().into_iter().flat_map(|block| tree.children(block))
    }

    /// The root's edge speaks for the player who moves there, as all its children do: it may take
    /// its numbers from them.
    pub(super) fn sum_up(self, tree: &Tree<M>) {
        let total: f64 = self.children(tree).map(|(_, child)| child.total()).sum();
        self.four.visits[self.lane % LANES].store(self.visits_below(tree), Relaxed);
        self.four.totals[self.lane % LANES].store(total.to_bits(), Relaxed);
    }

    /// The edge of a new root, which spoke for another player till now.
    pub(super) fn become_root(self, tree: &Tree<M>) {
        self.sum_up(tree);
        let proof = self.block().map_or(Proof::UNKNOWN, |block| tree.proof_of(block));
        let expanded = if self.block().is_some() { EXPANDING } else { 0 };
        self.four.marks[self.lane % LANES].store(proof.to_bits() | expanded, Relaxed);
    }

    /// The numbers of another edge, as yet without its children.
    pub(super) fn take_over(self, other: Self) {
        self.four.totals[self.lane % LANES].store(other.total().to_bits(), Relaxed);
        self.four.visits[self.lane % LANES].store(other.visits(), Relaxed);
        self.set_prior(other.prior());
        self.four.marks[self.lane % LANES].store(other.proof().to_bits(), Relaxed);
        self.set_weight(other.weight());
    }
}
