//! Conclusion of a match or tournament: one sentence that claims no more than the games show.

use tussle_catalog::text::counted;
use tussle_stats::{Elo, EloModel, Hypothesis, SprtStatus, Wdl, sign_test};

use super::evidence::Evidence;
use super::{Meeting, Row, Tally};

/// Minimum number of samples for which Student's t-test suffices. With fewer samples, the sign test must agree.
const MIN_T_TEST_SAMPLES: u64 = 30;

/// Returns the conclusion of a finished sequential test of two agents, or `None` if it accepts no hypothesis.
///
/// The conclusion of [`sentence`] is only valid for a number of games that was fixed before. The length of this match
/// depended on its results.
pub(super) fn tested(agents: &[String; 2], status: &SprtStatus) -> Option<String> {
    let SprtStatus { sprt, pairs, accepted, .. } = status;
    let [a, b] = agents;
    let accepted = (*accepted)?;
    let (name, likelier, other) = match accepted {
        Hypothesis::H0 => ("H0", sprt.elo0, sprt.elo1),
        Hypothesis::H1 => ("H1", sprt.elo1, sprt.elo0),
    };
    let model = model_name(sprt.model);
    let rather = format!("rather {likelier} than {other} {model}");
    Some(match accepted {
        Hypothesis::H1 if sprt.elo0 >= 0.0 => {
            format!("{a} is stronger: the test accepts H1, {rather}, after {pairs} pairs")
        }
        Hypothesis::H0 if sprt.elo1 <= 0.0 => {
            format!("{b} is stronger: the test accepts H0, {rather} for {a}, after {pairs} pairs")
        }
        _ => format!(
            "the test accepts {name}: for {a} against {b} it is {rather}, after {pairs} pairs"
        ),
    })
}

fn model_name(model: EloModel) -> &'static str {
    match model {
        EloModel::Normalized => "normalized Elo",
        EloModel::Logistic => "Elo",
    }
}

/// Returns the conclusion of a match that ended with withdrawals: the withdrawn agents, and the results until then.
pub(super) fn withdrawn(tally: &Tally, table: &[Row]) -> String {
    let (out, rest): (Vec<&Row>, Vec<&Row>) = table.iter().partition(|row| row.withdrawn);
    let each: Vec<String> = (out.iter())
        .map(|row| {
            format!("{} ({})", row.agent, counted(tally.withdrawals.strikes(row.index), "fault"))
        })
        .collect();
    let games = counted(tally.games, "game");
    let ended = format!("withdrawn: {}, which ended the match after {games}", each.join(", "));
    match rest[..] {
        [row] if table.len() == 2 => {
            let Wdl { wins, draws, losses } = row.score;
            format!("{ended}; {} won {wins}, drew {draws}, lost {losses}", row.agent)
        }
        _ => ended,
    }
}

/// Returns the conclusion of a match of two agents.
pub(super) fn sentence(meeting: &Meeting, evidence: &Evidence, distinct: u64) -> String {
    let [a, b] = &meeting.agents;
    let games = meeting.games;
    let after = if evidence.is_repetitive() {
        format!("after {games} games, of which {distinct} are distinct")
    } else {
        format!("after {}", counted(games, "game"))
    };
    let [won, even, lost] = evidence.samples();
    if let Some(beyond) = meeting.estimate.beyond.filter(|_| signs_agree(won, lost)) {
        let (winner, wins) =
            if beyond > 0.0 { (a, meeting.score.wins) } else { (b, meeting.score.losses) };
        let all = if wins == games { format!("all {games} games") } else { "all pairs".to_owned() };
        let but = if evidence.is_repetitive() {
            format!(", of which {distinct} are distinct")
        } else {
            String::new()
        };
        let elo = beyond.abs().floor();
        return format!("{winner} is stronger: won {all}{but}, more than +{elo:.0} Elo");
    }
    if won + lost == 0 && even > 1 {
        let all = if meeting.pentanomial.pairs() > 0 { "pair is even" } else { "game is drawn" };
        return format!("{a} and {b} cannot be told apart: every {all} {after}");
    }
    let Wdl { wins, losses, .. } = meeting.score;
    if games > 1 && wins.max(losses) == games && !evidence.is_repetitive() {
        let winner = if wins > 0 { a } else { b };
        return format!("{winner} won all {games} games, too few to tell by how much");
    }
    let Elo { value: Some(value), error: Some(error) } = meeting.estimate.elo else {
        return format!("too few games to tell who is stronger {after}");
    };
    let shown = value.round() + 0.0; // no -0
    let too_few =
        format!("too few games to tell who is stronger: {shown:+.0} ± {error:.0} Elo {after}");
    if let Some(least) = meeting.estimate.least {
        if won + even + lost < MIN_T_TEST_SAMPLES && !signs_agree(won, lost) {
            return too_few;
        }
        let stronger = if value > 0.0 { a } else { b };
        let (value, least) = (value.abs(), least.abs());
        // Near an expected score of 0 or 1 one side of the interval is extremely long. Print only the lower limit.
        let sure = if value > error {
            format!("± {error:.0} Elo")
        } else {
            format!("Elo, at least {least:+.0},")
        };
        return format!("{stronger} is stronger: {value:+.0} {sure} {after}");
    }
    if value.abs() > error {
        return too_few; // the t-test is stricter than the printed error
    }
    // A difference of less than 1 Elo would need an unrealistic number of games.
    let wanted = shown.abs().max(1.0);
    format!(
        "{a} and {b} cannot be told apart: {shown:+.0} ± {error:.0} Elo {after}; \
         `tussle power --elo {wanted}` computes how many games it takes"
    )
}

/// Returns true if the sign test shows a difference at 95 % confidence. It is needed for few samples, whose measured
/// error may be small by chance.
pub(super) fn signs_agree(won: u64, lost: u64) -> bool {
    sign_test(won, lost) < 0.05
}
