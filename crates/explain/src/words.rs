//! Parts of sentences.

use tussle_catalog::text::joined;
use tussle_core::StopReason;

/// Returns the reason why a search stopped, as a clause.
pub fn stop_reason(why: StopReason) -> &'static str {
    match why {
        StopReason::Finished => "the search was complete",
        StopReason::Proven => "no deeper search can change the answer",
        StopReason::Time => "the time limit was reached",
        StopReason::Nodes => "the node limit was reached",
        StopReason::Depth => "the depth limit was reached",
        StopReason::Memory => "the memory limit was reached",
        StopReason::StopFlag => "it was stopped",
        _ => "a limit was reached",
    }
}

/// Joins items as in `a, b and c`.
pub fn list(items: &[String]) -> String {
    joined(items, "and")
}
