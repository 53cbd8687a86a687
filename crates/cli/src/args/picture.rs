//! Options for pictures that commands write.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use tussle_core::Scene;

use crate::failure::Failure;
use crate::output;

/// Output files and style of a drawing.
#[derive(Args)]
pub(crate) struct Picture {
    /// SVG file for the drawing
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// PNG file for the drawing
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// Colours of the picture
    #[arg(long, value_enum, default_value_t)]
    theme: Theme,
    /// Size of the PNG: pixels per SVG unit
    #[arg(long, default_value_t = 2.0, value_name = "FACTOR")]
    scale: f32,
}

/// Colours of a picture.
#[derive(Clone, Copy, Default, ValueEnum)]
pub(crate) enum Theme {
    #[default]
    Light,
    Dark,
}

impl From<Theme> for tussle_view::Theme {
    fn from(theme: Theme) -> Self {
        match theme {
            Theme::Light => Self::Light,
            Theme::Dark => Self::Dark,
        }
    }
}

impl Picture {
    /// Returns the output files.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        [&self.svg, &self.png].into_iter().flatten().map(PathBuf::as_path)
    }

    /// Returns true if there is an output file.
    pub(crate) fn is_wanted(&self) -> bool {
        self.svg.is_some() || self.png.is_some()
    }

    /// Returns true if an output path is a folder, which gets a picture of each position.
    pub(crate) fn is_series(&self) -> bool {
        [&self.svg, &self.png].into_iter().flatten().any(|path| path.is_dir())
    }

    /// Writes the output files.
    pub(crate) fn write(&self, scene: &Scene) -> Result<(), Failure> {
        self.write_to(scene, self.svg.as_deref(), self.png.as_deref())
    }

    /// Writes picture number `n` of a series into the output folders.
    pub(crate) fn write_numbered(&self, scene: &Scene, n: usize) -> Result<(), Failure> {
        let file = |folder: &Option<PathBuf>, end: &str| {
            folder
                .as_ref()
                .filter(|path| path.is_dir())
                .map(|path| path.join(format!("{n:04}.{end}")))
        };
        self.write_to(scene, file(&self.svg, "svg").as_deref(), file(&self.png, "png").as_deref())
    }

    fn write_to(
        &self,
        scene: &Scene,
        svg_file: Option<&Path>,
        png_file: Option<&Path>,
    ) -> Result<(), Failure> {
        if svg_file.is_none() && png_file.is_none() {
            return Ok(());
        }
        let svg = tussle_view::svg(scene, self.theme.into());
        if let Some(path) = svg_file {
            output::write(path, &svg)?;
        }
        if let Some(path) = png_file {
            let png = tussle_view::png(&svg, self.scale)
                .map_err(|e| Failure::usage(format!("cannot draw the PNG: {e}")))?;
            output::write(path, png)?;
        }
        Ok(())
    }
}
