//! Swiss format: in each round, agents with similar points are paired, and rematches are avoided.
//!
//! A round is paired from the top of the standings. The best agent without a partner gets its preferred partner among
//! those that leave a valid pairing for all others. These rules hold, in order of priority:
//!
//! 1. **Rematches.** There is no rematch if the round can be paired without one. Otherwise, the largest number of earlier
//!    meetings of any pair is as small as possible, few pairs have that number, and older meetings are preferred.
//! 2. **Byes.** If the number of agents is odd, the agent with the fewest byes has a bye; of several, the lowest in the
//!    standings.
//! 3. **Points.** Agents with equal points are paired, the upper half with the lower half; else the nearest in the
//!    standings.

#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::sync::Arc;

use tussle_catalog::text::counted;

use super::matching::{can_all_meet, most_pairs};
use super::pairing::{Length, PairingFormat, PairingRule, Rounds};
use super::result_pairing::History;
use crate::TournamentSpec;

/// The Swiss format.
pub(super) struct SwissFormat;

impl PairingFormat for SwissFormat {
    fn name(&self) -> &'static str {
        "swiss"
    }

    fn summary(&self) -> &'static str {
        "Each round pairs agents with similar points and avoids rematches; for many agents"
    }

    fn title(&self) -> &'static str {
        "a Swiss tournament"
    }

    fn rounds(&self) -> Rounds {
        Rounds::ByResults(|spec| Arc::new(Swiss { rounds: spec.rounds }))
    }

    fn default_length(&self, agents: u64) -> Length {
        // Number of rounds after which at most one agent can have won all its games.
        Length::Rounds(agents.next_power_of_two().ilog2().max(1).into())
    }

    fn announcement(&self, spec: &TournamentSpec) -> Option<String> {
        Some(format!("Swiss, {}", counted(spec.rounds, "round")))
    }
}

/// Rule that pairs the rounds of a Swiss tournament.
#[derive(Clone, Debug)]
struct Swiss {
    rounds: u64,
}

impl PairingRule for Swiss {
    fn next_round(&self, history: &History) -> Vec<[usize; 2]> {
        if history.rounds >= self.rounds {
            return Vec::new();
        }
        Standings::after(history).pair_round()
    }
}

/// Earlier pairs of two agents. Fewer pairs, then an older last pair, compare as less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct EarlierPairs {
    /// Number of pairs.
    times: u64,
    /// Round of the last pair.
    last: u64,
}

/// Standings after the rounds so far.
struct Standings {
    /// Agents that are not withdrawn, the best first.
    places: Vec<usize>,
    /// Half points, by agent.
    points: Vec<u64>,
    /// Number of byes, by agent.
    byes: Vec<u64>,
    /// Earlier pairs, by agent and opponent.
    met: Vec<Vec<EarlierPairs>>,
    /// `barred[n]` is the largest number of opponents that one agent has met more than `n` times.
    barred: Vec<usize>,
}

impl Standings {
    fn after(history: &History) -> Self {
        let agents = history.active.len();
        let mut points = vec![0; agents];
        // Withdrawn agents do not return. So an active agent was active in all rounds, and those it did not play in were byes.
        let mut byes = vec![history.rounds; agents];
        let mut met = vec![vec![EarlierPairs::default(); agents]; agents];
        for pair in &history.pairs {
            let [a, b] = pair.agents;
            for result in pair.results.into_iter().flatten() {
                let won = u64::from(result.half_points());
                points[a] += won;
                points[b] += 2 - won;
            }
            byes[a] -= 1;
            byes[b] -= 1;
            for (a, b) in [(a, b), (b, a)] {
                met[a][b] = EarlierPairs { times: met[a][b].times + 1, last: pair.round };
            }
        }
        // A bye counts as a won pair: two wins of two half points each.
        for (points, byes) in points.iter_mut().zip(&byes) {
            *points += 4 * byes;
        }
        let mut places: Vec<usize> = (0..agents).filter(|&a| history.active[a]).collect();
        places.sort_by_key(|&a| Reverse(points[a]));
        let most = met.iter().flatten().map(|met| met.times).max().unwrap_or(0);
        let barred = |times: u64| {
            let of = |row: &Vec<EarlierPairs>| row.iter().filter(|met| met.times > times).count();
            met.iter().map(of).max().unwrap_or(0)
        };
        let barred = (0..=most).map(barred).collect();
        Self { places, points, byes, met, barred }
    }

