//! Quality of the ranking by format, in simulated tournaments of agents with known strengths. The example
//! `examples/formats` draws the figure of the book with more tournaments.

#[path = "../examples/formats/simulation.rs"]
mod simulation;

use simulation::{Field, Reliability, equals, fields};
use tussle_arena::Format;

/// Returns the reliability for a field after as many games as `length` round robins have.
fn after(field: usize, format: Format, length: f64, tournaments: u64) -> Reliability {
    let field = &fields()[field];
    let agents = field.elo.len() as f64;
    let config = field.config(format, (length * agents * (agents - 1.0)) as u64);
    field.reliability(&config, tournaments, 7)
}

#[test]
fn an_adaptive_tournament_ranks_as_well_as_a_round_robin_with_two_thirds_of_the_games() {
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
fn all_formats_rank_six_agents_about_equally_well() {
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

/// Returns the coverage of the 95 % intervals of differences and of ratings.
fn coverage(field: &Field, format: Format, games: u64, tournaments: u64) -> [f64; 2] {
    let reliability = field.reliability(&field.config(format, games), tournaments, 7);
    [reliability.covered, reliability.ratings_covered]
}

#[test]
fn intervals_have_the_right_coverage_with_result_based_pairing() {
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
        // With this number of tournaments, the measured coverage is accurate to about one percent.
        for share in coverage(field, format, games, tournaments) {
            assert!((0.92..=0.98).contains(&share), "{} {format:?}: {share}", field.name);
        }
    }
}

/// Between equal agents, luck alone decides the pairings. Intervals of plain maximum likelihood would have a coverage of
/// only 77 to 92 %.
#[test]
fn intervals_have_the_right_coverage_for_equal_agents() {
    for (agents, format, games, tournaments) in [
        (8, Format::Swiss, 40, 100),
        (16, Format::Swiss, 64, 100),
        (16, Format::Swiss, 96, 80),
        (32, Format::Swiss, 160, 40),
        (10, Format::Adaptive, 300, 20),
        (20, Format::Adaptive, 400, 10),
    ] {
        for share in coverage(&equals(agents), format, games, tournaments) {
            assert!(share > 0.93, "{agents} {format:?}: {share}");
        }
    }
}
