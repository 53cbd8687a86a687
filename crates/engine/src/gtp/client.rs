//! A program that speaks GTP, the Go text protocol.

use std::time::{Duration, Instant};

use super::grammar::{Colour, Response, Rules, TimeCommands, parse_move};
use crate::external::{ExternalProgram, start_deadline};
use crate::program::Program;
use crate::{Answer, Ask, Fault, GameStart, Seat, Shortage, Usage, Verdict};

/// A program that speaks GTP.
pub(crate) struct Gtp {
    engine: ExternalProgram,
    /// The number of the latest command.
    id: u64,
    commands: Vec<String>,
    rules: Rules,
    /// The moves on the program's board; nothing is known about it after a late answer.
    board: Option<Vec<String>>,
    /// The time settings it was told.
    times: String,
}

impl Gtp {
    pub(crate) fn new(engine: ExternalProgram) -> Self {
        Self {
            engine,
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
        let program = self.engine.program()?;
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

    fn greet(&mut self, fresh: bool) -> Result<(), Fault> {
        let deadline = start_deadline();
        self.engine.program()?.begin_move();
        if fresh {
            let version = self.command("protocol_version", deadline)?;
            if version.trim() != "2" {
                let program = self.engine.program()?;
                return Err(program.protocol("speaks another version of GTP than 2", &version));
            }
            self.command("name", deadline)?;
            let commands = self.command("list_commands", deadline)?;
            self.commands = commands.split_ascii_whitespace().map(str::to_owned).collect();
            self.times.clear();
        }
        for command in self.rules.setup() {
            self.command(&command, deadline)?;
        }
        self.board = Some(Vec::new());
        Ok(())
    }

    fn ask(&mut self, ask: &Ask<'_>) -> Result<Answer, Fault> {
        self.engine.begin_move(ask.stop)?;
        self.follow(ask)?;
        let colour = Colour::of(ask.player).word();
        self.tell_time(ask, colour)?;
        // Until it has answered, its board is unknown.
        let board = self.board.take();
        let answer = self.command(&format!("genmove {colour}"), ask.deadline)?;
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

    /// Makes the program's board that of the position.
    fn follow(&mut self, ask: &Ask<'_>) -> Result<(), Fault> {
        let history = ask.position.history();
        let known = self.board.take().filter(|board| history.starts_with(board));
        if known.is_none() {
            self.command("clear_board", ask.deadline)?;
        }
        let known = known.map_or(0, |board| board.len());
        for (ply, mv) in history.iter().enumerate().skip(known) {
            self.command(&format!("play {} {mv}", Colour::of(ply).word()), ask.deadline)?;
        }
        self.board = Some(history.to_vec());
        Ok(())
    }

    /// Tells the program about its time, as far as it wants to know.
    fn tell_time(&mut self, ask: &Ask<'_>, colour: &'static str) -> Result<(), Fault> {
        let left = ask.clocks[ask.player].allowed();
        let time = TimeCommands::new(ask.terms.clock, left, ask.terms.margin, colour);
        if self.knows("time_settings") && self.times != time.settings {
            self.command(&time.settings, ask.deadline)?;
            self.times = time.settings;
        }
        if self.knows("time_left") {
            self.command(&time.left, ask.deadline)?;
        }
        Ok(())
    }
}

/// Reads the response to a command; responses to earlier ones are dropped.
fn response(program: &mut Program, id: u64, deadline: Instant) -> Result<Response, Fault> {
    loop {
        let first = program.line(deadline)?;
        let Some(mut response) = Response::parse(&first) else { continue }; // chatter
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

impl Seat for Gtp {
    fn prepare(&mut self) -> Result<(), Shortage> {
        if self.board.is_none() {
            self.engine.end(); // new, or it never answered in the last game
        }
        self.engine.prepare()
    }

    fn begin(&mut self, start: &GameStart<'_>) -> Result<(), Fault> {
        let cannot = |why: &str| Fault::new(Verdict::Protocol, why);
        self.rules = Rules::of(start.game.spec()).map_err(|error| cannot(&error.to_string()))?;
        if !start.is_usual {
            return Err(cannot("GTP programs start from the empty board only"));
        }
        if self.board.is_none() && !self.engine.is_fresh() {
            self.engine.end(); // new, or it never answered in the last game
        }
        let fresh = self.engine.ensure()?;
        let greeted = self.greet(fresh);
        self.engine.settle_start(greeted)
    }

    fn choose(&mut self, ask: &Ask<'_>) -> Result<Answer, Fault> {
        let answer = self.ask(ask);
        self.engine.settle(answer)
    }

    fn is_just_late(&mut self, patience: Duration) -> bool {
        let deadline = Instant::now() + patience;
        let id = self.id;
        let answer = self.engine.program().and_then(|program| response(program, id, deadline));
        self.engine.measure();
        // It has made its own move, which does not count: its board is set up anew.
        let late = answer.is_ok_and(|response| response.is_success);
        self.board = late.then(|| vec!["late".to_owned()]);
        if !late {
            self.engine.end_late();
        }
        late
    }

    fn excess(&mut self) -> Option<Fault> {
        self.engine.excess()
    }

    fn usage(&self) -> Usage {
        self.engine.usage()
    }

    fn is_deterministic(&self) -> bool {
        false // unknown
    }
}
