//! UGI server: makes a built-in agent an engine for other programs.
//!
//! UGI is UCI with numbered players instead of colours, and with `query`. Each line is a command. The search runs on a
//! separate thread and writes its own lines, so that commands are answered during a search.

mod info;
#[cfg(test)]
mod tests;

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use tussle_catalog::{AnyPosition, Error, turns};
use tussle_core::Turn;

use super::grammar::{UgiLimits, parse_position, result_word};
use crate::serve::output::Output;
use crate::serve::search::{RunningSearch, Task};
use crate::{EngineAgent, MAX_LINE_BYTES, next_line};
use info::InfoWriter;

/// Error of a `setoption` or `position` command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum UgiError {
    #[error("expected `setoption name NAME value VALUE`")]
    OptionForm,
    #[error("unknown option {0}; expected game, agent, seed or margin")]
    UnknownOption(String),
    #[error("expected a whole number, 0 or more, found {0}")]
    NotANumber(String),
    #[error(
        "expected `position startpos` or `position fen F`, then optionally `moves` and the moves"
    )]
    PositionForm,
    #[error("move {number} ({mv}): {source}")]
    Move { number: usize, mv: String, source: Error },
    /// The catalog rejects a game, an agent or a position.
    #[error(transparent)]
    Catalog(#[from] Error),
}

/// Answer to `go` without a move, as in UCI.
const NO_MOVE: &str = "bestmove 0000";

/// Executes commands until the input ends or the command is `quit`.
///
/// `margin` is the safety margin, subtracted from every time.
///
/// # Errors
/// If the input cannot be read or the output cannot be written.
pub fn serve(
    player: EngineAgent,
    margin: Duration,
    mut input: impl BufRead,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let mut engine = Engine {
        position: player.game().start(),
        player,
        margin,
        output: Output::new(output),
        search: None,
    };
    let mut line = Vec::new();
    while let Some(fits) = next_line(&mut input, &mut line)? {
        let began = Instant::now();
        if !fits {
            engine.complain(&format!("the line is longer than {MAX_LINE_BYTES} bytes"))?;
        } else if !engine.execute(&String::from_utf8_lossy(&line), began)? {
            break;
        }
    }
    engine.stop();
    Ok(())
}

struct Engine<W> {
    player: EngineAgent,
    position: Box<dyn AnyPosition>,
    margin: Duration,
    output: Output<W>,
    search: Option<RunningSearch>,
}

