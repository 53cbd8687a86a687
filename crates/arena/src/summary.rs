//! What the games of a tournament add up to.
//!
//! Records are told one after another in the order of their numbers; none is kept.

mod anchors;
mod conclusion;
mod strength;
mod table;

use std::collections::{BTreeMap, HashSet};

use serde::{Serialize, Serializer};
use tussle_catalog::turns;
use tussle_core::Outcome;

use crate::{
    Config, Elo, Estimate, Latency, Pentanomial, Ratings, Record, Replay, Schedule, Store,
    StoreError, Verdict, Wdl, is_repetitive,
};

pub use anchors::Anchor;
pub use strength::Mean;
pub use table::{Row, SeatScore};

/// What the games of a tournament add up to. Everything in it but [`timing`](Summary::timing) follows from
/// the games alone.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// How many players a game has.
    #[serde(skip)]
    pub players: usize,
    /// The agents' names, as configured.
    pub agents: Vec<String>,
    /// The standing, the best first.
    pub table: Vec<Row>,
    /// What the seats are worth.
    pub seat_advantage: Vec<SeatAdvantage>,
    /// Who met whom, in games of two.
    pub meetings: Vec<Meeting>,
    /// How many games were decided how.
    #[serde(serialize_with = "verdicts")]
    pub verdicts: BTreeMap<Verdict, u64>,
    /// By agent as configured, how many games it lost because it did not answer in time.
    pub time_losses: Vec<u64>,
    /// Moves made at random for players whose time had run out.
    pub overruns: u64,
    /// Agents who were withdrawn because they did not work.
    pub withdrawn: Vec<String>,
    /// How many different games were played.
    pub distinct_games: u64,
    /// Moves a game, openings and outcomes of chance included.
    pub mean_length: Option<f64>,
    /// Whether the clock had no say in any move and all agents repeat themselves.
    pub deterministic: bool,
    /// The number of games.
    #[serde(skip)]
    pub games: u64,
    /// By agent as configured, how strong everybody is.
    #[serde(skip)]
    pub ratings: Ratings,
    /// The number of games when all are played.
    pub scheduled: u64,
    /// What another run of the same games may change.
    pub timing: Timing,
}

/// What a seat is worth in Elo: of two against the other, of more against their mean.
#[derive(Clone, Debug, Serialize)]
pub struct SeatAdvantage {
    /// The seat's name.
    pub seat: String,
    /// How much, plus or minus.
    #[serde(flatten)]
    pub elo: Elo,
}

/// Two agents who met, the first configured first, and the games seen by it.
#[derive(Clone, Debug, Serialize)]
pub struct Meeting {
    /// Their indices.
    #[serde(skip)]
    pub indices: [usize; 2],
    /// Their names.
    pub agents: [String; 2],
    /// How many games they played.
    pub games: u64,
    /// How these ended.
    #[serde(flatten)]
    pub score: Wdl,
    /// What they say about the difference of strength.
    #[serde(flatten)]
    pub estimate: Estimate,
    /// Their complete pairs.
    pub pentanomial: Pentanomial,
    /// The share of pairs that neither side won.
    pub draw_ratio: Option<f64>,
    /// Pairs won for each one lost.
    pub pairs_ratio: Option<f64>,
}

/// How long things took, and what this machine is to blame for.
#[derive(Clone, Debug, Serialize)]
pub struct Timing {
    /// By agent as configured.
    pub agents: Vec<MoveTimes>,
    /// Games that were played again because this machine was late.
    pub replays: Vec<Again>,
}

/// How long an agent took for its moves, in milliseconds; none without moves.
#[derive(Clone, Debug, Serialize)]
pub struct MoveTimes {
    /// Its name.
    pub agent: String,
    /// The number of moves.
    pub moves: u64,
    /// Half of them took no longer.
    pub p50_ms: Option<f64>,
    /// All but one in a hundred took no longer.
    pub p99_ms: Option<f64>,
    /// The longest.
    pub max_ms: Option<f64>,
}

/// A game that was played again.
#[derive(Clone, Debug, Serialize)]
pub struct Again {
    /// Its number.
    pub id: u64,
    /// The seat that got no time.
    pub seat: usize,
    /// What happened.
    pub what: String,
}

