//! A share and its interval on a strip from 0 to 100 %: the published one above, ours below.

use super::{Row, Told};

const WIDTH: f64 = 240.0;
const MARGIN: f64 = 8.0;
/// How far apart the lines of a strip are.
const LINE: f64 = 13.0;

/// The strip of a row as SVG, if it has shares. Its colours are those of the page.
pub(super) fn strip(row: &Row) -> Option<String> {
    let mut lines = String::new();
    let mut y = 10.0;
    let mut label = Vec::new();
    let mut add = |told: &Told, class: &str, name: &str| match told {
        Told::Share(counted) => {
            let (low, high) = counted.interval();
            let (from, at, to) = (place(low), place(counted.share()), place(high));
            lines += &format!(
                "<g class=\"{class}\"><path d=\"M{from:.1} {y}H{to:.1}\"/>\
                 <path d=\"M{from:.1} {:.1}v6M{to:.1} {:.1}v6\"/>\
                 <circle cx=\"{at:.1}\" cy=\"{y}\" r=\"4\"/></g>",
                y - 3.0,
                y - 3.0
            );
            label.push(format!("{name} {}", told.words()));
            y += LINE;
        }
        Told::AtLeast(words, least) => {
            let (from, to) = (place(*least), place(1.0));
            lines += &format!(
                "<rect class=\"{class}\" x=\"{from:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"6\"/>",
                y - 3.0,
                to - from
            );
            label.push(format!("{name} {words}, from {:.0} %", 100.0 * least));
            y += LINE;
        }
        Told::Words(_) | Told::Pair(_) => {}
    };
    let Told::Share(_) = row.ours else { return None };
    add(&row.published, "published", "published");
    add(&row.ours, "ours", "ours");
    if let Some(told) = &row.at_time {
        add(told, "timed", "at the published time");
    }
    let bottom = y - LINE + 8.0;
    let grid: String = [0.0, 0.25, 0.5, 0.75, 1.0]
        .map(|share| {
            let class = if share == 0.5 { "half" } else { "grid" };
            format!("<path class=\"{class}\" d=\"M{:.1} 2V{bottom:.1}\"/>", place(share))
        })
        .concat();
    let label = label.join("; ");
    let label = tussle_view::Escaped(&label);
    Some(format!(
        "<svg class=\"strip\" viewBox=\"0 0 {WIDTH} {:.0}\" role=\"img\" aria-label=\"{label}\">{grid}{lines}</svg>",
        bottom + 2.0
    ))
}

fn place(share: f64) -> f64 {
    MARGIN + share * (WIDTH - 2.0 * MARGIN)
}
