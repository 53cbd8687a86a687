//! The tree as plain data, for people and for tests.

/// A node of a tree that was dumped.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeNode<M> {
    /// The move that leads here; none at the root.
    pub mv: Option<M>,
    /// How often it was taken.
    pub visits: u64,
    /// The sum of rewards of the player who made it.
    pub total: f64,
    /// The bonus it has in its parent's eyes; infinite if never visited.
    pub bonus: f64,
    /// What was expected of it, for policies that ask.
    pub prior: f64,
    /// Its children, in the order of the moves.
    pub children: Vec<TreeNode<M>>,
}
