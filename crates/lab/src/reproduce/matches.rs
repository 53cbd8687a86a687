//! Published results of games, played again.

use tussle_core::{Limits, Rng, Turn};
use tussle_stats::Wdl;

use super::claims::{Claim, Count, Effort, Match, OrderClaim, Pair, PublishedValue, TimedGames};
use super::proportion::Proportion;
use super::result::{Measurement, ReproductionResult, Row};
use super::verdict;
use crate::{Duel, ExperimentContext, Result};

/// Share that is the opposite of every claim.
const EVEN: f64 = 0.5;

/// Results of the first agent on one board, by seat.
#[derive(Clone, Copy, Debug)]
struct Score {
    board: usize,
    seats: [Wdl; 2],
    /// Number of games that differ from all earlier ones, by seat.
    distinct: [u64; 2],
}

/// Scores of a pair of agents.
#[derive(Debug, Default)]
pub(super) struct PairScores {
    /// By name of the effort.
    efforts: Vec<(String, Vec<Score>)>,
    beyond: Vec<(String, Vec<Score>)>,
    timed: Vec<Score>,
}

impl Match {
    /// Returns an estimate of the time of all games without a time control, one at a time.
    pub(super) fn effort_ms(&self, is_quick: bool) -> u64 {
        let boards = self.boards.len() as u64;
        let all = self.efforts.iter().chain(&self.beyond);
        all.map(|effort| effort.games(is_quick) * effort.ms * boards).sum()
    }

    /// Returns an estimate of the time of all games at the published time, one at a time.
    pub(super) fn timed_ms(&self, is_quick: bool) -> u64 {
        let Some(timed) = &self.timed else { return 0 };
        let games = timed.games(is_quick).iter().zip(&timed.seconds);
        games.map(|(games, seconds)| games * (seconds * 1000.0) as u64).sum()
    }

    /// Plays all games of a pair that the cache does not have.
    pub(super) fn play(
        &self,
        pair: &Pair,
        context: &mut ExperimentContext<'_>,
        timed_jobs: usize,
        out: &mut ReproductionResult,
    ) -> Result<PairScores> {
        let mut scores = PairScores::default();
        for effort in &self.efforts {
            scores.efforts.push((effort.name.clone(), self.at_effort(pair, effort, context, out)?));
        }
        for effort in &self.beyond {
            scores.beyond.push((effort.name.clone(), self.at_effort(pair, effort, context, out)?));
        }
        if let Some(timed) = &self.timed {
            context.timed_jobs = timed_jobs;
            scores.timed = self.at_time(pair, timed, context, out)?;
        }
        Ok(scores)
    }

    fn at_effort(
        &self,
        pair: &Pair,
        effort: &Effort,
        context: &mut ExperimentContext<'_>,
        out: &mut ReproductionResult,
    ) -> Result<Vec<Score>> {
        let (games, agents) = (effort.games(context.is_quick), effort.agents(pair));
        let mut scores = Vec::new();
        let mut leaves = [Vec::new(), Vec::new()];
        for (board, game) in self.boards.iter().enumerate() {
            let duel = pair.duel(game, &agents, games, context.seed);
            scores.push(pair.score(board, &duel, context, effort.ms)?);
            for (all, one) in leaves.iter_mut().zip(leaves_per_move(game, &agents, context)?) {
                all.push(one);
            }
        }
        let on = if self.boards.len() == 1 { "" } else { " on each board" };
        let mut line = format!("{}: {games} games{on}, {} v {}", effort.name, agents[0], agents[1]);
        if let [Some(first), Some(second)] = leaves.map(|leaves| range(&leaves)) {
            line += &format!("; leaves a move: {first} and {second}");
        }
        out.effort.push(line);
        Ok(scores)
    }

    fn at_time(
        &self,
        pair: &Pair,
        timed: &TimedGames,
        context: &mut ExperimentContext<'_>,
        out: &mut ReproductionResult,
    ) -> Result<Vec<Score>> {
        let mut scores = Vec::new();
        let (mut played, mut left_out) = (Vec::new(), Vec::new());
        for (board, game) in self.boards.iter().enumerate() {
            let number = |games: &[u64]| games.get(board).copied().unwrap_or(0);
            let (games, most) = (number(timed.games(context.is_quick)), number(&timed.full));
            if games < most {
                let name = game.rsplit_once(':').map_or(game.as_str(), |(_, board)| board);
                left_out.push(format!("{games} of {most} games on {name}"));
            }
            if games > 0 {
                let mut duel = pair.duel(game, &pair.agents, games, context.seed);
                duel.clock = Some(timed.clock.clone());
                let ms = timed.seconds.get(board).map_or(0, |s| (s * 1000.0) as u64);
                scores.push(pair.score(board, &duel, context, ms)?);
                played.push(games.to_string());
            }
        }
        let (clock, [first, second]) = (&timed.clock, &pair.agents);
        if !played.is_empty() {
            let games = played.join(" + ");
            out.effort
                .push(format!("at the published time, {clock}: {games} games, {first} v {second}"));
        }
        if !left_out.is_empty() {
            let ([a, b], left_out) = (&pair.names, left_out.join(", "));
            out.left_out.push(format!(
                "{a} v {b} at the published time, {clock}, is cut down here: {left_out}. All of it: tussle reproduce {} --full",
                out.name
            ));
        }
        Ok(scores)
    }
}

impl Pair {
    fn duel(&self, game: &str, [first, second]: &[String; 2], games: u64, seed: u64) -> Duel {
        let [a, b] = &self.names;
        Duel::new(game, [(a, first), (b, second)], games, seed)
    }

