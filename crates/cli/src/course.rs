//! The printouts of the university courses, for `--style course`.

use std::time::Duration;

use tussle_arena::{Ending, MoveNote, Record};
use tussle_core::{Outcome, TimeControl};

use crate::turns;

/// Name of a person in these printouts.
pub(crate) const PERSON: &str = "LivePlayer";

/// A course whose printout is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Course {
    /// Gobblet Gobblers: every step of one game, one line about a tournament.
    Gobblet,
    /// Keep on moving: a block for every move of an agent.
    KeepOnMoving,
    /// Go: twelve lines about a match.
    Go,
}

impl Course {
    /// Returns the course of a game, or `None` if its printout is not known.
    pub(crate) fn of(game: &str) -> Option<Self> {
        match game.split(':').next().unwrap_or(game) {
            "gobblet" => Some(Self::Gobblet),
            "keep-on-moving" => Some(Self::KeepOnMoving),
            "go" => Some(Self::Go),
            _ => None,
        }
    }

    /// Returns the course if it prints games between people and agents. The Go course uses a window instead.
    pub(crate) fn at_the_terminal(game: &str) -> Option<Self> {
        Self::of(game).filter(|course| *course != Self::Go)
    }

    /// Returns the lines before a game.
    pub(crate) fn opening(self, game: &str, names: &[String], clock: TimeControl) -> String {
        match self {
            Self::KeepOnMoving => opening(game, names, clock),
            Self::Gobblet | Self::Go => String::new(),
        }
    }

    /// Returns the line after a game.
    pub(crate) fn ending(self, utilities: &[f64]) -> String {
        match (self, turns::winner(utilities)) {
            (Self::Gobblet, Some(player)) => format!("winner is: {}\n", player + 1),
            (Self::Gobblet, None) => "tie\n".to_owned(),
            (_, Some(player)) => format!("Player {} Won!\n", player + 1),
            (_, None) => "It's a Tie!\n".to_owned(),
        }
    }
}

/// Returns a number as Python prints a float.
fn float(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 || (1e-4..1e16).contains(&size) {
        return format!("{value:?}");
    }
    // Python writes at least two digits of the exponent, and its sign.
    let text = format!("{value:e}");
    match text.split_once('e') {
        Some((digits, power)) => {
            let (sign, power) = power.strip_prefix('-').map_or(('+', power), |power| ('-', power));
            format!("{digits}e{sign}{power:0>2}")
        }
        None => text, // not a finite number
    }
}

/// Returns the keep-on-moving course's lines before a game.
fn opening(game: &str, names: &[String], clock: TimeControl) -> String {
    let time = match clock {
        TimeControl::PerMove(limit) => {
            format!("{} seconds to make a move", float(limit.as_secs_f64()))
        }
        // The course has no other clock.
        other => format!("a clock of {other}"),
    };
    let (names, board) = (names.join(" VS "), board(game));
    format!("Starting Game\n{names}\nBoard {board}\nPlayers (besides {PERSON}) have {time}\n")
}

/// Returns the number of the board, which the course uses as its name; the spec for other games.
fn board(game: &str) -> &str {
    match game.strip_prefix("keep-on-moving") {
        Some("") => "0",
        Some(rest) => rest.rsplit('=').next().unwrap_or(rest),
        None => game,
    }
}

/// Value of a won game in the keep-on-moving course.
const WIN: f64 = 99_999.0;

/// Returns the keep-on-moving course's lines about a move; `number` counts the agent's own moves.
pub(crate) fn one_move(name: &str, number: usize, mv: &str, note: &MoveNote) -> String {
    let step = match mv {
        "U" => "(1, 0)",
        "D" => "(-1, 0)",
        "R" => "(0, 1)",
        "L" => "(0, -1)",
        other => other,
    };
    let value = match note.ending {
        Some(Ending::Win) => WIN,
        Some(Ending::Loss) => -WIN,
        // The value of a tie is the agent's parameter `draw`: -9999 in the course's presets.
        Some(Ending::Draw) | None => note.value.unwrap_or(0.0),
    };
    format!(
        "{}\nAgent: {name}\nMove No: {number}\nDepth reached : {}\n\
         Leaves developed: {}, Heuristics used : {}, Branches pruned: {}\n\
         Move chosen: {step} Value = {value}\n",
        "=".repeat(50),
        note.depth,
        note.leaves,
        note.evaluations,
        note.pruned,
    )
}

/// Returns a whole game of keep-on-moving.
pub(crate) fn game(record: &Record, names: &[&str], clock: TimeControl) -> String {
    let names: Vec<String> = record.seats.iter().map(|&agent| names[agent].to_owned()).collect();
    let mut text = opening(&record.game, &names, clock);
    let mut numbers = vec![0; names.len()];
    for (mv, note) in record.moves.iter().zip(&record.notes) {
        if let Some(seat) = note.seat {
            numbers[seat] += 1;
            text += &one_move(&names[seat], numbers[seat], mv, note);
        }
    }
    if record.is_void() {
        return text + "The game is void.\n";
    }
    text + &Course::KeepOnMoving.ending(&record.utilities)
}

