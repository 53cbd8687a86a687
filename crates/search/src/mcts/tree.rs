//! The tree: edges in blocks of siblings, the blocks in chunks that never move.
//!
//! ```text
//! chunk   [ block of A's children | block of B's children | … ]     16,384 edges each
//! edge    total 8 | visits 4 | first child 4 | move 8 | prior 4 | children 2 | proof 1
//! ```
//!
//! Everything in an edge can be changed by several threads at once. A block is filled before
//! its parent points to it, and is never taken back while a search runs.

use std::collections::HashMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

/// Edges a chunk holds; a position with more moves is never expanded.
const CHUNK: usize = 1 << 14;

/// Where an edge lies.
pub(super) type Id = u32;

/// No block of children.
const NONE: u32 = u32::MAX;

/// What is proven about a move, for the player who makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Proof {
    Unknown,
    Win,
    Draw,
    Loss,
}

impl Proof {
    fn from_bits(bits: u8) -> Self {
        [Self::Unknown, Self::Win, Self::Draw, Self::Loss][usize::from(bits & 3)]
    }

    /// The same for the other player.
    pub(super) fn turned(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Loss => Self::Win,
            other => other,
        }
    }
}

/// In [`Edge::proof`]: a thread is making the children.
const EXPANDING: u8 = 0x80;

/// A move from one position to the next, and what came of it.
#[derive(Debug)]
pub(super) struct Edge<M> {
    /// The sum of rewards of the player who makes the move, as the bits of an `f64`.
    total: AtomicU64,
    visits: AtomicU32,
    first_child: AtomicU32,
    mv: OnceLock<M>,
    prior: AtomicU32,
    children: AtomicU16,
    proof: AtomicU8,
}

impl<M> Default for Edge<M> {
    fn default() -> Self {
        Self {
            total: AtomicU64::new(0),
            visits: AtomicU32::new(0),
            first_child: AtomicU32::new(NONE),
            mv: OnceLock::new(),
            prior: AtomicU32::new(0),
            children: AtomicU16::new(0),
            proof: AtomicU8::new(0),
        }
    }
}

/// The children of an expanded position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) first: Id,
    pub(super) len: u16,
}

impl Block {
    pub(super) fn ids(self) -> impl DoubleEndedIterator<Item = Id> + ExactSizeIterator {
        (0..self.len).map(move |i| self.first + Id::from(i))
    }
}

impl<M: Copy> Edge<M> {
    #[inline]
    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Ordering::Relaxed)
    }

    #[inline]
    pub(super) fn total(&self) -> f64 {
        f64::from_bits(self.total.load(Ordering::Relaxed))
    }

    /// The mean reward; NaN if never visited.
    #[inline]
    pub(super) fn mean(&self) -> f64 {
        self.total() / f64::from(self.visits())
    }

    #[inline]
    pub(super) fn prior(&self) -> f64 {
        f64::from(f32::from_bits(self.prior.load(Ordering::Relaxed)))
    }

    /// The move; the root's edge has none.
    #[inline]
    pub(super) fn mv(&self) -> Option<M> {
        self.mv.get().copied()
    }

    #[inline]
    pub(super) fn proof(&self) -> Proof {
        Proof::from_bits(self.proof.load(Ordering::Relaxed))
    }

    /// Notes what is proven; false if that was known.
    pub(super) fn prove(&self, proof: Proof) -> bool {
        let before = self.proof.fetch_or(proof as u8, Ordering::Relaxed);
        Proof::from_bits(before) == Proof::Unknown
    }

    /// One visit more, at once or before its result is known.
    #[inline]
    pub(super) fn visit(&self, alone: bool) {
        if alone {
            self.visits.store(self.visits() + 1, Ordering::Relaxed);
        } else {
            self.visits.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The result of a visit.
    #[inline]
    pub(super) fn reward(&self, reward: f64, alone: bool) {
        if alone {
            self.total.store((self.total() + reward).to_bits(), Ordering::Relaxed);
            return;
        }
        let add = |bits| Some((f64::from_bits(bits) + reward).to_bits());
        let _ = self.total.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
    }

    /// The children, if the position behind this edge is expanded.
    #[inline]
    pub(super) fn block(&self) -> Option<Block> {
        let first = self.first_child.load(Ordering::Acquire);
        let len = self.children.load(Ordering::Relaxed);
        (first != NONE).then_some(Block { first, len })
    }

    /// Whether the caller is the one to expand the position.
    pub(super) fn claim(&self) -> bool {
        self.proof.fetch_or(EXPANDING, Ordering::Relaxed) & EXPANDING == 0
    }

    /// These are the children.
    pub(super) fn adopt(&self, block: Block) {
        self.children.store(block.len, Ordering::Relaxed);
        self.first_child.store(block.first, Ordering::Release);
    }
}

/// The tree of one search, or of several in a row.
pub(super) struct Tree<M> {
    chunks: Vec<OnceLock<Box<[Edge<M>]>>>,
    /// The first edge that was never handed out; edge 0 is the root of a new tree.
    next: AtomicU32,
}

impl<M> std::fmt::Debug for Tree<M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tree({} edges)", self.next.load(Ordering::Relaxed))
    }
}

