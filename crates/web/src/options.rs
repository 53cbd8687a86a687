//! Settings of a server.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

use tussle_catalog::Catalog;
use tussle_engine::Guard;

use crate::ServerLimits;
use crate::api_error::ApiError;

/// Settings of a server, chosen by its operator.
#[derive(Clone, Debug)]
pub struct Options {
    /// Games and agents that pages may name.
    pub catalog: Catalog,
    /// IP address on which the server listens.
    pub address: IpAddr,
    /// Port on which the server listens; 0 chooses a free one.
    pub port: u16,
    /// Allowed hosts: names that browsers may use for the server, besides IP addresses and `localhost`.
    pub hosts: Vec<String>,
    /// True if pages may start external programs (`ugi:…`, `gtp:…`, `json:…`).
    pub allow_programs: bool,
    /// Command that starts the supervisor of an external program [default: none, so that no program can start].
    pub guard: Guard,
    /// Store folder: the folder for tournament stores.
    pub stores: PathBuf,
    /// Limits on clients, searches, memory and tournaments.
    pub limits: ServerLimits,
}

impl Options {
    /// Returns an error unless the operator allows external programs.
    pub(crate) fn check_programs(&self) -> Result<(), ApiError> {
        if self.allow_programs {
            return Ok(());
        }
        Err(ApiError::forbidden(
            "this server may not start programs; restart it with `tussle serve --allow-programs`",
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
