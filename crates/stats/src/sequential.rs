//! A sequential test over games that finish in any order.

use std::collections::{BTreeMap, HashSet};

use crate::{GameResult, Hypothesis, Pentanomial, Sprt, is_repetitive};

/// A sequential test and the pairs of games that it has seen.
///
/// Games that run in parallel finish in any order, quick ones first, and a test that took them as they
/// come would favour a player who wins quickly. So the test looks at pairs by their number, up to the
/// first one that is incomplete. The pair at which it accepts a hypothesis is the last one that counts.
#[derive(Clone, Debug)]
pub struct SequentialTest {
    sprt: Sprt,
    /// All pairs before `next`.
    pairs: Pentanomial,
    /// `pairs` without those that repeat an earlier one move by move.
    distinct: Pentanomial,
    seen_games: HashSet<u64>,
    seen_pairs: HashSet<[u64; 2]>,
    /// Number of the first pair that is not counted yet.
    next: u64,
    /// Games of pairs from `next` on; the game in which the player moved first comes first.
    waiting: BTreeMap<u64, [Option<PairedGame>; 2]>,
    accepted: Option<Hypothesis>,
}

/// One game of a pair, from the point of view of the player whose strength is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairedGame {
    /// Number of the pair, from 0.
    pub pair: u64,
    /// True in the game of the pair in which the player has the first seat.
    pub is_first_seat: bool,
    /// Result for the player; `None` if the game is void, and then its pair does not count.
    pub result: Option<GameResult>,
    /// Hash of the moves, which tells repeated games apart from new ones.
    pub fingerprint: u64,
}

/// Current state of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SprtStatus {
    /// The test.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub sprt: Sprt,
    /// Log-likelihood ratio; `None` until two distinct pairs were seen.
    pub llr: Option<f64>,
    /// Ratio at which H0 is accepted.
    pub lower: f64,
    /// Ratio at which H1 is accepted.
    pub upper: f64,
    /// Number of pairs that were looked at.
    pub pairs: u64,
    /// Accepted hypothesis; `None` while the test runs.
    pub accepted: Option<Hypothesis>,
}

impl SequentialTest {
    /// Creates a test that has seen no pair.
    pub fn new(sprt: Sprt) -> Self {
        Self {
            sprt,
            pairs: Pentanomial::default(),
            distinct: Pentanomial::default(),
            seen_games: HashSet::new(),
            seen_pairs: HashSet::new(),
            next: 0,
            waiting: BTreeMap::new(),
            accepted: None,
        }
    }

    /// Adds a game. Games come in any order, each of them once.
    pub fn add(&mut self, game: PairedGame) {
        if self.is_surplus(game.pair) {
            return;
        }
        let second = usize::from(!game.is_first_seat);
        self.waiting.entry(game.pair).or_default()[second] = Some(game);
        while self.accepted.is_none()
            && let Some(&[Some(first), Some(second)]) = self.waiting.get(&self.next)
        {
            self.waiting.remove(&self.next);
            self.next += 1;
            self.look([first, second]);
        }
        if self.accepted.is_some() {
            self.waiting.clear();
        }
    }

    /// Counts a complete pair and tests again.
    fn look(&mut self, pair: [PairedGame; 2]) {
        let [Some(first), Some(second)] = pair.map(|game| game.result) else { return };
        let results = [first, second];
        let fingerprints = pair.map(|game| game.fingerprint);
        self.pairs.add(results);
        if self.seen_pairs.insert(fingerprints) {
            self.distinct.add(results);
        }
        self.seen_games.extend(fingerprints);
        self.accepted = self.llr().and_then(|llr| self.sprt.decision(llr));
    }

    fn llr(&self) -> Option<f64> {
        if self.distinct.pairs() < 2 {
            return None; // one game and its mirror image, however often, prove nothing
        }
        let repetitive = is_repetitive(self.seen_games.len() as u64, 2 * self.pairs.pairs());
        self.sprt.llr(if repetitive { &self.distinct } else { &self.pairs })
    }

    /// Returns true if the test ended before this pair, so that its games do not count.
    pub fn is_surplus(&self, pair: u64) -> bool {
        self.accepted.is_some() && pair >= self.next
    }

    /// Returns the accepted hypothesis; `None` while the test runs.
    pub fn accepted(&self) -> Option<Hypothesis> {
        self.accepted
    }

    /// Returns the number of pairs that were looked at.
    pub fn pairs(&self) -> u64 {
        self.pairs.pairs()
    }

    /// Returns the current state, for which the log-likelihood ratio is computed.
    pub fn status(&self) -> SprtStatus {
        let [lower, upper] = self.sprt.bounds();
        SprtStatus {
            sprt: self.sprt,
            llr: self.llr(),
            lower,
            upper,
            pairs: self.pairs.pairs(),
            accepted: self.accepted,
        }
    }
}

#[cfg(test)]
mod tests {
    use tussle_core::Rng;

    use super::*;

    fn new_test() -> SequentialTest {
        SequentialTest::new(Sprt::new(0.0, 100.0).unwrap())
    }

    /// Both games of a pair. No two pairs have the same moves.
    fn pair(number: u64, results: [GameResult; 2]) -> [PairedGame; 2] {
        [0, 1].map(|seat| PairedGame {
            pair: number,
            is_first_seat: seat == 0,
            result: Some(results[seat]),
            fingerprint: 2 * number + seat as u64,
        })
    }

    /// Pairs of a player that wins about 70 % of the games.
    fn games(pairs: u64) -> Vec<PairedGame> {
        let mut rng = Rng::new(3);
        let mut result = || if rng.unit() < 0.7 { GameResult::Win } else { GameResult::Loss };
        (0..pairs).flat_map(|number| pair(number, [result(), result()])).collect()
    }

    #[test]
    fn the_order_in_which_games_finish_does_not_matter() {
        let mut games = games(200);
        let run = |games: &[PairedGame]| {
            let mut test = new_test();
            for &game in games {
                test.add(game);
            }
            test.status()
        };
        let in_order = run(&games);
        assert_eq!(in_order.accepted, Some(Hypothesis::H1));
        assert!(in_order.pairs < 200);
        let mut rng = Rng::new(8);
        for _ in 0..20 {
            rng.shuffle(&mut games);
            assert_eq!(run(&games), in_order);
        }
    }

    #[test]
    fn games_after_the_decision_are_surplus() {
        let mut test = new_test();
        for game in games(200) {
            let before = test.accepted();
            test.add(game);
            assert!(before.is_none() || test.is_surplus(game.pair));
        }
        let pairs = test.pairs();
        assert!(!test.is_surplus(pairs - 1) && test.is_surplus(pairs));
    }

    #[test]
    fn a_pair_with_a_void_game_does_not_count() {
        let [mut void, other] = pair(0, [GameResult::Win; 2]);
        void.result = None;
        let mut test = new_test();
        test.add(other);
        test.add(void);
        for game in pair(1, [GameResult::Win; 2]) {
            test.add(game);
        }
        assert_eq!(test.pairs(), 1);
        assert_eq!(test.status().llr, None);
    }

    #[test]
    fn a_pair_that_repeats_proves_nothing() {
        let mut test = new_test();
        for number in 0..1000 {
            for (seat, game) in pair(number, [GameResult::Win; 2]).into_iter().enumerate() {
                test.add(PairedGame { fingerprint: seat as u64, ..game });
            }
        }
        assert_eq!((test.pairs(), test.accepted()), (1000, None));
    }
}
