//! Elo differences of two players, with their errors.

use crate::normal::{Z95, normal_cdf, student95};
use crate::{Pentanomial, Wdl};

/// Elo difference or rating, and the half width of its 95 % interval.
///
/// A part that the games do not determine is `None`: if all games were won, no difference is large enough.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Elo {
    /// The difference or rating in Elo.
    pub value: Option<f64>,
    /// Half the width of the 95 % interval, in Elo.
    pub error: Option<f64>,
}

/// Estimate of the difference in strength between two players.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Estimate {
    /// Share of the points.
    pub score: Option<f64>,
    /// Elo difference.
    pub elo: Elo,
    /// Difference in normalized Elo, which does not depend on the share of drawn games.
    #[cfg_attr(feature = "serde", serde(rename = "normalized_elo"))]
    pub normalized: Elo,
    /// Likelihood of superiority: the probability that the difference is positive.
    pub los: Option<f64>,
    /// Smallest difference in the 95 % interval; `None` if 0 is in it.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub least: Option<f64>,
    /// Bound that the difference exceeds with 95 % confidence, if every sample was won or every one
    /// lost; `None` otherwise.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub beyond: Option<f64>,
}

/// Returns the expected share of the points at an Elo difference.
pub(crate) fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// Returns the Elo difference at which a share of the points is expected.
pub(crate) fn elo_difference(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// Returns a finite number as it is, and `None` for infinity and NaN.
fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number + 0.0) // no -0
}

impl Estimate {
    /// Estimates the difference from independent games.
    pub fn from_games(games: &Wdl) -> Self {
        Self::from_samples(&[games.losses, games.draws, games.wins], 1.0)
    }

    /// Estimates the difference from pairs of games, which are independent of each other.
    pub fn from_pairs(pairs: &Pentanomial) -> Self {
        Self::from_samples(&pairs.0, 2.0)
    }

