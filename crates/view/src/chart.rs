//! Charts: what was measured, against what was changed.
//!
//! A [`Chart`] is plain data. Series differ in colour, in the dashes of their lines and in the shape of
//! their points, so that no eye and no printer mixes them up; what is uncertain has a band or a bar.

mod draw;
mod scale;

use std::ops::RangeInclusive;

pub(crate) use draw::draw;

/// A chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// What it shows; empty where the figure says it already.
    pub title: String,
    /// From left to right.
    pub x: Axis,
    /// From bottom to top.
    pub y: Axis,
    /// What was measured.
    pub series: Vec<Series>,
    /// What it is to be compared with.
    pub rules: Vec<Rule>,
}

/// An axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// What it is, and its unit in brackets.
    pub label: String,
    /// How numbers become places.
    pub scale: Scale,
    /// These are shown at least; the values decide the rest.
    pub shown: Option<RangeInclusive<f64>>,
}

impl Axis {
    /// An axis of even steps.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), ..Self::default() }
    }

    /// An axis of equal factors.
    pub fn log(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Log, shown: None }
    }

    /// An axis of names; the values are their indices.
    pub fn names<S: Into<String>>(
        label: impl Into<String>,
        names: impl IntoIterator<Item = S>,
    ) -> Self {
        let names = names.into_iter().map(Into::into).collect();
        Self { label: label.into(), scale: Scale::Names(names), shown: None }
    }

    /// The same with at least these values on it.
    #[must_use]
    pub fn showing(mut self, shown: RangeInclusive<f64>) -> Self {
        self.shown = Some(shown);
        self
    }
}

/// How numbers become places.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Scale {
    /// Equal differences are equally far apart.
    #[default]
    Linear,
    /// Equal factors are equally far apart. Only numbers above 0 have a place.
    Log,
    /// Names, evenly apart.
    Names(Vec<String>),
}

/// One kind of thing that was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// How it is drawn.
    pub look: Look,
    /// What was measured, from left to right.
    pub points: Vec<Point>,
}

impl Series {
    /// Points joined by a line.
    pub fn line(name: impl Into<String>, points: Vec<Point>) -> Self {
        Self { name: name.into(), look: Look::Line, points }
    }

    /// Single points.
    pub fn dots(name: impl Into<String>, points: Vec<Point>) -> Self {
        Self { name: name.into(), look: Look::Dots, points }
    }

    /// Bars that stand on the axis.
    pub fn bars(name: impl Into<String>, points: Vec<Point>) -> Self {
        Self { name: name.into(), look: Look::Bars, points }
    }
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Look {
    /// Points joined by a line; uncertainty is a band.
    #[default]
    Line,
    /// As a staircase: a value holds until the next one.
    Steps,
    /// Single points; uncertainty is a bar.
    Dots,
    /// Bars that stand on the axis, those of several series beside each other.
    Bars,
}

/// One measurement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// What was changed.
    pub x: f64,
    /// What came of it.
    pub y: f64,
    /// From here to there it may as well be, with a confidence of 95 %.
    pub range: Option<(f64, f64)>,
}

impl Point {
    /// A value that is certain.
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y, range: None }
    }

    /// A value that may as well be any of the range.
    pub fn between(x: f64, y: f64, low: f64, high: f64) -> Self {
        Self { x, y, range: Some((low, high)) }
    }
}

/// A level to compare with.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// Where it is.
    pub y: f64,
    /// What it is.
    pub label: String,
}
