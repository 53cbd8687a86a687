//! Pictures of a search: numbered frames, and a page that steps through them.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use tussle_catalog::AnyPosition;
use tussle_catalog::text::counted;
use tussle_explain::{Exercise, Explanation, Frames, MAX_FRAMES};

use crate::args::Theme;
use crate::failure::Failure;
use crate::output;

/// Options for pictures of a search.
#[derive(Args)]
pub(super) struct Pictures {
    /// Folder for a numbered SVG of each step
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// HTML file that steps through the search
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Colours of the SVG pictures; the page has both
    #[arg(long, value_enum, default_value_t)]
    theme: Theme,
}

impl Pictures {
    /// Writes the pictures of a search that started in `position`.
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
        eprintln!(
            "wrote {} to {}",
            counted(written.files.len() as u64, "picture"),
            folder.display()
        );
        if written.left_out > 0 {
            eprintln!(
                "{} in between not drawn: the maximum is {MAX_FRAMES} pictures",
                counted(written.left_out as u64, "step")
            );
        }
        Ok(())
    }

    fn write_page(&self, page: impl FnOnce() -> String) -> Result<(), Failure> {
        let Some(file) = &self.html else { return Ok(()) };
        output::write(file, page())?;
        eprintln!("wrote {}: open it in a browser", file.display());
        Ok(())
    }
}
