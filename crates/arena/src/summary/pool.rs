//! Conclusion of a tournament of three or more agents.

use tussle_catalog::text::counted;
use tussle_stats::{Elo, Ratings};

use super::Row;
use super::conclusion::signs_agree;
use super::evidence::Evidence;

/// Returns a sentence that names the first agent of the standings and its lead. `None` if there are fewer than three
/// agents, or no results to compare.
pub(super) fn sentence(
    table: &[Row],
    ratings: &Ratings,
    evidence: impl Fn(usize) -> Evidence,
) -> Option<String> {
    if table.len() < 3 {
        return None;
    }
    let active: Vec<&Row> = table.iter().filter(|row| !row.withdrawn).collect();
    let withdrawn = table.len() - active.len();
    match active[..] {
        [] => return Some(format!("all {withdrawn} agents were withdrawn")),
        [last] => {
            return Some(format!(
                "{} is the only agent left: the other {withdrawn} were withdrawn",
                last.agent
            ));
        }
        _ => {}
    }
    let mut ranked = active.iter().filter(|row| row.games > 0);
    let (first, others) = (*ranked.next()?, ranked.copied().collect::<Vec<_>>());
    // The standings may be sorted by points. Compare the first agent with the others in the order of their ratings.
    let mut by_rating = others.clone();
    by_rating.sort_by(|a, b| ratings.elo[b.index].total_cmp(&ratings.elo[a.index]));
    let difference = |other: &Row| ratings.difference(first.index, other.index);
    let has_won_all = |row: &Row| row.score.wins == row.games;
    if has_won_all(first) && !others.iter().any(|row| has_won_all(row)) {
        return Some(won_all(first, &evidence(first.index)));
    }
    let is_close = |other: &&&Row| {
        let Elo { value, error } = difference(other);
        value <= error
    };
    // The closest competitor is not always the second agent: one with few games may be lower but less certain.
    let competitor = by_rating.iter().find(is_close);
    let second = *competitor.or(by_rating.first())?;
    let Elo { value: Some(value), error: Some(error) } = difference(second) else {
        return None;
    };
    if error == 0.0 {
        return None; // both ratings are given
    }
    let [a, b] = [first, second].map(|row| &row.agent);
    let elo = |value: f64| format!("{value:+.0} ± {error:.0} Elo");
    Some(match competitor {
        None => format!("{a} is first: {} over {b}", elo(value)),
        // Points and ratings may disagree, for example if some opponents were stronger.
        Some(_) if value < -error => {
            format!("{a} is first by points, but {b} is rated higher: {}", elo(-value))
        }
        Some(_) => format!("{a} and {b} cannot be told apart at the top: {}", elo(value)),
    })
}

/// Returns the conclusion for the only agent that won all of its games. The error of its rating cannot be used: it is
/// always larger than the lead.
fn won_all(row: &Row, evidence: &Evidence) -> String {
    let first = format!("{} is first: won all {}", row.agent, counted(row.games, "game"));
    let [won, _, lost] = evidence.samples();
    match row.estimate.beyond.filter(|_| signs_agree(won, lost)) {
        Some(beyond) => {
            format!("{first}, more than {:+.0} Elo above its opponents", beyond.floor())
        }
        None => format!("{first}, too few to tell by how much"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{DRAW, LOSS, WIN, game, sum};
    use crate::Record;

    /// Returns the games of a round robin of three agents. The agent that is configured later wins if `beats` returns true.
    fn round_robin(rounds: u64, beats: impl Fn(usize, usize) -> bool) -> Vec<Record> {
        let mut games = Vec::new();
        for round in 0..rounds {
            for [a, b] in [[0, 1], [0, 2], [1, 2]] {
                let id = games.len() as u64;
                let (one, two) = match (beats(b, a), round % 3) {
                    (true, 0 | 1) => (LOSS, WIN),
                    (true, _) => (WIN, DRAW),
                    (false, _) => (WIN, WIN),
                };
                games.push(game(id, &[a, b], &one));
                games.push(game(id + 1, &[b, a], &two));
            }
        }
        games
    }

    #[test]
    fn the_conclusion_names_the_first_agent_if_its_lead_is_significant() {
        let clear = sum(3, &round_robin(30, |_, _| true)).conclusion.unwrap();
        assert!(clear.starts_with("a2 is first: +"), "{clear}");
        assert!(clear.contains(" ± ") && clear.ends_with(" Elo over a1"), "{clear}");
        // a0 is weaker; a1 and a2 are equal.
        let close = sum(3, &round_robin(30, |_, loser| loser == 0)).conclusion.unwrap();
        assert!(close.contains(" cannot be told apart at the top: +0 ± "), "{close}");
        assert!(close.contains("a1") && close.contains("a2"), "{close}");
    }

    #[test]
    fn a_tournament_without_games_has_no_conclusion() {
        assert_eq!(sum(3, &[]).conclusion, None);
    }
}
