//! Scores of matches: the share of the points with its interval.

use serde::Serialize;
use tussle_arena::Summary;
use tussle_catalog::text::counted;
use tussle_stats::{Pentanomial, Wdl, wilson_interval};
use tussle_view::chart::Point;

use crate::sentences::{grouped, interval, percent};

/// Score of the first agent of a match, as its share of the points. The columns of a table are everything that the
/// interval is computed from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct MatchScore {
    #[serde(rename = "share of the points")]
    pub(crate) share: f64,
    /// 95 % interval of the share.
    #[serde(rename = "from")]
    pub(crate) low: f64,
    #[serde(rename = "to")]
    pub(crate) high: f64,
    pub(crate) games: u64,
    #[serde(flatten)]
    score: Wdl,
    /// Pairs of games by their points.
    #[serde(rename = "pairs 0|pairs 0.5|pairs 1|pairs 1.5|pairs 2")]
    pub(crate) pairs: Pentanomial,
    /// Number of pairs that differ from all earlier ones.
    #[serde(rename = "distinct pairs")]
    pub(crate) distinct: u64,
    #[serde(skip)]
    pub(crate) lost_on_time: u64,
}

/// Comparison of two agents by the interval of a share of the points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Stronger,
    Weaker,
    /// The interval contains one half: too few games to tell.
    Open,
}

impl MatchScore {
    /// Returns the score of the first of the two agents.
    pub(crate) fn of(summary: &Summary) -> Self {
        let Some(meeting) = summary.duel() else { return Self::default() };
        let lost_on_time = summary.time_losses.iter().sum();
        let distinct = summary.distinct_pairs;
        Self {
            lost_on_time,
            games: meeting.games,
            score: meeting.score,
            ..Self::of_pairs(&meeting.pentanomial, distinct)
        }
    }

    /// Returns the score of pairs of games, with Wilson's interval for the number of independent games that has the
    /// variance of these pairs. Only `distinct` pairs count as independent.
    pub(crate) fn of_pairs(pairs: &Pentanomial, distinct: u64) -> Self {
        let n = pairs.pairs();
        if n == 0 {
            return Self::default();
        }
        let counted =
            || pairs.0.iter().enumerate().map(|(i, &count)| (i as f64 / 4.0, count as f64));
        let share = counted().map(|(worth, count)| worth * count).sum::<f64>() / n as f64;
        let squares: f64 = counted().map(|(worth, count)| count * (worth - share).powi(2)).sum();
        let variance = squares / (n as f64 - 1.0).max(1.0);
        // Equal pairs have no variance; each counts as one game then.
        let alike = if variance > 0.0 { share * (1.0 - share) / variance } else { 1.0 };
        let independent = alike.min(4.0) * n.min(distinct.max(1)) as f64;
        let (low, high) = wilson_interval(share, independent);
        Self { share, low, high, games: 2 * n, pairs: *pairs, distinct, ..Self::default() }
    }

    /// Returns the score of several matches together.
    pub(crate) fn together<'a>(all: impl Iterator<Item = &'a Self>) -> Self {
        let (mut pairs, mut distinct) = (Pentanomial::default(), 0);
        for points in all {
            pairs += points.pairs;
            distinct += points.distinct;
        }
        Self::of_pairs(&pairs, distinct)
    }

    pub(crate) fn comparison(&self) -> Comparison {
        match (self.low > 0.5, self.high < 0.5) {
            (true, _) => Comparison::Stronger,
            (_, true) => Comparison::Weaker,
            _ => Comparison::Open,
        }
    }

    /// Returns the share as a point of a chart.
    pub(crate) fn point(&self, x: f64) -> Point {
        Point::between(x, self.share, self.low, self.high)
    }

    /// Writes the score: `71 % (95 % interval 64–77 %, 200 games)`.
    pub(crate) fn text(&self) -> String {
        let interval = interval(self.low, self.high);
        format!(
            "{} (95 % interval {interval}, {} games)",
            percent(self.share),
            grouped(self.games as f64)
        )
    }

    /// Returns the difference in Elo with its standard error; `None` near shares of 0 and 1.
    pub(crate) fn elo(&self) -> Option<(f64, f64)> {
        let of = |share: f64| -400.0 * (1.0 / share - 1.0).log10();
        let is_inside = self.low > 0.0 && self.high < 1.0 && self.share > 0.0 && self.share < 1.0;
        is_inside.then(|| (of(self.share), (of(self.high) - of(self.low)) / (2.0 * 1.96)))
    }
}

