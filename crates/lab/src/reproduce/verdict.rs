//! Verdicts on the agreement of published numbers and ours.
//!
//! Repeated games are not evidence: intervals and tests count distinct games.
//!
//! The rules; of several that fit, the leftmost applies:
//!
//! | the published number is | `differs` | `too small to tell` | `agrees` |
//! |---|---|---|---|
//! | exact | ours is another one | never | ours is the same |
//! | k of n | Fisher's exact test gives p < 0.01 / rows; or its 95 % interval does not hold the opposite of the claim, and ours lies wholly beyond that | its interval holds the opposite of the claim, too; or ours lies outside of that interval, and yet chance may have done it | otherwise |
//! | in words, which we made a threshold | our interval lies wholly below it | never | otherwise |
//! | in words, that one timed series is never below another | it is below by more than a ply at so many points that 1 of 20 being disturbed gives p < 0.01; or a sign test on all points gives p < 0.01 | never | otherwise |
//! | that one share is above another | our shares differ the other way, p < 0.01 / rows | its own two samples could be of one share (p > 0.05 / rows) | otherwise |

use serde::Serialize;

use super::proportion::Proportion;

/// Significance level, divided by the number of rows.
pub(super) const SIGNIFICANCE_LEVEL: f64 = 0.01;

/// Verdict on a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The numbers agree.
    Agrees,
    /// The numbers differ.
    Differs,
    /// The published sample would agree with the claim and with its opposite.
    TooSmall,
    /// There is no published number to compare with.
    Unpublished,
}

impl Verdict {
    /// Returns the verdict in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Differs => "differs",
            Self::TooSmall => "too small to tell",
            Self::Unpublished => "nothing published",
        }
    }

    /// Returns the verdict on several rows: `Differs` if one row does, and `Agrees` if all do.
    pub fn of_all(rows: impl IntoIterator<Item = Self>) -> Self {
        rows.into_iter().fold(Self::Agrees, |all, one| match (all, one) {
            (Self::Differs, _) | (_, Self::Differs) => Self::Differs,
            (Self::TooSmall, _) | (_, Self::TooSmall) => Self::TooSmall,
            _ => Self::Agrees,
        })
    }
}

/// Verdict with its reason.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// Probability of a difference at least as large by chance, if a test was made.
    pub p: Option<f64>,
    /// Reason.
    pub why: String,
}

impl Judgement {
    fn new(verdict: Verdict, p: Option<f64>, why: impl Into<String>) -> Self {
        Self { verdict, p, why: why.into() }
    }
}

/// Compares two exact numbers.
pub(super) fn exact(published: &str, ours: &str) -> Judgement {
    if published == ours {
        Judgement::new(Verdict::Agrees, None, "exactly the same")
    } else {
        Judgement::new(Verdict::Differs, None, "an exact number, and ours is another one")
    }
}

/// Compares two samples of one share. The opposite of the claim is a share of `against`; the table has `rows` rows.
pub(super) fn shares(
    published: Proportion,
    ours: Proportion,
    against: f64,
    rows: usize,
) -> Judgement {
    let p = fisher(published, ours.evidence());
    let limit = SIGNIFICANCE_LEVEL / rows.max(1) as f64;
    if published.of == 1 {
        return Judgement::new(Verdict::TooSmall, Some(p), "one game fits nearly every share");
    }
    if p < limit {
        let why = format!("chance makes such a difference with p = {}", probability(p));
        return Judgement::new(Verdict::Differs, Some(p), why);
    }
    let ((low, high), (our_low, our_high)) = (published.interval(), ours.interval());
    if low <= against && against <= high {
        let why = format!(
            "the {} published games are compatible with {:.0} to {:.0} %, so also with {:.0} %",
            published.of,
            100.0 * low,
            100.0 * high,
            100.0 * against
        );
        return Judgement::new(Verdict::TooSmall, Some(p), why);
    }
    let is_above = low > against;
    if (is_above && our_high < against) || (!is_above && our_low > against) {
        let why = format!("ours lies on the other side of {:.0} %", 100.0 * against);
        return Judgement::new(Verdict::Differs, Some(p), why);
    }
    let rounding = 1e-9;
    if !(low - rounding..=high + rounding).contains(&ours.share()) {
        let why = format!(
            "ours is outside of {:.0} to {:.0} %, and yet {} games may do that by chance, p = {}",
            100.0 * low,
            100.0 * high,
            published.of,
            probability(p)
        );
        return Judgement::new(Verdict::TooSmall, Some(p), why);
    }
    let why = format!("no more apart than chance makes it, p = {}", probability(p));
    Judgement::new(Verdict::Agrees, Some(p), why)
}

