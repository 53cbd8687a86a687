//! What a search tells while it runs, and its move.

use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tussle_catalog::AnyGame;
use tussle_core::{Bound, Line, Report};

use super::{NO_MOVE, Output, remark};
use crate::serve::search::SearchUpdate;

/// Lines are at least so far apart: nobody reads faster, and a pipe nobody reads fills.
const APART: Duration = Duration::from_millis(50);

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

    /// Writes what there is to say. If nobody reads it any more, the command line ends us.
    pub(super) fn tell(&mut self, told: SearchUpdate<'_>) {
        let _ = match told {
            SearchUpdate::Progress(report) => {
                let now = Instant::now();
                let is_soon = |&(then, _): &(Instant, Subject)| now < then + APART;
                if self.latest.as_ref().is_some_and(is_soon) {
                    return;
                }
                self.latest = Some((now, subject(report)));
                self.output.line(&info(self.game.as_ref(), self.mover, report))
            }
            SearchUpdate::Done(Ok(report)) => {
                let is_news = self.latest.as_ref().is_none_or(|(_, old)| *old != subject(report));
                let mut text = String::new();
                if is_news {
                    text += &info(self.game.as_ref(), self.mover, report);
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

/// A report in one line.
fn info(game: &dyn AnyGame, mover: usize, report: &Report<String>) -> String {
    let stats = &report.stats;
    let speed = stats.nodes as f64 / report.elapsed.as_secs_f64().max(1e-6);
    let mut text = format!(
        "info depth {} nodes {} nps {speed:.0} time {}",
        stats.depth,
        stats.nodes,
        report.elapsed.as_millis()
    );
    if let Some(best) = report.lines.first() {
        text += &score(game, mover, best);
        text += " pv ";
        text += &best.pv.join(" ");
    }
    text
}

/// A proven end and the plies to it, or hundredths of the evaluation's unit, for the player to move.
fn score(game: &dyn AnyGame, mover: usize, line: &Line<String>) -> String {
    if let Some(outcome) = line.outcome() {
        let plies = line.distance().map_or(String::new(), |plies| format!(" {plies}"));
        return format!(" score {outcome}{plies}");
    }
    // Some games report for the first player whoever is to move; an engine speaks for the mover.
    let values = game.values(mover, line);
    let value = values.and_then(|values| values.get(mover).copied()).unwrap_or(line.value.number());
    let is_turned = value != line.value.number();
    let bound = if is_turned { line.bound.turned() } else { line.bound };
    let bound = match bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    if !line.searched || !value.is_finite() {
        return String::new();
    }
    format!(" score cp {}{bound}", (value * 100.0).round() as i64)
}
