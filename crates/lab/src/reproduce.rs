//! Reproductions: published tables and figures, run again.

mod claims;
mod exact;
mod graphs;
mod matches;
mod page;
mod proportion;
mod result;
mod strip;
mod verdict;

#[cfg(test)]
mod tests;

use std::time::Instant;

use self::claims::{Exact, Match, Pair};
use crate::unknown::unknown;
use crate::{ExperimentContext, LabError};

pub use claims::{REPRODUCTIONS, Reproduction};
pub use page::{ReportSettings, page};
pub use proportion::Proportion;
pub use result::{Measurement, ReproductionResult, Row};
pub use verdict::Verdict;

/// Approximate time to compute exact numbers, in milliseconds.
const EXACT_MS: u64 = 300;

impl Reproduction {
    fn pairs(&self) -> impl Iterator<Item = (&Match, &Pair)> {
        self.matches
            .iter()
            .flat_map(|conditions| conditions.pairs.iter().map(move |pair| (conditions, pair)))
    }

    /// Returns an estimate of the time that it takes, in milliseconds.
    pub fn millis(&self, is_quick: bool, jobs: usize, timed_jobs: usize) -> u64 {
        let pair = |(conditions, _): (&Match, &Pair)| {
            conditions.effort_ms(is_quick) / jobs.max(1) as u64
                + conditions.timed_ms(is_quick) / timed_jobs.max(1) as u64
        };
        let exact = if self.exact.is_some() { EXACT_MS } else { 0 };
        let graphs = if self.graphs { graphs::millis(is_quick) } else { 0 };
        self.pairs().map(pair).sum::<u64>() + exact + graphs
    }

    /// Runs it again. Games at the published time are played `timed_jobs` at once, all others as the context says.
    ///
    /// # Errors
    /// If a measurement fails or the work was stopped.
    pub fn run(
        &'static self,
        context: &mut ExperimentContext<'_>,
        timed_jobs: usize,
    ) -> Result<ReproductionResult, LabError> {
        let began = Instant::now();
        context.begin(&self.name, self.millis(context.is_quick, 1, 1));
        let mut out = ReproductionResult::new(self);
        let tests = self.tests();
        let mut scores = Vec::new();
        for (conditions, pair) in self.pairs() {
            let games = conditions.play(pair, context, timed_jobs, &mut out)?;
            out.rows.extend(pair.claims.iter().map(|claim| claim.row(&games, tests)));
            scores.push(games);
        }
        if let Some(exact) = &self.exact {
            out.rows.extend(exact.rows()?);
            context.observer.done(EXACT_MS, "");
        }
        out.rows.extend(self.better.iter().map(|better| better.row(&scores, tests)));
        if self.graphs {
            graphs::run(context, &mut out)?;
        }
        let counting = out.rows.iter().filter(|row| row.counts());
        out.verdict = Verdict::of_all(counting.map(|row| row.verdict));
        out.left_out.dedup();
        out.warnings.extend(context.busy_warning());
        out.seconds = began.elapsed().as_secs_f64();
        Ok(out)
    }

    /// Returns the number of rows with a significance test, without single games.
    fn tests(&self) -> usize {
        let claims = self.pairs().flat_map(|(_, pair)| &pair.claims);
        claims.filter(|claim| claim.seat.is_none()).count() + self.better.len()
    }
}

impl Exact {
    /// Compares the published numbers with ours.
    fn rows(&self) -> Result<Vec<Row>, LabError> {
        let ours = self.numbers.compute()?;
        let row = |(what, published): &(String, String)| {
            let ours = ours.iter().find(|(name, _)| name == what);
            let ours = ours.map_or("none", |(_, value)| value);
            let words = |text: &str| Measurement::Words(text.to_owned());
            Row::new(what, words(published), words(ours), verdict::exact(published, ours))
        };
        Ok(self.published.iter().map(row).collect())
    }
}

/// Returns the reproduction of this name.
///
/// # Errors
/// If there is none; the message suggests the nearest name and lists all.
pub fn reproduction(name: &str) -> Result<&'static Reproduction, LabError> {
    let found = REPRODUCTIONS.iter().find(|one| one.name == name);
    let names = REPRODUCTIONS.iter().map(|one| one.name.as_str());
    found.ok_or_else(|| unknown("reproduction", name, names))
}
