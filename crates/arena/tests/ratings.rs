//! Ratings of simulated pools in which everybody's strength is known.

use tussle_arena::{Elo, Pool, Sat};
use tussle_core::Rng;

/// How many pools are simulated.
const POOLS: u64 = 400;

/// A world in which games of two are played.
#[derive(Clone, Copy, Default)]
struct World {
    /// The Elo of the strongest over the weakest, the others evenly between.
    span: f64,
    /// Of games between equals, how many are drawn.
    draws: f64,
    /// The Elo of the first seat.
    seat: f64,
    /// How much of what is open the opening decides.
    bias: f64,
}

fn elos(agents: usize, span: f64) -> Vec<f64> {
    let step = span / (agents - 1) as f64;
    (0..agents).map(|agent| agent as f64 * step - span / 2.0).collect()
}

impl World {
    /// What a game is worth to both. The expected score is that of the difference, whatever is
    /// drawn and however often the opening (which is for the first with 1, and against it with -1)
    /// decides.
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

    /// A round robin of so many pairs for each two.
    fn pool(&self, elo: &[f64], pairs: usize, rng: &mut Rng) -> Pool {
        let mut pool = Pool::new(elo.len(), 2);
        for a in 0..elo.len() {
            for b in (a + 1..elo.len()).flat_map(|b| std::iter::repeat_n(b, pairs)) {
                let opening = if rng.unit() < 0.5 { 1.0 } else { -1.0 };
                let [one, two] = [[a, b], [b, a]]
                    .map(|[first, second]| self.game(elo[first] - elo[second], opening, rng));
                pool.add(&[
                    Sat { seats: &[a, b], utilities: &one },
                    Sat { seats: &[b, a], utilities: &two },
                ]);
            }
        }
        pool
    }
}

/// What was found in many pools, compared with the truth.
#[derive(Default)]
struct Found {
    inside: u64,
    all: u64,
    /// Sums of what is found too much, of its square and of the squared standard errors.
    bias: f64,
    square: f64,
    variance: f64,
}

impl Found {
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

/// Simulates pools and checks all that is claimed of them; says what came out.
fn check(
    name: &str,
    elo: &[f64],
    seats: &[f64],
    pool: &dyn Fn(&mut Rng) -> Pool,
    covers: std::ops::RangeInclusive<f64>,
) {
    let n = elo.len();
    let mut ratings: Vec<Found> = (0..n).map(|_| Found::default()).collect();
    let mut differences: Vec<Found> = (0..n).map(|_| Found::default()).collect();
    let mut of_seats: Vec<Found> = seats.iter().map(|_| Found::default()).collect();
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
        let sum = |of: &dyn Fn(&Found) -> f64| found.iter().map(of).sum::<f64>();
        let coverage = sum(&|f| f.inside as f64) / sum(&|f| f.all as f64);
        let ratio = (sum(&|f| f.variance) / sum(&|f| f.square)).sqrt();
        text += &format!(" {what} {:.1} % ({ratio:.2})", 100.0 * coverage);
        assert!(covers.contains(&coverage), "{text}");
    }
    // Whatever there is of bias is small beside the error of a single pool.
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
fn draws_and_a_seat_that_is_worth_something_are_seen() {
    let world = World { span: 300.0, draws: 0.6, seat: 60.0, bias: 0.0 };
    check_two("draws and seat", 6, 20, world);
}

#[test]
fn openings_that_decide_the_game_cancel() {
    let world = World { span: 200.0, draws: 0.3, seat: 40.0, bias: 0.8 };
    check_two("openings", 5, 30, world);
}

#[test]
fn few_games_between_many_are_enough_to_know_how_little_is_known() {
    let world = World { span: 420.0, draws: 0.3, seat: 40.0, bias: 0.5 };
    check_two("few games", 8, 3, world);
}

/// Draws players by the strengths that are left, until so many places are taken.
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

/// Five agents at tables of three, of whom so many are ranked.
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
                let sat = games.each_ref().map(|(seats, utilities)| Sat { seats, utilities });
                pool.add(&sat);
            }
        }
        pool
    };
    check(name, &elo, &seats, &pool, 0.93..=0.97);
}

#[test]
fn at_a_table_of_three_the_winners_alone_tell_the_strengths() {
    check_three("three, winners", 1, 8);
}

#[test]
fn at_a_table_of_three_whole_rankings_tell_more() {
    check_three("three, rankings", 3, 6);
}
