//! Examiner of GTP programs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tussle_catalog::{AnyGame, AnyPosition};
use tussle_core::{Rng, TimeControl, Turn};

use super::grammar::{COLUMNS, Colour, Response, Rules, TimeCommands, parse_move};
use crate::check::pace::MoveTime;
use crate::check::positions::{self, fault_of};
use crate::check::probe::{Probe, ProgramEnd};
use crate::check::{
    Examination, Finding, Outcome, Problem, Step, failed, farewell, fine, quiet, run, starts,
    warning,
};
use crate::program::START_TIMEOUT;
use crate::{CheckError, Fault, GtpGameError, Point};

/// Examines a program that speaks GTP.
pub(super) fn examine(
    probe: Probe,
    game: Arc<dyn AnyGame>,
    _: Option<TimeControl>,
    each: &mut dyn FnMut(&Point),
) -> Result<Vec<Point>, CheckError> {
    run(&mut Gtp::new(probe, game)?, STEPS, each)
}

/// Steps of the test, in this order.
const STEPS: &[Step<Gtp>] = &[
    Step::needed("starts", |gtp| starts(&mut gtp.probe)),
    Step::needed("protocol_version", Gtp::version),
    Step::needed("list_commands", Gtp::lists_commands),
    Step::new("name and version", Gtp::names),
    Step::new("known_command", Gtp::known_command),
    Step::new("ids sent back", Gtp::sends_id_back),
    Step::new("comments, blanks and empty lines", Gtp::comments),
    Step::new("unknown command", |gtp| gtp.refuses("xyzzy 1 2", "unknown command")),
    Step::new("syntax error", |gtp| gtp.refuses("play b", "syntax error")),
    Step::needed("boardsize, clear_board, komi", Gtp::sets_up),
    Step::new("unacceptable size", |gtp| gtp.refuses("boardsize 1000", "unacceptable size")),
    Step::new("first move", Gtp::first_move),
    Step::new("moves in random positions", Gtp::random_positions),
    Step::new("illegal move refused", Gtp::refuses_illegal),
    Step::new("undo", Gtp::undoes),
    Step::new("time_settings and time_left", Gtp::keeps_time),
    Step::new("whole game as Black", |gtp| gtp.whole_game(0)),
    Step::new("whole game as White", |gtp| gtp.whole_game(1)),
    Step::new("starts again after a game", Gtp::first_move),
    Step::new("final_score", Gtp::scores),
    Step::new("nothing else on standard output", |gtp| Ok(quiet(&gtp.probe, &gtp.noise))),
    Step::new("quit", Gtp::quits),
    Step::new("end of input", |gtp| farewell(&mut gtp.probe, None)),
];

/// Commands that GTP requires of every engine.
const REQUIRED: &[&str] = &[
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
];
/// Optional commands that many controllers use.
const RECOMMENDED: &[&str] = &["undo", "time_settings", "time_left", "final_score"];

/// Maximum time for a move without time settings.
const MOVE_TIMEOUT: Duration = Duration::from_secs(30);

struct Gtp {
    probe: Probe,
    game: Arc<dyn AnyGame>,
    rules: Rules,
    rng: Rng,
    commands: Vec<String>,
    noise: Vec<String>,
}

impl Examination for Gtp {
    fn probe(&mut self) -> &mut Probe {
        &mut self.probe
    }

    fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    fn greet(&mut self) -> Result<(), Fault> {
        self.set_up().map(|_| ())
    }
}

impl Gtp {
    fn new(probe: Probe, game: Arc<dyn AnyGame>) -> Result<Self, GtpGameError> {
        let rules = Rules::of(game.spec())?;
        let (commands, noise) = (Vec::new(), Vec::new());
        Ok(Self { probe, game, rules, rng: Rng::new(1), commands, noise })
    }

    fn ask(&mut self, command: &str) -> Result<Response, Fault> {
        self.ask_within(command, START_TIMEOUT)
    }

    fn ask_within(&mut self, command: &str, span: Duration) -> Result<Response, Fault> {
        self.probe.say(command)?;
        self.response(Instant::now() + span)
    }

