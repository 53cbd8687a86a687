//! The Go text protocol, version 2: any of our agents as an engine for Go programs.
//!
//! Commands are obeyed one after the other. Only an analysis goes on while the next line is
//! awaited, and that line ends it.

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
use crate::serve::search::{SearchError, SearchUpdate, Searching, Task};
use crate::{EngineAgent, MAX_LINE_BYTES, next_line};
use analysis::{Analysis, Wish};
use board::Board;
use error::GtpError;
use time::Timing;

/// An engine before the first command.
pub struct Settings {
    board: Board,
    player: EngineAgent,
    clock: TimeControl,
    margin: Duration,
}

impl Settings {
    /// The agent with this spec plays Go by these rules, until it is told otherwise. It spends
    /// `clock` until it is told its time, and keeps `margin` back from every time.
    ///
    /// # Errors
    /// If the game is not Go or cannot be had, or the agent cannot be made.
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

/// Obeys the commands of an input until it ends or says `quit`.
///
/// # Errors
/// If the input cannot be read or the output not be written.
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
        // Whatever comes ends an analysis, an empty line, too.
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
        match engine.obey(&command, began, &output) {
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

/// How a command is answered if it did not fail.
enum Reply {
    /// At once.
    Text(String),
    /// It was written already, but for its end.
    Done,
    /// It has begun, and goes on until the next line.
    Analysis(Analysis),
}

/// What a command gives: an answer, or why it failed.
type Answer = Result<String, GtpError>;

struct Engine {
    board: Board,
    player: EngineAgent,
    timing: Timing,
    margin: Duration,
}

impl Engine {
    /// What the player of this colour may spend now.
    fn limits(&self, colour: Colour, began: Instant) -> Limits {
        self.timing.limits(colour, began, self.margin)
    }

    /// Searches for a move and tells `hear` on the way.
    fn search(
        &mut self,
        colour: Colour,
        limits: Limits,
        lines: usize,
        mut hear: impl FnMut(&Report<String>) + Send + 'static,
    ) -> Result<Report<String>, GtpError> {
        let position = self.board.with_turn_of(colour)?;
        let agent = self.player.take()?;
        let (send, answer) = mpsc::channel();
        let task = Task { agent, position, limits, lines, waits: false };
        let searching = Searching::start(task, move |told| match told {
            SearchUpdate::Progress(report) => hear(report),
            SearchUpdate::Done(report) => {
                let _ = send.send(report.cloned());
            }
        });
        self.player.give_back(searching.wait());
        Ok(answer.recv().unwrap_or(Err(SearchError::Panic))?)
    }

    /// Starts an analysis that the next line ends.
    fn analyse<W: Write + Send + 'static>(
        &mut self,
        wish: &Wish,
        output: Output<W>,
        begin: impl FnOnce() -> io::Result<()>,
    ) -> Result<Analysis, GtpError> {
        if self.board.is_over() {
            return Err(GtpError::GameOver);
        }
        let colour = wish.colour.unwrap_or(self.board.to_move());
        let position = self.board.with_turn_of(colour)?;
        let agent = self.player.take()?;
        begin()?;
        let limits = Limits::time(Duration::MAX);
        let task = Task { agent, position, limits, lines: wish.lines(), waits: true };
        Ok(Analysis::start(task, wish, self.board.game(), output))
    }
}
