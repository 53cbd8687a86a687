//! Limit on the rate of a page's messages.

use std::time::Instant;

/// Size of a burst: number of seconds whose messages may arrive together.
const BURST_SECONDS: f64 = 4.0;

/// Token-bucket rate limiter for a page's messages.
pub(super) struct RateLimiter {
    /// Messages per second.
    rate: f64,
    tokens: f64,
    /// Time of the last refill.
    refilled: Instant,
}

impl RateLimiter {
    pub(super) fn new(rate: u32) -> Self {
        let rate = f64::from(rate);
        Self { rate, tokens: rate * BURST_SECONDS, refilled: Instant::now() }
    }

    /// Returns true if the limit allows one more message, and counts it.
    pub(super) fn allows(&mut self) -> bool {
        let now = Instant::now();
        let tokens = self.tokens + self.rate * (now - self.refilled).as_secs_f64();
        self.tokens = tokens.min(self.rate * BURST_SECONDS);
        self.refilled = now;
        let is_allowed = self.tokens >= 1.0;
        if is_allowed {
            self.tokens -= 1.0;
        }
        is_allowed
    }
}