/// Compares our share with the threshold of a claim in words.
pub(super) fn stated(threshold: f64, ours: Proportion) -> Judgement {
    let (low, high) = ours.interval();
    let percent = 100.0 * threshold;
    if high < threshold {
        let why = format!("all of our interval is below {percent:.0} %");
        Judgement::new(Verdict::Differs, None, why)
    } else if ours.share() < threshold {
        let why = format!("ours is below {percent:.0} %, but {:.0} % is possible", 100.0 * high);
        Judgement::new(Verdict::Agrees, None, why)
    } else if low < threshold {
        let why =
            format!("ours is not below {percent:.0} %, though {:.0} % is possible", 100.0 * low);
        Judgement::new(Verdict::Agrees, None, why)
    } else {
        Judgement::new(
            Verdict::Agrees,
            None,
            format!("all of our interval is above {percent:.0} %"),
        )
    }
}

/// Returns the verdict without a published number.
pub(super) fn unpublished() -> Judgement {
    Judgement::new(Verdict::Unpublished, None, "the course gives no number")
}

/// Judges a claim in words about numbers without random influence by the share of points at which it holds.
pub(super) fn holds(threshold: f64, ours: Proportion) -> Judgement {
    let Proportion { hits, of, .. } = ours;
    let why = format!("it holds at {hits} of {of} points");
    let verdict = if ours.share() >= threshold { Verdict::Agrees } else { Verdict::Differs };
    Judgement::new(verdict, None, why)
}

/// Difference in plies of two equal searches in the same time: each finishes whole plies, and the noise of the clock
/// decides whether the last one is finished.
const NOISE_PLIES: f64 = 1.0;

/// Share of timed points that other load may disturb by more than [`NOISE_PLIES`].
const DISTURBED: f64 = 0.05;

/// Judges the claim that one search is always at least as deep as another in the same time. `ahead` is the difference
/// in plies for each time. Also returns the number of points at which the claim holds.
pub(super) fn never_below(ahead: &[f64]) -> (String, Judgement) {
    let count = |holds: fn(f64) -> bool| ahead.iter().filter(|plies| holds(**plies)).count();
    let points = ahead.len();
    let (below, above) = (count(|plies| plies < 0.0), count(|plies| plies > 0.0));
    let far_below = count(|plies| plies < -NOISE_PLIES);
    let holds = format!("{} of {points} points", points - below);
    if below == 0 {
        let judgement = Judgement::new(Verdict::Agrees, None, format!("it holds at {holds}"));
        return (holds, judgement);
    }
    let ours = format!("{holds}, {} within a ply", points - far_below);
    let disturbed = at_least(far_below, points, DISTURBED);
    let sign = at_least(below, below + above, 0.5);
    let p = disturbed.min(sign);
    let judgement = if p < SIGNIFICANCE_LEVEL {
        let why = format!("it holds at {ours}; noise makes so much with p = {}", probability(p));
        Judgement::new(Verdict::Differs, Some(p), why)
    } else {
        let why = format!("it holds at {ours}: the rest is the noise of timed measurements");
        Judgement::new(Verdict::Agrees, Some(p), why)
    };
    (ours, judgement)
}

/// Returns the probability of at least `hits` in `of` independent trials, each with probability `chance`.
fn at_least(hits: usize, of: usize, chance: f64) -> f64 {
    let mut probability = (1.0 - chance).powi(of as i32);
    let mut less = 0.0;
    for k in 0..hits {
        less += probability;
        probability *= (of - k) as f64 / (k + 1) as f64 * chance / (1.0 - chance);
    }
    (1.0 - less).max(0.0)
}

