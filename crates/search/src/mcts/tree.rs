//! The tree: edges in fours, fours in segments, segments in chunks that never move.
//!
//! ```text
//! chunk     [ four | four | … ]     1,024 fours
//! four      weights 4 x (4 + 4) | children 4 x 4 | next segment 4 | fours in this segment 2
//!           | children of the block 2 | priors 4 x 2 || totals 4 x 8 | visits 4 x 4 | marks 4 x 1 | moves
//! ```
//!
//! With moves of two bytes that is 32 bytes an edge. The children of a position are a chain of
//! segments, each as long as all before it: a child gets its place shortly before its first
//! visit, because most positions of a large tree have many moves and few visits. What choosing a
//! child takes, its mean and its share of the bonus, lies together, so that looking through a
//! hundred children reads a few cache lines and divides nothing.
//!
//! Everything in an edge can be changed by several threads at once. A segment is filled before
//! anything points to it, and is never taken back while a search runs.

use std::sync::OnceLock;
use std::sync::atomic::{
    AtomicBool, AtomicU32,
    Ordering::{Acquire, Relaxed, Release},
};

use super::counter::CachePadded;
use super::edge::{Edge, Four, LANES, Weight};
use super::order::Order;

/// Fours in a chunk.
const CHUNK: usize = 1 << 10;
/// No segment. The first four of a tree is the root's, which nothing points to.
pub(super) const NONE: u32 = 0;
/// In [`Four::next`]: a thread is making the next segment.
const BUSY: u32 = u32::MAX;

/// Where an edge lies.
pub(super) type Id = u32;

/// The moves of a position, priors for them or none, and the order in which they get a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listed<'a, M> {
    pub(super) moves: &'a [M],
    pub(super) priors: &'a [f32],
    pub(super) order: Order,
}

/// Fours that one thread has set aside for itself: so it need not ask for each, and fills memory
/// that it has in its cache.
#[derive(Debug, Default)]
pub(super) struct Region {
    next: u32,
    left: usize,
    /// How many it takes at once.
    portion: usize,
}

/// The children of an expanded position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// The four its first segment begins with.
    pub(super) first: u32,
}

/// Memory comes in chunks. They begin where cache lines do, and so do their fours.
#[repr(align(64))]
pub(super) struct Chunk<M>([Four<M>; CHUNK]);

/// The tree of one search, or of several in a row.
pub(super) struct Tree<M> {
    chunks: Vec<OnceLock<Box<Chunk<M>>>>,
    /// The first four that was never handed out.
    next: CachePadded<AtomicU32>,
    /// Whether there was no room once.
    full: AtomicBool,
}

impl<M> std::fmt::Debug for Tree<M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tree({} fours)", self.next.0.load(Relaxed))
    }
}

impl<M: Copy> Tree<M> {
    const CHUNK_BYTES: usize = CHUNK * size_of::<Four<M>>();
    const SLOT_BYTES: usize = size_of::<OnceLock<Box<Chunk<M>>>>();

    /// A tree with nothing but a root, which never takes more than these bytes; a few edges it
    /// has room for in any case.
    pub(super) fn new(bytes: usize) -> Self {
        let most = (u32::MAX as usize / LANES / CHUNK) - 1;
        Self::with_chunks((bytes / (Self::CHUNK_BYTES + Self::SLOT_BYTES)).clamp(1, most))
    }

    fn with_chunks(chunks: usize) -> Self {
        let chunks = (0..chunks).map(|_| OnceLock::new()).collect();
        let tree = Self { chunks, next: CachePadded::default(), full: AtomicBool::new(false) };
        tree.room_for(1);
        tree
    }

    /// An empty tree that may grow as large as this one.
    pub(super) fn twin(&self) -> Self {
        Self::with_chunks(self.chunks.len())
    }

    /// The same without its edges. It keeps a little of its memory, so that small trees, one
    /// after another, need not ask for it again.
    pub(super) fn emptied(mut self) -> Self
    where
        M: Send + Sync + 'static,
    {
        let used = *self.next.0.get_mut() as usize;
        let rest: Vec<_> = self.chunks.iter_mut().skip(1).filter_map(OnceLock::take).collect();
        drop_aside(rest);
        if let Some(chunk) = self.chunks[0].get_mut() {
            chunk.0.iter_mut().take(used).for_each(|four| *four = Four::default());
        }
        *self.next.0.get_mut() = 0;
        *self.full.get_mut() = false;
        self.room_for(1);
        self
    }

    /// The bytes it holds.
    pub(super) fn bytes(&self) -> usize {
        let held = self.chunks.iter().filter(|chunk| chunk.get().is_some()).count();
        held * Self::CHUNK_BYTES + self.chunks.len() * Self::SLOT_BYTES
    }

    /// Whether a thread can add nothing more.
    pub(super) fn is_full(&self, region: &Region) -> bool {
        region.left == 0 && self.full.load(Relaxed)
    }

