//! What the games of two agents say, as a share of the points.

use serde_json::Value;
use tussle_arena::Summary;
use tussle_catalog::text::counted;
use tussle_stats::{Pentanomial, Wdl, wilson_interval};
use tussle_view::chart::Point;

use super::words::{grouped, interval, percent};

/// The first agent's share of the points of a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Points {
    pub(super) share: f64,
    /// The 95 % interval.
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) games: u64,
    score: Wdl,
    pub(super) pairs: Pentanomial,
    /// Pairs that were not played before, move by move.
    pub(super) distinct: u64,
    pub(super) lost_on_time: u64,
}

/// Whether a share of the points is more than half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Stronger,
    Weaker,
    /// Both may be as strong: there are too few games to tell.
    Open,
}

impl Points {
    /// What a table says of a match: all that its interval is computed from. Pairs are counted by their points.
    pub(super) const COLUMNS: [&'static str; 13] = [
        "share of the points",
        "from",
        "to",
        "games",
        "wins",
        "draws",
        "losses",
        "pairs 0",
        "pairs 0.5",
        "pairs 1",
        "pairs 1.5",
        "pairs 2",
        "distinct pairs",
    ];

    /// The entries of these columns.
    pub(super) fn cells(&self) -> impl Iterator<Item = Value> {
        let Wdl { wins, draws, losses } = self.score;
        let shares = [self.share, self.low, self.high].map(Value::from);
        let games = [self.games, wins, draws, losses].map(Value::from);
        let pairs = self.pairs.0.map(Value::from);
        shares.into_iter().chain(games).chain(pairs).chain([self.distinct.into()])
    }

    /// Of the first of the two agents.
    pub(super) fn of(summary: &Summary) -> Self {
        let Some(meeting) = summary.duel() else { return Self::none() };
        let lost_on_time = summary.time_losses.iter().sum();
        let distinct = summary.distinct_pairs;
        Self {
            lost_on_time,
            games: meeting.games,
            score: meeting.score,
            ..Self::of_pairs(&meeting.pentanomial, distinct)
        }
    }

    fn none() -> Self {
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

    /// Wilson's interval for as many games as would scatter like these pairs: it stays between 0 and 1 as it
    /// should, while draws, and openings that favour a seat, make it as narrow as pairs allow. Pairs that were
    /// played before count for nothing.
    pub(super) fn of_pairs(pairs: &Pentanomial, distinct: u64) -> Self {
        let n = pairs.pairs();
        if n == 0 {
            return Self::none();
        }
        let counted =
            || pairs.0.iter().enumerate().map(|(i, &count)| (i as f64 / 4.0, count as f64));
        let share = counted().map(|(worth, count)| worth * count).sum::<f64>() / n as f64;
        let squares: f64 = counted().map(|(worth, count)| count * (worth - share).powi(2)).sum();
        let variance = squares / (n as f64 - 1.0).max(1.0);
        // Pairs that are all alike do not show how they scatter: each is one game then.
        let alike = if variance > 0.0 { share * (1.0 - share) / variance } else { 1.0 };
        let independent = alike.min(4.0) * n.min(distinct.max(1)) as f64;
        let (low, high) = wilson_interval(share, independent);
        Self { share, low, high, games: 2 * n, pairs: *pairs, distinct, ..Self::none() }
    }

    /// Of several matches as if they were one.
    pub(super) fn together<'a>(all: impl Iterator<Item = &'a Self>) -> Self {
        let (mut pairs, mut distinct) = (Pentanomial::default(), 0);
        for points in all {
            pairs += points.pairs;
            distinct += points.distinct;
        }
        Self::of_pairs(&pairs, distinct)
    }

    pub(super) fn verdict(&self) -> Verdict {
        match (self.low > 0.5, self.high < 0.5) {
            (true, _) => Verdict::Stronger,
            (_, true) => Verdict::Weaker,
            _ => Verdict::Open,
        }
    }

    /// Its place in a chart.
    pub(super) fn at(&self, x: f64) -> Point {
        Point::between(x, self.share, self.low, self.high)
    }

    /// `71 % (95 % interval 64–77 %, 200 games)`
    pub(super) fn text(&self) -> String {
        let interval = interval(self.low, self.high);
        format!(
            "{} (95 % interval {interval}, {} games)",
            percent(self.share),
            grouped(self.games as f64)
        )
    }

    /// Strength as Elo with its standard error; none at the ends, where games do not tell it.
    pub(super) fn elo(&self) -> Option<(f64, f64)> {
        let of = |share: f64| -400.0 * (1.0 / share - 1.0).log10();
        let is_told = self.low > 0.0 && self.high < 1.0 && self.share > 0.0 && self.share < 1.0;
        is_told.then(|| (of(self.share), (of(self.high) - of(self.low)) / (2.0 * 1.96)))
    }
}

/// What must be known of the games of all matches before they are believed.
pub(super) fn caveats<'a>(all: impl Iterator<Item = &'a Points>) -> Vec<String> {
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
    fn nineteen_of_twenty_intervals_hold_the_truth() {
        // Who is first of an opening that favours a seat wins more often than on the other seat.
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
                let points = Points::of_pairs(&pairs, 30);
                points.low <= truth && truth <= points.high
            });
            let held = held.count() as f64 / f64::from(matches);
            assert!(held > 0.93 && held < 0.985, "{first} {second}: {held}");
        }
    }

    #[test]
    fn games_that_repeat_themselves_tell_nothing_new() {
        let pairs = Pentanomial([10, 0, 10, 0, 80]);
        let (all, few) = (Points::of_pairs(&pairs, 100), Points::of_pairs(&pairs, 2));
        assert_eq!(all.share, few.share);
        assert_eq!((all.verdict(), few.verdict()), (Verdict::Stronger, Verdict::Open));
        assert_eq!(caveats([few].iter()).len(), 1);
        assert!(caveats([all].iter()).is_empty());
        let said = caveats([all; 18].iter());
        assert!(said[0].starts_with("18 matches are judged"), "{said:?}");
    }

    #[test]
    fn no_games_say_nothing() {
        let none = Points::of_pairs(&Pentanomial::default(), 0);
        assert_eq!((none.verdict(), none.elo()), (Verdict::Open, None));
    }
}
