//! The `tussle` command as a function.
//!
//! A program with a game of its own gets the whole command line in five lines:
//!
//! ```no_run
//! # struct Heap;
//! use std::process::ExitCode;
//!
//! fn main() -> ExitCode {
//!     let catalog = tussle_catalog::Catalog::standard(); // .with(tussle_catalog::Entry::new("heap", Heap))
//!     tussle_cli::run(catalog, std::env::args_os())
//! }
//! ```

mod args;
mod cmd;
mod course;
mod cpu;
mod embedded;
mod failure;
mod grammar;
mod guard;
mod interrupt;
mod lab;
mod layout;
mod markdown;
mod output;
mod progress;
mod report;
mod session;
mod shell;
mod start;
mod stored;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::FromArgMatches as _;
use tussle_catalog::{Catalog, turns};
use tussle_engine::{Guard, Programs};

/// Runs the command that `args` name, program name first, with the games and agents of a catalog.
///
/// Programs that play are started under a guard, which is the current executable, called with the argument
/// `guard`. So the arguments of a program that calls this function must reach it unchanged.
#[expect(clippy::needless_pass_by_value, reason = "callers build the catalog in the call")]
pub fn run<I>(catalog: Catalog, args: I) -> ExitCode
where
    I: IntoIterator,
    I::Item: Into<OsString> + Clone,
{
    if let Err(error) = cpu::check() {
        eprintln!("tussle: {error}");
        return ExitCode::FAILURE;
    }
    let guard = Guard::this([guard::GUARD]);
    let programs = Programs { warn: output::tell, ..Programs::new(guard) };
    let args: Vec<OsString> = args.into_iter().map(Into::into).collect();
    let matches = cmd::command().get_matches_from(&args);
    let tussle = cmd::Tussle::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    match cmd::run(tussle, &catalog, &programs) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let code = failure.report();
            if let Some(command) = embedded::missing_example(args.iter().filter_map(|a| a.to_str()))
            {
                eprintln!("help: `{command}` writes the examples of the book here");
            }
            code
        }
    }
}