impl From<Replay> for Again {
    fn from(Replay { id, seat, what }: Replay) -> Self {
        Self { id, seat, what }
    }
}

/// All verdicts have their count, also where it is 0.
fn verdicts<S: Serializer>(
    counts: &BTreeMap<Verdict, u64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let count = |verdict| counts.get(&verdict).copied().unwrap_or_default();
    serializer.collect_map(Verdict::ALL.map(|verdict| (verdict.as_str(), count(verdict))))
}

/// What one agent's games add up to.
#[derive(Clone, Default)]
struct Agent {
    /// By seat.
    seats: Vec<Wdl>,
    pairs: Pentanomial,
    /// What the games were worth to it, where more than two play.
    worth: f64,
    verdicts: BTreeMap<Verdict, u64>,
    latency: Latency,
}

impl Agent {
    fn count(&self, counts: impl Fn(Verdict) -> bool) -> u64 {
        self.verdicts.iter().filter(|(verdict, _)| counts(**verdict)).map(|(_, n)| n).sum()
    }
}

/// Adds games up.
#[derive(Clone)]
pub struct Tally {
    config: Config,
    names: Vec<String>,
    players: usize,
    agents: Vec<Agent>,
    meetings: BTreeMap<[usize; 2], (Wdl, Pentanomial)>,
    /// The first game of a pair whose second is to come: the pair, the agents, and how it
    /// ended for the first of them.
    half: Option<(u64, [usize; 2], Outcome)>,
    verdicts: BTreeMap<Verdict, u64>,
    /// One in 2^64 games is taken for another; the moves themselves would fill the memory.
    distinct: HashSet<u64>,
    games: u64,
    plies: u64,
    overruns: u64,
    deterministic: bool,
    strength: strength::Strength,
    /// Agents whose ratings are given.
    anchors: Vec<(usize, f64)>,
}

impl Tally {
    /// No games yet.
    pub fn new(config: &Config) -> Self {
        Self {
            names: config.agents.iter().map(|agent| agent.name.clone()).collect(),
            config: config.clone(),
            players: 2,
            agents: vec![Agent::default(); config.agents.len()],
            meetings: BTreeMap::new(),
            half: None,
            verdicts: BTreeMap::new(),
            distinct: HashSet::new(),
            games: 0,
            plies: 0,
            overruns: 0,
            deterministic: true,
            strength: strength::Strength::new(config.agents.len()),
            anchors: anchors::usual(config),
        }
    }

    /// The same with ratings that are given; without any, those of gauntlets are relative to the
    /// first agent, others to their mean.
    ///
    /// # Errors
    /// If somebody does not take part.
    pub fn anchored(mut self, anchors: &[Anchor]) -> Result<Self, String> {
        if !anchors.is_empty() {
            self.anchors = anchors::look_up(anchors, &self.config)?;
        }
        Ok(self)
    }

    /// Counts one game more; its number must be larger than those before.
    pub fn add(&mut self, record: &Record) {
        self.players = record.seats.len();
        self.games += 1;
        self.plies += record.moves.len() as u64;
        self.overruns += record.overruns;
        self.deterministic &= record.deterministic;
        *self.verdicts.entry(record.verdict).or_default() += 1;
        self.distinct.insert(record.fingerprint());
        self.strength.add(record);

        for (seat, &index) in record.seats.iter().enumerate() {
            let agent = &mut self.agents[index];
            if agent.seats.len() < self.players {
                agent.seats.resize(self.players, Wdl::default());
            }
            agent.seats[seat].add(turns::outcome(&record.utilities, seat));
            agent.worth += record.utilities[seat];
        }
        if let Some(seat) = record.culprit {
            *self.agents[record.seats[seat]].verdicts.entry(record.verdict).or_default() += 1;
        }
        for note in &record.notes {
            if let Some(&index) = note.seat.and_then(|seat| record.seats.get(seat)) {
                self.agents[index].latency.add(note.used);
            }
        }
        if let [a, b] = record.seats[..] {
            self.meet([a, b], record);
        }
    }

