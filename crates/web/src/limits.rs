//! How much a server does for how many.

use std::thread::available_parallelism;
use std::time::Duration;

/// How much a server does for how many.
#[derive(Clone, Debug)]
pub struct ServerLimits {
    /// Connections at once, those of pages among them.
    pub connections: usize,
    /// Pages that are connected at once.
    pub sessions: usize,
    /// Threads that search at once; other searches wait for their turn.
    pub searches: usize,
    /// Searches of one page that run at once.
    pub share: usize,
    /// How long a search may go on while others wait.
    pub turn: Duration,
    /// Bytes of one message.
    pub message: usize,
    /// Messages of one page in a second, over some seconds.
    pub rate: u32,
    /// The time of one search.
    pub time: Duration,
    /// Bytes for the tables and trees of one search.
    pub memory: usize,
    /// Bytes for the trees that all pages together keep between their moves.
    pub kept: usize,
    /// Programs that run at once.
    pub programs: usize,
    /// How long a request may take to arrive, and an answer to be taken.
    pub patience: Duration,
    /// How often a page is asked whether it is still there.
    pub pulse: Duration,
    /// Tournaments that are played at once.
    pub tournaments: usize,
    /// Games of tournaments that are played at once, in all of them.
    pub jobs: usize,
    /// Games of one tournament.
    pub games: u64,
    /// Stores in the folder beyond which pages begin no new tournament.
    pub stores: usize,
}

impl Default for ServerLimits {
    fn default() -> Self {
        Self {
            connections: 512,
            sessions: 128,
            // An analysis, the opponent's move and a tournament's page are one person's.
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
