//! The nodes of a tree in the order in which a search enters them.

use tussle_catalog::AnyPosition;
use tussle_core::{Event, Events};

/// Nobody reads more.
const MOST: usize = 10_000;

/// Follows a search through the tree.
pub(super) struct Visited {
    position: Box<dyn AnyPosition>,
    names: Vec<String>,
}

impl Visited {
    /// The search begins here.
    pub(super) fn new(root: &dyn AnyPosition) -> Self {
        // Without a history nothing can be taken back beyond the root.
        Self { position: root.without_history(), names: Vec::new() }
    }

    /// The names of the nodes.
    pub(super) fn names(self) -> Vec<String> {
        self.names
    }
}

impl Events<String> for Visited {
    fn take(&mut self, event: Event<'_, String>) {
        if self.names.len() >= MOST {
            return;
        }
        match event {
            // The last depth may have been left in the middle.
            Event::Iteration(_) => while self.position.undo() {},
            Event::Enter { mv, .. } => {
                let followed = mv.is_none_or(|mv| self.position.play(&mv).is_ok());
                debug_assert!(followed, "searches enter nodes by legal moves");
                self.names.push(self.position.text());
            }
            Event::Leave { .. } => {
                self.position.undo();
            }
            _ => {}
        }
    }
}
