//! Ratings of simulated pools in which all strengths are known.

use tussle_core::Rng;
use tussle_stats::{Elo, Pool, RatedGame};

/// Number of pools that are simulated.
const POOLS: u64 = 1000;

/// Distribution of the results of games of two.
#[derive(Clone, Copy, Default)]
struct World {
    /// Elo difference of the strongest over the weakest agent; the others are evenly between.
    span: f64,
    /// Share of drawn games between equal agents.
    draws: f64,
    /// Elo advantage of the first seat.
    seat: f64,
    /// Share of the uncertainty that the opening decides.
    bias: f64,
}

fn elos(agents: usize, span: f64) -> Vec<f64> {
    let step = span / (agents - 1) as f64;
    (0..agents).map(|agent| agent as f64 * step - span / 2.0).collect()
}

impl World {
    /// Returns the utilities of a random game. The expected score is that of the difference, whatever the share
    /// of draws and the influence of the opening (1 if it favours the first seat, -1 if the second).
    fn game(&self, difference: f64, opening: f64, rng: &mut Rng) -> [f64; 2] {
        let score = 1.0 / (1.0 + 10_f64.powf(-(difference + self.seat) / 400.0));
        let score = score + opening * self.bias * score.min(1.0 - score);
        let drawn = self.draws * 2.0 * score.min(1.0 - score);
        match rng.unit() {
            x if x < score - drawn / 2.0 => [1.0, -1.0],
            x if x < score + drawn / 2.0 => [0.0, 0.0],
            _ => [-1.0, 1.0],
        }
    }

    /// Plays a round robin with `pairs` pairs of games for each two agents.
    fn pool(&self, elo: &[f64], pairs: usize, rng: &mut Rng) -> Pool {
        let mut pool = Pool::new(elo.len(), 2);
        for a in 0..elo.len() {
            for b in (a + 1..elo.len()).flat_map(|b| std::iter::repeat_n(b, pairs)) {
                let opening = if rng.unit() < 0.5 { 1.0 } else { -1.0 };
                let [one, two] = [[a, b], [b, a]]
                    .map(|[first, second]| self.game(elo[first] - elo[second], opening, rng));
                pool.add(&[
                    RatedGame { seats: &[a, b], utilities: &one },
                    RatedGame { seats: &[b, a], utilities: &two },
                ]);
            }
        }
        pool
    }
}

/// Ratings found in many pools, compared with the truth.
#[derive(Default)]
struct Accuracy {
    inside: u64,
    all: u64,
    /// Sums of the deviations from the truth, of their squares and of the squared standard errors.
    bias: f64,
    square: f64,
    variance: f64,
}

impl Accuracy {
    fn add(&mut self, found: Elo, truth: f64) {
        let (value, error) = (found.value.unwrap(), found.error.unwrap());
        self.all += 1;
        self.inside += u64::from((value - truth).abs() <= error);
        self.bias += value - truth;
        self.square += (value - truth).powi(2);
        self.variance += (error / 1.96).powi(2);
    }

    fn coverage(&self) -> f64 {
        self.inside as f64 / self.all as f64
    }
}

/// Simulates pools, checks coverage and bias, and prints them.
fn check(
    name: &str,
    elo: &[f64],
    seats: &[f64],
    pool: &dyn Fn(&mut Rng) -> Pool,
    covers: std::ops::RangeInclusive<f64>,
) {
    let n = elo.len();
    let mut ratings: Vec<Accuracy> = (0..n).map(|_| Accuracy::default()).collect();
    let mut differences: Vec<Accuracy> = (0..n).map(|_| Accuracy::default()).collect();
    let mut of_seats: Vec<Accuracy> = seats.iter().map(|_| Accuracy::default()).collect();
    for number in 0..POOLS {
        let found = pool(&mut Rng::derive(2, &[number])).rate(&[]);
        for a in 0..n {
            ratings[a].add(found.rating(a), elo[a]);
            for b in 0..a {
                differences[a].add(found.difference(a, b), elo[a] - elo[b]);
            }
        }
        for (i, &worth) in seats.iter().enumerate() {
            of_seats[i].add(found.seats[i], worth);
        }
    }
    let mut text = format!("{name}:");
    for (what, found) in
        [("ratings", &ratings), ("differences", &differences), ("seats", &of_seats)]
    {
        let sum = |of: &dyn Fn(&Accuracy) -> f64| found.iter().map(of).sum::<f64>();
        let coverage = sum(&|f| f.inside as f64) / sum(&|f| f.all as f64);
        let ratio = (sum(&|f| f.variance) / sum(&|f| f.square)).sqrt();
        text += &format!(" {what} {:.1} % ({ratio:.2})", 100.0 * coverage);
        assert!(covers.contains(&coverage), "{text}");
    }
    // Any bias is small beside the error of a single pool.
    let mut worst = 0.0_f64;
    for found in ratings.iter().chain(&of_seats) {
        let n = found.all as f64;
        worst = worst.max((found.bias / n).abs() / (found.variance / n).sqrt());
        assert!(found.coverage() > 0.9, "{text}");
    }
    println!("{text}, bias {worst:.2} standard errors at most");
    assert!(worst < 0.2, "{text}: bias of {worst} standard errors");
}