/// Judges the claim that the first of two shares is larger.
pub(super) fn better(published: [Proportion; 2], ours: [Proportion; 2], rows: usize) -> Judgement {
    let p = fisher(ours[0].evidence(), ours[1].evidence());
    let own = fisher(published[0], published[1]);
    let is_reversed = ours[0].share() < ours[1].share();
    if is_reversed && p < SIGNIFICANCE_LEVEL / rows.max(1) as f64 {
        let why = format!("ours differ the other way, p = {}", probability(p));
        return Judgement::new(Verdict::Differs, Some(p), why);
    }
    // The largest of several samples was picked afterwards, so the level is divided by the rows.
    if own > 0.05 / rows.max(1) as f64 {
        let why = format!(
            "the published samples could be of one share: p = {}, one of several comparisons",
            probability(own)
        );
        return Judgement::new(Verdict::TooSmall, Some(own), why);
    }
    let way = if is_reversed { "not clearly the other way" } else { "the same way" };
    Judgement::new(Verdict::Agrees, Some(p), format!("ours differ {way}, p = {}", probability(p)))
}

/// Returns the two-sided p-value of Fisher's exact test.
pub(super) fn fisher(a: Proportion, b: Proportion) -> f64 {
    let hits = a.hits + b.hits;
    let most = hits.min(a.of);
    let mut logs = vec![0.0; (a.of + b.of + 1) as usize];
    for n in 1..logs.len() {
        logs[n] = logs[n - 1] + (n as f64).ln();
    }
    let choose = |n: u64, k: u64| logs[n as usize] - logs[k as usize] - logs[(n - k) as usize];
    let all = choose(a.of + b.of, hits);
    let chance = |k: u64| (choose(a.of, k) + choose(b.of, hits - k) - all).exp();
    // The factor includes equally likely tables in spite of rounding.
    let seen = chance(a.hits) * (1.0 + 1e-7);
    (hits.saturating_sub(b.of)..=most)
        .map(chance)
        .filter(|chance| *chance <= seen)
        .sum::<f64>()
        .min(1.0)
}