impl<W: Write + Send + 'static> Engine<W> {
    /// Executes a line that was received at `began`. Returns false for `quit`.
    fn execute(&mut self, line: &str, began: Instant) -> io::Result<bool> {
        let line = line.trim();
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match command {
            "" => {}
            "ugi" => self.introduce()?,
            "isready" => self.output.line("readyok")?,
            "setoption" => {
                if let Err(why) = self.set_option(rest) {
                    self.complain(&why.to_string())?;
                }
            }
            "uginewgame" => {
                self.stop();
                self.player.new_game();
                self.position = self.player.game().start();
            }
            "position" => match self.read_position(rest) {
                Ok(position) => self.position = position,
                Err(why) => self.complain(&why.to_string())?,
            },
            "go" => self.go(rest, began)?,
            "stop" => self.stop(),
            "query" => self.answer(rest)?,
            "d" | "display" => self.display()?,
            "quit" => return Ok(false),
            _ => self.remark(&format!("unknown command {command}, which is ignored"))?,
        }
        Ok(true)
    }

    fn introduce(&self) -> io::Result<()> {
        let (game, agent, most) = (self.player.game().spec(), self.player.spec(), u64::MAX);
        self.output.text(&format!(
            "id name tussle {} {agent}\n\
             id author the Tussle authors\n\
             option name game type string default {game}\n\
             option name agent type string default {agent}\n\
             option name seed type spin default {} min 0 max {most}\n\
             option name margin type spin default {} min 0 max {most}\n\
             ugiok\n",
            env!("CARGO_PKG_VERSION"),
            self.player.seed(),
            self.margin.as_millis(),
        ))
    }

    /// Sets an option from `name X value Y`. The value may contain spaces.
    fn set_option(&mut self, text: &str) -> Result<(), UgiError> {
        let form = UgiError::OptionForm;
        let text = text.strip_prefix("name").map(str::trim);
        let (name, value) = text.and_then(|text| text.split_once(" value")).ok_or(form)?;
        let value = value.trim();
        let number = || {
            let number = value.parse::<u64>();
            number.map_err(|_| UgiError::NotANumber(value.to_owned()))
        };
        let (game, agent, seed) = (self.player.game(), self.player.spec(), self.player.seed());
        let player = match name.trim().to_ascii_lowercase().as_str() {
            "game" => {
                game.catalog().game(value).and_then(|game| EngineAgent::new(game, agent, seed))
            }
            "agent" => EngineAgent::new(game.clone(), value, seed),
            "seed" => EngineAgent::new(game.clone(), agent, number()?),
            "margin" => {
                self.margin = Duration::from_millis(number()?);
                return Ok(());
            }
            other => return Err(UgiError::UnknownOption(other.to_owned())),
        };
        let player = player?;
        self.stop();
        if player.game().spec() != self.player.game().spec() {
            self.position = player.game().start();
        }
        self.player = player;
        Ok(())
    }

    /// Parses the words after `position` and plays the moves.
    fn read_position(&self, text: &str) -> Result<Box<dyn AnyPosition>, UgiError> {
        let (start, moves) = parse_position(text).ok_or(UgiError::PositionForm)?;
        let game = self.player.game();
        let mut position = match start {
            None => game.start(),
            Some(start) => game.position(start)?,
        };
        for (i, mv) in moves.enumerate() {
            position.play(mv).map_err(|source| UgiError::Move {
                number: i + 1,
                mv: mv.to_owned(),
                source,
            })?;
        }
        Ok(position)
    }

    fn go(&mut self, text: &str, began: Instant) -> io::Result<()> {
        self.stop(); // one search at a time
        let limits = UgiLimits::parse(text);
        for complaint in &limits.complaints {
            self.complain(complaint)?;
        }
        let mover = match self.position.turn() {
            Turn::Player(mover) => mover,
            Turn::Chance => {
                self.remark("chance is to move: send its outcome as a move of the position")?;
                return self.output.line(NO_MOVE);
            }
            Turn::Over => {
                self.remark("no player is to move: the game is over")?;
                return self.output.line(NO_MOVE);
            }
        };
        let agent = match self.player.take() {
            Ok(agent) => agent,
            Err(error) => {
                self.complain(&error.to_string())?;
                return self.output.line(NO_MOVE);
            }
        };
        let mut search_limits = limits.search_limits(mover, began, self.margin);
        if let Ok(Some(time)) = self.player.game().default_time(self.player.spec(), &search_limits)
        {
            let spec = self.player.spec();
            let text = format!("no limit: {spec} searches for {} s", time.as_secs());
            self.remark(&text)?;
            search_limits = search_limits.or_time(time);
        }
        let task = Task {
            agent,
            position: self.position.boxed(),
            limits: search_limits,
            lines: 1,
            waits: limits.infinite,
        };
        let mut writer = InfoWriter::new(self.player.game().clone(), mover, self.output.clone());
        self.search = Some(RunningSearch::start(task, move |update| writer.write(update)));
        Ok(())
    }

    /// Ends the search, if there is one, and waits until it has written its move.
    fn stop(&mut self) {
        if let Some(search) = self.search.take() {
            self.player.give_back(search.stop());
        }
    }

    fn answer(&self, question: &str) -> io::Result<()> {
        let turn = self.position.turn();
        let yes_or_no = |is_so: bool| if is_so { "true" } else { "false" }.to_owned();
        let numbered = |prefix: &str, suffix: &str| {
            let number = question.strip_prefix(prefix)?.strip_suffix(suffix)?;
            number.parse::<usize>().ok()?.checked_sub(1)
        };
        let utilities = self.position.utilities();
        let answer = match question {
            "gameover" => yes_or_no(turn == Turn::Over),
            "result" => result_word(utilities.as_deref()),
            _ => {
                if let Some(player) = numbered("p", "turn") {
                    yes_or_no(turn == Turn::Player(player))
                } else if let Some(player) = numbered("p", "win") {
                    yes_or_no(utilities.is_some_and(|u| turns::winner(&u) == Some(player)))
                } else {
                    // The other program waits for a response, so send one.
                    self.complain(&format!(
                        "unknown question {question}; expected gameover, p1turn, p1win or result"
                    ))?;
                    "unknown".to_owned()
                }
            }
        };
        self.output.line(&format!("response {answer}"))
    }

    fn display(&self) -> io::Result<()> {
        let drawing = self.position.scene().text();
        let position = format!("position {}", self.position.text());
        let mut text = String::new();
        for line in drawing.lines().chain([position.as_str()]) {
            text += &format!("info string {line}\n");
        }
        self.output.text(&text)
    }

    fn remark(&self, text: &str) -> io::Result<()> {
        self.output.line(&remark(text))
    }

    fn complain(&self, text: &str) -> io::Result<()> {
        self.remark(&format!("error {text}"))
    }
}

/// Returns a line for users. Control characters are removed, because the text may quote a received line.
fn remark(text: &str) -> String {
    let clean = |c: char| if c.is_control() { ' ' } else { c };
    format!("info string {}", text.chars().take(500).map(clean).collect::<String>())
}
