//! Crate `minimax`: its searches, with rules as fast as ours.

mod agent;
mod connect4;
mod mcts;
mod tictactoe;

use std::io;

use ::minimax::{Evaluator, Game, IterativeOptions, IterativeSearch, Negamax, Strategy};

use crate::Answer;
use crate::error::RequestError;
use crate::measurement::{Measurement, line, timed};

/// Plays connect four in matches with these options.
pub fn play(name: &str) -> io::Result<()> {
    let options = options(name).ok_or_else(|| {
        io::Error::other(format!("`{name}`: expected usual, 64mb, tuned or tuned-64mb"))
    })?;
    agent::play(options)
}

/// Answers `search` with the tasks `connect4-depth-D/OPTIONS` and `tictactoe-solve`, and `mcts` with
/// `GAME/OPTIONS`.
pub fn answer(kind: &str, task: &str, n: u64) -> Answer {
    let none = || RequestError::unsupported("minimax", kind, task);
    if kind == "mcts" {
        return mcts::answer(task, n.try_into().map_err(|_| none())?);
    }
    let search: Box<dyn Fn() -> Measurement> = match task.split_once('/') {
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

/// Returns the options with a name.
///
/// `usual` are the defaults of the crate: null windows, a table of 1 MB in two tiers, and move ordering
/// by the table only. `tuned` are the options that are by far the fastest in this game: MTD(f), every
/// other depth, and history. `64mb` and `tuned-64mb` have a table as large as ours.
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

/// Runs a search with a new table, because a used one would contain the answer. The time excludes the
/// allocation of the table.
fn connect4(depth: u8, options: IterativeOptions) -> Measurement {
    let start = connect4::Board::default();
    let mut search = IterativeSearch::new(connect4::Windows, options);
    search.set_max_depth(depth);
    let (_, cpu, wall) = timed(|| search.choose_move(&start));
    let nodes = Some(nodes(&search, start));
    Measurement { cpu, wall, nodes, value: search.root_value().into() }
}

/// Returns the number of calls of its recursive search in all iterations, with leaves and without the
/// root. The crate reports it only in a sentence.
fn nodes<E: Evaluator>(search: &IterativeSearch<E>, mut start: <E::G as Game>::S) -> u64
where
    <E::G as Game>::M: Copy + Eq,
    <E::G as Game>::S: Clone,
{
    let sentence = search.stats(&mut start);
    let number = sentence.split("Explored ").nth(1).and_then(|rest| rest.split(' ').next());
    number
        .and_then(|number| number.parse().ok())
        .expect("the sentence of minimax 0.6.0 has the number of nodes")
}

/// Runs its negamax without a table, which would cost more than it saves in such a small game.
fn solve_tictactoe() -> Measurement {
    let mut search = Negamax::new(tictactoe::NoEvaluation, 9);
    let (_, cpu, wall) = timed(|| search.choose_move(&tictactoe::Board::default()));
    Measurement { cpu, wall, nodes: None, value: search.root_value().into() }
}
