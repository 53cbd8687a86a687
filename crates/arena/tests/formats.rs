//! What the formats are good for, with strengths that are known. The same at length draws the figure of
//! the book: `examples/formats`.

#[path = "../examples/formats/simulation.rs"]
mod simulation;

use simulation::{Field, Reliability, equals, fields};
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
    for (field, tournaments) in [(1, 60), (2, 60), (3, 12)] {
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

/// How often the 95 % intervals of differences and of ratings hold.
fn held(field: &Field, format: Format, games: u64, tournaments: u64) -> [f64; 2] {
    let told = field.reliability(&field.config(format, games), tournaments, 7);
    [told.covered, told.ratings_covered]
}

#[test]
fn errors_are_what_they_say_whoever_decided_who_met() {
    for (field, format, games, tournaments) in [
        (0, Format::Swiss, 18, 100),
        (0, Format::Adaptive, 60, 60),
        (1, Format::Swiss, 48, 100),
        (1, Format::Swiss, 72, 100),
        (1, Format::Adaptive, 120, 60),
        (2, Format::Swiss, 64, 100),
        (2, Format::Swiss, 96, 100),
        (2, Format::Adaptive, 160, 40),
        (3, Format::Swiss, 120, 60),
    ] {
        let field = &fields()[field];
        // So few tournaments tell it to about one percent.
        for share in held(field, format, games, tournaments) {
            assert!((0.92..=0.98).contains(&share), "{} {format:?}: {share}", field.name);
        }
    }
}

/// With equals nothing but luck decides who meets: errors of the greatest likelihood hold in 77 to 92 %.
#[test]
fn the_luck_of_equals_is_not_taken_for_strength() {
    for (agents, format, games, tournaments) in [
        (8, Format::Swiss, 40, 100),
        (16, Format::Swiss, 64, 100),
        (16, Format::Swiss, 96, 80),
        (32, Format::Swiss, 160, 40),
        (10, Format::Adaptive, 300, 20),
        (20, Format::Adaptive, 400, 10),
    ] {
        for share in held(&equals(agents), format, games, tournaments) {
            assert!(share > 0.93, "{agents} {format:?}: {share}");
        }
    }
}
