//! The crate `minimax`: its searches, with rules as fast as ours.

mod agent;
mod connect4;
mod mcts;
mod tictactoe;

use std::io;

use ::minimax::{Evaluator, Game, IterativeOptions, IterativeSearch, Negamax, Strategy};

use crate::Answer;
use crate::found::{Found, line, timed};

/// Plays connect four in our matches with these options.
pub fn play(name: &str) -> io::Result<()> {
    let options =
        options(name).ok_or_else(|| io::Error::other("usual, 64mb, tuned or tuned-64mb?"))?;
    agent::play(options)
}

/// Searches `connect4-depth-D/OPTIONS` and `tictactoe-solve`; Monte Carlo tree search of `GAME/OPTIONS`.
pub fn answer(kind: &str, task: &str, n: u64) -> Answer {
    let none = || format!("minimax does not have {kind} {task}");
    if kind == "mcts" {
        return mcts::answer(task, n.try_into().map_err(|_| none())?);
    }
    let search: Box<dyn Fn() -> Found> = match task.split_once('/') {
        _ if kind != "search" => return Err(none()),
        None if task == "tictactoe-solve" => Box::new(solve_tictactoe),
        None => return Err(none()),
        Some((game, name)) => {
            let depth = game.strip_prefix("connect4-depth-").and_then(|depth| depth.parse().ok());
            let (depth, options) = depth.zip(options(name)).ok_or_else(none)?;
            Box::new(move || connect4(depth, options))
        }
    };
    line(&(0..n).map(|_| search()).collect::<Vec<_>>())
}

/// What the crate starts with: null windows, a table of 1 MB in two tiers, and no other order of
/// moves than by the table. Or, of all its options, those that are the fastest on this game by far:
/// MTD(f), every other depth, and history. Either with a table as large as ours, too.
fn options(name: &str) -> Option<IterativeOptions> {
    let usual = IterativeOptions::new();
    let tuned = usual.with_mtdf().with_double_step_increment().with_countermove_history();
    let large = |options: IterativeOptions| options.with_table_byte_size(64 << 20);
    match name {
        "usual" => Some(usual),
        "64mb" => Some(large(usual)),
        "tuned" => Some(tuned),
        "tuned-64mb" => Some(large(tuned)),
        _ => None,
    }
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
