//! Games that were asked for lately.
//!
//! An agent that a page keeps between its moves plays one game, and knows its positions by that very value: the
//! same words a second later must lead to the same rules.

use std::sync::{Arc, Mutex, PoisonError};

use tussle_catalog::AnyGame;

use crate::refusal::Refusal;

/// Games that are kept.
const KEPT: usize = 32;

/// A game by what a page said: its spec, and its text if it has one.
type Named = ((String, Option<String>), Arc<dyn AnyGame>);

static SHELF: Mutex<Vec<Named>> = Mutex::new(Vec::new());

/// The rules under this name, made if they are not there.
pub(crate) fn game(
    spec: &str,
    text: Option<&str>,
    make: impl FnOnce() -> Result<Arc<dyn AnyGame>, Refusal>,
) -> Result<Arc<dyn AnyGame>, Refusal> {
    let shelf = || SHELF.lock().unwrap_or_else(PoisonError::into_inner);
    let find = |shelf: &[Named]| {
        shelf.iter().position(|((known, told), _)| known == spec && told.as_deref() == text)
    };
    {
        let mut shelf = shelf();
        if let Some(at) = find(&shelf) {
            // The latest stand last, the others go first.
            let known = shelf.remove(at);
            shelf.push(known);
            return Ok(shelf[shelf.len() - 1].1.clone());
        }
    }
    let made = make()?;
    let mut shelf = shelf();
    if let Some(at) = find(&shelf) {
        return Ok(shelf[at].1.clone()); // somebody else was faster
    }
    if shelf.len() >= KEPT {
        shelf.remove(0);
    }
    shelf.push(((spec.to_owned(), text.map(str::to_owned)), made.clone()));
    Ok(made)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(spec: &str, text: Option<&str>) -> Arc<dyn AnyGame> {
        game(spec, text, || Ok(tussle_catalog::game("tictactoe")?)).unwrap()
    }

    #[test]
    fn the_same_words_lead_to_the_same_rules() {
        let first = known("a", None);
        assert!(Arc::ptr_eq(&first, &known("a", None)));
        assert!(!Arc::ptr_eq(&first, &known("a", Some("text"))));
        for i in 0..KEPT {
            known(&format!("other {i}"), None);
        }
        assert!(!Arc::ptr_eq(&first, &known("a", None)), "there is an end to what is kept");
    }
}
