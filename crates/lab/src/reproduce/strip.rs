//! Pictures of published shares and ours on a strip from 0 to 100 %.

use super::result::{Measurement, Row};

const WIDTH: f64 = 240.0;
const MARGIN: f64 = 8.0;
/// Distance of the lines of a strip.
const LINE: f64 = 13.0;

/// Draws the shares of a row as SVG, in the colours of the page: the published one first.
pub(super) fn strip(row: &Row) -> Option<String> {
    let mut lines = String::new();
    let mut y = 10.0;
    let mut label = Vec::new();
    let mut add = |value: &Measurement, class: &str, name: &str| match value {
        Measurement::Share(counted) => {
            let (low, high) = counted.interval();
            let (from, at, to) = (place(low), place(counted.share()), place(high));
            lines += &format!(
                "<g class=\"{class}\"><path d=\"M{from:.1} {y}H{to:.1}\"/>\
                 <path d=\"M{from:.1} {:.1}v6M{to:.1} {:.1}v6\"/>\
                 <circle cx=\"{at:.1}\" cy=\"{y}\" r=\"4\"/></g>",
                y - 3.0,
                y - 3.0
            );
            label.push(format!("{name} {}", value.words()));
            y += LINE;
        }
        Measurement::AtLeast(words, least) => {
            let (from, to) = (place(*least), place(1.0));
            lines += &format!(
                "<rect class=\"{class}\" x=\"{from:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"6\"/>",
                y - 3.0,
                to - from
            );
            label.push(format!("{name} {words}, from {:.0} %", 100.0 * least));
            y += LINE;
        }
        Measurement::Words(_) | Measurement::Pair(_) => {}
    };
    let Measurement::Share(_) = row.ours else { return None };
    add(&row.published, "published", "published");
    add(&row.ours, "ours", "ours");
    if let Some(value) = &row.at_time {
        add(value, "timed", "at the published time");
    }
    let bottom = y - LINE + 8.0;
    let grid: String = [0.0, 0.25, 0.5, 0.75, 1.0]
        .map(|share| {
            let class = if share == 0.5 { "half" } else { "grid" };
            format!("<path class=\"{class}\" d=\"M{:.1} 2V{bottom:.1}\"/>", place(share))
        })
        .concat();
    let label = label.join("; ");
    let label = tussle_view::EscapedText(&label);
    Some(format!(
        "<svg class=\"strip\" viewBox=\"0 0 {WIDTH} {:.0}\" role=\"img\" aria-label=\"{label}\">{grid}{lines}</svg>",
        bottom + 2.0
    ))
}

fn place(share: f64) -> f64 {
    MARGIN + share * (WIDTH - 2.0 * MARGIN)
}
