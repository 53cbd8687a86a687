//! `tussle completions`

use clap::Args;
use clap_complete::Shell;

use crate::failure::Failure;
use crate::output;

/// Write a completion script for a shell
///
/// The shell must read the script when it starts.
///
/// Examples:
///   tussle completions bash > ~/.local/share/bash-completion/completions/tussle
///   tussle completions fish > ~/.config/fish/completions/tussle.fish
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Completions {
    /// Shell that reads the script
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let mut script = Vec::new();
        let mut command = super::command();
        clap_complete::generate(self.shell, &mut command, "tussle", &mut script);
        output::print(&String::from_utf8_lossy(&script))
    }
}
