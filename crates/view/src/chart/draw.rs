//! Charts as SVG.

use std::fmt::Write as _;

use tussle_core::Ink;

use super::scale::Ruler;
use super::{Chart, Point, Scale, Series, SeriesStyle};
use crate::Theme;
use crate::svg::EscapedText;

/// Font sizes in pixels.
const TITLE: f64 = 15.0;
const WORD: f64 = 13.0;
const TICK: f64 = 12.0;
/// Average width of a letter, for a font size of 1.
const LETTER_WIDTH: f64 = 0.6;
/// Radius of a round point mark in pixels.
const R: f64 = 4.0;
/// Dash patterns that distinguish series, besides colours and shapes.
const DASHES: [&str; 4] = ["none", "9 4", "3 3", "11 3 3 3"];
/// Lines with more points than this have no point marks.
const MAX_MARKED_POINTS: usize = 60;

/// Draws a chart of `width` x `height` pixels as SVG elements, without the enclosing `<svg>`.
pub(crate) fn draw(chart: &Chart, (width, height): (f64, f64), theme: Theme) -> String {
    let Chart { x, y, series, rules, title } = chart;
    let points = || series.iter().flat_map(|series| &series.points);
    let across = Ruler::new(x, points().map(|point| point.x));
    // Readers compare the lengths of bars, so the axis must include 0.
    let has_bars = series.iter().any(|series| series.style == SeriesStyle::Bars);
    let zero = (has_bars && y.scale == Scale::Linear).then_some(0.0);
    let heights = points().flat_map(|point| {
        let (low, high) = point.range.unwrap_or((point.y, point.y));
        [point.y, low, high]
    });
    let up = Ruler::new(y, heights.chain(rules.iter().map(|rule| rule.y)).chain(zero));

    let named = |ruler: &Ruler, most: usize| -> Vec<(f64, String)> {
        ruler.ticks(most).into_iter().map(|tick| (tick, ruler.name(tick))).collect()
    };
    let y_ticks = named(&up, (height / 50.0) as usize);
    let widest = y_ticks.iter().map(|(_, name)| name.chars().count()).max().unwrap_or(1);
    let left = 34.0 + widest as f64 * LETTER_WIDTH * TICK;
    let x_ticks = named(&across, (width / 75.0) as usize);
    // Names that would overlap are slanted.
    let room = (width - left - 20.0) / x_ticks.len().max(1) as f64;
    let longest = x_ticks.iter().map(|(_, name)| name.chars().count()).max().unwrap_or(1) as f64;
    let is_slanted = longest * LETTER_WIDTH * TICK > room;
    let foot = if is_slanted { 36.0 + longest * LETTER_WIDTH * TICK * 0.5 } else { 46.0 };
    // Bars leave no corner free: place the legend above the chart area.
    let is_above = has_bars && series.len() > 1;
    let head = if title.is_empty() { 14.0 } else { 36.0 } + if is_above { 24.0 } else { 0.0 };
    let frame = Frame { left, top: head, right: width - 20.0, bottom: height - foot, across, up };

    let mut painter = Painter { frame, theme, svg: String::new(), labels: Vec::new() };
    painter.axes(chart, height, &x_ticks, &y_ticks, is_slanted);
    for rule in rules {
        painter.rule(rule.y, &rule.label, series);
    }
    let bars = series.iter().filter(|series| series.style == SeriesStyle::Bars).count();
    let mut bar = 0;
    for (number, series) in series.iter().enumerate() {
        if series.style == SeriesStyle::Bars {
            painter.bars(number, series, (bar, bars));
            bar += 1;
        } else {
            painter.series(number, series);
        }
    }
    if is_above {
        painter.legend_above(series);
    } else if series.len() > 1 {
        painter.legend(series);
    }
    painter.svg
}

/// Chart area inside the axes, in pixels.
struct Frame {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
    across: Ruler,
    up: Ruler,
}

impl Frame {
    fn x(&self, value: f64) -> f64 {
        self.left + self.across.share(value) * (self.right - self.left)
    }

    fn y(&self, value: f64) -> f64 {
        self.bottom - self.up.share(value).clamp(-0.1, 1.1) * (self.bottom - self.top)
    }
}

struct Painter {
    frame: Frame,
    theme: Theme,
    svg: String,
    /// Positions covered by the labels of reference lines, which the legend avoids.
    labels: Vec<(f64, f64)>,
}

/// Horizontal alignment of a text at its position.
#[derive(Clone, Copy)]
enum Side {
    Start,
    Middle,
    End,
}

