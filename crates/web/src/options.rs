//! What whoever starts a server decides.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

use tussle_catalog::Catalog;
use tussle_engine::Guard;

use crate::ServerLimits;
use crate::refusal::Refusal;

/// What whoever starts a server decides.
#[derive(Clone, Debug)]
pub struct Options {
    /// Games and agents that pages may name.
    pub catalog: Catalog,
    /// Where it listens.
    pub address: IpAddr,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// Names, beside addresses and `localhost`, by which browsers may call it.
    pub hosts: Vec<String>,
    /// Whether pages may name programs (`ugi:…`, `gtp:…`, `json:…`) to play with.
    pub allow_programs: bool,
    /// Command that starts the guard of a program [default: none, so that no program can be started].
    pub guard: Guard,
    /// The folder of the stores of tournaments.
    pub stores: PathBuf,
    /// How much it does for how many.
    pub limits: ServerLimits,
}

impl Options {
    /// Refuses programs, unless whoever starts the server allows them.
    pub(crate) fn check_programs(&self) -> Result<(), Refusal> {
        if self.allow_programs {
            return Ok(());
        }
        Err(Refusal::forbidden(
            "this server starts no programs; `tussle serve --allow-programs` does",
        ))
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            catalog: Catalog::standard(),
            address: Ipv4Addr::LOCALHOST.into(),
            port: 0,
            hosts: Vec::new(),
            allow_programs: false,
            guard: Guard::none(),
            stores: PathBuf::from("."),
            limits: ServerLimits::default(),
        }
    }
}
