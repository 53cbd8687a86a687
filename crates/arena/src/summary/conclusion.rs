//! What games show, in a sentence that anybody understands and nobody can hold against us.

use tussle_catalog::text::counted;
use tussle_stats::{Elo, EloModel, Hypothesis, SprtStatus, Wdl, sign_test};

use super::evidence::Evidence;
use super::{Meeting, Row, Tally};

/// With so many samples Student's distribution may be trusted alone.
const MANY: u64 = 30;

/// What a finished test of two agents shows. The usual sentence would not do: it is for matches whose
/// length was decided before, and this one ended because luck had gone far.
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

/// Says which withdrawals ended a match, and how the games until then went.
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

/// What the games of two agents show.
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
        if won + even + lost < MANY && !signs_agree(won, lost) {
            return too_few;
        }
        let stronger = if value > 0.0 { a } else { b };
        let (value, least) = (value.abs(), least.abs());
        // The end of the scale stretches one side of an interval beyond all measure.
        let sure = if value > error {
            format!("± {error:.0} Elo")
        } else {
            format!("Elo, at least {least:+.0},")
        };
        return format!("{stronger} is stronger: {value:+.0} {sure} {after}");
    }
    if value.abs() > error {
        return too_few; // Student is stricter than the error that is printed
    }
    // Whoever wants to know of less than one Elo will need another way.
    let wanted = shown.abs().max(1.0);
    format!(
        "{a} and {b} cannot be told apart: {shown:+.0} ± {error:.0} Elo {after}; \
         `tussle power --elo {wanted}` tells how many it takes"
    )
}

/// Returns true if the sign test shows a difference at 95 % confidence. An error that was measured on a
/// handful of samples may be small by chance.
pub(super) fn signs_agree(won: u64, lost: u64) -> bool {
    sign_test(won, lost) < 0.05
}
