//! "Did you mean …?"

/// Lists the valid words, after the nearest one to a wrong word if any is near.
pub(crate) fn suggest<'a>(
    wrong: &str,
    what: &str,
    valid: impl IntoIterator<Item = &'a str>,
) -> String {
    let valid: Vec<&str> = valid.into_iter().collect();
    if valid.is_empty() {
        return format!("it takes no {what}");
    }
    let nearest = valid
        .iter()
        .map(|word| (strsim::damerau_levenshtein(&wrong.to_lowercase(), word), word))
        .min()
        // Up to a third of the word may be wrong, but one letter always.
        .filter(|(distance, word)| *distance <= (word.chars().count() / 3).max(1));
    let list = valid.join(", ");
    match nearest {
        Some((_, word)) => format!("did you mean `{word}`? Valid {what}: {list}"),
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
