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
fn adaptive_ranks_as_a_round_robin_does_with_two_thirds_of_the_games() {
    for (field, tournaments) in [(1, 100), (2, 100), (3, 25)] {
        let whole = after(field, Format::RoundRobin, 2.0, tournaments);
        let less = after(field, Format::Adaptive, 2.0 * 0.67, tournaments);
        assert!(less.games < 0.68 * whole.games);
        assert!(
            less.ordered > whole.ordered - 0.01,
            "{}: {less:?} {whole:?}",
            fields()[field].name
        );
    }
}

#[test]
fn among_few_it_makes_little_difference() {
    let whole = after(0, Format::RoundRobin, 2.0, 200);
    for format in [Format::Swiss, Format::Adaptive] {
        let other = after(0, format, 2.0, 200);
        assert!((other.ordered - whole.ordered).abs() < 0.025, "{other:?} {whole:?}");
    }
}

#[test]
fn a_swiss_tournament_ranks_a_wide_field_nearly_as_well_with_two_thirds_of_the_games() {
    let whole = after(3, Format::RoundRobin, 1.0, 60);
    let less = after(3, Format::Swiss, 0.67, 60);
    assert!(less.games < 0.68 * whole.games);
    assert!(less.ordered > whole.ordered - 0.01, "{less:?} {whole:?}");
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
        assert!(
            (0.93..=0.97).contains(&told.covered),
            "{} {format:?}: {told:?}",
            fields()[field].name
        );
    }
}
