//! Strengths of the greatest likelihood.

use std::collections::BTreeMap;

use super::Pool;
use super::dispersion::Dispersion;
use super::likelihood::LogLikelihood;
use super::matrix::{MAX_SMALL_SIZE, Matrix, Root};
use super::prior::{Curvature, Prior};

/// Largest change of a strength in one step. Where the likelihood is flat, Newton's steps are too long.
const MAX_STEP: f64 = 4.0;

/// Factor by which conjugate gradients reduce the residual before they stop.
const RESIDUAL_REDUCTION: f64 = 1e-10;

/// Fitted strengths of the agents and seats of a pool.
pub(super) struct Fit {
    /// By agent, then by seat.
    pub(super) strengths: Vec<f64>,
    /// True for strengths that were given.
    is_fixed: Vec<bool>,
    /// Logarithm of likelihood times prior at these strengths.
    pub(super) value: f64,
    /// Information of the games.
    information: Information,
    /// Curvature of the prior.
    prior: Curvature,
    agents: usize,
}

/// Logarithm of likelihood times prior, with its slope and curvature.
struct LogPosterior {
    value: f64,
    slope: Vec<f64>,
    information: Information,
    prior: Curvature,
}

/// Fisher information of games about strengths; sparse where few agents have met.
struct Information {
    size: usize,
    /// Information of games of two.
    pairings: Vec<PairingInformation>,
    /// Information of games of more than two.
    tables: Option<Matrix>,
}

/// Information of the games of two agents in given seats about the difference of the two sides.
struct PairingInformation {
    /// Agent and seat of each side.
    sides: [[usize; 2]; 2],
    information: f64,
}

impl PairingInformation {
    /// Lists agents and seats with the sign of their side.
    fn signed(&self) -> impl Iterator<Item = (usize, f64)> + Clone {
        let [first, second] = self.sides;
        first.map(|i| (i, 1.0)).into_iter().chain(second.map(|i| (i, -1.0)))
    }
}

impl Information {
    /// Returns the information as a matrix.
    fn matrix(&self) -> Matrix {
        let mut matrix = self.tables.clone().unwrap_or_else(|| Matrix::zero(self.size));
        for pairing in &self.pairings {
            for (i, sign) in pairing.signed() {
                for (j, other) in pairing.signed() {
                    *matrix.at_mut(i, j) += sign * other * pairing.information;
                }
            }
        }
        matrix
    }

    /// Adds the product of the information of games of two and `x` to `sum`.
    fn add_product(&self, x: &[f64], sum: &mut [f64]) {
        for pairing in &self.pairings {
            let difference: f64 = pairing.signed().map(|(i, sign)| sign * x[i]).sum();
            for (i, sign) in pairing.signed() {
                sum[i] += sign * pairing.information * difference;
            }
        }
    }
}

impl Fit {
    /// Fits the strengths of a pool, some of which are fixed, starting from `start`.
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
        let sum_at = |strengths: &[f64]| LogPosterior::of(pool, strengths, prior, centre);
        let mut sum = sum_at(&strengths);
        // Newton's method takes about ten steps; the limit is for unforeseen cases.
        for _ in 0..200 {
            let Some(step) = sum.step(&is_fixed) else { break };
            let gain: f64 = step.iter().zip(&sum.slope).map(|(step, slope)| step * slope).sum();
            let longest = step.iter().fold(0.0_f64, |most, step| most.max(step.abs()));
            let mut scale = (MAX_STEP / longest).min(1.0);
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
        let LogPosterior { value, information, prior, .. } = sum;
        Self { strengths, is_fixed, value, information, prior, agents: pool.agents }
    }

    /// Returns the covariance of the strengths (sandwich estimator).
    ///
    /// If results vary more or less than the model says, so does the slope of the likelihood: its covariance
    /// stands between two inverses of the information.
    pub(super) fn covariance(&self, dispersion: Dispersion) -> Matrix {
        let size = self.strengths.len();
        let inverse = match self.root() {
            Some(root) => root.inverse(),
            None => return Matrix::zero(size), // given strengths may lie anywhere
        };
        let mut slopes = self.information.matrix();
        dispersion.stretch(&mut slopes, self.agents);
        slopes.add(&self.prior.matrix());
        set_apart(&mut slopes, &self.is_fixed, 0.0);
        inverse.times(&slopes).times(&inverse)
    }

    /// Returns the root of the information of games and prior; `None` if the given strengths are too extreme.
    pub(super) fn root(&self) -> Option<Root> {
        bordered(&self.information, &self.prior, &self.is_fixed).root()
    }

    /// Returns the covariance of the strengths if the prior holds and was multiplied by the dispersion: the
    /// inverse of the information of games and prior, of which `root` is the root.
    pub(super) fn covariance_with_prior(&self, root: &Root, dispersion: Dispersion) -> Matrix {
        let mut covariance = root.inverse();
        for i in (0..covariance.size).filter(|&i| self.is_fixed[i]) {
            *covariance.at_mut(i, i) = 0.0;
        }
        dispersion.stretch(&mut covariance, self.agents);
        covariance
    }
}