impl<M: Copy> Tree<M> {
    /// An empty tree that never takes more than these bytes, with room for a few edges in any
    /// case.
    pub(super) fn new(bytes: usize) -> Self {
        let chunk = CHUNK * size_of::<Edge<M>>() + size_of::<OnceLock<Box<[Edge<M>]>>>();
        let most = (u32::MAX as usize / CHUNK) - 1;
        let chunks = (bytes / chunk).clamp(1, most);
        Self { chunks: (0..chunks).map(|_| OnceLock::new()).collect(), next: AtomicU32::new(0) }
    }

    /// The bytes it holds.
    pub(super) fn bytes(&self) -> usize {
        let held = self.chunks.iter().filter(|chunk| chunk.get().is_some()).count();
        held * CHUNK * size_of::<Edge<M>>()
            + self.chunks.len() * size_of::<OnceLock<Box<[Edge<M>]>>>()
    }

    /// The edges handed out.
    pub(super) fn len(&self) -> usize {
        self.next.load(Ordering::Relaxed) as usize
    }

    /// The share of its memory that is handed out.
    pub(super) fn fullness(&self) -> f64 {
        self.len() as f64 / (self.chunks.len() * CHUNK) as f64
    }

    #[inline]
    pub(super) fn edge(&self, id: Id) -> &Edge<M> {
        let chunk = self.chunks[id as usize / CHUNK].get().expect("only edges that exist have ids");
        &chunk[id as usize % CHUNK]
    }

    /// The edges of a block.
    #[inline]
    pub(super) fn edges(&self, block: Block) -> &[Edge<M>] {
        let first = block.first as usize;
        let chunk = self.chunks[first / CHUNK].get().expect("only edges that exist have ids");
        &chunk[first % CHUNK..][..usize::from(block.len)]
    }

    /// A block of new edges for these moves; nothing if there is no memory for it.
    pub(super) fn add(&self, moves: &[M], priors: &[f32]) -> Option<Block> {
        let block = self.room_for(moves.len())?;
        for (i, (edge, &mv)) in self.edges(block).iter().zip(moves).enumerate() {
            let _ = edge.mv.set(mv);
            let prior = priors.get(i).copied().unwrap_or(0.0);
            edge.prior.store(prior.to_bits(), Ordering::Relaxed);
        }
        Some(block)
    }

    /// A single edge without a move: the root.
    pub(super) fn add_root(&self) -> Option<Id> {
        self.room_for(1).map(|block| block.first)
    }

    fn room_for(&self, len: usize) -> Option<Block> {
        if len > CHUNK {
            return None;
        }
        let first = self
            .next
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |next| {
                let next = next as usize;
                // A block lies in one chunk.
                let first =
                    if next % CHUNK + len > CHUNK { next.next_multiple_of(CHUNK) } else { next };
                (first + len <= self.chunks.len() * CHUNK).then_some((first + len) as u32)
            })
            .ok()? as usize;
        let first = if first % CHUNK + len > CHUNK { first.next_multiple_of(CHUNK) } else { first };
        self.chunks[first / CHUNK].get_or_init(|| (0..CHUNK).map(|_| Edge::default()).collect());
        Some(Block { first: first as Id, len: len as u16 })
    }

    /// The part of the tree below an edge, in a tree of its own.
    pub(super) fn copy_below(&self, id: Id) -> Self {
        let copy = Self {
            chunks: (0..self.chunks.len()).map(|_| OnceLock::new()).collect(),
            next: AtomicU32::new(0),
        };
        let Some(root) = copy.add_root() else { return copy };
        copy.edge(root).take_over(self.edge(id));
        let mut open = vec![(id, root)];
        // Positions that were merged stay merged.
        let mut copied = HashMap::new();
        while let Some((from, to)) = open.pop() {
            let Some(block) = self.edge(from).block() else { continue };
            if let Some(&twin) = copied.get(&block.first) {
                copy.edge(to).adopt(twin);
                continue;
            }
            let Some(new) = copy.room_for(block.len.into()) else { continue };
            for (old, new) in block.ids().zip(new.ids()) {
                let (edge, twin) = (self.edge(old), copy.edge(new));
                if let Some(mv) = edge.mv() {
                    let _ = twin.mv.set(mv);
                }
                twin.take_over(edge);
                open.push((old, new));
            }
            copy.edge(to).adopt(new);
            copied.insert(block.first, new);
        }
        copy
    }
}

impl<M: Copy> Edge<M> {
    /// The numbers of another edge.
    fn take_over(&self, other: &Self) {
        self.total.store(other.total.load(Ordering::Relaxed), Ordering::Relaxed);
        self.visits.store(other.visits(), Ordering::Relaxed);
        self.prior.store(other.prior.load(Ordering::Relaxed), Ordering::Relaxed);
        // Whoever had claimed it may not have found room.
        let expanded = if other.block().is_some() { EXPANDING } else { 0 };
        self.proof.store(other.proof() as u8 | expanded, Ordering::Relaxed);
    }
}
