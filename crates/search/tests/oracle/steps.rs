//! Table keys in a game that ends after a number of steps: equal boards have different values near the end.

use tussle_core::{Evaluator, Game, Hashed, Limits, Outcome, Turn, ZeroSum, mix};
use tussle_search::{Agent, AlphaBeta, AlphaBetaOptions};

/// Two players move a token between cells; the owner of the last cell wins.
struct Steps {
    seed: u64,
    limit: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct At {
    cell: u64,
    steps: u32,
}

impl Steps {
    fn number(&self, cell: u64, purpose: u64) -> u64 {
        mix(self.seed ^ mix(cell << 8 | purpose))
    }
}

impl Game for Steps {
    type State = At;
    type Move = u8;

    fn start(&self) -> At {
        At { cell: 0, steps: 0 }
    }

    fn turn(&self, at: &At) -> Turn {
        // The cell determines the player to move, so that a position is a cell and a number of steps.
        if at.steps >= self.limit { Turn::Over } else { Turn::Player((at.cell % 2) as usize) }
    }

    fn moves(&self, at: &At, out: &mut Vec<u8>) {
        out.extend(0..2 + (self.number(at.cell, 1) % 2) as u8);
    }

    fn play(&self, at: &mut At, mv: u8) {
        let cell = self.number(at.cell, 10 + u64::from(mv)) % 7;
        *at = At { cell, steps: at.steps + 1 };
    }

    fn utility(&self, at: &At, player: usize) -> f64 {
        let result = (self.number(at.cell, 2) % 3) as f64 - 1.0;
        if player == 0 { result } else { 0.0 - result }
    }

    fn has_noisy_moves(&self) -> bool {
        true
    }

    fn noisy_moves(&self, at: &At, out: &mut Vec<u8>) {
        if self.number(at.cell, 3).is_multiple_of(2) {
            out.push(0);
        }
    }
}

impl ZeroSum for Steps {}

impl Hashed for Steps {
    fn board_key(&self, at: &At) -> u64 {
        self.number(at.cell, 4)
    }

    fn table_key(&self, at: &At, reach: u32) -> u64 {
        let is_near_the_end = reach >= self.limit - at.steps;
        self.board_key(at) ^ if is_near_the_end { mix(u64::from(at.steps) + 1) } else { 0 }
    }
}

struct Judge;

impl Evaluator<Steps> for Judge {
    fn value(&self, game: &Steps, at: &At, player: usize) -> f64 {
        let value = (game.number(at.cell, 5) % 41) as f64 - 20.0;
        if player == 0 { value } else { 0.0 - value }
    }
}

/// Returns the value for player 0 by the definition: a win in `n` plies is `1000 - n`.
fn naive(game: &Steps, at: &At, depth: u32, ply: u32, quiescence: bool) -> f64 {
    let Turn::Player(mover) = game.turn(at) else {
        let utility = game.utility(at, 0);
        return utility * (1000.0 - f64::from(ply));
    };
    let (mut values, mut moves) = (Vec::new(), Vec::new());
    if depth == 0 {
        values.push(Judge.value(game, at, 0));
        if quiescence {
            game.noisy_moves(at, &mut moves);
        }
    } else {
        game.moves(at, &mut moves);
    }
    for mv in moves {
        let mut next = *at;
        game.play(&mut next, mv);
        values.push(naive(game, &next, depth.saturating_sub(1), ply + 1, quiescence));
    }
    let values = values.into_iter();
    if mover == 0 {
        values.fold(f64::NEG_INFINITY, f64::max)
    } else {
        values.fold(f64::INFINITY, f64::min)
    }
}

#[test]
fn the_table_distinguishes_steps_near_the_end() {
    let mut hits = 0;
    for seed in 0..60 {
        let game = Steps { seed, limit: 6 + (seed % 3) as u32 };
        for quiescence in [false, true] {
            let options =
                AlphaBetaOptions { quiescence, table_bytes: 1 << 16, ..Default::default() };
            let mut agent = AlphaBeta::new(options, Judge).with_table();
            // The table is kept from one depth to the next.
            for depth in 1..9 {
                let report = agent.search(&game, &game.start(), &Limits::depth(depth)).unwrap();
                let expected = naive(&game, &game.start(), depth, 0, quiescence);
                let value = report.lines[0].value;
                let found = match (value.outcome(), value.distance()) {
                    (Some(Outcome::Win), Some(plies)) => 1000.0 - f64::from(plies),
                    (Some(Outcome::Loss), Some(plies)) => f64::from(plies) - 1000.0,
                    (Some(Outcome::Win), None) => expected.max(900.0),
                    (Some(Outcome::Loss), None) => expected.min(-900.0),
                    _ => value.number(),
                };
                assert_eq!(found, expected, "seed {seed}, depth {depth}, {quiescence}");
                hits += report.stats.table_hits;
            }
        }
    }
    assert!(hits > 500, "{hits}");
}
