//! Drawings of trees: a [`Plan`] gives every node its place, and [`Plan::scene`] draws them.

mod layout;
mod picture;
mod plan;

pub use plan::{LABEL, NOTE, NOTE_STEP, Plan, Seat};

/// Who decides at a node, by its shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outline {
    /// The first player: a triangle that points up.
    Max,
    /// The second player: a triangle that points down.
    Min,
    /// Chance: a circle.
    Chance,
    /// One of many players: a square in its colour.
    Player(u8),
    /// The end, or a leaf: a rounded box.
    Leaf,
    /// Placeholder of a collapsed subtree: text alone.
    Collapsed,
}

/// Status of a node in an explained search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NodeStatus {
    /// The search does not know the node yet: its place is kept free.
    Unknown,
    /// Not visited yet.
    #[default]
    Unseen,
    /// Being searched.
    Open,
    /// The node where the search is.
    Current,
    /// Searched: the node has its value.
    Done,
    /// On the principal variation.
    Best,
    /// Pruned: never visited.
    Pruned,
}

/// A node to be drawn. The texts may be empty.
#[derive(Clone, Debug)]
pub struct Vertex {
    /// Its shape.
    pub outline: Outline,
    /// Its status.
    pub status: NodeStatus,
    /// In it: its name or value.
    pub label: String,
    /// Below it: its window, its value, its visits.
    pub notes: Vec<String>,
    /// Where the line from above ends: the move.
    pub edge: String,
    /// Those below it, from left to right; each comes after it in the list.
    pub children: Vec<usize>,
}
