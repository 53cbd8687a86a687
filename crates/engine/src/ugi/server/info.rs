//! Output of a search: `info` lines while it runs, then its move.

use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tussle_catalog::AnyGame;
use tussle_core::Report;

use super::{NO_MOVE, Output, remark};
use crate::serve::search::SearchUpdate;
use crate::ugi::grammar::info_line;

/// Minimum time between two `info` lines. More lines could fill a pipe that is read slowly.
const MIN_INFO_INTERVAL: Duration = Duration::from_millis(50);

/// Writer of `info` lines during a search, and of `bestmove` at its end.
pub(super) struct InfoWriter<W> {
    game: Arc<dyn AnyGame>,
    mover: usize,
    output: Output<W>,
    /// Time and subject of the latest line.
    latest: Option<(Instant, Subject)>,
}

/// Depth, nodes and best move of a line. Lines that agree in them count as the same.
type Subject = (u32, u64, Option<String>);

fn subject(report: &Report<String>) -> Subject {
    (report.stats.depth, report.stats.nodes, report.best().cloned())
}

impl<W: Write> InfoWriter<W> {
    pub(super) fn new(game: Arc<dyn AnyGame>, mover: usize, output: Output<W>) -> Self {
        Self { game, mover, output, latest: None }
    }

    /// Writes the lines of an update. Write errors are ignored: the command ends when its output is closed.
    pub(super) fn write(&mut self, update: SearchUpdate<'_>) {
        let _ = match update {
            SearchUpdate::Progress(report) => {
                let now = Instant::now();
                let is_soon = |&(then, _): &(Instant, Subject)| now < then + MIN_INFO_INTERVAL;
                if self.latest.as_ref().is_some_and(is_soon) {
                    return;
                }
                self.latest = Some((now, subject(report)));
                self.output.line(&info_line(self.game.as_ref(), self.mover, report))
            }
            SearchUpdate::Done(Ok(report)) => {
                let is_new = self.latest.as_ref().is_none_or(|(_, old)| *old != subject(report));
                let mut text = String::new();
                if is_new {
                    text += &info_line(self.game.as_ref(), self.mover, report);
                    text.push('\n');
                }
                text += &report.best().map_or(NO_MOVE.to_owned(), |mv| format!("bestmove {mv}"));
                self.output.line(&text)
            }
            SearchUpdate::Done(Err(why)) => {
                self.output.line(&format!("{}\n{NO_MOVE}", remark(&format!("error {why}"))))
            }
        };
    }
}
