//! Pictures that commands write.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tussle_core::Scene;

use crate::failure::Failure;

/// Where a drawing is written, and how it looks.
#[derive(Args)]
pub(super) struct Picture {
    /// Write the drawing as SVG to this file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the drawing as PNG to this file.
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// Colours of the picture.
    #[arg(long, value_enum, default_value_t)]
    theme: Theme,
    /// Size of the PNG: pixels per SVG unit.
    #[arg(long, default_value_t = 2.0, value_name = "FACTOR")]
    scale: f32,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum Theme {
    #[default]
    Light,
    Dark,
}

impl Picture {
    /// Whether a picture was asked for.
    pub(super) fn is_wanted(&self) -> bool {
        self.svg.is_some() || self.png.is_some()
    }

    /// Writes the files that were asked for.
    pub(super) fn write(&self, scene: &Scene) -> Result<(), Failure> {
        if !self.is_wanted() {
            return Ok(());
        }
        let theme = match self.theme {
            Theme::Light => tussle_view::Theme::Light,
            Theme::Dark => tussle_view::Theme::Dark,
        };
        let svg = tussle_view::svg(scene, theme);
        if let Some(path) = &self.svg {
            std::fs::write(path, &svg).map_err(|e| Failure::cannot_write(path, &e))?;
        }
        if let Some(path) = &self.png {
            let png = tussle_view::png(&svg, self.scale)
                .map_err(|e| Failure::usage(format!("cannot draw the PNG: {e}")))?;
            std::fs::write(path, png).map_err(|e| Failure::cannot_write(path, &e))?;
        }
        Ok(())
    }
}