impl Painter {
    fn text(&mut self, (x, y): (f64, f64), size: f64, side: Side, ink: Ink, text: &str) {
        let anchor = match side {
            Side::Start => "start",
            Side::Middle => "middle",
            Side::End => "end",
        };
        let fill = self.theme.ink(ink);
        let _ = writeln!(
            self.svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" text-anchor=\"{anchor}\" \
             fill=\"{fill}\">{}</text>",
            EscapedText(text)
        );
    }

    fn line(
        &mut self,
        from: (f64, f64),
        to: (f64, f64),
        stroke: impl std::fmt::Display,
        more: &str,
    ) {
        let _ = writeln!(
            self.svg,
            "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"{stroke}\" fill=\"none\"{more}/>",
            from.0, from.1, to.0, to.1
        );
    }

    fn axes(
        &mut self,
        chart: &Chart,
        height: f64,
        x_ticks: &[(f64, String)],
        y_ticks: &[(f64, String)],
        is_slanted: bool,
    ) {
        let Frame { left, top, right, bottom, .. } = self.frame;
        let grid = self.theme.ink(Ink::Grid);
        if !chart.title.is_empty() {
            self.text(
                (f64::midpoint(left, right), 22.0),
                TITLE,
                Side::Middle,
                Ink::Text,
                &chart.title,
            );
        }
        let has_names = matches!(chart.x.scale, Scale::Names(_));
        for (tick, name) in x_ticks {
            let x = self.frame.x(*tick);
            if !has_names {
                self.line((x, top), (x, bottom), grid, " opacity=\".4\"");
            }
            if is_slanted {
                let turn = format!("<g transform=\"rotate(-30 {x:.1} {:.1})\">", bottom + 14.0);
                self.svg += &turn;
                self.text((x + 4.0, bottom + 14.0), TICK, Side::End, Ink::Text, name);
                self.svg += "</g>\n";
            } else {
                self.text((x, bottom + 18.0), TICK, Side::Middle, Ink::Text, name);
            }
        }
        for (tick, name) in y_ticks {
            let y = self.frame.y(*tick);
            self.line((left, y), (right, y), grid, " opacity=\".4\"");
            self.text((left - 7.0, y + 0.36 * TICK), TICK, Side::End, Ink::Text, name);
        }
        let edge = self.theme.ink(Ink::Faint);
        self.line((left, bottom), (right, bottom), edge, "");
        self.line((left, top), (left, bottom), edge, "");
        let middle = f64::midpoint(left, right);
        self.text((middle, height - 8.0), WORD, Side::Middle, Ink::Text, &chart.x.label);
        let at = (16.0, f64::midpoint(top, bottom));
        self.svg += &format!("<g transform=\"rotate(-90 {:.1} {:.1})\">", at.0, at.1);
        self.text(at, WORD, Side::Middle, Ink::Text, &chart.y.label);
        self.svg += "</g>\n";
    }

    /// Draws a reference line, with its label at the end where it covers the least.
    fn rule(&mut self, value: f64, label: &str, series: &[Series]) {
        let (y, Frame { left, right, .. }) = (self.frame.y(value), &self.frame);
        let (left, right) = (*left, *right);
        let ink = self.theme.ink(Ink::Faint);
        self.line((left, y), (right, y), ink, " stroke-dasharray=\"2 4\" stroke-width=\"1.5\"");
        let wide = label.chars().count() as f64 * LETTER_WIDTH * TICK;
        let drawn = self.drawn(series);
        let crowd = |&(side, under): &(Side, f64)| {
            let from = if matches!(side, Side::Start) { left } else { right - wide - 8.0 };
            let (low, high) = (y + under - TICK - 4.0, y + under + 6.0);
            let near = |at: &&(f64, f64)| {
                at.0 > from && at.0 < from + wide + 8.0 && at.1 > low && at.1 < high
            };
            drawn.iter().filter(near).count()
        };
        let places =
            [(Side::End, -5.0), (Side::Start, -5.0), (Side::End, 15.0), (Side::Start, 15.0)];
        let (side, under) = places.into_iter().min_by_key(crowd).unwrap_or(places[0]);
        let x = if matches!(side, Side::Start) { left + 6.0 } else { right - 4.0 };
        self.text((x, y + under), TICK, side, Ink::Faint, label);
        let from = if matches!(side, Side::Start) { x } else { x - wide };
        self.labels.extend((0..=8).map(|i| (from + f64::from(i) / 8.0 * wide, y + under)));
    }

