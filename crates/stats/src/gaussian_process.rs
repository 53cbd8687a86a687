//! Gaussian-process regression: the share of the points of an agent as a smooth function of its settings.
//!
//! The share at a point is a constant plus a smooth deviation. Half of the variance of the deviation is a sum of
//! separate effects of the settings, half is a joint effect; both have the Matérn covariance with ν = 5/2 of the scaled
//! distance. Amplitude and length scales have the greatest posterior probability on a grid. Every
//! pair of games is a measurement with the same variance.

/// Variance of the constant part of the share.
const CONSTANT_VARIANCE: f64 = 0.09;
/// Share of the smooth part's variance that is a sum of separate effects of the settings.
const SEPARATE_SHARE: f64 = 0.5;
/// Candidate standard deviations of the smooth part of the share.
const AMPLITUDES: [f64; 5] = [0.04, 0.08, 0.14, 0.22, 0.32];
/// Candidate length scales, as shares of the range.
const LENGTHS: [f64; 6] = [0.15, 0.25, 0.4, 0.65, 1.0, 1.6];
/// Most probable amplitude and length scale, before any game.
const PRIOR_AMPLITUDE: f64 = 0.14;
const PRIOR_LENGTH: f64 = 0.5;
/// Standard deviation of the logarithms of amplitude and length scale, before any game.
const PRIOR_LOG_DEVIATION: f64 = 0.6;
/// Number of passes over the length scales.
const FIT_PASSES: usize = 2;
/// Variance of the share of one pair between equal players without draws, and the number of pairs that it counts for.
const PRIOR_PAIR_VARIANCE: f64 = 0.125;
const PRIOR_PAIRS: f64 = 16.0;
/// Smallest variance of the share of one pair.
const MIN_PAIR_VARIANCE: f64 = 0.01;
/// Variance that is added to every diagonal, for numerical stability.
const JITTER: f64 = 1e-7;

/// Kind of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingKind {
    /// A number, scaled so that its range is 0 to 1.
    Number,
    /// Index of a word; all different words are equally far apart.
    Word,
}

impl SettingKind {
    fn squared_distance(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Number => (a - b).powi(2),
            Self::Word => f64::from(u8::from(a.round() != b.round())),
        }
    }
}

/// Share of the points that was measured with some settings.
#[derive(Clone, Debug, PartialEq)]
pub struct ShareSample {
    /// The settings.
    pub point: Vec<f64>,
    /// Mean share of the points.
    pub share: f64,
    /// Number of pairs of games; infinite for a share that is known exactly.
    pub pairs: f64,
    /// Sum of the squared shares of all pairs.
    pub squares: f64,
}

/// Share of the points that is estimated for some settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SharePrediction {
    /// Mean of the posterior.
    pub share: f64,
    /// Standard deviation of the posterior.
    pub deviation: f64,
}

/// Fitted model of the share of the points.
///
/// ```
/// use tussle_stats::{GaussianProcess, SettingKind, ShareSample};
///
/// let sample = |x: f64, share: f64| {
///     ShareSample { point: vec![x], share, pairs: 100.0, squares: 100.0 * (share * share + 0.1) }
/// };
/// let samples = [sample(0.0, 0.3), sample(0.5, 0.6), sample(1.0, 0.4)];
/// let model = GaussianProcess::fit(&[SettingKind::Number], &samples);
/// let [low, middle] = [0.0, 0.5].map(|x| model.predict(&[x]));
/// assert!(middle.share > low.share && middle.deviation < 0.05);
/// ```
#[derive(Clone, Debug)]
pub struct GaussianProcess<'a> {
    kinds: &'a [SettingKind],
    points: Vec<&'a [f64]>,
    kernel: Kernel,
    /// Lower Cholesky factor of the covariance of the samples.
    factor: Vec<Vec<f64>>,
    /// Inverse covariance times the deviations from the mean.
    weights: Vec<f64>,
    mean: f64,
}

/// Covariance of the shares at two points.
#[derive(Clone, Debug, PartialEq)]
struct Kernel {
    amplitude: f64,
    /// By setting.
    lengths: Vec<f64>,
}

