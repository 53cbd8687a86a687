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

/// Maximum number of threads or pages; larger numbers are typing mistakes.
const MAX_THREADS_OR_PAGES: usize = 10_000;

/// Serve the web board: play, analyse, explain and run tournaments in a browser
///
/// Print the address and serve until Ctrl-C; a second Ctrl-C ends the server at once. By default only
/// this machine can reach it; see --address. `tussle docs web/server` has more.
///
/// Examples:
///   tussle serve --open
///   tussle serve --port 0
///   tussle serve --stores results/ --allow-programs
///   tussle serve --address 0.0.0.0 --host board.school.example --searches 8
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Serve {
    /// Port; 0 takes a free one
    #[arg(long, default_value_t = 8585)]
    port: u16,
    /// Address to listen on; 0.0.0.0 admits other machines
    #[arg(long, default_value = "127.0.0.1")]
    address: IpAddr,
    /// Host name that browsers may use for this server, besides addresses and localhost; may be repeated
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
    /// Open a browser
    #[arg(long)]
    open: bool,
    /// Folder of the tournament stores
    #[arg(long, default_value = ".", value_name = "FOLDER")]
    stores: PathBuf,
    /// Maximum number of search threads; further searches wait [default: number of processors, at least 4]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    searches: Option<usize>,
    /// Maximum number of connected pages
    #[arg(long, value_name = "N", default_value_t = ServerLimits::default().sessions, value_parser = at_least_one)]
    sessions: usize,
    /// Let pages start programs (ugi:…, gtp:…, json:…). Anyone who can reach the server can then run commands
    /// as you; a link starts a program only after a click below its command
    #[arg(long)]
    allow_programs: bool,
}

fn at_least_one(text: &str) -> Result<usize, ParseError> {
    let number = text.parse().ok().filter(|n| (1..=MAX_THREADS_OR_PAGES).contains(n));
    number.ok_or_else(|| {
        ParseError::new(format!("expected a number from 1 to {MAX_THREADS_OR_PAGES}"))
    })
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
        let server = Server::bind(options).map_err(|error| self.failure(&error))?;
        let address = server.address();
        let stop = stop_flag_saying("stopping".to_owned(), String::new());
        output::line(&format!("http://{address}"))?;
        if !address.ip().is_loopback() {
            eprintln!(
                "other machines use the address of this machine, or a name given with --host"
            );
        }
        eprintln!("stop with Ctrl-C");
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
            // A page has one socket, and a few more connections while it loads.
            connections: usual.connections.max(4 * self.sessions),
            ..usual
        }
    }

    fn failure(&self, error: &ServeError) -> Failure {
        let help = match error {
            ServeError::Listen { source, .. } if source.kind() == std::io::ErrorKind::AddrInUse => {
                format!("; another program uses port {}; use --port 0 for a free one", self.port)
            }
            _ => String::new(),
        };
        Failure::Failed(format!("{error}{help}"))
    }
}

/// Opens a browser with the system's opener; prints a note if that fails.
fn open(url: &str) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let quiet = Stdio::null;
    let begun =
        Command::new(opener).arg(url).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn();
    if let Err(e) = begun {
        eprintln!("cannot open a browser ({opener}: {e}); open {url} yourself");
    }
}
