//! Summary of a tournament: standings, ratings, head-to-head results and conclusion.
//!
//! A [`Tally`] receives the records in the order of their numbers and does not keep them.

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
pub use table::{Order, Row, SeatScore, UncountedGames};

/// Summary of a tournament. All fields except [`timing`](Summary::timing) follow from the games alone.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Summary {
    /// Number of players in a game.
    #[serde(skip)]
    pub players: usize,
    /// Names of the agents, as configured.
    pub agents: Vec<String>,
    /// Standings, the best agent first and withdrawn agents last.
    pub table: Vec<Row>,
    /// Order of the standings.
    pub sorted_by: Order,
    /// Advantage of each seat.
    pub seat_advantage: Vec<SeatAdvantage>,
    /// Head-to-head results of every two agents, from the counted games of two players.
    pub meetings: Vec<Meeting>,
    /// Number of games by verdict.
    #[serde(serialize_with = "verdicts")]
    #[cfg_attr(feature = "openapi", schema(value_type = BTreeMap<String, u64>))]
    pub verdicts: BTreeMap<Verdict, u64>,
    /// Number of games that each agent, as configured, lost because it did not answer in time.
    pub time_losses: Vec<u64>,
    /// Number of moves that were made at random for players whose time ran out.
    pub overruns: u64,
    /// Number of such random moves for each agent, as configured.
    pub agent_overruns: Vec<u64>,
    /// Number of void games, which do not count because this machine was too busy. No other number includes them, except
    /// that of the verdict `host`.
    pub void: u64,
    /// Names of the withdrawn agents.
    pub withdrawn: Vec<String>,
    /// Number of games with a withdrawn agent. They count neither in the standings nor in the ratings. In a match, which
    /// would have no games without them, all games count.
    pub uncounted: u64,
    /// Number of distinct games.
    pub distinct_games: u64,
    /// Number of distinct pairs, by agents, seats and moves.
    pub distinct_pairs: u64,
    /// Status of the sequential test (SPRT), if the match has one.
    pub sprt: Option<SprtStatus>,
    /// Number of games that finished after the test accepted a hypothesis. No other number includes them.
    pub surplus: u64,
    /// Conclusion from the games, in a sentence.
    pub conclusion: Option<String>,
    /// Reasons why the numbers are less reliable than they look.
    pub warnings: Vec<String>,
    /// Mean number of moves per game, including openings and chance outcomes.
    pub mean_length: Option<f64>,
    /// True if no clock affected a move and all agents are deterministic.
    pub deterministic: bool,
    /// Number of games.
    #[serde(skip)]
    pub games: u64,
    /// Ratings of the agents, as configured.
    #[serde(skip)]
    pub ratings: Ratings,
    /// Number of games in the schedule.
    pub scheduled: u64,
    /// Number of games of this store that can still be played.
    pub remaining: u64,
    /// Number of games of this store that are not played because an agent was withdrawn.
    pub cancelled: u64,
    /// Times of moves and reruns, which may differ in another run of the same games.
    pub timing: Timing,
}

/// Advantage of a seat in Elo: over the other seat, or with more than two players over the mean.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SeatAdvantage {
    /// Name of the seat.
    pub seat: String,
    /// Advantage and its error.
    #[serde(flatten)]
    pub elo: Elo,
}

/// Head-to-head results of two agents, for the one that is configured first.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Meeting {
    /// Indices of the two agents.
    #[serde(skip)]
    pub indices: [usize; 2],
    /// Names of the two agents.
    pub agents: [String; 2],
    /// Number of games.
    pub games: u64,
    /// Games won, drawn and lost.
    #[serde(flatten)]
    pub score: Wdl,
    /// Estimate of the difference in strength.
    #[serde(flatten)]
    pub estimate: Estimate,
    /// Complete pairs by their score.
    pub pentanomial: Pentanomial,
    /// Share of pairs that neither side won.
    pub draw_ratio: Option<f64>,
    /// Pairs won per pair lost.
    pub pairs_ratio: Option<f64>,
}

/// Times of moves, and reruns that were the fault of this machine.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Timing {
    /// Times of each agent, as configured.
    pub agents: Vec<MoveTimes>,
    /// Games that were rerun because this machine was at fault.
    pub replays: Vec<Rerun>,
}

/// Times of an agent's moves, in milliseconds; null without moves.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MoveTimes {
    /// Name of the agent.
    pub agent: String,
    /// Number of moves.
    pub moves: u64,
    /// Median time.
    pub p50_ms: Option<f64>,
    /// 99th percentile: 99 % of the moves took no longer.
    pub p99_ms: Option<f64>,
    /// Longest time.
    pub max_ms: Option<f64>,
}

/// Rerun of a game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Rerun {
    /// Number of the game.
    pub id: u64,
    /// Seat from which the machine withheld CPU time.
    pub seat: usize,
    /// Description of the fault.
    pub what: String,
}

impl From<Replay> for Rerun {
    fn from(Replay { id, seat, what }: Replay) -> Self {
        Self { id, seat, what }
    }
}

/// Serialises the count of every verdict, including counts of 0.
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
    /// Games won, drawn and lost, by seat.
    seats: Vec<Wdl>,
    pairs: Pentanomial,
    /// Pairs whose moves differ from those of all earlier pairs.
    distinct: Pentanomial,
    /// Sum of the agent's utilities.
    utilities: f64,
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

    /// Returns the results against all opponents together.
    fn against_all(&self) -> HeadToHead {
        HeadToHead { score: self.total(), pairs: self.pairs, distinct: self.distinct }
    }

    fn add(&mut self, other: &Self) {
        if self.seats.len() < other.seats.len() {
            self.seats.resize(other.seats.len(), Wdl::default());
        }
        self.seats.iter_mut().zip(&other.seats).for_each(|(own, &other)| *own += other);
        self.pairs += other.pairs;
        self.distinct += other.distinct;
        self.utilities += other.utilities;
    }
}

