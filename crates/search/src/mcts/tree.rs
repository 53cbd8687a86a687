//! Memory of the tree: edges in groups of four ([`Four`]), fours in segments, segments in chunks that never move.
//!
//! ```text
//! chunk     [ four | four | … ]     1,024 fours
//! four      weights 4 x (4 + 4) | children 4 x 4 | next segment 4 | fours in this segment 2
//!           | children of the block 2 | priors 4 x 2 || totals 4 x 8 | visits 4 x 4 | marks 4 x 1 | moves
//! ```
//!
//! With moves of two bytes, an edge has 32 bytes. The children of a position (its block) are a chain of
//! segments, each as long as all before it. A child gets its slot shortly before its first visit, because
//! most positions of a large tree have many moves and few visits. The weights of four siblings lie
//! together, so that selection among a hundred children reads few cache lines and needs no divisions.
//!
//! Several threads can change an edge at the same time. A segment is filled before anything points to it, and
//! it is not freed during a search.

use std::sync::OnceLock;
use std::sync::atomic::{
    AtomicBool, AtomicU32,
    Ordering::{Acquire, Relaxed, Release},
};

use super::counter::CachePadded;
use super::edge::{EDGES_PER_FOUR, Edge, Four, Weight};
use super::order::Order;

/// Number of fours in a chunk.
const FOURS_PER_CHUNK: usize = 1 << 10;
/// Number that stands for no segment. It is the four of the root, which nothing points to.
pub(super) const NONE: u32 = 0;
/// Value of [`Four::next`] while a thread creates the next segment.
const EXTENDING: u32 = u32::MAX;

/// Number of an edge in the tree.
pub(super) type Id = u32;

/// Moves of a position, with optional priors, and the order in which they get slots.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveList<'a, M> {
    pub(super) moves: &'a [M],
    pub(super) priors: &'a [f32],
    pub(super) order: Order,
}

/// Range of fours that one thread has reserved, so that it needs no atomic access for each one, and fills
/// memory that is in its cache.
#[derive(Debug, Default)]
pub(super) struct Region {
    next: u32,
    left: usize,
    /// Number of fours to reserve at once.
    portion: usize,
    /// True if other threads use the tree too.
    is_shared: bool,
}

/// Children of an expanded position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// First four of the first segment.
    pub(super) first: u32,
}

/// Unit of allocation, aligned to cache lines.
#[repr(align(64))]
pub(super) struct Chunk<M>([Four<M>; FOURS_PER_CHUNK]);

/// `Box::default` creates a chunk in its place; `Box::new` would copy it from the stack.
impl<M> Default for Chunk<M> {
    #[inline]
    fn default() -> Self {
        Self(std::array::from_fn(|_| Four::default()))
    }
}

/// Tree of one search, or of several consecutive ones.
pub(super) struct Tree<M> {
    chunks: Vec<OnceLock<Box<Chunk<M>>>>,
    /// First four that was never used.
    next: CachePadded<AtomicU32>,
    /// True once an allocation has failed.
    full: AtomicBool,
}

impl<M> std::fmt::Debug for Tree<M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tree({} fours)", self.next.0.load(Relaxed))
    }
}

impl<M: Copy> Tree<M> {
    const CHUNK_BYTES: usize = FOURS_PER_CHUNK * size_of::<Four<M>>();
    const SLOT_BYTES: usize = size_of::<OnceLock<Box<Chunk<M>>>>();

    /// Creates a tree that has only a root and never uses more than this many bytes, but at least one chunk.
    pub(super) fn new(bytes: usize) -> Self {
        let most = (u32::MAX as usize / EDGES_PER_FOUR / FOURS_PER_CHUNK) - 1;
        Self::with_chunks((bytes / (Self::CHUNK_BYTES + Self::SLOT_BYTES)).clamp(1, most))
    }

    fn with_chunks(chunks: usize) -> Self {
        let chunks = (0..chunks).map(|_| OnceLock::new()).collect();
        let tree = Self { chunks, next: CachePadded::default(), full: AtomicBool::new(false) };
        tree.room_for(1);
        tree
    }

    /// Creates an empty tree with the same maximum size.
    pub(super) fn twin(&self) -> Self {
        Self::with_chunks(self.chunks.len())
    }

