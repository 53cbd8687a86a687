//! Words and numbers for sentences.

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

/// Writes a whole number with a comma after every three digits from the right.
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

/// Joins items as in `a, b and c`.
pub fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
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
}