/// Returns the information of games and prior, without the fixed strengths.
fn bordered(information: &Information, prior: &Curvature, is_fixed: &[bool]) -> Matrix {
    let mut all = information.matrix();
    all.add(&prior.matrix());
    set_apart(&mut all, is_fixed, 1.0);
    all
}

/// Clears the rows and columns of fixed strengths and sets their diagonal cells.
fn set_apart(matrix: &mut Matrix, is_fixed: &[bool], with_itself: f64) {
    for i in (0..matrix.size).filter(|&i| is_fixed[i]) {
        for j in 0..matrix.size {
            *matrix.at_mut(i, j) = 0.0;
            *matrix.at_mut(j, i) = 0.0;
        }
        *matrix.at_mut(i, i) = with_itself;
    }
}

impl LogPosterior {
    fn of(pool: &Pool, strengths: &[f64], prior: Prior, centre: f64) -> Self {
        let prior = prior.at(strengths, pool.agents, centre);
        let mut sum = Self {
            value: prior.value,
            slope: prior.slope,
            information: Information {
                size: strengths.len(),
                pairings: Vec::new(),
                tables: (pool.players != 2).then(|| Matrix::zero(strengths.len())),
            },
            prior: prior.curvature,
        };
        for (seats, cells) in &pool.games {
            // The strength of a player is that of the agent plus that of its seat.
            let parts = |seat: usize| [seats[seat], pool.agents + seat];
            let at: Vec<f64> = (0..seats.len())
                .map(|seat| parts(seat).map(|i| strengths[i]).iter().sum())
                .collect();
            if let &[first, second] = &at[..] {
                sum.add_two([parts(0), parts(1)], first - second, cells);
                continue;
            }
            for (places, &count) in cells {
                let count = count as f64;
                let game = LogLikelihood::of(&at, places);
                sum.value += count * game.value;
                for seat in 0..seats.len() {
                    for i in parts(seat) {
                        sum.slope[i] += count * game.slope[seat];
                        for (other, information) in game.information[seat].iter().enumerate() {
                            for j in parts(other) {
                                if let Some(tables) = &mut sum.information.tables {
                                    *tables.at_mut(i, j) += count * information;
                                }
                            }
                        }
                    }
                }
            }
        }
        sum
    }

    /// Adds games of two by their points, which is much faster than one by one.
    fn add_two(&mut self, parts: [[usize; 2]; 2], difference: f64, cells: &BTreeMap<Vec<u8>, u64>) {
        let half_points = |places: &[u8]| f64::from(1 + places[1] - places[0]);
        let (mut points, mut games) = (0.0, 0.0);
        for (places, &count) in cells {
            points += count as f64 * half_points(places) / 2.0;
            games += count as f64;
        }
        // The logarithm of 1 + e^-|d|, which neither overflows nor vanishes.
        let rest = (-difference.abs()).exp().ln_1p();
        let lost_by_first = difference.max(0.0) + rest;
        let lost_by_second = (-difference).max(0.0) + rest;
        self.value -= points * lost_by_second + (games - points) * lost_by_first;
        let chance = 1.0 / (1.0 + (-difference).exp());
        let slope = points - games * chance;
        let information = games * chance * (1.0 - chance);
        let pairing = PairingInformation { sides: parts, information };
        for (i, sign) in pairing.signed() {
            self.slope[i] += sign * slope;
        }
        self.information.pairings.push(pairing);
    }

    /// Returns Newton's step.
    fn step(&self, is_fixed: &[bool]) -> Option<Vec<f64>> {
        let free = |(slope, fixed): (&f64, &bool)| if *fixed { 0.0 } else { *slope };
        let slope: Vec<f64> = self.slope.iter().zip(is_fixed).map(free).collect();
        if slope.len() > MAX_SMALL_SIZE
            && self.information.tables.is_none()
            && let Some(step) = self.conjugate_step(&slope, is_fixed)
        {
            return Some(step);
        }
        Some(bordered(&self.information, &self.prior, is_fixed).root()?.solve(&slope))
    }