fn probability(p: f64) -> String {
    if p < 0.0001 {
        format!("{p:.0e}")
    } else if p < 0.01 {
        format!("{p:.4}")
    } else {
        format!("{p:.2}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn of(hits: u64, of: u64) -> Proportion {
        Proportion::new(hits, of)
    }

    #[test]
    fn fishers_test_is_exact() {
        // From sums of products of binomial coefficients in whole numbers (Python's math.comb).
        let known = [
            ([of(94, 100), of(926, 1000)], 0.839_244_036_490_921_6),
            ([of(20, 20), of(17, 20)], 0.230_769_230_769_230_78),
            ([of(20, 20), of(65, 100)], 0.000_762_203_959_977_404_5),
            ([of(29, 50), of(250, 500)], 0.301_922_137_172_315_3),
            ([of(1, 1), of(0, 99)], 0.01),
            ([of(8, 8), of(240, 300)], 0.362_251_270_967_581_7),
            ([of(3, 5), of(1, 6)], 0.242_424_242_424_242_43),
            ([of(99, 100), of(988, 1000)], 1.0),
        ];
        for ([a, b], p) in known {
            assert!((fisher(a, b) - p).abs() < 1e-9, "{a:?} {b:?} {} {p}", fisher(a, b));
            assert!((fisher(b, a) - p).abs() < 1e-9, "{a:?} {b:?}");
        }
    }

    #[test]
    fn chance_seldom_makes_samples_of_one_share_differ() {
        // 2,000 pairs of samples of one coin: p < 0.05 in at most one of twenty, as a test must.
        let mut rng = tussle_core::Rng::new(7);
        let mut sample = |n: u64| of((0..n).filter(|_| rng.below(10) < 7).count() as u64, n);
        let wrong = (0..2000).filter(|_| fisher(sample(40), sample(160)) < 0.05).count();
        assert!((20..=110).contains(&wrong), "{wrong}");
    }

    #[test]
    fn a_claim_without_a_significant_sample_is_too_small() {
        // 29 of 50: 44 to 71 %, whatever we find between them.
        for ours in [of(500, 1000), of(580, 1000), of(650, 1000)] {
            assert_eq!(shares(of(29, 50), ours, 0.5, 1).verdict, Verdict::TooSmall);
        }
        assert_eq!(shares(of(29, 50), of(950, 1000), 0.5, 1).verdict, Verdict::Differs);
        assert_eq!(shares(of(1, 1), of(0, 300), 0.5, 12).verdict, Verdict::TooSmall);
    }

    #[test]
    fn repeated_games_are_not_evidence() {
        // 40 of 1200 games that are two games in truth.
        let ours = Proportion { hits: 600, of: 1200, distinct: 2 };
        let (low, high) = ours.interval();
        assert!(low < 0.1 && high > 0.9, "{low} {high}");
        assert_ne!(shares(of(8, 8), ours, 0.5, 1).verdict, Verdict::Differs);
        assert_eq!(shares(of(8, 8), of(600, 1200), 0.5, 1).verdict, Verdict::Differs);
    }

    #[test]
    fn large_differences_differ_and_small_ones_agree() {
        assert_eq!(shares(of(94, 100), of(926, 1000), 0.5, 4).verdict, Verdict::Agrees);
        assert_eq!(shares(of(20, 20), of(65, 100), 0.5, 1).verdict, Verdict::Differs);
        // Among a hundred rows, one such pair is expected by chance, but it does not support the claim.
        assert_eq!(shares(of(20, 20), of(65, 100), 0.5, 100).verdict, Verdict::TooSmall);
        // Compatible by the test alone, but they say the opposite.
        let judgement = shares(of(9, 10), of(450, 1000), 0.5, 10);
        assert!(judgement.p.unwrap() > 0.001);
        assert_eq!(judgement.verdict, Verdict::Differs);
    }

    #[test]
    fn thresholds_are_judged_by_our_interval() {
        assert_eq!(stated(0.9, of(99, 100)).verdict, Verdict::Agrees);
        assert_eq!(stated(0.9, of(91, 100)).verdict, Verdict::Agrees);
        assert_eq!(stated(0.9, of(88, 100)).verdict, Verdict::Agrees);
        assert_eq!(stated(0.9, of(60, 100)).verdict, Verdict::Differs);
        assert_eq!(holds(1.0, of(9, 10)).verdict, Verdict::Differs);
        assert_eq!(holds(0.9, of(9, 10)).verdict, Verdict::Agrees);
    }

    #[test]
    fn one_share_is_above_another_only_with_enough_games() {
        let few = [of(20, 20), of(17, 20)];
        assert_eq!(better(few, [of(700, 1000), of(690, 1000)], 1).verdict, Verdict::TooSmall);
        assert_eq!(better(few, [of(600, 1000), of(800, 1000)], 1).verdict, Verdict::Differs);
        let many = [of(200, 200), of(170, 200)];
        assert_eq!(better(many, [of(700, 1000), of(690, 1000)], 1).verdict, Verdict::Agrees);
    }

    #[test]
    fn binomial_tails_are_exact() {
        for (hits, of, chance, p) in [
            (0, 7, 0.05, 1.0),
            (1, 7, 0.05, 1.0 - 0.95_f64.powi(7)),
            (7, 7, 0.5, 1.0 / 128.0),
            (8, 10, 0.5, 56.0 / 1024.0),
            (0, 0, 0.5, 1.0),
        ] {
            assert!((at_least(hits, of, chance) - p).abs() < 1e-12, "{hits} of {of}");
        }
    }

    #[test]
    fn one_row_that_differs_is_enough() {
        use Verdict::{Agrees, Differs, TooSmall};
        assert_eq!(Verdict::of_all([Agrees, Differs, TooSmall]), Differs);
        assert_eq!(Verdict::of_all([TooSmall, Agrees]), TooSmall);
        assert_eq!(Verdict::of_all([Agrees, Agrees]), Agrees);
    }
}
