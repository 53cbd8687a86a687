//! Text of reproductions.

use std::path::PathBuf;
use std::time::Duration;

use tussle_core::format::rough_duration;
use tussle_lab::{REPRODUCTIONS, ReproductionResult, Verdict};

use crate::failure::Failure;
use crate::layout::Table;
use crate::output;

/// Lists the reproductions with their estimated times.
pub(super) fn list(json: bool, jobs: usize, timed_jobs: usize) -> Result<(), Failure> {
    let estimate = |is_quick: bool, index: usize| {
        Duration::from_millis(REPRODUCTIONS[index].millis(is_quick, jobs, timed_jobs))
    };
    if json {
        let all: Vec<_> = REPRODUCTIONS
            .iter()
            .enumerate()
            .map(|(index, one)| {
                serde_json::json!({
                    "name": one.name,
                    "title": one.title,
                    "source": one.source,
                    "claim": one.claim,
                    "quick_seconds": estimate(true, index).as_millis() as f64 / 1e3,
                    "full_seconds": estimate(false, index).as_millis() as f64 / 1e3,
                })
            })
            .collect();
        return output::json(&all);
    }
    let mut rows = Table::new(["name", "claim", "quick", "full"]);
    let mut sums = [Duration::ZERO; 2];
    for (index, one) in REPRODUCTIONS.iter().enumerate() {
        let (quick, full) = (estimate(true, index), estimate(false, index));
        sums = [sums[0] + quick, sums[1] + full];
        rows.add_row([
            one.name.as_str(),
            &one.title,
            &rough_duration(quick),
            &rough_duration(full),
        ]);
    }
    rows.add_row(["", "all, about", &rough_duration(sums[0]), &rough_duration(sums[1])]);
    output::print(&format!(
        "{}\nRun one quickly:  tussle reproduce NAME\n\
         Run all quickly:  tussle reproduce --quick --html report.html\n",
        rows.text()
    ))
}

/// Returns the text of a finished reproduction.
pub(super) fn one(done: &ReproductionResult) -> String {
    let mut text = format!(
        "{}: {}\n  {}\n  Published: {}.\n\n",
        done.name, done.title, done.claim, done.source
    );
    let has_time = done.rows.iter().any(|row| row.at_time.is_some());
    let mut headings = vec!["", "published", "ours"];
    if has_time {
        headings.push("at the published time");
    }
    headings.push("verdict");
    let width = headings.len();
    let mut rows = Table::new(headings);
    for row in &done.rows {
        let mut cells = vec![row.what.clone(), row.published.words(), row.ours.words()];
        if has_time {
            cells.push(row.at_time.as_ref().map_or(String::new(), tussle_lab::Measurement::words));
        }
        let verdict = row.verdict.words();
        cells.push(match row.verdict {
            Verdict::Agrees => verdict.to_owned(),
            _ => format!("{verdict}: {}", row.why),
        });
        rows.add_row(cells);
        for (what, told) in &row.beyond {
            let mut cells = vec![String::new(); width];
            cells[1].clone_from(what);
            cells[2] = told.words();
            rows.add_row(cells);
        }
    }
    text += &rows.text();
    text += "\n";
    for warning in &done.warnings {
        text += &format!("  warning: {warning}\n");
    }
    for line in done.effort.iter().chain(&done.left_out) {
        text += &format!("  {line}\n");
    }
    for note in done.notes {
        text += &format!("  {note}\n");
    }
    text + &format!("{}: {} ({})\n\n", done.name, done.verdict.words(), done.tally())
}

/// Returns the verdicts and the paths of the report.
pub(super) fn summary(all: &[ReproductionResult], pages: &[PathBuf]) -> String {
    let mut text = String::new();
    if all.len() > 1 {
        let mut rows = Table::new(["reproduction", "verdict", "rows", "time"]);
        for one in all {
            let time = rough_duration(Duration::from_secs_f64(one.seconds));
            rows.add_row([one.name, one.verdict.words(), &one.tally(), &time]);
        }
        text += &rows.text();
    }
    for path in pages {
        text += &format!("report: {}\n", path.display());
    }
    text
}
