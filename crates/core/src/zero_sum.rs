//! Two players, one prize.

use crate::Game;

/// A game of two players in which one's gain is the other's loss.
///
/// # Contract
/// `players()` is 2 and `utility(s, 0) == -utility(s, 1)` for every finished `s`. Alpha-beta
/// cuts rest on it.
pub trait ZeroSum: Game {}
