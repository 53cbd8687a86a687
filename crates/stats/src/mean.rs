//! Means over games that come in clusters.

use crate::normal::Z95;

/// Mean over games and the half width of its 95 % interval.
///
/// A part that the games do not determine is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Mean {
    /// The mean.
    pub value: Option<f64>,
    /// Half the width of the 95 % interval.
    pub error: Option<f64>,
}

/// Running sums for the mean of a quantity over games that come in clusters.
///
/// A cluster is one sample: the games from one opening, whose results depend on each other. Clusters may
/// differ in size, so the mean is a ratio estimate: each cluster counts by its games.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClusteredSamples {
    clusters: f64,
    games: f64,
    sum: f64,
    sum_squared: f64,
    games_squared: f64,
    games_times_sum: f64,
}

impl ClusteredSamples {
    /// Adds one cluster of `games` games, over which the quantity adds up to `sum`.
    pub fn add(&mut self, games: f64, sum: f64) {
        self.clusters += 1.0;
        self.games += games;
        self.sum += sum;
        self.sum_squared += sum * sum;
        self.games_squared += games * games;
        self.games_times_sum += games * sum;
    }

    /// Adds all clusters of another one.
    pub fn merge(&mut self, other: &Self) {
        self.clusters += other.clusters;
        self.games += other.games;
        self.sum += other.sum;
        self.sum_squared += other.sum_squared;
        self.games_squared += other.games_squared;
        self.games_times_sum += other.games_times_sum;
    }

    /// Returns the mean per game. It has no error if all clusters are alike, or if there is only one.
    pub fn mean(&self) -> Mean {
        if self.games == 0.0 {
            return Mean::default();
        }
        let mean = self.sum / self.games;
        let residuals =
            self.sum_squared - 2.0 * mean * self.games_times_sum + mean * mean * self.games_squared;
        let variance =
            residuals * self.clusters / (self.clusters - 1.0) / (self.games * self.games);
        let varies = self.clusters > 1.0 && residuals > 1e-9 * self.sum_squared;
        Mean { value: Some(mean), error: varies.then(|| Z95 * variance.sqrt()) }
    }

    /// Returns half the width of the 95 % interval of the sum over all games.
    pub fn error_of_sum(&self) -> Option<f64> {
        self.mean().error.map(|error| error * self.games)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_of_a_mean_is_that_of_equal_samples() {
        let mut samples = ClusteredSamples::default();
        let sums = [3.0, 5.0, 4.0, 6.0, 2.0];
        for sum in sums {
            samples.add(3.0, sum);
        }
        // The means of the clusters are sums / 3; the variance of these, with n - 1, is 2.5 / 9.
        let wanted = 1.959_964 * (2.5_f64 / 9.0 / 5.0).sqrt();
        let Mean { value, error } = samples.mean();
        assert_eq!(value, Some(4.0 / 3.0));
        assert!((error.unwrap() - wanted).abs() < 1e-6);
        assert!((samples.error_of_sum().unwrap() - 15.0 * wanted).abs() < 1e-5);
        let mut alike = ClusteredSamples::default();
        alike.add(3.0, 3.0);
        assert_eq!(alike.mean().error, None);
        alike.add(3.0, 3.0);
        assert_eq!(alike.mean(), Mean { value: Some(1.0), error: None });
    }

    #[test]
    fn merged_samples_equal_samples_added_to_one() {
        let (mut whole, mut parts) =
            (ClusteredSamples::default(), [ClusteredSamples::default(); 2]);
        for (i, (games, sum)) in [(3.0, 4.0), (2.0, 1.0), (3.0, 7.0)].into_iter().enumerate() {
            whole.add(games, sum);
            parts[i % 2].add(games, sum);
        }
        let [mut merged, other] = parts;
        merged.merge(&other);
        assert_eq!(merged.mean(), whole.mean());
    }
}
