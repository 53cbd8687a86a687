//! The commands, one file each; a large one has a folder too. No command imports another: what several use is in
//! `args` (options) or in a module beside this one.
//!
//! A new command is a file, its `mod` line and its line in the table below.

mod agents;
mod analyse;
mod bench;
mod book;
mod check;
mod completions;
mod docs;
mod doctor;
mod examples;
mod experiment;
mod explain;
mod games;
mod gtp;
mod guard;
mod matches;
mod new_agent;
mod new_game;
mod perft;
mod play;
mod power;
mod replay;
mod reproduce;
mod results;
mod review;
mod rules;
mod serve;
mod show;
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

/// Makes the commands out of one line each: `module::Command` and, in parentheses, what its `run` is given.
macro_rules! commands {
    ($catalog:ident, $programs:ident: $($module:ident::$command:ident($($given:ident),*);)*) => {
        #[derive(Subcommand)]
        enum Command {
            $($command($module::$command),)*
        }

        /// Runs one command with the games and agents of a catalog.
        pub(crate) fn run(
            tussle: Tussle,
            $catalog: &Catalog,
            $programs: &Programs,
        ) -> Result<(), Failure> {
            match tussle.command {
                $(Command::$command(command) => command.run($($given),*),)*
            }
        }
    };
}

// In the order of `tussle help`.
commands! { catalog, programs:
    games::Games(catalog);
    agents::Agents(catalog);
    show::Show(catalog);
    analyse::Analyse(catalog, programs);
    explain::Explain(catalog);
    perft::Perft(catalog);
    play::Play(catalog, programs);
    matches::Match(catalog, programs);
    tournament::Tournament(catalog, programs);
    results::Results();
    replay::Replay(catalog);
    review::Review(catalog);
    power::Power();
    experiment::Experiment();
    reproduce::Reproduce();
    serve::Serve(catalog, programs);
    rules::Rules(catalog);
    ugi::Ugi(catalog);
    gtp::Gtp(catalog);
    new_agent::NewAgent(catalog);
    new_game::NewGame(catalog);
    check::Check(catalog, programs);
    book::Book(catalog, programs);
    bench::Bench(catalog, programs);
    doctor::Doctor(programs);
    docs::Docs();
    examples::Examples();
    completions::Completions();
    guard::Guard();
}
