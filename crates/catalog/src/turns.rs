//! Names of players, turns and results in the output of all commands.

use tussle_core::{Outcome, Turn};

/// Returns the name of a player in outputs: `first` or `second`; `player-k` in games of more than two.
pub fn player(players: usize, index: usize) -> String {
    match (players, index) {
        (1 | 2, 0) => "first".to_owned(),
        (2, 1) => "second".to_owned(),
        _ => format!("player-{}", index + 1),
    }
}

/// Returns the name of a turn in outputs: that of the player, `chance` or `over`.
pub fn turn(players: usize, turn: Turn) -> String {
    match turn {
        Turn::Player(index) => player(players, index),
        Turn::Chance => "chance".to_owned(),
        Turn::Over => "over".to_owned(),
    }
}

/// Returns the player to move; `None` at a chance node or after the end.
pub fn mover(turn: Turn) -> Option<usize> {
    match turn {
        Turn::Player(player) => Some(player),
        Turn::Chance | Turn::Over => None,
    }
}

/// Returns the result of a finished game as text: the winner, a draw or a tie.
pub fn result(utilities: &[f64]) -> String {
    match winner(utilities) {
        Some(index) => format!("{} wins", player(utilities.len(), index)),
        None if utilities.len() <= 2 => "a draw".to_owned(),
        None => {
            let tied = leaders(utilities).map(|i| player(utilities.len(), i));
            format!("a tie of {}", tied.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Returns the utilities of all players after one of them resigns or forfeits: its opponent wins, several
/// opponents tie.
pub fn defeat(players: usize, loser: usize) -> Vec<f64> {
    let (lost, won) = if players <= 2 { (-1.0, 1.0) } else { (0.0, 1.0 / (players - 1) as f64) };
    (0..players).map(|player| if player == loser { lost } else { won }).collect()
}

/// Returns the outcome of a finished game for one player. With more than two players, one can lose while others
/// share the win.
pub fn outcome(utilities: &[f64], player: usize) -> Outcome {
    match winner(utilities) {
        Some(winner) if winner == player => Outcome::Win,
        None if leaders(utilities).any(|i| i == player) => Outcome::Draw,
        _ => Outcome::Loss,
    }
}

/// Returns the players with the highest utility.
pub fn leaders(utilities: &[f64]) -> impl Iterator<Item = usize> {
    let best = utilities.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (0..utilities.len()).filter(move |&i| utilities[i] == best)
}

/// Returns the winner: the only player with the highest utility.
pub fn winner(utilities: &[f64]) -> Option<usize> {
    let mut leaders = leaders(utilities);
    let first = leaders.next();
    if leaders.next().is_some() { None } else { first }
}
