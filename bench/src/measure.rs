//! Comparison of two speeds on a machine that other programs use too.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Time of one side in a round.
const ROUND_TIME: Duration = Duration::from_millis(300);
/// Number of slices of a round.
///
/// The sides take turns, so that other programs affect both. The median slice counts, so that slices
/// interrupted by another program do not. A slice of half a millisecond is well below the time slice
/// of a scheduler; longer slices could fall in step with it and always be interrupted on one side.
const SLICES_PER_ROUND: u32 = 600;

/// Measured work: a function that does this many units.
pub type Work<'a> = &'a mut dyn FnMut(u64);

/// Row of the result.
pub struct Row {
    pub name: String,
    pub unit: &'static str,
    /// Our speed in units per second, the median over the rounds.
    pub ours: f64,
    /// Result of the peer, if there is one.
    pub peer: Option<Peer>,
    pub rounds: usize,
}

/// Result of the other side of a comparison.
pub struct Peer {
    /// Speed in units per second, the median over the rounds.
    pub speed: f64,
    /// Our speed divided by the peer's, the median over the rounds.
    pub ratio: f64,
    /// Largest ratio of a round minus the smallest.
    pub spread: f64,
}

impl Row {
    /// Measures ours, and the peer if there is one.
    pub fn measure(
        name: &str,
        unit: &'static str,
        rounds: usize,
        ours: Work<'_>,
        mut peer: Option<Work<'_>>,
    ) -> Self {
        let our_batch = batch(ours);
        let peer_batch = peer.as_mut().map(|peer| batch(peer));
        let (mut our_speeds, mut peer_speeds, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..rounds {
            let (mut our_slices, mut peer_slices) = (Vec::new(), Vec::new());
            for _ in 0..SLICES_PER_ROUND {
                our_slices.push(speed(ours, our_batch));
                if let (Some(peer), Some(batch)) = (&mut peer, peer_batch) {
                    peer_slices.push(speed(peer, batch));
                }
            }
            let our_speed = median(&mut our_slices);
            our_speeds.push(our_speed);
            if peer.is_some() {
                let peer_speed = median(&mut peer_slices);
                peer_speeds.push(peer_speed);
                ratios.push(our_speed / peer_speed);
            }
        }
        let peer = peer.map(|_| {
            let ratio = median(&mut ratios);
            let spread = ratios[ratios.len() - 1] - ratios[0];
            Peer { speed: median(&mut peer_speeds), ratio, spread }
        });
        Self { name: name.to_owned(), unit, ours: median(&mut our_speeds), peer, rounds }
    }

    /// Returns the row as JSON. Without a peer, its fields are null.
    pub fn json(&self) -> Value {
        let peer = self.peer.as_ref();
        json!({
            "name": self.name,
            "ours": self.ours,
            "peer": peer.map(|p| p.speed),
            "ratio": peer.map(|p| p.ratio),
            "spread": peer.map(|p| p.spread),
            "rounds": self.rounds,
            "unit": self.unit,
        })
    }
}

/// Returns the speed in units per second.
fn speed(work: Work<'_>, units: u64) -> f64 {
    let begin = Instant::now();
    work(units);
    units as f64 / begin.elapsed().as_secs_f64()
}

/// Returns the number of units that fill a slice. The measurement also warms the caches. The largest
/// of three results counts, because a result is too small if another program interrupts it.
fn batch(work: Work<'_>) -> u64 {
    (0..3).map(|_| fitting(work)).max().unwrap_or(1)
}

fn fitting(work: Work<'_>) -> u64 {
    let slice = (ROUND_TIME / SLICES_PER_ROUND).as_secs_f64();
    let mut units = 1;
    loop {
        // The best of three, because other programs can interrupt a measurement.
        let best = (0..3).map(|_| speed(work, units)).fold(0.0, f64::max);
        let fitting = best * slice;
        if units as f64 * 2.0 >= fitting {
            return fitting.ceil() as u64;
        }
        units *= 2;
    }
}

/// Returns the median and sorts the numbers.
fn median(numbers: &mut [f64]) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    if numbers.len() % 2 == 1 {
        numbers[middle]
    } else {
        (numbers[middle - 1] + numbers[middle]) / 2.0
    }
}