    /// The game of two agents against each other.
    fn meet(&mut self, [a, b]: [usize; 2], record: &Record) {
        let agents = [a.min(b), a.max(b)];
        let outcome = turns::outcome(&record.utilities, usize::from(a > b));
        let meeting = self.meetings.entry(agents).or_default();
        meeting.0.add(outcome);
        match self.half.take() {
            Some((pair, others, before)) if pair == record.pair && others == agents => {
                let mut one = Pentanomial::default();
                one.add([before, outcome]);
                for (i, n) in one.0.into_iter().enumerate() {
                    meeting.1.0[i] += n;
                    self.agents[agents[0]].pairs.0[i] += n;
                    self.agents[agents[1]].pairs.0[4 - i] += n;
                }
            }
            _ => self.half = Some((record.pair, agents, outcome)),
        }
    }

    /// What it all adds up to.
    pub fn finish(self, replays: Vec<Replay>) -> Summary {
        let (ratings, tables) = self.strength.clone().finish(&self.anchors);
        let ratings = ratings.widened(self.config.format.inflation());
        // A game that was played before is no new sample.
        let (games, distinct) = (self.games, self.distinct.len() as u64);
        let ratings = if is_repetitive(distinct, games) {
            ratings.widened(games as f64 / distinct as f64)
        } else {
            ratings
        };
        let strikes = self.config.strikes;
        let withdrawn = |agent: &Agent| strikes > 0 && agent.count(Verdict::is_strike) >= strikes;
        let with_names = || self.names.iter().zip(&self.agents);
        let milliseconds = |time: Option<u64>| time.map(|time| time as f64 / 1e3);
        let times = with_names().map(|(name, agent)| MoveTimes {
            agent: name.clone(),
            moves: agent.latency.count(),
            p50_ms: milliseconds(agent.latency.quantile(0.5)),
            p99_ms: milliseconds(agent.latency.quantile(0.99)),
            max_ms: milliseconds(agent.latency.max()),
        });
        let timing = Timing {
            agents: times.collect(),
            replays: replays.into_iter().map(Again::from).collect(),
        };
        let late = |verdict| matches!(verdict, Verdict::Time | Verdict::Hang);
        let meeting = |(&indices, &(score, pairs)): (&[usize; 2], &(Wdl, Pentanomial))| Meeting {
            indices,
            agents: indices.map(|index| self.names[index].clone()),
            games: score.games(),
            score,
            estimate: Estimate::of(&score, &pairs),
            pentanomial: pairs,
            draw_ratio: pairs.draw_ratio(),
            pairs_ratio: pairs.pairs_ratio(),
        };
        Summary {
            players: self.players,
            table: table::table(&self, &ratings, &tables),
            seat_advantage: table::seat_advantage(&self, &ratings),
            ratings,
            meetings: self.meetings.iter().map(meeting).collect(),
            time_losses: self.agents.iter().map(|agent| agent.count(late)).collect(),
            withdrawn: with_names()
                .filter(|(_, agent)| withdrawn(agent))
                .map(|(name, _)| name.clone())
                .collect(),
            distinct_games: self.distinct.len() as u64,
            mean_length: (self.games > 0).then(|| self.plies as f64 / self.games as f64),
            agents: self.names,
            verdicts: self.verdicts,
            overruns: self.overruns,
            deterministic: self.deterministic,
            games: self.games,
            scheduled: Schedule::new(&self.config, self.players).len(),
            timing,
        }
    }
}

impl Summary {
    /// What the games of a store add up to.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of(store: &Store) -> Result<Self, StoreError> {
        let mut tally = Tally::new(store.config());
        store.for_each(|record| {
            tally.add(&record);
            Ok::<_, StoreError>(())
        })?;
        Ok(tally.finish(store.replays()?))
    }

    /// How many games were decided like this.
    pub fn verdict(&self, verdict: Verdict) -> u64 {
        self.verdicts.get(&verdict).copied().unwrap_or_default()
    }

    /// What the games of the agent with this name add up to.
    pub fn row(&self, agent: &str) -> Option<&Row> {
        self.table.iter().find(|row| row.agent == agent)
    }

    /// The games of the only two agents.
    pub fn duel(&self) -> Option<&Meeting> {
        match (&self.agents[..], &self.meetings[..]) {
            ([_, _], [meeting]) => Some(meeting),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
