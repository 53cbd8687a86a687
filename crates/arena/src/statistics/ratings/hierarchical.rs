//! What games say if results decided who met.
//!
//! Those who had luck meet those who had, so the strengths of the greatest likelihood lie too far apart, and
//! most so along what the draw left least certain. A posterior does not depend on who drew the games, if
//! only its prior fits. Nobody knows the field beforehand; two things may be supposed of it, and each
//! gets half of the belief:
//!
//! 1. It is a crowd: strengths are normal around some mean, with a spread that the games tell too.
//! 2. It may have any shape, such as two groups far from each other, which a crowd would draw together: what
//!    is supposed elsewhere, one drawn game each.
//!
//! Where the two agree, as after many games, it makes no difference; where not, that is part of the error.

use super::dispersion::{self, Dispersion};
use super::fit::Fit;
use super::matrix::{Matrix, Root};
use super::prior::Prior;
use super::{ELO, Pool};

/// The spreads a crowd may have, in Elo: the least, the greatest, and how many are tried.
const SPREADS: (f64, f64, i32) = (5.0, 1000.0, 14);

/// A part whose logarithm is smaller by this adds less than the last bit.
const UNSEEN: f64 = 45.0;

/// The spreads that are tried, the widest first: it is nearest to what any shape makes of the games, and each is
/// near to the next.
fn spreads() -> Vec<f64> {
    let (least, greatest, count) = SPREADS;
    let way = |i: i32| f64::from(i) / f64::from(count - 1);
    (0..count).map(|i| greatest * (least / greatest).powf(way(i)) / ELO).collect()
}

/// What is known: the mean and the covariance of agents, then seats.
pub(super) struct Posterior {
    pub(super) strengths: Vec<f64>,
    pub(super) covariance: Matrix,
}

impl Posterior {
    /// Of a pool in which some strengths are fixed.
    pub(super) fn of(pool: &Pool, fixed: &[Option<f64>]) -> Self {
        let any = Fit::of(pool, fixed, Prior::Game, None);
        // How much results vary is seen best where the strengths are known best, and that takes an
        // idea of how much they vary.
        let mut dispersion = dispersion::of(pool, &any.strengths, None);
        let mut crowd = None;
        let mut spreads = spreads();
        for _ in 0..2 {
            crowd = Self::of_crowd(pool, fixed, dispersion, &any.strengths, &mut spreads);
            if let Some(Self { strengths, covariance }) = &crowd {
                dispersion = dispersion::of(pool, strengths, Some(covariance));
            }
        }
        let covariance = any.covariance(dispersion);
        let any = Self { strengths: any.strengths, covariance };
        let believed = crowd.into_iter().chain([any]).map(|posterior| (1.0, posterior));
        Self::mixed(&believed.collect::<Vec<_>>())
    }

    /// If the field is a crowd; none if what is fixed lies too far out for any. Leaves those of the spreads, the
    /// widest first, that may matter.
    fn of_crowd(
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
            // The likelihood counts by one over the dispersion; or else what is supposed counts by it.
            let prior = Prior::Spread(dispersion.agents / (spread * spread));
            let fit = Fit::of(pool, fixed, prior, Some(&start));
            let Some(root) = fit.root() else { continue };
            // How likely the spread makes the games, by Laplace: the height of the posterior times its
            // volume. All spreads are equally likely before, so that those of a logarithmic scale count
            // by their distance.
            let logarithm = fit.value / dispersion.agents
                - 0.5 * root.log_determinant()
                - (pool.agents as f64 - 1.0) * spread.ln()
                + spread.ln();
            start.clone_from(&fit.strengths);
            tried.push((logarithm, spread));
            if logarithm.is_finite() {
                most = most.max(logarithm);
                fits.push((logarithm, fit, root));
                // An inverse takes long; no digit of the result shows these.
                fits.retain(|(logarithm, ..)| most - logarithm < UNSEEN);
            }
        }
        // With another dispersion they may count for more, but not for so much.
        let may_matter = |(logarithm, _): &&(f64, f64)| most - logarithm < 3.0 * UNSEEN;
        *spreads = tried.iter().filter(may_matter).map(|(_, spread)| *spread).collect();
        let believed: Vec<(f64, Self)> = fits
            .into_iter()
            .map(|(logarithm, fit, root)| {
                let covariance = fit.supposed_covariance(&root, dispersion);
                ((logarithm - most).exp(), Self { strengths: fit.strengths, covariance })
            })
            .collect();
        (!believed.is_empty()).then(|| Self::mixed(&believed))
    }

    /// What is known if each of these is believed so much: its covariance is that within them and that
    /// between them.
    fn mixed(believed: &[(f64, Self)]) -> Self {
        // Counted from the first, so that what is the same in all stays so to the digit.
        let first = believed.first().map_or(&[][..], |(_, part)| &part.strengths);
        let total: f64 = believed.iter().map(|(belief, _)| belief).sum();
        let mean = |i: usize| -> f64 {
            let off = |(belief, part): &(f64, Self)| belief * (part.strengths[i] - first[i]);
            first[i] + believed.iter().map(off).sum::<f64>() / total
        };
        let strengths: Vec<f64> = (0..first.len()).map(mean).collect();
        let size = strengths.len();
        let mut covariance = Matrix::zero(size);
        for (belief, part) in believed {
            let off = |i: usize| part.strengths[i] - strengths[i];
            for i in 0..size {
                for j in 0..size {
                    *covariance.at_mut(i, j) +=
                        belief / total * (part.covariance.at(i, j) + off(i) * off(j));
                }
            }
        }
        Self { strengths, covariance }
    }
}
