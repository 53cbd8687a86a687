//! Analyses as `Leela Zero` and `KataGo` print them.

use std::io::Write;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tussle_catalog::{AnyAgent, AnyGame};
use tussle_core::{Bound, Line, Outcome, Report};

use crate::gtp::grammar::Colour;
use crate::serve::output::Output;
use crate::serve::search::{SearchUpdate, Searching, Task};

/// Whose form the lines have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Shares are whole numbers up to 10000.
    Leela,
    /// Shares are decimals up to 1.
    Kata,
}

/// What the controller wants to see.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wish {
    pub(super) dialect: Dialect,
    pub(super) colour: Option<Colour>,
    interval: Duration,
    least: usize,
    most: usize,
}

/// How often lines come if nobody says.
const USUAL: Duration = Duration::from_secs(1);
/// A search by plies finds exact values for so many moves if nobody says.
const LINES: usize = 5;
/// So many points of an evaluation make a share of 1 / (1 + 1/e), about 73 %.
const SCALE: f64 = 4.0;
/// Standard errors that a lower confidence bound lies below the mean: 95 % on both sides.
const ERRORS: f64 = 1.96;

impl Wish {
    /// Reads `[colour] [interval] [key value …]`; keys that say nothing to us are skipped.
    pub(super) fn parse(dialect: Dialect, words: &[String]) -> Option<Self> {
        let mut wish = Self { dialect, colour: None, interval: USUAL, least: 0, most: usize::MAX };
        let mut words = words.iter().map(String::as_str).peekable();
        if let Some(colour) = words.peek().and_then(|word| Colour::parse(word)) {
            wish.colour = Some(colour);
            words.next();
        }
        if let Some(interval) = words.peek().and_then(|word| centiseconds(word)) {
            wish.interval = interval;
            words.next();
        }
        while let Some(key) = words.next() {
            let value = words.next()?;
            match key {
                "interval" => wish.interval = centiseconds(value)?,
                "minmoves" => wish.least = value.parse().ok()?,
                "maxmoves" => wish.most = value.parse().ok().filter(|&n| n > 0)?,
                "avoid" | "allow" => {
                    words.next()?; // colour, points, and until when
                    words.next()?;
                }
                _ => {}
            }
        }
        Some(wish)
    }

    /// How far apart lines are.
    pub(super) fn interval(&self) -> Duration {
        self.interval
    }

    /// How many moves should become exact.
    pub(super) fn lines(&self) -> usize {
        LINES.max(self.least).min(self.most)
    }
}

fn centiseconds(word: &str) -> Option<Duration> {
    let hundredths: u64 = word.parse().ok()?;
    Some(Duration::from_millis(hundredths.clamp(1, 1_000_000) * 10))
}

/// Prints the latest of what it is given, every so often.
pub(super) struct Ticker {
    latest: Arc<Mutex<Option<String>>>,
    end: Sender<()>,
    /// `None` if the system refused a thread: then only the end of the search is printed.
    thread: Option<JoinHandle<()>>,
}

impl Ticker {
    pub(super) fn start<W: Write + Send + 'static>(interval: Duration, output: Output<W>) -> Self {
        let latest = Arc::new(Mutex::new(None::<String>));
        let (end, ended) = mpsc::channel();
        let pending = Arc::clone(&latest);
        let thread = thread::Builder::new().spawn(move || {
            while ended.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                let text = pending.lock().unwrap_or_else(PoisonError::into_inner).take();
                let heard = text.is_none_or(|text| output.line(&text).is_ok());
                if !heard {
                    break;
                }
            }
        });
        Self { latest, end, thread: thread.ok() }
    }

    /// Where new lines go.
    pub(super) fn latest(&self) -> Arc<Mutex<Option<String>>> {
        Arc::clone(&self.latest)
    }

    pub(super) fn end(self) {
        drop(self.end);
        self.thread.map(JoinHandle::join);
    }
}

/// Replaces the line that is printed next.
pub(super) fn put(latest: &Mutex<Option<String>>, text: String) {
    if !text.is_empty() {
        *latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
    }
}

/// A running analysis.
pub(super) struct Analysis {
    searching: Searching,
    ticker: Ticker,
}

