//! The printouts of the university courses, for `--style course`.

use tussle_core::{Clock, Report};

use crate::turns;

/// What a person is called there.
pub(crate) const PERSON: &str = "LivePlayer";

/// Whether that game's course prints every game rather than a line about all of them.
pub(crate) fn prints_games(game: &str) -> bool {
    game.starts_with("keep-on-moving")
}

/// The lines before a game.
pub(crate) fn opening(game: &str, names: &[String], clock: Clock) -> String {
    let time = match clock {
        Clock::Move(limit) => format!("{} seconds to make a move", limit.as_secs_f64()),
        // The course knows no other clock.
        other => format!("a clock of {other}"),
    };
    let (names, board) = (names.join(" VS "), board(game));
    format!("Starting Game\n{names}\nBoard {board}\nPlayers (besides {PERSON}) have {time}\n")
}

/// The number of the board, as the course calls its five maps; other games go by their spec.
fn board(game: &str) -> &str {
    match game.strip_prefix("keep-on-moving") {
        Some("") => "0",
        Some(rest) => rest.rsplit('=').next().unwrap_or(rest),
        None => game,
    }
}

/// The lines of one move; `report` is `None` for a person's.
pub(crate) fn one_move(
    name: &str,
    number: usize,
    mv: &str,
    report: Option<&Report<String>>,
) -> String {
    let stats = report.map(|report| report.stats.clone()).unwrap_or_default();
    let value = report.and_then(|report| report.lines.first()).map_or(0.0, |line| line.value);
    let step = match mv {
        "U" => "(1, 0)",
        "D" => "(-1, 0)",
        "R" => "(0, 1)",
        "L" => "(0, -1)",
        other => other,
    };
    format!(
        "{}\nAgent: {name}\nMove No: {number}\nDepth reached : {}\n\
         Leaves developed: {}, Heuristics used : {}, Branches pruned: {}\n\
         Move chosen: {step} Value = {value}\n",
        "=".repeat(50),
        stats.depth,
        stats.leaves,
        stats.evaluations,
        stats.pruned,
    )
}

/// The line after a game.
pub(crate) fn ending(utilities: &[f64]) -> String {
    match turns::winner(utilities) {
        Some(player) => format!("Player {} Won!\n", player + 1),
        None => "It's a Tie!\n".to_owned(),
    }
}

/// The line after a match of the first agent against the second.
pub(crate) fn tournament(names: &[String], wins: u64, draws: u64, losses: u64) -> String {
    let percent = |n: u64| 100.0 * n as f64 / (wins + draws + losses) as f64;
    // `{:?}` keeps the ".0" of whole numbers, as the course's printout does.
    format!(
        "ties:  {:?} %  {} player1 wins:  {:?} %  {} player2 wins:  {:?}\n",
        percent(draws),
        names[0],
        percent(wins),
        names[1],
        percent(losses),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tournament_line_is_the_courses() {
        let names = ["greedy".to_owned(), "random".to_owned()];
        assert_eq!(
            tournament(&names, 94, 1, 5),
            "ties:  1.0 %  greedy player1 wins:  94.0 %  random player2 wins:  5.0\n"
        );
    }

    #[test]
    fn boards_are_called_by_their_number() {
        assert_eq!(board("keep-on-moving"), "0");
        assert_eq!(board("keep-on-moving:board=3"), "3");
        assert_eq!(board("keep-on-moving:file=maps/my.txt"), "maps/my.txt");
    }
}
