//! Words that explanations, experiments and reproductions share.

use tussle_core::StopReason;

use crate::LabError;

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

/// A whole number with a comma after every three digits from the right.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `a, b and c`.
pub(crate) fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Error of a name that nothing has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no {what} `{name}`; {} {}", hint(.name, .known), .known.join(", "))]
pub struct UnknownName {
    /// Kind of thing that was asked for.
    pub what: &'static str,
    /// Name that was given.
    pub name: String,
    /// Names that exist.
    pub known: Vec<&'static str>,
}

/// Suggests the known name that resembles the given one most, if it is close enough.
fn hint(name: &str, known: &[&str]) -> String {
    let wrong = name.to_lowercase();
    let likeness = |known: &&str| strsim::jaro_winkler(known, &wrong);
    let nearest = known.iter().map(|known| (likeness(known), known));
    let nearest = nearest.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(near, _)| *near > 0.8);
    nearest.map_or_else(
        || "there are".to_owned(),
        |(_, known)| format!("did you mean `{known}`? There are"),
    )
}

/// Returns the error of a name that nothing of this kind has.
pub(crate) fn unknown(
    what: &'static str,
    name: &str,
    known: impl IntoIterator<Item = &'static str>,
) -> LabError {
    UnknownName { what, name: name.to_owned(), known: known.into_iter().collect() }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_have_commas() {
        for (n, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(n), text);
        }
    }

    #[test]
    fn the_nearest_name_is_named_and_all_are_listed() {
        let message = |name: &str| unknown("game", name, ["gobblet", "tictactoe"]).to_string();
        let near =
            "there is no game `Goblet`; did you mean `gobblet`? There are gobblet, tictactoe";
        assert_eq!(message("Goblet"), near);
        assert_eq!(message("x"), "there is no game `x`; there are gobblet, tictactoe");
    }
}