/// Returns the line with which a step of Gobblet begins.
pub(crate) fn player(seat: usize) -> String {
    format!("player {seat}\n")
}

/// Returns true if a line names a piece of Gobblet and nothing else.
pub(crate) fn is_pawn(line: &str) -> bool {
    matches!(line.as_bytes(), [b'B' | b'M' | b'S', b'1' | b'2'])
}

/// Returns the course's questions to a person, answered by this move.
pub(crate) fn answered(mv: &str) -> String {
    let (pawn, location) = mv.split_once('@').unwrap_or((mv, ""));
    format!("{INSERT_PAWN}{pawn}\n{INSERT_LOCATION}{location}\n")
}

/// The Gobblet course's question for a piece, with the line before it.
pub(crate) const INSERT_PAWN: &str = "insert action\ninsert pawn: ";
/// The Gobblet course's question for a cell.
pub(crate) const INSERT_LOCATION: &str = "insert location: ";

/// Returns the line about the time of a step of Gobblet.
pub(crate) fn step_time(took: Duration) -> String {
    format!("time for step was {}\n", float(took.as_secs_f64()))
}

/// Returns the line after a match of the first agent against the second.
pub(crate) fn tournament(names: &[&str], wins: u64, draws: u64, losses: u64) -> String {
    let percent = |n: u64| float(100.0 * n as f64 / (wins + draws + losses) as f64);
    format!(
        "ties:  {} %  {} player1 wins:  {} %  {} player2 wins:  {}\n",
        percent(draws),
        names[0],
        percent(wins),
        names[1],
        percent(losses),
    )
}

/// The Go course's numbers about an agent; times are seconds.
#[derive(Clone, Default)]
struct GoScore {
    points: f64,
    points_as_black: f64,
    /// Sum of the games' mean move times.
    durations: f64,
    /// Number of games in which the agent moved.
    games: u32,
    longest: f64,
    /// Sum of the times left at the end of games.
    left: f64,
    least_left: Option<f64>,
}

impl GoScore {
    fn add(&mut self, record: &Record, seat: usize) {
        if record.is_void() {
            return;
        }
        let points = match turns::outcome(&record.utilities, seat) {
            Outcome::Win => 1.0,
            Outcome::Draw => 0.0,
            Outcome::Loss => -1.0,
        };
        self.points += points;
        if seat == 0 {
            self.points_as_black += points;
        }
        let seconds = |micros: u64| micros as f64 / 1e6;
        let own = || record.notes.iter().filter(|note| note.seat == Some(seat));
        let Some(last) = own().next_back() else { return };
        let used: f64 = own().map(|note| seconds(note.used)).sum();
        self.durations += used / own().count() as f64;
        self.longest = own().map(|note| seconds(note.used)).fold(self.longest, f64::max);
        let left = seconds(last.left);
        self.games += 1;
        self.left += left;
        self.least_left = Some(self.least_left.map_or(left, |least| least.min(left)));
    }

    /// Returns labels and values. Durations are those of moves, averaged over each game and then over the
    /// games. Time remaining is the time left at the end of a game.
    fn rows(&self) -> [(&'static str, f64); 6] {
        let mean = |sum: f64| sum / f64::from(self.games.max(1));
        [
            ("Score", self.points),
            ("Score with Black (first move)", self.points_as_black),
            ("Average Duration", mean(self.durations)),
            ("Longest Duration", self.longest),
            ("Average Time Remaining", mean(self.left)),
            ("Min Time Remaining", self.least_left.unwrap_or(0.0)),
        ]
    }
}

/// Results of a match of two agents in the Go course.
#[derive(Default)]
pub(crate) struct GoMatch([GoScore; 2]);

impl GoMatch {
    /// Adds a game.
    pub(crate) fn add(&mut self, record: &Record) {
        for (seat, &agent) in record.seats.iter().enumerate() {
            if let Some(score) = self.0.get_mut(agent) {
                score.add(record, seat);
            }
        }
    }

