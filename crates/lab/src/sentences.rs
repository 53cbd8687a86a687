//! Numbers, lists and names in sentences.

pub(crate) use tussle_explain::words::list;

/// Rounds a number to three digits: `823,000`, `1.52 million`, `41.3`.
pub(crate) fn about(number: f64) -> String {
    let size = number.abs();
    if !number.is_finite() {
        return "no number".to_owned();
    }
    if size >= 999_500.0 {
        let (unit, name) = if size < 999.5e6 { (1e6, "million") } else { (1e9, "billion") };
        return format!("{} {name}", short(number / unit));
    }
    if size < 1000.0 {
        return short(number);
    }
    let power = 10_f64.powf(size.log10().floor() - 2.0);
    grouped((number / power).round() * power)
}

/// Writes three significant digits, without zeros at the end.
pub(crate) fn short(number: f64) -> String {
    let digits = match number.abs() {
        size if size >= 99.95 => 0,
        size if size >= 9.995 => 1,
        size if size >= 0.9995 => 2,
        _ => 3,
    };
    trimmed(number, digits)
}

/// Writes at most `digits` decimals, without zeros at the end.
fn trimmed(number: f64, digits: usize) -> String {
    let text = format!("{number:.digits$}");
    let text = if digits > 0 { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Writes a whole number with commas between thousands.
pub(crate) fn grouped(number: f64) -> String {
    let text = tussle_explain::words::grouped(number.abs().round_ties_even() as u64);
    if number < 0.0 { format!("-{text}") } else { text }
}

/// Writes a proportion in per cent, with more digits near 0 and 1: `71 %`, `3.7 %`, `99.85 %`.
pub(crate) fn percent(share: f64) -> String {
    let digits = match share.abs().min((1.0 - share).abs()) {
        rest if rest >= 0.0995 => 0,
        rest if rest >= 0.00995 => 1,
        _ => 2,
    };
    format!("{} %", trimmed(share * 100.0, digits))
}

/// Writes an interval of proportions: `64–77 %`.
pub(crate) fn interval(low: f64, high: f64) -> String {
    format!("{:.0}–{:.0} %", 100.0 * low, 100.0 * high)
}

/// Writes a number with its noun: `1 ply`, `3 plies`.
pub(crate) fn several(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Capitalises the first letter.
pub(crate) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Writes a sentence with the group of agents that it is about, if the group has a title.
pub(crate) fn placed(group: &str, text: &str) -> String {
    if group.is_empty() { sentence(text) } else { format!("{}: {text}", sentence(group)) }
}

/// Writes the spec of a game as in a title: `keep-on-moving, board 4`.
pub(crate) fn game_words(spec: &str) -> String {
    spec.replace([':', ','], ", ").replace('=', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_said_shortly() {
        let cases = [
            (823_543.0, "824,000"),
            (1_520_000.0, "1.52 million"),
            (41.30, "41.3"),
            (2.0, "2"),
            (999.7, "1000"),
            (12_345.0, "12,300"),
            (0.456, "0.456"),
            (-0.000_1, "0"),
            (-7.0, "-7"),
            (3.2e9, "3.2 billion"),
        ];
        for (number, text) in cases {
            assert_eq!(about(number), text);
        }
        let texts = [0.141_42, 1.234_5, 2.0, 512.0, 12.5, 0.5, 100.0].map(short);
        assert_eq!(texts, ["0.141", "1.23", "2", "512", "12.5", "0.5", "100"]);
        assert_eq!(["7", "1,000", "-100", "-1,000,000"], [7.0, 1e3, -1e2, -1e6].map(grouped));
    }

    #[test]
    fn shares_are_finer_where_little_is_left() {
        let texts = [0.713, 0.037_12, 0.998_5, 0.0, 1.0, 1.5, 0.5].map(percent);
        assert_eq!(texts, ["71 %", "3.7 %", "99.85 %", "0 %", "100 %", "150 %", "50 %"]);
    }

    #[test]
    fn lists_and_games_are_words() {
        let words = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(list(&words), "a, b and c");
        assert_eq!(game_words("keep-on-moving:board=4"), "keep-on-moving, board 4");
        assert_eq!(game_words("go:size=5,komi=7"), "go, size 5, komi 7");
        assert_eq!(several(1, "ply", "plies"), "1 ply");
        assert_eq!(sentence("minimax"), "Minimax");
    }
}
