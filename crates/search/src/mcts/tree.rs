//! The tree: edges in fours, fours in segments, segments in chunks that never move.
//!
//! ```text
//! chunk     [ four | four | … ]     1,024 fours
//! four      weights 4 x 8 | totals 4 x 8 | visits 4 x 4 | children 4 x 4 | moves | priors 4 x 4
//!           | how many children 4 x 2 | marks 4 x 1 | next segment 4 | fours in this segment 2
//! ```
//!
//! With moves of two bytes that is 36 bytes an edge. The children of a position are a chain of
//! segments, each as long as all before it: a child gets its place shortly before its first
//! visit, because most positions of a large tree have many moves and few visits. What choosing a
//! child takes, its mean and its share of the bonus, lies together, so that looking through a
//! hundred children reads a few cache lines and divides nothing.
//!
//! Everything in an edge can be changed by several threads at once. A segment is filled before
//! anything points to it, and is never taken back while a search runs.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::*};

use tussle_core::Outcome;

/// Edges that lie together.
pub(super) const LANES: usize = 4;
/// Fours in a chunk.
const CHUNK: usize = 1 << 10;
/// No segment. The first four of a tree is the root's, which nothing points to.
const NONE: u32 = 0;
/// In [`Four::next`]: a thread is making the next segment.
const BUSY: u32 = u32::MAX;
/// In [`Four::marks`]: a thread makes, or has made, the children.
const EXPANDING: u8 = 0x80;

/// Where an edge lies.
pub(super) type Id = u32;

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

    /// As reports say it.
    pub(super) fn outcome(self) -> Option<Outcome> {
        match self {
            Self::Unknown => None,
            Self::Win => Some(Outcome::Win),
            Self::Draw => Some(Outcome::Draw),
            Self::Loss => Some(Outcome::Loss),
        }
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

    #[inline]
    fn to_bits(self) -> u64 {
        u64::from(self.mean.to_bits()) << 32 | u64::from(self.share.to_bits())
    }

    #[inline]
    fn from_bits(bits: u64) -> Self {
        Self { mean: f32::from_bits((bits >> 32) as u32), share: f32::from_bits(bits as u32) }
    }
}

/// Four moves, and what came of them.
#[derive(Debug)]
pub(super) struct Four<M> {
    weights: [AtomicU64; LANES],
    /// The sums of rewards of the player who makes the move, as the bits of `f64`s.
    totals: [AtomicU64; LANES],
    visits: [AtomicU32; LANES],
    /// Where the first segment of children is, in fours.
    children: [AtomicU32; LANES],
    moves: OnceLock<[M; LANES]>,
    priors: [AtomicU32; LANES],
    /// How many children there are, whether they have a place already or not.
    count: [AtomicU16; LANES],
    marks: [AtomicU8; LANES],
    /// In the first four of a segment: where the next one is.
    next: AtomicU32,
    /// In the first four of a segment: how many fours it has.
    len: AtomicU16,
}

impl<M> Default for Four<M> {
    fn default() -> Self {
        Self {
            weights: Default::default(),
            totals: Default::default(),
            visits: Default::default(),
            children: Default::default(),
            moves: OnceLock::new(),
            priors: Default::default(),
            count: Default::default(),
            marks: Default::default(),
            next: AtomicU32::new(NONE),
            len: AtomicU16::new(0),
        }
    }
}

impl<M> Four<M> {
    /// What the four weigh under a bonus.
    #[inline]
    pub(super) fn weigh(&self, bonus: f32) -> [f32; LANES] {
        std::array::from_fn(|lane| Weight::from_bits(self.weights[lane].load(Relaxed)).under(bonus))
    }
}

