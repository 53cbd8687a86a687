//! Text for people: unprintable characters, which could disturb a terminal or forge a name, and counts with nouns.

/// Returns true for control characters and for invisible ones that hide, join, reorder or break text:
/// bidirectional controls, line separators, zero-width characters, the byte order mark, fillers and tags.
///
/// ```
/// use tussle_catalog::text::is_unprintable;
/// assert!("\n\t\u{1b}\u{9b}\u{202e}\u{2028}\u{200b}\u{feff}".chars().all(is_unprintable));
/// assert!(!"Zoë, 李, שרה, ❤\u{fe0f}".chars().any(is_unprintable));
/// ```
pub fn is_unprintable(c: char) -> bool {
    // The default ignorable code points of Unicode, except variation selectors, which emoji need; and line
    // separators and annotation characters.
    let is_ignorable = matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    );
    c.is_control() || is_ignorable
}

/// Replaces unprintable characters with escapes, except those for which `is_kept` is true.
///
/// ```
/// use tussle_catalog::text::visible;
/// assert_eq!(visible("a\u{1b}[31m\u{202e}\tb\n", |c| c == '\n'), "a\\u{1b}[31m\\u{202e}\\tb\n");
/// ```
pub fn visible(text: &str, is_kept: impl Fn(char) -> bool) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unprintable(c) && !is_kept(c) {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Joins items for a sentence, with a word such as `and` before the last one.
///
/// ```
/// use tussle_catalog::text::joined;
/// assert_eq!(joined(&["go", "gobblet", "connect4"], "or"), "go, gobblet or connect4");
/// ```
pub fn joined(items: &[impl AsRef<str>], word: &str) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    match items.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, first)) => format!("{} {word} {last}", first.join(", ")),
        None => String::new(),
    }
}

/// Returns a count with its noun, which has an s unless the count is 1.
///
/// ```
/// use tussle_catalog::text::counted;
/// assert_eq!([counted(1, "game"), counted(2, "game")], ["1 game", "2 games"]);
/// ```
pub fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