    /// Removes all edges. The first chunk is kept, so that consecutive small trees allocate no memory.
    pub(super) fn emptied(mut self) -> Self
    where
        M: Send + Sync + 'static,
    {
        let used = *self.next.0.get_mut() as usize;
        let rest: Vec<_> = self.chunks.iter_mut().skip(1).filter_map(OnceLock::take).collect();
        drop_in_background(rest);
        if let Some(chunk) = self.chunks[0].get_mut() {
            chunk.0.iter_mut().take(used).for_each(|four| *four = Four::default());
        }
        *self.next.0.get_mut() = 0;
        *self.full.get_mut() = false;
        self.room_for(1);
        self
    }

    /// Returns the allocated bytes.
    pub(super) fn bytes(&self) -> usize {
        let held = self.chunks.iter().filter(|chunk| chunk.get().is_some()).count();
        held * Self::CHUNK_BYTES + self.chunks.len() * Self::SLOT_BYTES
    }

    /// Returns true if a thread cannot add anything.
    pub(super) fn is_full(&self, region: &Region) -> bool {
        region.left == 0 && self.full.load(Relaxed)
    }

    /// Returns an empty region for one of `threads` threads. A single thread reserves nothing in advance; several
    /// leave enough for each other.
    pub(super) fn region(&self, threads: usize) -> Region {
        let fours = self.chunks.len() * FOURS_PER_CHUNK;
        let is_shared = threads > 1;
        let portion = if is_shared { (fours / 8 / threads).min(FOURS_PER_CHUNK) } else { 0 };
        Region { portion, is_shared, ..Region::default() }
    }

    /// Returns the bytes of all used fours.
    pub(super) fn used_bytes(&self) -> usize {
        self.next.0.load(Relaxed) as usize * size_of::<Four<M>>()
    }

    /// Returns the used share of the maximum size.
    pub(super) fn fullness(&self) -> f64 {
        f64::from(self.next.0.load(Relaxed)) / (self.chunks.len() * FOURS_PER_CHUNK) as f64
    }

    #[inline]
    fn chunk(&self, four: u32) -> &[Four<M>; FOURS_PER_CHUNK] {
        &self.chunks[four as usize / FOURS_PER_CHUNK]
            .get()
            .expect("only what exists has a number")
            .0
    }

