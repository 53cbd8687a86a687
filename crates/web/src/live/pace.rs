//! How fast a page may talk.

use std::time::Instant;

/// Seconds' worth of messages that may come at once.
const BURST: f64 = 4.0;

/// A bucket that fills with time, and from which every message takes one.
pub(super) struct Pace {
    rate: f64,
    left: f64,
    seen: Instant,
}

impl Pace {
    pub(super) fn new(rate: u32) -> Self {
        let rate = f64::from(rate);
        Self { rate, left: rate * BURST, seen: Instant::now() }
    }

    /// Whether one more message is all right.
    pub(super) fn allows(&mut self) -> bool {
        let now = Instant::now();
        let filled = self.left + self.rate * (now - self.seen).as_secs_f64();
        self.left = filled.min(self.rate * BURST);
        self.seen = now;
        let fine = self.left >= 1.0;
        if fine {
            self.left -= 1.0;
        }
        fine
    }
}
