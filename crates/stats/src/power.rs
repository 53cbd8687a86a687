//! Power analysis: the number of games that shows a difference.

use std::fmt;

use crate::elo::{elo_difference, expected_score};
use crate::normal::{Z95, normal_quantile};

/// Smallest and largest Elo difference. Smaller ones take more games than were ever played, larger ones
/// show in any game.
const ELO_RANGE: [f64; 2] = [0.05, 1900.0];

/// Smallest and largest score of the stronger player: those of [`ELO_RANGE`].
const SCORE_RANGE: [f64; 2] = [0.50007, 0.99999];

/// Question of a power analysis: the number of games that shows a given difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Power {
    /// Score of the stronger player.
    score: f64,
    draws: f64,
    alpha: f64,
    /// Probability that the difference is found: the power.
    detection: f64,
}

/// Expected number of games of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpectedGames {
    /// If there is no difference.
    pub h0: f64,
    /// If the difference is that of the hypothesis H1.
    pub h1: f64,
    /// If the difference is about half of that, where the test takes longest.
    pub between: f64,
}

/// Error in the question of a power analysis.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PowerError {
    /// The score is out of range.
    Score {
        /// Score that was given.
        score: f64,
    },
    /// The Elo difference is out of range.
    Elo {
        /// Difference that was given.
        elo: f64,
    },
    /// The Elo difference is 0.
    NoDifference,
    /// The error of the first kind is out of range.
    Alpha {
        /// Probability that was given.
        alpha: f64,
    },
    /// The power is out of range.
    Power {
        /// Probability that was given.
        power: f64,
    },
    /// The share of draws is out of range.
    Draws {
        /// Share that was given.
        draws: f64,
    },
    /// The share of draws is too large for the score.
    DrawsForScore {
        /// Share of draws that was given.
        draws: f64,
        /// Score of the stronger player.
        score: f64,
        /// Largest share of draws at this score.
        max_draws: f64,
    },
}

impl fmt::Display for PowerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Score { score } => write!(
                f,
                "the score is {score}; write the share of the stronger one's points, from {} to {}",
                SCORE_RANGE[0], SCORE_RANGE[1]
            ),
            Self::Elo { elo } => write!(
                f,
                "the difference is {elo} Elo; write one from {} to {}, either way",
                ELO_RANGE[0], ELO_RANGE[1]
            ),
            Self::NoDifference => {
                f.write_str("no number of games shows a difference of 0 Elo; write another one")
            }
            Self::Alpha { alpha } => {
                write!(f, "alpha is {alpha}; write a number from 1e-6 to 0.5, as 0.05")
            }
            Self::Power { power } => {
                write!(f, "the power is {power}; write a number from 0.5 to 0.999999, as 0.8")
            }
            Self::Draws { draws } => write!(
                f,
                "the share of draws is {draws}; write a number from 0 to less than 1, as 0.3"
            ),
            Self::DrawsForScore { draws, score, max_draws } => write!(
                f,
                "with a share of draws of {draws} no player can score {score:.4}; write a share up to {max_draws:.4}"
            ),
        }
    }
}

impl std::error::Error for PowerError {}

impl Power {
    /// Asks for the number of games that shows a score other than ½.
    ///
    /// `draws` is the share of drawn games. `alpha` is the probability that equal players are taken for
    /// different, `power` the probability that the difference is found.
    ///
    /// # Errors
    /// If a number is out of range, or the draws leave too few points for the score.
    pub fn new(score: f64, draws: f64, alpha: f64, power: f64) -> Result<Self, PowerError> {
        // Comparisons with NaN are false, so NaN is out of every range.
        if !(SCORE_RANGE[0]..=SCORE_RANGE[1]).contains(&score) {
            return Err(PowerError::Score { score });
        }
        if !(1e-6..0.5).contains(&alpha) {
            return Err(PowerError::Alpha { alpha });
        }
        if !(0.5..=1.0 - 1e-6).contains(&power) {
            return Err(PowerError::Power { power });
        }
        if !(0.0..1.0).contains(&draws) {
            return Err(PowerError::Draws { draws });
        }
        // Even if no game is lost, draws cost half a point each.
        let max_draws = 2.0 * (1.0 - score);
        if draws > max_draws + 1e-9 {
            return Err(PowerError::DrawsForScore { draws, score, max_draws });
        }
        Ok(Self { score, draws, alpha, detection: power })
    }

