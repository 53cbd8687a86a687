//! Progress of long runs: a bar with ETA on a terminal, plain lines elsewhere.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How often a plain line is written.
const PLAIN_INTERVAL: Duration = Duration::from_secs(5);

/// Whoever asks for more seconds than ten years have wants no end.
const ENDLESS: f64 = 3e8;

/// A run of a known number of steps, shown on standard error.
pub(crate) struct Progress {
    what: &'static str,
    /// How it stands, in a few words.
    news: String,
    bar: Option<ProgressBar>,
    total: u64,
    done: u64,
    /// Steps that were done before this run.
    skipped: u64,
    began: Instant,
    last_line: Instant,
}

impl Progress {
    pub(crate) fn new(what: &'static str, total: u64) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(total);
            let style = ProgressStyle::with_template(
                "{msg} {bar:30} {pos}/{len} · {elapsed} gone, {eta} to go{prefix}",
            );
            if let Ok(style) = style {
                bar.set_style(style);
            }
            bar.with_message(what)
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
        }
    }

    /// These steps were done before, in no time.
    pub(crate) fn skip(&mut self, steps: u64) {
        self.skipped += steps;
        self.done += steps;
        if let Some(bar) = &self.bar {
            bar.set_position(self.done);
            bar.reset_eta();
        }
    }

    /// How it stands now.
    pub(crate) fn tell(&mut self, news: String) {
        if let Some(bar) = &self.bar {
            bar.set_prefix(format!(" · {news}"));
        }
        self.news = news;
    }

    /// A line that stays.
    pub(crate) fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None => eprintln!("{text}"),
        }
    }

    /// One step more is done.
    pub(crate) fn step(&mut self) {
        self.done += 1;
        if let Some(bar) = &self.bar {
            bar.inc(1);
        } else if self.last_line.elapsed() >= PLAIN_INTERVAL && self.done < self.total {
            self.last_line = Instant::now();
            let left = self.total.saturating_sub(self.done) as f64;
            let own = (self.done - self.skipped) as f64;
            let eta = self.began.elapsed().as_secs_f64() / own * left;
            let (what, done, total) = (self.what, self.done, self.total);
            let news =
                if self.news.is_empty() { String::new() } else { format!("; {}", self.news) };
            if eta < ENDLESS {
                eprintln!("{what}: {done}/{total}, about {eta:.0} s to go{news}");
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
