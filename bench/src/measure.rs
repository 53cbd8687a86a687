//! Two speeds side by side on a machine that other programs use too.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Time one side gets in a round.
const ROUND: Duration = Duration::from_millis(300);
/// Slices a round is cut into. The sides take turns, so that whatever else the machine does
/// meets both, and the median slice counts, so that one in which another program had the
/// processor does not. Half a millisecond is well below the time a scheduler gives to a program
/// in one go; slices as long as that can fall in step with it and always hit the same side.
const SLICES: u32 = 600;

/// Something whose speed is measured: it does this many of its units.
pub type Work<'a> = &'a mut dyn FnMut(u64);

/// One line of the result.
pub struct Row {
    pub name: String,
    pub unit: &'static str,
    /// Ours in units a second, the median of the rounds.
    pub ours: f64,
    /// The peer's, if there is one.
    pub peer: Option<Peer>,
    pub rounds: usize,
}

/// The other side of a comparison.
pub struct Peer {
    /// Units a second, the median of the rounds.
    pub speed: f64,
    /// Ours over the peer's, the median of the rounds.
    pub ratio: f64,
    /// The largest ratio of a round minus the smallest.
    pub spread: f64,
}

impl Row {
    /// Measures ours against the peer, or alone if there is none.
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
            for _ in 0..SLICES {
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

    /// The row as JSON; what there is no peer for is null.
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

/// Units a second.
fn speed(work: Work<'_>, units: u64) -> f64 {
    let begin = Instant::now();
    work(units);
    units as f64 / begin.elapsed().as_secs_f64()
}

/// How many units fill a slice of a round; finding out warms the caches too. The largest of
/// three answers counts: one is far too small if another program had the processor meanwhile.
fn batch(work: Work<'_>) -> u64 {
    (0..3).map(|_| fitting(work)).max().unwrap_or(1)
}

fn fitting(work: Work<'_>) -> u64 {
    let slice = (ROUND / SLICES).as_secs_f64();
    let mut units = 1;
    loop {
        // The best of three: whoever takes the processor away meanwhile should not count.
        let best = (0..3).map(|_| speed(work, units)).fold(0.0, f64::max);
        let fitting = best * slice;
        if units as f64 * 2.0 >= fitting {
            return fitting.ceil() as u64;
        }
        units *= 2;
    }
}

/// The median; the numbers are in order afterwards.
fn median(numbers: &mut [f64]) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    if numbers.len() % 2 == 1 {
        numbers[middle]
    } else {
        (numbers[middle - 1] + numbers[middle]) / 2.0
    }
}
