//! Names that nothing has.

use tussle_catalog::suggest::nearest;

use crate::LabError;

/// Error of an unknown name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no {what} `{name}`; {} {}", hint(.name, .known), .known.join(", "))]
pub struct UnknownName {
    /// Kind of thing that was asked for.
    pub what: &'static str,
    /// Name that was given.
    pub name: String,
    /// Names that exist.
    pub known: Vec<&'static str>,
}

/// Introduces the list of known names, after the nearest one if any is near.
fn hint(name: &str, known: &[&str]) -> String {
    match nearest(name, known.iter().copied()) {
        Some(known) => format!("did you mean `{known}`? There are"),
        None => "there are".to_owned(),
    }
}

/// Returns the error of an unknown name of a thing of this kind.
pub(crate) fn unknown(
    what: &'static str,
    name: &str,
    known: impl IntoIterator<Item = &'static str>,
) -> LabError {
    UnknownName { what, name: name.to_owned(), known: known.into_iter().collect() }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_named_and_all_are_listed() {
        let message = |name: &str| unknown("game", name, ["gobblet", "tictactoe"]).to_string();
        let near =
            "there is no game `Goblet`; did you mean `gobblet`? There are gobblet, tictactoe";
        assert_eq!(message("Goblet"), near);
        assert_eq!(message("x"), "there is no game `x`; there are gobblet, tictactoe");
    }
}
