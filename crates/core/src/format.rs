//! Numbers and durations as text for people.

use std::time::Duration;

/// Smallest size of a number that is written with an exponent.
const MIN_EXPONENTIAL: f64 = 1e15;

/// Formats a number with at most `digits` digits after the decimal point and without trailing zeros.
///
/// ```
/// use tussle_core::format::decimal;
/// assert_eq!([21.665_109, 8.0, -0.000_1].map(|number| decimal(number, 3)), ["21.665", "8", "0"]);
/// ```
pub fn decimal(number: f64, digits: usize) -> String {
    if number.is_infinite() {
        return if number > 0.0 { "+inf" } else { "-inf" }.to_owned();
    }
    if number.abs() >= MIN_EXPONENTIAL {
        let text = format!("{number:.digits$e}");
        let (mantissa, power) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{power}", trimmed(mantissa));
    }
    let text = format!("{number:.digits$}");
    match trimmed(&text) {
        "-0" => "0".to_owned(),
        text => text.to_owned(),
    }
}

/// Removes trailing zeros from a decimal number.
fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// Formats a number with three significant digits, or all digits before the decimal point, and without trailing
/// zeros.
///
/// ```
/// use tussle_core::format::three_digits;
/// assert_eq!([512.3, 12.5, 1.234_5, 0.141_42].map(three_digits), ["512", "12.5", "1.23", "0.141"]);
/// ```
pub fn three_digits(number: f64) -> String {
    let digits = match number.abs() {
        size if size >= 99.95 => 0,
        size if size >= 9.995 => 1,
        size if size >= 0.9995 => 2,
        _ => 3,
    };
    decimal(number, digits)
}

/// Formats a whole number with commas between groups of three digits.
///
/// ```
/// use tussle_core::format::grouped;
/// assert_eq!([999, 1_234_567].map(grouped), ["999", "1,234,567"]);
/// ```
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

/// Formats a measured duration with about three digits, in milliseconds or seconds; above 100 s like [`rough_duration`].
///
/// ```
/// use std::time::Duration;
/// use tussle_core::format::duration;
/// assert_eq!([107, 4_200, 1_234_000].map(Duration::from_micros).map(duration), ["0.107 ms", "4.2 ms", "1.23 s"]);
/// ```
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds * 1e3 {
        ms if ms >= 100_000.0 => rough_duration(time),
        ms if ms >= 10_000.0 => format!("{seconds:.1} s"),
        ms if ms >= 1000.0 => format!("{seconds:.2} s"),
        ms if ms >= 100.0 => format!("{ms:.0} ms"),
        ms if ms >= 1.0 => format!("{ms:.1} ms"),
        ms => format!("{ms:.3} ms"),
    }
}

/// Formats a measured duration to a tenth of a millisecond, so that durations can be compared; below 1 ms to a
/// microsecond.
///
/// ```
/// use std::time::Duration;
/// use tussle_core::format::fine_duration;
/// assert_eq!([7, 2_000_340].map(Duration::from_micros).map(fine_duration), ["7 µs", "2000.3 ms"]);
/// ```
pub fn fine_duration(time: Duration) -> String {
    let micros = time.as_secs_f64() * 1e6;
    if micros < 1e3 { format!("{micros:.0} µs") } else { format!("{:.1} ms", micros / 1e3) }
}

/// Formats an estimated duration in whole seconds (at least one), whole minutes or tenths of an hour.
///
/// ```
/// use std::time::Duration;
/// use tussle_core::format::rough_duration;
/// assert_eq!([0, 99, 754, 5400].map(Duration::from_secs).map(rough_duration), ["1 s", "99 s", "13 minutes", "1.5 hours"]);
/// ```
pub fn rough_duration(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds < 100.0 => format!("{:.0} s", seconds.max(1.0)),
        seconds if seconds < 5400.0 => format!("{:.0} minutes", (seconds / 60.0).ceil()),
        seconds => format!("{:.1} hours", seconds / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_have_no_trailing_zeros_and_no_negative_zero() {
        for (number, digits, text) in [
            (8.0, 4, "8"),
            (-0.0, 4, "0"),
            (-0.000_1, 3, "0"),
            (21.665_109, 4, "21.6651"),
            (-3.25, 4, "-3.25"),
            (34.859, 2, "34.86"),
            (100.0, 0, "100"),
            (1e6, 3, "1000000"),
            (f64::INFINITY, 4, "+inf"),
            (f64::NEG_INFINITY, 4, "-inf"),
            (1e308, 4, "1e308"),
            (-1.5e20, 4, "-1.5e20"),
        ] {
            assert_eq!(decimal(number, digits), text);
        }
    }

    #[test]
    fn three_digits_are_rounded_where_a_digit_is_added() {
        let texts = [0.141_42, 0.9996, 2.0, 9.996, 99.96, 0.5, 512.4, -7.0].map(three_digits);
        assert_eq!(texts, ["0.141", "1", "2", "10", "100", "0.5", "512", "-7"]);
        assert_eq!([1.234, 12.34, -12.34].map(three_digits), ["1.23", "12.3", "-12.3"]);
    }

    #[test]
    fn commas_start_at_a_thousand() {
        let texts = [0, 999, 1000, 1_234_567].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn measured_durations_have_about_three_digits() {
        let texts = [0.0, 0.000_107, 0.012_34, 0.1234, 1.234, 12.34, 123.4, 6000.0];
        let texts = texts.map(|seconds| duration(Duration::from_secs_f64(seconds)));
        assert_eq!(
            texts,
            [
                "0.000 ms",
                "0.107 ms",
                "12.3 ms",
                "123 ms",
                "1.23 s",
                "12.3 s",
                "3 minutes",
                "1.7 hours"
            ]
        );
    }

    #[test]
    fn fine_durations_have_a_unit_that_fits() {
        let texts = [0, 7, 999, 1000, 1_234_567].map(Duration::from_micros).map(fine_duration);
        assert_eq!(texts, ["0 µs", "7 µs", "999 µs", "1.0 ms", "1234.6 ms"]);
    }
}
