//! Figures for reports and lectures: charts and boards side by side, with a title.

use tussle_core::{Ink, Scene};

use crate::chart::{Chart, draw};
use crate::svg::EscapedText;
use crate::{CELL, PADDING, Theme, svg};

/// Width and height in pixels of a chart that is the only panel.
const SINGLE_CHART_SIZE: (f64, f64) = (900.0, 540.0);
/// Width and height in pixels of a chart beside other panels.
const CHART_SIZE: (f64, f64) = (560.0, 420.0);
/// Width and height of a board in pixels.
const BOARD: f64 = 380.0;
/// Height of the caption above a board in pixels.
const CAPTION: f64 = 34.0;
/// Height of the figure's title in pixels.
const HEAD: f64 = 44.0;

/// Figure made of charts and boards.
#[derive(Clone, Debug, Default)]
pub struct Figure {
    /// Title above the panels.
    pub title: String,
    /// Charts and boards, in rows from left to right.
    pub panels: Vec<Panel>,
}

/// Part of a figure.
#[derive(Clone, Debug)]
pub enum Panel {
    /// A chart.
    Chart(Chart),
    /// A board with a caption.
    Board {
        /// Caption above the board.
        caption: String,
        /// Drawing of the position.
        scene: Scene,
    },
}

impl Figure {
    /// Creates a figure of one chart.
    pub fn chart(title: impl Into<String>, chart: Chart) -> Self {
        Self { title: title.into(), panels: vec![Panel::Chart(chart)] }
    }

    /// Draws the figure as a self-contained SVG.
    pub fn svg(&self, theme: Theme) -> String {
        let columns = match self.panels.len() {
            0 | 1 => 1,
            3 | 5 | 6 | 9 => 3,
            _ => 2,
        };
        let size = |panel: &Panel| match panel {
            Panel::Chart(_) if self.panels.len() == 1 => SINGLE_CHART_SIZE,
            Panel::Chart(_) => CHART_SIZE,
            Panel::Board { .. } => (BOARD, BOARD + CAPTION),
        };
        let largest = self.panels.iter().map(size);
        let (w, h) = largest.fold((0.0_f64, 0.0_f64), |(w, h), (pw, ph)| (w.max(pw), h.max(ph)));
        let rows = self.panels.len().div_ceil(columns);
        // A long title can be wider than the panels.
        let title = self.title.chars().count() as f64 * 10.5 + 40.0;
        let inside = columns as f64 * w;
        let (width, height) = (inside.max(title), HEAD + rows as f64 * h);
        let (paper, text) = (theme.ink(Ink::Background), theme.ink(Ink::Text));
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" \
             font-family=\"Tussle Sans, DejaVu Sans, Verdana, sans-serif\" \
             stroke-linejoin=\"round\">\n<title>{0}</title>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"{paper}\"/>\n\
             <text x=\"{1}\" y=\"30\" font-size=\"18\" font-weight=\"bold\" \
             text-anchor=\"middle\" fill=\"{text}\">{0}</text>\n",
            EscapedText(&self.title),
            width / 2.0,
        );
        for (i, panel) in self.panels.iter().enumerate() {
            let (row, column) = (i / columns, i % columns);
            let x = (width - inside) / 2.0 + column as f64 * w;
            let y = HEAD + row as f64 * h;
            out += &format!("<g transform=\"translate({x:.1} {y:.1})\">\n");
            match panel {
                Panel::Chart(chart) => out += &draw(chart, size(panel), theme),
                Panel::Board { caption, scene } => out += &board(caption, scene, theme),
            }
            out += "</g>\n";
        }
        out += "</svg>\n";
        out
    }
}

/// Draws a caption and, below it, the board as large as its panel allows.
fn board(caption: &str, scene: &Scene, theme: Theme) -> String {
    let side = |cells: f32| f64::from(2.0 * PADDING + CELL * cells);
    let scale = BOARD / side(scene.width.max(scene.height));
    let (left, top) = (
        (BOARD - scale * side(scene.width)) / 2.0,
        CAPTION + (BOARD - scale * side(scene.height)) / 2.0,
    );
    let text = theme.ink(Ink::Text);
    format!(
        "<text x=\"{:.1}\" y=\"24\" font-size=\"14\" text-anchor=\"middle\" fill=\"{text}\">{}</text>\n\
         <g transform=\"translate({left:.1} {top:.1}) scale({scale:.4})\">\n{}</g>\n",
        BOARD / 2.0,
        EscapedText(caption),
        svg(scene, theme)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::{Axis, Point, Rule, Series};
    use crate::png;

    fn figure() -> Figure {
        let growth = |factor: f64| {
            let points = (1..=8).map(|d| {
                let y = factor.powi(d);
                Point::between(f64::from(d), y, y * 0.7, y * 1.4)
            });
            points.collect()
        };
        let lines = Chart {
            x: Axis::linear("depth (plies)"),
            y: Axis::log("leaves"),
            series: vec![Series::line("minimax", growth(7.0)), Series::line("a < b", growth(3.0))],
            ..Chart::default()
        };
        let bars = Chart {
            title: "Points of the newer one".into(),
            x: Axis::names("c", ["√2", "√2/4", "√2/7", "√2/10"]),
            y: Axis::linear("share of the points").showing(0.0..=1.0),
            series: vec![Series::bars(
                "c",
                [0.55, 0.75, 1.0, 0.85]
                    .into_iter()
                    .enumerate()
                    .map(|(i, y)| Point::between(i as f64, y, y - 0.1, y))
                    .collect(),
            )],
            rules: vec![Rule { y: 0.5, label: "even".into() }],
        };
        Figure { title: "Two panels".into(), panels: vec![Panel::Chart(lines), Panel::Chart(bars)] }
    }

    #[test]
    fn figures_render_in_both_themes() {
        for theme in [Theme::Light, Theme::Dark] {
            let svg = figure().svg(theme);
            assert!(svg.contains(">a &lt; b</text>"));
            assert!(png(&svg, 1.0).unwrap().starts_with(b"\x89PNG"));
            if let Ok(path) = std::env::var("TUSSLE_PICTURE") {
                std::fs::write(path, png(&svg, 2.0).unwrap()).unwrap();
            }
        }
    }

    #[test]
    fn empty_figures_and_charts_render() {
        for figure in [Figure::default(), Figure::chart("none", Chart::default())] {
            assert!(png(&figure.svg(Theme::Light), 1.0).is_ok());
        }
    }
}
