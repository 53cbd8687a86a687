//! An agent that plays a list of moves.

use std::time::Instant;

use tussle_core::{Line, Report, SearchStats, StopReason, Turn};

use super::AgentInfo;
use crate::param::{Args, Param, ParamKind, Setting};
use crate::text::counted;
use crate::{AnyAgent, AnyPosition, Error, Query};

/// Entry of [`Script`] in lists.
pub(super) const SCRIPT: AgentInfo = AgentInfo {
    name: "script",
    summary: "plays a given list of moves",
    params: &[Param {
        key: "moves",
        kind: ParamKind::Words,
        default: "",
        help: "moves, separated by commas, spaces or |",
    }],
};

/// Agent that plays a list of moves. An illegal move, or the end of the list, is an error.
pub(super) struct Script {
    moves: Vec<String>,
    next: usize,
}

impl Script {
    pub(super) fn new(args: &Args) -> Self {
        let moves = match args.get("moves") {
            Some(Setting::Words(moves)) => moves.clone(),
            _ => Vec::new(),
        };
        Self { moves, next: 0 }
    }
}

impl AnyAgent for Script {
    fn analyse(
        &mut self,
        position: &dyn AnyPosition,
        _: Query<'_>,
    ) -> Result<Report<String>, Error> {
        let began = Instant::now();
        if !matches!(position.turn(), Turn::Player(_)) {
            return Err(Error::NoPlayerToMove);
        }
        let (n, total) = (self.next + 1, self.moves.len());
        let Some(mv) = self.moves.get(self.next) else {
            return Err(Error::Spec(format!(
                "script: the list ends after {} and the game is not over; list more moves",
                counted(total as u64, "move")
            )));
        };
        // Making the move on a copy gives the game's own error message.
        position
            .without_history()
            .play(mv)
            .map_err(|why| Error::Spec(format!("script: move {n} of {total} is illegal: {why}")))?;
        self.next += 1;
        let lines = vec![Line { searched: false, ..Line::new(mv.clone(), 0.0) }];
        let stats = SearchStats { nodes: 1, ..SearchStats::default() };
        Ok(Report::new(lines, stats, StopReason::Finished, began.elapsed()))
    }
}
