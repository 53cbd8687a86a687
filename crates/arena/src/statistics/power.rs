//! How many games it takes to see a difference.

use super::elo::{difference, expected};
use super::normal::{Z95, quantile};

/// Elo differences that anybody might want to see, and the scores in which they show: less would take
/// more games than were ever played, more shows in any.
const ELO: [f64; 2] = [0.05, 1900.0];
const SCORES: [f64; 2] = [0.50007, 0.99999];

/// A difference that somebody wants to see, and how surely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Power {
    score: f64,
    draws: f64,
    alpha: f64,
    /// The power.
    chance: f64,
}

/// How many games a sequential test takes on average.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lengths {
    /// If there is no difference.
    pub h0: f64,
    /// If the difference is as supposed.
    pub h1: f64,
    /// If it is about half of that, where the test takes longest.
    pub between: f64,
}

impl Power {
    /// To see that the score is this one and not ½, with a chance of `power`, where equals are
    /// taken for different with a chance of `alpha`. `draws` is the share of drawn games.
    ///
    /// # Errors
    /// If there is nothing to see, or a number is impossible.
    pub fn new(score: f64, draws: f64, alpha: f64, power: f64) -> Result<Self, String> {
        // Comparisons with NaN are false: what is not shown to be right is wrong.
        if !(SCORES[0]..=SCORES[1]).contains(&score) {
            let [least, most] = SCORES;
            return Err(format!(
                "the score is {score}; write the share of the stronger one's points, from {least} to {most}"
            ));
        }
        if !(1e-6..0.5).contains(&alpha) {
            return Err(format!("alpha is {alpha}; write a number from 1e-6 to 0.5, as 0.05"));
        }
        if !(0.5..=1.0 - 1e-6).contains(&power) {
            return Err(format!(
                "the power is {power}; write a number from 0.5 to 0.999999, as 0.8"
            ));
        }
        if !(0.0..1.0).contains(&draws) {
            return Err(format!(
                "the share of draws is {draws}; write a number from 0 to less than 1, as 0.3"
            ));
        }
        // Even if no game is lost, draws cost half a point each.
        let most = 2.0 * (1.0 - score);
        if draws > most + 1e-9 {
            return Err(format!(
                "with {draws} of the games drawn nobody scores {score:.4}; write a share of draws up to {most:.4}"
            ));
        }
        Ok(Self { score, draws, alpha, chance: power })
    }

    /// The same for a difference in Elo; which of the two is the stronger does not matter.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn of_elo(elo: f64, draws: f64, alpha: f64, power: f64) -> Result<Self, String> {
        if elo == 0.0 {
            return Err(
                "no number of games shows a difference of 0 Elo; write another one".to_owned()
            );
        }
        if !(ELO[0]..=ELO[1]).contains(&elo.abs()) {
            let [least, most] = ELO;
            return Err(format!(
                "the difference is {elo} Elo; write one from {least} to {most}, either way"
            ));
        }
        Self::new(expected(elo.abs()), draws, alpha, power)
    }

    /// The score of the stronger one.
    pub fn score(&self) -> f64 {
        self.score
    }

    /// The difference in Elo.
    pub fn elo(&self) -> f64 {
        difference(self.score)
    }

    /// How many games it takes.
    pub fn games(&self) -> u64 {
        self.exactly().ceil().max(1.0) as u64
    }

    /// The same question for a claim of a match, which leaves it open who is the stronger one and is made
    /// where 0 is outside of its 95 % interval.
    #[must_use]
    pub fn two_sided(&self) -> Self {
        Self { alpha: self.alpha / 2.0, ..*self }
    }

    /// One-sided: equals score more than the limit with a chance of `alpha`, the stronger one less with
    /// a chance of `1 - power`.
    fn exactly(&self) -> f64 {
        let equal = 0.5 * (1.0 - self.draws).sqrt();
        let [upper, lower] = [quantile(1.0 - self.alpha), quantile(self.chance)];
        ((upper * equal + lower * self.deviation()) / (self.score - 0.5)).powi(2)
    }

    /// How much the score of one game varies.
    fn deviation(&self) -> f64 {
        (self.score * (1.0 - self.score) - self.draws / 4.0).max(0.0).sqrt()
    }

    /// Half the width of the 95 % interval that so many games give the difference.
    pub fn error(&self, games: u64) -> f64 {
        let slope = 400.0 / (std::f64::consts::LN_10 * self.score * (1.0 - self.score));
        let half = Z95 * self.deviation() / (games.max(1) as f64).sqrt();
        let whole = (difference(self.score + half) - difference(self.score - half)) / 2.0;
        // As for real games: beyond 0 % and 100 % follow the slope.
        if whole.is_finite() { whole } else { slope * half }
    }

    /// How many games a sequential test of "equal" against this difference takes, by Wald's
    /// approximation: the ratio stops at one of its bounds and moves there at its mean pace.
    pub fn sequential(&self) -> Lengths {
        let (alpha, beta) = (self.alpha, 1.0 - self.chance);
        let [lower, upper] = [(beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln()];
        let win = self.score - self.draws / 2.0;
        let loss = (1.0 - self.draws - win).max(0.0);
        let even = (1.0 - self.draws) / 2.0;
        // Draws are as frequent under both hypotheses and tell nothing.
        let told =
            |chance: f64, of: f64| if chance > 0.0 { chance * (of / even).ln() } else { 0.0 };
        let pace0 = told(even, win) + told(even, loss);
        let pace1 = told(win, win) + told(loss, loss);
        Lengths {
            h0: (((1.0 - alpha) * lower + alpha * upper) / pace0).max(1.0),
            h1: ((beta * lower + (1.0 - beta) * upper) / pace1).max(1.0),
            // Without a pace it wanders: the variance of a step is twice the pace to either side.
            between: (-lower * upper / (pace1 - pace0)).max(1.0),
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

    /// The exact chances of a binomial distribution, added up.
    #[test]
    fn so_many_games_have_the_power_they_promise() {
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
            // The least number of wins that equals have in fewer than 5 % of matches.
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
        use super::super::{Estimate, Pentanomial, Wdl};
        // 600 games, of which 330 won, 60 drawn and 210 lost: 60 %.
        let games = Wdl { wins: 330, draws: 60, losses: 210 };
        let seen = Estimate::of(&games, &Pentanomial::default()).elo.error.unwrap();
        let power = Power::new(0.6, 0.1, 0.05, 0.8).unwrap();
        assert!((power.error(600) - seen).abs() < 1e-9, "{} {seen}", power.error(600));
        assert!(power.error(1).is_finite());
    }

    #[test]
    fn bad_input_is_told_what_to_write() {
        let new = |score, draws, alpha, power| Power::new(score, draws, alpha, power).unwrap_err();
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
        let elo = |elo| Power::of_elo(elo, 0.0, 0.05, 0.8).unwrap_err();
        assert!(elo(0.0).contains("difference of 0 Elo"));
        assert!(elo(f64::NAN).contains("NaN Elo"));
        for impossible in [5000.0, -1e-300, 0.004] {
            assert!(elo(impossible).contains("from 0.05 to 1900, either way"));
        }
        assert!(Power::of_elo(0.05, 0.0, 0.05, 0.8).is_ok());
        assert!(Power::of_elo(-1900.0, 0.0, 1e-6, 0.999_999).is_ok());
    }
}
