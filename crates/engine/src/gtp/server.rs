//! GTP server (version 2): makes a built-in agent an engine for Go programs.
//!
//! Commands are executed one after the other. Only an analysis runs until the next line arrives.

mod analysis;
mod board;
mod commands;
mod error;
mod handicap;
#[cfg(test)]
mod tests;
mod time;

use std::io::{self, BufRead, Write};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use tussle_catalog::{Catalog, Error};
use tussle_core::{Limits, Report, TimeControl};

use super::grammar::{Colour, Command};
use crate::serve::output::Output;
use crate::serve::search::{RunningSearch, SearchError, SearchUpdate, Task};
use crate::{EngineAgent, MAX_LINE_BYTES, next_line};
use analysis::{Analysis, AnalysisRequest};
use board::Board;
use error::GtpError;
use time::Timing;

/// Settings of an engine at its start.
pub struct Settings {
    board: Board,
    player: EngineAgent,
    clock: TimeControl,
    margin: Duration,
}

impl Settings {
    /// Creates the settings of an agent and the rules of a game, which commands may change.
    ///
    /// `clock` is the time control without time commands. `margin` is the safety margin, subtracted from every time.
    ///
    /// # Errors
    /// If the game is not Go or its spec is invalid, or the agent cannot be made.
    pub fn new(
        catalog: &Catalog,
        game: &str,
        agent: &str,
        seed: u64,
        clock: TimeControl,
        margin: Duration,
    ) -> Result<Self, Error> {
        let board = Board::new(catalog, game)?;
        let player = EngineAgent::new(board.game().clone(), agent, seed)?;
        Ok(Self { board, player, clock, margin })
    }
}

/// Executes commands until the input ends or the command is `quit`.
///
/// # Errors
/// If the input cannot be read or the output cannot be written.
pub fn serve(
    settings: Settings,
    mut input: impl BufRead,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let Settings { board, player, clock, margin } = settings;
    let output = Output::new(output);
    let mut engine = Engine { board, player, timing: Timing::new(clock), margin };
    let mut analysis: Option<Analysis> = None;
    let mut line = Vec::new();
    loop {
        let fits = next_line(&mut input, &mut line)?;
        let began = Instant::now();
        // Every line ends an analysis, even an empty one.
        if let Some(analysis) = analysis.take() {
            engine.player.give_back(analysis.end());
            output.text("\n")?;
        }
        match fits {
            None => return Ok(()),
            Some(false) => {
                output.text(&format!("? the line is longer than {MAX_LINE_BYTES} bytes\n\n"))?;
                continue;
            }
            Some(true) => {}
        }
        let Some(command) = Command::parse(&line) else { continue };
        match engine.execute(&command, began, &output) {
            Ok(Reply::Text(text)) => {
                let space = if text.is_empty() { "" } else { " " };
                output.text(&format!("={}{space}{text}\n\n", command.id))?;
            }
            Ok(Reply::Done) => output.text("\n\n")?,
            Ok(Reply::Analysis(started)) => analysis = Some(started),
            Err(why) => output.text(&format!("?{} {why}\n\n", command.id))?,
        }
        if command.name == "quit" {
            return Ok(());
        }
    }
}

/// Response to a command that did not fail.
enum Reply {
    /// Text of the response.
    Text(String),
    /// The response was written, except for its end.
    Done,
    /// The response has begun and continues until the next line.
    Analysis(Analysis),
}

/// Text of a response, or the error of the command.
type Answer = Result<String, GtpError>;

struct Engine {
    board: Board,
    player: EngineAgent,
    timing: Timing,
    margin: Duration,
}

impl Engine {
    /// Returns the limits of the next search for this colour.
    fn limits(&self, colour: Colour, began: Instant) -> Limits {
        self.timing.limits(colour, began, self.margin)
    }

    /// Searches for a move. Calls `on_progress` with every report during the search.
    fn search(
        &mut self,
        colour: Colour,
        limits: Limits,
        lines: usize,
        mut on_progress: impl FnMut(&Report<String>) + Send + 'static,
    ) -> Result<Report<String>, GtpError> {
        let position = self.board.with_turn_of(colour)?;
        let agent = self.player.take()?;
        let (send, answer) = mpsc::channel();
        let task = Task { agent, position, limits, lines, waits: false };
        let search = RunningSearch::start(task, move |update| match update {
            SearchUpdate::Progress(report) => on_progress(report),
            SearchUpdate::Done(report) => {
                let _ = send.send(report.cloned());
            }
        });
        self.player.give_back(search.wait());
        Ok(answer.recv().unwrap_or(Err(SearchError::Panic))?)
    }

    /// Starts an analysis that the next line ends.
    fn analyse<W: Write + Send + 'static>(
        &mut self,
        request: &AnalysisRequest,
        output: Output<W>,
        begin: impl FnOnce() -> io::Result<()>,
    ) -> Result<Analysis, GtpError> {
        if self.board.is_over() {
            return Err(GtpError::GameOver);
        }
        let colour = request.colour.unwrap_or(self.board.to_move());
        let position = self.board.with_turn_of(colour)?;
        let agent = self.player.take()?;
        begin()?;
        let limits = Limits::time(Duration::MAX);
        let task = Task { agent, position, limits, lines: request.lines(), waits: true };
        Ok(Analysis::start(task, request, self.board.game(), output))
    }
}
