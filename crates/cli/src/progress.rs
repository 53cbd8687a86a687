//! Progress of long runs: a bar with ETA on a terminal, plain lines elsewhere.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How often a plain line is written.
const PLAIN_INTERVAL: Duration = Duration::from_secs(5);

/// A run of a known number of steps, shown on standard error.
pub(crate) struct Progress {
    what: &'static str,
    bar: Option<ProgressBar>,
    total: u64,
    done: u64,
    began: Instant,
    last_line: Instant,
}

impl Progress {
    pub(crate) fn new(what: &'static str, total: u64) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(total);
            let style = ProgressStyle::with_template(
                "{msg} {bar:30} {pos}/{len} · {elapsed} gone, {eta} to go",
            );
            if let Ok(style) = style {
                bar.set_style(style);
            }
            bar.with_message(what)
        });
        let now = Instant::now();
        Self { what, bar, total, done: 0, began: now, last_line: now }
    }

    /// One step more is done.
    pub(crate) fn step(&mut self) {
        self.done += 1;
        if let Some(bar) = &self.bar {
            bar.inc(1);
        } else if self.last_line.elapsed() >= PLAIN_INTERVAL {
            self.last_line = Instant::now();
            let left = self.total.saturating_sub(self.done) as f64;
            let eta = self.began.elapsed().as_secs_f64() / self.done as f64 * left;
            eprintln!("{}: {}/{}, about {eta:.0} s to go", self.what, self.done, self.total);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
