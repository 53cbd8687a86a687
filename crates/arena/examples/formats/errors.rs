//! Coverage of the 95 % intervals in formats with result-based pairing, as a table of the book.

use tussle_arena::Format;

use super::simulation::{Field, equals, fields};

/// Prints the table.
pub(super) fn print(tournaments: u64) {
    println!("| field | format | games | differences | ratings |\n|---|---|---|---|---|");
    for (agents, rounds) in [(8, 5), (16, 4), (16, 6), (32, 5)] {
        row(
            &format!("{agents} equal agents"),
            &equals(agents),
            Format::Swiss,
            rounds * agents as u64,
            tournaments,
        );
    }
    for (agents, games) in [(10, 300), (20, 400)] {
        row(
            &format!("{agents} equal agents"),
            &equals(agents),
            Format::Adaptive,
            games,
            tournaments,
        );
    }
    for field in fields() {
        let agents = field.elo.len() as u64;
        let usual = u64::from(agents.next_power_of_two().ilog2());
        let mut lengths = vec![usual, usual + 2, agents - 1];
        lengths.dedup();
        for rounds in lengths {
            row(field.name, &field, Format::Swiss, rounds * agents, tournaments);
        }
        for games in [10, 20, 30] {
            row(field.name, &field, Format::Adaptive, games * agents, tournaments);
        }
    }
}

fn row(name: &str, field: &Field, format: Format, games: u64, tournaments: u64) {
    let reliability = field.reliability(&field.config(format, games), tournaments, 1);
    println!(
        "| {name} | {format:?} | {games} | {:.1} % | {:.1} % |",
        100.0 * reliability.covered,
        100.0 * reliability.ratings_covered
    );
}
