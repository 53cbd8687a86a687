//! Standings of more than two agents, crosstable and seat advantage.

use std::collections::HashMap;

use tussle_arena::{Order, Row, SeatAdvantage, Summary};
use tussle_stats::Wdl;

use crate::failure::visible;
use crate::layout::{self, Table};

/// Returns the standings: for games of two players with ratings first, for more players with points and
/// mean ranks first.
pub(super) fn standing(summary: &Summary) -> String {
    let two = summary.players == 2;
    let head: &[&str] = if two {
        &["", "agent", "rating", "+/-", "points", "games", "wins", "draws", "losses", "score"]
    } else {
        &[
            "",
            "agent",
            "points",
            "+/-",
            "mean rank",
            "+/-",
            "rating",
            "+/-",
            "games",
            "wins",
            "draws",
            "losses",
        ]
    };
    let mut table = Table::new(head.iter().copied());
    table.numbers(std::iter::once(0).chain(2..head.len()));
    // Ratings around 0 are differences and get a sign; ratings around an anchor such as 1500 do not.
    let has_signs = summary.table.iter().any(|row| row.rating.value.is_some_and(|elo| elo <= 0.0));
    for (i, row) in summary.table.iter().enumerate() {
        let place = if row.withdrawn { "-".to_owned() } else { format!("{}", i + 1) };
        let mut cells = vec![place, name(row)];
        let rating = rating(row, has_signs);
        cells.extend(if two { of_two(row, rating) } else { of_more(row, rating) });
        table.add_row(cells);
    }
    let mut text = table.text();
    let mut games = summary.table.iter().filter(|row| !row.withdrawn).map(|row| row.games);
    let first = games.next();
    if summary.sorted_by == Order::Rating && games.any(|games| Some(games) != first) {
        text += "sorted by rating: numbers of games differ\n";
    }
    text
}

fn name(row: &Row) -> String {
    let mark = if row.withdrawn { " (withdrawn)" } else { "" };
    visible(&format!("{}{mark}", row.agent))
}

/// Returns the games that do not count because an agent was withdrawn; empty if all count.
pub(super) fn uncounted(summary: &Summary) -> String {
    if summary.uncounted == 0 {
        return String::new();
    }
    let head = ["", "agent", "points", "games", "wins", "draws", "losses"];
    let mut table = Table::new(head);
    table.numbers(std::iter::once(0).chain(2..head.len()));
    for row in summary.table.iter().filter(|row| row.uncounted.games > 0) {
        let Wdl { wins, draws, losses } = row.uncounted.score;
        let points = format!("{:.1}", row.uncounted.points);
        let counts = [row.uncounted.games, wins, draws, losses].map(|n| n.to_string());
        let cells = [String::new(), name(row), points].into_iter().chain(counts);
        table.add_row(cells.collect::<Vec<_>>());
    }
    format!("\nnot counted, because an agent was withdrawn:\n{}", table.text())
}

fn of_two(row: &Row, rating: [String; 2]) -> Vec<String> {
    let share = match row.games {
        0 => "-".to_owned(),
        games => format!("{:.1} %", 100.0 * row.points / games as f64),
    };
    let mut cells = Vec::from(rating);
    cells.push(format!("{:.1}", row.points));
    cells.extend(counts(row));
    cells.push(share);
    cells
}

fn of_more(row: &Row, rating: [String; 2]) -> Vec<String> {
    let rank = row.mean_rank.unwrap_or_default();
    let mut cells = vec![
        format!("{:.2}", row.points),
        layout::number(row.points_error, 2),
        layout::number(rank.value, 2),
        layout::number(rank.error, 2),
    ];
    cells.extend(rating);
    cells.extend(counts(row));
    cells
}

/// Returns a rating and its error; an anchor has no error.
fn rating(row: &Row, has_signs: bool) -> [String; 2] {
    let value = row.rating.value.map(|elo| match elo {
        elo if elo.abs() < 0.05 => "0.0".to_owned(), // no -0.0
        elo if has_signs => format!("{elo:+.1}"),
        elo => format!("{elo:.1}"),
    });
    let error = row.rating.error.filter(|error| *error > 0.0);
    [value.unwrap_or_else(|| "-".to_owned()), layout::number(error, 1)]
}

fn counts(row: &Row) -> [String; 4] {
    let Wdl { wins, draws, losses } = row.score;
    [row.games, wins, draws, losses].map(|n| n.to_string())
}

/// Seat advantages with a larger error than this, in Elo, are not printed.
const MAX_SHOWN_ERROR: f64 = 1000.0;

/// Returns the seat advantages as a line; empty without games, or if one side won all of them.
pub(super) fn seat_advantage(summary: &Summary) -> String {
    let told: Vec<(&str, f64, f64)> = summary
        .seat_advantage
        .iter()
        .filter_map(|SeatAdvantage { seat, elo }| {
            Some((seat.as_str(), elo.value?.round() + 0.0, elo.error?)) // no -0
        })
        .collect();
    match &told[..] {
        seats if seats.iter().any(|(_, _, error)| *error > MAX_SHOWN_ERROR) => String::new(),
        [] => String::new(),
        [(seat, value, error), _] => {
            format!("the {seat} seat is worth {value:+.0} ± {error:.0} Elo\n")
        }
        seats => {
            let each =
                seats.iter().map(|(seat, value, error)| format!("{seat} {value:+.0} ± {error:.0}"));
            let each: Vec<String> = each.collect();
            format!("the seats are worth, in Elo against their mean: {}\n", each.join(", "))
        }
    }
}

/// Maximum number of agents for which a crosstable is printed.
const MAX_CROSSTABLE_AGENTS: usize = 40;

/// Returns the points of each agent against each other, in the order of the standings, without withdrawn
/// agents.
pub(super) fn crosstable(summary: &Summary) -> String {
    let rows = summary.table.iter().filter(|row| !row.withdrawn);
    let order: Vec<usize> = rows.map(|row| row.index).collect();
    if order.len() > MAX_CROSSTABLE_AGENTS {
        return format!(
            "no crosstable for more than {MAX_CROSSTABLE_AGENTS} agents; --json has all results\n"
        );
    }
    let met: HashMap<[usize; 2], Wdl> =
        summary.meetings.iter().map(|meeting| (meeting.indices, meeting.score)).collect();
    let numbers: Vec<String> = (1..=order.len()).map(|n| n.to_string()).collect();
    let head = ["", "against"].into_iter().chain(numbers.iter().map(String::as_str));
    let mut table = Table::new(head);
    table.numbers(std::iter::once(0).chain(2..order.len() + 2));
    for (place, &row) in order.iter().enumerate() {
        let mut cells = vec![numbers[place].clone(), visible(&summary.agents[row])];
        cells.extend(order.iter().map(|&column| {
            let turned = || met.get(&[column, row]).map(Wdl::reversed);
            match met.get(&[row, column]).copied().or_else(turned) {
                Some(score) => format!("{:.1}/{}", score.points(), score.games()),
                None if row == column => "·".to_owned(),
                None => "-".to_owned(),
            }
        }));
        table.add_row(cells);
    }
    table.text()
}