impl Kernel {
    fn covariance(&self, kinds: &[SettingKind], a: &[f64], b: &[f64]) -> f64 {
        let (mut squared, mut sum) = (0.0, 0.0);
        for (((kind, length), a), b) in kinds.iter().zip(&self.lengths).zip(a).zip(b) {
            let own = kind.squared_distance(*a, *b) / (length * length);
            squared += own;
            sum += matern(own);
        }
        let separate = sum / self.lengths.len() as f64;
        let smooth = SEPARATE_SHARE * separate + (1.0 - SEPARATE_SHARE) * matern(squared);
        CONSTANT_VARIANCE + self.amplitude * self.amplitude * smooth
    }

    /// Returns the logarithm of the prior density, without its constant.
    fn log_prior(&self) -> f64 {
        let term =
            |value: f64, centre: f64| -0.5 * ((value / centre).ln() / PRIOR_LOG_DEVIATION).powi(2);
        let lengths: f64 = self.lengths.iter().map(|&length| term(length, PRIOR_LENGTH)).sum();
        lengths + term(self.amplitude, PRIOR_AMPLITUDE)
    }
}

impl<'a> GaussianProcess<'a> {
    /// Fits the model to samples at different points. `kinds` has the kind of each setting.
    pub fn fit(kinds: &'a [SettingKind], samples: &'a [ShareSample]) -> Self {
        let first = pair_variance(samples, |_| None);
        let model = Self::with_variance(kinds, samples, first);
        // The first variance includes the differences between the points.
        let shares: Vec<f64> =
            samples.iter().map(|seen| model.predict(&seen.point).share).collect();
        let second = pair_variance(samples, |i| Some(shares[i]));
        Self::with_kernel(kinds, samples, second.min(first), model.kernel.clone()).0
    }

    fn with_variance(kinds: &'a [SettingKind], samples: &'a [ShareSample], variance: f64) -> Self {
        let start = Kernel { amplitude: PRIOR_AMPLITUDE, lengths: vec![PRIOR_LENGTH; kinds.len()] };
        let fitted = |kernel: Kernel| Self::with_kernel(kinds, samples, variance, kernel);
        let (mut best, mut best_log) = fitted(start);
        for _ in 0..FIT_PASSES {
            let before = best.kernel.clone();
            for place in 0..=kinds.len() {
                let choices: &[f64] = if place == 0 { &AMPLITUDES } else { &LENGTHS };
                for &choice in choices {
                    let mut kernel = best.kernel.clone();
                    match place {
                        0 => kernel.amplitude = choice,
                        _ => kernel.lengths[place - 1] = choice,
                    }
                    let (model, log) = fitted(kernel);
                    if log > best_log {
                        (best, best_log) = (model, log);
                    }
                }
            }
            if best.kernel == before {
                break;
            }
        }
        best
    }

    /// Returns the model with this kernel, and the logarithm of its posterior probability.
    fn with_kernel(
        kinds: &'a [SettingKind],
        samples: &'a [ShareSample],
        variance: f64,
        kernel: Kernel,
    ) -> (Self, f64) {
        let points: Vec<&[f64]> = samples.iter().map(|seen| seen.point.as_slice()).collect();
        let mean = 0.5;
        let covariance: Vec<Vec<f64>> = (0..points.len())
            .map(|i| {
                let mut row: Vec<f64> =
                    (0..=i).map(|j| kernel.covariance(kinds, points[i], points[j])).collect();
                row[i] += variance / samples[i].pairs + JITTER;
                row
            })
            .collect();
        let factor = cholesky(covariance);
        let deviations: Vec<f64> = samples.iter().map(|seen| seen.share - mean).collect();
        let half = forward(&factor, &deviations);
        let fit: f64 = half.iter().map(|x| x * x).sum();
        let determinant: f64 = (0..factor.len()).map(|i| factor[i][i].ln()).sum();
        let log = kernel.log_prior() - 0.5 * fit - determinant;
        let weights = backward(&factor, half);
        (Self { kinds, points, kernel, factor, weights, mean }, log)
    }

    fn covariances(&self, point: &[f64]) -> Vec<f64> {
        let covariance = |seen: &&[f64]| self.kernel.covariance(self.kinds, point, seen);
        self.points.iter().map(covariance).collect()
    }

