//! Colours of a drawing: values of one theme, or CSS custom properties with a value for each theme.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use tussle_core::Ink;

use super::marks::HEAT_OPACITY;
use crate::palette::{PLAYERS, blend};
use crate::{Rgb, Theme};

/// Number of steps from 0 to 1 to which heat is rounded in drawings for a page, so that the CSS property of a step has the
/// same colour in every drawing.
const HEAT_STEPS: f32 = 1000.0;

/// Colour, named by its meaning.
#[derive(Clone, Copy)]
pub(super) enum Paint {
    /// Colour of a shape.
    Ink(Ink),
    /// Heat of a move, from 0 (bad) to 1 (good).
    Heat(f32),
    /// Heat over the board, at [`HEAT_OPACITY`].
    HeatOnBoard(f32),
}

impl Paint {
    fn colour(self, theme: Theme) -> Rgb {
        match self {
            Self::Ink(ink) => theme.ink(ink),
            Self::Heat(heat) => theme.heat(heat),
            Self::HeatOnBoard(heat) => blend(theme.ink(Ink::Board), theme.heat(heat), HEAT_OPACITY),
        }
    }

    /// Rounds heat to the nearest step.
    fn rounded(self) -> Self {
        let round = |heat: f32| (heat.clamp(0.0, 1.0) * HEAT_STEPS).round() / HEAT_STEPS;
        match self {
            Self::Ink(ink) => Self::Ink(ink),
            Self::Heat(heat) => Self::Heat(round(heat)),
            Self::HeatOnBoard(heat) => Self::HeatOnBoard(round(heat)),
        }
    }

    /// Returns the name of the custom property. Its prefix avoids conflicts with the page's own properties.
    fn name(self) -> String {
        let player = |p: u8| usize::from(p) % PLAYERS;
        let step = |heat: f32| (heat * HEAT_STEPS).round();
        match self {
            Self::Ink(Ink::Background) => "--ink-background".to_owned(),
            Self::Ink(Ink::Board) => "--ink-board".to_owned(),
            Self::Ink(Ink::BoardAlt) => "--ink-board-alt".to_owned(),
            Self::Ink(Ink::Grid) => "--ink-grid".to_owned(),
            Self::Ink(Ink::Blocked) => "--ink-blocked".to_owned(),
            Self::Ink(Ink::Text) => "--ink-text".to_owned(),
            Self::Ink(Ink::Faint) => "--ink-faint".to_owned(),
            Self::Ink(Ink::Player(p)) => format!("--ink-player-{}", player(p)),
            Self::Ink(Ink::Stone(p)) => format!("--ink-stone-{}", p.min(1)),
            Self::Ink(Ink::Trail(p)) => format!("--ink-trail-{}", player(p)),
            Self::Ink(Ink::OnPlayer(_)) => "--ink-on-player".to_owned(),
            Self::Ink(Ink::Accent) => "--ink-accent".to_owned(),
            Self::Heat(heat) => format!("--heat-{}", step(heat)),
            Self::HeatOnBoard(heat) => format!("--heat-on-board-{}", step(heat)),
        }
    }
}

/// Source of the colours of a drawing.
pub(super) enum Colours {
    /// Values of a theme.
    Theme(Theme),
    /// Custom properties. The map collects those in use, with their light and dark values.
    Page(RefCell<BTreeMap<String, [Rgb; 2]>>),
}

/// Value of a colour attribute.
pub(super) enum Colour {
    Value(Rgb),
    Property(String),
}

impl Display for Colour {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(colour) => colour.fmt(f),
            Self::Property(name) => write!(f, "var({name})"),
        }
    }
}

impl Colours {
    pub(super) fn page() -> Self {
        Self::Page(RefCell::default())
    }

    /// Returns the value of a colour attribute. A colour that both themes share is written as a plain value.
    pub(super) fn get(&self, paint: Paint) -> Colour {
        let used = match self {
            Self::Theme(theme) => return Colour::Value(paint.colour(*theme)),
            Self::Page(used) => used,
        };
        let paint = paint.rounded();
        let [light, dark] = [Theme::Light, Theme::Dark].map(|theme| paint.colour(theme));
        if light == dark {
            return Colour::Value(light);
        }
        let name = paint.name();
        used.borrow_mut().insert(name.clone(), [light, dark]);
        Colour::Property(name)
    }

    /// Writes the values of the custom properties. They are set on the root of the document, so that a part of the drawing
    /// keeps its colours elsewhere in the page. Browsers compute `light-dark()` where a property is used.
    pub(super) fn write_style(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self::Page(used) = self else { return Ok(()) };
        let used = used.borrow();
        f.write_str("<style>:root{")?;
        used.iter().try_for_each(|(name, [light, _])| write!(f, "{name}:{light};"))?;
        f.write_str("}@supports (color:light-dark(#000,#fff)){:root{")?;
        used.iter().try_for_each(|(name, [light, dark])| {
            write!(f, "{name}:light-dark({light},{dark});")
        })?;
        f.write_str("}}</style>\n")
    }
}