    fn pair_round(&self) -> Vec<[usize; 2]> {
        // Smallest possible maximum number of earlier meetings of a pair.
        let mut most = 0;
        while !self.can_all_meet(&self.places, most) {
            most += 1;
        }
        let players = self.without_bye(most);
        // As many pairs as possible should have met less often than that. If they cannot all be paired together with the
        // others, accept fewer.
        let fresh = most_pairs(&players, |a, b| self.met[a][b].times < most);
        (0..=fresh).rev().find_map(|fresh| self.pair_up(&players, most, fresh)).unwrap_or_default()
    }

    /// Returns true if all of these agents can be paired with opponents that they have met at most `most` times before; of
    /// an odd number, one is left over.
    fn can_all_meet(&self, agents: &[usize], most: u64) -> bool {
        // Dirac's theorem: if every agent may meet at least half of the field, there is a cycle through all agents, and so
        // a pairing. This holds in the first rounds of a large field and saves the search for a matching.
        let barred = self.barred.get(usize::try_from(most).unwrap_or(usize::MAX)).copied();
        agents.len() >= 2 * (barred.unwrap_or(0) + 1)
            || can_all_meet(agents, |a, b| self.met[a][b].times <= most)
    }

    /// Returns all agents but the one that has the bye.
    fn without_bye(&self, most: u64) -> Vec<usize> {
        let without = |bye: usize| -> Vec<usize> {
            self.places.iter().copied().filter(|&a| a != bye).collect()
        };
        if self.places.len().is_multiple_of(2) {
            return self.places.clone();
        }
        let mut candidates: Vec<usize> = self.places.iter().rev().copied().collect();
        candidates.sort_by_key(|&a| self.byes[a]);
        let mut rests = candidates.into_iter().map(without);
        rests.find(|rest| self.can_all_meet(rest, most)).unwrap_or_default()
    }

    /// Pairs an even number of players, which are in the order of the standings. No pair has met more than `most` times,
    /// and at least `fresh` pairs less often. Returns `None` if that is not possible.
    fn pair_up(&self, players: &[usize], most: u64, mut fresh: usize) -> Option<Vec<[usize; 2]>> {
        let times = |a: usize, b: usize| self.met[a][b].times;
        let mut players = players.to_vec();
        let mut pairs = Vec::new();
        while let Some(&first) = players.first() {
            let chosen = self.preferences(&players).into_iter().find_map(|at| {
                let partner = players[at];
                let others = players[1..].iter().copied().filter(|&a| a != partner);
                let rest: Vec<usize> = others.collect();
                let needed = fresh.saturating_sub(usize::from(times(first, partner) < most));
                let fits = times(first, partner) <= most
                    && self.can_all_meet(&rest, most)
                    && (needed == 0 || most_pairs(&rest, |a, b| times(a, b) < most) >= needed);
                fits.then_some((partner, rest, needed))
            });
            let (partner, rest, needed) = chosen?;
            pairs.push([first.min(partner), first.max(partner)]);
            (players, fresh) = (rest, needed);
        }
        Some(pairs)
    }

    /// Returns the preferred opponents of the first of these players, by their indices, the best first.
    fn preferences(&self, players: &[usize]) -> Vec<usize> {
        let first = players[0];
        let group = players.iter().take_while(|&&a| self.points[a] == self.points[first]).count();
        let half = group / 2;
        let lower_half = half.max(1)..group;
        let upper_half = (1..half).rev();
        let others = group..players.len();
        let mut preferences: Vec<usize> = lower_half.chain(upper_half).chain(others).collect();
        // The sort is stable: opponents that were not met before stay in this order.
        preferences.sort_by_key(|&at| self.met[first][players[at]]);
        preferences
    }
}
