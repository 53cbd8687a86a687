//! Quantiles of move times in bounded memory.

/// Number of buckets per power of two, which makes quantiles right to 1 in 128.
const BUCKETS_PER_OCTAVE: u64 = 128;

/// Histogram of times in microseconds, with logarithmic buckets.
#[derive(Clone, Debug, Default)]
pub struct LatencyHistogram {
    /// Number of times by bucket, up to the bucket of the largest time.
    buckets: Vec<u64>,
    count: u64,
    max: u64,
}

/// Returns the bucket of a time: exact below [`BUCKETS_PER_OCTAVE`], a part of its power of two above.
fn bucket(time: u64) -> usize {
    if time < BUCKETS_PER_OCTAVE {
        return time as usize;
    }
    let power = u64::from(time.ilog2() - BUCKETS_PER_OCTAVE.ilog2());
    (power * BUCKETS_PER_OCTAVE + (time >> power)) as usize
}

/// Returns the largest time of a bucket.
fn end(bucket: usize) -> u64 {
    let bucket = bucket as u64;
    if bucket < 2 * BUCKETS_PER_OCTAVE {
        return bucket;
    }
    let power = bucket / BUCKETS_PER_OCTAVE - 1;
    let end = ((u128::from(bucket - power * BUCKETS_PER_OCTAVE) + 1) << power) - 1;
    u64::try_from(end).unwrap_or(u64::MAX)
}

impl LatencyHistogram {
    /// Counts one more time.
    pub fn add(&mut self, time: u64) {
        let at = bucket(time);
        if self.buckets.len() <= at {
            self.buckets.resize(at + 1, 0);
        }
        self.buckets[at] += 1;
        self.count += 1;
        self.max = self.max.max(time);
    }

    /// Returns the number of times.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the longest time, exactly; `None` without times.
    pub fn max(&self) -> Option<u64> {
        (self.count > 0).then_some(self.max)
    }

    /// Returns the time that a `share` of all times does not exceed; `None` without times.
    pub fn quantile(&self, share: f64) -> Option<u64> {
        let wanted = (share * self.count as f64).ceil().max(1.0) as u64;
        let mut seen = 0;
        for (at, &count) in self.buckets.iter().enumerate() {
            seen += count;
            if seen >= wanted {
                return Some(end(at).min(self.max));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn quantiles_are_those_of_the_sorted_list(
            mut times in prop::collection::vec(
                prop_oneof![0..300u64, 0..1_000_000_000u64, any::<u64>()], 1..200,
            ),
            share in 0.0..=1.0f64,
        ) {
            let mut latency = LatencyHistogram::default();
            for &time in &times {
                latency.add(time);
            }
            times.sort_unstable();
            let rank = ((share * times.len() as f64).ceil() as usize).max(1);
            let (exact, found) = (times[rank - 1], latency.quantile(share).unwrap());
            prop_assert!(found >= exact && found - exact <= exact / BUCKETS_PER_OCTAVE, "{found} for {exact}");
            prop_assert_eq!(latency.max(), times.last().copied());
        }
    }

    #[test]
    fn no_times_have_no_quantile() {
        assert_eq!(LatencyHistogram::default().quantile(0.5), None);
        assert_eq!(LatencyHistogram::default().max(), None);
    }
}