/// A move from one position to the next.
#[derive(Debug)]
pub(super) struct Edge<'t, M> {
    four: &'t Four<M>,
    lane: usize,
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
        self.four.visits[self.lane].load(Relaxed)
    }

    #[inline]
    pub(super) fn total(self) -> f64 {
        f64::from_bits(self.four.totals[self.lane].load(Relaxed))
    }

    /// The mean reward; NaN if never visited.
    #[inline]
    pub(super) fn mean(self) -> f64 {
        self.total() / f64::from(self.visits())
    }

    #[inline]
    pub(super) fn prior(self) -> f32 {
        f32::from_bits(self.four.priors[self.lane].load(Relaxed))
    }

    #[inline]
    pub(super) fn weight(self) -> Weight {
        Weight::from_bits(self.four.weights[self.lane].load(Relaxed))
    }

    #[inline]
    pub(super) fn set_weight(self, weight: Weight) {
        self.four.weights[self.lane].store(weight.to_bits(), Relaxed);
    }

    /// The move; the root's edge has none.
    #[inline]
    pub(super) fn mv(self) -> Option<M> {
        self.four.moves.get().map(|moves| moves[self.lane])
    }

    #[inline]
    pub(super) fn proof(self) -> Proof {
        Proof::from_bits(self.four.marks[self.lane].load(Relaxed))
    }

    /// Notes what is proven; false if that was known.
    pub(super) fn prove(self, proof: Proof) -> bool {
        let before = self.four.marks[self.lane].fetch_or(proof as u8, Relaxed);
        Proof::from_bits(before) == Proof::Unknown
    }

    /// One visit more. Without other threads, nobody looks before the result is known.
    #[inline]
    pub(super) fn visit(self, alone: bool) {
        let visits = &self.four.visits[self.lane];
        if alone {
            visits.store(visits.load(Relaxed) + 1, Relaxed);
        } else {
            visits.fetch_add(1, Relaxed);
        }
    }

    /// The result of a visit.
    #[inline]
    pub(super) fn reward(self, reward: f64, alone: bool) {
        let total = &self.four.totals[self.lane];
        if alone {
            total.store((self.total() + reward).to_bits(), Relaxed);
            return;
        }
        let add = |bits| Some((f64::from_bits(bits) + reward).to_bits());
        let _ = total.fetch_update(Relaxed, Relaxed, add);
    }

    /// The children, if the position behind this edge is expanded.
    #[inline]
    pub(super) fn block(self) -> Option<Block> {
        let first = self.four.children[self.lane].load(Acquire);
        let len = self.four.count[self.lane].load(Relaxed);
        (first != NONE).then_some(Block { first, len })
    }

    /// Whether the caller is the one to expand the position.
    pub(super) fn claim(self) -> bool {
        self.four.marks[self.lane].fetch_or(EXPANDING, Relaxed) & EXPANDING == 0
    }

    /// These are the children.
    pub(super) fn adopt(self, block: Block) {
        self.four.count[self.lane].store(block.len, Relaxed);
        self.four.children[self.lane].store(block.first, Release);
    }
}

/// The children of an expanded position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// The four its first segment begins with.
    pub(super) first: u32,
    /// How many children there are, whether they have a place already or not.
    pub(super) len: u16,
}

/// The tree of one search, or of several in a row.
pub(super) struct Tree<M> {
    chunks: Vec<OnceLock<Box<[Four<M>]>>>,
    /// The first four that was never handed out.
    next: AtomicU32,
    /// Whether there was no room once.
    full: AtomicBool,
}

impl<M> std::fmt::Debug for Tree<M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tree({} fours)", self.next.load(Relaxed))
    }
}

impl<M: Copy> Tree<M> {
    const CHUNK_BYTES: usize = CHUNK * size_of::<Four<M>>();
    const SLOT_BYTES: usize = size_of::<OnceLock<Box<[Four<M>]>>>();

    /// A tree with nothing but a root, which never takes more than these bytes; a few edges it
    /// has room for in any case.
    pub(super) fn new(bytes: usize) -> Self {
        let most = (u32::MAX as usize / LANES / CHUNK) - 1;
        let chunks = (bytes / (Self::CHUNK_BYTES + Self::SLOT_BYTES)).clamp(1, most);
        let chunks = (0..chunks).map(|_| OnceLock::new()).collect();
        let tree = Self { chunks, next: AtomicU32::new(0), full: AtomicBool::new(false) };
        tree.room_for(1);
        tree
    }

