//! Singulars and plurals.

/// Returns `1 ply`, `2 plies`.
pub(crate) fn plies(count: u64) -> String {
    format!("{count} {}", if count == 1 { "ply" } else { "plies" })
}

/// Returns `is` for one, `are` for other counts.
pub(crate) fn is_or_are(count: u64) -> &'static str {
    if count == 1 { "is" } else { "are" }
}
