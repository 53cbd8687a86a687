//! `tussle bench arena`

use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;
use tussle_catalog::{AnyGame, AnyPosition, Catalog};
use tussle_core::{PlayerClock, TimeControl, Turn};
use tussle_engine::{Ask, GameStart, Guard, Seat, Terms, seat_for};

use super::overrun::quantile;
use crate::failure::Failure;
use crate::guard::{GUARD, INSTANT};
use crate::layout::Table;
use crate::output;
use crate::progress::Progress;

/// Measure the time that the arena adds to each move of a program
///
/// A test program answers at once with the first legal move of every position, over each protocol. The
/// time is that of one request and its reply, through the pipes of the guard.
///
/// Examples:
///   tussle bench arena
///   tussle bench arena tictactoe --plies 1000 --json
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Arena {
    /// Game spec; a game without chance
    #[arg(default_value = "connect4")]
    game: String,
    /// Number of moves per protocol
    #[arg(long, default_value_t = 5_000, value_name = "N",
          value_parser = clap::value_parser!(u64).range(1..))]
    plies: u64,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    game: &'a str,
    plies: u64,
    protocols: Vec<Overhead>,
    timing: Timing,
}

#[derive(Serialize)]
struct Timing {
    elapsed_ms: f64,
}

/// Times of the moves over one protocol.
#[derive(Serialize)]
struct Overhead {
    protocol: &'static str,
    plies: u64,
    /// Time to start the program and its first game.
    start_ms: f64,
    p50_us: f64,
    p99_us: f64,
    worst_us: f64,
}

impl Arena {
    pub(super) fn run(&self, catalog: &Catalog, guard: &Guard) -> Result<(), Failure> {
        let game = catalog.game(&self.game)?;
        let moves = first_moves(game.as_ref())?;
        let began = Instant::now();
        let mut progress = Progress::new("plies", 2 * self.plies);
        let mut protocols = Vec::new();
        for protocol in ["ugi", "json"] {
            protocols.push(self.measure(protocol, game.as_ref(), &moves, guard, &mut progress)?);
        }
        drop(progress);
        if !self.json {
            return print(&protocols);
        }
        output::json(&Document {
            game: game.spec(),
            plies: self.plies,
            protocols,
            timing: Timing { elapsed_ms: began.elapsed().as_secs_f64() * 1e3 },
        })
    }

    fn measure(
        &self,
        protocol: &'static str,
        game: &dyn AnyGame,
        moves: &[String],
        guard: &Guard,
        progress: &mut Progress,
    ) -> Result<Overhead, Failure> {
        let clock = TimeControl::PerMove(Duration::from_secs(10));
        let terms = Terms { clock, margin: Duration::ZERO, ..Terms::default() };
        let mut seat = instant_mover(protocol, moves, guard, &terms)?;
        let mut times = Vec::new();
        let began = Instant::now();
        let mut position = begin(seat.as_mut(), game, &terms)?;
        let started = began.elapsed();
        while (times.len() as u64) < self.plies {
            let Turn::Player(player) = position.turn() else {
                position = begin(seat.as_mut(), game, &terms)?;
                continue;
            };
            let clocks = vec![terms.clock.player_clock(); game.players()];
            let (mv, time) = ask(seat.as_mut(), position.as_ref(), player, &clocks, &terms)?;
            position.play(&mv)?;
            times.push(time);
            progress.step();
        }
        times.sort_unstable();
        let micros = |share| quantile(&times, share).as_secs_f64() * 1e6;
        Ok(Overhead {
            protocol,
            plies: self.plies,
            start_ms: started.as_secs_f64() * 1e3,
            p50_us: micros(0.5),
            p99_us: micros(0.99),
            worst_us: micros(1.0),
        })
    }
}

/// Returns the moves of the game in which every player makes the first legal move.
fn first_moves(game: &dyn AnyGame) -> Result<Vec<String>, Failure> {
    let mut position = game.start();
    loop {
        match position.turn() {
            Turn::Over if position.history().is_empty() => {
                return Err(Failure::usage(format!("{}: no player ever has a move", game.spec())));
            }
            Turn::Over => return Ok(position.history().to_vec()),
            Turn::Chance => {
                return Err(Failure::usage(format!(
                    "{}: expected a game without chance",
                    game.spec()
                )));
            }
            Turn::Player(_) => {
                let mv = position.moves().swap_remove(0);
                position.play(&mv)?;
            }
        }
    }
}

/// Starts this binary as another process that is given all moves beforehand.
fn instant_mover(
    protocol: &str,
    moves: &[String],
    guard: &Guard,
    terms: &Terms,
) -> Result<Box<dyn Seat>, Failure> {
    let exe = std::env::current_exe()?;
    let exe = exe.to_string_lossy().replace('\'', "'\\''");
    let spec = format!("{protocol}:'{exe}' {GUARD} {INSTANT} {protocol} {}", moves.join(","));

    seat_for(&spec, None, guard, terms).map_err(|error| Failure::Failed(error.to_string()))
}

fn failed(fault: &tussle_engine::Fault) -> Failure {
    Failure::Failed(format!("the test program {}", fault.what))
}

fn begin(
    seat: &mut dyn Seat,
    game: &dyn AnyGame,
    terms: &Terms,
) -> Result<Box<dyn AnyPosition>, Failure> {
    let start = game.start();
    let told =
        GameStart { game, start: start.as_ref(), is_usual: true, player: 0, id: 0, seed: 1, terms };
    seat.begin(&told).map_err(|fault| failed(&fault))?;
    Ok(start)
}

/// Asks for one move and measures the time.
fn ask(
    seat: &mut dyn Seat,
    position: &dyn AnyPosition,
    player: usize,
    clocks: &[PlayerClock],
    terms: &Terms,
) -> Result<(String, Duration), Failure> {
    let began = Instant::now();
    let deadline = began + clocks[player].allowed();
    let answer = seat.choose(&Ask { position, clocks, player, began, deadline, terms, stop: None });
    let time = began.elapsed();
    let answer = answer.map_err(|fault| failed(&fault))?;
    Ok((answer.mv.unwrap_or_default(), time))
}

fn print(protocols: &[Overhead]) -> Result<(), Failure> {
    let mut table = Table::new(["µs per move", "plies", "p50", "p99", "worst", "start ms"]);
    table.numbers(1..=5);
    for overhead in protocols {
        table.add_row([
            overhead.protocol.to_owned(),
            overhead.plies.to_string(),
            format!("{:.0}", overhead.p50_us),
            format!("{:.0}", overhead.p99_us),
            format!("{:.0}", overhead.worst_us),
            format!("{:.1}", overhead.start_ms),
        ]);
    }
    output::print(&table.text())
}
