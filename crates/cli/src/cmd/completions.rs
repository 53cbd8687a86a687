//! `tussle completions`

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use crate::failure::Failure;
use crate::output;

/// Write a completion script for a shell
///
/// Have your shell read it when it starts, for instance
///   tussle completions bash > ~/.local/share/bash-completion/completions/tussle
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Completions {
    /// The shell.
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let mut script = Vec::new();
        let mut command = super::Tussle::command();
        clap_complete::generate(self.shell, &mut command, "tussle", &mut script);
        output::print(&String::from_utf8_lossy(&script))
    }
}