    /// Like [`new`](Self::new), for a difference in Elo of either sign.
    ///
    /// # Errors
    /// As [`new`](Self::new), and if the difference is 0.
    pub fn of_elo(elo: f64, draws: f64, alpha: f64, power: f64) -> Result<Self, PowerError> {
        if elo == 0.0 {
            return Err(PowerError::NoDifference);
        }
        if !(ELO_RANGE[0]..=ELO_RANGE[1]).contains(&elo.abs()) {
            return Err(PowerError::Elo { elo });
        }
        Self::new(expected_score(elo.abs()), draws, alpha, power)
    }

    /// Returns the score of the stronger player.
    pub fn score(&self) -> f64 {
        self.score
    }

    /// Returns the difference in Elo.
    pub fn elo(&self) -> f64 {
        elo_difference(self.score)
    }

    /// Returns the number of games of a one-sided test.
    pub fn games(&self) -> u64 {
        self.fractional_games().ceil().max(1.0) as u64
    }

    /// Returns the question of a two-sided test, which does not assume which player is the stronger one.
    ///
    /// The 95 % interval of a match is such a test.
    #[must_use]
    pub fn two_sided(&self) -> Self {
        Self { alpha: self.alpha / 2.0, ..*self }
    }

    /// Returns the unrounded number of games of a one-sided test: equal players score more than its limit
    /// with probability `alpha`, the stronger player less with probability `1 - power`.
    fn fractional_games(&self) -> f64 {
        let equal = 0.5 * (1.0 - self.draws).sqrt();
        let [upper, lower] = [normal_quantile(1.0 - self.alpha), normal_quantile(self.detection)];
        ((upper * equal + lower * self.deviation()) / (self.score - 0.5)).powi(2)
    }

    /// Returns the standard deviation of the score of one game.
    fn deviation(&self) -> f64 {
        (self.score * (1.0 - self.score) - self.draws / 4.0).max(0.0).sqrt()
    }

    /// Returns half the width of the 95 % interval of the Elo difference after `games` games.
    pub fn error(&self, games: u64) -> f64 {
        let slope = 400.0 / (std::f64::consts::LN_10 * self.score * (1.0 - self.score));
        let half = Z95 * self.deviation() / (games.max(1) as f64).sqrt();
        let whole = (elo_difference(self.score + half) - elo_difference(self.score - half)) / 2.0;
        // As for real games: beyond 0 % and 100 % follow the slope.
        if whole.is_finite() { whole } else { slope * half }
    }

