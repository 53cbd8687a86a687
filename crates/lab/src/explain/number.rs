//! Numbers as people write them.

/// At most four digits behind the point, and none that are idle.
pub(crate) fn number(number: f64) -> String {
    if number == f64::INFINITY {
        return "+inf".to_owned();
    }
    if number == f64::NEG_INFINITY {
        return "-inf".to_owned();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let cases =
            [(8.0, "8"), (-0.0, "0"), (21.665_109, "21.6651"), (0.5, "0.5"), (-3.25, "-3.25")];
        for (given, text) in cases {
            assert_eq!(number(given), text);
        }
        assert_eq!(values(&[1.0, 0.5, 0.0]), "(1, 0.5, 0)");
    }
}
