//! Progress of long runs: a bar with ETA on a terminal, plain lines elsewhere.

use std::io::IsTerminal as _;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How often a plain line is written.
const PLAIN_INTERVAL: Duration = Duration::from_secs(5);

/// Work whose steps are not counted is named after this time.
const PATIENCE: Duration = Duration::from_secs(1);

/// Whoever asks for more seconds than ten years have wants no end.
const ENDLESS: f64 = 3e8;

/// A run of a known number of steps, shown on standard error.
pub(crate) struct Progress {
    what: String,
    /// How it stands, in a few words.
    news: String,
    bar: Option<ProgressBar>,
    total: u64,
    done: u64,
    /// Steps that were done before this run.
    skipped: u64,
    began: Instant,
    last_line: Instant,
    /// Whether steps differ so much in work that only their share says something.
    is_weighed: bool,
}

impl Progress {
    /// A run of so many steps.
    pub(crate) fn new(what: impl Into<String>, total: u64) -> Self {
        Self::with_template(
            what.into(),
            total,
            "{msg} {bar:30} {pos}/{len} · {elapsed} gone, {eta} to go{prefix}",
        )
    }

    /// A run of so much work, in parts that differ.
    pub(crate) fn weighed(what: impl Into<String>, total: u64) -> Self {
        let template = "{msg} {bar:30} {percent} % · {elapsed} gone, {eta} to go{prefix}";
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
            bar.with_message(what.clone())
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

    /// These steps were done before, in no time.
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
        self.advance(1);
    }

    /// So many steps more are done.
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
                eprintln!("{what}: {share} %, about {eta:.0} s to go{news}");
            } else if eta < ENDLESS {
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

/// Does some work whose steps are not counted, and says on standard error what it is if it takes long.
pub(crate) fn named<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let what = what.to_owned();
    let mut is_first = true;
    let began = Instant::now();
    let say = move || {
        if std::mem::take(&mut is_first) {
            eprintln!("{what} …");
        } else {
            eprintln!("{what}: {} s so far", began.elapsed().as_secs());
        }
    };
    watched([PATIENCE, PLAIN_INTERVAL], say, work)
}

/// Does some work, and calls `say` if it is not done after the first time, and then after each second one.
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
    // Without a thread the work is done in silence.
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
    fn work_is_named_only_if_it_takes_long() {
        let (said, heard) = mpsc::channel();
        let say = move || said.send(()).unwrap_or_default();
        // It is not done before it was named three times.
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
