//! Series and panels of figures, from the rows of a table.

use tussle_view::Panel;
use tussle_view::chart::{Axis, Chart, Point, Rule, Series};

use crate::mean::Mean;
use crate::table::groups;

/// Returns one point per value of `x`: the mean of `y` over the rows with this value.
pub(crate) fn points<'a, R: 'a>(
    rows: impl IntoIterator<Item = &'a R>,
    x: impl Fn(&R) -> f64,
    y: impl Fn(&R) -> f64,
    mean: impl Fn(&[f64]) -> Mean,
) -> Vec<Point> {
    let point =
        |(x, rows): (f64, Vec<&R>)| mean(&rows.into_iter().map(&y).collect::<Vec<_>>()).point(x);
    groups(rows, x).into_iter().map(point).collect()
}

/// Returns one line per value of `by`, with the [`points`] of its rows.
pub(crate) fn lines<'a, R: 'a, N: PartialEq + Into<String>>(
    rows: impl IntoIterator<Item = &'a R>,
    by: impl Fn(&'a R) -> N,
    x: impl Fn(&R) -> f64,
    y: impl Fn(&R) -> f64,
    mean: impl Fn(&[f64]) -> Mean,
) -> Vec<Series> {
    let line = |(name, rows): (N, Vec<&R>)| Series::line(name, points(rows, &x, &y, &mean));
    groups(rows, by).into_iter().map(line).collect()
}

/// Returns one line per value of `by`, of rows that each are one point.
pub(crate) fn lines_of_points<'a, R: 'a, N: PartialEq + Into<String>>(
    rows: impl IntoIterator<Item = &'a R>,
    by: impl Fn(&'a R) -> N,
    point: impl Fn(&R) -> Point,
) -> Vec<Series> {
    let line =
        |(name, rows): (N, Vec<&R>)| Series::line(name, rows.into_iter().map(&point).collect());
    groups(rows, by).into_iter().map(line).collect()
}

/// Returns a panel with one chart.
pub(crate) fn panel(title: impl Into<String>, x: Axis, y: Axis, series: Vec<Series>) -> Panel {
    Panel::Chart(Chart { title: title.into(), x, y, series, ..Chart::default() })
}

/// Like [`panel`], with a level to compare with.
pub(crate) fn ruled_panel(
    title: impl Into<String>,
    [x, y]: [Axis; 2],
    series: Vec<Series>,
    (level, label): (f64, &str),
) -> Panel {
    let rules = vec![Rule { y: level, label: label.to_owned() }];
    Panel::Chart(Chart { title: title.into(), x, y, series, rules })
}
