//! The printouts of the university courses, for `--style course`.

use tussle_arena::{MoveNote, Record};
use tussle_core::{Clock, Outcome};

use crate::turns;

/// What a person is called there.
pub(crate) const PERSON: &str = "LivePlayer";

/// Whether that game's course prints every game rather than a line about all of them.
pub(crate) fn prints_games(game: &str) -> bool {
    game.starts_with("keep-on-moving")
}

/// Whether that game's course tells about the agents' times.
pub(crate) fn prints_times(game: &str) -> bool {
    game == "go" || game.starts_with("go:")
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

/// The lines of one move.
pub(crate) fn one_move(name: &str, number: usize, mv: &str, note: &MoveNote) -> String {
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
         Move chosen: {step} Value = {}\n",
        "=".repeat(50),
        note.depth,
        note.leaves,
        note.evaluations,
        note.pruned,
        note.value.unwrap_or(0.0),
    )
}

/// A whole game.
pub(crate) fn game(record: &Record, names: &[&str], clock: Clock) -> String {
    let names: Vec<String> = record.seats.iter().map(|&agent| names[agent].to_owned()).collect();
    let mut text = opening(&record.game, &names, clock);
    for (i, (mv, note)) in record.moves.iter().zip(&record.notes).enumerate() {
        if let Some(seat) = note.seat {
            text += &one_move(&names[seat], i + 1, mv, note);
        }
    }
    if record.is_void() {
        return text + "The game is void.\n";
    }
    text + &ending(&record.utilities)
}

/// The line after a game.
pub(crate) fn ending(utilities: &[f64]) -> String {
    match turns::winner(utilities) {
        Some(player) => format!("Player {} Won!\n", player + 1),
        None => "It's a Tie!\n".to_owned(),
    }
}

/// The line after a match of the first agent against the second.
pub(crate) fn tournament(names: &[&str], wins: u64, draws: u64, losses: u64) -> String {
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

/// What the Go course tells of an agent.
#[derive(Clone, Default)]
struct GoScore {
    points: f64,
    points_as_black: f64,
    moves: u64,
    micros: u64,
    longest: u64,
    games: u64,
    left: u64,
    least_left: Option<u64>,
}

impl GoScore {
    fn add(&mut self, record: &Record, seat: usize) {
        if record.is_void() {
            return;
        }
        let points = match turns::outcome(&record.utilities, seat) {
            Outcome::Win => 1.0,
            Outcome::Draw => 0.5,
            Outcome::Loss => 0.0,
        };
        self.points += points;
        if seat == 0 {
            self.points_as_black += points;
        }
        self.games += 1;
        let own = record.notes.iter().enumerate().skip(record.opening);
        let own: Vec<&MoveNote> =
            own.filter(|(i, _)| i % 2 == seat).map(|(_, note)| note).collect();
        self.moves += own.len() as u64;
        self.micros += own.iter().map(|note| note.used).sum::<u64>();
        self.longest = own.iter().map(|note| note.used).max().unwrap_or(0).max(self.longest);
        let left = own.last().map_or(0, |note| note.left);
        self.left += left;
        self.least_left = Some(self.least_left.map_or(left, |least| least.min(left)));
    }

    /// Label and value; times are seconds, durations are those of moves, and what remains is what
    /// was left at the end of a game.
    fn rows(&self) -> [(&'static str, f64); 6] {
        let seconds = |micros: f64| (micros / 1e4).round() / 100.0;
        let mean = |sum: u64, n: u64| seconds(sum as f64 / n.max(1) as f64);
        [
            ("Score", self.points),
            ("Score with Black (first move)", self.points_as_black),
            ("Average Duration", mean(self.micros, self.moves)),
            ("Longest Duration", seconds(self.longest as f64)),
            ("Average Time Remaining", mean(self.left, self.games)),
            ("Min Time Remaining", seconds(self.least_left.unwrap_or(0) as f64)),
        ]
    }
}

/// Two agents' games of Go, being told one after another.
#[derive(Default)]
pub(crate) struct GoMatch([GoScore; 2]);

impl GoMatch {
    /// One game more.
    pub(crate) fn add(&mut self, record: &Record) {
        for (seat, &agent) in record.seats.iter().enumerate() {
            if let Some(score) = self.0.get_mut(agent) {
                score.add(record, seat);
            }
        }
    }

    /// The lines after the match.
    pub(crate) fn text(&self, names: &[&str]) -> String {
        let [one, two] = [self.0[0].rows(), self.0[1].rows()];
        let mut text = String::new();
        for ((label, first), (_, second)) in one.into_iter().zip(two) {
            text += &format!("Agent 1: {} {label}: {first:?}\n", names[0]);
            text += &format!("Agent 2: {} {label}: {second:?}\n", names[1]);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tournament_line_is_the_courses() {
        let names = ["greedy", "random"];
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