    /// The same without its edges. It keeps a little of its memory, so that small trees, one
    /// after another, need not ask for it again.
    pub(super) fn emptied(mut self) -> Self
    where
        M: Send + Sync + 'static,
    {
        let used = *self.next.get_mut() as usize;
        let rest: Vec<_> = self.chunks.iter_mut().skip(1).filter_map(OnceLock::take).collect();
        drop_aside(rest);
        if let Some(chunk) = self.chunks[0].get_mut() {
            chunk.iter_mut().take(used).for_each(|four| *four = Four::default());
        }
        *self.next.get_mut() = 0;
        *self.full.get_mut() = false;
        self.room_for(1);
        self
    }

    /// The bytes it holds.
    pub(super) fn bytes(&self) -> usize {
        let held = self.chunks.iter().filter(|chunk| chunk.get().is_some()).count();
        held * Self::CHUNK_BYTES + self.chunks.len() * Self::SLOT_BYTES
    }

    /// Whether nothing more can be added.
    pub(super) fn is_full(&self) -> bool {
        self.full.load(Relaxed)
    }

    /// The share of its memory that is handed out.
    pub(super) fn fullness(&self) -> f64 {
        f64::from(self.next.load(Relaxed)) / (self.chunks.len() * CHUNK) as f64
    }

    #[inline]
    fn chunk(&self, four: u32) -> &[Four<M>] {
        self.chunks[four as usize / CHUNK].get().expect("only what exists has a number")
    }

