//! The strengths that make the games most likely.

use super::Pool;
use super::dispersion::Dispersion;
use super::likelihood::LogLikelihood;
use super::matrix::{Matrix, Root};
use super::prior::Prior;

/// No agent is moved farther at once: where the likelihood is flat Newton's parabola points
/// to nowhere.
const STRIDE: f64 = 4.0;

/// The agents and seats of a pool with their strengths.
pub(super) struct Fit {
    /// By agent, then by seat.
    pub(super) strengths: Vec<f64>,
    /// Whether they were given.
    is_fixed: Vec<bool>,
    /// The logarithm of how likely the games and what was supposed are there.
    pub(super) value: f64,
    /// What the games tell.
    information: Matrix,
    /// What was supposed before there were any.
    prior: Matrix,
    agents: usize,
}

/// The likelihood of a pool.
struct Sum {
    value: f64,
    slope: Vec<f64>,
    information: Matrix,
    prior: Matrix,
}

impl Fit {
    /// Of a pool in which some strengths are fixed, looked for from `start` on.
    pub(super) fn of(
        pool: &Pool,
        fixed: &[Option<f64>],
        prior: Prior,
        start: Option<&[f64]>,
    ) -> Self {
        let size = pool.agents + pool.players;
        let given: Vec<f64> = fixed.iter().copied().flatten().collect();
        let centre = given.iter().sum::<f64>() / given.len().max(1) as f64;
        let is_fixed: Vec<bool> =
            (0..size).map(|i| fixed.get(i).is_some_and(Option::is_some)).collect();
        let mut strengths = start.map_or_else(|| vec![0.0; size], <[f64]>::to_vec);
        for (strength, fixed) in strengths.iter_mut().zip(fixed) {
            *strength = fixed.unwrap_or(if start.is_some() { *strength } else { centre });
        }
        let sum_at = |strengths: &[f64]| Sum::of(pool, strengths, prior, centre);
        let mut sum = sum_at(&strengths);
        // Newton's method takes about ten steps; the bound is for what cannot be foreseen.
        for _ in 0..200 {
            let Some(step) = sum.step(&is_fixed) else { break };
            let gain: f64 = step.iter().zip(&sum.slope).map(|(step, slope)| step * slope).sum();
            let longest = step.iter().fold(0.0_f64, |most, step| most.max(step.abs()));
            let mut scale = (STRIDE / longest).min(1.0);
            let noise = 1e-12 * (1.0 + sum.value.abs());
            let moved = (0..40).find_map(|_| {
                let there: Vec<f64> =
                    strengths.iter().zip(&step).map(|(x, step)| x + scale * step).collect();
                scale /= 2.0;
                let next = sum_at(&there);
                (next.value >= sum.value - noise).then_some((there, next))
            });
            let Some((there, next)) = moved else { break };
            (strengths, sum) = (there, next);
            // The gain is the square of the step in standard errors.
            if gain < 1e-18 {
                break;
            }
        }
        let Sum { value, information, prior, .. } = sum;
        Self { strengths, is_fixed, value, information, prior, agents: pool.agents }
    }

    /// How uncertain the strengths are. If results vary more or less than the model says, so
    /// does the slope of the likelihood: its covariance stands between two inverses of the information.
    pub(super) fn covariance(&self, dispersion: Dispersion) -> Matrix {
        let size = self.strengths.len();
        let inverse = match self.root() {
            Some(root) => root.inverse(),
            None => return Matrix::zero(size), // what is given may lie anywhere
        };
        let mut slopes = self.information.clone();
        dispersion.stretch(&mut slopes, self.agents);
        slopes.add(&self.prior);
        for i in (0..size).filter(|&i| self.is_fixed[i]) {
            for j in 0..size {
                *slopes.at_mut(i, j) = 0.0;
                *slopes.at_mut(j, i) = 0.0;
            }
        }
        inverse.times(&slopes).times(&inverse)
    }

    /// The root of all information there is; none if what is given lies too far out.
    pub(super) fn root(&self) -> Option<Root> {
        bordered(&self.information, &self.prior, &self.is_fixed).root()
    }

    /// How uncertain the strengths are if what was supposed is so, and its weight as well was multiplied by
    /// the dispersion: the inverse of all information, of which this is the root.
    pub(super) fn supposed_covariance(&self, root: &Root, dispersion: Dispersion) -> Matrix {
        let mut covariance = root.inverse();
        for i in (0..covariance.size).filter(|&i| self.is_fixed[i]) {
            *covariance.at_mut(i, i) = 0.0;
        }
        dispersion.stretch(&mut covariance, self.agents);
        covariance
    }
}

/// All information there is; what is fixed is apart.
fn bordered(information: &Matrix, prior: &Matrix, is_fixed: &[bool]) -> Matrix {
    let mut all = information.clone();
    all.add(prior);
    for i in 0..all.size {
        if is_fixed[i] {
            for j in 0..all.size {
                *all.at_mut(i, j) = 0.0;
                *all.at_mut(j, i) = 0.0;
            }
            *all.at_mut(i, i) = 1.0;
        }
    }
    all
}

impl Sum {
    fn of(pool: &Pool, strengths: &[f64], prior: Prior, centre: f64) -> Self {
        let supposed = prior.at(strengths, pool.agents, centre);
        let mut sum = Self {
            value: supposed.value,
            slope: supposed.slope,
            information: Matrix::zero(strengths.len()),
            prior: supposed.information,
        };
        for (seats, cells) in &pool.games {
            // A player is as strong as the agent and its seat.
            let parts = |seat: usize| [seats[seat], pool.agents + seat];
            let at: Vec<f64> = (0..seats.len())
                .map(|seat| parts(seat).map(|i| strengths[i]).iter().sum())
                .collect();
            for (places, &count) in cells {
                let count = count as f64;
                let game = LogLikelihood::of(&at, places);
                sum.value += count * game.value;
                for seat in 0..seats.len() {
                    for i in parts(seat) {
                        sum.slope[i] += count * game.slope[seat];
                        for (other, information) in game.information[seat].iter().enumerate() {
                            for j in parts(other) {
                                *sum.information.at_mut(i, j) += count * information;
                            }
                        }
                    }
                }
            }
        }
        sum
    }

    /// Where Newton's parabola has its top.
    fn step(&self, is_fixed: &[bool]) -> Option<Vec<f64>> {
        let free = |(slope, fixed): (&f64, &bool)| if *fixed { 0.0 } else { *slope };
        let slope: Vec<f64> = self.slope.iter().zip(is_fixed).map(free).collect();
        Some(bordered(&self.information, &self.prior, is_fixed).root()?.solve(&slope))
    }
}
