//! Sentences about verdicts: `move 7, first: D4 loses 0.42; better C3, then D3 …`.

use super::{MoveVerdict, MoveWorth};

/// Maximum number of moves of a line in a sentence.
const MAX_LINE_MOVES: usize = 4;

/// Contents of a sentence.
pub(super) struct SentenceParts<'a> {
    pub(super) ply: usize,
    pub(super) turn: &'a str,
    pub(super) verdict: MoveVerdict,
    pub(super) loss: f64,
    pub(super) played: &'a MoveWorth,
    pub(super) best: &'a MoveWorth,
    /// True if every move is proven to lose.
    pub(super) all_lose: bool,
}

pub(super) fn sentence(told: &SentenceParts<'_>) -> String {
    let &SentenceParts { ply, turn, verdict, loss, played, best, all_lose } = told;
    let mv = &played.mv;
    let what = match verdict {
        MoveVerdict::Forced => format!("{mv} is forced"),
        MoveVerdict::Best if played.outcome == Some("loss") && !all_lose => {
            format!("{mv} loses{}; nothing better was found", within(played))
        }
        MoveVerdict::Best => format!("{mv} is the best{}", found(played)),
        _ => match (best.outcome, played.outcome) {
            (Some("win"), Some("win")) => format!("{mv} wins, but later"),
            (Some("loss"), Some("loss")) => format!("{mv} loses sooner"),
            (Some(was), Some(is)) => format!("{mv} turns a {was}{} into a {is}", within(best)),
            (Some("win"), None) if loss <= 0.0 => {
                format!("{mv} may win too, but there was a win{}", within(best))
            }
            // If the played move also looks won, the win is not thrown away and the loss is small.
            (Some("win"), None) if verdict == MoveVerdict::Inaccuracy => {
                format!(
                    "{mv} also looks won, but another move has a proven win{}; loss {loss:.2}",
                    within(best)
                )
            }
            (Some("win"), None) => format!("{mv} misses a win{}; loss {loss:.2}", within(best)),
            (None, Some("loss")) => format!("{mv} loses{}", within(played)),
            _ if loss > 0.0 => format!("{mv} loses {loss:.2}"),
            _ => format!("{mv} is as good as the best"),
        },
    };
    let better = match verdict {
        MoveVerdict::Forced | MoveVerdict::Best => String::new(),
        MoveVerdict::Good => format!("; first choice {}", line(&best.line)),
        _ => format!("; better {}", line(&best.line)),
    };
    format!("move {}, {turn}: {what}{better}", ply + 1)
}

/// Returns the proven result of a best move as a clause.
fn found(worth: &MoveWorth) -> String {
    match worth.outcome {
        Some("win") => format!(", and wins{}", within(worth)),
        Some("draw") => ", a draw".to_owned(),
        Some(_) => format!(", but all lose{}", within(worth)),
        None => String::new(),
    }
}

fn within(worth: &MoveWorth) -> String {
    let told = worth.outcome != Some("draw");
    worth.distance.filter(|_| told).map_or_else(String::new, |plies| format!(" in {plies}"))
}

/// Formats a line: `C3, then D3 E4 …`.
fn line(moves: &[String]) -> String {
    let more = if moves.len() > MAX_LINE_MOVES { " …" } else { "" };
    let told = &moves[..moves.len().min(MAX_LINE_MOVES)];
    match told {
        [] => String::new(),
        [one] => one.clone(),
        [first, rest @ ..] => format!("{first}, then {}{more}", rest.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_misses_a_win_only_if_it_does_not_look_won() {
        let worth = |mv: &str, outcome: Option<&'static str>, distance| MoveWorth {
            mv: mv.to_owned(),
            value: 0.5,
            outcome,
            distance,
            line: vec![mv.to_owned()],
        };
        let (played, best) = (worth("a1", None, None), worth("b2", Some("win"), Some(3)));
        let said = |verdict, loss| {
            let (played, best) = (&played, &best);
            sentence(&SentenceParts {
                ply: 4,
                turn: "first",
                verdict,
                loss,
                played,
                best,
                all_lose: false,
            })
        };
        assert_eq!(
            said(MoveVerdict::Inaccuracy, 0.2),
            "move 5, first: a1 also looks won, but another move has a proven win in 3; loss 0.20; better b2"
        );
        assert_eq!(
            said(MoveVerdict::Mistake, 0.4),
            "move 5, first: a1 misses a win in 3; loss 0.40; better b2"
        );
    }
}
