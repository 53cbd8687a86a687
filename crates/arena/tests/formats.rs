//! What the formats are good for, with strengths that are known. The same at length draws the figure of
//! the book: `examples/formats`.

#[path = "../examples/formats/simulation.rs"]
mod simulation;

use simulation::{Reliability, fields};
use tussle_arena::Format;

/// A field after so many round robins' worth of games.
fn after(field: usize, format: Format, length: f64, tournaments: u64) -> Reliability {
    let field = &fields()[field];
    let agents = field.elo.len() as f64;
    let config = field.config(format, (length * agents * (agents - 1.0)) as u64);
    field.reliability(&config, tournaments, 7)
}

#[test]
fn adaptive_ranks_as_a_round_robin_does_with_fewer_games() {
    for (field, length) in [(0, 0.85), (1, 0.6), (2, 0.75)] {
        let whole = after(field, Format::RoundRobin, 2.0, 100);
        let less = after(field, Format::Adaptive, 2.0 * length, 100);
        assert!(less.games < 0.9 * whole.games);
        assert!(less.ordered > whole.ordered - 0.01, "{field}: {less:?} {whole:?}");
    }
}

#[test]
fn a_swiss_tournament_finds_the_order_of_many_with_fewer_games() {
    for (field, length) in [(1, 0.75), (2, 0.9)] {
        let whole = after(field, Format::RoundRobin, 1.0, 200);
        let less = after(field, Format::Swiss, length, 200);
        assert!(less.games < 0.91 * whole.games);
        assert!(less.ordered > whole.ordered - 0.01, "{field}: {less:?} {whole:?}");
    }
}

#[test]
fn errors_are_what_they_say_whoever_decided_who_met() {
    for (field, format, length) in [
        (0, Format::Swiss, 2.0),
        (1, Format::Swiss, 0.75),
        (2, Format::Swiss, 1.0),
        (0, Format::Adaptive, 2.0),
        (1, Format::Adaptive, 1.0),
        (2, Format::Adaptive, 1.0),
    ] {
        let told = after(field, format, length, 100);
        assert!((0.93..=0.97).contains(&told.covered), "{field} {format:?}: {told:?}");
    }
}
