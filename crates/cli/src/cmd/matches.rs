//! `tussle match`

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use serde::Serialize;
use tussle_catalog::{AnyAgent, AnyGame};
use tussle_core::{Budget, Outcome, Rng, Turn};

use crate::failure::Failure;
use crate::progress::Progress;
use crate::{course, duration, output, table, turns};

/// Play agents against each other, taking every seat in turn
///
/// Two-player games alternate sides: game 1 and 2, 3 and 4 … are pairs. In games of more
/// players the agents move round the table.
///
/// Examples:
///   tussle match gobblet greedy random --games 200
///   tussle match keep-on-moving:board=2 simple random --games 100 --seed 7 --json
///   tussle match gobblet greedy random --games 100 --style course
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Match {
    /// The game: name[:key=value,…], as `tussle games` lists them.
    game: String,
    /// The agents, one for each player: name[:key=value,…], as `tussle agents` lists them.
    #[arg(required = true)]
    agents: Vec<String>,
    /// How many games to play.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// The time for a move.
    #[arg(long, default_value = "2s", value_parser = duration::parse, value_name = "TIME")]
    clock: Duration,
    /// Seed of everything random in the match.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How to print the result.
    #[arg(long, value_enum, default_value_t)]
    style: Style,
    /// One JSON document.
    #[arg(long)]
    json: bool,
}

/// How to print games and results.
#[derive(Clone, Copy, Default, PartialEq, ValueEnum)]
pub(super) enum Style {
    /// Tables.
    #[default]
    Plain,
    /// As the university courses print it.
    Course,
}

/// Wins, draws and losses of the first agent.
#[derive(Clone, Copy, Default, Serialize)]
struct Score {
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
}

impl Score {
    fn add(&mut self, utilities: &[f64], seat: usize) {
        self.games += 1;
        match turns::outcome(utilities, seat) {
            Outcome::Win => self.wins += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::Loss => self.losses += 1,
        }
    }
}

#[derive(Serialize)]
struct Played<'a> {
    game: &'a str,
    agents: &'a [String],
    #[serde(flatten)]
    total: Score,
    /// The share of the points that the first agent got: of two players a win is worth 1 and
    /// a draw half; more players share one point a game.
    score: f64,
    seats: Vec<SeatScore>,
    mean_length: f64,
    distinct_games: usize,
    clock: String,
    seed: u64,
    deterministic: bool,
    timing: Timing,
}

#[derive(Serialize)]
struct SeatScore {
    seat: String,
    #[serde(flatten)]
    score: Score,
}

#[derive(Serialize)]
struct Timing {
    elapsed_ms: f64,
}

/// One finished game.
struct Game {
    moves: Vec<String>,
    utilities: Vec<f64>,
    /// What the course prints of it, if asked for.
    printout: String,
}

impl Game {
    /// Equal for equal games, and by chance for one pair in 2^64; the moves would fill the memory.
    fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.moves.hash(&mut hasher);
        hasher.finish()
    }
}

impl Match {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let game = tussle_catalog::game(&self.game)?;
        let players = game.players();
        if self.agents.len() != players {
            let given = self.agents.len();
            return Err(Failure::usage(format!(
                "{} has {players} players, but {given} agents were named; name {players}",
                game.spec(),
            )));
        }
        let course = self.style == Style::Course && !self.json;
        if course && players != 2 {
            return Err(Failure::usage("--style course is for games of two players"));
        }
        for agent in &self.agents {
            game.agent(agent, self.seed)?; // before any game is played
        }
        if !self.json {
            eprintln!("{}: {}, {}", game.spec(), self.agents.join(" v "), self.terms());
        }

        let began = Instant::now();
        let mut seats = vec![Score::default(); players];
        let mut distinct = HashSet::new();
        let (mut plies, mut worth) = (0, 0.0);
        let every_game = course && course::prints_games(game.spec());
        let mut progress = Progress::new("games", self.games);
        for id in 0..self.games {
            // In game `id` agent a sits on seat (a + id) mod players.
            let seat = (id % players as u64) as usize;
            let played = self.play(game.as_ref(), id, every_game)?;
            output::print(&played.printout)?;
            seats[seat].add(&played.utilities, seat);
            worth += played.utilities[seat];
            plies += played.moves.len();
            distinct.insert(played.fingerprint());
            progress.step();
        }
        drop(progress);