    #[inline]
    pub(super) fn edge(&self, id: Id) -> Edge<'_, M> {
        let four = id / LANES as u32;
        let four = &self.chunk(four)[four as usize % CHUNK];
        Edge { four, lane: id as usize % LANES }
    }

    /// A segment that begins with this four.
    #[inline]
    fn segment(&self, first: u32) -> &[Four<M>] {
        let rest = &self.chunk(first)[first as usize % CHUNK..];
        &rest[..usize::from(rest[0].len.load(Relaxed))]
    }

    /// The segments of a block, each with the place of its first child in the list of moves.
    #[inline]
    pub(super) fn segments(&self, block: Block) -> Segments<'_, M> {
        Segments { tree: self, next: block.first, begin: 0 }
    }

    /// The child of the first move.
    pub(super) fn first_child(&self, block: Block) -> Id {
        block.first * LANES as Id
    }

    /// The child of a move by its place in the list, if it has one in the tree.
    #[inline]
    pub(super) fn child(&self, block: Block, nth: usize) -> Option<Id> {
        let segment = self.segments(block).find(|segment| nth < segment.end())?;
        Some(segment.first * LANES as Id + (nth - segment.begin) as Id)
    }

    /// The children that have a place, in the order of the moves.
    pub(super) fn children(&self, block: Block) -> impl Iterator<Item = (Id, Edge<'_, M>)> {
        let lanes = move |segment: Segment<'_, M>| {
            let len = (usize::from(block.len) - segment.begin).min(segment.fours.len() * LANES);
            (0..len as Id).map(move |i| segment.first * LANES as Id + i)
        };
        self.segments(block).flat_map(lanes).map(|id| (id, self.edge(id)))
    }

    /// A place for the first children of a position with these moves: for some of them, or with
    /// priors for all. Nothing if there is no memory for it.
    pub(super) fn add(&self, moves: &[M], priors: &[f32], all: bool) -> Option<Block> {
        let len = u16::try_from(moves.len()).ok()?;
        let first = self.add_segment(moves, priors, 0, if all { moves.len() } else { LANES })?;
        let block = Block { first, len };
        if all {
            self.complete(block, moves, priors)?;
        }
        Some(block)
    }

    /// A place for about `wanted` more children of a position with these moves, of which `placed`
    /// have one; the first of them. Nothing if another thread is doing it or there is no memory.
    pub(super) fn extend(
        &self,
        block: Block,
        moves: &[M],
        priors: &[f32],
        placed: usize,
        wanted: usize,
    ) -> Option<Id> {
        let last = self.segments(block).last()?;
        let next = &last.fours[0].next;
        if last.end() != placed {
            return None;
        }
        next.compare_exchange(NONE, BUSY, Relaxed, Relaxed).ok()?;
        let segment = self.add_segment(moves, priors, placed, wanted);
        next.store(segment.unwrap_or(NONE), Release);
        segment.map(|four| four * LANES as Id)
    }

    /// Gives all children a place.
    pub(super) fn complete(&self, block: Block, moves: &[M], priors: &[f32]) -> Option<()> {
        loop {
            let placed = self.segments(block).last()?.end();
            if placed >= moves.len() {
                return Some(());
            }
            self.extend(block, moves, priors, placed, moves.len() - placed)?;
        }
    }

    /// A new segment for about `wanted` children from `begin` on.
    fn add_segment(&self, moves: &[M], priors: &[f32], begin: usize, wanted: usize) -> Option<u32> {
        let moves = moves.get(begin..).filter(|moves| !moves.is_empty())?;
        let wanted = wanted.min(moves.len()).div_ceil(LANES).min(CHUNK);
        let first = self.room_for(wanted)?;
        let fours = self.segment(first);
        for (i, four) in fours.iter().enumerate() {
            let moves = &moves[i * LANES..];
            let _ = four.moves.set(std::array::from_fn(|lane| moves[lane.min(moves.len() - 1)]));
            for lane in 0..LANES {
                let edge = Edge { four, lane };
                edge.set_weight(if lane < moves.len() { Weight::UNTRIED } else { Weight::NEVER });
                let prior = priors.get(begin + i * LANES + lane).copied().unwrap_or(0.0);
                four.priors[lane].store(prior.to_bits(), Relaxed);
            }
        }
        Some(first)
    }

    /// Empty fours in a row, all in one chunk.
    fn room_for(&self, len: usize) -> Option<u32> {
        // A segment lies in one chunk.
        let fitting = |next: u32| {
            let next = next as usize;
            if next % CHUNK + len > CHUNK { next.next_multiple_of(CHUNK) } else { next }
        };
        let take = |next| {
            let end = fitting(next) + len;
            (end <= self.chunks.len() * CHUNK).then_some(end as u32)
        };
        let Ok(next) = self.next.fetch_update(Relaxed, Relaxed, take) else {
            self.full.store(true, Relaxed);
            return None;
        };
        let first = fitting(next);
        let chunk = self.chunks[first / CHUNK]
            .get_or_init(|| (0..CHUNK).map(|_| Four::default()).collect());
        chunk[first % CHUNK].len.store(len as u16, Relaxed);
        Some(first as u32)
    }

    /// Its memory, to be given back.
    pub(super) fn into_chunks(self) -> Vec<Box<[Four<M>]>> {
        self.chunks.into_iter().filter_map(OnceLock::into_inner).collect()
    }

    /// The part of the tree below an edge in a tree of its own: what was visited most comes
    /// first, and no more than so many fours.
    pub(super) fn copy_below(&self, id: Id, most: usize) -> Self {
        let chunks = (0..self.chunks.len()).map(|_| OnceLock::new()).collect();
        let copy = Self { chunks, next: AtomicU32::new(0), full: AtomicBool::new(false) };
        copy.room_for(1);
        copy.edge(0).take_over(self.edge(id));
        // What was added first goes first among equals.
        let mut open = BinaryHeap::from([(u32::MAX, Reverse(0), id, 0)]);
        let mut added = 0;
        // Positions that were merged stay merged.
        let mut copied = HashMap::new();
        while let Some((_, _, from, to)) = open.pop() {
            let Some(block) = self.edge(from).block() else { continue };
            let new = match copied.get(&block.first) {
                Some(&twin) => Some(twin),
                None if copy.next.load(Relaxed) as usize > most => None,
                None => copy.copy_block(self, block),
            };
            let Some(new) = new else { continue };
            let edge = copy.edge(to);
            edge.claim();
            edge.adopt(new);
            if copied.insert(block.first, new).is_none() {
                for ((old, edge), (new, _)) in self.children(block).zip(copy.children(new)) {
                    if edge.block().is_some() {
                        added += 1;
                        open.push((edge.visits(), Reverse(added), old, new));
                    }
                }
            }
        }
        copy
    }

    fn copy_block(&self, other: &Self, block: Block) -> Option<Block> {
        let mut first = None;
        let mut before: Option<&Four<M>> = None;
        for segment in other.segments(block) {
            let Some(place) = self.room_for(segment.fours.len()) else { break };
            let fours = self.segment(place);
            for (four, old) in fours.iter().zip(segment.fours) {
                if let Some(moves) = old.moves.get() {
                    let _ = four.moves.set(*moves);
                }
                for lane in 0..LANES {
                    Edge { four, lane }.take_over(Edge { four: old, lane });
                }
            }
            if let Some(before) = before {
                before.next.store(place, Relaxed);
            }
            before = fours.first();
            first = first.or(Some(place));
        }
        first.map(|first| Block { first, len: block.len })
    }
}

