//! What games show, in a sentence that anybody understands and nobody can hold against us.

use super::Meeting;
use super::evidence::Evidence;
use crate::{Elo, Hypothesis, Model, Standing};

/// With so many samples the normal distribution may be trusted alone.
const MANY: u64 = 30;

/// What the games of two agents show.
pub(super) fn sentence(meeting: &Meeting, evidence: &Evidence, distinct: u64) -> String {
    let [a, b] = &meeting.agents;
    let games = meeting.games;
    let plural = if games == 1 { "" } else { "s" };
    let after = if evidence.is_repetitive() {
        format!("after {games} games, of which {distinct} are distinct")
    } else {
        format!("after {games} game{plural}")
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
    let Elo { value: Some(value), error: Some(error) } = meeting.estimate.elo else {
        return format!("too few games to tell who is stronger {after}");
    };
    if let Some(least) = meeting.estimate.least {
        if won + even + lost < MANY && !signs_agree(won, lost) {
            return format!(
                "too few games to tell who is stronger: {value:+.0} ± {error:.0} Elo {after}"
            );
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
    // Whoever wants to know of less than one Elo will need another way.
    let wanted = value.abs().round().max(1.0);
    format!(
        "{a} and {b} cannot be told apart: {:+.0} ± {error:.0} Elo {after}; `tussle power --elo {wanted}` \
         tells how many it takes",
        value + 0.0,
    )
}

/// The sign test, exactly: equals win or lose so many of the samples that are not even in less than
/// one of twenty tries. An error that was measured on a handful of samples may be small by chance.
fn signs_agree(won: u64, lost: u64) -> bool {
    let n = won + lost;
    let (mut ways, mut sum) = (1.0, 0.0);
    for k in 0..=won.min(lost) {
        sum += ways;
        ways *= (n - k) as f64 / (k + 1) as f64;
    }
    2.0 * sum / 2_f64.powf(n as f64) < 0.05
}

/// What a sequential test says, in words.
pub fn answer(standing: &Standing) -> String {
    let Standing { sprt, pairs, accepted, .. } = standing;
    let model = match sprt.model {
        Model::Normalized => "normalized Elo",
        Model::Logistic => "Elo",
    };
    let (likelier, other) = match accepted {
        Some(Hypothesis::H0) => (sprt.elo0, sprt.elo1),
        Some(Hypothesis::H1) => (sprt.elo1, sprt.elo0),
        None => return format!("the test is undecided after {pairs} pairs"),
    };
    let name = if *accepted == Some(Hypothesis::H0) { "H0" } else { "H1" };
    format!(
        "{name} is accepted after {pairs} pairs: the difference is rather {likelier} than {other} {model} \
         (a test stops when luck has gone far, so the Elo estimate lies too far out)"
    )
}
