//! What the games of a tournament add up to.
//!
//! Records are told one after another in the order of their numbers; none is kept.

mod anchors;
mod conclusion;
mod evidence;
mod pool;
mod strength;
mod table;

use std::collections::{BTreeMap, HashSet};

use serde::{Serialize, Serializer};
use tussle_engine::Verdict;
use tussle_stats::{
    Elo, Estimate, GameResult, LatencyHistogram, Pentanomial, Ratings, SequentialTest, SprtStatus,
    Wdl, is_repetitive,
};

use crate::{Outlook, Record, Replay, Schedule, Store, StoreError, TournamentSpec, Withdrawals};

use evidence::Evidence;

pub use anchors::{Anchor, AnchorError};
pub use table::{Order, Row, SeatScore, Uncounted};

/// What the games of a tournament add up to. Everything in it but [`timing`](Summary::timing) follows from
/// the games alone.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Summary {
    /// How many players a game has.
    #[serde(skip)]
    pub players: usize,
    /// The agents' names, as configured.
    pub agents: Vec<String>,
    /// The standing, the best first and withdrawn agents last.
    pub table: Vec<Row>,
    /// What the standing is sorted by.
    pub sorted_by: Order,
    /// What the seats are worth.
    pub seat_advantage: Vec<SeatAdvantage>,
    /// Who met whom, in games of two that count.
    pub meetings: Vec<Meeting>,
    /// How many games were decided how.
    #[serde(serialize_with = "verdicts")]
    #[cfg_attr(feature = "openapi", schema(value_type = BTreeMap<String, u64>))]
    pub verdicts: BTreeMap<Verdict, u64>,
    /// By agent as configured, how many games it lost because it did not answer in time.
    pub time_losses: Vec<u64>,
    /// Moves made at random for players whose time had run out.
    pub overruns: u64,
    /// Moves made at random by agent, as configured.
    pub agent_overruns: Vec<u64>,
    /// Games that do not count, because this machine was too busy for the clock. They are in no other number but that
    /// of the verdict `host`.
    pub void: u64,
    /// Agents that were withdrawn because of their faults.
    pub withdrawn: Vec<String>,
    /// Number of games that a withdrawn agent played, which count neither in the standing nor in
    /// ratings. In a match, where no agent is left to be compared, all games count.
    pub uncounted: u64,
    /// How many different games were played.
    pub distinct_games: u64,
    /// How many different pairs were played, each by the same two on the same seats.
    pub distinct_pairs: u64,
    /// Status of the sequential test that ends the match, if there is one.
    pub sprt: Option<SprtStatus>,
    /// Games after the test had its answer. They count nowhere else.
    pub surplus: u64,
    /// What their games show, in a sentence.
    pub conclusion: Option<String>,
    /// What makes the numbers worth less than they look.
    pub warnings: Vec<String>,
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
    /// Number of games of this store that can still be played.
    pub remaining: u64,
    /// Number of games of this store that are not played because an agent was withdrawn.
    pub cancelled: u64,
    /// What another run of the same games may change.
    pub timing: Timing,
}

/// What a seat is worth in Elo: of two against the other, of more against their mean.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SeatAdvantage {
    /// The seat's name.
    pub seat: String,
    /// How much, plus or minus.
    #[serde(flatten)]
    pub elo: Elo,
}

/// Two agents who met, the first configured first, and the games seen by it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Timing {
    /// By agent as configured.
    pub agents: Vec<MoveTimes>,
    /// Games that were played again because this machine was late.
    pub replays: Vec<Again>,
}

/// How long an agent took for its moves, in milliseconds; none without moves.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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

/// Faults and move times of one agent, in all of its games.
#[derive(Clone, Default)]
struct Agent {
    verdicts: BTreeMap<Verdict, u64>,
    overruns: u64,
    latency: LatencyHistogram,
}

impl Agent {
    fn count(&self, counts: impl Fn(Verdict) -> bool) -> u64 {
        self.verdicts.iter().filter(|(verdict, _)| counts(**verdict)).map(|(_, n)| n).sum()
    }
}

/// Results of one agent.
#[derive(Clone, Default)]
struct Score {
    /// By seat.
    seats: Vec<Wdl>,
    pairs: Pentanomial,
    /// Those that were not played before, move by move.
    distinct: Pentanomial,
    /// What the games were worth to it, where more than two play.
    worth: f64,
}

