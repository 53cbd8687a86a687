//! Suggestions for misspelt words: "did you mean …?"

/// Returns the valid word nearest to a wrong one, by case-insensitive Damerau-Levenshtein distance.
///
/// The distance may be at most a third of the letters, but always 1.
///
/// ```
/// use tussle_catalog::suggest::nearest;
///
/// assert_eq!(nearest("Goblet", ["gobblet", "tictactoe"]), Some("gobblet"));
/// assert_eq!(nearest("chess", ["gobblet", "tictactoe"]), None);
/// ```
pub fn nearest<'a>(wrong: &str, valid: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wrong = wrong.to_lowercase();
    let distance = |word| (strsim::damerau_levenshtein(&wrong, word), word);
    let (distance, word) = valid.into_iter().map(distance).min()?;
    (distance <= (word.chars().count() / 3).max(1)).then_some(word)
}

/// Returns a hint with the nearest valid word, if one is near, and the list of all valid words.
pub(crate) fn suggest<'a>(
    wrong: &str,
    what: &str,
    valid: impl IntoIterator<Item = &'a str>,
) -> String {
    let valid: Vec<&str> = valid.into_iter().collect();
    if valid.is_empty() {
        return format!("it takes no {what}");
    }
    let list = valid.join(", ");
    match nearest(wrong, valid) {
        Some(word) => format!("did you mean `{word}`? Valid {what}: {list}"),
        None => format!("valid {what}: {list}"),
    }
}

#[cfg(test)]
mod tests {
    use super::suggest;

    #[test]
    fn a_near_word_is_named_first() {
        let words = ["gobblet", "tictactoe"];
        assert!(suggest("goblet", "games", words).starts_with("did you mean `gobblet`?"));
        assert_eq!(suggest("chess", "games", words), "valid games: gobblet, tictactoe");
        assert!(suggest("GOBBLET", "games", words).starts_with("did you mean `gobblet`?"));
        assert_eq!(suggest("x", "keys", []), "it takes no keys");
    }
}
