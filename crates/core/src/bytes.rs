//! Amounts of memory as text.

use crate::notation::ParseError;

/// Parses an amount of memory with a decimal unit (`500MB`) or a binary unit (`64MiB`).
///
/// ```
/// use tussle_core::parse_bytes;
/// assert_eq!(parse_bytes("500MB"), Ok(500_000_000));
/// assert_eq!(parse_bytes("64KiB"), Ok(65_536));
/// assert!(parse_bytes("0GB").is_err());
/// ```
///
/// # Errors
/// If the text is not a whole number with a unit, or the amount is 0 or larger than `i64::MAX` bytes.
pub fn parse_bytes(text: &str) -> Result<u64, ParseError> {
    let wrong = || ParseError::new("expected an amount of memory such as 500MB, 2GB or 64KB");
    let digits = text.find(|c: char| !c.is_ascii_digit()).ok_or_else(wrong)?;
    let (number, unit) = text.split_at(digits);
    let unit = match unit {
        "KB" => 1000,
        "MB" => 1_000_000,
        "GB" => 1_000_000_000,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        _ => return Err(wrong()),
    };
    let number: u64 = number.parse().map_err(|_| wrong())?;
    number
        .checked_mul(unit)
        .filter(|&bytes| bytes > 0 && i64::try_from(bytes).is_ok())
        .ok_or_else(wrong)
}