    fn score(
        &self,
        board: usize,
        duel: &Duel,
        context: &mut ExperimentContext<'_>,
        ms: u64,
    ) -> Result<Score> {
        let summary = duel.play(context, ms)?;
        let row = summary.row(&self.names[0]);
        let seat = |seat: usize| row.and_then(|row| row.seats.get(seat)).map(|seat| seat.score);
        let seats = [0, 1].map(|number| seat(number).unwrap_or_default());
        // Games on different seats are different: about half of them are of each.
        let half = summary.distinct_games.div_ceil(2);
        let distinct = seats.map(|wdl: Wdl| half.min(wdl.games()));
        Ok(Score { board, seats, distinct })
    }
}

impl PairScores {
    /// Returns all scores at the published effort.
    fn at_effort(&self) -> Vec<Score> {
        self.efforts.iter().flat_map(|(_, scores)| scores).copied().collect()
    }
}

impl Claim {
    fn proportion(&self, scores: &[Score]) -> Proportion {
        let on = |score: &&Score| self.boards.is_empty() || self.boards.contains(&score.board);
        let seats = scores.iter().filter(on).flat_map(|score| {
            let seats = [0, 1].into_iter();
            seats
                .filter(|seat| self.seat.is_none_or(|wanted| wanted == *seat))
                .map(|seat| score.proportion(seat, self.count))
        });
        seats.fold(Proportion::default(), Proportion::plus)
    }

    /// Compares the published number with ours; the table has `tests` rows with a significance test.
    pub(super) fn row(&self, scores: &PairScores, tests: usize) -> Row {
        let ours = self.proportion(&scores.at_effort());
        let (published, judgement) = match &self.published {
            Some(PublishedValue::Share([hits, of])) => {
                let published = Proportion::new(*hits, *of);
                let judgement = verdict::shares(published, ours, EVEN, tests);
                (Measurement::Share(published), judgement)
            }
            Some(PublishedValue::Words { words, at_least }) => {
                let judgement = verdict::stated(*at_least, ours);
                (Measurement::AtLeast(words.clone(), *at_least), judgement)
            }
            None => (Measurement::Words("no number".to_owned()), verdict::unpublished()),
        };
        let mut row = Row::new(&self.what, published, Measurement::Share(ours), judgement);
        let timed = self.proportion(&scores.timed);
        row.at_time = (timed.of > 0).then_some(Measurement::Share(timed));
        // Efforts that are counted together are also shown one by one, but not for single games.
        let has_parts = scores.efforts.len() > 1 && self.seat.is_none();
        let parts = scores.efforts.iter().filter(|_| has_parts);
        row.beyond = parts
            .chain(&scores.beyond)
            .map(|(name, scores)| (name.clone(), Measurement::Share(self.proportion(scores))))
            .collect();
        row
    }
}

impl Score {
    fn proportion(&self, seat: usize, count: Count) -> Proportion {
        let wdl = self.seats[seat];
        let hits = match count {
            Count::Wins => wdl.wins,
            Count::Losses => wdl.losses,
            Count::Ties => wdl.draws,
        };
        Proportion { hits, of: wdl.games(), distinct: self.distinct[seat] }
    }
}

impl OrderClaim {
    /// Compares the published comparison with ours.
    pub(super) fn row(&self, scores: &[PairScores], tests: usize) -> Row {
        let wins = |scores: &[Score]| {
            let seats =
                scores.iter().flat_map(|score| [0, 1].map(|s| score.proportion(s, Count::Wins)));
            seats.fold(Proportion::default(), Proportion::plus)
        };
        let of = |pair: usize| scores.get(pair).map(PairScores::at_effort).unwrap_or_default();
        let ours = self.pairs.map(|pair| wins(&of(pair)));
        let published = self.published.map(|[hits, of]| Proportion::new(hits, of));
        let judgement = verdict::better(published, ours, tests);
        Row::new(&self.what, Measurement::Pair(published), Measurement::Pair(ours), judgement)
    }
}

/// Returns the mean numbers of leaves per move of both agents in one game.
fn leaves_per_move(
    game: &str,
    agents: &[String; 2],
    context: &mut ExperimentContext<'_>,
) -> Result<[f64; 2]> {
    let seed = context.seed;
    let key = format!("leaves {game} {} {} {seed}", agents[0], agents[1]);
    context.measure(&key, 0, "", |stop| {
        let game = tussle_catalog::game(game)?;
        let mut players =
            [game.agent(&agents[0], seed)?, game.agent(&agents[1], seed.wrapping_add(1))?];
        let limits = Limits::none().or_stop(stop);
        let (mut position, mut rng) = (game.start(), Rng::derive(seed, &[]));
        let mut spent = [(0, 0); 2];
        loop {
            match position.turn() {
                Turn::Over => break,
                Turn::Chance => position.play(&position.roll(&mut rng).unwrap_or_default())?,
                Turn::Player(player) => {
                    // Only moves count for which there was a choice.
                    let has_choice = position.moves().len() > 1;
                    let report = players[player].choose(position.as_ref(), &limits)?;
                    if has_choice {
                        spent[player].0 += report.stats.leaves.max(report.stats.playouts);
                        spent[player].1 += 1;
                    }
                    let Some(best) = report.best() else { break };
                    position.play(best)?;
                }
            }
        }
        Ok(spent.map(|(leaves, moves)| leaves as f64 / f64::from(moves.max(1))))
    })
}

/// Writes the range of the numbers of leaves; `None` for agents that do not search.
fn range(leaves: &[f64]) -> Option<String> {
    let least = leaves.iter().copied().fold(f64::INFINITY, f64::min);
    let most = leaves.iter().copied().fold(0.0, f64::max);
    match (least.round(), most.round()) {
        (_, most) if most <= 1.0 => None,
        (least, most) if least == most => Some(format!("{most}")),
        (least, most) => Some(format!("{least} to {most}")),
    }
}
