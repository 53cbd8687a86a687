//! How long moves took, without keeping them all.

/// Each power of two is split into so many parts: quantiles are right to 1 in 128.
const PARTS: u64 = 128;

/// Counts of times in microseconds.
#[derive(Clone, Debug, Default)]
pub struct Latency {
    /// By bucket, as long as the largest time demands.
    buckets: Vec<u64>,
    count: u64,
    max: u64,
}

/// Where a time is counted: exactly below [`PARTS`], in parts of its power of two above.
fn bucket(time: u64) -> usize {
    if time < PARTS {
        return time as usize;
    }
    let power = u64::from(time.ilog2() - PARTS.ilog2());
    (power * PARTS + (time >> power)) as usize
}

/// The largest time counted there.
fn end(bucket: usize) -> u64 {
    let bucket = bucket as u64;
    if bucket < 2 * PARTS {
        return bucket;
    }
    let power = bucket / PARTS - 1;
    let end = ((u128::from(bucket - power * PARTS) + 1) << power) - 1;
    u64::try_from(end).unwrap_or(u64::MAX)
}

impl Latency {
    /// Counts one time more.
    pub fn add(&mut self, time: u64) {
        let at = bucket(time);
        if self.buckets.len() <= at {
            self.buckets.resize(at + 1, 0);
        }
        self.buckets[at] += 1;
        self.count += 1;
        self.max = self.max.max(time);
    }

    /// How many times were counted.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The longest, exactly.
    pub fn max(&self) -> Option<u64> {
        (self.count > 0).then_some(self.max)
    }

    /// The time that this share of them does not exceed.
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
            let mut latency = Latency::default();
            for &time in &times {
                latency.add(time);
            }
            times.sort_unstable();
            let rank = ((share * times.len() as f64).ceil() as usize).max(1);
            let (exact, found) = (times[rank - 1], latency.quantile(share).unwrap());
            prop_assert!(found >= exact && found - exact <= exact / PARTS, "{found} for {exact}");
            prop_assert_eq!(latency.max(), times.last().copied());
        }
    }

    #[test]
    fn no_times_have_no_quantile() {
        assert_eq!(Latency::default().quantile(0.5), None);
        assert_eq!(Latency::default().max(), None);
    }
}