    /// What each of so many threads sets aside at once: nothing if it is alone, and not so much
    /// that little is left for others.
    pub(super) fn region(&self, threads: usize) -> Region {
        let fours = self.chunks.len() * CHUNK;
        let portion = if threads == 1 { 0 } else { (fours / 8 / threads).min(CHUNK) };
        Region { portion, ..Region::default() }
    }

    /// The bytes of the edges handed out.
    pub(super) fn used_bytes(&self) -> usize {
        self.next.0.load(Relaxed) as usize * size_of::<Four<M>>()
    }

    /// The share of its memory that is handed out.
    pub(super) fn fullness(&self) -> f64 {
        f64::from(self.next.0.load(Relaxed)) / (self.chunks.len() * CHUNK) as f64
    }

    #[inline]
    fn chunk(&self, four: u32) -> &[Four<M>; CHUNK] {
        &self.chunks[four as usize / CHUNK].get().expect("only what exists has a number").0
    }

    #[inline]
    pub(super) fn edge(&self, id: Id) -> Edge<'_, M> {
        Edge { four: self.four(id / LANES as Id), lane: id as usize % LANES }
    }

    #[inline]
    fn four(&self, four: u32) -> &Four<M> {
        &self.chunk(four)[four as usize % CHUNK]
    }

    /// How many children a position has, whether they have a place already or not.
    #[inline]
    pub(super) fn size(&self, block: Block) -> usize {
        self.four(block.first).count.load(Relaxed).into()
    }

    pub(super) fn set_size(&self, block: Block, size: usize) {
        self.four(block.first).count.store(size as u16, Relaxed);
    }

    /// A segment that begins with this four.
    #[inline]
    pub(super) fn segment(&self, first: u32) -> &[Four<M>] {
        let rest = &self.chunk(first)[first as usize % CHUNK..];
        &rest[..usize::from(rest[0].len.load(Relaxed))]
    }

    /// The fours of a block, and after each whether a segment ends with it.
    #[inline]
    pub(super) fn fours(&self, block: Block) -> Fours<'_, M> {
        let chunk = self.chunk(block.first);
        let head = &chunk[block.first as usize % CHUNK];
        Fours { tree: self, chunk, head, at: block.first, left: head.len.load(Relaxed) }
    }

    /// The segments of a block, each with the place of its first child in the list of moves.
    #[inline]
    pub(super) fn segments(&self, block: Block) -> Segments<'_, M> {
        Segments { tree: self, next: block.first, begin: 0 }
    }

    /// The child that is tried first.
    #[inline]
    pub(super) fn first_child(&self, block: Block) -> Edge<'_, M> {
        Edge { four: self.four(block.first), lane: 0 }
    }

    /// The child that is tried as the `nth`, if it has a place in the tree.
    #[inline]
    pub(super) fn child(&self, block: Block, nth: usize) -> Option<Edge<'_, M>> {
        let segment = self.segments(block).find(|segment| nth < segment.end())?;
        let (four, lane) = ((nth - segment.begin) / LANES, nth % LANES);
        Some(Edge { four: &segment.fours[four], lane })
    }

    /// The children that have a place, in the order in which they are tried.
    pub(super) fn children(&self, block: Block) -> impl Iterator<Item = (Id, Edge<'_, M>)> {
        let size = self.size(block);
        let lanes = move |segment: Segment<'_, M>| {
            let len = (size - segment.begin).min(segment.fours.len() * LANES);
            (0..len as Id).map(move |i| segment.first * LANES as Id + i)
        };
        self.segments(block).flat_map(lanes).map(|id| (id, self.edge(id)))
    }

    /// A place for the first children of a position with these moves: for some of them, or with
    /// priors for all. Nothing if there is no memory for it.
    pub(super) fn add(
        &self,
        listed: Listed<'_, M>,
        all: bool,
        region: &mut Region,
    ) -> Option<Block> {
        let moves = listed.moves.len();
        u16::try_from(moves).ok()?;
        let first = self.add_segment(listed, 0, if all { moves } else { LANES }, region)?;
        let block = Block { first };
        self.set_size(block, moves);
        if all {
            self.complete(block, listed, region)?;
        }
        Some(block)
    }

    /// A place for about `wanted` more children of a position with these moves, of which `placed`
    /// have one; the first of them. Nothing if another thread is doing it or there is no memory.
    pub(super) fn extend(
        &self,
        block: Block,
        listed: Listed<'_, M>,
        placed: usize,
        wanted: usize,
        region: &mut Region,
    ) -> Option<Edge<'_, M>> {
        let last = self.segments(block).last()?;
        let next = &last.fours[0].next;
        if last.end() != placed {
            return None;
        }
        next.compare_exchange(NONE, BUSY, Relaxed, Relaxed).ok()?;
        let segment = self.add_segment(listed, placed, wanted, region);
        next.store(segment.unwrap_or(NONE), Release);
        segment.map(|first| self.first_child(Block { first }))
    }

    /// Gives all children a place.
    pub(super) fn complete(
        &self,
        block: Block,
        listed: Listed<'_, M>,
        region: &mut Region,
    ) -> Option<()> {
        loop {
            let placed = self.segments(block).last()?.end();
            let missing = listed.moves.len().saturating_sub(placed);
            if missing == 0 {
                return Some(());
            }
            self.extend(block, listed, placed, missing, region)?;
        }
    }

    /// A new segment for about `wanted` children from `begin` on.
    fn add_segment(
        &self,
        listed: Listed<'_, M>,
        begin: usize,
        wanted: usize,
        region: &mut Region,
    ) -> Option<u32> {
        let Listed { moves, priors, order } = listed;
        let left = moves.len().checked_sub(begin).filter(|&left| left > 0)?;
        let wanted = wanted.min(left).div_ceil(LANES).min(CHUNK);
        let first = self.room_in(region, wanted)?;
        let fours = self.segment(first);
        let mut places = order.from(begin, moves.len());
        for four in fours {
            // Lanes without a move repeat the first, and are never chosen.
            let here: [Option<usize>; LANES] = std::array::from_fn(|_| places.next());
            let _ = four.moves.set(here.map(|place| moves[place.or(here[0]).unwrap_or(0)]));
            for (lane, place) in here.into_iter().enumerate() {
                let edge = Edge { four, lane };
                edge.set_weight(if place.is_some() { Weight::UNTRIED } else { Weight::NEVER });
                edge.set_prior(place.and_then(|place| priors.get(place)).copied().unwrap_or(0.0));
            }
        }
        Some(first)
    }

    /// Empty fours in a row, from those set aside if they suffice.
    fn room_in(&self, region: &mut Region, len: usize) -> Option<u32> {
        if region.left < len {
            region.left = 0; // also if there is no more
            (region.next, region.left) = self.take(len, region.portion)?;
        }
        let first = region.next;
        region.next += len as u32;
        region.left -= len;
        self.four(first).len.store(len as u16, Relaxed);
        Some(first)
    }

    /// Empty fours in a row, all in one chunk.
    pub(super) fn room_for(&self, len: usize) -> Option<u32> {
        self.room_in(&mut Region::default(), len)
    }

    /// At least `len` fours in a row and up to `wanted`, all in one chunk: the first, and how
    /// many.
    fn take(&self, len: usize, wanted: usize) -> Option<(u32, usize)> {
        // A segment lies in one chunk.
        let run = |next: u32| {
            let next = next as usize;
            let first =
                if next % CHUNK + len > CHUNK { next.next_multiple_of(CHUNK) } else { next };
            (first, wanted.max(len).min(CHUNK - first % CHUNK))
        };
        let advance = |next| {
            let (first, taken) = run(next);
            (first + taken <= self.chunks.len() * CHUNK).then_some((first + taken) as u32)
        };
        let Ok(next) = self.next.0.fetch_update(Relaxed, Relaxed, advance) else {
            self.full.store(true, Relaxed);
            return None;
        };
        let (first, taken) = run(next);
        self.chunks[first / CHUNK]
            .get_or_init(|| Box::new(Chunk(std::array::from_fn(|_| Four::default()))));
        Some((first as u32, taken))
    }

    /// Its memory, to be given back.
    pub(super) fn into_chunks(self) -> Vec<Box<Chunk<M>>> {
        self.chunks.into_iter().filter_map(OnceLock::into_inner).collect()
    }
}