impl Default for MatchScore {
    fn default() -> Self {
        let (share, low, high) = (0.5, 0.0, 1.0);
        Self {
            share,
            low,
            high,
            games: 0,
            score: Wdl::default(),
            pairs: Pentanomial::default(),
            distinct: 0,
            lost_on_time: 0,
        }
    }
}

/// Returns the caveats on the games of all matches.
pub(crate) fn caveats<'a>(all: impl Iterator<Item = &'a MatchScore>) -> Vec<String> {
    let (mut intervals, mut pairs, mut distinct, mut late) = (0, 0, 0, 0);
    for points in all {
        intervals += 1;
        pairs += points.pairs.pairs();
        distinct += points.distinct;
        late += points.lost_on_time;
    }
    let mut sentences = Vec::new();
    if intervals > 1 {
        sentences.push(format!(
            "{intervals} matches are judged, each by its 95 % interval: about one interval in twenty misses the \
             truth by chance."
        ));
    }
    if distinct < pairs {
        sentences.push(format!(
            "Only {} of {} pairs of games were distinct; the others count for nothing in the intervals.",
            grouped(distinct as f64),
            grouped(pairs as f64)
        ));
    }
    if late > 0 {
        sentences.push(format!(
            "{} {} lost on time.",
            counted(late, "game"),
            if late == 1 { "was" } else { "were" }
        ));
    }
    sentences
}

#[cfg(test)]
mod tests {
    use tussle_core::Rng;
    use tussle_stats::GameResult;

    use super::*;

    #[test]
    fn nineteen_of_twenty_intervals_contain_the_true_share() {
        // Openings favour a seat: the share of wins differs between the two games of a pair.
        for (first, second, draws) in [(0.5, 0.5, 0.0), (0.7, 0.1, 0.2), (0.95, 0.85, 0.0)] {
            let mut rng = Rng::new(11);
            let truth = f64::midpoint(first, second) + draws / 2.0;
            let mut play = |wins: f64| match rng.unit() {
                x if x < wins => GameResult::Win,
                x if x < wins + draws => GameResult::Draw,
                _ => GameResult::Loss,
            };
            let matches = 2000;
            let held = (0..matches).filter(|_| {
                let mut pairs = Pentanomial::default();
                for _ in 0..30 {
                    pairs.add([play(first), play(second)]);
                }
                let points = MatchScore::of_pairs(&pairs, 30);
                points.low <= truth && truth <= points.high
            });
            let held = held.count() as f64 / f64::from(matches);
            assert!(held > 0.93 && held < 0.985, "{first} {second}: {held}");
        }
    }

    #[test]
    fn repeated_games_do_not_narrow_the_interval() {
        let pairs = Pentanomial([10, 0, 10, 0, 80]);
        let (all, few) = (MatchScore::of_pairs(&pairs, 100), MatchScore::of_pairs(&pairs, 2));
        assert_eq!(all.share, few.share);
        assert_eq!((all.comparison(), few.comparison()), (Comparison::Stronger, Comparison::Open));
        assert_eq!(caveats([few].iter()).len(), 1);
        assert!(caveats([all].iter()).is_empty());
        let said = caveats([all; 18].iter());
        assert!(said[0].starts_with("18 matches are judged"), "{said:?}");
    }

    #[test]
    fn a_match_without_games_is_open() {
        let none = MatchScore::of_pairs(&Pentanomial::default(), 0);
        assert_eq!((none.comparison(), none.elo()), (Comparison::Open, None));
    }
}
