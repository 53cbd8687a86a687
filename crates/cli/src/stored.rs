//! Access to the games of a store by number.

use std::path::Path;

use tussle_arena::{Record, Store};

use crate::failure::Failure;

/// Returns a game of the store at `path`; an error lists the numbers of the games that are there.
pub(crate) fn game(path: &Path, store: &Store, number: u64) -> Result<Record, Failure> {
    match store.game(number)? {
        Some(record) => Ok(record),
        None => Err(no_game(path, store, number)?),
    }
}

/// Returns the error for a game that is not in the store.
fn no_game(path: &Path, store: &Store, game: u64) -> Result<Failure, Failure> {
    let finished = store.finished()?;
    let shown = path.display();
    let there = match (finished.first(), finished.last()) {
        (Some(first), Some(last)) if last - first + 1 == finished.len() as u64 => {
            format!("its games are {first} to {last}")
        }
        (Some(first), Some(last)) => {
            format!("{} games from {first} to {last} are finished", finished.len())
        }
        _ => "no game is finished yet".to_owned(),
    };
    Ok(Failure::usage(format!("there is no game {game} in {shown}: {there}")))
}
