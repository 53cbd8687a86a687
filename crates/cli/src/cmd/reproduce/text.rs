//! Reproductions on a terminal.

use std::path::PathBuf;

use tussle_lab::{REPRODUCTIONS, ReproductionResult, Verdict};

use crate::failure::Failure;
use crate::{output, table};

/// What there is, and how long it takes.
pub(super) fn list(json: bool, jobs: usize, timed_jobs: usize) -> Result<(), Failure> {
    let seconds = |is_quick: bool, index: usize| {
        REPRODUCTIONS[index].millis(is_quick, jobs, timed_jobs) as f64 / 1000.0
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
                    "quick_seconds": seconds(true, index),
                    "full_seconds": seconds(false, index),
                })
            })
            .collect();
        return output::json(&all);
    }
    let mut rows = table::new(["name", "what", "quick", "full"]);
    let mut sums = [0.0; 2];
    for (index, one) in REPRODUCTIONS.iter().enumerate() {
        let (quick, full) = (seconds(true, index), seconds(false, index));
        sums = [sums[0] + quick, sums[1] + full];
        rows.add_row([one.name.as_str(), &one.title, &duration(quick), &duration(full)]);
    }
    rows.add_row(["", "all together, about", &duration(sums[0]), &duration(sums[1])]);
    output::print(&format!(
        "{}\ntussle reproduce NAME runs one quickly, tussle reproduce --quick --html report.html all of them.\n",
        table::text(&rows)
    ))
}

/// One that has been run.
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
    let mut rows = table::new(headings);
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
    text += &table::text(&rows);
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

/// All verdicts, and where the report is.
pub(super) fn summary(all: &[ReproductionResult], pages: &[PathBuf]) -> String {
    let mut text = String::new();
    if all.len() > 1 {
        let mut rows = table::new(["reproduction", "verdict", "rows", "time"]);
        for one in all {
            let time = duration(one.seconds);
            rows.add_row([one.name, one.verdict.words(), &one.tally(), &time]);
        }
        text += &table::text(&rows);
    }
    for path in pages {
        text += &format!("report: {}\n", path.display());
    }
    text
}

/// A duration as people say it.
pub(super) fn duration(seconds: f64) -> String {
    if seconds < 1.0 {
        "1 s".to_owned()
    } else if seconds < 100.0 {
        format!("{seconds:.0} s")
    } else if seconds < 5400.0 {
        format!("{:.0} minutes", (seconds / 60.0).ceil())
    } else {
        format!("{:.1} hours", seconds / 3600.0)
    }
}
