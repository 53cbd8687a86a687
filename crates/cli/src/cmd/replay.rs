//! `tussle replay`

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use tussle_arena::export::{self, GameDocument};
use tussle_arena::{MoveNote, Record, Store, TournamentSpec};
use tussle_catalog::text::counted;
use tussle_catalog::{AnyPosition, Catalog};
use tussle_core::Turn;
use tussle_core::format::duration;
use tussle_engine::{Verdict, next_line};

use crate::args::Picture;
use crate::failure::Failure;
use crate::report::one_line;
use crate::{layout, output, report, stored, turns};

/// Show a game of a store move by move
///
/// On a terminal, Enter shows the next position, b the previous one, and q quits. Otherwise all positions are
/// printed.
///
/// A picture shows the last position, or that of --ply; a folder gets a picture of each position.
///
/// Examples:
///   tussle replay S.db 0
///   tussle replay S.db 7 --ply 12 --png board.png
///   tussle replay S.db 7 --svg frames/
///   tussle replay S.db 7 --json
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Replay {
    /// Store of a match or tournament
    #[arg(value_name = "STORE")]
    store: PathBuf,
    /// Number of the game; see `tussle results STORE --games`
    #[arg(value_name = "GAME")]
    game: u64,
    /// Number of moves after which the position is shown alone
    #[arg(long, value_name = "K")]
    ply: Option<usize>,
    #[command(flatten)]
    picture: Picture,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Stored game with its players.
struct GameReplay<'a> {
    catalog: &'a Catalog,
    config: &'a TournamentSpec,
    record: &'a Record,
    names: Vec<&'a str>,
    /// Player of each move.
    movers: Vec<Turn>,
}

/// One position of a game.
#[derive(Serialize)]
struct Frame {
    ply: usize,
    /// Player of the move that led here.
    mover: Option<String>,
    #[serde(rename = "move")]
    mv: Option<String>,
    position: String,
    turn: String,
    timing: Option<MoveNote>,
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    game: GameDocument<'a>,
    positions: Vec<Frame>,
}

impl Replay {
    pub(crate) fn run(&self, catalog: &Catalog) -> Result<(), Failure> {
        let store = Store::read(&self.store)?;
        let record = stored::game(&self.store, &store, self.game)?;
        let film = GameReplay::new(catalog, store.spec(), &record)?;
        let last = record.moves.len();
        if let Some(ply) = self.ply.filter(|&ply| ply > last) {
            return Err(Failure::usage(format!(
                "--ply {ply}: game {} has positions 0 to {last}",
                self.game
            )));
        }
        if self.picture.is_wanted() {
            for file in self.picture.files() {
                Failure::unless_other_file(file, &self.store)?;
            }
            film.draw(&self.picture, self.ply)?;
        }
        if self.json {
            return output::json(&film.document(self.ply)?);
        }
        if self.picture.is_wanted() {
            return Ok(());
        }
        output::report(&format!("{}\n", film.title()))?;
        match self.ply {
            Some(ply) => output::print(&film.frame(film.at(ply)?.as_ref())),
            None if io::stdin().is_terminal() && io::stdout().is_terminal() => film.step(),
            None => {
                film.each(|position| output::print(&film.frame(position)))?;
                output::print(&film.ending())
            }
        }
    }
}

impl<'a> GameReplay<'a> {
    fn new(
        catalog: &'a Catalog,
        config: &'a TournamentSpec,
        record: &'a Record,
    ) -> Result<Self, Failure> {
        let mut position = record.position(catalog, 0)?;
        let mut movers = Vec::new();
        for (i, mv) in record.moves.iter().enumerate() {
            movers.push(position.turn());
            position
                .play(mv)
                .map_err(|e| Failure::Failed(format!("game {}, move {}: {e}", record.id, i + 1)))?;
        }
        let names = export::names(config, record);
        Ok(Self { catalog, config, record, names, movers })
    }

    /// Calls `tell` with each position, from the start.
    fn each(
        &self,
        mut tell: impl FnMut(&dyn AnyPosition) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut position = self.at(0)?;
        tell(position.as_ref())?;
        for mv in &self.record.moves {
            position.play(mv)?;
            tell(position.as_ref())?;
        }
        Ok(())
    }

    /// Returns the position after `ply` moves.
    fn at(&self, ply: usize) -> Result<Box<dyn AnyPosition>, Failure> {
        Ok(self.record.position(self.catalog, ply)?)
    }

