//! A program that speaks GTP, the Go text protocol.

use std::time::{Duration, Instant};

use tussle_catalog::{Error, GoOptions, go_options};
use tussle_core::TimeControl;

use crate::external::{ExternalProgram, start_deadline};
use crate::program::Program;
use crate::{Answer, Ask, Fault, GameStart, Seat, Shortage, Usage, Verdict};

/// A program that speaks GTP.
pub(crate) struct Gtp {
    external: ExternalProgram,
    /// The number of the latest command.
    id: u64,
    commands: Vec<String>,
    rules: Rules,
    /// The moves on the program's board; nothing is known about it after a late answer.
    board: Option<Vec<String>>,
    /// The time settings it was told.
    times: String,
}

/// What a program that speaks GTP has to know about a game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Rules {
    pub(crate) size: usize,
    pub(crate) komi: f64,
}

/// Error of a game that programs cannot play by GTP.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GtpGameError {
    /// The spec of the game is wrong.
    #[error(transparent)]
    Spec(#[from] Error),
    /// The game is not Go.
    #[error("GTP is for go, not for {0}; write ugi:… or json:… for a program that plays it")]
    NotGo(String),
    /// The board is not square.
    #[error("GTP knows square boards only, not {0}")]
    NotSquare(String),
}

impl Rules {
    /// The rules by the spec of a game.
    ///
    /// # Errors
    /// If no such program can play it.
    pub(crate) fn of(game: &str) -> Result<Self, GtpGameError> {
        let Some(GoOptions { width, height, komi, .. }) = go_options(game)? else {
            return Err(GtpGameError::NotGo(game.to_owned()));
        };
        if width != height {
            return Err(GtpGameError::NotSquare(game.to_owned()));
        }
        Ok(Self { size: width, komi })
    }
}

impl Gtp {
    pub(crate) fn new(external: ExternalProgram) -> Self {
        Self {
            external,
            id: 0,
            commands: Vec::new(),
            rules: Rules::default(),
            board: None,
            times: String::new(),
        }
    }

    /// Sends a command and gives what the program answers.
    fn command(&mut self, command: &str, deadline: Instant) -> Result<String, Fault> {
        self.id += 1;
        let program = self.external.program()?;
        program.send(&format!("{} {command}", self.id), deadline)?;
        match response(program, self.id, deadline)? {
            Response::Success(text) => Ok(text),
            Response::Failure(text) => {
                let program = self.external.program()?;
                Err(program.protocol(format!("refused `{command}`"), &format!("? {text}")))
            }
        }
    }

    fn knows(&self, command: &str) -> bool {
        self.commands.iter().any(|known| known == command)
    }

    fn greet(&mut self, fresh: bool) -> Result<(), Fault> {
        let deadline = start_deadline();
        self.external.program()?.begin_move();
        if fresh {
            let version = self.command("protocol_version", deadline)?;
            if version.trim() != "2" {
                let program = self.external.program()?;
                return Err(program.protocol("speaks another version of GTP than 2", &version));
            }
            self.command("name", deadline)?;
            let commands = self.command("list_commands", deadline)?;
            self.commands = commands.split_ascii_whitespace().map(str::to_owned).collect();
            self.times.clear();
        }
        let Rules { size, komi } = self.rules;
        self.command(&format!("boardsize {size}"), deadline)?;
        self.command("clear_board", deadline)?;
        self.command(&format!("komi {komi}"), deadline)?;
        self.board = Some(Vec::new());
        Ok(())
    }

    fn ask(&mut self, ask: &Ask<'_>) -> Result<Answer, Fault> {
        self.external.begin_move(ask.stop)?;
        self.follow(ask)?;
        let colour = colour(ask.player);
        self.tell_time(ask, colour)?;
        // Until it has answered nobody knows what is on its board.
        let board = self.board.take();
        let answer = self.command(&format!("genmove {colour}"), ask.deadline)?;
        let answer = answer.trim();
        if answer.eq_ignore_ascii_case("resign") {
            self.board = board;
            return Ok(Answer::default());
        }
        let mv = vertex(answer);
        self.board = board.map(|mut moves| {
            moves.push(mv.clone());
            moves
        });
        Ok(Answer { mv: Some(mv), ..Answer::default() })
    }

    /// Makes the program's board that of the position.
    fn follow(&mut self, ask: &Ask<'_>) -> Result<(), Fault> {
        let history = ask.position.history();
        let known = self.board.take().filter(|board| history.starts_with(board));
        if known.is_none() {
            self.command("clear_board", ask.deadline)?;
        }
        let known = known.map_or(0, |board| board.len());
        for (ply, mv) in history.iter().enumerate().skip(known) {
            self.command(&format!("play {} {mv}", colour(ply % 2)), ask.deadline)?;
        }
        self.board = Some(history.to_vec());
        Ok(())
    }