    /// Returns the expected number of games of a sequential test of "equal" against this difference.
    ///
    /// This is Wald's approximation: the log-likelihood ratio stops exactly at one of its bounds and moves
    /// there at its mean rate.
    pub fn sequential(&self) -> ExpectedGames {
        let (alpha, beta) = (self.alpha, 1.0 - self.detection);
        let [lower, upper] = [(beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln()];
        let win = self.score - self.draws / 2.0;
        let loss = (1.0 - self.draws - win).max(0.0);
        let even = (1.0 - self.draws) / 2.0;
        // Draws are as frequent under both hypotheses and do not move the ratio.
        let term =
            |chance: f64, of: f64| if chance > 0.0 { chance * (of / even).ln() } else { 0.0 };
        let rate0 = term(even, win) + term(even, loss);
        let rate1 = term(win, win) + term(loss, loss);
        ExpectedGames {
            h0: (((1.0 - alpha) * lower + alpha * upper) / rate0).max(1.0),
            h1: ((beta * lower + (1.0 - beta) * upper) / rate1).max(1.0),
            // At a mean rate of 0 the ratio is a random walk, with a step variance of about `rate1 - rate0`.
            between: (-lower * upper / (rate1 - rate0)).max(1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(score: f64) -> Power {
        Power::new(score, 0.0, 0.05, 0.8).unwrap()
    }

    #[test]
    fn the_tables_of_proportions_agree() {
        for (score, games) in [(0.55, 617), (0.58, 240), (0.6, 153)] {
            assert_eq!(of(score).games(), games, "{score}");
        }
    }

    /// Adds up the exact probabilities of a binomial distribution.
    #[test]
    fn the_number_of_games_has_the_promised_power() {
        for score in [0.55, 0.6, 0.7] {
            let n = of(score).games();
            let at_least = |limit: u64, p: f64| {
                let (mut chance, mut sum) = ((1.0 - p).ln() * n as f64, 0.0);
                for k in 0..=n {
                    if k >= limit {
                        sum += chance.exp();
                    }
                    chance += (((n - k) as f64) / (k + 1) as f64 * p / (1.0 - p)).ln();
                }
                sum
            };
            // The smallest number of wins that equal players reach in at most 5 % of matches.
            let limit = (0..=n).find(|&limit| at_least(limit, 0.5) <= 0.05).unwrap();
            let power = at_least(limit, score);
            // Whole games make the test a bit stricter than asked.
            assert!((0.76..0.82).contains(&power), "{score}: {power}");
        }
    }

    #[test]
    fn draws_make_differences_easier_to_see() {
        let with = |draws| Power::new(0.55, draws, 0.05, 0.8).unwrap();
        assert!(with(0.5).games() < with(0.2).games() && with(0.2).games() < with(0.0).games());
        // Half of the games drawn: half of the variance, a bit less where it is not even.
        assert!((300..=309).contains(&with(0.5).games()), "{}", with(0.5).games());
        // All that is not drawn is won.
        assert!(with(0.9).games() < 70);
        assert!(with(0.9).sequential().h1 > 0.0);
    }

    #[test]
    fn either_side_may_be_the_stronger_one() {
        let elo = |elo| Power::of_elo(elo, 0.0, 0.05, 0.8);
        assert_eq!(elo(20.0), elo(-20.0));
        assert!((elo(20.0).unwrap().elo() - 20.0).abs() < 1e-9);
        // Half the difference takes four times as many games.
        let ratio = elo(10.0).unwrap().games() as f64 / elo(20.0).unwrap().games() as f64;
        assert!((ratio - 4.0).abs() < 0.02, "{ratio}");
    }

    #[test]
    fn the_error_is_that_of_the_games() {
        use crate::{Estimate, Wdl};
        // 600 games, of which 330 won, 60 drawn and 210 lost: 60 %.
        let games = Wdl { wins: 330, draws: 60, losses: 210 };
        let seen = Estimate::from_games(&games).elo.error.unwrap();
        let power = Power::new(0.6, 0.1, 0.05, 0.8).unwrap();
        assert!((power.error(600) - seen).abs() < 1e-9, "{} {seen}", power.error(600));
        assert!(power.error(1).is_finite());
    }

    /// With errors of 5 % both bounds are ln 19, and the ratio reaches the right one in 95 % of tests.
    #[test]
    fn sequential_tests_take_as_many_games_as_wald_says() {
        let bound = 19_f64.ln();
        for (score, draws) in [(0.6_f64, 0.0_f64), (0.6, 0.2), (0.8, 0.1)] {
            let [win, loss] = [score - draws / 2.0, 1.0 - draws / 2.0 - score];
            let even = (1.0 - draws) / 2.0;
            let [up, down] = [win, loss].map(|chance| (chance / even).ln());
            let [rate0, rate1] = [even * (up + down), win * up + loss * down];
            let games = Power::new(score, draws, 0.05, 0.95).unwrap().sequential();
            assert!((games.h0 + 0.9 * bound / rate0).abs() < 1e-6, "{games:?}");
            assert!((games.h1 - 0.9 * bound / rate1).abs() < 1e-6, "{games:?}");
            assert!((games.between - bound * bound / (rate1 - rate0)).abs() < 1e-6, "{games:?}");
        }
    }

    #[test]
    fn errors_say_what_to_write() {
        let new = |score, draws, alpha, power| {
            Power::new(score, draws, alpha, power).unwrap_err().to_string()
        };
        for score in [0.5, 0.3, 1.0, f64::NAN, f64::INFINITY] {
            assert!(new(score, 0.0, 0.05, 0.8).contains("from 0.50007 to 0.99999"));
        }
        assert!(new(0.6, 1.0, 0.05, 0.8).contains("share of draws is 1"));
        assert!(new(0.9, 0.5, 0.05, 0.8).contains("up to 0.2000"));
        assert!(new(0.6, 0.0, 0.0, 0.8).contains("alpha is 0;"));
        assert!(new(0.6, 0.0, f64::NAN, 0.8).contains("alpha is NaN;"));
        assert!(new(0.6, 0.0, 0.05, 1.0).contains("the power is 1;"));
        assert!(new(0.5 + 1e-12, 0.0, 0.05, 0.8).contains("from 0.50007"));
        assert!(new(0.6, 0.0, 1e-17, 0.8).contains("from 1e-6"));
        assert!(new(0.6, 0.0, 0.05, 1.0 - 1e-13).contains("0.999999"));
        let elo = |elo| Power::of_elo(elo, 0.0, 0.05, 0.8).unwrap_err().to_string();
        assert!(elo(0.0).contains("difference of 0 Elo"));
        assert!(elo(f64::NAN).contains("NaN Elo"));
        for impossible in [5000.0, -1e-300, 0.004] {
            assert!(elo(impossible).contains("from 0.05 to 1900, either way"));
        }
        assert!(Power::of_elo(0.05, 0.0, 0.05, 0.8).is_ok());
        assert!(Power::of_elo(-1900.0, 0.0, 1e-6, 0.999_999).is_ok());
    }
}