    /// Returns positions along the points and lines of all series, dense enough to find what a label would cover.
    fn drawn(&self, series: &[Series]) -> Vec<(f64, f64)> {
        let mut places = Vec::new();
        for series in series {
            let at = |point: &Point| (self.frame.x(point.x), self.frame.y(point.y));
            places.extend(series.points.iter().map(at));
            if matches!(series.style, SeriesStyle::Line | SeriesStyle::Steps) {
                for pair in series.points.windows(2) {
                    let ((x0, y0), (x1, y1)) = (at(&pair[0]), at(&pair[1]));
                    let between = (1..20).map(|i| f64::from(i) / 20.0);
                    places.extend(between.map(|t| (x0 + t * (x1 - x0), y0 + t * (y1 - y0))));
                }
            }
        }
        places
    }

    fn colour(&self, number: usize) -> crate::Rgb {
        self.theme.ink(Ink::Player(number as u8))
    }

    fn series(&mut self, number: usize, series: &Series) {
        let colour = self.colour(number);
        let points: Vec<&Point> = series.points.iter().filter(|p| p.y.is_finite()).collect();
        let is_line = series.style != SeriesStyle::Dots;
        if is_line {
            self.band(colour, &points);
            let mut path = String::new();
            for (i, point) in points.iter().enumerate() {
                let (x, y) = (self.frame.x(point.x), self.frame.y(point.y));
                match (i, series.style) {
                    (0, _) => path += &format!("M{x:.1} {y:.1}"),
                    (_, SeriesStyle::Steps) => path += &format!("H{x:.1}V{y:.1}"),
                    _ => path += &format!("L{x:.1} {y:.1}"),
                }
            }
            let dash = DASHES[number % DASHES.len()];
            let _ = writeln!(
                self.svg,
                "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2.2\" \
                 stroke-dasharray=\"{dash}\"/>"
            );
        } else {
            for point in &points {
                self.error_bar(self.frame.x(point.x), point, colour);
            }
        }
        if !is_line || points.len() <= MAX_MARKED_POINTS {
            for point in points {
                let at = (self.frame.x(point.x), self.frame.y(point.y));
                self.mark(number, at, colour);
            }
        }
    }

    fn band(&mut self, colour: crate::Rgb, points: &[&Point]) {
        if points.iter().all(|point| point.range.is_none()) {
            return;
        }
        let edge = |point: &Point, is_high: bool| {
            let (low, high) = point.range.unwrap_or((point.y, point.y));
            format!(
                "{:.1},{:.1} ",
                self.frame.x(point.x),
                self.frame.y(if is_high { high } else { low })
            )
        };
        let low: String = points.iter().map(|point| edge(point, false)).collect();
        let high: String = points.iter().rev().map(|point| edge(point, true)).collect();
        let _ = writeln!(
            self.svg,
            "<polygon points=\"{low}{high}\" fill=\"{colour}\" opacity=\".16\"/>"
        );
    }

    fn error_bar(&mut self, x: f64, point: &Point, colour: impl std::fmt::Display) {
        let Some((low, high)) = point.range else { return };
        let (low, high) = (self.frame.y(low), self.frame.y(high));
        let _ = writeln!(
            self.svg,
            "<path d=\"M{x:.1} {low:.1}V{high:.1}M{:.1} {low:.1}h8M{:.1} {high:.1}h8\" \
             stroke=\"{colour}\" stroke-width=\"1.6\" fill=\"none\"/>",
            x - 4.0,
            x - 4.0
        );
    }

    /// Draws a point with the shape of its series.
    fn mark(&mut self, number: usize, (x, y): (f64, f64), colour: crate::Rgb) {
        let fill =
            if (number / 4).is_multiple_of(2) { colour } else { self.theme.ink(Ink::Background) };
        let style = format!("fill=\"{fill}\" stroke=\"{colour}\" stroke-width=\"1.4\"");
        let _ = match number % 4 {
            0 => writeln!(self.svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{R}\" {style}/>"),
            1 => writeln!(
                self.svg,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"7\" height=\"7\" {style}/>",
                x - 3.5,
                y - 3.5
            ),
            2 => writeln!(self.svg, "<path d=\"M{x:.1} {:.1}l4.6 8h-9.2z\" {style}/>", y - 5.2),
            _ => writeln!(self.svg, "<path d=\"M{x:.1} {:.1}l5 5l-5 5l-5-5z\" {style}/>", y - 5.0),
        };
    }

