//! The search as pictures: numbered frames, and a page that plays them.

use std::path::PathBuf;

use clap::Args;
use tussle_lab::Explanation;

use crate::failure::Failure;

/// Where pictures of a search are written.
#[derive(Args)]
pub(super) struct Pictures {
    /// Write a numbered SVG for every step into this folder.
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// Write one page that steps through the search to this file.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

impl Pictures {
    /// Says why there are none, if any were asked for.
    pub(super) fn refuse(&self, why: &str) -> Result<(), Failure> {
        match (&self.svg, &self.html) {
            (None, None) => Ok(()),
            (Some(_), _) => Err(Failure::usage(format!("--svg: {why}"))),
            _ => Err(Failure::usage(format!("--html: {why}"))),
        }
    }

    /// Writes what was asked for.
    pub(super) fn write(&self, told: &Explanation) -> Result<(), Failure> {
        // PLACE FOR PICTURES: `tussle_lab::frames(told, …)` into the folder `self.svg`, and
        // `tussle_lab::player(told, …)` into the file `self.html`.
        let _ = told;
        self.refuse("pictures are not there yet")
    }
}
