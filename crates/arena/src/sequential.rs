//! A match that ends when its test does.
//!
//! Games finish in any order, and quick ones first: a test that took them as they come would favour
//! whoever wins quickly. So it looks at the pairs in the order of the schedule, as far as they
//! are complete, and the first pair at which it has an answer is the last one that counts.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;
use tussle_catalog::turns;
use tussle_core::Outcome;

use crate::{Hypothesis, Pentanomial, Record, Sprt, is_repetitive};

/// A test and the pairs it has seen.
#[derive(Clone, Debug)]
pub struct Sequential {
    sprt: Sprt,
    /// The pairs before which none is missing, seen by the first contestant.
    pairs: Pentanomial,
    /// The same without those that were played before, move by move.
    distinct: Pentanomial,
    seen_games: HashSet<u64>,
    seen_pairs: HashSet<[u64; 2]>,
    /// The first pair that was not looked at.
    next: u64,
    /// Games of pairs from there on.
    waiting: BTreeMap<u64, [Option<Half>; 2]>,
    accepted: Option<Hypothesis>,
}

/// One game of a pair.
#[derive(Clone, Copy, Debug)]
struct Half {
    /// For the first contestant; none if the game is void.
    outcome: Option<Outcome>,
    fingerprint: u64,
}

/// Where a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// What is tested.
    #[serde(flatten)]
    pub sprt: Sprt,
    /// The log-likelihood ratio.
    pub llr: Option<f64>,
    /// Where H0 is accepted.
    pub lower: f64,
    /// Where H1 is accepted.
    pub upper: f64,
    /// The pairs that were looked at.
    pub pairs: u64,
    /// The answer.
    pub accepted: Option<Hypothesis>,
}

impl Sequential {
    /// A test that has seen nothing.
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

    /// Takes a game of two, in any order, none twice.
    pub fn add(&mut self, record: &Record) {
        if self.is_surplus(record) {
            return;
        }
        let Some(seat) = record.seats.iter().position(|&agent| agent == 0) else { return };
        let outcome = (!record.is_void()).then(|| turns::outcome(&record.utilities, seat));
        let half = Half { outcome, fingerprint: record.fingerprint() };
        self.waiting.entry(record.pair).or_default()[seat] = Some(half);
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

    fn look(&mut self, pair: [Half; 2]) {
        // A pair with a void game does not count.
        let [Some(first), Some(second)] = pair.map(|half| half.outcome) else { return };
        let outcomes = [first, second];
        let fingerprints = pair.map(|half| half.fingerprint);
        self.pairs.add(outcomes);
        if self.seen_pairs.insert(fingerprints) {
            self.distinct.add(outcomes);
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

    /// Whether a game comes after the answer, and so does not count.
    pub fn is_surplus(&self, record: &Record) -> bool {
        self.accepted.is_some() && record.pair >= self.next
    }

    /// The answer, if there is one.
    pub fn accepted(&self) -> Option<Hypothesis> {
        self.accepted
    }

    /// The pairs that were looked at.
    pub fn pairs(&self) -> u64 {
        self.pairs.pairs()
    }

    /// Where it stands.
    pub fn standing(&self) -> Standing {
        let [lower, upper] = self.sprt.bounds();
        Standing {
            sprt: self.sprt,
            llr: self.llr(),
            lower,
            upper,
            pairs: self.pairs.pairs(),
            accepted: self.accepted,
        }
    }
}
