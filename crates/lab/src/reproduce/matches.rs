//! Published results of games, played again.

use tussle_core::{Limits, Rng, TimeControl, Turn};
use tussle_stats::Wdl;

use super::verdict::{self, Counted};
use super::{Reproduced, Row, Told};
use crate::{Bench, Duel, LabError};

/// Games of two agents on one or several boards.
#[derive(Debug)]
pub(crate) struct Match {
    /// Specs of the game, one for each board.
    pub boards: &'static [&'static str],
    /// Names of the two.
    pub names: [&'static str; 2],
    /// The published effort; the verdict is about all of these together.
    pub efforts: &'static [Effort],
    /// Other efforts, for comparison.
    pub beyond: &'static [Effort],
    /// The published time.
    pub timed: Option<Timed>,
    /// What was published.
    pub claims: &'static [Claim],
}

/// What the two may spend on a move.
#[derive(Debug)]
pub(crate) struct Effort {
    /// In words.
    pub what: &'static str,
    /// Their specs.
    pub agents: [&'static str; 2],
    /// Games on each board, quickly and in full.
    pub games: [u64; 2],
    /// About how many milliseconds a game takes.
    pub millis: u64,
}

/// The published time.
#[derive(Debug)]
pub(crate) struct Timed {
    /// The clock.
    pub clock: TimeControl,
    /// Specs of the two.
    pub agents: [&'static str; 2],
    /// Games for each board, quickly.
    pub quick: &'static [u64],
    /// Games for each board, in full.
    pub full: &'static [u64],
    /// About how many seconds a game takes on each board.
    pub seconds: &'static [f64],
}

/// A published number.
#[derive(Debug)]
pub(crate) struct Claim {
    /// What it is.
    pub what: &'static str,
    /// The boards it is about; all if there are none.
    pub boards: &'static [usize],
    /// The seat of the first of the two; both if none.
    pub seat: Option<usize>,
    /// What is counted.
    pub count: Count,
    /// What was published.
    pub published: Published,
}

/// What is counted.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Count {
    /// Games won by the first of the two.
    Wins,
    /// Games won by the second.
    Losses,
    /// Games nobody won.
    Ties,
}

/// What was published.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Published {
    /// So many of so many; the opposite of the claim is a share of `against`.
    Share {
        /// The sample.
        counted: Counted,
        /// The opposite of the claim.
        against: f64,
    },
    /// Words, and the least share that fits them: our reading.
    AtLeast(&'static str, f64),
    /// No number.
    Nothing,
}

/// The claim that the first share of one match is above that of another.
#[derive(Debug)]
pub(crate) struct Better {
    /// What it says.
    pub what: &'static str,
    /// The two matches among those of the reproduction.
    pub matches: [usize; 2],
    /// What was published.
    pub published: [Counted; 2],
}

/// Results of the first of the two on one board, by seat.
#[derive(Clone, Copy, Debug)]
struct Score {
    board: usize,
    seats: [Wdl; 2],
    /// By seat, how many games were not played before, move by move.
    distinct: [u64; 2],
}

/// All games of a match.
#[derive(Debug, Default)]
pub(crate) struct Played {
    /// By effort.
    efforts: Vec<(&'static str, Vec<Score>)>,
    beyond: Vec<(&'static str, Vec<Score>)>,
    timed: Vec<Score>,
}

impl Match {
    /// About how long the games without a clock take, one at a time.
    pub(super) fn effort_millis(&self, is_quick: bool) -> u64 {
        let boards = self.boards.len() as u64;
        let all = self.efforts.iter().chain(self.beyond);
        all.map(|effort| effort.games(is_quick) * effort.millis * boards).sum()
    }

    /// About how long the games at the published time take, one at a time.
    pub(super) fn timed_millis(&self, is_quick: bool) -> u64 {
        let Some(timed) = &self.timed else { return 0 };
        let games = timed.games(is_quick).iter().zip(timed.seconds);
        games.map(|(games, seconds)| games * (seconds * 1000.0) as u64).sum()
    }

    /// Plays all games that the bench does not remember.
    pub(super) fn play(
        &self,
        bench: &mut Bench<'_>,
        timed_jobs: usize,
        out: &mut Reproduced,
    ) -> Result<Played, LabError> {
        let mut played = Played::default();
        for effort in self.efforts {
            played.efforts.push((effort.what, self.at(effort, bench, out)?));
        }
        for effort in self.beyond {
            played.beyond.push((effort.what, self.at(effort, bench, out)?));
        }
        if let Some(timed) = &self.timed {
            bench.timed_jobs = timed_jobs;
            played.timed = self.timed(timed, bench, out)?;
        }
        Ok(played)
    }

    fn at(
        &self,
        effort: &Effort,
        bench: &mut Bench<'_>,
        out: &mut Reproduced,
    ) -> Result<Vec<Score>, LabError> {
        let games = effort.games(bench.is_quick);
        let mut scores = Vec::new();
        let mut leaves = [Vec::new(), Vec::new()];
        for (board, game) in self.boards.iter().enumerate() {
            let duel = self.duel(game, effort.agents, games, bench.seed);
            scores.push(self.score(board, &duel, bench, effort.millis)?);
            for (all, one) in leaves.iter_mut().zip(cost(game, effort.agents, bench)?) {
                all.push(one);
            }
        }
        let on = if self.boards.len() == 1 { "" } else { " on each board" };
        let mut line = format!(
            "{}: {games} games{on}, {} v {}",
            effort.what, effort.agents[0], effort.agents[1]
        );
        let [first, second] = leaves.map(|leaves| range(&leaves));
        if let (Some(first), Some(second)) = (&first, &second) {
            line += &format!("; leaves a move: {first} and {second}");
        }
        out.effort.push(line);
        Ok(scores)
    }

    fn timed(
        &self,
        timed: &Timed,
        bench: &mut Bench<'_>,
        out: &mut Reproduced,
    ) -> Result<Vec<Score>, LabError> {
        let mut scores = Vec::new();
        let (mut played, mut left_out) = (Vec::new(), Vec::new());
        for (board, game) in self.boards.iter().enumerate() {
            let number = |games: &[u64]| games.get(board).copied().unwrap_or(0);
            let games = number(timed.games(bench.is_quick));
            if games < number(timed.full) {
                let most = number(timed.full);
                let name = game.rsplit_once(':').map_or(*game, |(_, board)| board);
                left_out.push(format!("{games} of {most} games on {name}"));
            }
            if games > 0 {
                let duel = self.duel(game, timed.agents, games, bench.seed).timed(timed.clock);
                let millis = timed.seconds.get(board).map_or(0, |s| (s * 1000.0) as u64);
                scores.push(self.score(board, &duel, bench, millis)?);
                played.push(games.to_string());
            }
        }
        if !played.is_empty() {
            out.effort.push(format!(
                "at the published time, {}: {} games, {} v {}",
                timed.clock,
                played.join(" + "),
                timed.agents[0],
                timed.agents[1]
            ));
        }
        if !left_out.is_empty() {
            let [a, b] = self.names;
            out.left_out.push(format!(
                "{a} v {b} at the published time, {}, is cut down here: {}. All of it: tussle reproduce {} --full",
                timed.clock,
                left_out.join(", "),
                out.name
            ));
        }
        Ok(scores)
    }

    fn duel(&self, game: &str, agents: [&str; 2], games: u64, seed: u64) -> Duel {
        let [a, b] = self.names;
        Duel::new(game, [(a, agents[0]), (b, agents[1])], games, seed)
    }

    fn score(
        &self,
        board: usize,
        duel: &Duel,
        bench: &mut Bench<'_>,
        millis: u64,
    ) -> Result<Score, LabError> {
        let summary = duel.play(bench, millis)?;
        let row = summary.row(self.names[0]);
        let seat = |seat: usize| row.and_then(|row| row.seats.get(seat)).map(|seat| seat.score);
        let seats = [0, 1].map(|number| seat(number).unwrap_or_default());
        // Games on different seats are different: about half of them are of each.
        let half = summary.distinct_games.div_ceil(2);
        let distinct = seats.map(|wdl: Wdl| half.min(wdl.games()));
        Ok(Score { board, seats, distinct })
    }

    /// The published numbers beside ours.
    pub(super) fn rows(&self, played: &Played, rows: usize) -> Vec<Row> {
        self.claims.iter().map(|claim| claim.row(played, rows)).collect()
    }
}

impl Played {
    /// All games at the published effort.
    fn at_effort(&self) -> Vec<Score> {
        self.efforts.iter().flat_map(|(_, scores)| scores).copied().collect()
    }
}

impl Effort {
    fn games(&self, is_quick: bool) -> u64 {
        self.games[usize::from(!is_quick)]
    }
}

impl Timed {
    fn games(&self, is_quick: bool) -> &'static [u64] {
        if is_quick { self.quick } else { self.full }
    }
}

impl Claim {
    fn counted(&self, scores: &[Score]) -> Counted {
        let on = |score: &&Score| self.boards.is_empty() || self.boards.contains(&score.board);
        let seats = scores.iter().filter(on).flat_map(|score| {
            let seats = [0, 1].into_iter();
            seats
                .filter(|seat| self.seat.is_none_or(|wanted| wanted == *seat))
                .map(|seat| score.counted(seat, self.count))
        });
        seats.fold(Counted::default(), Counted::plus)
    }

