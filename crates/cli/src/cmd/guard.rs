//! `tussle guard`: what the arena starts between itself and a program.

use std::ffi::OsString;

use clap::Args;

use crate::failure::Failure;

/// For the arena only: watches over one program and ends all that it started
#[derive(Args)]
#[command(hide = true, disable_help_flag = true)]
pub(crate) struct Guard {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<OsString>,
}

impl Guard {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        match tussle_arena::guard(&self.args) {
            0 => Ok(()),
            code => std::process::exit(code.into()),
        }
    }
}
