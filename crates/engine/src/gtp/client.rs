//! Client for programs that speak GTP, the Go text protocol.

use std::time::Instant;

use super::grammar::{Colour, Response, Rules, TimeCommands, parse_move};
use crate::external::{ExternalProgram, start_deadline};
use crate::program::Program;
use crate::seat::program::Client;
use crate::{Answer, Ask, Fault, GameStart, GtpGameError, Verdict};

/// Client for a program that speaks GTP.
#[derive(Default)]
pub(super) struct Gtp {
    /// Number of the latest command.
    id: u64,
    commands: Vec<String>,
    rules: Rules,
    /// Moves on the program's board; `None` if it is unknown, as after a late answer.
    board: Option<Vec<String>>,
    /// Time settings that were sent to the program.
    times: String,
}

impl Gtp {
    /// Sends a command and returns the program's response.
    fn command(
        &mut self,
        program: &mut Program,
        command: &str,
        deadline: Instant,
    ) -> Result<String, Fault> {
        self.id += 1;
        program.send(&format!("{} {command}", self.id), deadline)?;
        let Response { is_success, text, .. } = response(program, self.id, deadline)?;
        if is_success {
            return Ok(text);
        }
        Err(program.protocol(format!("refused `{command}`"), &format!("? {text}")))
    }

    fn knows(&self, command: &str) -> bool {
        self.commands.iter().any(|known| known == command)
    }

    fn greet(&mut self, program: &mut Program, is_new: bool) -> Result<(), Fault> {
        let deadline = start_deadline();
        program.begin_move();
        if is_new {
            let version = self.command(program, "protocol_version", deadline)?;
            if version.trim() != "2" {
                return Err(program.protocol("speaks another version of GTP than 2", &version));
            }
            self.command(program, "name", deadline)?;
            let commands = self.command(program, "list_commands", deadline)?;
            self.commands = commands.split_ascii_whitespace().map(str::to_owned).collect();
            self.times.clear();
        }
        for command in self.rules.setup() {
            self.command(program, &command, deadline)?;
        }
        self.board = Some(Vec::new());
        Ok(())
    }

    /// Brings the program's board to the position.
    fn follow(&mut self, program: &mut Program, ask: &Ask<'_>) -> Result<(), Fault> {
        let history = ask.position.history();
        let known = self.board.take().filter(|board| history.starts_with(board));
        if known.is_none() {
            self.command(program, "clear_board", ask.deadline)?;
        }
        let known = known.map_or(0, |board| board.len());
        for (ply, mv) in history.iter().enumerate().skip(known) {
            self.command(program, &format!("play {} {mv}", Colour::of(ply).word()), ask.deadline)?;
        }
        self.board = Some(history.to_vec());
        Ok(())
    }

    /// Sends the program its time, by the commands that it has.
    fn tell_time(
        &mut self,
        program: &mut Program,
        ask: &Ask<'_>,
        colour: &'static str,
    ) -> Result<(), Fault> {
        let left = ask.clocks[ask.player].allowed();
        let time = TimeCommands::new(ask.terms.clock, left, ask.terms.margin, colour);
        if self.knows("time_settings") && self.times != time.settings {
            self.command(program, &time.settings, ask.deadline)?;
            self.times = time.settings;
        }
        if self.knows("time_left") {
            self.command(program, &time.left, ask.deadline)?;
        }
        Ok(())
    }
}

/// Reads the response to a command. Responses to earlier commands are dropped.
fn response(program: &mut Program, id: u64, deadline: Instant) -> Result<Response, Fault> {
    loop {
        let first = program.line(deadline)?;
        let Some(mut response) = Response::parse(&first) else { continue }; // not a response
        while response.push(&program.line(deadline)?) {}
        match response.id.parse::<u64>() {
            Ok(earlier) if earlier < id => {}
            Ok(other) if other > id => {
                let what = format!("a response to command {other} when it was asked {id}");
                return Err(program.protocol(what, &first));
            }
            _ => return Ok(response),
        }
    }
}

impl Client for Gtp {
    fn check(&self, start: &GameStart<'_>) -> Result<(), Fault> {
        let cannot = |why: &str| Fault::new(Verdict::Protocol, why);
        Rules::of(start.game.spec()).map_err(|error| cannot(&error.to_string()))?;
        if !start.is_usual {
            return Err(cannot("GTP programs start from the empty board only"));
        }
        Ok(())
    }

    fn is_out_of_step(&self) -> bool {
        self.board.is_none() // the program is new, or did not answer in the last game
    }

    fn begin(
        &mut self,
        program: &mut ExternalProgram,
        is_new: bool,
        start: &GameStart<'_>,
    ) -> Result<(), Fault> {
        let cannot = |error: GtpGameError| Fault::new(Verdict::Protocol, error.to_string());
        self.rules = Rules::of(start.game.spec()).map_err(cannot)?;
        self.greet(program.program()?, is_new)
    }

    fn ask(&mut self, engine: &mut ExternalProgram, ask: &Ask<'_>) -> Result<Answer, Fault> {
        engine.begin_move(ask.stop)?;
        let program = engine.program()?;
        self.follow(program, ask)?;
        let colour = Colour::of(ask.player).word();
        self.tell_time(program, ask, colour)?;
        // The program's board is unknown until it has answered.
        let board = self.board.take();
        let answer = self.command(program, &format!("genmove {colour}"), ask.deadline)?;
        let answer = answer.trim();
        if answer.eq_ignore_ascii_case("resign") {
            self.board = board;
            return Ok(Answer::default());
        }
        let mv = parse_move(answer);
        self.board = board.map(|mut moves| {
            moves.push(mv.clone());
            moves
        });
        Ok(Answer { mv: Some(mv), ..Answer::default() })
    }

    fn wait_for_late_answer(&mut self, engine: &mut ExternalProgram, deadline: Instant) -> bool {
        let id = self.id;
        let answer = engine.program().and_then(|program| response(program, id, deadline));
        // The program has played its late move on its board, but the move does not count. A history that no game has makes
        // the client set up the board again.
        let is_late = answer.is_ok_and(|response| response.is_success);
        self.board = is_late.then(|| vec!["late".to_owned()]);
        is_late
    }
}
