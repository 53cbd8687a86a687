//! The commands, one file each.

mod agents;
mod analyse;
mod bench;
mod book;
mod check;
mod completions;
mod conditions;
mod doctor;
mod experiment;
mod explain;
mod games;
mod gtp;
mod guard;
mod hall;
mod limits;
mod matches;
mod new_agent;
mod new_game;
mod perft;
mod picture;
mod play;
mod power;
mod replay;
mod reproduce;
mod results;
mod review;
mod rules;
mod serve;
mod show;
mod terms;
mod tournament;
mod ugi;

use clap::{Parser, Subcommand};
use tussle_catalog::Catalog;
use tussle_engine::Programs;

use crate::failure::Failure;

/// Turns the rules of a game into opponents, answers and ratings.
///
/// Games and agents are named by spec strings, name[:key=value[,key=value…]]:
/// `connect4:width=5,height=4`, `greedy:eval=pairs`. `tussle games` and `tussle agents` list
/// what there is.
#[derive(Parser)]
#[command(name = "tussle", version, max_term_width = 100, arg_required_else_help = true)]
pub(crate) struct Tussle {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Games(games::Games),
    Agents(agents::Agents),
    Show(show::Show),
    Analyse(analyse::Analyse),
    Explain(explain::Explain),
    Perft(perft::Perft),
    Play(play::Play),
    Match(matches::Match),
    Tournament(tournament::Tournament),
    Results(results::Results),
    Replay(replay::Replay),
    Review(review::Review),
    Power(power::Power),
    Experiment(experiment::Experiment),
    Reproduce(reproduce::Reproduce),
    Serve(serve::Serve),
    Rules(rules::Rules),
    Ugi(ugi::Ugi),
    Gtp(gtp::Gtp),
    NewAgent(new_agent::NewAgent),
    NewGame(new_game::NewGame),
    Check(check::Check),
    Book(book::Book),
    Bench(bench::Bench),
    Doctor(doctor::Doctor),
    Completions(completions::Completions),
    Guard(guard::Guard),
}

/// Name of the command by which this executable is a guard.
pub(crate) const GUARD: &str = "guard";

pub(crate) use limits::tell as warn;

/// Runs one command with the games and agents of a catalog.
pub(crate) fn run(tussle: Tussle, catalog: &Catalog, programs: &Programs) -> Result<(), Failure> {
    match tussle.command {
        Command::Games(command) => command.run(catalog),
        Command::Agents(command) => command.run(catalog),
        Command::Show(command) => command.run(catalog),
        Command::Analyse(command) => command.run(catalog, programs),
        Command::Explain(command) => command.run(catalog),
        Command::Perft(command) => command.run(catalog),
        Command::Play(command) => command.run(catalog, programs),
        Command::Match(command) => command.run(catalog, programs),
        Command::Tournament(command) => command.run(catalog, programs),
        Command::Results(command) => command.run(),
        Command::Replay(command) => command.run(catalog),
        Command::Review(command) => command.run(catalog),
        Command::Power(command) => command.run(),
        Command::Experiment(command) => command.run(),
        Command::Reproduce(command) => command.run(),
        Command::Serve(command) => command.run(catalog, programs),
        Command::Rules(command) => command.run(catalog),
        Command::Ugi(command) => command.run(catalog),
        Command::Gtp(command) => command.run(catalog),
        Command::NewAgent(command) => command.run(catalog),
        Command::NewGame(command) => command.run(catalog),
        Command::Check(command) => command.run(catalog, programs),
        Command::Book(command) => command.run(catalog, programs),
        Command::Bench(command) => command.run(catalog, programs),
        Command::Doctor(command) => command.run(programs),
        Command::Completions(command) => command.run(),
        Command::Guard(command) => command.run(),
    }
}
