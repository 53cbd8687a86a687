//! Durations as text: `2s`, `500ms`, `1.5m`.

use std::time::Duration;

use crate::ParseError;

/// The units and their lengths in nanoseconds.
const UNITS: [(&str, u128); 4] =
    [("ms", 1_000_000), ("s", 1_000_000_000), ("m", 60_000_000_000), ("h", 3_600_000_000_000)];

/// Parses a duration above zero: a decimal number and `ms`, `s`, `m` or `h`.
///
/// # Errors
/// If the text has another form, or the time is 0 or too long for a [`Duration`].
///
/// ```
/// use std::time::Duration;
/// assert_eq!(tussle_core::parse_duration("1.5m"), Ok(Duration::from_secs(90)));
/// ```
pub fn parse_duration(text: &str) -> Result<Duration, ParseError> {
    let duration = parse_any_duration(text)?;
    if duration.is_zero() {
        return Err(ParseError::new(format!("`{text}`: the time must be more than nothing")));
    }
    Ok(duration)
}

/// Parses a duration that may be zero, such as an increment: `0s`, or `0`, which needs no unit.
///
/// # Errors
/// As [`parse_duration`].
pub fn parse_any_duration(text: &str) -> Result<Duration, ParseError> {
    if text == "0" {
        return Ok(Duration::ZERO);
    }
    let bad =
        || ParseError::new(format!("`{text}` is not a time; write for instance 2s, 500ms or 1.5m"));
    let long = || ParseError::new(format!("`{text}` is too long"));
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').ok_or_else(bad)?;
    let (number, unit) = text.split_at(end);
    let (_, unit) = UNITS.into_iter().find(|&(name, _)| name == unit).ok_or_else(bad)?;
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    if whole.len() + part.len() == 0 || part.contains('.') {
        return Err(bad());
    }
    // Integers only, so that 0.1s is exactly 100ms.
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().map_err(|_| long())? };
    let mut nanos = u128::from(whole) * unit;
    let mut place = unit;
    for digit in part.bytes() {
        place /= 10;
        nanos += u128::from(digit - b'0') * place;
    }
    let seconds = u64::try_from(nanos / 1_000_000_000).map_err(|_| long())?;
    Ok(Duration::new(seconds, (nanos % 1_000_000_000) as u32))
}

/// Formats a duration so that [`parse_any_duration`] returns it exactly: in milliseconds below a second,
/// else in seconds.
///
/// ```
/// use std::time::Duration;
/// assert_eq!(tussle_core::duration_text(Duration::from_secs(90)), "90s");
/// assert_eq!(tussle_core::duration_text(Duration::from_micros(2500)), "2.5ms");
/// ```
pub fn duration_text(duration: Duration) -> String {
    let (seconds, nanos) = (duration.as_secs(), duration.subsec_nanos());
    let (number, unit) = match seconds {
        0 if nanos > 0 => (format!("{}.{:06}", nanos / 1_000_000, nanos % 1_000_000), "ms"),
        _ => (format!("{seconds}.{nanos:09}"), "s"),
    };
    format!("{}{unit}", number.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn durations_are_parsed_in_every_unit() {
        for (text, millis) in [
            ("2s", 2000),
            ("500ms", 500),
            ("1.5m", 90_000),
            ("0.1s", 100),
            (".5s", 500),
            ("2.h", 7_200_000),
            ("0.25h", 900_000),
        ] {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for bad in ["", "0", "2", "s", ".s", "2 s", "-1s", "0s", "0.0ms", "1..5s", "1.2.3s", "2sec"]
        {
            assert!(parse_duration(bad).is_err(), "{bad}");
        }
        assert!(parse_duration("9e99s").is_err());
        assert!(parse_duration(&format!("{}h", "9".repeat(300))).is_err());
        assert!(parse_duration(&format!("{}h", u64::MAX)).is_err());
        assert_eq!(["0s", "0"].map(parse_any_duration), [Ok(Duration::ZERO), Ok(Duration::ZERO)]);
        assert!(parse_any_duration("00").is_err() && parse_any_duration("1").is_err());
    }

    #[test]
    fn a_formatted_duration_parses_to_the_same_duration() {
        let mut rng = Rng::new(1);
        let random = |_| {
            let bits = rng.below(64) as u32;
            Duration::new(rng.next_u64() >> bits, (rng.next_u64() % 1_000_000_000) as u32)
        };
        let mut times: Vec<Duration> = (0..1000).map(random).collect();
        times.extend((0..60).map(|bit| Duration::from_nanos(1 << bit)));
        times.extend([Duration::MAX, Duration::from_secs(1), Duration::from_secs(100)]);
        for time in times {
            let text = duration_text(time);
            assert_eq!(parse_duration(&text), Ok(time), "{text}");
        }
        assert_eq!(duration_text(Duration::ZERO), "0s");
    }
}