    fn row(&self, played: &Played, rows: usize) -> Row {
        let ours = self.counted(&played.at_effort());
        let (published, judged) = match self.published {
            Published::Share { counted, against } => {
                (Told::Share(counted), verdict::shares(counted, ours, against, rows))
            }
            Published::AtLeast(words, share) => {
                (Told::AtLeast(words.to_owned(), share), verdict::stated(share, ours))
            }
            Published::Nothing => (Told::Words("no number".to_owned()), verdict::unpublished()),
        };
        let mut row = Row::new(self.what.to_owned(), published, Told::Share(ours), judged);
        let timed = self.counted(&played.timed);
        row.at_time = (timed.of > 0).then_some(Told::Share(timed));
        // Where several efforts are counted together, each is worth a look; for single games it is too much.
        let has_parts = played.efforts.len() > 1 && self.seat.is_none();
        let parts = played.efforts.iter().filter(|_| has_parts);
        row.beyond = parts
            .chain(&played.beyond)
            .map(|(what, scores)| ((*what).to_owned(), Told::Share(self.counted(scores))))
            .collect();
        row
    }
}

impl Score {
    fn counted(&self, seat: usize, count: Count) -> Counted {
        let wdl = self.seats[seat];
        let hits = match count {
            Count::Wins => wdl.wins,
            Count::Losses => wdl.losses,
            Count::Ties => wdl.draws,
        };
        Counted { hits, of: wdl.games(), distinct: self.distinct[seat] }
    }
}

impl Better {
    /// The published comparison beside ours.
    pub(super) fn row(&self, played: &[Played], rows: usize) -> Row {
        let wins = |scores: &[Score]| {
            let seats =
                scores.iter().flat_map(|score| [0, 1].map(|s| score.counted(s, Count::Wins)));
            seats.fold(Counted::default(), Counted::plus)
        };
        let of = |number: usize| played.get(number).map(Played::at_effort).unwrap_or_default();
        let ours = self.matches.map(|number| wins(&of(number)));
        let judged = verdict::better(self.published, ours, rows);
        Row::new(self.what.to_owned(), Told::Pair(self.published), Told::Pair(ours), judged)
    }
}

/// How many leaves the two look at for a move, on average over one game.
fn cost(game: &str, agents: [&str; 2], bench: &mut Bench<'_>) -> Result<[f64; 2], LabError> {
    let seed = bench.seed;
    let key = format!("leaves {game} {} {} {seed}", agents[0], agents[1]);
    bench.measure(&key, 0, "", |stop| {
        let game = tussle_catalog::game(game)?;
        let mut players =
            [game.agent(agents[0], seed)?, game.agent(agents[1], seed.wrapping_add(1))?];
        let budget = Limits::none().or_stop(stop);
        let (mut position, mut rng) = (game.start(), Rng::derive(seed, &[]));
        let mut spent = [(0, 0); 2];
        loop {
            match position.turn() {
                Turn::Over => break,
                Turn::Chance => position.play(&position.roll(&mut rng).unwrap_or_default())?,
                Turn::Player(player) => {
                    // A move without a choice costs nothing and says nothing.
                    let has_choice = position.moves().len() > 1;
                    let report = players[player].choose(position.as_ref(), &budget)?;
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

/// From the least to the most, or the one; nothing if nobody searches.
fn range(leaves: &[f64]) -> Option<String> {
    let least = leaves.iter().copied().fold(f64::INFINITY, f64::min);
    let most = leaves.iter().copied().fold(0.0, f64::max);
    match (least.round(), most.round()) {
        (_, most) if most <= 1.0 => None,
        (least, most) if least == most => Some(format!("{most}")),
        (least, most) => Some(format!("{least} to {most}")),
    }
}
