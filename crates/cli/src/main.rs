//! The `tussle` command.

mod cmd;
mod course;
mod cpu;
mod failure;
mod interrupt;
mod lab;
mod output;
mod progress;
mod report;
mod table;

use std::process::ExitCode;

use clap::Parser as _;
use tussle_arena::{Guard, Programs};
use tussle_catalog::turns;

fn main() -> ExitCode {
    if let Err(error) = cpu::check() {
        eprintln!("tussle: {error}");
        return ExitCode::FAILURE;
    }
    let guard = Guard::this([cmd::GUARD]);
    let programs = Programs { warn: cmd::warn, ..Programs::new(guard) };
    match cmd::run(cmd::Tussle::parse(), &programs) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
