//! Words and numbers for sentences.

use tussle_catalog::text::joined;
use tussle_core::StopReason;

/// Returns the reason why a search stopped, as a clause.
pub fn stop_reason(why: StopReason) -> &'static str {
    match why {
        StopReason::Finished => "there was nothing more to do",
        StopReason::Proven => "no deeper search can change the answer",
        StopReason::Time => "the time was over",
        StopReason::Nodes => "the nodes were spent",
        StopReason::Depth => "the depth was reached",
        StopReason::Memory => "the memory was full",
        StopReason::StopFlag => "it was asked to stop",
        _ => "a limit was reached",
    }
}

/// Joins items as in `a, b and c`.
pub fn list(items: &[String]) -> String {
    joined(items, "and")
}
