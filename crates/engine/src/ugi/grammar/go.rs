//! Grammar of the command `go`.

use std::time::{Duration, Instant};

use tussle_core::{Limits, TimeControl};

/// Limits of one search, which may be combined. The search ends at the first limit that it reaches.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct UgiLimits {
    /// Time left and increment of each player, by seat.
    clocks: Vec<(Option<Duration>, Duration)>,
    move_time: Option<Duration>,
    depth: Option<u32>,
    nodes: Option<u64>,
    /// True if the answer waits for `stop`.
    pub(crate) infinite: bool,
    /// Messages about words that are not understood.
    pub(crate) complaints: Vec<String>,
}

/// Maximum number of players. A larger number in `p1time` is an error.
const MAX_PLAYERS: usize = 64;

impl UgiLimits {
    /// Parses the words after `go`. An invalid number counts as 0 or 1, so that the other program does not wait
    /// indefinitely.
    pub(crate) fn parse(text: &str) -> Self {
        let mut limits = Self::default();
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            if word == "infinite" {
                limits.infinite = true;
                continue;
            }
            let seat = |suffix: &str| {
                let number = word.strip_prefix('p')?.strip_suffix(suffix)?.parse().ok()?;
                (1..=MAX_PLAYERS).contains(&number).then(|| number - 1)
            };
            let (time, increment) = (seat("time"), seat("inc"));
            let known = ["movetime", "depth", "nodes"].contains(&word);
            if !known && time.or(increment).is_none() {
                limits.complaints.push(format!("unknown word {word} after go"));
                continue;
            }
            let number = limits.number(word, words.next());
            let span = Duration::from_millis(number);
            if let Some(seat) = time.or(increment) {
                if limits.clocks.len() <= seat {
                    limits.clocks.resize(seat + 1, (None, Duration::ZERO));
                }
                let clock = &mut limits.clocks[seat];
                if time.is_some() {
                    clock.0 = Some(span);
                } else {
                    clock.1 = span;
                }
            }
            match word {
                "movetime" => limits.move_time = Some(span),
                "depth" => limits.depth = Some(u32::try_from(number).unwrap_or(u32::MAX).max(1)),
                "nodes" => limits.nodes = Some(number.max(1)),
                _ => {}
            }
        }
        limits
    }

    /// Reads a number. Programs send negative times after a clock has run out, which count as 0.
    fn number(&mut self, word: &str, value: Option<&str>) -> u64 {
        let value = value.unwrap_or_default();
        let number = value.parse::<i64>();
        if number.is_err() {
            self.complaints.push(format!("{word}: expected a whole number, found `{value}`"));
        }
        number.unwrap_or(0).try_into().unwrap_or(0)
    }

    /// Returns the limits of the player's search, whose clock was started at `began`.
    pub(crate) fn search_limits(&self, player: usize, began: Instant, margin: Duration) -> Limits {
        let (bank, increment) = self.clocks.get(player).copied().unwrap_or_default();
        let clocks = [
            self.move_time.map(TimeControl::PerMove),
            bank.map(|bank| TimeControl::Increment { base: bank, increment }),
        ];
        let spans =
            clocks.into_iter().flatten().map(|clock| clock.player_clock().limits(began, margin));
        let mut limits = Limits { nodes: self.nodes, depth: self.depth, ..Limits::none() };
        for span in spans {
            limits.started = span.started;
            limits.soft = limits.soft.into_iter().chain(span.soft).min();
            limits.hard = limits.hard.into_iter().chain(span.hard).min();
        }
        if self.infinite && !limits.is_timed() {
            // With a time limit the search deepens and sends progress, although this limit never ends it.
            limits = limits.or_time(Duration::MAX);
        }
        limits
    }
}

/// Returns the command for time banks, from the milliseconds left by seat and the increment.
pub(crate) fn go_with_clocks(left: &[u64], increment: Duration) -> String {
    let mut go = "go".to_owned();
    for (seat, millis) in left.iter().enumerate() {
        go += &format!(" p{}time {millis}", seat + 1);
    }
    for seat in 1..=left.len() {
        go += &format!(" p{seat}inc {}", increment.as_millis());
    }
    go
}

/// Returns the command for a time per move, in milliseconds.
pub(crate) fn go_with_move_time(millis: u64) -> String {
    format!("go movetime {millis}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARGIN: Duration = Duration::from_millis(10);

    fn limits(text: &str, player: usize) -> (Option<u128>, Option<u128>) {
        let limits = UgiLimits::parse(text).search_limits(player, Instant::now(), MARGIN);
        (limits.soft.map(|t| t.as_millis()), limits.hard.map(|t| t.as_millis()))
    }

    #[test]
    fn a_player_uses_its_own_clock() {
        let both = "p1time 20010 p2time 1010 p1inc 0 p2inc 100";
        assert_eq!(limits(both, 0), (Some(1000), Some(3000)));
        assert_eq!(limits(both, 1), (Some(140), Some(420)));
        assert_eq!(limits("p2time 5000", 0), (None, None));
        assert_eq!(limits("p3time 20010", 2), (Some(1000), Some(3000)));
    }

    #[test]
    fn the_margin_is_subtracted_and_the_smallest_limit_counts() {
        assert_eq!(limits("movetime 200", 0), (Some(190), Some(190)));
        assert_eq!(limits("movetime 200 p1time 20010", 0), (Some(190), Some(190)));
        assert_eq!(limits("p1time 20010 movetime 2000", 0), (Some(1000), Some(1990)));
        let limits = UgiLimits::parse("depth 3 nodes 500 movetime 50");
        let limits = limits.search_limits(0, Instant::now(), Duration::ZERO);
        assert_eq!((limits.depth, limits.nodes), (Some(3), Some(500)));
        assert_eq!(limits.hard, Some(Duration::from_millis(50)));
    }

    #[test]
    fn parsing_written_limits_gives_the_same_limits() {
        let read = |go: &str| UgiLimits::parse(go.strip_prefix("go ").expect("the command"));
        let (s, ms) = (Duration::from_secs, Duration::from_millis);
        let clocks = vec![(Some(s(20)), ms(100)), (Some(s(5)), ms(100))];
        let both = UgiLimits { clocks, ..UgiLimits::default() };
        assert_eq!(read(&go_with_clocks(&[20_000, 5_000], ms(100))), both);
        let one = UgiLimits { move_time: Some(ms(250)), ..UgiLimits::default() };
        assert_eq!(read(&go_with_move_time(250)), one);
    }

    #[test]
    fn an_invalid_limit_ends_the_search_soon() {
        for bad in ["movetime soon", "movetime", "movetime -5", "p1time -100", "movetime 1e9"] {
            let (soft, hard) = limits(bad, 0);
            assert!(soft.is_some_and(|t| t <= 1) && hard.is_some_and(|t| t <= 1), "{bad}");
        }
        assert_eq!(UgiLimits::parse("movetime 5 fast p99999time 3").complaints.len(), 3);
        assert_eq!(UgiLimits::parse("depth 0").depth, Some(1));
        assert_eq!(UgiLimits::parse("nodes 0").nodes, Some(1));
    }
}