    fn bars(&mut self, number: usize, series: &Series, (bar, bars): (usize, usize)) {
        let colour = self.colour(number);
        // Names are 1 apart; the bars of one name share 76 % of that.
        let wide = (self.frame.x(1.0) - self.frame.x(0.0)).abs() * 0.76 / bars as f64;
        let base = self.frame.y(self.frame.up.low().max(0.0));
        for point in series.points.iter().filter(|point| point.y.is_finite()) {
            let middle = self.frame.x(point.x) + (bar as f64 - (bars as f64 - 1.0) / 2.0) * wide;
            let top = self.frame.y(point.y);
            let (y, high) = (top.min(base), (top - base).abs());
            let _ = writeln!(
                self.svg,
                "<rect x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{high:.1}\" \
                 fill=\"{colour}\" opacity=\".82\"/>",
                middle - wide * 0.46,
                wide * 0.92
            );
            let ink = self.theme.ink(Ink::Text);
            self.error_bar(middle, point, ink);
        }
    }

    /// Draws the legend in the corner where it covers the least.
    fn legend(&mut self, series: &[Series]) {
        let Frame { left, top, right, bottom, .. } = self.frame;
        let longest = series.iter().map(|series| series.name.chars().count()).max().unwrap_or(0);
        let (w, h) =
            (52.0 + longest as f64 * LETTER_WIDTH * WORD, 10.0 + 20.0 * series.len() as f64);
        let gap = 10.0;
        let corners = [
            (left + gap, top + gap),
            (right - gap - w, top + gap),
            (right - gap - w, bottom - gap - h),
            (left + gap, bottom - gap - h),
        ];
        let ends = |point: &Point| {
            let (low, high) = point.range.unwrap_or((point.y, point.y));
            let x = self.frame.x(point.x);
            [point.y, low, high].map(|y| (x, self.frame.y(y)))
        };
        let mut places: Vec<(f64, f64)> = self.labels.clone();
        for series in series {
            places.extend(series.points.iter().flat_map(ends));
            // The legend must not cover the lines between points either.
            if matches!(series.style, SeriesStyle::Line | SeriesStyle::Steps) {
                for pair in series.points.windows(2) {
                    for (from, to) in ends(&pair[0]).into_iter().zip(ends(&pair[1])) {
                        let part = |share: f64| {
                            (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share)
                        };
                        places.extend([0.2, 0.4, 0.6, 0.8].map(part));
                    }
                }
            }
        }
        let crowd = |&(x, y): &(f64, f64)| {
            let near = |at: &&(f64, f64)| {
                at.0 > x - gap && at.0 < x + w + gap && at.1 > y - gap && at.1 < y + h + gap
            };
            places.iter().filter(near).count()
        };
        let (x, y) = corners.into_iter().min_by_key(crowd).unwrap_or(corners[0]);
        let (paper, edge) = (self.theme.ink(Ink::Background), self.theme.ink(Ink::Grid));
        let _ = writeln!(
            self.svg,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" rx=\"4\" \
             fill=\"{paper}\" fill-opacity=\".88\" stroke=\"{edge}\"/>"
        );
        for (number, series) in series.iter().enumerate() {
            self.name(number, series, (x, y + 15.0 + 20.0 * number as f64));
        }
    }

    /// Draws the legend in a row above the chart area.
    fn legend_above(&mut self, series: &[Series]) {
        let wide =
            |series: &Series| 62.0 + series.name.chars().count() as f64 * LETTER_WIDTH * WORD;
        let all: f64 = series.iter().map(wide).sum();
        let Frame { left, top, right, .. } = self.frame;
        let mut x = f64::midpoint(left, right) - all / 2.0;
        for (number, series) in series.iter().enumerate() {
            self.name(number, series, (x, top - 14.0));
            x += wide(series);
        }
    }

    /// Draws the legend entry of a series: a sample of its style and its name.
    fn name(&mut self, number: usize, series: &Series, (x, middle): (f64, f64)) {
        let colour = self.colour(number);
        match series.style {
            SeriesStyle::Bars => {
                let _ = writeln!(
                    self.svg,
                    "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"14\" height=\"12\" \
                     fill=\"{colour}\" opacity=\".82\"/>",
                    x + 16.0,
                    middle - 6.0
                );
            }
            SeriesStyle::Dots => self.mark(number, (x + 23.0, middle), colour),
            SeriesStyle::Line | SeriesStyle::Steps => {
                let dash = DASHES[number % DASHES.len()];
                let more = format!(" stroke-width=\"2.2\" stroke-dasharray=\"{dash}\"");
                self.line((x + 8.0, middle), (x + 38.0, middle), colour, &more);
                self.mark(number, (x + 23.0, middle), colour);
            }
        }
        let at = (x + 45.0, middle + 0.36 * WORD);
        self.text(at, WORD, Side::Start, Ink::Text, &series.name);
    }
}
