//! Order in which the moves of a position are tried.

use tussle_core::mix;

/// Primes above every number of moves. Steps of such a length reach each move exactly once.
const STEPS: [u32; 16] = [
    65_537, 65_539, 65_543, 65_551, 65_557, 65_563, 65_579, 65_581, 65_587, 65_599, 65_609, 65_617,
    65_629, 65_633, 65_647, 65_651,
];

/// Order in which the moves of each position are tried for the first time: as the game lists them,
/// or scrambled by a seed. A search with fewer simulations than moves tries only the first of them.
///
/// The order is computed and not stored: it depends only on the seed and the number of moves.
#[derive(Clone, Copy, Debug)]
pub(super) enum Order {
    Listed,
    Seeded(u64),
}

impl Order {
    /// Returns the list indices of `len` moves in the order in which they are tried, without the first `begin`.
    #[inline]
    pub(super) fn from(self, begin: usize, len: usize) -> impl Iterator<Item = usize> {
        let (first, step) = match self {
            Self::Listed => (0, 1),
            Self::Seeded(seed) => {
                let bits = mix(seed ^ len as u64);
                let first = ((bits >> 32) * len as u64) >> 32;
                let step = STEPS[bits as usize % STEPS.len()] % len.max(1) as u32;
                (first as usize, step as usize)
            }
        };
        let start = if begin == 0 { first } else { (first + begin * step) % len.max(1) };
        (begin..len).scan(start, move |next, _| {
            let place = *next;
            *next += step;
            if *next >= len {
                *next -= len;
            }
            Some(place)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Order;

    #[test]
    fn every_move_is_tried_once_from_any_point_on() {
        for seed in 0..50 {
            for len in (1..70).chain([82, 170, 288, 362, 65_535]) {
                let order = Order::Seeded(seed);
                let all: Vec<usize> = order.from(0, len).collect();
                let mut sorted = all.clone();
                sorted.sort_unstable();
                assert!(sorted.into_iter().eq(0..len), "{seed} {len}");
                for begin in [1, 3, len / 2, len - 1, len] {
                    let begin = begin.min(len);
                    assert!(order.from(begin, len).eq(all[begin..].iter().copied()));
                }
            }
        }
        assert!(Order::Listed.from(2, 5).eq(2..5));
        assert_eq!(Order::Seeded(1).from(0, 0).count(), 0);
    }

    #[test]
    fn every_move_comes_first_about_equally_often() {
        for len in [2_usize, 7, 26, 64, 82] {
            let mut counts = vec![0; len];
            let runs = 2000 * len;
            for seed in 0..runs {
                let mut places = Order::Seeded(seed as u64).from(0, len);
                counts[places.next().expect("there is a move")] += 1;
            }
            assert!(counts.iter().all(|count| (1700..2300).contains(count)), "{len}: {counts:?}");
        }
    }
}
