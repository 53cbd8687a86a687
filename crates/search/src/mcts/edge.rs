//! Edges of the tree, each a move with its statistics. Four edges share a memory block, a [`Four`].

use std::hint::select_unpredictable;
use std::sync::OnceLock;
use std::sync::atomic::{
    AtomicU8, AtomicU16, AtomicU32, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

use super::proof::Proof;
use super::tree::{Block, Id, NONE, Tree};

/// Number of edges in a [`Four`].
pub(super) const EDGES_PER_FOUR: usize = 4;
/// Bit of [`Four::children`]: the value of the edge is proven.
const SETTLED: u32 = 1 << 31;
/// Bit of [`Four::children`]: a bound of the value of the edge is proven.
const BOUNDED: u32 = 1 << 30;
/// Bits of [`Four::children`] with the number of the first segment. Edges have numbers of 32 bits, so
/// fours have 30.
const SEGMENT_MASK: u32 = BOUNDED - 1;

/// Bit of [`Four::marks`]: a thread has created the children or is doing so.
const EXPANDING: u8 = 0x80;

/// Weight of a child in selection: its mean, and the factor of the exploration bonus that all siblings share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Weight {
    pub(super) mean: f32,
    pub(super) share: f32,
}

impl Weight {
    /// Weight of an untried child, above those of all tried ones.
    pub(super) const UNTRIED: Self = Self { mean: f32::INFINITY, share: 0.0 };
    /// Weight of an unused lane, which is never chosen.
    pub(super) const NEVER: Self = Self { mean: f32::NEG_INFINITY, share: 0.0 };

    /// Returns the sum of mean and exploration bonus.
    #[inline]
    pub(super) fn under(self, bonus: f32) -> f32 {
        self.mean + bonus * self.share
    }
}

/// Four edges. With moves of two bytes they fill two cache lines.
///
/// The first line has what selection reads: weights of siblings and the positions of children. So
/// selection waits for memory once per ply. The second line has the counters, which only threads that
/// visit one of the edges access.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Four<M> {
    /// Means of the [`Weight`]s, as the bits of `f32`s. Threads may see a new mean with an old share.
    means: [AtomicU32; EDGES_PER_FOUR],
    shares: [AtomicU32; EDGES_PER_FOUR],
    /// Number of the first four of the children's first segment, and two flags, so that selection learns
    /// from a cache line that it reads anyway whether something is proven.
    children: [AtomicU32; EDGES_PER_FOUR],
    /// First four of the next segment; only in the first four of a segment.
    pub(super) next: AtomicU32,
    /// Number of fours of the segment; only in the first four of a segment.
    pub(super) len: AtomicU16,
    /// Number of children, with or without a slot; only in the first four of a block.
    pub(super) count: AtomicU16,
    /// Upper halves of `f32`s: a precision of two or three digits is enough.
    priors: [AtomicU16; EDGES_PER_FOUR],
    /// Sums of the rewards of the player who makes the move, as the bits of `f64`s.
    totals: [AtomicU64; EDGES_PER_FOUR],
    visits: [AtomicU32; EDGES_PER_FOUR],
    marks: [AtomicU8; EDGES_PER_FOUR],
    pub(super) moves: OnceLock<[M; EDGES_PER_FOUR]>,
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

/// Returns the larger number with one instruction; `f32::max` needs several, because it handles NaN.
#[inline]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

impl<M> Four<M> {
    /// Returns the largest weight under a bonus and its lane, the first among equals.
    #[inline]
    pub(super) fn largest_weight(&self, bonus: f32) -> (f32, usize) {
        let (mut most, mut best) = (self.weight(0).under(bonus), 0);
        for lane in 1..EDGES_PER_FOUR {
            let weight = self.weight(lane).under(bonus);
            best = select_unpredictable(weight > most, lane, best);
            most = larger(most, weight);
        }
        (most, best)
    }

    #[inline]
    pub(super) fn last_edge(&self) -> Edge<'_, M> {
        Edge { four: self, lane: EDGES_PER_FOUR - 1 }
    }

    #[inline]
    fn weight(&self, lane: usize) -> Weight {
        let of = |halves: &[AtomicU32; EDGES_PER_FOUR]| f32::from_bits(halves[lane].load(Relaxed));
        Weight { mean: of(&self.means), share: of(&self.shares) }
    }
}

