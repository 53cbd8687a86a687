//! `tussle serve`

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use clap::Args;
use tussle_catalog::Catalog;
use tussle_core::ParseError;
use tussle_engine::Programs;
use tussle_web::{Options, ServeError, Server, ServerLimits};

use crate::failure::Failure;
use crate::interrupt::stop_flag_saying;
use crate::output;

/// More threads or pages than this are a slip of the pen.
const MOST: usize = 10_000;

/// Open the board in a browser: play, analyse, explain, tournaments
///
/// Prints its address and serves until Ctrl-C; a second Ctrl-C ends it at once. Only this machine can
/// reach it unless --address says otherwise. `tussle docs web/server` has more.
///
/// Examples:
///   tussle serve --open
///   tussle serve --port 0
///   tussle serve --stores results/ --allow-programs
///   tussle serve --address 0.0.0.0 --host board.school.example --searches 8
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
    /// Threads that search at once; further searches wait for their turn [default: one a processor, four at least]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    searches: Option<usize>,
    /// Pages that may be connected at once.
    #[arg(long, value_name = "N", default_value_t = ServerLimits::default().sessions, value_parser = at_least_one)]
    sessions: usize,
    /// Let pages start programs (ugi:…, gtp:…, json:…); everybody who reaches the server can then run commands as you,
    /// but a link only after a click under the command.
    #[arg(long)]
    allow_programs: bool,
}

fn at_least_one(text: &str) -> Result<usize, ParseError> {
    let number = text.parse().ok().filter(|n| (1..=MOST).contains(n));
    number.ok_or_else(|| ParseError::new(format!("write a number from 1 to {MOST}")))
}

impl Serve {
    pub(crate) fn run(&self, catalog: &Catalog, programs: &Programs) -> Result<(), Failure> {
        let options = Options {
            catalog: catalog.clone(),
            address: self.address,
            port: self.port,
            hosts: self.hosts.clone(),
            allow_programs: self.allow_programs,
            guard: programs.guard.clone(),
            stores: self.stores.clone(),
            limits: self.limits(),
        };
        let server = Server::bind(options).map_err(|error| self.refused(&error))?;
        let address = server.address();
        let stop = stop_flag_saying("stopping".to_owned(), String::new());
        output::line(&format!("http://{address}"))?;
        if !address.ip().is_loopback() {
            eprintln!(
                "other machines reach it by this one's address, or by a name given with --host"
            );
        }
        eprintln!("Ctrl-C ends it");
        if self.open {
            let ip = if address.ip().is_unspecified() {
                Ipv4Addr::LOCALHOST.into()
            } else {
                address.ip()
            };
            open(&format!("http://{}", SocketAddr::new(ip, address.port())));
        }
        server.run(&stop).map_err(|e| Failure::Failed(e.to_string()))
    }

    fn limits(&self) -> ServerLimits {
        let usual = ServerLimits::default();
        ServerLimits {
            searches: self.searches.unwrap_or(usual.searches),
            sessions: self.sessions,
            // Each page has its socket, and a few connections while it loads.
            connections: usual.connections.max(4 * self.sessions),
            ..usual
        }
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
