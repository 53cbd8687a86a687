//! Evidence of strength: repeated games are not counted again.

use tussle_stats::{Estimate, Pentanomial, Wdl, is_repetitive};

use super::{HeadToHead, Sums, Tally};

/// Games from which a difference in strength is estimated.
#[derive(Clone, Copy)]
pub(super) struct Evidence {
    score: Wdl,
    pairs: Pentanomial,
    /// Distinct pairs, if only these count as evidence.
    distinct: Option<Pentanomial>,
}

impl HeadToHead {
    /// Returns true if the two agents repeat many of their pairs.
    fn is_repetitive(&self) -> bool {
        is_repetitive(self.distinct.pairs(), self.pairs.pairs())
    }
}

impl Evidence {
    /// Creates the evidence of two agents. Only distinct pairs count if `repetitive` is true or the two agents repeat many
    /// of their pairs.
    pub(super) fn of_meeting(met: &HeadToHead, repetitive: bool) -> Self {
        let repetitive = repetitive || met.is_repetitive();
        Self { score: met.score, pairs: met.pairs, distinct: repetitive.then_some(met.distinct) }
    }

    /// Returns the estimate of the difference. Its value is computed from all games, its error only from the evidence.
    pub(super) fn estimate(&self) -> Estimate {
        let mut all = if self.pairs.pairs() > 0 {
            Estimate::from_pairs(&self.pairs)
        } else {
            Estimate::from_games(&self.score)
        };
        if let Some(distinct) = self.distinct {
            let sure = Estimate::from_pairs(&distinct);
            all.elo.error = all.elo.value.and(sure.elo.error);
            all.normalized.error = all.normalized.value.and(sure.normalized.error);
            all.los = sure.los;
            let value = all.elo.value.unwrap_or_default();
            all.least = sure.least.filter(|least| least * value > 0.0);
            all.beyond = all.beyond.and(sure.beyond);
        }
        all
    }

    /// Returns the numbers of samples won, drawn and lost: pairs that count, or games if there are no pairs.
    pub(super) fn samples(&self) -> [u64; 3] {
        let Pentanomial([ll, ld, even, wd, ww]) = self.distinct.unwrap_or(self.pairs);
        if self.pairs.pairs() > 0 {
            return [wd + ww, even, ll + ld];
        }
        [self.score.wins, self.score.draws, self.score.losses]
    }

    /// Returns true if only distinct pairs count.
    pub(super) fn is_repetitive(&self) -> bool {
        self.distinct.is_some()
    }
}

/// Returns warnings about numbers that are less reliable than they look.
pub(super) fn warnings(tally: &Tally, sums: &Sums, repetitive: bool) -> Vec<String> {
    too_busy(tally).into_iter().chain(repetition(tally, sums, repetitive)).collect()
}

/// Returns a warning about void games.
fn too_busy(tally: &Tally) -> Option<String> {
    let what = match tally.void {
        0 => return None,
        1 => "1 game is void and does not count".to_owned(),
        n => format!("{n} games are void and do not count"),
    };
    let clock = &tally.config.clock;
    Some(format!(
        "{what}: this machine is too busy for a clock of {clock}; give a longer --clock or a larger --margin, use \
         fewer --jobs, or end other programs"
    ))
}

/// Returns a warning about repeated games.
fn repetition(tally: &Tally, sums: &Sums, repetitive: bool) -> Option<String> {
    let again = sums.meetings.iter().filter(|(_, met)| met.is_repetitive());
    let meetings: Vec<[usize; 2]> = again.map(|(&agents, _)| agents).collect();
    let what = if repetitive {
        format!("only {} of {} games are distinct", sums.distinct, sums.games)
    } else if let [first, others @ ..] = &meetings[..] {
        let [a, b] = first.map(|agent| &tally.names[agent]);
        let HeadToHead { distinct, pairs, .. } = sums.meetings[first];
        let more = match others.len() {
            0 => String::new(),
            1 => " (and 1 other pairing repeats games)".to_owned(),
            n => format!(" (and {n} other pairings repeat games)"),
        };
        let (distinct, pairs) = (distinct.pairs(), pairs.pairs());
        format!("only {distinct} of {pairs} pairs of {a} and {b} are distinct{more}")
    } else {
        return None;
    };
    let advice = if tally.config.openings.is_empty() {
        let plies = (tally.config.opening_plies + 2).max(4);
        format!("to avoid repeated games use different openings: --opening-plies {plies}")
    } else {
        "to avoid repeated games use more openings".to_owned()
    };
    Some(format!("{what}; errors are computed from the distinct pairs; {advice}"))
}