/// Edge of the tree: a move from one position to the next.
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
        self.four.visits[self.lane % EDGES_PER_FOUR].load(Relaxed)
    }

    #[inline]
    pub(super) fn total(self) -> f64 {
        f64::from_bits(self.four.totals[self.lane % EDGES_PER_FOUR].load(Relaxed))
    }

    /// Returns the mean reward; NaN without visits.
    #[inline]
    pub(super) fn mean(self) -> f64 {
        self.total() / f64::from(self.visits())
    }

    #[inline]
    pub(super) fn prior(self) -> f32 {
        f32::from_bits(u32::from(self.four.priors[self.lane % EDGES_PER_FOUR].load(Relaxed)) << 16)
    }

    pub(super) fn set_prior(self, prior: f32) {
        let rounded = prior.to_bits().saturating_add(1 << 15) >> 16;
        self.four.priors[self.lane % EDGES_PER_FOUR].store(rounded as u16, Relaxed);
    }

    #[inline]
    pub(super) fn weight(self) -> Weight {
        self.four.weight(self.lane % EDGES_PER_FOUR)
    }

    #[inline]
    pub(super) fn set_weight(self, weight: Weight) {
        self.four.means[self.lane % EDGES_PER_FOUR].store(weight.mean.to_bits(), Relaxed);
        self.four.shares[self.lane % EDGES_PER_FOUR].store(weight.share.to_bits(), Relaxed);
    }

    /// Returns the move; `None` for the edge of the root.
    #[inline]
    pub(super) fn mv(self) -> Option<M> {
        self.four.moves.get().map(|moves| moves[self.lane % EDGES_PER_FOUR])
    }

    #[inline]
    pub(super) fn proof(self) -> Proof {
        Proof::from_bits(self.four.marks[self.lane % EDGES_PER_FOUR].load(Relaxed))
    }

    /// Adds a proof; returns false if it was known before.
    pub(super) fn prove(self, proof: Proof) -> bool {
        let before = self.four.marks[self.lane % EDGES_PER_FOUR].fetch_or(proof.to_bits(), Relaxed);
        let is_new = before | proof.to_bits() != before;
        if is_new {
            let flags = Self::flags(Proof::from_bits(before | proof.to_bits()));
            self.four.children[self.lane % EDGES_PER_FOUR].fetch_or(flags, Relaxed);
            self.pass_over_if_lost();
        }
        is_new
    }

    /// The flags of [`Four::children`] that go with a proof.
    fn flags(proof: Proof) -> u32 {
        let bounded = if proof == Proof::UNKNOWN { 0 } else { BOUNDED };
        bounded | if proof.is_exact() { SETTLED } else { 0 }
    }

    /// Returns true if nothing is left to prove about the edge.
    #[inline]
    pub(super) fn is_settled(self) -> bool {
        self.four.children[self.lane % EDGES_PER_FOUR].load(Relaxed) & SETTLED != 0
    }

    /// Returns true if something is proven about the edge.
    #[inline]
    pub(super) fn is_bounded(self) -> bool {
        self.four.children[self.lane % EDGES_PER_FOUR].load(Relaxed) & BOUNDED != 0
    }

    /// Makes sure that no selection prefers the edge if its move is proven to lose.
    #[inline]
    pub(super) fn pass_over_if_lost(self) {
        if self.is_settled() && self.proof() == Proof::LOSS {
            self.set_weight(Weight::NEVER);
        }
    }

    /// Counts a visit. A single thread needs no atomic addition.
    #[inline]
    pub(super) fn visit(self, is_single_threaded: bool) {
        let visits = &self.four.visits[self.lane % EDGES_PER_FOUR];
        if is_single_threaded {
            visits.store(visits.load(Relaxed) + 1, Relaxed);
        } else {
            visits.fetch_add(1, Relaxed);
        }
    }

    /// Adds the reward of a visit and returns the new total.
    #[inline]
    pub(super) fn reward(self, reward: f64, is_single_threaded: bool) -> f64 {
        let total = &self.four.totals[self.lane % EDGES_PER_FOUR];
        if is_single_threaded {
            let sum = self.total() + reward;
            total.store(sum.to_bits(), Relaxed);
            return sum;
        }
        let add = |bits| Some((f64::from_bits(bits) + reward).to_bits());
        let (Ok(before) | Err(before)) = total.fetch_update(Relaxed, Relaxed, add);
        f64::from_bits(before) + reward
    }

    /// Adds the reward of a visit and sets the weight of UCB1, for a single thread. The visit must be counted
    /// already.
    #[inline]
    pub(super) fn add(self, reward: f64) {
        let total = self.reward(reward, true);
        let visits = self.visits();
        let mean = (total / f64::from(visits)) as f32;
        self.set_weight(Weight { mean, share: 1.0 / (visits as f32).sqrt() });
    }

    /// Returns the children, if the position after this edge is expanded.
    #[inline]
    pub(super) fn block(self) -> Option<Block> {
        let first = self.four.children[self.lane % EDGES_PER_FOUR].load(Acquire) & SEGMENT_MASK;
        (first != NONE).then_some(Block { first })
    }

    /// Reserves the expansion of the position; returns true if it was not reserved before. A single thread
    /// needs no atomic change.
    #[inline]
    pub(super) fn claim(self, is_single_threaded: bool) -> bool {
        let marks = &self.four.marks[self.lane % EDGES_PER_FOUR];
        let before = if is_single_threaded {
            let before = marks.load(Relaxed);
            marks.store(before | EXPANDING, Relaxed);
            before
        } else {
            marks.fetch_or(EXPANDING, Relaxed)
        };
        before & EXPANDING == 0
    }

    /// Sets the children.
    #[inline]
    pub(super) fn set_children(self, block: Block, is_single_threaded: bool) {
        let children = &self.four.children[self.lane % EDGES_PER_FOUR];
        if is_single_threaded {
            children.store(children.load(Relaxed) | block.first, Release);
        } else {
            children.fetch_or(block.first, Release);
        }
    }
}

