//! The grammar of spec strings: `name[:key=value[,key=value…]]`.

use std::fmt;

use crate::Error;

/// Parsed spec string, not yet checked against a table of parameters.
///
/// ```
/// use tussle_catalog::Spec;
/// let spec = Spec::parse("connect4:width=5,height=4")?;
/// assert_eq!(spec.name, "connect4");
/// assert_eq!(spec.pairs[1], ("height".to_owned(), "4".to_owned()));
/// # Ok::<(), tussle_catalog::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// Name of the game or agent, before the colon.
    pub name: String,
    /// Parameters, in the order in which they were given.
    pub pairs: Vec<(String, String)>,
}

impl Spec {
    /// Parses a spec string.
    ///
    /// A part between commas without `=` continues the value before it, so that lists
    /// (`script:moves=a1,b2`) and file names may contain commas.
    ///
    /// # Errors
    /// If there is no name, or the first parameter has no `=`.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (text, None),
        };
        let name = name.trim();
        if name.is_empty() {
            return Err(Error::Spec(format!(
                "`{text}` has no name; write name[:key=value,key=value…]"
            )));
        }
        let mut pairs: Vec<(String, String)> = Vec::new();
        for piece in rest.into_iter().flat_map(|rest| rest.split(',')) {
            match (piece.split_once('='), pairs.last_mut()) {
                (Some((key, value)), _) => {
                    pairs.push((key.trim().to_owned(), value.trim().to_owned()));
                }
                (None, Some((_, value))) => {
                    value.push(',');
                    value.push_str(piece);
                }
                (None, None) => {
                    return Err(Error::Spec(format!(
                        "`{text}`: `{piece}` is not of the form key=value"
                    )));
                }
            }
        }
        Ok(Self { name: name.to_owned(), pairs })
    }

    /// Returns the name of the textbook agent instead of one whose options are tuned for each game: `mcts-textbook` for
    /// `mcts`. Versions without tuned options meant this agent by that name.
    #[must_use]
    pub fn textbook(self) -> Self {
        match crate::agents::textbook(&self.name) {
            Some(name) => Self { name: name.to_owned(), ..self },
            None => self,
        }
    }

    /// Returns the value given for a key.
    pub fn value(&self, key: &str) -> Option<&str> {
        self.pairs.iter().find(|(k, _)| k == key).map(|(_, value)| value.as_str())
    }
}

/// Writes the spec string.
impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        let separators = std::iter::once(':').chain(std::iter::repeat(','));
        for ((key, value), separator) in self.pairs.iter().zip(separators) {
            write!(f, "{separator}{key}={value}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Spec;

    #[test]
    fn lists_and_file_names_may_contain_commas() {
        let spec = Spec::parse("script:moves=a1,b2,c3,then=random").unwrap();
        assert_eq!(spec.pairs[0], ("moves".into(), "a1,b2,c3".into()));
        assert_eq!(spec.pairs[1], ("then".into(), "random".into()));
    }

    #[test]
    fn a_missing_name_or_value_is_named() {
        assert!(Spec::parse(":a=1").unwrap_err().to_string().contains("no name"));
        assert!(Spec::parse("go:9").unwrap_err().to_string().contains("`9` is not of the form"));
    }
}
