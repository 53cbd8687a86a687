//! Likelihood of a hypothesis about strength.
//!
//! A hypothesis fixes one number of the distribution of a pair's score and leaves the rest open. So
//! it is represented by the distribution that explains the pairs best among those that have this
//! number: the maximum likelihood under a constraint. It is the observed distribution
//! divided by `1 + θ φ`, where `φ` is the derivative of the number by the share of each score, and `θ`
//! the Lagrange multiplier (Michel Van den Bergh, "Comments on Normalized Elo", propositions 1.1 and
//! 4.1).

/// Distribution of the scores of pairs.
pub(super) type Shares = [f64; 5];

/// Scores of a pair, as a share of its points.
const SCORES: Shares = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Maximum number of steps of an iteration; a few are enough unless the pairs are far from the hypothesis.
const MAX_STEPS: usize = 200;

/// Returns the log-likelihood per pair if `score` is the expected score.
pub(super) fn at_score(seen: &Shares, score: f64) -> Option<f64> {
    Some(likelihood(seen, &best(seen, &SCORES.map(|s| s - score))?))
}

/// Returns the log-likelihood per pair if the expected score is `t` standard deviations above ½.
///
/// That constraint is not linear in the shares. Each step follows its tangent and then goes back
/// to the constraint; a step that does not raise the likelihood is shortened. So the likelihood
/// rises with every step, up to a maximum.
pub(super) fn at_t_value(seen: &Shares, t: f64) -> Option<f64> {
    let mut shares = tilted(seen, t)?;
    let mut found = likelihood(seen, &shares);
    for _ in 0..MAX_STEPS {
        let Some(goal) = best(seen, &push(&shares, t)) else { break };
        let part = |part: f64| std::array::from_fn(|i| shares[i] + part * (goal[i] - shares[i]));
        let next = [1.0, 0.5, 0.25, 0.125, 0.03, 0.01]
            .into_iter()
            .filter_map(|length| tilted(&part(length), t))
            .find(|next| likelihood(seen, next) > found);
        let Some(next) = next else { break };
        let gain = likelihood(seen, &next) - found;
        (shares, found) = (next, found + gain);
        // Steps converge quadratically: the remaining gain is much smaller than the last one.
        if gain < 1e-10 {
            break;
        }
    }
    Some(found)
}

/// Returns the distribution of the greatest likelihood among those in which `push` is 0 on average.
fn best(seen: &Shares, push: &Shares) -> Option<Shares> {
    let least = push.iter().copied().fold(f64::INFINITY, f64::min);
    let most = push.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // The average can be 0 only if `push` has both signs.
    if !(least < 0.0 && most > 0.0) {
        return None;
    }
    let theta = root([-1.0 / most, -1.0 / least], |theta| {
        let terms = seen.iter().zip(push).map(|(share, push)| (share, push / (1.0 + theta * push)));
        terms.fold((0.0, 0.0), |(value, slope), (share, term)| {
            (value + share * term, slope - share * term * term)
        })
    });
    let shares: Shares = std::array::from_fn(|i| seen[i] / (1.0 + theta * push[i]));
    shares.iter().all(|share| share.is_finite() && *share > 0.0).then_some(shares)
}

/// Returns the derivative of the t-value's constraint by the share of each score.
fn push(shares: &Shares, t: f64) -> Shares {
    let [mean, variance, _] = moments(shares);
    let deviation = variance.sqrt();
    SCORES.map(|s| s - 0.5 - 0.5 * t * deviation * (1.0 + (s - mean).powi(2) / variance))
}

/// Multiplies the shares by `e^(λ score)`, with the λ that gives them the t-value `t`.
fn tilted(shares: &Shares, t: f64) -> Option<Shares> {
    let logs = shares.map(f64::ln);
    let tilt = |lambda: f64| {
        let logs: Shares = std::array::from_fn(|i| logs[i] + lambda * SCORES[i]);
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights = logs.map(|log| (log - most).exp());
        let sum: f64 = weights.iter().sum();
        weights.map(|weight| weight / sum)
    };
    // Falls from +∞ to -∞, though not always.
    let missing = |lambda: f64| {
        let [mean, variance, skew] = moments(&tilt(lambda));
        let deviation = variance.sqrt();
        let above = (mean - 0.5) / deviation;
        (t - above, above * skew / (2.0 * variance) - deviation)
    };
    let mut end = 8.0;
    while !(missing(-end).0 > 0.0 && missing(end).0 < 0.0) {
        end *= 2.0;
        // Here all but one of the shares are 0.
        if end > 1000.0 {
            return None;
        }
    }
    let shares = tilt(root([-end, end], missing));
    shares.iter().all(|share| share.is_finite() && *share > 0.0).then_some(shares)
}

/// Returns the mean score, and the second and third moment about it.
fn moments(shares: &Shares) -> [f64; 3] {
    let mean = shares.iter().zip(SCORES).map(|(share, score)| share * score).sum::<f64>();
    let (mut second, mut third) = (0.0, 0.0);
    for (share, score) in shares.iter().zip(SCORES) {
        let away = score - mean;
        second += share * away * away;
        third += share * away * away * away;
    }
    [mean, second, third]
}

fn likelihood(seen: &Shares, shares: &Shares) -> f64 {
    seen.iter().zip(shares).map(|(seen, share)| seen * share.ln()).sum()
}

/// Returns the zero of a function that is positive at the start of an interval and negative at its end:
/// Newton's method, and bisection where a step leaves the interval.
fn root([mut low, mut high]: [f64; 2], of: impl Fn(f64) -> (f64, f64)) -> f64 {
    let mut x = if low < 0.0 && high > 0.0 { 0.0 } else { f64::midpoint(low, high) };
    for _ in 0..MAX_STEPS {
        let (value, slope) = of(x);
        if value == 0.0 {
            return x;
        }
        if value > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let next = x - value / slope;
        let next = if next > low && next < high { next } else { f64::midpoint(low, high) };
        if (next - x).abs() <= 1e-12 * x.abs().max(1.0) {
            return next;
        }
        x = next;
    }
    x
}
