//! Progress of long runs: a bar with ETA on a terminal, plain lines elsewhere.

use std::io::IsTerminal as _;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Interval between plain lines.
const PLAIN_INTERVAL: Duration = Duration::from_secs(5);

/// Time after which work without countable steps is announced.
const ANNOUNCE_AFTER: Duration = Duration::from_secs(1);

/// Remaining times above this many seconds (ten years) are not printed.
const MAX_SHOWN_SECONDS: f64 = 3e8;

/// A run of a known number of steps, shown on standard error.
pub(crate) struct Progress {
    what: String,
    /// Latest intermediate result, such as the score.
    news: String,
    bar: Option<ProgressBar>,
    total: u64,
    done: u64,
    /// Steps that were done before this run.
    skipped: u64,
    began: Instant,
    last_line: Instant,
    /// True if steps differ in effort: progress is shown as a percentage.
    is_weighed: bool,
}

impl Progress {
    /// Starts a run of `total` steps.
    pub(crate) fn new(what: impl Into<String>, total: u64) -> Self {
        Self::with_template(
            what.into(),
            total,
            "{prefix} {bar:30} {pos}/{len} · {elapsed} elapsed, {eta} left{wide_msg}",
        )
    }

    /// Starts a run of steps that differ in effort; `total` is the sum of their weights.
    pub(crate) fn weighed(what: impl Into<String>, total: u64) -> Self {
        let template = "{prefix} {bar:30} {percent} % · {elapsed} elapsed, {eta} left{wide_msg}";
        let mut progress = Self::with_template(what.into(), total, template);
        progress.is_weighed = true;
        progress
    }

    fn with_template(what: String, total: u64, template: &str) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(total);
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            bar.with_prefix(what.clone())
        });
        let now = Instant::now();
        Self {
            what,
            news: String::new(),
            bar,
            total,
            done: 0,
            skipped: 0,
            began: now,
            last_line: now,
            is_weighed: false,
        }
    }

    /// Counts steps that were done in an earlier run.
    pub(crate) fn skip(&mut self, steps: u64) {
        self.skipped += steps;
        self.done += steps;
        if let Some(bar) = &self.bar {
            bar.set_position(self.done);
            bar.reset_eta();
        }
    }

    /// Changes the number of steps.
    pub(crate) fn set_total(&mut self, total: u64) {
        self.total = total;
        if let Some(bar) = &self.bar {
            bar.set_length(total);
        }
    }

    /// Shows an intermediate result beside the progress.
    pub(crate) fn tell(&mut self, news: String) {
        if let Some(bar) = &self.bar {
            bar.set_message(format!(" · {news}"));
        }
        self.news = news;
    }

    /// Prints a line above the progress bar.
    pub(crate) fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None => eprintln!("{text}"),
        }
    }

    /// Counts one finished step.
    pub(crate) fn step(&mut self) {
        self.advance(1);
    }

    /// Counts finished steps.
    pub(crate) fn advance(&mut self, steps: u64) {
        self.done += steps;
        if let Some(bar) = &self.bar {
            bar.inc(steps);
        } else if self.last_line.elapsed() >= PLAIN_INTERVAL && self.done < self.total {
            self.last_line = Instant::now();
            let left = self.total.saturating_sub(self.done) as f64;
            let own = (self.done - self.skipped) as f64;
            let eta = self.began.elapsed().as_secs_f64() / own * left;
            let (what, done, total) = (&self.what, self.done, self.total);
            let news =
                if self.news.is_empty() { String::new() } else { format!("; {}", self.news) };
            if self.is_weighed {
                let share = 100 * done / total.max(1);
                eprintln!("{what}: {share} %, about {eta:.0} s left{news}");
            } else if eta < MAX_SHOWN_SECONDS {
                eprintln!("{what}: {done}/{total}, about {eta:.0} s left{news}");
            } else {
                eprintln!("{what}: {done}{news}");
            }
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

/// Does work without countable steps; announces it on standard error if it takes long.
pub(crate) fn named<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let what = what.to_owned();
    let mut is_first = true;
    let began = Instant::now();
    let say = move || {
        if std::mem::take(&mut is_first) {
            eprintln!("{what} …");
        } else {
            eprintln!("{what}: {} s elapsed", began.elapsed().as_secs());
        }
    };
    watched([ANNOUNCE_AFTER, PLAIN_INTERVAL], say, work)
}

/// Does work, and calls `say` after the first interval and then after each second interval until it is done.
fn watched<T>(
    [patience, interval]: [Duration; 2],
    mut say: impl FnMut() + Send + 'static,
    work: impl FnOnce() -> T,
) -> T {
    let (done, wait) = mpsc::channel::<()>();
    let watch = move || {
        let mut time = patience;
        while wait.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
            say();
            time = interval;
        }
    };
    // If no thread can be started, the work is done without announcements.
    let watcher = thread::Builder::new().spawn(watch);
    let result = work();
    drop(done);
    if let Ok(watcher) = watcher {
        let _ = watcher.join();
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_announced_only_if_it_takes_long() {
        let (said, heard) = mpsc::channel();
        let say = move || said.send(()).unwrap_or_default();
        // The work ends only after three announcements.
        let answer = watched([Duration::from_millis(1); 2], say, || {
            (0..3).for_each(|_| heard.recv().expect("a word"));
            7
        });
        assert_eq!(answer, 7);
        let (said, heard) = mpsc::channel();
        let quick =
            watched([Duration::from_hours(1); 2], move || said.send(()).unwrap_or_default(), || 8);
        assert_eq!((quick, heard.try_iter().count()), (8, 0));
    }
}