    /// Returns the estimated share at a point.
    pub fn predict(&self, point: &[f64]) -> SharePrediction {
        let covariances = self.covariances(point);
        let share = self.mean_at(&covariances);
        let explained: f64 = forward(&self.factor, &covariances).iter().map(|x| x * x).sum();
        let own = self.kernel.covariance(self.kinds, point, point);
        SharePrediction { share, deviation: (own - explained).max(0.0).sqrt() }
    }

    /// Returns the index of the point with the highest estimated share; the first one if several are equal.
    pub fn highest(&self, points: &[Vec<f64>]) -> usize {
        highest(points.iter().map(|point| self.mean_at(&self.covariances(point))))
    }

    fn mean_at(&self, covariances: &[f64]) -> f64 {
        self.mean + dot(covariances, &self.weights)
    }

    /// Draws `count` functions from the posterior, and returns for each the index of the point at which it is highest.
    /// `uniform` returns random numbers from 0 to 1, without 1.
    pub fn sample_maxima(
        &self,
        points: &[Vec<f64>],
        count: usize,
        uniform: &mut dyn FnMut() -> f64,
    ) -> Vec<usize> {
        let covariances: Vec<Vec<f64>> =
            points.iter().map(|point| self.covariances(point)).collect();
        let means: Vec<f64> = covariances.iter().map(|row| self.mean_at(row)).collect();
        let halves: Vec<Vec<f64>> =
            covariances.iter().map(|row| forward(&self.factor, row)).collect();
        let covariance: Vec<Vec<f64>> = (0..points.len())
            .map(|i| {
                let mut row: Vec<f64> = (0..=i)
                    .map(|j| {
                        self.kernel.covariance(self.kinds, &points[i], &points[j])
                            - dot(&halves[i], &halves[j])
                    })
                    .collect();
                row[i] += JITTER;
                row
            })
            .collect();
        let factor = cholesky(covariance);
        (0..count)
            .map(|_| {
                let normals: Vec<f64> = points.iter().map(|_| normal(uniform)).collect();
                let value = |i: usize| means[i] + dot(&factor[i], &normals[..=i]);
                highest((0..points.len()).map(value))
            })
            .collect()
    }
}

/// Returns the index of the highest number; the first one if several are equal.
fn highest(numbers: impl Iterator<Item = f64>) -> usize {
    let mut best = (0, f64::NEG_INFINITY);
    for (index, number) in numbers.enumerate() {
        if number > best.1 {
            best = (index, number);
        }
    }
    best.0
}

/// Estimates the variance of the share of one pair around the share at its point: that of `share_at`, or the mean of
/// all pairs.
fn pair_variance(samples: &[ShareSample], share_at: impl Fn(usize) -> Option<f64>) -> f64 {
    let measured = || samples.iter().enumerate().filter(|(_, seen)| seen.pairs.is_finite());
    let pairs: f64 = measured().map(|(_, seen)| seen.pairs).sum();
    let mean = measured().map(|(_, seen)| seen.pairs * seen.share).sum::<f64>() / pairs.max(1.0);
    let squares: f64 = measured()
        .map(|(i, seen)| {
            let share = share_at(i).unwrap_or(mean);
            seen.squares - 2.0 * share * seen.share * seen.pairs + share * share * seen.pairs
        })
        .sum();
    let variance = (squares + PRIOR_PAIRS * PRIOR_PAIR_VARIANCE) / (pairs + PRIOR_PAIRS);
    variance.max(MIN_PAIR_VARIANCE)
}

