//! Verdicts that matches and single [`Player`](crate::Player)s share: deadline, late answer, illegal move.

use std::time::{Duration, Instant};

use tussle_catalog::AnyPosition;

use crate::program::harmless;
use crate::{Fault, Seat, Verdict};

/// Grace period after the deadline. The game is already lost; an answer in this time separates a slow player from one that
/// hangs.
const LATE_ANSWER_GRACE: Duration = Duration::from_secs(1);
/// Maximum number of legal moves listed in the evidence of an illegal one.
const MAX_SHOWN_MOVES: usize = 20;

/// Returns the deadline of a clock. A time beyond the range of [`Instant`] gives a deadline in a year.
pub fn deadline(began: Instant, allowed: Duration) -> Instant {
    let deadline = began.checked_add(allowed);
    deadline.unwrap_or_else(|| began + Duration::from_hours(24 * 365))
}

/// Waits for the answer of a player whose time ran out, during a grace period. Returns the fault, and true if the player
/// answered.
///
/// # Errors
/// If the player did not answer because it exceeded its limit of memory or processes.
pub fn wait_for_late_answer(seat: &mut dyn Seat, fault: Fault) -> Result<(Fault, bool), Fault> {
    let is_answered = seat.is_just_late(LATE_ANSWER_GRACE);
    if is_answered {
        return Ok((fault, true));
    }
    if let Some(excess) = seat.excess() {
        return Err(excess);
    }
    let what = format!("{}, and not in the second after that either", fault.what);
    Ok((Fault { verdict: Verdict::Hang, what, ..fault }, false))
}

/// Returns the fault of a player whose move is not legal.
pub fn illegal_move(position: &dyn AnyPosition, mv: &str, why: &str) -> Fault {
    let moves = position.moves();
    let more = if moves.len() > MAX_SHOWN_MOVES { " …" } else { "" };
    let some = moves.iter().take(MAX_SHOWN_MOVES).map(String::as_str).collect::<Vec<_>>();
    Fault {
        verdict: Verdict::Illegal,
        what: format!("wanted to play `{}`: {}", harmless(mv, 60), harmless(why, 200)),
        evidence: vec![
            format!("position: {}", position.text()),
            format!("{} legal moves: {}{more}", moves.len(), some.join(" ")),
        ],
    }
}
