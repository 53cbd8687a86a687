//! Moves that win or lose at once.

use crate::{Game, Turn};

/// Tactical situation of the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tactic {
    /// A move wins at once.
    Win,
    /// Every move loses: at once, or to the opponent's next move. The number is that of the plies
    /// until then, 1 or 2, with the longest resistance.
    Loss(u32),
    /// Some moves are safe: the opponent cannot win at once after them. If only one is, it is forced.
    Open,
}

/// Earliest ends of the game that a position still allows, in plies from it; `None` if the end is
/// impossible. If both are impossible, the game is a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EarliestEnds {
    /// Lower bound of the plies until the player to move can have won.
    pub win: Option<u32>,
    /// Lower bound of the plies until the player to move can have lost.
    pub loss: Option<u32>,
}

/// Knowledge of a game about moves that win or lose at once.
///
/// Searches use it to skip nodes: a node with a winning move needs no children, and in other nodes
/// only the safe moves matter. A game writes `impl Tactics for MyGame {}` and gets slow, correct
/// defaults, which try every move and every reply. Overrides that work on whole boards make searches
/// several times faster.
///
/// Winning means a utility above 0 in a game of two players whose utilities are not points. In
/// other games no move counts as winning or losing, and all moves are safe.
///
/// # Contract
/// Overrides of [`winning_moves`](Tactics::winning_moves) and [`narrow`](Tactics::narrow) give the
/// answers of the defaults. [`earliest_ends`](Tactics::earliest_ends) never excludes an end that some
/// line reaches. All are called only in positions in which a player is to move. The conformance suite
/// compares them with the defaults and with random games.
pub trait Tactics: Game {
    /// Appends the moves with which the player to move wins at once.
    fn winning_moves(&self, state: &Self::State, out: &mut Vec<Self::Move>) {
        generic_winning_moves(self, state, out);
    }

    /// Removes the moves that do not matter from `moves[from..]`, and returns the situation.
    ///
    /// Before the call, `moves[from..]` are the legal moves, or one of each class of
    /// [equivalent ones](Game::distinct_moves). The order is kept.
    ///
    /// | situation | what is left |
    /// |---|---|
    /// | [`Tactic::Win`] | one winning move or more, and no others |
    /// | [`Tactic::Loss`] | all moves |
    /// | [`Tactic::Open`] | the safe moves |
    fn narrow(&self, state: &Self::State, moves: &mut Vec<Self::Move>, from: usize) -> Tactic {
        generic_narrow(self, state, moves, from)
    }

    /// Returns true if [`narrow`](Tactics::narrow) takes no longer than a few plies of a playout.
    /// Monte Carlo tree search then calls it for every new node; otherwise it only looks for winning
    /// moves.
    fn has_fast_narrow(&self) -> bool {
        false
    }

    /// Returns when the game can be won or lost at the earliest, after
    /// [`narrow`](Tactics::narrow) has found [`Tactic::Open`] and if the player makes a safe move.
    ///
    /// Searches skip a node whose value these bounds decide. The default holds in every game: two plies
    /// for both, or one where no move counts as winning or losing.
    fn earliest_ends(&self, state: &Self::State) -> EarliestEnds {
        let _ = state;
        let plies = Some(if has_winners(self) { 2 } else { 1 });
        EarliestEnds { win: plies, loss: plies }
    }

    /// Returns how promising a legal move looks without a search, for instance by the threats that it
    /// makes. Searches try moves with larger numbers first; only differences count, and up to 4,095
    /// all of them. The default is 0 for every move.
    fn promise(&self, state: &Self::State, mv: Self::Move) -> u32 {
        let _ = (state, mv);
        0
    }
}

/// Returns true if results of the game are won or lost, so that a move can win at once.
fn has_winners<G: Game + ?Sized>(game: &G) -> bool {
    game.players() == 2 && !game.payoffs().points
}

/// Returns true if a move of `mover` ends the game with a utility above 0.
fn wins<G: Game + ?Sized>(game: &G, state: &G::State, mv: G::Move, mover: usize) -> bool {
    let mut child = state.clone();
    game.play(&mut child, mv);
    game.turn(&child) == Turn::Over && game.utility(&child, mover) > 0.0
}

/// Default of [`Tactics::winning_moves`]: tries every move. Tests compare overrides with it.
pub fn generic_winning_moves<G: Game + ?Sized>(game: &G, state: &G::State, out: &mut Vec<G::Move>) {
    let Turn::Player(mover) = game.turn(state) else { return };
    if has_winners(game) {
        let legal = game.legal_moves(state).into_iter();
        out.extend(legal.filter(|&mv| wins(game, state, mv, mover)));
    }
}

