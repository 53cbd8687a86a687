//! Drawings of trees: a [`Plan`] computes the place of every node, and [`Plan::scene`] draws the nodes.

mod layout;
mod picture;
mod plan;

pub use plan::{LABEL, NOTE, NOTE_STEP, NodePlace, Plan};

/// Shape of a node, which shows who moves there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outline {
    /// The first player: a triangle that points up.
    Max,
    /// The second player: a triangle that points down.
    Min,
    /// Chance: a circle.
    Chance,
    /// A player of a game of more than two players: a square in the player's colour.
    Player(u8),
    /// End of the game, or a leaf of the search: a rounded box.
    Leaf,
    /// Placeholder of a collapsed subtree: text alone.
    Collapsed,
}

/// Status of a node in an explained search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NodeStatus {
    /// Not known to the search yet: its place stays empty.
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

/// Node of a drawn tree. Each text may be empty.
#[derive(Clone, Debug)]
pub struct Vertex {
    /// Shape of the node.
    pub outline: Outline,
    /// Status in the search.
    pub status: NodeStatus,
    /// Text inside the node: its name or value.
    pub label: String,
    /// Lines of text below the node: its window, value or visits.
    pub notes: Vec<String>,
    /// Text above the node: the move that leads to it.
    pub edge: String,
    /// Indices of the children, from left to right. Each is greater than the index of this node.
    pub children: Vec<usize>,
}