        let total = seats.iter().fold(Score::default(), |sum, s| Score {
            games: sum.games + s.games,
            wins: sum.wins + s.wins,
            draws: sum.draws + s.draws,
            losses: sum.losses + s.losses,
        });
        if self.json {
            let seats = seats.into_iter().enumerate();
            return output::json(&Played {
                game: game.spec(),
                agents: &self.agents,
                total,
                score: match players {
                    2 => (total.wins as f64 + 0.5 * total.draws as f64) / total.games as f64,
                    _ => worth / total.games as f64,
                },
                seats: seats
                    .map(|(i, score)| SeatScore { seat: turns::player(players, i), score })
                    .collect(),
                mean_length: plies as f64 / self.games as f64,
                distinct_games: distinct.len(),
                clock: format!("{}s", self.clock.as_secs_f64()),
                seed: self.seed,
                deterministic: true,
                timing: Timing { elapsed_ms: began.elapsed().as_secs_f64() * 1e3 },
            });
        }
        if every_game {
            return Ok(());
        }
        if course {
            let Score { wins, draws, losses, .. } = total;
            return output::print(&course::tournament(&self.agents, wins, draws, losses));
        }
        self.print(players, &seats, total)?;
        output::line(&format!(
            "mean length {:.1} plies; {} of the games are distinct",
            plies as f64 / self.games as f64,
            distinct.len(),
        ))
    }

    fn terms(&self) -> String {
        let seconds = self.clock.as_secs_f64();
        format!("{} games, {seconds} s a move, seed {}", self.games, self.seed)
    }

    fn play(&self, game: &dyn AnyGame, id: u64, course: bool) -> Result<Game, Failure> {
        let players = game.players();
        // Seat s is taken by agent (s - id) mod players.
        let agent_at = |seat: usize| (seat + players - (id % players as u64) as usize) % players;
        let names: Vec<String> = (0..players).map(|s| self.agents[agent_at(s)].clone()).collect();
        let mut agents: Vec<Box<dyn AnyAgent>> = names
            .iter()
            .enumerate()
            .map(|(seat, name)| {
                game.agent(name, Rng::derive(self.seed, &[id, seat as u64]).next_u64())
            })
            .collect::<Result<_, _>>()?;
        let mut chance = Rng::derive(self.seed, &[id, players as u64]);
        let mut printout = String::new();
        if course {
            printout += &course::opening(game.spec(), &names, self.clock.as_secs_f64());
        }
        let mut position = game.start();
        let utilities = loop {
            let mv = match position.turn() {
                Turn::Over => break position.utilities().unwrap_or_default(),
                Turn::Chance => position.roll(&mut chance).unwrap_or_default(),
                Turn::Player(seat) => {
                    let budget = Budget::default().time(self.clock);
                    let report = agents[seat].choose(position.as_ref(), &budget).map_err(|e| {
                        Failure::usage(format!("game {}, {}: {e}", id + 1, names[seat]))
                    })?;
                    let mv = report.best().cloned().unwrap_or_default();
                    if course {
                        let number = position.history().len() + 1;
                        printout += &course::one_move(&names[seat], number, &mv, Some(&report));
                    }
                    mv
                }
            };
            position.play(&mv)?;
        };
        if course {
            printout += &course::ending(&utilities);
        }
        Ok(Game { moves: position.history().to_vec(), utilities, printout })
    }

    fn print(&self, players: usize, seats: &[Score], total: Score) -> Result<(), Failure> {
        let name = &self.agents[0];
        let mut table = table::new([name.as_str(), "games", "wins", "", "draws", "", "losses", ""]);
        table::numbers(&mut table, 1..=7);
        let mut row = |label: String, score: Score| {
            let percent = |n: u64| match score.games {
                0 => String::new(),
                games => format!("{:.1} %", 100.0 * n as f64 / games as f64),
            };
            table.add_row([
                label,
                score.games.to_string(),
                score.wins.to_string(),
                percent(score.wins),
                score.draws.to_string(),
                percent(score.draws),
                score.losses.to_string(),
                percent(score.losses),
            ]);
        };
        row("all".to_owned(), total);
        for (i, &score) in seats.iter().enumerate() {
            row(format!("as {}", turns::player(players, i)), score);
        }
        output::print(&table::text(&table))
    }
}
