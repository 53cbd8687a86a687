//! Division of one tree among threads (Kerrigan's simplified ABDADA, with interrupts).
//!
//! All threads search the same tree and share the transposition table. A thread postpones a move that
//! another thread is already searching; when it returns to the move, the table often has the answer.
//! A thread that finishes a node interrupts the threads that are still inside it: they return to the
//! node and find its value in the table.

use std::sync::atomic::{AtomicU64, Ordering};

/// Number of slots for moves that are being searched.
const SLOTS: usize = 1 << 12;

/// Plies at which threads announce their nodes; deeper nodes are not interrupted.
pub(super) const MAX_ANNOUNCED_PLIES: usize = 56;

/// State of [`Post::finished`] without a finished node, and of a ply without a node.
const NO_NODE: u64 = 0;

/// Work that the threads of a search announce to one another. Two moves may share a slot, and an
/// announcement may be read late; both cost a little speed but not correctness.
#[derive(Debug)]
pub(super) struct Teamwork {
    /// Moves being searched, by the key of position and move.
    moves: Vec<AtomicU64>,
    posts: Vec<Post>,
    /// Minimum depth of nodes whose moves are divided.
    pub(super) min_depth: u32,
}

/// Announcements of one thread, on cache lines of their own.
#[derive(Debug)]
#[repr(align(128))]
struct Post {
    /// Keys of the nodes from the root to the present one, by ply.
    path: [AtomicU64; MAX_ANNOUNCED_PLIES],
    /// Key of a node on the path that another thread has finished.
    finished: AtomicU64,
    /// Number of nodes that a helper has searched.
    nodes: AtomicU64,
}

impl Teamwork {
    pub(super) fn new(threads: usize, min_depth: u32) -> Self {
        let zeros = |n| (0..n).map(|_| AtomicU64::new(0));
        let post = || Post {
            path: [const { AtomicU64::new(NO_NODE) }; MAX_ANNOUNCED_PLIES],
            finished: AtomicU64::new(NO_NODE),
            nodes: AtomicU64::new(0),
        };
        let posts = (0..threads).map(|_| post()).collect();
        Self { moves: zeros(SLOTS).collect(), posts, min_depth }
    }

    fn slot(&self, key: u64) -> &AtomicU64 {
        &self.moves[(key >> 52) as usize % SLOTS]
    }

    /// Returns true if a thread is searching the move with this key.
    pub(super) fn is_searched(&self, key: u64) -> bool {
        self.slot(key).load(Ordering::Relaxed) == key
    }

    /// Announces that a thread begins to search a move.
    pub(super) fn begin_move(&self, key: u64) {
        self.slot(key).store(key, Ordering::Relaxed);
    }

    /// Announces that a thread no longer searches a move.
    pub(super) fn end_move(&self, key: u64) {
        // If another thread has replaced the key in the meantime, its key stays.
        let _ = self.slot(key).compare_exchange(key, 0, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Announces the node that a thread enters at a ply; [`leave_node`](Self::leave_node) ends it.
    pub(super) fn enter_node(&self, thread: usize, ply: u32, key: u64) {
        if let Some(node) = self.posts[thread].path.get(ply as usize) {
            node.store(key, Ordering::Relaxed);
        }
    }

    pub(super) fn leave_node(&self, thread: usize, ply: u32) {
        self.enter_node(thread, ply, NO_NODE);
    }

    /// Interrupts the other threads inside a node whose value is now in the table.
    pub(super) fn interrupt_others(&self, thread: usize, ply: u32, key: u64) {
        if ply as usize >= MAX_ANNOUNCED_PLIES {
            return;
        }
        for (i, post) in self.posts.iter().enumerate() {
            if i != thread && post.path[ply as usize].load(Ordering::Relaxed) == key {
                post.finished.store(key, Ordering::Relaxed);
            }
        }
    }

    /// Returns the ply of a node that this thread is inside and another thread has finished.
    #[inline]
    pub(super) fn finished_ply(&self, thread: usize) -> Option<u32> {
        let post = &self.posts[thread];
        let key = post.finished.load(Ordering::Relaxed);
        if key == NO_NODE {
            return None;
        }
        post.finished.store(NO_NODE, Ordering::Relaxed);
        let ply = post.path.iter().position(|node| node.load(Ordering::Relaxed) == key)?;
        Some(ply as u32)
    }

    /// Announces the number of nodes that a helper has searched.
    pub(super) fn tell_nodes(&self, thread: usize, nodes: u64) {
        self.posts[thread].nodes.store(nodes, Ordering::Relaxed);
    }

    /// Returns the number of nodes that all helpers have announced.
    pub(super) fn helper_nodes(&self) -> u64 {
        self.posts.iter().map(|post| post.nodes.load(Ordering::Relaxed)).sum()
    }
}