    #[inline]
    pub(super) fn edge(&self, id: Id) -> Edge<'_, M> {
        Edge { four: self.four(id / EDGES_PER_FOUR as Id), lane: id as usize % EDGES_PER_FOUR }
    }

    #[inline]
    fn four(&self, four: u32) -> &Four<M> {
        &self.chunk(four)[four as usize % FOURS_PER_CHUNK]
    }

    /// Returns the number of children of a position, with or without a slot.
    #[inline]
    pub(super) fn size(&self, block: Block) -> usize {
        self.four(block.first).count.load(Relaxed).into()
    }

    pub(super) fn set_size(&self, block: Block, size: usize) {
        self.four(block.first).count.store(size as u16, Relaxed);
    }

    /// Returns the segment that starts with this four.
    #[inline]
    pub(super) fn segment(&self, first: u32) -> &[Four<M>] {
        let rest = &self.chunk(first)[first as usize % FOURS_PER_CHUNK..];
        &rest[..usize::from(rest[0].len.load(Relaxed))]
    }

    /// Returns an iterator over the fours of a block.
    #[inline]
    pub(super) fn fours(&self, block: Block) -> Fours<'_, M> {
        let chunk = self.chunk(block.first);
        let head = &chunk[block.first as usize % FOURS_PER_CHUNK];
        Fours { tree: self, chunk, head, at: block.first, left: head.len.load(Relaxed) }
    }

    /// Returns the segments of a block.
    #[inline]
    pub(super) fn segments(&self, block: Block) -> Segments<'_, M> {
        Segments { tree: self, next: block.first, begin: 0 }
    }

    /// Returns the number of children that have a slot.
    pub(super) fn placed(&self, block: Block) -> usize {
        self.segments(block).last().map_or(0, |segment| segment.end()).min(self.size(block))
    }

    /// Returns the child that is tried first.
    #[inline]
    pub(super) fn first_child(&self, block: Block) -> Edge<'_, M> {
        Edge { four: self.four(block.first), lane: 0 }
    }

    /// Returns child number `nth` in the order of trying and, first, the one before it, as far as they have
    /// slots.
    #[inline]
    pub(super) fn neighbours(
        &self,
        block: Block,
        nth: usize,
    ) -> (Option<Edge<'_, M>>, Option<Edge<'_, M>>) {
        let (mut last, mut end) = (None, 0);
        for segment in self.segments(block) {
            let at = (nth - segment.begin) / EDGES_PER_FOUR;
            if let Some(four) = segment.fours.get(at) {
                let lane = nth % EDGES_PER_FOUR;
                let before = match (lane.checked_sub(1), at.checked_sub(1)) {
                    (Some(lane), _) => Some(Edge { four, lane }),
                    (None, Some(at)) => segment.fours.get(at).map(Four::last_edge),
                    (None, None) => last.map(Four::last_edge),
                };
                return (before, Some(Edge { four, lane }));
            }
            last = segment.fours.last();
            end = segment.end();
        }
        (last.filter(|_| nth == end).map(Four::last_edge), None)
    }

    /// Returns child number `nth` in the order of trying, if it has a slot.
    pub(super) fn child(&self, block: Block, nth: usize) -> Option<Edge<'_, M>> {
        let segment = self.segments(block).find(|segment| nth < segment.end())?;
        let (four, lane) = ((nth - segment.begin) / EDGES_PER_FOUR, nth % EDGES_PER_FOUR);
        Some(Edge { four: &segment.fours[four], lane })
    }

    /// Returns the children that have a slot, in the order in which they are tried.
    pub(super) fn children(&self, block: Block) -> impl Iterator<Item = (Id, Edge<'_, M>)> {
        let size = self.size(block);
        let lanes = move |segment: Segment<'_, M>| {
            let len = (size - segment.begin).min(segment.fours.len() * EDGES_PER_FOUR);
            (0..len as Id).map(move |i| segment.first * EDGES_PER_FOUR as Id + i)
        };
        self.segments(block).flat_map(lanes).map(|id| (id, self.edge(id)))
    }

    /// Adds a block for a position with these moves, with slots for the first few children or for all of them.
    /// Returns `None` without memory.
    pub(super) fn add(
        &self,
        move_list: MoveList<'_, M>,
        all: bool,
        region: &mut Region,
    ) -> Option<Block> {
        let moves = move_list.moves.len();
        u16::try_from(moves).ok()?;
        let first =
            self.add_segment(move_list, 0, if all { moves } else { EDGES_PER_FOUR }, region)?;
        let block = Block { first };
        self.set_size(block, moves);
        if all {
            self.complete(block, move_list, region)?;
        }
        Some(block)
    }

    /// Adds slots for about `wanted` more children to a block in which `placed` children have one, and returns
    /// the first new child. Returns `None` without memory, or if another thread is doing the same.
    pub(super) fn extend(
        &self,
        block: Block,
        move_list: MoveList<'_, M>,
        placed: usize,
        wanted: usize,
        region: &mut Region,
    ) -> Option<Edge<'_, M>> {
        let last = self.segments(block).last()?;
        let next = &last.fours[0].next;
        if last.end() != placed {
            return None;
        }
        if region.is_shared {
            next.compare_exchange(NONE, EXTENDING, Relaxed, Relaxed).ok()?;
        }
        let segment = self.add_segment(move_list, placed, wanted, region);
        next.store(segment.unwrap_or(NONE), Release);
        segment.map(|first| self.first_child(Block { first }))
    }

    /// Adds slots for all children that have none.
    pub(super) fn complete(
        &self,
        block: Block,
        move_list: MoveList<'_, M>,
        region: &mut Region,
    ) -> Option<()> {
        loop {
            let placed = self.segments(block).last()?.end();
            let missing = move_list.moves.len().saturating_sub(placed);
            if missing == 0 {
                return Some(());
            }
            self.extend(block, move_list, placed, missing, region)?;
        }
    }

    /// Creates a segment for about `wanted` children from number `begin` on.
    fn add_segment(
        &self,
        move_list: MoveList<'_, M>,
        begin: usize,
        wanted: usize,
        region: &mut Region,
    ) -> Option<u32> {
        let MoveList { moves, priors, order } = move_list;
        let left = moves.len().checked_sub(begin).filter(|&left| left > 0)?;
        let wanted = wanted.min(left).div_ceil(EDGES_PER_FOUR).min(FOURS_PER_CHUNK);
        let first = self.room_in(region, wanted)?;
        let fours = self.segment(first);
        let mut places = order.from(begin, moves.len());
        for four in fours {
            // Unused lanes repeat the first move; their weight is never chosen.
            let here: [Option<usize>; EDGES_PER_FOUR] = std::array::from_fn(|_| places.next());
            let _ = four.moves.set(here.map(|place| moves[place.or(here[0]).unwrap_or(0)]));
            for (lane, place) in here.into_iter().enumerate() {
                let edge = Edge { four, lane };
                edge.set_weight(if place.is_some() { Weight::UNTRIED } else { Weight::NEVER });
                edge.set_prior(place.and_then(|place| priors.get(place)).copied().unwrap_or(0.0));
            }
        }
        Some(first)
    }

    /// Returns the first of `len` consecutive empty fours, from the region if it has enough.
    fn room_in(&self, region: &mut Region, len: usize) -> Option<u32> {
        if region.left < len {
            region.left = 0; // also if `take` fails
            (region.next, region.left) = self.take(len, region)?;
        }
        let first = region.next;
        region.next += len as u32;
        region.left -= len;
        self.four(first).len.store(len as u16, Relaxed);
        Some(first)
    }

    /// Returns the first of `len` consecutive empty fours in one chunk.
    pub(super) fn room_for(&self, len: usize) -> Option<u32> {
        self.room_in(&mut Region::default(), len)
    }

    /// Takes at least `len` consecutive fours in one chunk, and up to the portion of the region. Returns the
    /// first, and their number.
    fn take(&self, len: usize, region: &Region) -> Option<(u32, usize)> {
        let wanted = region.portion;
        // A segment must lie in one chunk.
        let run = |next: u32| {
            let next = next as usize;
            let first = if next % FOURS_PER_CHUNK + len > FOURS_PER_CHUNK {
                next.next_multiple_of(FOURS_PER_CHUNK)
            } else {
                next
            };
            (first, wanted.max(len).min(FOURS_PER_CHUNK - first % FOURS_PER_CHUNK))
        };
        let advance = |next| {
            let (first, taken) = run(next);
            (first + taken <= self.chunks.len() * FOURS_PER_CHUNK).then_some((first + taken) as u32)
        };
        let next = if region.is_shared {
            self.next.0.fetch_update(Relaxed, Relaxed, advance).ok()
        } else {
            let next = self.next.0.load(Relaxed);
            advance(next).map(|end| {
                self.next.0.store(end, Relaxed);
                next
            })
        };
        let Some(next) = next else {
            self.full.store(true, Relaxed);
            return None;
        };
        let (first, taken) = run(next);
        self.chunks[first / FOURS_PER_CHUNK].get_or_init(Box::default);
        Some((first as u32, taken))
    }

    /// Returns the memory, to be freed.
    pub(super) fn into_chunks(self) -> Vec<Box<Chunk<M>>> {
        self.chunks.into_iter().filter_map(OnceLock::into_inner).collect()
    }
}