    fn response(&mut self, by: Instant) -> Result<Response, Fault> {
        loop {
            let first = self.probe.hear(by)?;
            let Some(mut response) = Response::parse(&first) else {
                if !first.trim().is_empty() {
                    self.noise.push(first);
                }
                continue;
            };
            loop {
                let line = self.probe.hear(by).map_err(|mut fault| {
                    fault.what = format!("{}: an answer ends with an empty line", fault.what);
                    fault
                })?;
                if !response.push(&line) {
                    return Ok(response);
                }
            }
        }
    }

    fn knows(&self, command: &str) -> bool {
        self.commands.iter().any(|known| known == command)
    }

    fn version(&mut self) -> Outcome {
        let Response { is_success, text, .. } = self.ask("protocol_version")?;
        if is_success && text == "2" {
            return fine();
        }
        failed(format!("`{text}`"), "`= 2`", "implement version 2 of GTP, and answer `= 2`")
    }

    fn lists_commands(&mut self) -> Outcome {
        let Response { is_success, text, .. } = self.ask("list_commands")?;
        self.commands = text.split_whitespace().map(str::to_owned).collect();
        let missing = |list: &[&'static str]| -> Vec<&'static str> {
            list.iter().copied().filter(|command| !self.knows(command)).collect()
        };
        let (needed, wanted) = (missing(REQUIRED), missing(RECOMMENDED));
        if !is_success || !needed.is_empty() {
            let received = format!("a list without {}", needed.join(", "));
            return failed(received, "all commands that GTP requires", "add them");
        }
        if !wanted.is_empty() {
            let received = format!("a list without {}", wanted.join(", "));
            return warning(received, "commands that many programs use", "add them if you can");
        }
        Ok(Finding::Fine(format!("{} commands", self.commands.len())))
    }

    fn names(&mut self) -> Outcome {
        let name = self.ask("name")?;
        let version = self.ask("version")?;
        if !name.is_success || !version.is_success || name.text.is_empty() {
            let received = format!("`{}` and `{}`", name.text, version.text);
            return failed(received, "a name and a version", "answer both with `= TEXT`");
        }
        Ok(Finding::Fine(format!("{} {}", name.text, version.text)))
    }

    fn known_command(&mut self) -> Outcome {
        for (command, right) in [("genmove", "true"), ("xyzzy", "false")] {
            let answer = self.ask(&format!("known_command {command}"))?.text;
            if answer != right {
                let fix = "answer `true` exactly for the commands of `list_commands`";
                return failed(format!("`{answer}`"), format!("`= {right}`"), fix);
            }
        }
        fine()
    }

    fn sends_id_back(&mut self) -> Outcome {
        for (command, right) in
            [("42 name", "=42"), ("7 xyzzy", "?7"), ("1000000 version", "=1000000")]
        {
            let Response { is_success, id, .. } = self.ask(command)?;
            let received = format!("{}{id}", if is_success { '=' } else { '?' });
            if received != right {
                let fix = "put the number of the command directly after `=` or `?`";
                return failed(format!("`{received}`"), format!("`{right}`"), fix);
            }
        }
        fine()
    }

    fn comments(&mut self) -> Outcome {
        let name = self.ask("name")?.text;
        self.probe.say("")?;
        self.probe.say("# a comment")?;
        let answer = self.ask("\t name # what are you called?\r")?;
        if answer.is_success && answer.text == name {
            return fine();
        }
        failed(
            format!("`{}`", answer.text),
            format!("`= {name}`, and nothing for an empty line"),
            "drop everything after `#`, turn tabs into spaces, drop other control characters, skip \
             empty lines",
        )
    }

    fn refuses(&mut self, command: &str, why: &str) -> Outcome {
        let Response { is_success, text, .. } = self.ask(command)?;
        if !is_success {
            return Ok(Finding::Fine(text));
        }
        self.set_up()?;
        failed(
            format!("`= {text}`"),
            format!("`? {why}`"),
            "answer a command that cannot be executed with `?`",
        )
    }

    fn set_up(&mut self) -> Result<Option<Problem>, Fault> {
        for command in self.rules.setup() {
            let Response { is_success, text, .. } = self.ask(&command)?;
            if !is_success {
                let fix = "accept the size and komi of the game, or test it on another game";
                return Ok(Some(Problem::new(format!("`? {text}` to `{command}`"), "`=`", fix)));
            }
        }
        Ok(None)
    }

    fn sets_up(&mut self) -> Outcome {
        Ok(self.set_up()?.map_or(Finding::Fine(String::new()), Finding::Failed))
    }

    /// Sets up a position on the program's board. A move that it refuses is a problem.
    fn show(&mut self, position: &dyn AnyPosition) -> Result<Option<Problem>, Fault> {
        self.ask("clear_board")?;
        for (ply, mv) in position.history().iter().enumerate() {
            if let Some(problem) = self.tell(ply, mv)? {
                return Ok(Some(problem));
            }
        }
        Ok(None)
    }

    fn tell(&mut self, ply: usize, mv: &str) -> Result<Option<Problem>, Fault> {
        let command = format!("play {} {mv}", Colour::of(ply).letter());
        let Response { is_success, text, .. } = self.ask(&command)?;
        Ok((!is_success).then(|| {
            Problem::new(
                format!("`? {text}` to `{command}`, move {}", ply + 1),
                "`=`: the move is legal by the rules of the game",
                "check captures, suicide and ko; for a program with other rules of repetition use \
                 `--game go:…,superko=positional,cap=off`",
            )
        }))
    }

    /// Asks for a move and checks it.
    fn move_of(
        &mut self,
        position: &dyn AnyPosition,
        span: Duration,
    ) -> Result<(Finding, String), Fault> {
        let Turn::Player(player) = position.turn() else {
            return Ok((Finding::Fine(String::new()), String::new()));
        };
        let command = format!("genmove {}", Colour::of(player).letter());
        let Response { is_success, text, .. } = self.ask_within(&command, span)?;
        if text.eq_ignore_ascii_case("resign") {
            return Ok((Finding::Fine("it resigned".into()), text));
        }
        let mv = parse_move(&text);
        let finding = match fault_of(position, &mv) {
            None if is_success => Finding::Fine(mv.clone()),
            fault => Finding::Failed(Problem::new(
                fault.unwrap_or_else(|| format!("`? {text}`")),
                format!("a legal vertex, `pass` or `resign` in `{}`", position.text()),
                "choose one of the legal moves of the current board",
            )),
        };
        Ok((finding, mv))
    }

    fn first_move(&mut self) -> Outcome {
        self.set_up()?;
        let position = self.game.start();
        Ok(self.move_of(position.as_ref(), MOVE_TIMEOUT)?.0)
    }

    fn random_positions(&mut self) -> Outcome {
        for plies in [1, 2, 5, 8, 12] {
            let position = positions::random(&self.game, plies, &mut self.rng);
            if let Some(problem) = self.show(position.as_ref())? {
                return Ok(Finding::Failed(problem));
            }
            let (finding, _) = self.move_of(position.as_ref(), MOVE_TIMEOUT)?;
            if let Finding::Failed(_) = finding {
                return Ok(finding);
            }
        }
        Ok(Finding::Fine("five of them".into()))
    }

    fn refuses_illegal(&mut self) -> Outcome {
        self.set_up()?;
        self.ask("play b A1")?;
        let again = self.ask("play w A1")?;
        if again.is_success {
            let fix = "refuse a stone on another with `? illegal move`";
            return failed("`=` to a stone on another", "`? illegal move`", fix);
        }
        // The board must be unchanged: White may play elsewhere.
        let other = if self.rules.size > 1 { "play w B1" } else { "play w pass" };
        if !self.ask(other)?.is_success {
            let fix = "do not change the board when a move is refused";
            return failed(format!("`?` to `{other}` after that"), "`=`", fix);
        }
        fine()
    }

    fn undoes(&mut self) -> Outcome {
        if !self.knows("undo") {
            return Ok(Finding::Note("it has no `undo`".into()));
        }
        self.set_up()?;
        for command in ["play b A1", "undo", "play b A1", "undo"] {
            let Response { is_success, text, .. } = self.ask(command)?;
            if !is_success {
                let fix = "take back the latest move and put captured stones back";
                return failed(format!("`? {text}` to `{command}`"), "`=`", fix);
            }
        }
        if self.ask("undo")?.is_success {
            let fix = "answer `? cannot undo` if there is no move";
            return warning("`=` to `undo` on an empty board", "`? cannot undo`", fix);
        }
        fine()
    }

    fn keeps_time(&mut self) -> Outcome {
        if !self.knows("time_settings") {
            return Ok(Finding::Note("it has no `time_settings`".into()));
        }
        self.set_up()?;
        let position = self.game.start();
        let given = MoveTime::fresh(self.probe.pace.clock(), position.as_ref());
        let time =
            TimeCommands::new(given.clock, given.limit(), Duration::ZERO, Colour::Black.letter());
        self.ask(&time.settings)?;
        if self.knows("time_left") {
            self.ask(&time.left)?;
        }
        let began = Instant::now();
        let (finding, _) = self.move_of(position.as_ref(), MOVE_TIMEOUT)?;
        let took = self.probe.took(began);
        if let Finding::Failed(_) = finding {
            return Ok(finding);
        }
        self.ask("time_settings 0 0 0")?;
        let limit = given.limit().max(Duration::from_secs(1)); // GTP has whole seconds only
        Ok(crate::check::time::punctual(&[(limit, took)]))
    }

    /// Plays one game against a random player.
    fn whole_game(&mut self, seat: usize) -> Outcome {
        self.set_up()?;
        let mut position = self.game.start();
        while let Turn::Player(player) = position.turn() {
            let ply = position.history().len();
            if ply > positions::MAX_GAME_PLIES {
                return Ok(Finding::Note(format!("no end after {ply} moves")));
            }
            if player == seat {
                let (finding, mv) = self.move_of(position.as_ref(), MOVE_TIMEOUT)?;
                if mv.eq_ignore_ascii_case("resign") {
                    return Ok(Finding::Fine(format!("it resigned after {ply} moves")));
                }
                if let Finding::Failed(_) = finding {
                    return Ok(finding);
                }
                let _ = position.play(&mv); // the move is legal
                continue;
            }
            positions::step(position.as_mut(), &mut self.rng);
            let mv = position.history().last().cloned().unwrap_or_default();
            if let Some(problem) = self.tell(ply, &mv)? {
                return Ok(Finding::Failed(problem));
            }
        }
        Ok(Finding::Fine(format!("{} moves", position.history().len())))
    }

    /// Compares the score of a board on which no stone can be counted as dead, because one colour owns all.
    fn scores(&mut self) -> Outcome {
        if !self.knows("final_score") {
            return Ok(Finding::Note("it has no `final_score`".into()));
        }
        self.set_up()?;
        let mut position = self.game.start();
        // Black builds a wall across the board, White passes, and both pass.
        let middle = self.rules.size.div_ceil(2);
        let columns = COLUMNS.chars().take(self.rules.size);
        let mut moves: Vec<String> = Vec::new();
        for column in columns {
            moves.extend([format!("{column}{middle}"), "pass".to_owned()]);
        }
        moves.push("pass".to_owned());
        for (ply, mv) in moves.iter().enumerate() {
            if position.play(mv).is_err() {
                break;
            }
            if let Some(problem) = self.tell(ply, mv)? {
                return Ok(Finding::Failed(problem));
            }
        }
        let score = position.evaluate("area", 0).unwrap_or_default();
        let right = match score {
            s if s > 0.0 => format!("B+{s}"),
            s if s < 0.0 => format!("W+{}", -s),
            _ => "0".to_owned(),
        };
        let received = self.ask_within("final_score", MOVE_TIMEOUT)?.text;
        let number = |text: &str| {
            let (winner, points) = text.split_once('+').unwrap_or(("", "0"));
            (winner.to_ascii_uppercase(), points.trim().parse::<f64>().ok())
        };
        if number(&received) == number(&right) {
            return Ok(Finding::Fine(right));
        }
        warning(
            format!("`{received}`"),
            format!("`{right}`"),
            "count area with komi: a colour's stones and the empty points that only it can reach; \
             the arena does not use this score",
        )
    }

    fn quits(&mut self) -> Outcome {
        let Response { is_success, .. } = self.ask("quit")?;
        match self.probe.end_within(crate::check::QUIT_TIMEOUT) {
            Some(ProgramEnd::Exited { code: 0, left: 0 }) if is_success => fine(),
            Some(ProgramEnd::Exited { code: 0, left }) if left > 0 => warning(
                format!("it ended and left {left} processes running"),
                "no process left running",
                "before you exit, end the processes that you have started and wait for them",
            ),
            Some(end) => warning(end.to_string(), "`=` and exit code 0", "exit normally"),
            None => failed(
                format!("it was still running {:?} later", crate::check::QUIT_TIMEOUT),
                "an exit after `quit`",
                "answer `=` and exit",
            ),
        }
    }
}
