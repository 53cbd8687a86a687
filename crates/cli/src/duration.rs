//! Durations as people write them: `2s`, `500ms`, `1.5m`.

use std::time::Duration;

/// Reads a duration.
pub(crate) fn parse(text: &str) -> Result<Duration, String> {
    let bad = || format!("`{text}` is not a time; write for instance 2s, 500ms or 1.5m");
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').ok_or_else(bad)?;
    let (number, unit) = text.split_at(digits);
    let number: f64 = number.parse().map_err(|_| bad())?;
    let seconds = match unit {
        "ms" => number / 1000.0,
        "s" => number,
        "m" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(bad()),
    };
    if seconds <= 0.0 {
        return Err(format!("`{text}`: the time must be more than nothing"));
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| format!("`{text}` is too long"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_write_times_in_many_ways() {
        assert_eq!(parse("2s"), Ok(Duration::from_secs(2)));
        assert_eq!(parse("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse("1.5m"), Ok(Duration::from_secs(90)));
        for bad in ["", "2", "s", "2 s", "-1s", "0s", "1..5s", "2sec", "9e99s"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
        assert!(parse(&format!("{}h", "9".repeat(300))).is_err());
    }
}