/// Games of the same agents against each other.
#[derive(Clone)]
struct Group {
    /// Number of the group, in the order of first games.
    number: usize,
    games: u64,
    /// Scores of the agents, in the order of their indices.
    scores: Vec<Score>,
    /// Head-to-head results, if the group has two agents.
    met: HeadToHead,
}

impl Group {
    /// Counts a game of two agents. `before` is the previous game if it may be the first of the same pair. Returns this
    /// game if it may be the first game of a pair.
    fn add_game(
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
        // Sort the games of the pair by the seat of the agent that is configured first.
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

/// Results of all agents, with the games of excluded agents kept apart.
struct Sums {
    /// Score of each agent in counted games.
    scores: Vec<Score>,
    /// Score of each agent in games that do not count.
    uncounted: Vec<Score>,
    /// Head-to-head results in counted games, by the indices of the two agents.
    meetings: BTreeMap<[usize; 2], HeadToHead>,
    /// Number of counted games.
    games: u64,
    /// Number of distinct games among them.
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

/// Results of two agents against each other, for the one that is configured first.
#[derive(Clone, Copy, Default)]
struct HeadToHead {
    score: Wdl,
    pairs: Pentanomial,
    /// Pairs whose moves differ from those of all earlier pairs.
    distinct: Pentanomial,
}

/// First game of a pair, before its second game is added.
#[derive(Clone, Copy)]
struct Half {
    pair: u64,
    agents: [usize; 2],
    /// Result of the first of the two agents.
    result: GameResult,
    fingerprint: u64,
}

/// Sum of the games of a tournament, from which a [`Summary`] is made.
#[derive(Clone)]
pub struct Tally {
    config: TournamentSpec,
    names: Vec<String>,
    players: usize,
    agents: Vec<Agent>,
    /// Games by the sorted indices of their agents.
    groups: BTreeMap<Vec<usize>, Group>,
    withdrawals: Withdrawals,
    half: Option<Half>,
    /// Agents and fingerprints of the pairs seen, with the games sorted by the seat of the first agent.
    seen_pairs: HashSet<([usize; 2], [u64; 2])>,
    sequential: Option<SequentialTest>,
    surplus: u64,
    void: u64,
    verdicts: BTreeMap<Verdict, u64>,
    /// Number of the group and fingerprint of every game. The moves themselves would take too much memory.
    distinct: HashSet<(usize, u64)>,
    games: u64,
    plies: u64,
    overruns: u64,
    deterministic: bool,
    strength: strength::Strength,
    /// Indices and given ratings of the anchors.
    anchors: Vec<(usize, f64)>,
}

impl Tally {
    /// Creates a tally without games.
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

    /// Returns true if a game comes after the pair with which the SPRT accepted a hypothesis. Call it before the game is
    /// added.
    pub fn is_surplus(&self, record: &Record) -> bool {
        self.sequential.as_ref().is_some_and(|test| test.is_surplus(record.pair))
    }

    /// Fixes the ratings of the anchors. Without anchors, the ratings of a gauntlet are relative to the first agent, others
    /// to their mean.
    ///
    /// # Errors
    /// If an anchor does not take part, has two ratings, or has one out of range.
    pub fn anchored(mut self, anchors: &[Anchor]) -> Result<Self, AnchorError> {
        if !anchors.is_empty() {
            self.anchors = anchors::look_up(anchors, &self.config)?;
        }
        Ok(self)
    }

    /// Adds a game. Its number must be larger than the numbers of all games before.
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
            self.deterministic = false; // on an idle machine it would have a result
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
            met: HeadToHead::default(),
        });
        group.games += 1;
        self.distinct.insert((group.number, fingerprint));
        for (seat, &index) in record.seats.iter().enumerate() {
            let place = record.seats.iter().filter(|&&other| other < index).count();
            let score = &mut group.scores[place];
            score.seats[seat].add(record.result(seat));
            score.utilities += record.utilities[seat];
        }
        if let [a, b] = record.seats[..] {
            let half = self.half.take();
            self.half = group.add_game([a, b], record, fingerprint, half, &mut self.seen_pairs);
        }
    }

    /// Returns the summary of the games, with these reruns.
    pub fn finish(self, replays: Vec<Replay>) -> Summary {
        let is_withdrawn: Vec<bool> =
            (0..self.names.len()).map(|agent| self.withdrawals.is_withdrawn(agent)).collect();
        // In a match every agent plays every game. Excluding the games of a withdrawn agent would leave none.
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
        let ratings = if self.config.format.is_paired_by_results() {
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
            replays: replays.into_iter().map(Rerun::from).collect(),
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
                Evidence::of_meeting(&sums.scores[agent].against_all(), repetitive)
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
    /// Returns the summary of a store.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn of(store: &Store) -> Result<Self, StoreError> {
        let mut tally = Tally::new(store.spec());
        store.for_each(|record| {
            tally.add(&record);
            Ok::<_, StoreError>(())
        })?;
        Ok(tally.finish(store.replays()?))
    }

    /// Returns the number of games with a verdict.
    pub fn verdict(&self, verdict: Verdict) -> u64 {
        self.verdicts.get(&verdict).copied().unwrap_or_default()
    }

    /// Returns the row of the agent with this name.
    pub fn row(&self, agent: &str) -> Option<&Row> {
        self.table.iter().find(|row| row.agent == agent)
    }

    /// Returns the head-to-head results of a tournament of two agents.
    pub fn duel(&self) -> Option<&Meeting> {
        match (&self.agents[..], &self.meetings[..]) {
            ([_, _], [meeting]) => Some(meeting),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
