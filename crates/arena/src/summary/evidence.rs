//! What may count as evidence: a game that was played before tells nothing new.

use tussle_stats::{Estimate, Pentanomial, Wdl, is_repetitive};

use super::{Met, Sums, Tally};

/// Games for which a difference of strength is to be told.
#[derive(Clone, Copy)]
pub(super) struct Evidence {
    score: Wdl,
    pairs: Pentanomial,
    /// The pairs that count, where not all do.
    distinct: Option<Pentanomial>,
}

impl Met {
    /// Whether these two repeat themselves.
    fn is_repetitive(&self) -> bool {
        is_repetitive(self.distinct.pairs(), self.pairs.pairs())
    }
}

impl Evidence {
    /// The games of two; if so few games of all are distinct, or of theirs, only those count.
    pub(super) fn of_meeting(met: &Met, repetitive: bool) -> Self {
        let repetitive = repetitive || met.is_repetitive();
        Self { score: met.score, pairs: met.pairs, distinct: repetitive.then_some(met.distinct) }
    }

    /// The value is that of all games; how sure it is only the distinct ones tell.
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

    /// Samples won, drawn and lost: pairs that count, or games where there are no pairs.
    pub(super) fn samples(&self) -> [u64; 3] {
        let Pentanomial([ll, ld, even, wd, ww]) = self.distinct.unwrap_or(self.pairs);
        if self.pairs.pairs() > 0 {
            return [wd + ww, even, ll + ld];
        }
        [self.score.wins, self.score.draws, self.score.losses]
    }

    /// Whether games were left out.
    pub(super) fn is_repetitive(&self) -> bool {
        self.distinct.is_some()
    }
}

/// What makes the numbers worth less than they look.
pub(super) fn warnings(tally: &Tally, sums: &Sums, repetitive: bool) -> Vec<String> {
    too_busy(tally).into_iter().chain(repetition(tally, sums, repetitive)).collect()
}

/// Void games, and what to do about them.
fn too_busy(tally: &Tally) -> Option<String> {
    let what = match tally.void {
        0 => return None,
        1 => "1 game is void and does not count".to_owned(),
        n => format!("{n} games are void and do not count"),
    };
    let clock = &tally.config.clock;
    Some(format!(
        "{what}: this machine is too busy for a clock of {clock}; give a longer --clock or a larger --margin, use \
         fewer --jobs, or end what else is running"
    ))
}

fn repetition(tally: &Tally, sums: &Sums, repetitive: bool) -> Option<String> {
    let again = sums.meetings.iter().filter(|(_, met)| met.is_repetitive());
    let meetings: Vec<[usize; 2]> = again.map(|(&agents, _)| agents).collect();
    let what = if repetitive {
        format!("only {} of {} games are distinct", sums.distinct, sums.games)
    } else if let [first, others @ ..] = &meetings[..] {
        let [a, b] = first.map(|agent| &tally.names[agent]);
        let Met { distinct, pairs, .. } = sums.meetings[first];
        let more = match others.len() {
            0 => String::new(),
            n => format!(" (and {n} other meetings repeat themselves)"),
        };
        let (distinct, pairs) = (distinct.pairs(), pairs.pairs());
        format!("only {distinct} of {pairs} pairs of {a} and {b} are distinct{more}")
    } else {
        return None;
    };
    let advice = if tally.config.openings.is_empty() {
        let plies = (tally.config.opening_plies + 2).max(4);
        format!("agents that repeat themselves need openings that differ: --opening-plies {plies}")
    } else {
        "agents that repeat themselves need more openings".to_owned()
    };
    Some(format!("{what}; errors are those of the distinct pairs; {advice}"))
}
