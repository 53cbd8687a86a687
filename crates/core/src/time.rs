//! The clock of searches: the only place where `tussle-core`, `tussle-search` and `tussle-games` read the time.
//!
//! On targets whose standard library has a monotonic clock, [`now`] is [`std::time::Instant::now`] and costs
//! nothing more. `wasm32-unknown-unknown` has none: there [`std::time::Instant::now`] panics. To support such a
//! target, put a `cfg` on the two items of this module and add their replacements beside them. For a browser:
//!
//! ```text
//! #[cfg(all(target_family = "wasm", target_os = "unknown"))]
//! pub use web_time::Instant; // reads `performance.now()`
//! ```
//!
//! An `Instant` of another target needs `Copy`, `Ord`, `Debug`, `now`, `checked_add`, `saturating_duration_since` and the
//! operators `+ Duration` and `- Instant`.

use std::time::Duration;

pub use std::time::Instant;

/// Returns the current time of the monotonic clock.
#[inline]
#[must_use]
pub fn now() -> Instant {
    Instant::now()
}

/// Returns the time since `start`; zero if `start` is in the future.
#[inline]
#[must_use]
pub fn since(start: Instant) -> Duration {
    now().saturating_duration_since(start)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn the_clock_never_runs_backwards() {
        let start = now();
        let first = since(start);
        assert!(since(start) >= first && now() >= start);
        let future = now() + Duration::from_secs(1000);
        assert_eq!(since(future), Duration::ZERO);
    }

    /// Returns the lines of a folder's sources, tests and comments aside, that read a clock of their own.
    fn other_clocks(folder: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap_or_default();
            if name == "tests"
                || name == "tests.rs"
                || path == Path::new(SOURCES).join("core/src/time.rs")
            {
                continue;
            }
            if path.is_dir() {
                other_clocks(&path, found);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            let reads = |line: &&str| {
                let is_comment = line.trim_start().starts_with("//");
                !is_comment
                    && ["Instant::now", "SystemTime::now", ".elapsed()"]
                        .iter()
                        .any(|call| line.contains(call))
            };
            let lines = code.lines().filter(reads);
            found.extend(lines.map(|line| format!("{}: {}", path.display(), line.trim())));
        }
    }

    const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

    #[test]
    fn core_search_and_games_read_the_clock_here_only() {
        let mut found = Vec::new();
        for name in ["core", "search", "games"] {
            other_clocks(&Path::new(SOURCES).join(name).join("src"), &mut found);
        }
        assert!(found.is_empty(), "call tussle_core::time::now instead: {found:#?}");
    }
}
