//! Games of two players with opposite interests.

use crate::Game;

/// A game of two players in which one's gain is the other's loss.
///
/// # Contract
/// `players()` is 2 and `utility(s, 0) == -utility(s, 1)` for every finished `s`. Alpha-beta pruning
/// is only correct under this condition.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not declared to be a game of two players with opposite interests",
    note = "write `impl ZeroSum for {Self} {{}}` if one player's gain is the other's loss; otherwise use `Maxn`, \
            `Expectimax` or `Mcts`"
)]
pub trait ZeroSum: Game {}
