//! Lists of games in one spec: `keep-on-moving:board=0..4` is five games.

use tussle_catalog::Spec;

/// Maximum number of games that one spec stands for.
const MAX_GAMES: u64 = 1000;

/// Error of a spec with ranges.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoardsError {
    /// The text is not a spec.
    #[error(transparent)]
    Spec(#[from] tussle_catalog::Error),
    /// A range is empty or too long.
    #[error(
        "`{spec}`: expected a range of at most {MAX_GAMES} numbers, such as {key}=0..4, found {key}={value}"
    )]
    Range {
        /// The whole spec.
        spec: String,
        /// Key of the range.
        key: String,
        /// The range as it was written.
        value: String,
    },
    /// The ranges together give too many games.
    #[error("`{spec}`: the ranges give more than {most} games; use smaller ranges")]
    TooMany {
        /// The whole spec.
        spec: String,
        /// Maximum number of games.
        most: u64,
    },
}

/// Returns the specs that a spec with ranges `key=a..b` stands for, both ends included. A spec without a range stands
/// for itself.
///
/// # Errors
/// If the text is not a spec, a range is empty, or there are more than 1000 games.
pub(crate) fn expand_boards(spec: &str) -> Result<Vec<String>, BoardsError> {
    let parsed = Spec::parse(spec)?;
    if parsed.pairs.iter().all(|(_, value)| range(value).is_none()) {
        return Ok(vec![spec.to_owned()]);
    }
    let mut specs = vec![Spec { name: parsed.name, pairs: Vec::new() }];
    for (key, value) in parsed.pairs {
        let values = match range(&value) {
            None => vec![value],
            Some((from, to)) if from > to || to - from >= MAX_GAMES => {
                return Err(BoardsError::Range { spec: spec.to_owned(), key, value });
            }
            Some((from, to)) => (from..=to).map(|n| n.to_string()).collect(),
        };
        let with = |spec: &Spec, value: &String| {
            let mut spec = spec.clone();
            spec.pairs.push((key.clone(), value.clone()));
            spec
        };
        let longer =
            specs.iter().flat_map(|spec| values.iter().map(move |value| with(spec, value)));
        specs = longer.collect();
        if specs.len() as u64 > MAX_GAMES {
            return Err(BoardsError::TooMany { spec: spec.to_owned(), most: MAX_GAMES });
        }
    }
    let text = |spec: Spec| {
        let pairs: Vec<String> = spec.pairs.iter().map(|(k, v)| format!("{k}={v}")).collect();
        if pairs.is_empty() { spec.name } else { format!("{}:{}", spec.name, pairs.join(",")) }
    };
    Ok(specs.into_iter().map(text).collect())
}

/// Returns the ends of a range of whole numbers, or `None` if the value is not a range.
fn range(value: &str) -> Option<(u64, u64)> {
    let (from, to) = value.split_once("..")?;
    Some((from.parse().ok()?, to.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::expand_boards;

    #[test]
    fn a_range_stands_for_one_spec_per_number() {
        let boards = expand_boards("keep-on-moving:board=2..4").expect("boards");
        assert_eq!(boards, [2, 3, 4].map(|n| format!("keep-on-moving:board={n}")));
        let sizes = expand_boards("connect4:width=5..6,height=4..5").expect("boards");
        assert_eq!(sizes.len(), 4);
        assert_eq!(sizes[1], "connect4:width=5,height=5");
        assert_eq!(expand_boards("go").expect("itself"), ["go"]);
        assert_eq!(expand_boards("tree:file=../a.json").expect("a file"), ["tree:file=../a.json"]);
        assert!(expand_boards("go:size=5..3").is_err());
        assert!(expand_boards("go:size=1..999999999999").is_err());
    }
}
