//! Simulated tournaments between agents of known strength.

use tussle_arena::{Contestant, Format, Next, Record, Schedule, TournamentSpec};
use tussle_core::Rng;
use tussle_stats::{Pool, RatedGame, Ratings};

/// Advantage of the first seat, in Elo.
const FIRST_SEAT_ELO: f64 = 40.0;

/// Ratio of the probability of a draw to the expected score of the weaker player.
const DRAW_RATIO: f64 = 0.6;

/// Field of agents with known strengths.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    /// True strength of each agent, in Elo.
    pub(crate) elo: Vec<f64>,
}

/// Returns fields of six evenly spaced agents, twelve in two close groups, sixteen with random strengths, and twenty-four
/// over a wide range. The order of the agents is unrelated to their strengths.
pub(crate) fn fields() -> [Field; 4] {
    let even = [120.0, 0.0, 300.0, 60.0, 240.0, 180.0];
    let groups =
        (0..12).map(|i| f64::from(i * 7 % 12)).map(|i| 20.0 * i + 300.0 * (i / 6.0).floor());
    let mut rng = Rng::new(16);
    let random = (0..16).map(|_| 150.0 * normal(&mut rng));
    let wide = (0..24).map(|i| 50.0 * f64::from(i * 7 % 24));
    [
        Field { name: "6 agents, 60 Elo apart", elo: even.to_vec() },
        Field { name: "12 agents in two close groups", elo: groups.collect() },
        Field { name: "16 agents, strengths by chance", elo: random.collect() },
        Field { name: "24 agents, 50 Elo apart", elo: wide.collect() },
    ]
}

/// Returns a field of equally strong agents, in which every observed difference is luck.
pub(crate) fn equals(agents: usize) -> Field {
    Field { name: "equals", elo: vec![0.0; agents] }
}

/// Accuracy of the ratings, as means over many simulated tournaments.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reliability {
    /// Number of games in a tournament.
    pub(crate) games: f64,
    /// Share of pairs of agents that are ranked in the right order.
    pub(crate) ordered: f64,
    /// Share of tournaments in which the best agent was first.
    pub(crate) best_first: f64,
    /// Share of Elo differences within their 95 % intervals.
    pub(crate) covered: f64,
    /// Share of ratings within their 95 % intervals.
    pub(crate) ratings_covered: f64,
}

impl Field {
    /// Returns a round robin, Swiss or adaptive tournament of about `games` games.
    pub(crate) fn config(&self, format: Format, games: u64) -> TournamentSpec {
        let agents = self.elo.len() as u64;
        let contestant = |i: usize| Contestant::new(format!("agent {i}"), "random");
        let agents_of = (0..self.elo.len()).map(contestant).collect();
        let games_per_round = match format {
            Format::Swiss => 2 * (agents / 2),
            _ => agents * (agents - 1),
        };
        TournamentSpec {
            format,
            rounds: (games / games_per_round).max(1),
            limit: (format == Format::Adaptive).then_some(games),
            ..TournamentSpec::new(vec!["game".to_owned()], agents_of)
        }
    }

    /// Plays `tournaments` tournaments and returns their reliability.
    pub(crate) fn reliability(
        &self,
        config: &TournamentSpec,
        tournaments: u64,
        seed: u64,
    ) -> Reliability {
        let n = self.elo.len();
        let mut sum = Reliability::default();
        for number in 0..tournaments {
            let (games, ratings) = self.play(config, Rng::derive(seed, &[number]));
            let pairs = || (0..n).flat_map(|b| (0..b).map(move |a| (a, b)));
            let share = |holds: &dyn Fn(usize, usize) -> bool| {
                let held = pairs().filter(|&(a, b)| holds(a, b)).count();
                held as f64 / pairs().count() as f64
            };
            let truth = |a: usize, b: usize| self.elo[a] - self.elo[b];
            sum.games += games as f64;
            sum.ordered += share(&|a, b| (ratings.elo[a] - ratings.elo[b]) * truth(a, b) > 0.0);
            sum.covered += share(&|a, b| {
                let estimate = ratings.difference(a, b);
                let off = estimate.value.unwrap_or(f64::NAN) - truth(a, b);
                off.abs() <= estimate.error.unwrap_or(f64::NAN)
            });
            let mean = self.elo.iter().sum::<f64>() / n as f64;
            let off = |a: usize| ratings.elo[a] - (self.elo[a] - mean);
            let held = (0..n).filter(|&a| off(a).abs() <= ratings.error(a)).count();
            sum.ratings_covered += held as f64 / n as f64;
            sum.best_first += f64::from(u8::from(best(&self.elo) == best(&ratings.elo)));
        }
        let mean = |sum: f64| sum / tournaments as f64;
        Reliability {
            games: mean(sum.games),
            ordered: mean(sum.ordered),
            best_first: mean(sum.best_first),
            covered: mean(sum.covered),
            ratings_covered: mean(sum.ratings_covered),
        }
    }

    /// Plays one tournament. Returns the number of games and the ratings.
    fn play(&self, config: &TournamentSpec, mut rng: Rng) -> (u64, Ratings) {
        let mut schedule = Schedule::new(config, 2);
        let mut pool = Pool::new(self.elo.len(), 2);
        let mut half: Option<Record> = None;
        let mut id = 0;
        while let Next::Game(slot) = schedule.next(id) {
            let [first, second] = [0, 1].map(|seat: usize| self.elo[slot.seats[seat]]);
            let utility = result(first - second + FIRST_SEAT_ELO, &mut rng);
            let record = Record {
                id,
                pair: slot.pair,
                seats: slot.seats,
                utilities: vec![utility, -utility],
                ..Record::default()
            };
            schedule.add(&record).expect("a scheduled game");
            match half.take() {
                Some(before) => pool.add(&[rated(&before), rated(&record)]),
                None => half = Some(record),
            }
            id += 1;
        }
        pool.add(&half.iter().map(rated).collect::<Vec<_>>());
        let ratings = if config.format.is_paired_by_results() {
            pool.rate_with_population_prior(&[])
        } else {
            pool.rate(&[])
        };
        (id, ratings)
    }
}

fn rated(record: &Record) -> RatedGame<'_> {
    RatedGame { seats: &record.seats, utilities: &record.utilities }
}

/// Returns the utility of a random result, for a player that is `elo` stronger than its opponent.
fn result(elo: f64, rng: &mut Rng) -> f64 {
    let expected = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
    let draw = DRAW_RATIO * expected.min(1.0 - expected);
    match rng.unit() {
        x if x < draw => 0.0,
        x if x < expected + draw / 2.0 => 1.0,
        _ => -1.0,
    }
}

fn best(elo: &[f64]) -> Option<usize> {
    (0..elo.len()).max_by(|&a, &b| elo[a].total_cmp(&elo[b]))
}

/// Returns a sample of the standard normal distribution, approximated by the sum of twelve uniform samples.
fn normal(rng: &mut Rng) -> f64 {
    (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0
}
