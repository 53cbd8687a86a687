//! Analysis commands of `Leela Zero` and `KataGo`.

use std::io::Write;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tussle_catalog::{AnyAgent, AnyGame};
use tussle_core::{Bound, Line, Outcome, Report};

use crate::gtp::grammar::Colour;
use crate::serve::output::Output;
use crate::serve::search::{RunningSearch, SearchUpdate, Task};

/// Form of the output lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// `Leela Zero`: win rates and priors are whole numbers from 0 to 10000.
    Leela,
    /// `KataGo`: win rates and priors are decimals from 0 to 1.
    Kata,
}

/// Arguments of an analysis command.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AnalysisRequest {
    pub(super) dialect: Dialect,
    pub(super) colour: Option<Colour>,
    interval: Duration,
    /// Minimum number of moves in a line.
    least: usize,
    /// Maximum number of moves in a line.
    most: usize,
}

/// Default interval between two lines.
const DEFAULT_INTERVAL: Duration = Duration::from_secs(1);
/// Default number of moves with exact values in a classical search.
const DEFAULT_LINES: usize = 5;
/// Value of an evaluation that counts as a win rate of 1 / (1 + 1/e), about 73 %.
const WIN_RATE_SCALE: f64 = 4.0;
/// Number of standard errors from the mean to the lower confidence bound: a two-sided interval of 95 %.
const LCB_STANDARD_ERRORS: f64 = 1.96;

impl AnalysisRequest {
    /// Parses `[colour] [interval] [key value …]`. Unknown keys are skipped.
    pub(super) fn parse(dialect: Dialect, words: &[String]) -> Option<Self> {
        let interval = DEFAULT_INTERVAL;
        let mut request = Self { dialect, colour: None, interval, least: 0, most: usize::MAX };
        let mut words = words.iter().map(String::as_str).peekable();
        if let Some(colour) = words.peek().and_then(|word| Colour::parse(word)) {
            request.colour = Some(colour);
            words.next();
        }
        if let Some(interval) = words.peek().and_then(|word| centiseconds(word)) {
            request.interval = interval;
            words.next();
        }
        while let Some(key) = words.next() {
            let value = words.next()?;
            match key {
                "interval" => request.interval = centiseconds(value)?,
                "minmoves" => request.least = value.parse().ok()?,
                "maxmoves" => request.most = value.parse().ok().filter(|&n| n > 0)?,
                "avoid" | "allow" => {
                    words.next()?; // three values: colour, points, and number of moves
                    words.next()?;
                }
                _ => {}
            }
        }
        Some(request)
    }

    /// Returns the interval between two lines.
    pub(super) fn interval(&self) -> Duration {
        self.interval
    }

    /// Returns the number of moves that need exact values.
    pub(super) fn lines(&self) -> usize {
        DEFAULT_LINES.max(self.least).min(self.most)
    }
}

fn centiseconds(word: &str) -> Option<Duration> {
    let hundredths: u64 = word.parse().ok()?;
    Some(Duration::from_millis(hundredths.clamp(1, 1_000_000) * 10))
}

/// Thread that prints the latest line at a fixed interval.
pub(super) struct Ticker {
    latest: Arc<Mutex<Option<String>>>,
    end: Sender<()>,
    /// `None` if the thread could not be started. Then only the result of the search is printed.
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

    /// Returns the place for new lines.
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

/// Running analysis.
pub(super) struct Analysis {
    search: RunningSearch,
    ticker: Ticker,
}

impl Analysis {
    pub(super) fn start<W: Write + Send + 'static>(
        task: Task,
        request: &AnalysisRequest,
        game: &Arc<dyn AnyGame>,
        output: Output<W>,
    ) -> Self {
        let ticker = Ticker::start(request.interval, output);
        let (latest, request, game) = (ticker.latest(), request.clone(), Arc::clone(game));
        let search = RunningSearch::start(task, move |update| {
            if let SearchUpdate::Progress(report) | SearchUpdate::Done(Ok(report)) = update {
                put(&latest, info(game.as_ref(), &request, report));
            }
        });
        Self { search, ticker }
    }

    /// Ends the analysis and returns the agent.
    pub(super) fn end(self) -> Option<Box<dyn AnyAgent>> {
        self.ticker.end();
        self.search.stop()
    }
}

/// Returns a report as one line, with all moves that were searched.
pub(super) fn info(
    game: &dyn AnyGame,
    request: &AnalysisRequest,
    report: &Report<String>,
) -> String {
    let is_known = |line: &Line<String>| {
        let tried = line.sampled.map_or(line.bound == Bound::Exact, |_| line.visits > 0);
        tried && line.known_value().is_some()
    };
    let shown = report.lines.iter().enumerate();
    let shown = shown.filter(|(i, line)| *i == 0 || *i < request.least || is_known(line));
    let moves = shown.take(request.most).enumerate();
    let texts = moves.map(|(order, (_, line))| one_move(game, request.dialect, order, line));
    texts.collect::<Vec<_>>().join(" ")
}

fn one_move(game: &dyn AnyGame, dialect: Dialect, order: usize, line: &Line<String>) -> String {
    let Line { mv, visits, .. } = line;
    let share = win_rate(game, line);
    let prior = line.sampled.map_or(0.0, |sampled| sampled.prior);
    let lowest = match line.sampled {
        Some(_) if line.outcome().is_none() => {
            let error = (share * (1.0 - share) / (*visits).max(1) as f64).sqrt();
            (share - LCB_STANDARD_ERRORS * error).max(0.0)
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

/// Returns the win rate of the player to move, estimated from a value. Evaluations and points are mapped to 0 to 1 by a
/// logistic function.
fn win_rate(game: &dyn AnyGame, line: &Line<String>) -> f64 {
    match line.outcome() {
        Some(Outcome::Win) => 1.0,
        Some(Outcome::Draw) => 0.5,
        Some(Outcome::Loss) => 0.0,
        None if line.known_value().is_none() => 0.5,
        None if line.sampled.is_some() && !game.payoffs().points => line.value.expected_score(),
        None => 1.0 / (1.0 + (-line.value.number() / WIN_RATE_SCALE).exp()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(text: &str) -> Option<AnalysisRequest> {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        AnalysisRequest::parse(Dialect::Leela, &words)
    }

    #[test]
    fn all_forms_of_arguments_are_parsed() {
        let request = |text: &str| request(text).unwrap();
        assert_eq!(request("").interval, DEFAULT_INTERVAL);
        assert_eq!(request("50").interval, Duration::from_millis(500));
        assert_eq!(request("w 50").colour, Some(Colour::White));
        assert_eq!(request("black interval 20").interval, Duration::from_millis(200));
        let asked = request("interval 0 minmoves 2 maxmoves 3 ownership true avoid b D4,E5 3");
        assert_eq!((asked.interval, asked.least, asked.most), (Duration::from_millis(10), 2, 3));
        assert_eq!(asked.lines(), 3);
        for bad in ["b 50 interval", "interval soon", "maxmoves 0", "red"] {
            assert_eq!(super::tests::request(bad), None, "{bad}");
        }
    }
}