    fn title(&self) -> String {
        let Record { id, pair, game, .. } = self.record;
        one_line(&format!("game {id} (pair {pair}) of {game}: {}", self.names.join(" v ")))
    }

    /// Returns the name of a seat and its agent.
    fn player(&self, seat: usize) -> String {
        format!("{} ({})", turns::player(self.names.len(), seat), self.names[seat])
    }

    /// Returns the move that led to this position with its player and statistics, then the board.
    fn frame(&self, position: &dyn AnyPosition) -> String {
        let ply = position.history().len();
        let line = match ply.checked_sub(1) {
            None => "start".to_owned(),
            Some(i) => {
                let who = match self.movers[i] {
                    _ if i < self.record.opening => "opening".to_owned(),
                    Turn::Player(seat) => self.player(seat),
                    Turn::Chance | Turn::Over => "chance".to_owned(),
                };
                format!("{who}: {}{}", self.record.moves[i], note(&self.record.notes[i]))
            }
        };
        let count = format!("{ply}/{}", self.record.moves.len());
        format!(
            "\n{}{}",
            layout::labelled(&format!("{count}  "), &one_line(&line)),
            output::drawing(&position.scene())
        )
    }

    /// Returns the result and the verdict.
    fn ending(&self) -> String {
        let result = if self.record.is_void() {
            "void, the game does not count".to_owned()
        } else {
            turns::result(&self.record.utilities)
        };
        let mut text = format!("\n{result}");
        if let Some(seat) = turns::winner(&self.record.utilities) {
            text += &format!(" ({})", self.names[seat]);
        }
        let mut text = one_line(text.trim_start());
        if self.record.verdict == Verdict::Normal && !self.record.what.is_empty() {
            text += &format!(": {}", one_line(&self.record.what));
        }
        text.push('\n');
        if self.record.verdict != Verdict::Normal {
            text += &report::loss(self.config, self.record);
        }
        format!("\n{}", layout::fit(&text))
    }

    /// Steps through the positions on a terminal.
    fn step(&self) -> Result<(), Failure> {
        let last = self.record.moves.len();
        let mut ply = 0;
        loop {
            output::print(&self.frame(self.at(ply)?.as_ref()))?;
            if ply == last {
                output::print(&self.ending())?;
            }
            output::print("[Enter] next, [b] back, [q] quit> ")?;
            let mut line = Vec::new();
            match next_line(&mut io::stdin().lock(), &mut line) {
                Ok(Some(_)) => {}
                Ok(None) => return output::line(""),
                Err(e) => return Err(Failure::Failed(format!("cannot read the input: {e}"))),
            }
            match line.trim_ascii() {
                b"q" => return Ok(()),
                b"b" => ply = ply.saturating_sub(1),
                _ if ply == last => return Ok(()),
                _ => ply += 1,
            }
        }
    }

    fn draw(&self, picture: &Picture, ply: Option<usize>) -> Result<(), Failure> {
        if !picture.is_series() {
            return picture.write(&self.at(ply.unwrap_or(self.record.moves.len()))?.scene());
        }
        self.each(|position| {
            let n = position.history().len();
            if ply.is_none_or(|ply| ply == n) {
                picture.write_numbered(&position.scene(), n)?;
            }
            Ok(())
        })
    }

    fn document(&self, only: Option<usize>) -> Result<Document<'_>, Failure> {
        let players = self.names.len();
        let mut positions = Vec::new();
        self.each(|position| {
            let ply = position.history().len();
            if only.is_some_and(|only| only != ply) {
                return Ok(());
            }
            let before = ply.checked_sub(1);
            positions.push(Frame {
                ply,
                mover: before.map(|i| turns::turn(players, self.movers[i])),
                mv: before.map(|i| self.record.moves[i].clone()),
                position: position.text(),
                turn: turns::turn(players, position.turn()),
                timing: before.map(|i| self.record.notes[i].clone()),
            });
            Ok(())
        })?;
        Ok(Document { game: GameDocument::new(self.config, self.record), positions })
    }
}

/// Returns the known statistics of a move.
fn note(note: &MoveNote) -> String {
    let mut parts = Vec::new();
    if note.seat.is_some() {
        parts.push(duration(Duration::from_micros(note.used)));
    }
    parts.extend(note.value.map(|value| format!("value {}", (value * 1e4).round() / 1e4)));
    if note.depth > 0 {
        parts.push(format!("depth {}", note.depth));
    }
    if note.nodes > 0 {
        parts.push(counted(note.nodes, "node"));
    }
    if parts.is_empty() { String::new() } else { format!("  [{}]", parts.join(", ")) }
}
