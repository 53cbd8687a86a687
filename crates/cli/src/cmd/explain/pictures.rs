//! The search as pictures: numbered frames, and a page that plays them.

use std::path::PathBuf;

use clap::Args;
use tussle_catalog::AnyPosition;
use tussle_lab::{Explanation, MOST_FRAMES, frames, player};

use super::super::picture::Theme;
use crate::failure::Failure;
use crate::output;

/// Where pictures of a search are written.
#[derive(Args)]
pub(super) struct Pictures {
    /// Write a numbered SVG for every step into this folder.
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// Write one page that steps through the search to this file.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Colours of the SVG pictures; the page has both.
    #[arg(long, value_enum, default_value_t)]
    theme: Theme,
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

    /// Writes what was asked for; the search began at `position`.
    pub(super) fn write(
        &self,
        told: &Explanation,
        position: &dyn AnyPosition,
    ) -> Result<(), Failure> {
        if let Some(folder) = &self.svg {
            let written = frames(told, folder, self.theme.into())
                .map_err(|error| Failure::cannot_write(folder, &error))?;
            let (count, folder) = (written.files.len(), folder.display());
            eprintln!("{count} pictures are in {folder}");
            if written.left_out > 0 {
                eprintln!(
                    "{} steps between have none: no more than {MOST_FRAMES} are drawn",
                    written.left_out
                );
            }
        }
        if let Some(file) = &self.html {
            let page = player(told, position);
            output::write(file, page)?;
            eprintln!("the page is {}: open it in a browser", file.display());
        }
        Ok(())
    }
}