/// Default of [`Tactics::narrow`]: tries every move and every reply. Tests compare overrides with
/// it.
pub fn generic_narrow<G: Game + ?Sized>(
    game: &G,
    state: &G::State,
    moves: &mut Vec<G::Move>,
    from: usize,
) -> Tactic {
    let Turn::Player(mover) = game.turn(state) else { return Tactic::Open };
    if !has_winners(game) {
        return Tactic::Open;
    }
    if moves[from..].iter().any(|&mv| wins(game, state, mv, mover)) {
        retain_from(moves, from, |mv| wins(game, state, mv, mover));
        return Tactic::Win;
    }
    let mut longest = 1;
    let mut loses = |mv| match generic_loss(game, state, mv, mover) {
        Some(plies) => {
            longest = longest.max(plies);
            true
        }
        None => false,
    };
    if moves[from..].iter().all(|&mv| loses(mv)) {
        return Tactic::Loss(longest);
    }
    retain_from(moves, from, |mv| !loses(mv));
    Tactic::Open
}

/// Returns the plies until a move has lost, 1 or 2, or `None` if the move is safe.
fn generic_loss<G: Game + ?Sized>(
    game: &G,
    state: &G::State,
    mv: G::Move,
    mover: usize,
) -> Option<u32> {
    let mut child = state.clone();
    game.play(&mut child, mv);
    match game.turn(&child) {
        Turn::Over => (game.utility(&child, mover) < 0.0).then_some(1),
        Turn::Player(player) if player != mover => {
            let replies = game.legal_moves(&child);
            replies.into_iter().any(|reply| wins(game, &child, reply, player)).then_some(2)
        }
        _ => None,
    }
}

/// Keeps the moves of `moves[from..]` for which `keeps` returns true, in their order.
pub fn retain_from<M: Copy>(moves: &mut Vec<M>, from: usize, mut keeps: impl FnMut(M) -> bool) {
    let list = &mut moves[from..];
    let mut kept = 0;
    for i in 0..list.len() {
        let mv = list[i];
        // Without a branch, which would often be mispredicted.
        list[kept] = mv;
        kept += usize::from(keeps(mv));
    }
    moves.truncate(from + kept);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A heap of counters; a player takes one, two or three; the player who takes the last one wins,
    /// or loses if `last_loses`.
    struct Heap {
        last_loses: bool,
    }

    impl Game for Heap {
        type State = (u32, usize);
        type Move = u32;

        fn start(&self) -> Self::State {
            (10, 0)
        }

        fn turn(&self, &(left, player): &Self::State) -> Turn {
            if left == 0 { Turn::Over } else { Turn::Player(player) }
        }

        fn moves(&self, &(left, _): &Self::State, out: &mut Vec<u32>) {
            out.extend(1..=left.min(3));
        }

        fn play(&self, state: &mut Self::State, take: u32) {
            *state = (state.0 - take, 1 - state.1);
        }

        fn utility(&self, &(_, player): &Self::State, who: usize) -> f64 {
            if (who == player) == self.last_loses { 1.0 } else { -1.0 }
        }
    }

    impl Tactics for Heap {}

    fn narrowed(game: &Heap, left: u32) -> (Tactic, Vec<u32>) {
        let state = (left, 0);
        let mut moves = vec![99];
        game.moves(&state, &mut moves);
        let tactic = game.narrow(&state, &mut moves, 1);
        (tactic, moves.split_off(1))
    }

    #[test]
    fn the_defaults_find_wins_losses_and_safe_moves() {
        let game = Heap { last_loses: false };
        assert_eq!(narrowed(&game, 2), (Tactic::Win, vec![2]));
        assert_eq!(narrowed(&game, 4), (Tactic::Loss(2), vec![1, 2, 3]));
        assert_eq!(narrowed(&game, 6), (Tactic::Open, vec![1, 2]));
        let mut wins = Vec::new();
        game.winning_moves(&(3, 1), &mut wins);
        assert_eq!(wins, [3]);
    }

    #[test]
    fn a_move_that_ends_the_game_can_lose_at_once() {
        let game = Heap { last_loses: true };
        assert_eq!(narrowed(&game, 1), (Tactic::Loss(1), vec![1]));
        assert_eq!(narrowed(&game, 3), (Tactic::Open, vec![1, 2]));
    }
}