/// Returns the Matérn correlation with ν = 5/2 at a squared distance.
fn matern(squared: f64) -> f64 {
    let r = (5.0 * squared).sqrt();
    (1.0 + r + r * r / 3.0) * (-r).exp()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Replaces the lower half of a positive definite matrix by its Cholesky factor.
fn cholesky(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    for i in 0..matrix.len() {
        let (above, rest) = matrix.split_at_mut(i);
        let row = &mut rest[0];
        for (j, other) in above.iter().enumerate() {
            row[j] = (row[j] - dot(&row[..j], &other[..j])) / other[j];
        }
        // Rounding can make the matrix slightly indefinite.
        row[i] = (row[i] - dot(&row[..i], &row[..i])).max(JITTER).sqrt();
    }
    matrix
}

/// Solves L x = b for a lower triangular matrix.
fn forward(factor: &[Vec<f64>], b: &[f64]) -> Vec<f64> {
    let mut x: Vec<f64> = Vec::with_capacity(b.len());
    for (row, b) in factor.iter().zip(b) {
        let i = x.len();
        x.push((b - dot(&row[..i], &x)) / row[i]);
    }
    x
}

/// Solves Lᵀ x = b for a lower triangular matrix.
fn backward(factor: &[Vec<f64>], mut x: Vec<f64>) -> Vec<f64> {
    for i in (0..x.len()).rev() {
        x[i] /= factor[i][i];
        let value = x[i];
        for (x, l) in x[..i].iter_mut().zip(&factor[i]) {
            *x -= l * value;
        }
    }
    x
}

/// Returns a number of the standard normal distribution (Box and Muller).
fn normal(uniform: &mut dyn FnMut() -> f64) -> f64 {
    let radius = (-2.0 * (1.0 - uniform()).ln()).sqrt();
    radius * (2.0 * std::f64::consts::PI * uniform()).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(point: &[f64], share: f64, pairs: f64) -> ShareSample {
        ShareSample { point: point.to_vec(), share, pairs, squares: pairs * (share * share + 0.1) }
    }

    /// A deterministic stream that fills 0 to 1.
    fn uniform() -> impl FnMut() -> f64 {
        let mut state = 7_u64;
        move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        }
    }

    #[test]
    fn a_matrix_is_the_product_of_its_factors_and_systems_are_solved() {
        let matrix = [[4.0, 2.0, 0.6], [2.0, 5.0, 1.0], [0.6, 1.0, 3.0]];
        let factor = cholesky(matrix.iter().map(|row| row.to_vec()).collect());
        for i in 0..3 {
            for j in 0..=i {
                let product: f64 = (0..=j).map(|k| factor[i][k] * factor[j][k]).sum();
                assert!((product - matrix[i][j]).abs() < 1e-12, "{i} {j}");
            }
        }
        let x = backward(&factor, forward(&factor, &[1.0, -2.0, 0.5]));
        for (row, b) in matrix.iter().zip([1.0, -2.0, 0.5]) {
            assert!((dot(row, &x) - b).abs() < 1e-12, "{x:?}");
        }
    }

    #[test]
    fn a_known_share_is_predicted_and_uncertainty_grows_away_from_samples() {
        let exact = sample(&[0.3], 0.5, f64::INFINITY);
        let samples = [exact, sample(&[0.5], 0.7, 50.0)];
        let model = GaussianProcess::fit(&[SettingKind::Number], &samples);
        let known = model.predict(&[0.3]);
        assert!((known.share - 0.5).abs() < 1e-3 && known.deviation < 1e-3, "{known:?}");
        let deviations = [0.3, 0.5, 0.75, 1.0].map(|x| model.predict(&[x]).deviation);
        assert!(deviations.is_sorted(), "{deviations:?}");
        assert_eq!(model.highest(&[vec![0.0], vec![0.6], vec![0.3]]), 1);
    }

    #[test]
    fn all_words_are_equally_far_apart() {
        let kinds = [SettingKind::Word];
        let samples = [sample(&[0.0], 0.8, 200.0)];
        let model = GaussianProcess::fit(&kinds, &samples);
        let [one, two] = [1.0, 2.0].map(|word| model.predict(&[word]));
        assert_eq!(one, two);
        assert!(one.deviation > model.predict(&[0.0]).deviation);
    }

    #[test]
    fn maxima_are_drawn_where_the_share_is_probably_highest() {
        let samples: Vec<ShareSample> = (0..=10)
            .map(|i| f64::from(i) / 10.0)
            .map(|x| sample(&[x], 0.65 - (x - 0.7).powi(2), 60.0))
            .collect();
        let model = GaussianProcess::fit(&[SettingKind::Number], &samples);
        let points: Vec<Vec<f64>> = (0..=50).map(|i| vec![f64::from(i) / 50.0]).collect();
        let maxima = model.sample_maxima(&points, 400, &mut uniform());
        let near = maxima.iter().filter(|&&at| (points[at][0] - 0.7).abs() <= 0.25).count();
        assert!(near > 330, "{near}");
        let distinct: std::collections::HashSet<_> = maxima.iter().collect();
        assert!(distinct.len() > 5, "{}", distinct.len());
    }
}