impl Analysis {
    pub(super) fn start<W: Write + Send + 'static>(
        task: Task,
        wish: &Wish,
        game: &Arc<dyn AnyGame>,
        output: Output<W>,
    ) -> Self {
        let ticker = Ticker::start(wish.interval, output);
        let (latest, wish, game) = (ticker.latest(), wish.clone(), Arc::clone(game));
        let searching = Searching::start(task, move |told| {
            if let SearchUpdate::Progress(report) | SearchUpdate::Done(Ok(report)) = told {
                put(&latest, info(game.as_ref(), &wish, report));
            }
        });
        Self { searching, ticker }
    }

    /// Ends it and gives the agent back.
    pub(super) fn end(self) -> Option<Box<dyn AnyAgent>> {
        self.ticker.end();
        self.searching.stop()
    }
}

/// A report as one line with all moves worth telling.
pub(super) fn info(game: &dyn AnyGame, wish: &Wish, report: &Report<String>) -> String {
    let is_known = |line: &Line<String>| {
        let tried = line.sampled.map_or(line.bound == Bound::Exact, |_| line.visits > 0);
        tried && line.known_value().is_some()
    };
    let told = report.lines.iter().enumerate();
    let told = told.filter(|(i, line)| *i == 0 || *i < wish.least || is_known(line));
    let moves = told.take(wish.most).enumerate();
    let texts = moves.map(|(order, (_, line))| one_move(game, wish.dialect, order, line));
    texts.collect::<Vec<_>>().join(" ")
}

fn one_move(game: &dyn AnyGame, dialect: Dialect, order: usize, line: &Line<String>) -> String {
    let Line { mv, visits, .. } = line;
    let share = win_share(game, line);
    let prior = line.sampled.map_or(0.0, |sampled| sampled.prior);
    let lowest = match line.sampled {
        Some(_) if line.outcome().is_none() => {
            let error = (share * (1.0 - share) / (*visits).max(1) as f64).sqrt();
            (share - ERRORS * error).max(0.0)
        }
        _ => share,
    };
    let shares = match dialect {
        Dialect::Leela => {
            let [share, prior, lowest] =
                [share, prior, lowest].map(|part| (part * 10_000.0).round() as u64);
            format!("winrate {share} prior {prior} lcb {lowest}")
        }
        Dialect::Kata => {
            let utility = 2.0 * share - 1.0;
            format!("utility {utility:.6} winrate {share:.6} prior {prior:.6} lcb {lowest:.6}")
        }
    };
    format!("info move {mv} visits {visits} {shares} order {order} pv {}", line.pv.join(" "))
}

/// How likely the player to move wins, as far as a value can say: a mean of won and lost games
/// does, points are squeezed between 0 and 1.
fn win_share(game: &dyn AnyGame, line: &Line<String>) -> f64 {
    match line.outcome() {
        Some(Outcome::Win) => 1.0,
        Some(Outcome::Draw) => 0.5,
        Some(Outcome::Loss) => 0.0,
        None if line.known_value().is_none() => 0.5,
        None if line.sampled.is_some() && !game.payoffs().points => line.value.expected_score(),
        None => 1.0 / (1.0 + (-line.value.number() / SCALE).exp()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(text: &str) -> Option<Wish> {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        Wish::parse(Dialect::Leela, &words)
    }

    #[test]
    fn every_form_of_arguments_is_read() {
        let wish = |text: &str| wish(text).unwrap();
        assert_eq!(wish("").interval, USUAL);
        assert_eq!(wish("50").interval, Duration::from_millis(500));
        assert_eq!(wish("w 50").colour, Some(Colour::White));
        assert_eq!(wish("black interval 20").interval, Duration::from_millis(200));
        let asked = wish("interval 0 minmoves 2 maxmoves 3 ownership true avoid b D4,E5 3");
        assert_eq!((asked.interval, asked.least, asked.most), (Duration::from_millis(10), 2, 3));
        assert_eq!(asked.lines(), 3);
        for bad in ["b 50 interval", "interval soon", "maxmoves 0", "red"] {
            assert_eq!(super::tests::wish(bad), None, "{bad}");
        }
    }
}