/// Frees memory; a large amount on another thread, because a clock may be running.
pub(super) fn drop_in_background<T: Send + 'static>(chunks: Vec<T>) {
    if chunks.len() > 64 {
        // If no thread can be started, the memory is freed here.
        let _ = std::thread::Builder::new().spawn(move || drop(chunks));
    }
}

/// Consecutive children of a block.
pub(super) struct Segment<'t, M> {
    /// Number of the first four.
    pub(super) first: u32,
    /// Number of the first child in the block.
    pub(super) begin: usize,
    pub(super) fours: &'t [Four<M>],
}

impl<M> Segment<'_, M> {
    /// Returns the number of the first child of the next segment.
    #[inline]
    pub(super) fn end(&self) -> usize {
        self.begin + self.fours.len() * EDGES_PER_FOUR
    }
}

/// Cursor over the fours of a block.
pub(super) struct Fours<'t, M> {
    tree: &'t Tree<M>,
    chunk: &'t [Four<M>; FOURS_PER_CHUNK],
    /// First four of the current segment.
    head: &'t Four<M>,
    at: u32,
    left: u16,
}

impl<'t, M: Copy> Fours<'t, M> {
    /// Returns the number of children of the block. Only valid before the first [`advance`](Self::advance).
    #[inline]
    pub(super) fn size(&self) -> usize {
        self.head.count.load(Relaxed).into()
    }

    #[inline]
    pub(super) fn here(&self) -> &'t Four<M> {
        &self.chunk[self.at as usize % FOURS_PER_CHUNK]
    }

    /// Moves to the next four; returns false if there is none.
    #[inline]
    pub(super) fn advance(&mut self) -> bool {
        self.left -= 1;
        if self.left > 0 {
            self.at += 1;
            return true;
        }
        let next = self.head.next.load(Acquire);
        let more = next != NONE && next != EXTENDING;
        if more {
            *self = self.tree.fours(Block { first: next });
        }
        more
    }
}

/// Iterator over the segments of a block.
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
        if self.next == NONE || self.next == EXTENDING {
            return None;
        }
        let fours = self.tree.segment(self.next);
        let segment = Segment { first: self.next, begin: self.begin, fours };
        self.next = fours[0].next.load(Acquire);
        self.begin += fours.len() * EDGES_PER_FOUR;
        Some(segment)
    }
}
