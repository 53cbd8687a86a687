//! Results of reproductions: rows of published and measured numbers, with verdicts.

use serde::Serialize;
use tussle_view::Figure;

use super::claims::Reproduction;
use super::proportion::Proportion;
use super::verdict::{Judgement, Verdict};

/// Published or measured value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measurement {
    /// Exact number, or a text.
    Words(String),
    /// Share of games.
    Share(Proportion),
    /// Claim in words, and the least share that we read it as.
    AtLeast(String, f64),
    /// Two shares, of which the first is claimed to be larger.
    Pair([Proportion; 2]),
}

/// Published number beside ours, with a verdict.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Name of the number.
    pub what: String,
    /// Published number.
    pub published: Measurement,
    /// Our number at the published effort; the verdict is about it.
    pub ours: Measurement,
    /// Our number at the published time.
    pub at_time: Option<Measurement>,
    /// Our numbers with other efforts, by name.
    pub beyond: Vec<(String, Measurement)>,
    /// Verdict on the agreement.
    pub verdict: Verdict,
    /// Probability of a difference at least as large by chance, if a test was made.
    pub p: Option<f64>,
    /// Reason of the verdict.
    pub why: String,
}

/// Result of a reproduction.
#[derive(Clone, Debug, Serialize)]
pub struct ReproductionResult {
    /// Name of the reproduction.
    pub name: &'static str,
    /// Title of the table.
    pub title: &'static str,
    /// Place of publication.
    pub source: &'static str,
    /// Claim of the publication.
    pub claim: &'static str,
    /// Verdict on all rows together.
    pub verdict: Verdict,
    /// Numbers.
    pub rows: Vec<Row>,
    /// Agents, limits and leaves per move of all games.
    pub effort: Vec<String>,
    /// Parts that were left out, and the commands that run them.
    pub left_out: Vec<String>,
    /// Warnings about this run, such as a busy machine during timed measurements.
    pub warnings: Vec<String>,
    /// Notes for readers of the result.
    pub notes: &'static [String],
    /// Figures of curves.
    #[serde(skip)]
    pub figures: Vec<Figure>,
    /// Wall time of the run.
    pub seconds: f64,
}

impl ReproductionResult {
    /// Creates a result without rows.
    pub(super) fn new(of: &'static Reproduction) -> Self {
        Self {
            name: &of.name,
            title: &of.title,
            source: &of.source,
            claim: &of.claim,
            verdict: Verdict::Agrees,
            rows: Vec::new(),
            effort: Vec::new(),
            left_out: Vec::new(),
            warnings: Vec::new(),
            notes: &of.notes,
            figures: Vec::new(),
            seconds: 0.0,
        }
    }

    /// Writes the number of rows with each verdict.
    pub fn tally(&self) -> String {
        let count =
            |verdict| self.rows.iter().filter(|row| row.counts() && row.verdict == verdict).count();
        let words = |verdict| match (verdict, count(verdict)) {
            (_, 0) | (Verdict::Unpublished, _) => None,
            (Verdict::Agrees, 1) => Some("1 agrees".to_owned()),
            (Verdict::Agrees, n) => Some(format!("{n} agree")),
            (Verdict::Differs, 1) => Some("1 differs".to_owned()),
            (Verdict::Differs, n) => Some(format!("{n} differ")),
            (Verdict::TooSmall, n) => Some(format!("{n} too small to tell")),
        };
        let all = [Verdict::Agrees, Verdict::Differs, Verdict::TooSmall];
        all.into_iter().filter_map(words).collect::<Vec<_>>().join(", ")
    }
}

impl Row {
    pub(super) fn new(
        what: impl Into<String>,
        published: Measurement,
        ours: Measurement,
        judgement: Judgement,
    ) -> Self {
        let (what, Judgement { verdict, p, why }) = (what.into(), judgement);
        Self { what, published, ours, at_time: None, beyond: Vec::new(), verdict, p, why }
    }

    /// Returns true if the verdict on the table depends on this row: not for single games or without a published number.
    pub(super) fn counts(&self) -> bool {
        let is_single = matches!(self.published, Measurement::Share(Proportion { of: 1, .. }));
        !is_single && self.verdict != Verdict::Unpublished
    }
}

impl Measurement {
    /// Writes the value in a few words.
    pub fn words(&self) -> String {
        match self {
            Self::Words(words) => words.clone(),
            Self::Share(proportion) => proportion.words(),
            Self::AtLeast(words, _) => format!("“{words}”"),
            Self::Pair([a, b]) => format!("{} of {} v {} of {}", a.hits, a.of, b.hits, b.of),
        }
    }
}

impl Proportion {
    /// Writes the share with its interval: `94 of 100: 94 % (87-97)`.
    fn words(self) -> String {
        let Self { hits, of, .. } = self;
        if of == 1 {
            return (if hits == 1 { "yes, in one game" } else { "no, in one game" }).to_owned();
        }
        let (low, high) = self.interval();
        let (low, high, share) = (percent(low), percent(high), percent(self.share()));
        format!("{hits} of {of}{}: {share} % ({low}-{high})", self.repeated())
    }
}

/// Writes a share in per cent, with a decimal near 0 and 100: 99.7 is not 100, and 0.3 is not 0.
pub(super) fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    let is_whole = (1.0..=99.0).contains(&percent) || (percent - percent.round()).abs() < 0.05;
    if is_whole { format!("{percent:.0}") } else { format!("{percent:.1}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_written_with_their_intervals() {
        assert_eq!(Proportion::new(29, 50).words(), "29 of 50: 58 % (44-71)");
        assert_eq!(Proportion::new(3, 1000).words(), "3 of 1000: 0.3 % (0.1-0.9)");
        assert_eq!(Proportion::new(1, 1).words(), "yes, in one game");
    }
}