impl<M: Copy> Edge<'_, M> {
    /// The edge of a new root, which speaks for the player who moves there, as all its children
    /// do: it takes its numbers from them.
    pub(super) fn become_root(self, tree: &Tree<M>) {
        let block = self.block();
        let children = || block.into_iter().flat_map(|block| tree.children(block));
        let visits = children().map(|(_, child)| child.visits()).sum();
        let total: f64 = children().map(|(_, child)| child.total()).sum();
        let proof = block.and_then(|block| tree.best_proof(block)).unwrap_or(Proof::Unknown);
        let expanded = if block.is_some() { EXPANDING } else { 0 };
        self.four.visits[self.lane].store(visits, Relaxed);
        self.four.totals[self.lane].store(total.to_bits(), Relaxed);
        self.four.marks[self.lane].store(proof as u8 | expanded, Relaxed);
    }

    /// The numbers of another edge, as yet without its children.
    fn take_over(self, other: Self) {
        self.four.totals[self.lane].store(other.total().to_bits(), Relaxed);
        self.four.visits[self.lane].store(other.visits(), Relaxed);
        self.four.priors[self.lane].store(other.prior().to_bits(), Relaxed);
        self.four.marks[self.lane].store(other.proof() as u8, Relaxed);
        self.set_weight(other.weight());
    }
}

/// Gives memory back, on a thread of its own if that may take long: a clock may be running.
pub(super) fn drop_aside<T: Send + 'static>(chunks: Vec<T>) {
    if chunks.len() > 64 {
        std::thread::spawn(move || drop(chunks));
    }
}

/// A run of children.
pub(super) struct Segment<'t, M> {
    /// The number of its first four.
    pub(super) first: u32,
    /// The place of its first child in the list of moves.
    pub(super) begin: usize,
    pub(super) fours: &'t [Four<M>],
}

impl<M> Segment<'_, M> {
    /// The place in the list of moves at which the next segment begins.
    #[inline]
    pub(super) fn end(&self) -> usize {
        self.begin + self.fours.len() * LANES
    }
}

/// See [`Tree::segments`].
pub(super) struct Segments<'t, M> {
    tree: &'t Tree<M>,
    next: u32,
    begin: usize,
}

impl<'t, M: Copy> Iterator for Segments<'t, M> {
    type Item = Segment<'t, M>;

    #[inline(always)]
    fn next(&mut self) -> Option<Segment<'t, M>> {
        if self.next == NONE || self.next == BUSY {
            return None;
        }
        let fours = self.tree.segment(self.next);
        let segment = Segment { first: self.next, begin: self.begin, fours };
        self.next = fours[0].next.load(Acquire);
        self.begin += fours.len() * LANES;
        Some(segment)
    }
}
