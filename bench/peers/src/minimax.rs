//! The crate `minimax`: its searches, with rules as fast as ours.

mod connect4;
mod tictactoe;

use ::minimax::{
    Evaluator, Game, IterativeOptions, IterativeSearch, Negamax, Replacement, Strategy,
};

use crate::Answer;
use crate::found::{Found, line, timed};

/// As large as ours.
const TABLE: usize = 64 << 20;

/// `connect4-depth-D` with its usual options and `connect4-depth-D-tuned` with those that we
/// found to be fastest; `tictactoe-solve`.
pub fn answer(kind: &str, task: &str, n: u64) -> Answer {
    let none = || format!("minimax does not have {kind} {task}");
    let search: Box<dyn Fn() -> Found> = match task.strip_prefix("connect4-depth-") {
        _ if kind != "search" => return Err(none()),
        None if task == "tictactoe-solve" => Box::new(solve_tictactoe),
        None => return Err(none()),
        Some(rest) => {
            let (depth, tuned) = rest.strip_suffix("-tuned").map_or((rest, false), |d| (d, true));
            let depth = depth.parse().map_err(|_| none())?;
            Box::new(move || connect4(depth, if tuned { fastest() } else { usual() }))
        }
    };
    line(&(0..n).map(|_| search()).collect::<Vec<_>>())
}

/// What the crate starts with (null windows, a table of two tiers, no other order than by the
/// table), and the larger table.
fn usual() -> IterativeOptions {
    IterativeOptions::new().with_table_byte_size(TABLE)
}

/// Of all its options the fastest on this game, by far: MTD(f), every other depth, history, and
/// a table that fits the processor's cache.
fn fastest() -> IterativeOptions {
    IterativeOptions::new()
        .with_table_byte_size(1 << 20)
        .with_replacement_strategy(Replacement::TwoTier)
        .with_mtdf()
        .with_double_step_increment()
        .with_countermove_history()
}

/// Made anew each time, or the table would know the answer. Making it is not timed.
fn connect4(depth: u8, options: IterativeOptions) -> Found {
    let start = connect4::Board::default();
    let mut search = IterativeSearch::new(connect4::Windows, options);
    search.set_max_depth(depth);
    let (_, cpu, wall) = timed(|| search.choose_move(&start));
    let nodes = Some(nodes(&search, start));
    Found { cpu, wall, nodes, value: search.root_value().into() }
}

/// Calls of its recursive search, leaves included, the root not, in all depths together. It says
/// so only in a sentence.
fn nodes<E: Evaluator>(search: &IterativeSearch<E>, mut start: <E::G as Game>::S) -> u64
where
    <E::G as Game>::M: Copy + Eq,
    <E::G as Game>::S: Clone,
{
    let sentence = search.stats(&mut start);
    let number = sentence.split("Explored ").nth(1).and_then(|rest| rest.split(' ').next());
    number.and_then(|number| number.parse().ok()).expect("minimax 0.6.0 tells its nodes")
}

/// Its plain negamax: for so small a game the table of the other search costs more than it saves.
fn solve_tictactoe() -> Found {
    let mut search = Negamax::new(tictactoe::Nothing, 9);
    let (_, cpu, wall) = timed(|| search.choose_move(&tictactoe::Board::default()));
    Found { cpu, wall, nodes: None, value: search.root_value().into() }
}