    /// Tells the program about its time, as far as it wants to know.
    fn tell_time(&mut self, ask: &Ask<'_>, colour: &str) -> Result<(), Fault> {
        let seconds = |time: Duration| time.saturating_sub(ask.terms.margin).as_secs().max(1);
        let left = seconds(ask.clocks[ask.player].allowed());
        let (settings, stones) = match ask.terms.clock {
            TimeControl::Increment { base: bank, .. } => {
                (format!("time_settings {} 0 0", seconds(bank)), 0)
            }
            TimeControl::PerMove(_) | TimeControl::FirstMove { .. } => {
                (format!("time_settings 0 {left} 1"), 1)
            }
        };
        if self.knows("time_settings") && self.times != settings {
            self.command(&settings, ask.deadline)?;
            self.times = settings;
        }
        if self.knows("time_left") {
            self.command(&format!("time_left {colour} {left} {stones}"), ask.deadline)?;
        }
        Ok(())
    }
}

/// Black begins.
fn colour(player: usize) -> &'static str {
    if player == 0 { "black" } else { "white" }
}

/// A vertex as we write it.
fn vertex(text: &str) -> String {
    if text.eq_ignore_ascii_case("pass") { "pass".to_owned() } else { text.to_ascii_uppercase() }
}

/// Response of a program to a command, in the program's words.
enum Response {
    /// `=`: the program obeyed.
    Success(String),
    /// `?`: the program refused.
    Failure(String),
}

/// Reads the response to a command; responses to earlier ones are dropped.
fn response(program: &mut Program, id: u64, deadline: Instant) -> Result<Response, Fault> {
    loop {
        let first = program.line(deadline)?;
        let (refused, rest) = match (first.strip_prefix('='), first.strip_prefix('?')) {
            (Some(rest), _) => (false, rest),
            (_, Some(rest)) => (true, rest),
            _ => continue, // chatter
        };
        let digits = rest.chars().take_while(char::is_ascii_digit).count();
        let (number, text) = rest.split_at(digits);
        let mut text = text.trim_start().to_owned();
        loop {
            let line = program.line(deadline)?;
            if line.trim().is_empty() {
                break;
            }
            text.push('\n');
            text.push_str(&line);
        }
        match number.parse::<u64>() {
            Ok(earlier) if earlier < id => {}
            Ok(other) if other > id => {
                let what = format!("a response to command {other} when it was asked {id}");
                return Err(program.protocol(what, &first));
            }
            _ if refused => return Ok(Response::Failure(text)),
            _ => return Ok(Response::Success(text)),
        }
    }
}

impl Seat for Gtp {
    fn prepare(&mut self) -> Result<(), Shortage> {
        if self.board.is_none() {
            self.external.end(); // new, or it never answered in the last game
        }
        self.external.prepare()
    }

    fn begin(&mut self, start: &GameStart<'_>) -> Result<(), Fault> {
        let cannot = |why: &str| Fault::new(Verdict::Protocol, why);
        self.rules = Rules::of(start.game.spec()).map_err(|error| cannot(&error.to_string()))?;
        if !start.is_usual {
            return Err(cannot("GTP programs start from the empty board only"));
        }
        if self.board.is_none() && !self.external.is_fresh() {
            self.external.end(); // new, or it never answered in the last game
        }
        let fresh = self.external.ensure()?;
        let greeted = self.greet(fresh);
        self.external.settle_start(greeted)
    }

    fn choose(&mut self, ask: &Ask<'_>) -> Result<Answer, Fault> {
        let answer = self.ask(ask);
        self.external.settle(answer)
    }

    fn is_just_late(&mut self, patience: Duration) -> bool {
        let deadline = Instant::now() + patience;
        let id = self.id;
        let answer = self.external.program().and_then(|program| response(program, id, deadline));
        self.external.measure();
        // It has made its own move, which does not count: its board is set up anew.
        let late = matches!(answer, Ok(Response::Success(_)));
        self.board = late.then(|| vec!["late".to_owned()]);
        if !late {
            self.external.end_late();
        }
        late
    }

    fn excess(&mut self) -> Option<Fault> {
        self.external.excess()
    }

    fn usage(&self) -> Usage {
        self.external.usage()
    }

    fn is_deterministic(&self) -> bool {
        false // nobody knows
    }
}
