//! Probability of a ranking of players, by Plackett and Luce: the first is chosen with probabilities
//! proportional to `exp(strength)`, the second from the rest, and so on.
//!
//! The log-likelihood of tied players is the average over all of their orders: two players who draw have
//! half a win each. Players who share the last place were not ranked at all: a game that only one player
//! can win shows nothing about the others.

/// Logarithm of a probability, with its slope and its curvature by the strengths of the players.
///
/// The sign of the curvature is changed, so that it is not negative.
#[derive(Clone, Debug)]
pub(super) struct LogLikelihood {
    pub(super) value: f64,
    pub(super) slope: Vec<f64>,
    /// Negated curvature, by player and player.
    pub(super) information: Vec<Vec<f64>>,
}

impl LogLikelihood {
    /// Computes the log-likelihood of the ranks of players. The best rank is 0, and tied players have the
    /// same rank.
    pub(super) fn of(strengths: &[f64], places: &[u8]) -> Self {
        let players = strengths.len();
        let mut sum = Self {
            value: 0.0,
            slope: vec![0.0; players],
            information: vec![vec![0.0; players]; players],
        };
        for (first, &place) in places.iter().enumerate() {
            if places[..first].contains(&place) {
                continue; // the group was seen
            }
            let of = |belongs: &dyn Fn(u8) -> bool| -> Vec<usize> {
                (0..players).filter(|&player| belongs(places[player])).collect()
            };
            let (group, below) = (of(&|other| other == place), of(&|other| other > place));
            if below.is_empty() && group.len() < players {
                continue;
            }
            for &player in &group {
                sum.value += strengths[player];
                sum.slope[player] += 1.0;
            }
            // In the middle of an order, the players left are those below and any subset of the group;
            // all subsets of one size are equally frequent.
            for mask in 1_u32..1 << group.len() {
                let left = (0..group.len()).filter(|i| mask >> i & 1 == 1).map(|i| group[i]);
                let left: Vec<usize> = left.chain(below.iter().copied()).collect();
                let weight = 1.0 / binomial(group.len(), mask.count_ones() as usize);
                sum.subtract_denominator(weight, strengths, &left);
            }
        }
        sum
    }

    /// Subtracts the logarithm of the denominator: the total weight of the players that are left.
    fn subtract_denominator(&mut self, weight: f64, strengths: &[f64], left: &[usize]) {
        let most = left.iter().map(|&player| strengths[player]).fold(f64::MIN, f64::max);
        let chances: Vec<f64> = left.iter().map(|&i| (strengths[i] - most).exp()).collect();
        let total: f64 = chances.iter().sum();
        self.value -= weight * (most + total.ln());
        for (&i, a) in left.iter().zip(&chances) {
            let a = weight * a / total;
            self.slope[i] -= a;
            self.information[i][i] += a;
            for (&j, b) in left.iter().zip(&chances) {
                self.information[i][j] -= a * b / total;
            }
        }
    }
}

/// Returns the number of ways to choose `k` of `n`.
fn binomial(n: usize, k: usize) -> f64 {
    (1..=k).fold(1.0, |ways, i| ways * (n - k + i) as f64 / i as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STRENGTHS: [f64; 4] = [0.3, -0.8, 1.1, 0.0];

    /// Averages over all orders that agree with the places, by the definition.
    fn naive(strengths: &[f64], places: &[u8], ranked: usize) -> f64 {
        fn orders(left: &[usize], order: &mut Vec<usize>, tell: &mut dyn FnMut(&[usize])) {
            if left.is_empty() {
                return tell(order);
            }
            for &next in left {
                let rest: Vec<usize> = left.iter().copied().filter(|&i| i != next).collect();
                order.push(next);
                orders(&rest, order, tell);
                order.pop();
            }
        }
        let (mut sum, mut count) = (0.0, 0.0);
        let all: Vec<usize> = (0..places.len()).collect();
        orders(&all, &mut Vec::new(), &mut |order| {
            if !order.is_sorted_by_key(|&player| places[player]) {
                return;
            }
            count += 1.0;
            for place in 0..ranked {
                let left: f64 = order[place..].iter().map(|&i| strengths[i].exp()).sum();
                sum += (strengths[order[place]].exp() / left).ln();
            }
        });
        sum / count
    }

    #[test]
    fn ties_are_all_their_orders_and_the_last_are_not_ranked() {
        for (places, ranked) in [
            ([0, 1, 2, 3], 4),
            ([2, 0, 3, 1], 4),
            ([0, 0, 2, 3], 4),
            ([0, 1, 1, 3], 4),
            ([3, 0, 0, 0], 4),
            ([0, 0, 0, 0], 4),
            // The last two, or three, in any order.
            ([2, 1, 0, 2], 2),
            ([0, 0, 2, 2], 2),
            ([1, 0, 1, 1], 1),
        ] {
            let likelihood = LogLikelihood::of(&STRENGTHS, &places);
            let wanted = naive(&STRENGTHS, &places, ranked);
            assert!((likelihood.value - wanted).abs() < 1e-12, "{places:?}");
        }
    }

    #[test]
    fn two_who_draw_have_half_a_win_each() {
        let of = |places: [u8; 2]| LogLikelihood::of(&STRENGTHS[..2], &places).value;
        let half = f64::midpoint(of([0, 1]), of([1, 0]));
        assert!((of([0, 0]) - half).abs() < 1e-15);
        let wins = 1.0 / (1.0 + (STRENGTHS[1] - STRENGTHS[0]).exp());
        assert!((of([0, 1]) - wins.ln()).abs() < 1e-15);
    }

    #[test]
    fn slope_and_curvature_are_those_of_the_value() {
        let step = 1e-5;
        for places in [[0, 1, 2, 3], [0, 0, 2, 2], [1, 0, 1, 1], [0, 0, 0, 0], [0, 1, 1, 3]] {
            let here = LogLikelihood::of(&STRENGTHS, &places);
            for i in 0..4 {
                let moved = |by: f64| {
                    let mut strengths = STRENGTHS;
                    strengths[i] += by;
                    LogLikelihood::of(&strengths, &places)
                };
                let (up, down) = (moved(step), moved(-step));
                let slope = (up.value - down.value) / (2.0 * step);
                assert!((here.slope[i] - slope).abs() < 1e-8, "{places:?} {i}");
                for j in 0..4 {
                    let bend = (down.slope[j] - up.slope[j]) / (2.0 * step);
                    assert!((here.information[i][j] - bend).abs() < 1e-8, "{places:?} {i} {j}");
                }
            }
        }
    }
}
