//! Ratings from pairings that depended on results.
//!
//! Such pairings match lucky agents with lucky ones, so the strengths of the greatest likelihood lie too far
//! apart, most of all where the pairings left them least certain. A posterior does not depend on how the
//! pairings were chosen, if its prior fits. The field is unknown beforehand, so the posterior is a mixture of
//! two, each with half of the weight:
//!
//! 1. A population prior: strengths are normal around some mean, with a spread that is estimated too.
//! 2. The prior of a single drawn game per agent, as for other ratings. It fits a field of any shape, such as
//!    two groups far from each other, which a population prior would draw together.
//!
//! If the two agree, as after many games, it makes no difference; if not, their distance is part of the error.

use super::dispersion::{self, Dispersion};
use super::fit::Fit;
use super::matrix::{Matrix, Root};
use super::prior::Prior;
use super::{ELO_PER_STRENGTH, Pool};

/// Spreads of the population prior in Elo: the smallest, the largest, and their number.
const SPREADS_ELO: (f64, f64, i32) = (5.0, 1000.0, 14);

/// Difference of log weights from which on a part changes no bit of a sum.
const NEGLIGIBLE_LOG_WEIGHT: f64 = 45.0;

/// Returns the spreads of the population prior, the widest first.
///
/// The widest is nearest to the fit without a population prior, from which the search starts, and each is
/// near to the next.
fn spreads() -> Vec<f64> {
    let (least, greatest, count) = SPREADS_ELO;
    let way = |i: i32| f64::from(i) / f64::from(count - 1);
    (0..count).map(|i| greatest * (least / greatest).powf(way(i)) / ELO_PER_STRENGTH).collect()
}

/// Mean and covariance of the strengths of agents, then seats.
pub(super) struct Posterior {
    pub(super) strengths: Vec<f64>,
    pub(super) covariance: Matrix,
}

impl Posterior {
    /// Computes the posterior of a pool in which some strengths are fixed.
    pub(super) fn of(pool: &Pool, fixed: &[Option<f64>]) -> Self {
        let any = Fit::of(pool, fixed, Prior::Game, None);
        // The dispersion is estimated best at the best strengths, which depend on the dispersion.
        let mut dispersion = dispersion::of(pool, &any.strengths, None);
        let mut population = None;
        let mut spreads = spreads();
        for _ in 0..2 {
            population = Self::of_population(pool, fixed, dispersion, &any.strengths, &mut spreads);
            if let Some(Self { strengths, covariance }) = &population {
                dispersion = dispersion::of(pool, strengths, Some(covariance));
            }
        }
        let covariance = any.covariance(dispersion);
        let any = Self { strengths: any.strengths, covariance };
        let weighted = population.into_iter().chain([any]).map(|posterior| (1.0, posterior));
        Self::mixed(&weighted.collect::<Vec<_>>())
    }

    /// Computes the posterior under the population prior; `None` if the fixed strengths are too extreme for every
    /// spread. Removes the spreads that cannot matter.
    fn of_population(
        pool: &Pool,
        fixed: &[Option<f64>],
        dispersion: Dispersion,
        start: &[f64],
        spreads: &mut Vec<f64>,
    ) -> Option<Self> {
        let mut start = start.to_vec();
        let mut tried = Vec::new();
        let mut fits: Vec<(f64, Fit, Root)> = Vec::new();
        let mut most = f64::MIN;
        for &spread in &*spreads {
            // The likelihood is divided by the dispersion; multiplying the prior has the same effect.
            let prior = Prior::Spread(dispersion.agents / (spread * spread));
            let fit = Fit::of(pool, fixed, prior, Some(&start));
            let Some(root) = fit.root() else { continue };
            // Laplace's approximation of the evidence for the spread: the height of the posterior times its
            // volume. The prior of the spread is uniform, so spreads on a logarithmic scale count by their
            // distance.
            let logarithm = fit.value / dispersion.agents
                - 0.5 * root.log_determinant()
                - (pool.agents as f64 - 1.0) * spread.ln()
                + spread.ln();
            start.clone_from(&fit.strengths);
            tried.push((logarithm, spread));
            if logarithm.is_finite() {
                most = most.max(logarithm);
                fits.push((logarithm, fit, root));
                // An inverse takes long, and these change no digit of the result.
                fits.retain(|(logarithm, ..)| most - logarithm < NEGLIGIBLE_LOG_WEIGHT);
            }
        }
        // With another dispersion they may count for more, but not for that much more.
        let may_matter =
            |(logarithm, _): &&(f64, f64)| most - logarithm < 3.0 * NEGLIGIBLE_LOG_WEIGHT;
        *spreads = tried.iter().filter(may_matter).map(|(_, spread)| *spread).collect();
        let weighted: Vec<(f64, Self)> = fits
            .into_iter()
            .map(|(logarithm, fit, root)| {
                let covariance = fit.covariance_with_prior(&root, dispersion);
                ((logarithm - most).exp(), Self { strengths: fit.strengths, covariance })
            })
            .collect();
        (!weighted.is_empty()).then(|| Self::mixed(&weighted))
    }

    /// Mixes posteriors by their weights. The covariance is that within them plus that between them.
    fn mixed(weighted: &[(f64, Self)]) -> Self {
        // Counted from the first, so that a strength that is the same in all stays so to the digit.
        let first = weighted.first().map_or(&[][..], |(_, part)| &part.strengths);
        let total: f64 = weighted.iter().map(|(weight, _)| weight).sum();
        let mean = |i: usize| -> f64 {
            let off = |(weight, part): &(f64, Self)| weight * (part.strengths[i] - first[i]);
            first[i] + weighted.iter().map(off).sum::<f64>() / total
        };
        let strengths: Vec<f64> = (0..first.len()).map(mean).collect();
        let size = strengths.len();
        let mut covariance = Matrix::zero(size);
        for (weight, part) in weighted {
            let off = |i: usize| part.strengths[i] - strengths[i];
            for i in 0..size {
                for j in 0..size {
                    *covariance.at_mut(i, j) +=
                        weight / total * (part.covariance.at(i, j) + off(i) * off(j));
                }
            }
        }
        Self { strengths, covariance }
    }
}
