//! Swiss: in every round each meets somebody who has done about as well, and nobody twice.
//!
//! A round is drawn from the top: the best who has no partner yet takes the one it would like
//! best among those with whom the rest can still be paired, so that the promises below are kept
//! whatever the wishes are. In this order:
//!
//! 1. Nobody meets anybody again if there is any round without that. If there is none, then nobody
//!    meets anybody more often than it takes, few so often, and those who did so longest ago.
//! 2. Of an odd number the one with fewest byes has one, the lowest of them.
//! 3. Those meet who have equally many points, the upper half the lower half; else the nearest.

#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::sync::Arc;

use tussle_catalog::text::counted;

use super::drawn::History;
use super::matching::{can_all_meet, most_pairs};
use super::pairing::{Draw, Length, Pairing, Rounds};
use crate::TournamentSpec;

/// The Swiss format.
pub(super) struct SwissPairing;

impl Pairing for SwissPairing {
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
        Rounds::Drawn(|spec| Arc::new(Swiss { rounds: spec.rounds }))
    }

    fn usual_length(&self, agents: u64) -> Length {
        // As many rounds as it takes to leave one agent that won them all.
        Length::Rounds(agents.next_power_of_two().ilog2().max(1).into())
    }

    fn announcement(&self, spec: &TournamentSpec) -> Option<String> {
        Some(format!("Swiss, {}", counted(spec.rounds, "round")))
    }
}

/// Rule that draws the rounds of a Swiss tournament.
#[derive(Clone, Debug)]
struct Swiss {
    rounds: u64,
}

impl Draw for Swiss {
    fn draw(&self, history: &History) -> Vec<[usize; 2]> {
        if history.rounds >= self.rounds {
            return Vec::new();
        }
        Standing::after(history).draw()
    }
}

/// How often two have met, and in which round last. Those who have met more, or later, come later.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Met {
    times: u64,
    last: u64,
}

/// All that matters of the rounds so far.
struct Standing {
    /// Who may be drawn, the best first.
    places: Vec<usize>,
    /// By agent, in half points.
    points: Vec<u64>,
    /// By agent, the rounds in which it had nobody to play.
    byes: Vec<u64>,
    /// By agent and agent.
    met: Vec<Vec<Met>>,
    /// By a number of times, the most opponents that any agent has met more often.
    barred: Vec<usize>,
}

impl Standing {
    fn after(history: &History) -> Self {
        let agents = history.active.len();
        let mut points = vec![0; agents];
        // Whoever may be drawn now could be drawn in every round: nobody who was withdrawn returns.
        let mut byes = vec![history.rounds; agents];
        let mut met = vec![vec![Met::default(); agents]; agents];
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
                met[a][b] = Met { times: met[a][b].times + 1, last: pair.round };
            }
        }
        // A bye is a pair that was won.
        for (points, byes) in points.iter_mut().zip(&byes) {
            *points += 4 * byes;
        }
        let mut places: Vec<usize> = (0..agents).filter(|&a| history.active[a]).collect();
        places.sort_by_key(|&a| Reverse(points[a]));
        let most = met.iter().flatten().map(|met| met.times).max().unwrap_or(0);
        let barred = |times: u64| {
            let of = |row: &Vec<Met>| row.iter().filter(|met| met.times > times).count();
            met.iter().map(of).max().unwrap_or(0)
        };
        let barred = (0..=most).map(barred).collect();
        Self { places, points, byes, met, barred }
    }

    fn draw(&self) -> Vec<[usize; 2]> {
        // How often those may have met before who meet now.
        let mut most = 0;
        while !self.can_all_meet(&self.places, most) {
            most += 1;
        }
        let players = self.without_bye(most);
        // As many as possible have met less often than that. Each of the two promises can be kept, and
        // nearly always both; where not, the second gives way.
        let fresh = most_pairs(&players, |a, b| self.met[a][b].times < most);
        (0..=fresh).rev().find_map(|fresh| self.pair_up(&players, most, fresh)).unwrap_or_default()
    }

    /// Returns true if all of these agents can meet at once, one of an odd number excepted, and none more often
    /// than `most` times before.
    fn can_all_meet(&self, agents: &[usize], most: u64) -> bool {
        // Dirac: if every agent may meet half of the field there is a cycle through all. In the first rounds of a
        // large field this is so, and no matching needs to be looked for.
        let barred = self.barred.get(usize::try_from(most).unwrap_or(usize::MAX)).copied();
        agents.len() >= 2 * (barred.unwrap_or(0) + 1)
            || can_all_meet(agents, |a, b| self.met[a][b].times <= most)
    }

    /// Everybody but the one who has the bye.
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

    /// Pairs of all players, who are in the order of their places and evenly many. None have met more
    /// often than `most` times, and at least `fresh` pairs less often.
    fn pair_up(&self, players: &[usize], most: u64, mut fresh: usize) -> Option<Vec<[usize; 2]>> {
        let times = |a: usize, b: usize| self.met[a][b].times;
        let mut players = players.to_vec();
        let mut pairs = Vec::new();
        while let Some(&first) = players.first() {
            let chosen = self.wishes(&players).into_iter().find_map(|at| {
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

    /// Whom the first of these players would like to meet, by their indices, the dearest first.
    fn wishes(&self, players: &[usize]) -> Vec<usize> {
        let first = players[0];
        let group = players.iter().take_while(|&&a| self.points[a] == self.points[first]).count();
        let half = group / 2;
        let lower_half = half.max(1)..group;
        let upper_half = (1..half).rev();
        let others = group..players.len();
        let mut wishes: Vec<usize> = lower_half.chain(upper_half).chain(others).collect();
        // Nobody has met anybody, as a rule, and then the order stays.
        wishes.sort_by_key(|&at| self.met[first][players[at]]);
        wishes
    }
}