/// Gives memory back, on a thread of its own if that may take long: a clock may be running.
pub(super) fn drop_aside<T: Send + 'static>(chunks: Vec<T>) {
    if chunks.len() > 64 {
        // If no thread can be made, the memory is given back at once.
        let _ = std::thread::Builder::new().spawn(move || drop(chunks));
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

/// A walk through the fours of a block.
pub(super) struct Fours<'t, M> {
    tree: &'t Tree<M>,
    chunk: &'t [Four<M>; CHUNK],
    /// The first of the segment.
    head: &'t Four<M>,
    at: u32,
    left: u16,
}

impl<'t, M: Copy> Fours<'t, M> {
    /// How many children the block has, if this is its beginning.
    #[inline]
    pub(super) fn size(&self) -> usize {
        self.head.count.load(Relaxed).into()
    }

    #[inline]
    pub(super) fn here(&self) -> &'t Four<M> {
        &self.chunk[self.at as usize % CHUNK]
    }

    /// On to the next four; false if there is none.
    #[inline]
    pub(super) fn advance(&mut self) -> bool {
        self.left -= 1;
        if self.left > 0 {
            self.at += 1;
            return true;
        }
        let next = self.head.next.load(Acquire);
        let more = next != NONE && next != BUSY;
        if more {
            *self = self.tree.fours(Block { first: next });
        }
        more
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

    #[expect(clippy::inline_always, reason = "it is the loop over children; 10 % of a simulation")]
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