impl Score {
    fn games(&self) -> u64 {
        self.seats.iter().map(Wdl::games).sum()
    }

    fn total(&self) -> Wdl {
        let mut total = Wdl::default();
        self.seats.iter().for_each(|&seat| total += seat);
        total
    }

    /// Its games as those of two, the other of whom is anybody.
    fn met(&self) -> Met {
        Met { score: self.total(), pairs: self.pairs, distinct: self.distinct }
    }

    fn add(&mut self, other: &Self) {
        if self.seats.len() < other.seats.len() {
            self.seats.resize(other.seats.len(), Wdl::default());
        }
        self.seats.iter_mut().zip(&other.seats).for_each(|(own, &other)| *own += other);
        self.pairs += other.pairs;
        self.distinct += other.distinct;
        self.worth += other.worth;
    }
}

/// Games of the same agents against each other.
#[derive(Clone)]
struct Group {
    /// Its place in the order of first games.
    number: usize,
    games: u64,
    /// By agent, in the order of their numbers.
    scores: Vec<Score>,
    /// Of two agents.
    met: Met,
}

impl Group {
    /// Counts the game of two agents against each other. `before` is the game before it, if that
    /// may be the first of its pair; returns this game if it may be.
    fn meet(
        &mut self,
        [a, b]: [usize; 2],
        record: &Record,
        fingerprint: u64,
        before: Option<Half>,
        seen_pairs: &mut HashSet<([usize; 2], [u64; 2])>,
    ) -> Option<Half> {
        let agents = [a.min(b), a.max(b)];
        let result = record.result(usize::from(a > b));
        self.met.score.add(result);
        let Some(before) =
            before.filter(|before| before.pair == record.pair && before.agents == agents)
        else {
            return Some(Half { pair: record.pair, agents, result, fingerprint });
        };
        let mut fingerprints = [before.fingerprint, fingerprint];
        // This is the second game; if the first of the two sat first in it, it is turned.
        if a < b {
            fingerprints.reverse();
        }
        let mut one = Pentanomial::default();
        one.add([before.result, result]);
        let is_new = seen_pairs.insert((agents, fingerprints));
        let new = if is_new { one } else { Pentanomial::default() };
        self.met.pairs += one;
        self.met.distinct += new;
        if let [first, second] = &mut self.scores[..] {
            first.pairs += one;
            first.distinct += new;
            second.pairs += one.reversed();
            second.distinct += new.reversed();
        }
        None
    }
}

/// Results of all agents, without the games of some.
struct Sums {
    /// By agent, in games that count.
    scores: Vec<Score>,
    /// By agent, in games that do not.
    uncounted: Vec<Score>,
    /// By the two that met, in games that count.
    meetings: BTreeMap<[usize; 2], Met>,
    /// Number of games that count.
    games: u64,
    /// Number of distinct ones among them.
    distinct: u64,
}

impl Sums {
    fn of(tally: &Tally, is_left_out: &[bool]) -> Self {
        let none = || vec![Score::default(); is_left_out.len()];
        let mut sums = Self {
            scores: none(),
            uncounted: none(),
            meetings: BTreeMap::new(),
            games: 0,
            distinct: 0,
        };
        let mut counts = vec![true; tally.groups.len()];
        for (agents, group) in &tally.groups {
            let is_counted = !agents.iter().any(|&agent| is_left_out[agent]);
            counts[group.number] = is_counted;
            let scores = if is_counted { &mut sums.scores } else { &mut sums.uncounted };
            for (&agent, score) in agents.iter().zip(&group.scores) {
                scores[agent].add(score);
            }
            if !is_counted {
                continue;
            }
            sums.games += group.games;
            if let &[a, b] = &agents[..] {
                sums.meetings.insert([a, b], group.met);
            }
        }
        let counted = tally.distinct.iter().filter(|(group, _)| counts[*group]);
        sums.distinct = counted.map(|(_, game)| game).collect::<HashSet<_>>().len() as u64;
        sums
    }
}

/// What the games of two agents against each other add up to, seen by the one configured first.
#[derive(Clone, Copy, Default)]
struct Met {
    score: Wdl,
    pairs: Pentanomial,
    /// Those that were not played before, move by move.
    distinct: Pentanomial,
}

