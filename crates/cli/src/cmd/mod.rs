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
mod tune;
mod ugi;

use clap::{CommandFactory as _, Parser, Subcommand};
use tussle_catalog::Catalog;
use tussle_engine::Programs;

use crate::failure::Failure;
use crate::layout;

/// Turn the rules of a game into opponents, answers and ratings
///
/// Games and agents are named by spec strings, name[:key=value[,key=value…]]: `connect4:width=5,height=4`,
/// `greedy:eval=pairs`. `tussle games` and `tussle agents` list them.
///
/// Examples:
///   tussle serve --open
///   tussle match connect4 mcts:nodes=400 alphabeta:depth=4 --games 20
///   tussle analyse tictactoe --moves a1
///   tussle help match
#[derive(Parser)]
#[command(name = "tussle", version, verbatim_doc_comment, arg_required_else_help = true)]
pub(crate) struct Tussle {
    #[command(subcommand)]
    command: Command,
}

/// Widest help text: longer lines are hard to read.
const MAX_HELP_WIDTH: usize = 100;

/// Returns the command line, with help texts for the width of standard output.
pub(crate) fn command() -> clap::Command {
    let width = layout::width().min(MAX_HELP_WIDTH);
    with_filled_paragraphs(Tussle::command().term_width(width))
}

/// Joins the lines of each paragraph of the help texts, so that clap can wrap it to the width. Indented
/// lines, such as examples, stay as they are.
fn with_filled_paragraphs(command: clap::Command) -> clap::Command {
    let names: Vec<String> =
        command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    let filled = command.get_long_about().map(|text| fill(&text.to_string()));
    let command = match filled {
        Some(text) => command.long_about(text),
        None => command,
    };
    names
        .into_iter()
        .fold(command, |command, name| command.mut_subcommand(name, with_filled_paragraphs))
}

/// Joins lines that follow each other, except before and after indented and empty lines.
fn fill(text: &str) -> String {
    let mut filled = String::new();
    let mut is_open = false;
    for line in text.lines() {
        let is_prose = !line.is_empty() && !line.starts_with(' ');
        if !filled.is_empty() {
            filled.push(if is_open && is_prose { ' ' } else { '\n' });
        }
        filled += line;
        is_open = is_prose;
    }
    filled
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
    tune::Tune(catalog, programs);
    experiment::Experiment(catalog, programs);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_joined_and_examples_are_not() {
        let text = "Summary\n\nOne\ntwo.\n\nExamples:\n  a b\n  c\nAfter\nwards.";
        let filled = "Summary\n\nOne two.\n\nExamples:\n  a b\n  c\nAfter wards.";
        assert_eq!(fill(text), filled);
    }

    #[test]
    fn every_command_has_examples() {
        fn check(command: &clap::Command, path: &str) {
            let help = command.get_long_about().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains("\nExample"), "{path} --help has no examples");
            for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
                check(sub, &format!("{path} {}", sub.get_name()));
            }
        }
        check(&command(), "tussle");
    }
}
