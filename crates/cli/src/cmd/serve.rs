//! `tussle serve`

use std::net::IpAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use clap::Args;
use tussle_web::{Options, ServeError, Server};

use crate::failure::Failure;
use crate::interrupt::stop_flag_saying;
use crate::output;

/// Open the board in a browser: play, analyse, explain, tournaments
///
/// Prints its address and serves until Ctrl-C. Only this machine can reach it unless --address says
/// otherwise. docs/web.md tells more.
///
/// Examples:
///   tussle serve --open
///   tussle serve --port 0
///   tussle serve --stores results/ --allow-programs
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Serve {
    /// The port; 0 takes any that is free.
    #[arg(long, default_value_t = 8585)]
    port: u16,
    /// The address to listen on; 0.0.0.0 lets other machines in.
    #[arg(long, default_value = "127.0.0.1")]
    address: IpAddr,
    /// A name by which browsers may call this server, beside addresses and localhost; may be repeated.
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
    /// Open a browser.
    #[arg(long)]
    open: bool,
    /// The folder of the stores of tournaments.
    #[arg(long, default_value = ".", value_name = "FOLDER")]
    stores: PathBuf,
    /// Let pages start programs: ugi:…, gtp:…, json:… as players.
    #[arg(long)]
    allow_programs: bool,
}

impl Serve {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let options = Options {
            address: self.address,
            port: self.port,
            hosts: self.hosts.clone(),
            allow_programs: self.allow_programs,
            stores: self.stores.clone(),
            ..Options::default()
        };
        let server = Server::bind(options).map_err(|error| self.refused(&error))?;
        let url = format!("http://{}", server.address());
        let stop = stop_flag_saying("stopping".to_owned(), String::new());
        output::line(&url)?;
        eprintln!("Ctrl-C ends it");
        if self.open {
            open(&url);
        }
        server.run(&stop).map_err(|e| Failure::Failed(e.to_string()))
    }

    fn refused(&self, error: &ServeError) -> Failure {
        let help = match error {
            ServeError::Listen { why, .. } if why.kind() == std::io::ErrorKind::AddrInUse => {
                format!("; another program has port {}: --port 0 takes a free one", self.port)
            }
            _ => String::new(),
        };
        Failure::Failed(format!("{error}{help}"))
    }
}

/// Opens a browser, if the system knows how.
fn open(url: &str) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let quiet = Stdio::null;
    let begun =
        Command::new(opener).arg(url).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn();
    if let Err(e) = begun {
        eprintln!("no browser could be opened ({opener}: {e}); open {url} yourself");
    }
}
