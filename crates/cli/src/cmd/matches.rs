//! `tussle match`

mod game;

use std::collections::HashSet;
use std::time::Instant;

use clap::Args;
use serde::Serialize;
use tussle_core::Outcome;

use super::terms::{Style, Terms};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::{course, output, table, turns};

/// Play agents against each other, taking every seat in turn
///
/// Two-player games alternate sides: game 1 and 2, 3 and 4 … are pairs. In games of more
/// players the agents move round the table.
///
/// Examples:
///   tussle match gobblet greedy random --games 200
///   tussle match keep-on-moving:board=2 simple random --games 100 --seed 7 --json
///   tussle match connect4 minimax:depth=4 greedy --games 10 --clock 15s+1s
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
    #[command(flatten)]
    terms: Terms,
    /// One JSON document.
    #[arg(long)]
    json: bool,
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
    /// How many games each agent lost because its time ran out.
    time_losses: Vec<u64>,
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
        let course = self.terms.style == Style::Course && !self.json;
        if course && players != 2 {
            return Err(Failure::usage("--style course is for games of two players"));
        }
        for agent in &self.agents {
            game.agent(agent, self.terms.seed)?; // before any game is played
        }
        if !self.json {
            eprintln!(
                "{}: {}, {} games, {}, seed {}",
                game.spec(),
                self.agents.join(" v "),
                self.games,
                self.terms.clock_in_words(),
                self.terms.seed,
            );
        }

        let began = Instant::now();
        let mut seats = vec![Score::default(); players];
        let mut time_losses = vec![0; players];
        let mut deterministic = true;
        let mut distinct = HashSet::new();
        let (mut plies, mut worth) = (0, 0.0);
        let every_game = course && course::prints_games(game.spec());
        let mut progress = Progress::new("games", self.games);
        for id in 0..self.games {
            // In game `id` agent a sits on seat (a + id) mod players.
            let seat = (id % players as u64) as usize;
            let agent_at = |s: usize| (s + players - seat) % players;
            let names: Vec<String> =
                (0..players).map(|s| self.agents[agent_at(s)].clone()).collect();
            let played = game::play(game.as_ref(), &names, id, &self.terms, every_game)?;
            output::print(&played.printout)?;
            seats[seat].add(&played.utilities, seat);
            if let Some(late) = played.late {
                time_losses[agent_at(late)] += 1;
            }
            deterministic &= played.untimed;
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
                time_losses,
                clock: self.terms.clock.to_string(),
                seed: self.terms.seed,
                deterministic,
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
        for (agent, losses) in self.agents.iter().zip(time_losses).filter(|(_, n)| *n > 0) {
            output::line(&format!("{agent} ran out of time in {losses} of the games"))?;
        }
        output::line(&format!(
            "mean length {:.1} plies; {} of the games are distinct",
            plies as f64 / self.games as f64,
            distinct.len(),
        ))
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
