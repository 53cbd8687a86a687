//! Example of a new game with 40 lines of rules, played by two searches of Tussle.
//!
//! Breakthrough on 5x5: pawns move one step forward, straight to an empty cell or diagonally to any
//! cell that is not their own, which captures. The first player to reach the far row wins.

use tussle::prelude::*;
use tussle::search::{AlphaBeta, AlphaBetaOptions, Mcts, MctsOptions, MoveOrder, SearchError};

struct Breakthrough;

/// Cells 0 to 24 row by row; the first player's pawns start in rows 0 and 1 and move up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    pawns: [u32; 2],
    mover: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Step {
    from: u8,
    to: u8,
}

/// Row that each player must reach.
const GOALS: [u32; 2] = [0b11111 << 20, 0b11111];

impl Game for Breakthrough {
    type State = State;
    type Move = Step;

    fn start(&self) -> State {
        State { pawns: [0b11111_11111, 0b11111_11111 << 15], mover: 0 }
    }

    fn turn(&self, s: &State) -> Turn {
        let is_won = (0..2).any(|p| s.pawns[p] & GOALS[p] != 0 || s.pawns[p] == 0);
        if is_won { Turn::Over } else { Turn::Player(s.mover) }
    }

    fn moves(&self, s: &State, out: &mut Vec<Step>) {
        if self.turn(s) == Turn::Over {
            return;
        }
        let (own, all) = (s.pawns[s.mover], s.pawns[0] | s.pawns[1]);
        for from in (0..25_i8).filter(|&cell| own >> cell & 1 != 0) {
            let forward = if s.mover == 0 { 5 } else { -5 };
            for side in [-1, 0, 1].into_iter().filter(|side| (0..5).contains(&(from % 5 + side))) {
                let to = from + forward + side;
                let taken = if side == 0 { all } else { own };
                if taken >> to & 1 == 0 {
                    out.push(Step { from: from as u8, to: to as u8 });
                }
            }
        }
    }

    fn play(&self, s: &mut State, Step { from, to }: Step) {
        s.pawns[s.mover] ^= 1 << from | 1 << to;
        s.pawns[1 - s.mover] &= !(1 << to);
        s.mover = 1 - s.mover;
    }

    fn utility(&self, s: &State, player: usize) -> f64 {
        // The player who has just moved has won: a pawn arrived, or the last one was captured.
        if player == s.mover { -1.0 } else { 1.0 }
    }
}

// Alpha-beta needs a zero-sum game, and keys for its table.
impl ZeroSum for Breakthrough {}

impl Hashed for Breakthrough {
    fn board_key(&self, s: &State) -> u64 {
        let [first, second] = s.pawns.map(u64::from);
        tussle::mix(first | second << 25 | (s.mover as u64) << 50)
    }
}

impl State {
    fn lead(&self, player: usize) -> f64 {
        let pawns = self.pawns.map(|pawns| f64::from(pawns.count_ones()));
        pawns[player] - pawns[1 - player]
    }
}

fn main() -> Result<(), SearchError> {
    let game = Breakthrough;
    // The rules are enough for Monte Carlo tree search.
    let mut mcts = Mcts::new(MctsOptions { solver: true, ..Default::default() });
    // Alpha-beta uses a closure as its evaluation, and a transposition table.
    let pawn_lead = evaluation_fn(&game, |state, player| state.lead(player));
    let options = AlphaBetaOptions { order: MoveOrder::Full, ..Default::default() };
    let mut alphabeta = AlphaBeta::new(options, pawn_lead).with_table();

    let limits = Limits::nodes(20_000);
    let mut state = game.start();
    while let Turn::Player(player) = game.turn(&state) {
        let report = match player {
            0 => mcts.search(&game, &state, &limits)?,
            _ => alphabeta.search(&game, &state, &limits)?,
        };
        let line = &report.lines[0];
        println!("{} -> {}  value {:+.2}", line.mv.from, line.mv.to, line.value.number());
        game.play(&mut state, line.mv);
    }
    println!("{} wins", if game.utility(&state, 0) > 0.0 { "Monte Carlo" } else { "alpha-beta" });
    Ok(())
}
