//! Published tables and figures, run again.

mod exact;
mod graphs;
mod matches;
mod page;
mod strip;
mod table;
mod verdict;

use std::time::Instant;

use serde::Serialize;
use tussle_view::Figure;

use crate::unknown::unknown;
use crate::{Bench, LabError};

pub use page::{Setting, page};
pub use table::REPRODUCTIONS;
pub use verdict::{Counted, Verdict};

use matches::{Better, Match};

/// A published table or figure, as the table of them declares it.
#[derive(Debug)]
pub struct Reproduction {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// Where it was published, with how many games or at what time.
    pub source: &'static str,
    /// What was said of it.
    pub claim: &'static str,
    /// What is run again, in order.
    pub(crate) parts: &'static [Part],
    /// What one must know to read it.
    pub notes: &'static [&'static str],
}

/// Something that is run again.
#[derive(Debug)]
pub(crate) enum Part {
    /// Numbers that leave nothing to chance.
    Exact(fn() -> Result<Vec<Fact>, LabError>),
    /// Games.
    Match(Match),
    /// One match of this reproduction compared with another.
    Better(Better),
    /// Curves.
    Graphs,
}

/// A published number that leaves nothing to chance, and ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fact {
    /// What it is.
    pub what: String,
    /// What was published.
    pub published: String,
    /// What came out now.
    pub ours: String,
}

/// What is known of a number.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Told {
    /// It is exact, or in words.
    Words(String),
    /// So many of so many.
    Share(Counted),
    /// A claim in words that we made a threshold: what was said, and the least share that fits it.
    AtLeast(String, f64),
    /// Two shares, of which the first is said to be larger.
    Pair([Counted; 2]),
}

/// A published number, ours, and whether they say the same.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// What it is.
    pub what: String,
    /// What was published.
    pub published: Told,
    /// What came out now, at the published effort: the verdict is about this.
    pub ours: Told,
    /// What came out at the published time.
    pub at_time: Option<Told>,
    /// What came out with each of several efforts, and with others, by name.
    pub beyond: Vec<(String, Told)>,
    /// Whether they say the same.
    pub verdict: Verdict,
    /// How likely so large a difference is by chance, where that was asked.
    pub p: Option<f64>,
    /// Why.
    pub why: String,
}

/// What came out of a reproduction.
#[derive(Clone, Debug, Serialize)]
pub struct Reproduced {
    /// Its name.
    pub name: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// Where it was published.
    pub source: &'static str,
    /// What was said of it.
    pub claim: &'static str,
    /// The verdict on all rows together.
    pub verdict: Verdict,
    /// The numbers.
    pub rows: Vec<Row>,
    /// What it took: who played, with which limits, how many leaves a move.
    pub effort: Vec<String>,
    /// What was left out, and how to run it.
    pub left_out: Vec<String>,
    /// Warnings about this run: the machine was busy while something was timed.
    pub warnings: Vec<String>,
    /// What one must know to read it.
    pub notes: &'static [&'static str],
    /// Curves.
    #[serde(skip)]
    pub figures: Vec<Figure>,
    /// How long it took.
    pub seconds: f64,
}

impl Reproduced {
    /// How many rows have each verdict, in words.
    pub fn tally(&self) -> String {
        let counting = || self.rows.iter().filter(|row| row.counts());
        let count = |verdict| counting().filter(|row| row.verdict == verdict).count();
        let all = [Verdict::Agrees, Verdict::Differs, Verdict::TooSmall];
        let some = all.into_iter().filter(|verdict| count(*verdict) > 0);
        let words: Vec<String> = some
            .map(|verdict| match (verdict, count(verdict)) {
                (Verdict::Agrees, 1) => "1 agrees".to_owned(),
                (Verdict::Agrees, n) => format!("{n} agree"),
                (Verdict::Differs, 1) => "1 differs".to_owned(),
                (Verdict::Differs, n) => format!("{n} differ"),
                (Verdict::TooSmall, n) => format!("{n} too small to tell"),
                (Verdict::Unpublished, _) => String::new(),
            })
            .collect();
        words.join(", ")
    }
}

impl Reproduction {
    /// About how long it takes, in milliseconds.
    pub fn millis(&self, is_quick: bool, jobs: usize, timed_jobs: usize) -> u64 {
        let part = |part: &Part| match part {
            Part::Exact(_) => 300,
            Part::Match(duel) => {
                duel.effort_millis(is_quick) / jobs.max(1) as u64
                    + duel.timed_millis(is_quick) / timed_jobs.max(1) as u64
            }
            Part::Better(_) => 0,
            Part::Graphs => graphs::millis(is_quick),
        };
        self.parts.iter().map(part).sum()
    }

