//! A verdict in words: `move 7, first: D4 loses 0.42; better C3, then D3 …`.

use super::{MoveVerdict, MoveWorth};

/// Moves of a line that are told.
const TOLD: usize = 4;

/// A choice to be told.
pub(super) struct Told<'a> {
    pub(super) ply: usize,
    pub(super) turn: &'a str,
    pub(super) verdict: MoveVerdict,
    pub(super) loss: f64,
    pub(super) played: &'a MoveWorth,
    pub(super) best: &'a MoveWorth,
    /// True if every move is proven to lose.
    pub(super) all_lose: bool,
}

pub(super) fn sentence(told: &Told<'_>) -> String {
    let &Told { ply, turn, verdict, loss, played, best, all_lose } = told;
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
                format!("{mv} may win too, but a win{} was there", within(best))
            }
            // Little is counted where the move looks won too: that is not a win thrown away.
            (Some("win"), None) if verdict == MoveVerdict::Inaccuracy => {
                format!("{mv} looks won too, but a win{} was proven, {loss:.2} lost", within(best))
            }
            (Some("win"), None) => format!("{mv} misses a win{}, {loss:.2} lost", within(best)),
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

/// `C3, then D3 E4 …`.
fn line(moves: &[String]) -> String {
    let more = if moves.len() > TOLD { " …" } else { "" };
    let told = &moves[..moves.len().min(TOLD)];
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
    fn a_win_is_missed_only_where_the_move_does_not_look_won() {
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
            sentence(&Told { ply: 4, turn: "first", verdict, loss, played, best, all_lose: false })
        };
        assert_eq!(
            said(MoveVerdict::Inaccuracy, 0.2),
            "move 5, first: a1 looks won too, but a win in 3 was proven, 0.20 lost; better b2"
        );
        assert_eq!(
            said(MoveVerdict::Mistake, 0.4),
            "move 5, first: a1 misses a win in 3, 0.40 lost; better b2"
        );
    }
}
