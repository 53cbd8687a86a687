//! Commands of the engine, by their names.

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use tussle_catalog::file::read_bytes;
use tussle_catalog::sgf;

use super::analysis::{AnalysisRequest, Dialect, Ticker, info, put};
use super::board::Board;
use super::error::{GtpError, LoadError};
use super::{Answer, Engine, Output, Reply, handicap};
use crate::gtp::grammar::{Colour, Command, parse_move, parse_vertex, vertex};

/// Names of all commands.
const COMMANDS: &[&str] = &[
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "rectangular_boardsize",
    "clear_board",
    "clear_cache",
    "komi",
    "fixed_handicap",
    "place_free_handicap",
    "set_free_handicap",
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "time_settings",
    "kgs-time_settings",
    "time_left",
    "final_score",
    "final_status_list",
    "loadsgf",
    "printsgf",
    "showboard",
    "analyze",
    "lz-analyze",
    "kata-analyze",
    "lz-genmove_analyze",
    "kata-genmove_analyze",
];

impl Engine {
    /// Executes a command that was received at `began`.
    pub(super) fn execute<W: Write + Send + 'static>(
        &mut self,
        command: &Command,
        began: Instant,
        output: &Output<W>,
    ) -> Result<Reply, GtpError> {
        let words = command.words.as_slice();
        let dialect = match command.name.strip_prefix("kata-") {
            Some(_) => Dialect::Kata,
            None => Dialect::Leela,
        };
        // The response to an analysis begins immediately and ends later.
        let begin = || output.text(&format!("={}\n", command.id));
        match command.name.as_str() {
            "analyze" | "lz-analyze" | "kata-analyze" => {
                let request = AnalysisRequest::parse(dialect, words).ok_or(GtpError::Syntax)?;
                let analysis = self.analyse(&request, output.clone(), begin)?;
                Ok(Reply::Analysis(analysis))
            }
            "lz-genmove_analyze" | "kata-genmove_analyze" => {
                let request = AnalysisRequest::parse(dialect, words).ok_or(GtpError::Syntax)?;
                begin()?;
                // The response has begun, so an error is part of it.
                let chosen = self.choose_with_analysis(&request, began, output);
                let last = chosen.unwrap_or_else(|why| format!("error {why}"));
                output.text(&last)?;
                Ok(Reply::Done)
            }
            name => self.answer(name, words, began).map(Reply::Text),
        }
    }

    fn answer(&mut self, name: &str, words: &[String], began: Instant) -> Answer {
        let word = |i: usize| words.get(i).map(String::as_str).ok_or(GtpError::Syntax);
        let number = |i: usize| word(i)?.parse::<usize>().map_err(|_| GtpError::Syntax);
        let colour = |i: usize| Colour::parse(word(i)?).ok_or(GtpError::Syntax);
        let seconds = |i: usize| {
            let seconds = word(i)?.parse::<f64>().map_err(|_| GtpError::Syntax)?;
            Duration::try_from_secs_f64(seconds.max(0.0)).map_err(|_| GtpError::Syntax)
        };
        match name {
            "protocol_version" => return Ok("2".to_owned()),
            "name" => return Ok(format!("tussle {}", self.player.spec())),
            "version" => return Ok(env!("CARGO_PKG_VERSION").to_owned()),
            "known_command" => {
                return Ok(COMMANDS.contains(&word(0).unwrap_or_default()).to_string());
            }
            "list_commands" => return Ok(COMMANDS.join("\n")),
            "quit" => {}
            "boardsize" => self.resize(number(0)?, number(0)?)?,
            "rectangular_boardsize" => self.resize(number(0)?, number(1)?)?,
            "clear_board" => self.begin_game(),
            "clear_cache" => self.player.forget(),
            "komi" => {
                let komi: f64 = word(0)?.parse().map_err(|_| GtpError::Syntax)?;
                self.replace_board(self.board.with_komi(komi)?)?;
            }
            "fixed_handicap" => return self.place(number(0)?, true),
            "place_free_handicap" => return self.place(number(0)?, false),
            "set_free_handicap" => self.set_up(words)?,
            "play" => {
                let mv = parse_move(word(1)?);
                self.board.play(colour(0)?, &mv)?;
            }
            "genmove" => return self.choose(colour(0)?, began),
            "reg_genmove" => return self.best_move(colour(0)?, began),
            "undo" => {
                if !self.board.undo() {
                    return Err(GtpError::NothingToUndo);
                }
            }
            "time_settings" => {
                let stones = number(2)?.try_into().map_err(|_| GtpError::Syntax)?;
                self.timing.set(seconds(0)?, seconds(1)?, stones);
            }
            "kgs-time_settings" => {
                let some = |i: usize| number(i)?.try_into().map_err(|_| GtpError::Syntax);
                match word(0)? {
                    "none" => self.timing.set_unlimited(),
                    "absolute" => self.timing.set(seconds(1)?, Duration::ZERO, 0),
                    "canadian" => self.timing.set(seconds(1)?, seconds(2)?, some(3)?),
                    "byoyomi" => self.timing.set_japanese(seconds(1)?, seconds(2)?, some(3)?),
                    _ => return Err(GtpError::Syntax),
                }
            }
            "time_left" => {
                let stones = number(2)?.try_into().map_err(|_| GtpError::Syntax)?;
                self.timing.set_left(colour(0)?, seconds(1)?, stones);
            }
            "final_score" => return self.score(),
            "final_status_list" => return self.status(word(0)?),
            "loadsgf" => {
                let before = if words.len() > 1 { Some(number(1)?) } else { None };
                self.load(word(0)?, before)?;
            }
            "printsgf" => {
                let text = sgf::write(self.board.position(), ["", ""])?;
                return Ok(text.trim_end().to_owned());
            }
            "showboard" => {
                let drawing = self.board.position().scene().text();
                let rows = drawing.lines().filter(|row| !row.is_empty());
                return Ok(format!("\n{}", rows.collect::<Vec<_>>().join("\n")));
            }
            _ => return Err(GtpError::Unknown),
        }
        Ok(String::new())
    }

    /// Replaces the board by another one, if the agent can play on it.
    fn replace_board(&mut self, board: Board) -> Result<(), GtpError> {
        self.player.change_game(board.game().clone())?;
        self.board = board;
        Ok(())
    }

    fn resize(&mut self, width: usize, height: usize) -> Result<(), GtpError> {
        let board = self.board.resized(width, height);
        self.replace_board(board.map_err(GtpError::Size)?)?;
        self.begin_game();
        Ok(())
    }

    fn begin_game(&mut self) {
        self.board.clear();
        self.player.new_game();
        self.timing.restart();
    }

    fn load(&mut self, path: &str, before: Option<usize>) -> Result<(), GtpError> {
        let failed = |source| GtpError::Load { path: path.to_owned(), source };
        self.replace_board(self.read_record(path, before).map_err(failed)?)?;
        self.player.new_game();
        self.timing.restart();
        Ok(())
    }

    fn read_record(&self, path: &str, before: Option<usize>) -> Result<Board, LoadError> {
        let bytes = read_bytes(Path::new(path))?;
        let record = sgf::read(&String::from_utf8_lossy(&bytes))?;
        Ok(self.board.loaded(&record, before)?)
    }

    /// Places handicap stones on the fixed points. If `exactly` is false, fewer stones are placed on a small board.
    fn place(&mut self, stones: usize, exactly: bool) -> Answer {
        let (width, height) = self.size();
        let most = handicap::most(width, height);
        let stones = if exactly { stones } else { stones.min(most) };
        let points = handicap::fixed(width, height, stones).ok_or(match most {
            0 => GtpError::NoHandicap,
            most => GtpError::Handicap { most },
        })?;
        self.board.set_up(&points)?;
        self.player.forget();
        let names = points.iter().map(|&(x, y)| vertex(x, y));
        Ok(names.collect::<Vec<_>>().join(" "))
    }

    fn set_up(&mut self, words: &[String]) -> Result<(), GtpError> {
        let (width, height) = self.size();
        let points = words.iter().map(|word| parse_vertex(word, width, height));
        let points: Vec<_> = points.collect::<Option<_>>().ok_or(GtpError::VertexList)?;
        let twice = points.iter().enumerate().any(|(i, point)| points[..i].contains(point));
        if twice || points.len() < 2 || points.len() >= width * height {
            return Err(GtpError::VertexList);
        }
        self.board.set_up(&points)?;
        self.player.forget();
        Ok(())
    }

    fn size(&self) -> (usize, usize) {
        let rows = self.board.rows();
        (rows.first().map_or(0, Vec::len), rows.len())
    }

    /// Chooses a move and makes it; a pass if the game is over.
    fn choose(&mut self, colour: Colour, began: Instant) -> Answer {
        let mv = self.best_move(colour, began)?;
        self.make(colour, &mv, began)?;
        Ok(mv)
    }

    /// Chooses a move without making it.
    fn best_move(&mut self, colour: Colour, began: Instant) -> Answer {
        if self.board.is_over() {
            return Ok("pass".to_owned());
        }
        let report = self.search(colour, self.limits(colour, began), 1, |_| {})?;
        report.best().cloned().ok_or(GtpError::NoMove)
    }

    fn make(&mut self, colour: Colour, mv: &str, began: Instant) -> Result<(), GtpError> {
        self.board.play_own(colour, mv)?;
        self.timing.spend(colour, began.elapsed());
        Ok(())
    }

    /// Chooses a move and makes it, and writes the analysis during the search.
    fn choose_with_analysis<W: Write + Send + 'static>(
        &mut self,
        request: &AnalysisRequest,
        began: Instant,
        output: &Output<W>,
    ) -> Answer {
        let colour = request.colour.unwrap_or(self.board.to_move());
        if self.board.is_over() {
            self.make(colour, "pass", began)?;
            return Ok("play pass".to_owned());
        }
        let ticker = Ticker::start(request.interval(), output.clone());
        let (latest, game) = (ticker.latest(), self.board.game().clone());
        let (own, rules) = (request.clone(), game.clone());
        let print = move |report: &_| put(&latest, info(rules.as_ref(), &own, report));
        let report = self.search(colour, self.limits(colour, began), request.lines(), print);
        ticker.end();
        let report = report?;
        let mv = report.best().cloned().ok_or(GtpError::NoMove)?;
        self.make(colour, &mv, began)?;
        Ok(format!("{}\nplay {mv}", info(game.as_ref(), request, &report)))
    }

    /// Returns the score with all stones counted as alive.
    fn score(&self) -> Answer {
        let score = self.board.score()?;
        Ok(match score {
            s if s > 0.0 => format!("B+{s}"),
            s if s < 0.0 => format!("W+{}", -s),
            _ => "0".to_owned(),
        })
    }

    /// Lists the stones with a status. All stones are alive, because dead stones must be captured before the end.
    fn status(&self, status: &str) -> Answer {
        match status {
            "alive" => {
                let strings = self.board.strings();
                let lines = strings.iter().map(|string| string.join(" "));
                Ok(lines.collect::<Vec<_>>().join("\n"))
            }
            "dead" | "seki" => Ok(String::new()),
            _ => Err(GtpError::Syntax),
        }
    }
}