    /// Runs it again. Games at the published time are played `timed_jobs` at once, all others as many as the
    /// bench says.
    ///
    /// # Errors
    /// If something cannot be measured or the work was stopped.
    pub fn run(&self, bench: &mut Bench<'_>, timed_jobs: usize) -> Result<Reproduced, LabError> {
        let began = Instant::now();
        bench.begin(self.name, self.millis(bench.is_quick, 1, 1));
        let mut out = Reproduced {
            name: self.name,
            title: self.title,
            source: self.source,
            claim: self.claim,
            verdict: Verdict::Agrees,
            rows: Vec::new(),
            effort: Vec::new(),
            left_out: Vec::new(),
            warnings: Vec::new(),
            notes: self.notes,
            figures: Vec::new(),
            seconds: 0.0,
        };
        let rows = self.parts.iter().map(Part::rows).sum();
        let mut played = Vec::new();
        for part in self.parts {
            match part {
                Part::Exact(facts) => {
                    out.rows.extend(facts()?.into_iter().map(Row::from));
                    bench.watch.done(300, "");
                }
                Part::Match(duel) => {
                    let games = duel.play(bench, timed_jobs, &mut out)?;
                    out.rows.extend(duel.rows(&games, rows));
                    played.push(games);
                }
                Part::Better(better) => out.rows.push(better.row(&played, rows)),
                Part::Graphs => graphs::run(bench, &mut out)?,
            }
        }
        let counting = out.rows.iter().filter(|row| row.counts());
        out.verdict = Verdict::of_all(counting.map(|row| row.verdict));
        out.left_out.dedup();
        out.warnings.extend(bench.busy_warning());
        out.seconds = began.elapsed().as_secs_f64();
        Ok(out)
    }
}

impl Part {
    /// How many questions it asks that chance has a part in, single games aside.
    fn rows(&self) -> usize {
        match self {
            Self::Match(duel) => duel.claims.iter().filter(|claim| claim.seat.is_none()).count(),
            Self::Better(_) => 1,
            Self::Exact(_) | Self::Graphs => 0,
        }
    }
}

impl From<Fact> for Row {
    fn from(fact: Fact) -> Self {
        let judged = verdict::exact(&fact.published, &fact.ours);
        Self::new(fact.what, Told::Words(fact.published), Told::Words(fact.ours), judged)
    }
}

impl Row {
    fn new(what: String, published: Told, ours: Told, judged: verdict::Judged) -> Self {
        let verdict::Judged { verdict, p, why } = judged;
        Self { what, published, ours, at_time: None, beyond: Vec::new(), verdict, p, why }
    }
}

impl Row {
    /// Whether it has a say in the verdict on its table: a single published game has none, and nothing neither.
    fn counts(&self) -> bool {
        let is_single = matches!(self.published, Told::Share(Counted { of: 1, .. }));
        !is_single && self.verdict != Verdict::Unpublished
    }
}

impl Told {
    /// In a few words.
    pub fn words(&self) -> String {
        match self {
            Self::Words(words) => words.clone(),
            Self::Share(counted) => share(*counted),
            Self::AtLeast(words, _) => format!("“{words}”"),
            Self::Pair([a, b]) => format!("{} of {} v {} of {}", a.hits, a.of, b.hits, b.of),
        }
    }
}

/// A share with its interval, as `94 of 100: 94 % (87-97)`.
fn share(counted: Counted) -> String {
    let Counted { hits, of, .. } = counted;
    if of == 1 {
        return (if hits == 1 { "yes, in one game" } else { "no, in one game" }).to_owned();
    }
    let (low, high) = counted.interval();
    let (low, high) = (percent(low), percent(high));
    let repeated = counted.repeated();
    format!("{hits} of {of}{repeated}: {} % ({low}-{high})", percent(counted.share()))
}

/// A share in per cent, as short as it may be: 99.7 is not 100, and 0.3 is not 0.
fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    let is_whole = (1.0..=99.0).contains(&percent) || (percent - percent.round()).abs() < 0.05;
    if is_whole { format!("{percent:.0}") } else { format!("{percent:.1}") }
}

/// The reproduction of this name.
///
/// # Errors
/// If there is none; the message names the nearest and lists all.
pub fn reproduction(name: &str) -> Result<&'static Reproduction, LabError> {
    let found = REPRODUCTIONS.iter().find(|one| one.name == name);
    found.ok_or_else(|| unknown("reproduction", name, REPRODUCTIONS.iter().map(|one| one.name)))
}

#[cfg(test)]
mod tests;