fn check_two(name: &str, agents: usize, pairs: usize, world: World) {
    let elo = elos(agents, world.span);
    let pool = |rng: &mut Rng| world.pool(&elo, pairs, rng);
    check(name, &elo, &[world.seat, -world.seat], &pool, 0.93..=0.97);
}

#[test]
fn intervals_cover_what_they_say_in_games_without_draws() {
    check_two("no draws", 4, 40, World { span: 200.0, ..World::default() });
}

#[test]
fn draws_and_a_seat_advantage_are_found() {
    let world = World { span: 300.0, draws: 0.6, seat: 60.0, bias: 0.0 };
    check_two("draws and seat", 6, 20, world);
}

#[test]
fn openings_that_decide_the_game_cancel() {
    let world = World { span: 200.0, draws: 0.3, seat: 40.0, bias: 0.8 };
    check_two("openings", 5, 30, world);
}

#[test]
fn intervals_cover_what_they_say_after_few_games_between_many_agents() {
    let world = World { span: 420.0, draws: 0.3, seat: 40.0, bias: 0.5 };
    check_two("few games", 8, 3, world);
}

/// Ranks `places` players, each chosen by the strengths of the players that are left.
fn drawn(strengths: &[f64], places: usize, rng: &mut Rng) -> Vec<f64> {
    let mut utilities = vec![0.0; strengths.len()];
    for place in 0..places {
        let weight = |i: usize| if utilities[i] > 0.0 { 0.0 } else { strengths[i].exp() };
        let mut at = rng.unit() * (0..strengths.len()).map(weight).sum::<f64>();
        let mut chosen = None;
        for i in (0..strengths.len()).filter(|&i| weight(i) > 0.0) {
            chosen = Some(i);
            at -= weight(i);
            if at < 0.0 {
                break;
            }
        }
        utilities[chosen.unwrap()] = (strengths.len() - place) as f64;
    }
    utilities
}

/// Checks five agents at tables of three, of which `places` players are ranked.
fn check_three(name: &str, places: usize, rounds: usize) {
    let (elo, seats) = (elos(5, 300.0), [50.0, 0.0, -50.0]);
    let pool = |rng: &mut Rng| {
        let mut pool = Pool::new(5, 3);
        for _ in 0..rounds {
            for [a, b, c] in (0..5)
                .flat_map(|a| (a + 1..5).flat_map(move |b| (b + 1..5).map(move |c| [a, b, c])))
            {
                let games = [[a, b, c], [c, a, b], [b, c, a]].map(|table: [usize; 3]| {
                    let strength = |i: usize| (elo[table[i]] + seats[i]) * 10_f64.ln() / 400.0;
                    (table, drawn(&[0, 1, 2].map(strength), places, rng))
                });
                let rated =
                    games.each_ref().map(|(seats, utilities)| RatedGame { seats, utilities });
                pool.add(&rated);
            }
        }
        pool
    };
    check(name, &elo, &seats, &pool, 0.93..=0.97);
}

#[test]
fn at_a_table_of_three_the_winners_alone_determine_the_strengths() {
    check_three("three, winners", 1, 8);
}

#[test]
fn at_a_table_of_three_whole_rankings_determine_the_strengths() {
    check_three("three, rankings", 3, 6);
}
