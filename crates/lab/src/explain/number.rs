//! Numbers as people write them.

/// A search counts a won game as this much, less one for each ply to it: far beyond any evaluation.
const WON: f64 = 16_777_216.0;
/// No search looks further ahead.
const FURTHEST: f64 = 4096.0;

/// At most four digits behind the point, and none that are idle; a game won or lost by the first player in so
/// many plies from the root is told as that.
pub(crate) fn number(number: f64) -> String {
    if number == f64::INFINITY {
        return "+inf".to_owned();
    }
    if number == f64::NEG_INFINITY {
        return "-inf".to_owned();
    }
    let plies = WON - number.abs();
    if (0.0..=FURTHEST).contains(&plies) && plies.fract() == 0.0 {
        return format!("{} in {plies}", if number > 0.0 { "won" } else { "lost" });
    }
    let text = format!("{number:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// One value, or one for each player.
pub(super) fn values(values: &[f64]) -> String {
    match values {
        [one] => number(*one),
        many => format!("({})", many.iter().map(|&n| number(n)).collect::<Vec<_>>().join(", ")),
    }
}

/// A number and its noun.
pub(super) fn count(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// A whole number with a comma after every three digits from the right.
pub(super) fn grouped(number: u64) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let cases = [
            (8.0, "8"),
            (-0.0, "0"),
            (21.665_109, "21.6651"),
            (0.5, "0.5"),
            (-3.25, "-3.25"),
            (f64::INFINITY, "+inf"),
            (16_777_213.0, "won in 3"),
            (-16_777_212.0, "lost in 4"),
        ];
        for (given, text) in cases {
            assert_eq!(number(given), text);
        }
        assert_eq!(values(&[1.0, 0.5, 0.0]), "(1, 0.5, 0)");
    }
}
