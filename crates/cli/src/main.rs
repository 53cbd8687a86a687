//! The `tussle` command.

use std::process::ExitCode;

use tussle_catalog::Catalog;

fn main() -> ExitCode {
    tussle_cli::run(Catalog::standard(), std::env::args_os())
}
