//! Output of a search: `info` lines while it runs, then its move.

use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tussle_catalog::AnyGame;
use tussle_core::Report;

use super::{NO_MOVE, Output, remark};
use crate::serve::search::SearchUpdate;
use crate::ugi::grammar::info_line;

/// Minimum time between two lines: people read no faster, and a pipe without a reader fills.
const MIN_INFO_INTERVAL: Duration = Duration::from_millis(50);

/// Writes `info` lines, and `bestmove` at the end.
pub(super) struct Teller<W> {
    game: Arc<dyn AnyGame>,
    mover: usize,
    output: Output<W>,
    /// When the latest line was written and what it was about.
    latest: Option<(Instant, Subject)>,
}

/// Depth, nodes and move: two lines that agree on them say the same.
type Subject = (u32, u64, Option<String>);

fn subject(report: &Report<String>) -> Subject {
    (report.stats.depth, report.stats.nodes, report.best().cloned())
}

impl<W: Write> Teller<W> {
    pub(super) fn new(game: Arc<dyn AnyGame>, mover: usize, output: Output<W>) -> Self {
        Self { game, mover, output, latest: None }
    }

    /// Writes what there is to say. If the reader has gone, the command line ends us.
    pub(super) fn tell(&mut self, told: SearchUpdate<'_>) {
        let _ = match told {
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
                let is_news = self.latest.as_ref().is_none_or(|(_, old)| *old != subject(report));
                let mut text = String::new();
                if is_news {
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