    /// Returns the lines after the match.
    pub(crate) fn text(&self, names: &[&str]) -> String {
        let [one, two] = [self.0[0].rows(), self.0[1].rows()];
        let mut text = String::new();
        for ((label, first), (_, second)) in one.into_iter().zip(two) {
            text += &format!("Agent 1: {} {label}: {}\n", names[0], float(first));
            text += &format!("Agent 2: {} {label}: {}\n", names[1], float(second));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tournament_line_equals_that_of_the_course() {
        let names = ["greedy", "random"];
        assert_eq!(
            tournament(&names, 94, 1, 5),
            "ties:  1.0 %  greedy player1 wins:  94.0 %  random player2 wins:  5.0\n"
        );
    }

    #[test]
    fn boards_are_named_by_their_number() {
        assert_eq!(board("keep-on-moving"), "0");
        assert_eq!(board("keep-on-moving:board=3"), "3");
        assert_eq!(board("keep-on-moving:file=maps/my.txt"), "maps/my.txt");
    }

    #[test]
    fn floats_are_printed_as_python_prints_them() {
        for (value, text) in [
            (2.0, "2.0"),
            (-4.0, "-4.0"),
            (0.0, "0.0"),
            (1.0 / 3.0, "0.3333333333333333"),
            (0.0001, "0.0001"),
            (0.000_05, "5e-05"),
            (0.000_012_5, "1.25e-05"),
            (1e16, "1e+16"),
            (123_456.789, "123456.789"),
        ] {
            assert_eq!(float(value), text);
        }
    }

    #[test]
    fn only_games_of_courses_have_a_printout() {
        assert_eq!(Course::of("gobblet"), Some(Course::Gobblet));
        assert_eq!(Course::of("keep-on-moving:board=2"), Some(Course::KeepOnMoving));
        assert_eq!(Course::of("go:size=5"), Some(Course::Go));
        assert_eq!(Course::at_the_terminal("go"), None);
        for game in ["pentago-twist", "pentago", "connect4", "tictactoe"] {
            assert_eq!(Course::of(game), None, "{game}");
        }
    }

    /// Returns a game of Go. Moves are given as seconds used and seconds left.
    fn go(seats: [usize; 2], first_wins: bool, moves: &[(u64, u64)]) -> Record {
        let note = |(i, &(used, left)): (usize, &(u64, u64))| MoveNote {
            seat: Some(i % 2),
            used: used * 1_000_000,
            left: left * 1_000_000,
            ..MoveNote::default()
        };
        let utilities = if first_wins { vec![1.0, -1.0] } else { vec![-1.0, 1.0] };
        Record {
            game: "go".to_owned(),
            seats: seats.to_vec(),
            moves: vec!["pass".to_owned(); moves.len()],
            utilities,
            notes: moves.iter().enumerate().map(note).collect(),
            ..Record::default()
        }
    }

    #[test]
    fn go_scores_count_losses_and_durations_are_means_of_means() {
        let mut all = GoMatch::default();
        all.add(&go([0, 1], true, &[(1, 15), (2, 14), (3, 13), (2, 13)]));
        all.add(&go([1, 0], false, &[(2, 14), (4, 12)]));
        assert_eq!(
            all.text(&["mcts", "greedy"]),
            "Agent 1: mcts Score: 2.0\n\
             Agent 2: greedy Score: -2.0\n\
             Agent 1: mcts Score with Black (first move): 1.0\n\
             Agent 2: greedy Score with Black (first move): -1.0\n\
             Agent 1: mcts Average Duration: 3.0\n\
             Agent 2: greedy Average Duration: 2.0\n\
             Agent 1: mcts Longest Duration: 4.0\n\
             Agent 2: greedy Longest Duration: 2.0\n\
             Agent 1: mcts Average Time Remaining: 12.5\n\
             Agent 2: greedy Average Time Remaining: 13.5\n\
             Agent 1: mcts Min Time Remaining: 12.0\n\
             Agent 2: greedy Min Time Remaining: 13.0\n"
        );
        let mut even = GoMatch::default();
        even.add(&go([0, 1], true, &[(1, 15), (1, 15)]));
        even.add(&go([1, 0], true, &[(1, 15), (1, 15)]));
        let text = even.text(&["a", "b"]);
        assert!(text.starts_with("Agent 1: a Score: 0.0\nAgent 2: b Score: 0.0\n"), "{text}");
        assert!(text.contains("b Score with Black (first move): 1.0\n"), "{text}");
    }

    #[test]
    fn proven_results_are_printed_in_the_scale_of_the_course() {
        let last = |ending, value| {
            let note = MoveNote { ending, value: Some(value), ..MoveNote::default() };
            one_move("minimax", 7, "D", &note).lines().last().unwrap_or_default().to_owned()
        };
        assert_eq!(last(Some(Ending::Win), 1.0), "Move chosen: (-1, 0) Value = 99999");
        assert_eq!(last(Some(Ending::Loss), -1.0), "Move chosen: (-1, 0) Value = -99999");
        assert_eq!(last(Some(Ending::Draw), -9999.0), "Move chosen: (-1, 0) Value = -9999");
        assert_eq!(last(None, 1.0), "Move chosen: (-1, 0) Value = 1");
    }
}
