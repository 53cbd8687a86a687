//! Simulation of the number of games that each format needs for a reliable ranking. Prints a table and draws
//! `docs/pictures/formats.svg`. With `errors`, prints the coverage of the error intervals instead.
//!
//! `cargo run --release -p tussle-arena --example formats [TOURNAMENTS] [errors]`

mod errors;
mod figure;
mod simulation;

use std::thread;

use simulation::{Field, Reliability, fields};
use tussle_arena::Format;

/// Lengths of tournaments, as multiples of the games of a round robin.
const LENGTHS: [f64; 8] = [0.5, 0.67, 0.8, 1.0, 1.5, 2.0, 3.0, 4.0];

/// Reliability of one format in one field, for increasing numbers of games.
struct Line {
    format: Format,
    points: Vec<Reliability>,
}

fn main() -> std::io::Result<()> {
    let tournaments = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(400);
    if std::env::args().nth(2).is_some_and(|what| what == "errors") {
        errors::print(tournaments);
        return Ok(());
    }
    let panels: Vec<(Field, Vec<Line>)> = fields()
        .into_iter()
        .map(|field| {
            let formats = [Format::RoundRobin, Format::Swiss, Format::Adaptive];
            let lines = formats.map(|format| line(&field, format, tournaments)).into();
            print(&field, &lines);
            (field, lines)
        })
        .collect();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/pictures/formats.svg");
    std::fs::write(path, figure::svg(&panels))
}

fn line(field: &Field, format: Format, tournaments: u64) -> Line {
    let agents = field.elo.len() as f64;
    let whole = |&length: &f64| format != Format::RoundRobin || length.fract() == 0.0;
    let points = thread::scope(|scope| {
        let handles: Vec<_> = LENGTHS
            .iter()
            .filter(|length| whole(length))
            .map(|length| {
                let games = (length * agents * (agents - 1.0)).round() as u64;
                let config = field.config(format, games);
                scope.spawn(move || field.reliability(&config, tournaments, 1))
            })
            .collect();
        handles.into_iter().map(|handle| handle.join().expect("a simulation")).collect()
    });
    Line { format, points }
}

fn print(field: &Field, lines: &Vec<Line>) {
    println!("{}", field.name);
    for Line { format, points } in lines {
        for Reliability { games, ordered, best_first, covered, .. } in points {
            println!(
                "  {format:?} {games:6.0} games: {:.1} % in order, best first {:.0} %, covered {:.1} %",
                100.0 * ordered,
                100.0 * best_first,
                100.0 * covered
            );
        }
    }
    for goal in &lines[0].points {
        for Line { format, points } in &lines[1..] {
            let games = games_for(goal.ordered, points);
            let games = games.map_or("more".to_owned(), |games| format!("{games:.0}"));
            println!("  as good as a round robin of {:.0}: {format:?} {games}", goal.games);
        }
    }
}

/// Returns the number of games after which a share `ordered` of the pairs is in the right order, interpolated on a
/// logarithmic scale. `None` if no point is that reliable.
fn games_for(ordered: f64, points: &[Reliability]) -> Option<f64> {
    let next = points.iter().position(|point| point.ordered >= ordered)?;
    let Some(before) = next.checked_sub(1) else { return Some(points[0].games) };
    let [a, b] = [&points[before], &points[next]];
    let way = (ordered - a.ordered) / (b.ordered - a.ordered);
    Some(a.games * (b.games / a.games).powf(way))
}
