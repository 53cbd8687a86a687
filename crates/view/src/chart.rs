//! Charts of measurements, as plain data.
//!
//! The series of a [`Chart`] differ in colour, in the dashes of their lines and in the shape of their points, so that readers
//! can distinguish them without colours too. Uncertainty is drawn as a band or an error bar.

mod draw;
mod scale;

use std::ops::RangeInclusive;

pub(crate) use draw::draw;

/// Chart with two axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// Title; empty if the title of the figure is enough.
    pub title: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// Measured data.
    pub series: Vec<Series>,
    /// Horizontal reference lines.
    pub rules: Vec<Rule>,
}

/// Axis of a chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// Quantity, with its unit in parentheses.
    pub label: String,
    /// Mapping from values to positions on the axis.
    pub scale: Scale,
    /// Range that is always visible; the axis extends beyond it if values lie outside.
    pub shown: Option<RangeInclusive<f64>>,
}

impl Axis {
    /// Creates a linear axis.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), ..Self::default() }
    }

    /// Creates a logarithmic axis.
    pub fn log(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Log, shown: None }
    }

    /// Creates an axis with one position per name; values are indices into `names`.
    pub fn names<S: Into<String>>(
        label: impl Into<String>,
        names: impl IntoIterator<Item = S>,
    ) -> Self {
        let names = names.into_iter().map(Into::into).collect();
        Self { label: label.into(), scale: Scale::Names(names), shown: None }
    }

    /// Sets the range that is always visible.
    #[must_use]
    pub fn showing(mut self, shown: RangeInclusive<f64>) -> Self {
        self.shown = Some(shown);
        self
    }
}

/// Mapping from values to positions on an axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Scale {
    /// Linear: equal differences have equal distances.
    #[default]
    Linear,
    /// Logarithmic: equal factors have equal distances. Values of 0 or less are not drawn.
    Log,
    /// Names at equal distances.
    Names(Vec<String>),
}

/// Named sequence of measurements.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// Drawing style.
    pub style: SeriesStyle,
    /// Measurements, from left to right.
    pub points: Vec<Point>,
}

impl Series {
    /// Creates a series of points joined by a line.
    pub fn line(name: impl Into<String>, points: Vec<Point>) -> Self {
        Self { name: name.into(), style: SeriesStyle::Line, points }
    }

    /// Creates a series of separate points.
    pub fn dots(name: impl Into<String>, points: Vec<Point>) -> Self {
        Self { name: name.into(), style: SeriesStyle::Dots, points }
    }

    /// Creates a series of bars.
    pub fn bars(name: impl Into<String>, points: Vec<Point>) -> Self {
        Self { name: name.into(), style: SeriesStyle::Bars, points }
    }
}

/// Drawing style of a series.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SeriesStyle {
    /// Points joined by a line, with uncertainty as a band.
    #[default]
    Line,
    /// Steps: each value holds until the next point.
    Steps,
    /// Separate points, with uncertainty as error bars.
    Dots,
    /// Bars from the horizontal axis; the bars of several series stand side by side.
    Bars,
}

/// One measurement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Position on the horizontal axis: the quantity that was varied.
    pub x: f64,
    /// Measured value.
    pub y: f64,
    /// 95 % confidence interval of `y`; `None` if it is exact.
    pub range: Option<(f64, f64)>,
}

impl Point {
    /// Creates a point without uncertainty.
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y, range: None }
    }

    /// Creates a point with the 95 % confidence interval from `low` to `high`.
    pub fn between(x: f64, y: f64, low: f64, high: f64) -> Self {
        Self { x, y, range: Some((low, high)) }
    }
}

/// Horizontal reference line.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// Position on the vertical axis.
    pub y: f64,
    /// Text beside the line.
    pub label: String,
}
