//! An agent with an opening book.

use std::sync::Arc;
use std::time::Instant;

use tussle_core::{Limits, Report};
use tussle_search::{ScoreTree, TreeFilter, TreeNode};

use crate::book::Book;
use crate::{AnyAgent, AnyGame, AnyPosition, Error, Query};

/// Agent that answers from an opening book, and calls another agent for positions that are not in the book.
pub(super) struct BookAgent {
    game: Arc<dyn AnyGame>,
    book: Book,
    /// Path of the book, for messages.
    path: String,
    agent: Box<dyn AnyAgent>,
}

impl BookAgent {
    /// Adds the opening book with this text to an agent.
    ///
    /// # Errors
    /// If the text is not an opening book, or the book is for another game.
    pub(super) fn new(
        game: Arc<dyn AnyGame>,
        path: &str,
        text: &str,
        agent: Box<dyn AnyAgent>,
    ) -> Result<Self, Error> {
        let book = Book::parse(text).and_then(|book| book.fits(game.as_ref()).map(|()| book));
        let book = book.map_err(|reason| Error::Book { path: path.to_owned(), reason })?;
        Ok(Self { game, book, path: path.to_owned(), agent })
    }
}

impl AnyAgent for BookAgent {
    fn analyse(
        &mut self,
        position: &dyn AnyPosition,
        query: Query<'_>,
    ) -> Result<Report<String>, Error> {
        let began = Instant::now();
        // A book has only one move per position and no steps of its search.
        if query.lines > 1 || query.recording.is_some() {
            return self.agent.analyse(position, query);
        }
        let answer = self
            .book
            .answer(self.game.as_ref(), position)
            .map_err(|reason| Error::Book { path: self.path.clone(), reason })?;
        let Some(line) = answer else { return self.agent.analyse(position, query) };
        let report = Report::finished(vec![line], began.elapsed());
        if let Some(live) = query.live {
            live(&report);
        }
        Ok(report)
    }

    fn is_deterministic(&self) -> bool {
        self.agent.is_deterministic()
    }

    fn keeps_tree(&self) -> bool {
        self.agent.keeps_tree()
    }

    fn tree(&self, position: &dyn AnyPosition, filter: &TreeFilter) -> Option<TreeNode<String>> {
        self.agent.tree(position, filter)
    }

    fn known_value_tree(
        &self,
        position: &dyn AnyPosition,
        limits: &Limits,
        max_nodes: usize,
    ) -> Option<ScoreTree> {
        self.agent.known_value_tree(position, limits, max_nodes)
    }
}
