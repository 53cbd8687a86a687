//! The search as pictures: numbered frames, and a page that plays them.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use tussle_catalog::AnyPosition;
use tussle_explain::{Exercise, Explanation, Frames, MAX_FRAMES};

use crate::args::Theme;
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
    /// Writes what was asked for; the search began at `position`.
    pub(super) fn write(
        &self,
        told: &Explanation,
        position: &dyn AnyPosition,
    ) -> Result<(), Failure> {
        self.write_frames(|folder, theme| told.frames(folder, theme))?;
        self.write_page(|| told.page(position))
    }

    /// Writes the pictures of an exercise; `game` is the spec of its tree.
    pub(super) fn write_exercise(&self, exercise: &Exercise, game: &str) -> Result<(), Failure> {
        self.write_frames(|folder, theme| exercise.frames(folder, theme))?;
        self.write_page(|| exercise.page(game))
    }

    fn write_frames(
        &self,
        frames: impl FnOnce(&Path, tussle_view::Theme) -> io::Result<Frames>,
    ) -> Result<(), Failure> {
        let Some(folder) = &self.svg else { return Ok(()) };
        let written = frames(folder, self.theme.into())
            .map_err(|error| Failure::cannot_write(folder, &error))?;
        eprintln!("{} pictures are in {}", written.files.len(), folder.display());
        if written.left_out > 0 {
            eprintln!(
                "{} steps between have none: no more than {MAX_FRAMES} are drawn",
                written.left_out
            );
        }
        Ok(())
    }

    fn write_page(&self, page: impl FnOnce() -> String) -> Result<(), Failure> {
        let Some(file) = &self.html else { return Ok(()) };
        output::write(file, page())?;
        eprintln!("the page is {}: open it in a browser", file.display());
        Ok(())
    }
}
