//! Limits of a server.

use std::thread::available_parallelism;
use std::time::Duration;

/// Limits of a server: clients, searches, memory and tournaments.
#[derive(Clone, Debug)]
pub struct ServerLimits {
    /// Maximum number of open connections, including those of pages.
    pub connections: usize,
    /// Maximum number of connected pages.
    pub sessions: usize,
    /// Number of search slots: threads that search at the same time. Further searches queue.
    pub searches: usize,
    /// Maximum number of searches of one page that run at the same time.
    pub share: usize,
    /// Time slice: time that a search may use its slots while other searches wait.
    pub turn: Duration,
    /// Maximum size of a message or request body in bytes.
    pub message: usize,
    /// Maximum number of messages per second of one page, on average over four seconds.
    pub rate: u32,
    /// Time limit of one search.
    pub time: Duration,
    /// Maximum size of the tables and trees of one search in bytes.
    pub memory: usize,
    /// Maximum size in bytes of the trees that all pages together keep between searches.
    pub kept: usize,
    /// Maximum number of external programs that run at the same time.
    pub programs: usize,
    /// Timeout for reading a request, and for a client that does not read its answer.
    pub patience: Duration,
    /// Interval between the pings to a page.
    pub pulse: Duration,
    /// Maximum number of tournaments that are played at the same time.
    pub tournaments: usize,
    /// Maximum number of games that all tournaments together play in parallel.
    pub jobs: usize,
    /// Maximum number of games of one tournament.
    pub games: u64,
    /// Maximum number of stores in the folder with which pages may start a new tournament.
    pub stores: usize,
}

impl Default for ServerLimits {
    fn default() -> Self {
        Self {
            connections: 512,
            sessions: 128,
            // One person may have an analysis, an opponent's move and a tournament page at the same time.
            searches: available_parallelism().map_or(1, usize::from).max(4),
            share: 2,
            turn: Duration::from_secs(20),
            message: 256 << 10,
            rate: 50,
            time: Duration::from_mins(10),
            memory: 256 << 20,
            kept: 512 << 20,
            programs: 8,
            patience: Duration::from_secs(20),
            pulse: Duration::from_secs(20),
            tournaments: 4,
            jobs: available_parallelism().map_or(1, usize::from).max(4),
            games: 1_000_000,
            stores: 1000,
        }
    }
}