impl<M: Copy> Edge<'_, M> {
    /// Returns the total visits of the children.
    pub(super) fn visits_below(self, tree: &Tree<M>) -> u32 {
        self.children(tree).map(|(_, child)| child.visits()).sum()
    }

    fn children(self, tree: &Tree<M>) -> impl Iterator<Item = (Id, Edge<'_, M>)> {
        self.block().into_iter().flat_map(|block| tree.children(block))
    }

    /// Sets visits and total of the root to the sums of its children. Their totals belong to the same player
    /// as that of the root: the player to move there.
    pub(super) fn sum_children(self, tree: &Tree<M>) {
        let total: f64 = self.children(tree).map(|(_, child)| child.total()).sum();
        self.four.visits[self.lane % EDGES_PER_FOUR].store(self.visits_below(tree), Relaxed);
        self.four.totals[self.lane % EDGES_PER_FOUR].store(total.to_bits(), Relaxed);
    }

    /// Makes this the edge of the root. Its numbers, which belonged to the player who moved here, become those
    /// of the player to move.
    pub(super) fn become_root(self, tree: &Tree<M>) {
        self.sum_children(tree);
        let proof = self.block().map_or(Proof::UNKNOWN, |block| tree.proof_of(block));
        let expanded = if self.block().is_some() { EXPANDING } else { 0 };
        self.four.marks[self.lane % EDGES_PER_FOUR].store(proof.to_bits() | expanded, Relaxed);
        let first = self.block().map_or(NONE, |block| block.first);
        self.four.children[self.lane % EDGES_PER_FOUR].store(first | Self::flags(proof), Relaxed);
    }

    /// Copies the numbers of another edge, without its children.
    pub(super) fn copy_from(self, other: Self) {
        self.four.totals[self.lane % EDGES_PER_FOUR].store(other.total().to_bits(), Relaxed);
        self.four.visits[self.lane % EDGES_PER_FOUR].store(other.visits(), Relaxed);
        self.set_prior(other.prior());
        self.four.marks[self.lane % EDGES_PER_FOUR].store(other.proof().to_bits(), Relaxed);
        self.four.children[self.lane % EDGES_PER_FOUR]
            .fetch_or(Self::flags(other.proof()), Relaxed);
        self.set_weight(other.weight());
    }
}