    /// Returns Newton's step by conjugate gradients, whose time grows with the number of pairings instead of
    /// the cube of the number of agents; `None` if they do not converge.
    fn conjugate_step(&self, slope: &[f64], is_fixed: &[bool]) -> Option<Vec<f64>> {
        let size = slope.len();
        let mut diagonal: Vec<f64> = self.prior.diagonal().collect();
        for pairing in &self.information.pairings {
            pairing.signed().for_each(|(i, _)| diagonal[i] += pairing.information);
        }
        let product = |x: &[f64]| {
            let mut sum = vec![0.0; size];
            self.information.add_product(x, &mut sum);
            self.prior.add_product(x, &mut sum);
            sum.iter_mut()
                .zip(is_fixed)
                .filter(|(_, fixed)| **fixed)
                .for_each(|(sum, _)| *sum = 0.0);
            sum
        };
        let scaled = |x: &[f64]| -> Vec<f64> {
            x.iter().zip(&diagonal).map(|(x, diagonal)| x / diagonal).collect()
        };
        let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
        let mut step = vec![0.0; size];
        let mut rest = slope.to_vec();
        let mut toward = scaled(&rest);
        let mut far = dot(&rest, &toward);
        let near = far * RESIDUAL_REDUCTION * RESIDUAL_REDUCTION;
        for _ in 0..10 * size {
            if far <= near {
                return Some(step);
            }
            let ahead = product(&toward);
            let length = far / dot(&toward, &ahead);
            if !(length.is_finite() && length > 0.0) {
                return None;
            }
            step.iter_mut().zip(&toward).for_each(|(step, toward)| *step += length * toward);
            rest.iter_mut().zip(&ahead).for_each(|(rest, ahead)| *rest -= length * ahead);
            let preconditioned = scaled(&rest);
            let before = std::mem::replace(&mut far, dot(&rest, &preconditioned));
            let turn = far / before;
            for (toward, new) in toward.iter_mut().zip(&preconditioned) {
                *toward = new + turn * *toward;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_two_are_added_up_as_they_would_be_one_by_one() {
        let cells = [(vec![0, 1], 5_u32), (vec![1, 0], 3), (vec![0, 0], 4)];
        for strengths in [[0.3, -0.8, 0.1, -0.2], [40.0, -3.0, 0.0, 0.0], [-2.0, 60.0, 0.0, 0.5]] {
            let prior = Prior::Game;
            let mut pool = Pool::new(2, 2);
            let nothing = LogPosterior::of(&pool, &strengths, prior, 0.0);
            pool.games.insert(
                vec![1, 0],
                cells.clone().map(|(places, count)| (places, count.into())).into(),
            );
            let found = LogPosterior::of(&pool, &strengths, prior, 0.0);
            let at = [strengths[1] + strengths[2], strengths[0] + strengths[3]];
            let (mut value, mut slope, mut information) = (0.0, 0.0, 0.0);
            for (places, count) in &cells {
                let game = LogLikelihood::of(&at, places);
                value += f64::from(*count) * game.value;
                slope += f64::from(*count) * game.slope[0];
                information += f64::from(*count) * game.information[0][0];
            }
            assert!((found.value - nothing.value - value).abs() < 1e-9);
            for (i, sign) in [(1, 1.0), (2, 1.0), (0, -1.0), (3, -1.0)] {
                assert!((found.slope[i] - nothing.slope[i] - sign * slope).abs() < 1e-9, "{i}");
                let told = found.information.matrix().at(i, 1);
                assert!((told - sign * information).abs() < 1e-9, "{i}");
            }
        }
    }

    /// Creates a field in which each agent has met a few random others.
    fn field(agents: usize, seed: u64) -> Pool {
        let mut rng = tussle_core::Rng::new(seed);
        let mut pool = Pool::new(agents, 2);
        for a in 0..agents {
            for _ in 0..3 {
                let b = (a + 1 + rng.below(agents - 1)) % agents;
                let places = [vec![0, 1], vec![1, 0], vec![0, 0]][rng.below(3)].clone();
                *pool.games.entry(vec![a, b]).or_default().entry(places).or_default() += 1;
            }
        }
        pool
    }

    #[test]
    fn conjugate_gradients_take_the_step_of_the_matrix() {
        for (agents, prior) in
            [(120, Prior::Game), (120, Prior::Spread(0.03)), (150, Prior::Spread(900.0))]
        {
            let pool = field(agents, 5);
            let mut rng = tussle_core::Rng::new(9);
            let strengths: Vec<f64> =
                (0..agents + 2).map(|_| rng.below(1000) as f64 / 500.0 - 1.0).collect();
            let sum = LogPosterior::of(&pool, &strengths, prior, 0.0);
            let mut is_fixed = vec![false; agents + 2];
            for fixed in [None, Some(7)] {
                if let Some(fixed) = fixed {
                    is_fixed[fixed] = true;
                }
                let free = |(slope, fixed): (&f64, &bool)| if *fixed { 0.0 } else { *slope };
                let slope: Vec<f64> = sum.slope.iter().zip(&is_fixed).map(free).collect();
                let found = sum.conjugate_step(&slope, &is_fixed).unwrap();
                let root = bordered(&sum.information, &sum.prior, &is_fixed).root().unwrap();
                let wanted = root.solve(&slope);
                let longest = wanted.iter().fold(0.0_f64, |most, step| most.max(step.abs()));
                // Games tell differences only: a wide prior hardly holds the mean of all agents.
                let differences = |step: &[f64]| -> Vec<f64> {
                    step[..agents].iter().map(|one| one - step[7]).collect()
                };
                for (found, wanted) in differences(&found).iter().zip(differences(&wanted)) {
                    assert!((found - wanted).abs() < 1e-6 * longest, "{prior:?}: {found} {wanted}");
                }
            }
        }
    }
}
