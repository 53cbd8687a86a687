//! Renders a [`Scene`](tussle_core::Scene), the plain-data drawing every game gives of its
//! positions.
//!
//! | item | makes |
//! |---|---|
//! | [`svg`] | a self-contained vector picture, in a light or dark [`Theme`] |
//! | [`svg_for_page`] | a vector picture whose colours follow the theme of the page around it |
//! | [`png`] | pixels from an SVG, with the fonts of this crate only, so that they are the same on every machine |
//! | [`text`] | the terminal drawing, in colours or plain |
//! | [`Figure`] | charts ([`mod@chart`]) and boards side by side, for reports |
//! | [`tree::Plan`] | the layout and the scene of a tree |
//!
//! Scenes name their colours by meaning; [`Theme::ink`] and [`Theme::heat`] return the values, for other
//! drawings with the same colours. One cell is [`CELL`] pixels, and [`PADDING`] pixels surround the scene.
//!
//! ```
//! use tussle_core::{Ink, Mark, MarkKind, Scene};
//! use tussle_view::{Theme, png, svg, text};
//!
//! let mut scene = Scene::new(3.0, 1.0);
//! scene.rect(0.0, 0.0, 3.0, 1.0, Ink::Board);
//! scene.disc(1.5, 0.5, 0.4, Ink::Player(0));
//! let spot = scene.spot("b1", 1.0, 0.0, 1.0, 1.0);
//! scene.marks.push(Mark { spot, kind: MarkKind::LastMove });
//! scene.rows.push(". X .".into());
//!
//! let picture = svg(&scene, Theme::Light);
//! assert!(picture.contains("<title>Position, last move b1</title>"));
//! assert!(png(&picture, 2.0)?.starts_with(b"\x89PNG"));
//! assert_eq!(text(&scene, false), ". X .\n");
//! # Ok::<(), tussle_view::ViewError>(())
//! ```

pub mod chart;
mod figure;
mod palette;
mod png;
mod svg;
mod terminal;
pub mod tree;

pub use figure::{Figure, Panel};
pub use palette::{Rgb, Theme};
pub use png::{ViewError, png};
pub use svg::{CELL, EscapedText, PADDING, svg, svg_for_page};
pub use terminal::text;
