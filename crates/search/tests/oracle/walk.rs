//! Tables in a game with draws by repetition: entries must not depend on the history of a position.

use tussle_core::{Evaluator, Game, Hashed, Limits, Turn, ZeroSum, mix};
use tussle_search::{
    Agent, AlphaBeta, AlphaBetaOptions, Mcts, MctsOptions, SearchError, TerminalValue,
    UnsupportedOption,
};

/// Two players move one token on a random graph. A repeated position is a draw.
#[derive(Debug)]
struct Walk {
    seed: u64,
}

const CELLS: u64 = 9;

/// Places visited so far, the latest last. A place is a cell and the player to move.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Path(Vec<u8>);

impl Path {
    fn here(&self) -> u8 {
        self.0[self.0.len() - 1]
    }

    /// Number of plies since the current place was visited before.
    fn repeated_after(&self) -> Option<u32> {
        let before = &self.0[..self.0.len() - 1];
        before.iter().rev().position(|&place| place == self.here()).map(|i| i as u32 + 1)
    }
}

impl Walk {
    fn number(&self, place: u8, purpose: u64) -> u64 {
        mix(self.seed ^ mix(u64::from(place) << 8 | purpose))
    }
}

impl Game for Walk {
    type State = Path;
    type Move = u8;

    fn start(&self) -> Path {
        Path(vec![0])
    }

    fn turn(&self, path: &Path) -> Turn {
        let place = path.here();
        let is_target = place > 1 && self.number(place, 1).is_multiple_of(5);
        if is_target || path.repeated_after().is_some() {
            return Turn::Over;
        }
        Turn::Player(usize::from(place % 2))
    }

    fn moves(&self, path: &Path, out: &mut Vec<u8>) {
        let (place, first) = (path.here(), out.len());
        for i in 0..3 {
            let cell = (self.number(place, 2 + i) % CELLS) as u8;
            if !out[first..].contains(&cell) {
                out.push(cell);
            }
        }
    }

    fn play(&self, path: &mut Path, cell: u8) {
        let mover = path.here() % 2;
        path.0.push(2 * cell + 1 - mover);
    }

    fn utility(&self, path: &Path, player: usize) -> f64 {
        if path.repeated_after().is_some() {
            return 0.0;
        }
        let winner = (self.number(path.here(), 20) % 2) as usize;
        if player == winner { 1.0 } else { -1.0 }
    }
}

impl ZeroSum for Walk {}

impl Hashed for Walk {
    fn board_key(&self, path: &Path) -> u64 {
        self.number(path.here(), 30)
    }

    fn has_repetition_draws(&self) -> bool {
        true
    }

    fn repeated_after(&self, path: &Path) -> Option<u32> {
        path.repeated_after()
    }
}

struct Judge;

impl Evaluator<Walk> for Judge {
    fn value(&self, game: &Walk, path: &Path, player: usize) -> f64 {
        let value = (game.number(path.here(), 40) % 21) as f64 - 10.0;
        if player == 0 { value } else { 0.0 - value }
    }
}

/// Returns the value for player 0 by the definition: a win in `n` plies is `1000 - n`.
fn naive(game: &Walk, path: &Path, depth: u32, ply: u32, draw: f64) -> f64 {
    let Turn::Player(mover) = game.turn(path) else {
        let plies = f64::from(ply);
        return match game.utility(path, 0) {
            x if x > 0.0 => 1000.0 - plies,
            x if x < 0.0 => plies - 1000.0,
            _ => draw,
        };
    };
    if depth == 0 {
        return Judge.value(game, path, 0);
    }
    let values = game.legal_moves(path).into_iter().map(|mv| {
        let mut next = path.clone();
        game.play(&mut next, mv);
        naive(game, &next, depth - 1, ply + 1, draw)
    });
    if mover == 0 {
        values.fold(f64::NEG_INFINITY, f64::max)
    } else {
        values.fold(f64::INFINITY, f64::min)
    }
}

#[test]
fn table_entries_hold_for_every_history() {
    let mut hits = 0;
    for seed in 0..150 {
        let game = Walk { seed };
        for draw in [0.0, 2.5, 6.5, -6.5] {
            for depth in [3, 6, 9] {
                let options = AlphaBetaOptions { draw, table_bytes: 1 << 16, ..Default::default() };
                let mut agent = AlphaBeta::new(options, Judge).with_table();
                let report = agent.search(&game, &game.start(), &Limits::depth(depth)).unwrap();
                let value = report.lines[0].value;
                let found = match (value.outcome(), value.distance()) {
                    (Some(tussle_core::Outcome::Win), Some(plies)) => 1000.0 - f64::from(plies),
                    (Some(tussle_core::Outcome::Loss), Some(plies)) => f64::from(plies) - 1000.0,
                    _ => value.number(),
                };
                let expected = naive(&game, &game.start(), depth, 0, draw);
                assert_eq!(found, expected, "seed {seed}, draw {draw}, depth {depth}");
                hits += report.stats.table_hits;
            }
        }
    }
    assert!(hits > 300, "{hits}");
}

/// If finished games are evaluated, the value of a repetition depends on the board, so no table is used.
#[test]
fn evaluated_repetitions_are_searched_without_a_table() {
    let game = Walk { seed: 1 };
    let options =
        AlphaBetaOptions { finished: TerminalValue::Evaluation, ..AlphaBetaOptions::default() };
    let mut agent = AlphaBeta::new(options, Judge).with_table();
    let report = agent.search(&game, &game.start(), &Limits::depth(5)).unwrap();
    assert_eq!((report.stats.bytes, report.stats.table_hits), (0, 0));
}

#[test]
fn mcts_rejects_a_table_in_games_with_draws_by_repetition() {
    let game = Walk { seed: 1 };
    let mut mcts = Mcts::new(MctsOptions::default()).with_table();
    let error = mcts.search(&game, &game.start(), &Limits::nodes(10)).err();
    assert_eq!(error, Some(SearchError::Unsupported(UnsupportedOption::Transpositions)));
    assert!(
        Mcts::new(MctsOptions::default()).search(&game, &game.start(), &Limits::nodes(10)).is_ok()
    );
}