/// The first game of a pair whose second is to come.
#[derive(Clone, Copy)]
struct Half {
    pair: u64,
    agents: [usize; 2],
    /// Result for the first of them.
    result: GameResult,
    fingerprint: u64,
}

/// Adds games up.
#[derive(Clone)]
pub struct Tally {
    config: TournamentSpec,
    names: Vec<String>,
    players: usize,
    agents: Vec<Agent>,
    /// By agents, in the order of their numbers.
    groups: BTreeMap<Vec<usize>, Group>,
    withdrawals: Withdrawals,
    half: Option<Half>,
    /// Who played, and the two games by the seat of the first of them.
    seen_pairs: HashSet<([usize; 2], [u64; 2])>,
    sequential: Option<SequentialTest>,
    surplus: u64,
    void: u64,
    verdicts: BTreeMap<Verdict, u64>,
    /// Number of the group and fingerprint of every game. One in 2^64 games is taken for another;
    /// the moves themselves would fill the memory.
    distinct: HashSet<(usize, u64)>,
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
    pub fn new(config: &TournamentSpec) -> Self {
        Self {
            names: config.agents.iter().map(|agent| agent.name.clone()).collect(),
            config: config.clone(),
            players: config.players,
            agents: vec![Agent::default(); config.agents.len()],
            groups: BTreeMap::new(),
            withdrawals: Withdrawals::new(config),
            half: None,
            seen_pairs: HashSet::new(),
            sequential: config.sprt.map(SequentialTest::new),
            surplus: 0,
            void: 0,
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

    /// Whether a game comes after the answer of the test that ends the match; ask before it is
    /// added.
    pub fn is_surplus(&self, record: &Record) -> bool {
        self.sequential.as_ref().is_some_and(|test| test.is_surplus(record.pair))
    }

    /// The same with ratings that are given; without any, those of gauntlets are relative to the
    /// first agent, others to their mean.
    ///
    /// # Errors
    /// If somebody does not take part.
    pub fn anchored(mut self, anchors: &[Anchor]) -> Result<Self, AnchorError> {
        if !anchors.is_empty() {
            self.anchors = anchors::look_up(anchors, &self.config)?;
        }
        Ok(self)
    }

    /// Counts one game more; its number must be larger than those before.
    pub fn add(&mut self, record: &Record) {
        self.players = record.seats.len();
        let is_surplus = self.is_surplus(record);
        if let Some(test) = self.sequential.as_mut().filter(|_| record.seats.len() == 2)
            && let Some(game) = record.paired_game()
        {
            test.add(game);
        }
        self.withdrawals.add(record);
        if record.is_void() {
            self.void += 1;
            self.deterministic = false; // on an idle machine it would have been decided
            *self.verdicts.entry(record.verdict).or_default() += 1;
            return;
        }
        for note in &record.notes {
            if let Some(&index) = note.seat.and_then(|seat| record.seats.get(seat)) {
                self.agents[index].latency.add(note.used);
            }
        }
        if let Some(seat) = record.culprit.filter(|_| record.late > 0) {
            self.agents[record.seats[seat]].latency.add(record.late);
        }
        if is_surplus {
            self.surplus += 1;
            return;
        }
        for seat in record.notes.iter().filter(|note| note.overrun).filter_map(|note| note.seat) {
            if let Some(&index) = record.seats.get(seat) {
                self.agents[index].overruns += 1;
            }
        }
        self.games += 1;
        self.plies += record.moves.len() as u64;
        self.overruns += record.overruns;
        self.deterministic &= record.deterministic;
        *self.verdicts.entry(record.verdict).or_default() += 1;
        let fingerprint = record.fingerprint();
        self.strength.add(record, fingerprint);
        if let Some(seat) = record.culprit {
            *self.agents[record.seats[seat]].verdicts.entry(record.verdict).or_default() += 1;
        }
        let mut agents = record.seats.clone();
        agents.sort_unstable();
        let number = self.groups.len();
        let group = self.groups.entry(agents).or_insert_with_key(|agents| Group {
            number,
            games: 0,
            scores: vec![
                Score { seats: vec![Wdl::default(); agents.len()], ..Score::default() };
                agents.len()
            ],
            met: Met::default(),
        });
        group.games += 1;
        self.distinct.insert((group.number, fingerprint));
        for (seat, &index) in record.seats.iter().enumerate() {
            let place = record.seats.iter().filter(|&&other| other < index).count();
            let score = &mut group.scores[place];
            score.seats[seat].add(record.result(seat));
            score.worth += record.utilities[seat];
        }
        if let [a, b] = record.seats[..] {
            let half = self.half.take();
            self.half = group.meet([a, b], record, fingerprint, half, &mut self.seen_pairs);
        }
    }

    /// What it all adds up to.
    pub fn finish(self, replays: Vec<Replay>) -> Summary {
        let is_withdrawn: Vec<bool> =
            (0..self.names.len()).map(|agent| self.withdrawals.is_withdrawn(agent)).collect();
        // In a match everybody plays every game: without those of withdrawn agents none is left.
        let is_match = self.names.len() <= self.players;
        let is_left_out: Vec<bool> =
            is_withdrawn.iter().map(|&withdrawn| withdrawn && !is_match).collect();
        let sums = Sums::of(&self, &is_left_out);
        let distinct_games =
            self.distinct.iter().map(|(_, game)| game).collect::<HashSet<_>>().len() as u64;
        let repetitive = is_repetitive(sums.distinct, sums.games);
        let (pool, tables) = self.strength.clone().finish(repetitive, &is_left_out);
        let anchors: Vec<(usize, f64)> =
            self.anchors.iter().copied().filter(|(agent, _)| !is_left_out[*agent]).collect();
        let ratings = if self.config.format.is_drawn() {
            pool.rate_with_population_prior(&anchors)
        } else {
            pool.rate(&anchors)
        };
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
        let meetings: Vec<Meeting> = (sums.meetings.iter())
            .map(|(&indices, met)| Meeting {
                indices,
                agents: indices.map(|index| self.names[index].clone()),
                games: met.score.games(),
                score: met.score,
                estimate: Evidence::of_meeting(met, repetitive).estimate(),
                pentanomial: met.pairs,
                draw_ratio: met.pairs.draw_ratio(),
                pairs_ratio: met.pairs.pairs_ratio(),
            })
            .collect();
        let sprt = self.sequential.as_ref().map(SequentialTest::status);
        let (table, sorted_by) =
            table::table(&self, &sums, &ratings, &tables, &is_withdrawn, repetitive);
        let conclusion = match (&self.agents[..], &meetings[..]) {
            _ if is_match && is_withdrawn.contains(&true) => {
                Some(conclusion::withdrawn(&self, &table))
            }
            ([_, _], [meeting]) => {
                let tested =
                    sprt.as_ref().and_then(|test| conclusion::tested(&meeting.agents, test));
                Some(tested.unwrap_or_else(|| {
                    let met = &sums.meetings[&meeting.indices];
                    let evidence = Evidence::of_meeting(met, repetitive);
                    conclusion::sentence(meeting, &evidence, distinct_games)
                }))
            }
            _ => pool::sentence(&table, &ratings, |agent| {
                Evidence::of_meeting(&sums.scores[agent].met(), repetitive)
            }),
        };
        let mut warnings = evidence::warnings(&self, &sums, repetitive);
        warnings.extend(anchors::unused(&self, &is_left_out));
        let Outlook { remaining, cancelled, .. } = self.withdrawals.outlook();
        Summary {
            players: self.players,
            table,
            sorted_by,
            seat_advantage: table::seat_advantage(self.players, sums.games > 0, &ratings),
            ratings,
            meetings,
            distinct_pairs: self.seen_pairs.len() as u64,
            sprt,
            surplus: self.surplus,
            conclusion,
            warnings,
            time_losses: self.agents.iter().map(|agent| agent.count(late)).collect(),
            withdrawn: (self.names.iter().zip(&is_withdrawn))
                .filter(|(_, withdrawn)| **withdrawn)
                .map(|(name, _)| name.clone())
                .collect(),
            uncounted: self.games - sums.games,
            distinct_games,
            mean_length: (self.games > 0).then(|| self.plies as f64 / self.games as f64),
            agents: self.names,
            verdicts: self.verdicts,
            agent_overruns: self.agents.iter().map(|agent| agent.overruns).collect(),
            void: self.void,
            overruns: self.overruns,
            deterministic: self.deterministic,
            games: self.games,
            scheduled: Schedule::new(&self.config, self.players).len(),
            remaining,
            cancelled,
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
        let mut tally = Tally::new(store.spec());
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
