//! Figure with a panel for each field and a line for each format.

use tussle_arena::Format;

use super::Line;
use super::simulation::{Field, Reliability};

/// Width of a panel, in the units of the SVG like the following lengths.
const PANEL: f64 = 270.0;
/// Left edge of the first panel.
const LEFT: f64 = 62.0;
/// Top edge of a panel in its row.
const TOP: f64 = 64.0;
/// Height of a panel.
const HEIGHT: f64 = 220.0;
/// Gap between two panels.
const GAP: f64 = 60.0;

/// Number of panels in a row.
const COLUMNS: usize = 2;

/// Returns the name, colour and dashes of a format. The colours are those of Okabe and Ito, which readers with colour
/// blindness can distinguish.
fn look(format: Format) -> (&'static str, &'static str, &'static str) {
    match format {
        Format::Swiss => ("Swiss", "#0072b2", "7 4"),
        Format::Adaptive => ("adaptive", "#d55e00", "none"),
        _ => ("round robin", "#000000", "2 4"),
    }
}

/// Returns the figure as SVG.
pub(super) fn svg(panels: &[(Field, Vec<Line>)]) -> String {
    let all = || panels.iter().flat_map(|(_, lines)| lines).flat_map(|line| &line.points);
    let least = all().map(|point| point.ordered).fold(1.0, f64::min);
    let most = all().map(|point| point.ordered).fold(0.0, f64::max);
    let low = (least * 20.0).floor() as u32 * 5;
    let high = (most * 20.0).ceil() as u32 * 5;
    let width = LEFT + COLUMNS as f64 * (PANEL + GAP) - GAP + 16.0;
    let row = HEIGHT + 84.0;
    let rows = panels.len().div_ceil(COLUMNS) as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-12 0 {} {}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <title>Reliability of a ranking by number of games and format</title>\n\
         <rect x=\"-12\" width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        width + 12.0,
        TOP + rows * row - 34.0
    );
    svg += &format!(
        "<text transform=\"translate(4 {}) rotate(-90)\" text-anchor=\"middle\">\
         pairs of agents in the right order</text>\n",
        TOP + (rows * row - 84.0) / 2.0
    );
    let formats = panels.first().map_or(&[][..], |(_, lines)| lines);
    for (i, line) in formats.iter().enumerate() {
        let (name, ..) = look(line.format);
        let (x, y) = (LEFT + 130.0 * i as f64, 20.0);
        svg += &stroke(line.format, &[(x, y), (x + 36.0, y)]);
        svg += &mark(line.format, x + 18.0, y);
        svg += &format!("<text x=\"{}\" y=\"{}\">{name}</text>\n", x + 44.0, y + 4.0);
    }
    for (i, (field, lines)) in panels.iter().enumerate() {
        let (column, line) = ((i % COLUMNS) as f64, (i / COLUMNS) as f64);
        svg += &format!("<g transform=\"translate(0 {})\">\n", line * row);
        svg += &panel(LEFT + column * (PANEL + GAP), field, lines, low, high);
        svg += "</g>\n";
    }
    svg + "</svg>\n"
}

fn panel(left: f64, field: &Field, lines: &[Line], low: u32, high: u32) -> String {
    let agents = field.elo.len() as f64;
    let full = agents * (agents - 1.0);
    let (from, to) = ((0.36 * full).ln(), (4.4 * full).ln());
    let x = |games: f64| left + PANEL * (games.ln() - from) / (to - from);
    let y = |percent: f64| TOP + HEIGHT * (f64::from(high) - percent) / f64::from(high - low);
    let mut svg = format!(
        "<text x=\"{left}\" y=\"{}\" font-weight=\"bold\">{}</text>\n",
        TOP - 12.0,
        field.name
    );
    for percent in (low..=high).step_by(5) {
        let at = y(f64::from(percent));
        svg += &format!(
            "<path d=\"M{left:.1} {at:.1}h{PANEL}\" stroke=\"#dddddd\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{percent} %</text>\n",
            left - 6.0,
            at + 4.0
        );
    }
    let bottom = TOP + HEIGHT;
    for rounds in [0.5, 1.0, 2.0, 4.0] {
        let at = x(rounds * full);
        svg += &format!(
            "<path d=\"M{at:.1} {bottom}v5\" stroke=\"#000000\"/>\n\
             <text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{:.0}</text>\n",
            bottom + 18.0,
            rounds * full
        );
    }
    svg += &format!(
        "<path d=\"M{left} {TOP}v{HEIGHT}h{PANEL}\" fill=\"none\" stroke=\"#000000\"/>\n\
         <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">games</text>\n",
        left + PANEL / 2.0,
        bottom + 38.0
    );
    for line in lines {
        let at = |point: &Reliability| (x(point.games), y(100.0 * point.ordered));
        let points: Vec<_> = line.points.iter().map(at).collect();
        svg += &stroke(line.format, &points);
        for &(x, y) in &points {
            svg += &mark(line.format, x, y);
        }
    }
    svg
}

fn stroke(format: Format, points: &[(f64, f64)]) -> String {
    let (_, colour, dashes) = look(format);
    let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    format!(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" \
         stroke-dasharray=\"{dashes}\"/>\n",
        points.join(" ")
    )
}

/// Returns the mark of a format: a dot, a square or a triangle, so that the figure can be read without colours.
fn mark(format: Format, x: f64, y: f64) -> String {
    let (_, colour, _) = look(format);
    match format {
        Format::Swiss => format!(
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"7\" height=\"7\" fill=\"{colour}\"/>\n",
            x - 3.5,
            y - 3.5
        ),
        Format::Adaptive => {
            format!("<path d=\"M{x:.1} {:.1}l4.5 8h-9z\" fill=\"{colour}\"/>\n", y - 5.0)
        }
        _ => {
            format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{colour}\"/>\n")
        }
    }
}
