//! How much a server does for how many.

use std::thread::available_parallelism;
use std::time::Duration;

/// How much a server does for how many.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Pages that are connected at once.
    pub sessions: usize,
    /// Searches that run at once; others wait for their turn.
    pub searches: usize,
    /// Bytes of one message.
    pub message: usize,
    /// Messages of one page in a second, over some seconds.
    pub rate: u32,
    /// The time of one search.
    pub time: Duration,
    /// Bytes for the tables and trees of one search.
    pub memory: usize,
    /// Tournaments that are played at once.
    pub tournaments: usize,
    /// Games of tournaments that are played at once, in all of them.
    pub jobs: usize,
    /// Games of one tournament.
    pub games: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            sessions: 128,
            // An analysis, the opponent's move and a tournament's page are one person's.
            searches: available_parallelism().map_or(1, usize::from).max(4),
            message: 256 << 10,
            rate: 50,
            time: Duration::from_mins(10),
            memory: 256 << 20,
            tournaments: 4,
            jobs: available_parallelism().map_or(1, usize::from).max(4),
            games: 1_000_000,
        }
    }
}