    /// Estimates the difference from samples of `games` games each, counted by their score in equal
    /// steps from 0 to 1.
    fn from_samples(counts: &[u64], games: f64) -> Self {
        let n = counts.iter().sum::<u64>() as f64;
        if n == 0.0 {
            return Self::default();
        }
        let worth = |i: usize| i as f64 / (counts.len() - 1) as f64;
        let mean = |of: &dyn Fn(f64) -> f64| {
            counts
                .iter()
                .enumerate()
                .map(|(i, &count)| count as f64 / n * of(worth(i)))
                .sum::<f64>()
        };
        let score = mean(&|worth| worth);
        if n < 2.0 {
            return Self { score: Some(score), ..Self::default() };
        }
        let variance = mean(&|worth| (worth - score).powi(2));
        let deviation = (variance / n).sqrt();
        let (low, high) = (score - Z95 * deviation, score + Z95 * deviation);
        // A sample of two games varies half as much as one game.
        let normalized = |score: f64| {
            (score - 0.5) / (games * variance).sqrt() * (800.0 / std::f64::consts::LN_10)
        };
        let elo = |of: &dyn Fn(f64) -> f64| {
            let value = finite(of(score));
            let error = value.and_then(|_| finite((of(high) - of(low)) / 2.0));
            Elo { value, error: error.filter(|_| variance > 0.0) }
        };
        let mut logistic = elo(&elo_difference);
        if logistic.error.is_none() && logistic.value.is_some() && variance > 0.0 {
            // The interval leaves 0 to 1, where the difference is infinite: follow the slope instead.
            let slope = 400.0 / (std::f64::consts::LN_10 * score * (1.0 - score));
            logistic.error = finite(Z95 * deviation * slope);
        }
        // With p for a win, n wins in a row happen in 1 of 20 tries if p^n = 0.05.
        let streak = 0.05_f64.powf(1.0 / n);
        let beyond = match score {
            // Too few: the weaker player would win them all often enough.
            _ if streak <= 0.5 => None,
            1.0 => Some(elo_difference(streak)),
            0.0 => Some(-elo_difference(streak)),
            _ => None,
        };
        // A claim takes into account how few the samples of a short match are.
        let student = student95(n - 1.0) * (variance / (n - 1.0)).sqrt();
        let least = match (score - student, score + student) {
            (low, _) if low > 0.5 => finite(elo_difference(low)),
            (_, high) if high < 0.5 => finite(elo_difference(high)),
            _ => None,
        };
        Self {
            least: least.filter(|_| variance > 0.0),
            score: Some(score),
            elo: logistic,
            normalized: elo(&normalized),
            // Few samples that are all alike show nothing.
            los: finite(normal_cdf((score - 0.5) / deviation))
                .filter(|_| variance > 0.0 || beyond.is_some()),
            beyond,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_landslide_has_an_error_too() {
        let pairs = Pentanomial([0, 0, 3, 0, 47]);
        let Elo { value, error } = Estimate::from_pairs(&pairs).elo;
        // The standard error of the score is 0.0168; d Elo / d score at 0.97 is 5970.
        assert_eq!(value.map(f64::round), Some(604.0));
        assert!(error.is_some_and(|error| (error - 196.6).abs() < 1.0), "{error:?}");
    }

    fn printed(elo: Elo) -> String {
        format!("{:.2} +/- {:.2}", elo.value.unwrap(), elo.error.unwrap())
    }

    /// Published results of matches, as `fastchess` printed them.
    #[test]
    fn published_results_of_pairs_come_out_digit_by_digit() {
        for (counts, elo, normalized, los, draws, ratio) in [
            // Disservin/fastchess, issue 807
            ([30, 6, 18, 0, 6], "-168.40 +/- 73.37", "-170.08 +/- 62.16", "0.00", "30.00", "0.17"),
            // brunocodutra/cinder, pull request 727
            (
                [50, 287, 610, 387, 73],
                "18.04 +/- 8.23",
                "28.19 +/- 12.84",
                "100.00",
                "43.35",
                "1.36",
            ),
            // lynx-chess/Lynx, pull request 1899
            (
                [235, 1384, 2521, 1341, 239],
                "-1.06 +/- 4.05",
                "-1.67 +/- 6.37",
                "30.33",
                "44.07",
                "0.98",
            ),
            // Matthies/RubiChess, pull request 523
            ([8, 633, 1558, 804, 6], "9.64 +/- 4.36", "19.42 +/- 8.78", "100.00", "51.78", "1.26"),
            // Disservin/fastchess, pull request 515
            ([0, 1, 4, 0, 0], "-34.86 +/- 62.20", "-122.84 +/- 215.34", "13.18", "80.00", "0.00"),
        ] {
            let pairs = Pentanomial(counts);
            let estimate = Estimate::from_pairs(&pairs);
            assert_eq!(printed(estimate.elo), elo, "{counts:?}");
            assert_eq!(printed(estimate.normalized), normalized, "{counts:?}");
            assert_eq!(format!("{:.2}", estimate.los.unwrap() * 100.0), los, "{counts:?}");
            assert_eq!(format!("{:.2}", pairs.draw_ratio().unwrap() * 100.0), draws);
            assert_eq!(format!("{:.2}", pairs.pairs_ratio().unwrap()), ratio);
        }
    }

    #[test]
    fn published_results_of_single_games_come_out_too() {
        for (wins, draws, losses, elo, los) in [
            // JoAnnP38/Pedantic, pull request 8, by cutechess-cli
            (332, 352, 316, "5.6 +/- 17.3", "73.5"),
            // cutechess/cutechess, issue 543
            (880, 1863, 759, "12.0 +/- 7.9", "99.9"),
            // brunocodutra/cinder, pull request 570, by cutechess-cli
            (1038, 1925, 1037, "0.1 +/- 7.7", "50.9"),
            // princesslana/princhess, pull request 256, by cutechess-cli
            (289, 417, 294, "-1.7 +/- 16.4", "41.8"),
        ] {
            let games = Wdl { wins, draws, losses };
            let estimate = Estimate::from_games(&games);
            let (value, error) = (estimate.elo.value.unwrap(), estimate.elo.error.unwrap());
            // cutechess has 1.95717 standard deviations for 95 %, by a formula that is not exact.
            let error = error * 1.957_17 / Z95;
            assert_eq!(format!("{value:.1} +/- {error:.1}"), elo, "{games:?}");
            assert_eq!(format!("{:.1}", estimate.los.unwrap() * 100.0), los, "{games:?}");
        }
    }

    #[test]
    fn undetermined_parts_are_none() {
        let of = |counts| Estimate::from_pairs(&Pentanomial(counts));
        assert_eq!(of([0; 5]), Estimate::default());
        // One pair has a score and nothing else.
        assert_eq!(of([0, 0, 0, 1, 0]), Estimate { score: Some(0.75), ..Estimate::default() });
        // All won: beyond the difference at which 50 pairs are won in a row once in twenty tries.
        let won = of([0, 0, 0, 0, 50]);
        assert_eq!((won.elo, won.normalized), (Elo::default(), Elo::default()));
        assert_eq!((won.score, won.los), (Some(1.0), Some(1.0)));
        let p = 1.0 / (1.0 + 10_f64.powf(-won.beyond.unwrap() / 400.0));
        assert!((p.powi(50) - 0.05).abs() < 1e-12);
        assert_eq!(of([50, 0, 0, 0, 0]).beyond, won.beyond.map(|elo| -elo));
        // The weaker player wins a few pairs in a row, too.
        assert_eq!(of([0, 0, 0, 0, 4]).beyond, None);
        assert!(of([0, 0, 0, 0, 5]).beyond.is_some_and(|elo| elo > 0.0));
        // All pairs even: equal, but there is no deviation to measure it by.
        let even = of([0, 0, 9, 0, 0]);
        assert_eq!(even.elo, Elo { value: Some(0.0), error: None });
        assert_eq!((even.normalized, even.los), (Elo::default(), None));
    }

    #[test]
    fn the_other_side_is_as_much_weaker() {
        let pairs = Pentanomial([3, 10, 40, 22, 9]);
        let [ours, theirs] = [pairs, pairs.reversed()].map(|p| Estimate::from_pairs(&p));
        let close = |a: Option<f64>, b: Option<f64>| (a.unwrap() - b.unwrap()).abs() < 1e-9;
        assert!(close(ours.elo.value, theirs.elo.value.map(|elo| -elo)));
        assert!(close(ours.elo.error, theirs.elo.error));
        assert!(close(ours.los, theirs.los.map(|los| 1.0 - los)));
    }
}
