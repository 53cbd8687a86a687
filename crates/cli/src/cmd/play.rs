//! `tussle play`

use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use clap::Args;
use tussle_arena::MoveNote;
use tussle_catalog::text::{self, counted, is_unprintable};
use tussle_catalog::{AnyGame, AnyPosition, Catalog, HUMAN, is_program};
use tussle_core::{PlayerClock, Report, Rng, Turn};
use tussle_engine::{ChosenMove, Fault, Player, Programs, Verdict, next_line};

use crate::args::{StartPosition, Style, Terms};
use crate::course::{self, Course};
use crate::failure::{Failure, check_rules, visible};
use crate::start::check_start;
use crate::{output, turns};

/// Play a game at the terminal against an agent, a program or another person
///
/// Type a move, or one of: moves, board, undo, resign, help, quit.
///
/// Examples:
///   tussle play tictactoe --vs random
///   tussle play gobblet --vs greedy-improved --side second
///   tussle play connect4
///   tussle play gobblet --vs "json:python3 agent.py" --clock 3s
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Play {
    /// Game spec, name[:key=value,…]; see `tussle games`
    game: String,
    /// Opponent in all other seats: an agent (see `tussle agents`), a program (json:COMMAND, ugi:COMMAND,
    /// gtp:COMMAND), or `human`
    #[arg(long, default_value = "human", value_name = "AGENT")]
    vs: String,
    /// Your seat: first, second, or a number from 1
    #[arg(long, default_value = "first")]
    side: String,
    #[command(flatten)]
    from: StartPosition,
    #[command(flatten)]
    terms: Terms,
}

const HELP: &str = "
  a move   make the move
  moves    list the legal moves
  board    draw the position again
  undo     take your last move back
  resign   lose the game
  help     print this list
  quit     leave the game unfinished
";

/// Game between people and agents.
struct Table<'a> {
    game: &'a dyn AnyGame,
    position: Box<dyn AnyPosition>,
    /// Agents and programs by seat; `None` is a person.
    players: Vec<Option<Player>>,
    names: Vec<String>,
    terms: &'a Terms,
    /// Course in whose style the game is printed.
    course: Option<Course>,
    /// Clocks by seat; people have no time limit.
    clocks: Vec<PlayerClock>,
    chance: Rng,
}

/// Action of a person.
enum PersonAction {
    Moved,
    TookBack,
    Resigned,
    Left,
}

impl Play {
    pub(crate) fn run(&self, catalog: &Catalog, programs: &Programs) -> Result<(), Failure> {
        let (game, position) = self.from.open(catalog, &self.game)?;
        let players = game.players();
        let mine = self.seat(players)?;
        if self.vs.chars().any(is_unprintable) {
            let shown = text::visible(&self.vs, |_| false);
            let why = "expected a spec without control and invisible characters";
            return Err(Failure::usage(format!("--vs {shown}: {why}")));
        }
        let against_person = !is_program(&self.vs) && catalog.is_human(&self.vs)?;
        check_start(&self.vs, game.as_ref(), position.as_ref())?;
        let course = match self.terms.style {
            Style::Plain => None,
            Style::Course => Course::at_the_terminal(game.spec()),
        };
        let person = if course.is_some() { course::PERSON } else { HUMAN.name };
        let mut others = Vec::new();
        let mut names = Vec::new();
        for seat in 0..players {
            if seat == mine || against_person {
                others.push(None);
                names.push(person.to_owned());
            } else {
                let seed = Rng::derive(self.terms.seed(), &[seat as u64]).next_u64();
                others.push(Some(programs.player(&game, &self.vs, seed)?));
                names.push(self.vs.clone());
            }
        }
        let table = Table {
            game: game.as_ref(),
            position,
            players: others,
            names,
            terms: &self.terms,
            course,
            clocks: vec![self.terms.clock().player_clock(); players],
            chance: Rng::derive(self.terms.seed(), &[players as u64]),
        };
        table.play()
    }

    fn seat(&self, players: usize) -> Result<usize, Failure> {
        let number = match self.side.as_str() {
            "first" => 1,
            "second" => 2,
            side => side.strip_prefix("player-").unwrap_or(side).parse().unwrap_or(0),
        };
        match number {
            1.. if number <= players => Ok(number - 1),
            _ => Err(Failure::usage(format!(
                "--side {}: valid seats are first, second, or a number from 1 to {players}",
                self.side
            ))),
        }
    }
}

impl Table<'_> {
    fn play(mut self) -> Result<(), Failure> {
        if let Some(course) = self.course {
            let clock = self.terms.clock();
            output::print(&course.opening(self.game.spec(), &self.names, clock))?;
        }
        self.draw()?;
        if self.course.is_none() && io::stdin().is_terminal() {
            output::line("Type a move, or `help`.")?;
        }
        loop {
            let seat = match self.position.turn() {
                Turn::Over => break,
                Turn::Chance => {
                    let outcome = self.position.roll(&mut self.chance).unwrap_or_default();
                    output::line(&format!("chance: {outcome}"))?;
                    self.position.play(&outcome)?;
                    continue;
                }
                Turn::Player(seat) => seat,
            };
            if self.course == Some(Course::Gobblet) {
                output::print(&course::player(seat))?;
            }
            let began = Instant::now();
            if let Some(player) = &mut self.players[seat] {
                let terms = tussle_engine::Terms {
                    clock: self.terms.clock(),
                    margin: self.terms.margin(),
                    ..tussle_engine::Terms::default()
                };
                let position = self.position.as_ref();
                match player.choose(position, &mut self.clocks, &terms, None) {
                    Ok(Some(ChosenMove { report, took })) => {
                        self.position.play(report.best().map_or("", String::as_str))?;
                        self.tell(seat, Some(&report), took)?;
                        continue;
                    }
                    Ok(None) => return self.end_as_lost(seat, "resigns"),
                    Err(fault) => {
                        check_rules(self.game)?;
                        return self.end_by_fault(seat, fault);
                    }
                }
            }
            match self.ask(seat)? {
                PersonAction::Moved => self.tell(seat, None, began.elapsed())?,
                PersonAction::TookBack => self.draw()?,
                PersonAction::Resigned => return self.end_as_lost(seat, "resigns"),
                PersonAction::Left => return output::line("The game is left unfinished."),
            }
        }
        check_rules(self.game)?;
        let utilities = self.position.utilities().unwrap_or_default();
        if let Some(course) = self.course {
            return output::print(&course.ending(&utilities));
        }
        output::line(&format!("Game over: {}.", turns::result(&utilities)))
    }

    /// Ends the game as lost for this seat.
    fn end_as_lost(&self, seat: usize, why: &str) -> Result<(), Failure> {
        output::line(&format!("{} {why}: the game is lost.", self.player(seat)))?;
        match (self.course, self.names.len()) {
            (Some(course), 2) => output::print(&course.ending(&turns::defeat(2, seat))),
            _ => Ok(()),
        }
    }

    /// Ends the game by the fault of an agent or a program.
    fn end_by_fault(&mut self, seat: usize, fault: Fault) -> Result<(), Failure> {
        let is_late = matches!(fault.verdict, Verdict::Time | Verdict::Host);
        match self.players[seat].take() {
            Some(player) if player.is_program() => drop(player), // ends its processes
            _ if is_late => return self.end_as_lost(seat, "ran out of time"),
            _ => return Err(Failure::Usage(fault.what)),
        }
        let who = format!("{} ({})", self.player(seat), self.names[seat]);
        if fault.verdict == Verdict::Host {
            let why = Fault { verdict: Verdict::Normal, ..fault };
            return output::line(&visible(&format!(
                "{who} was late because this machine is busy, so the game is void: {why}"
            )));
        }
        output::line(&visible(&format!("{who} lost by {fault}")))?;
        let utilities = turns::defeat(self.names.len(), seat);
        match (self.course, self.names.len()) {
            (Some(course), 2) => output::print(&course.ending(&utilities)),
            _ => output::line(&format!("Game over: {}.", turns::result(&utilities))),
        }
    }

    fn player(&self, seat: usize) -> String {
        turns::player(self.game.players(), seat)
    }

    fn draw(&self) -> Result<(), Failure> {
        output::print(&format!("\n{}\n", output::drawing(&self.position.scene())))
    }

    /// Prints the latest move, which this seat made.
    fn tell(
        &self,
        seat: usize,
        report: Option<&Report<String>>,
        took: Duration,
    ) -> Result<(), Failure> {
        let name = &self.names[seat];
        let mv = self.position.history().last().map_or("", String::as_str);
        match (self.course, report) {
            // The course prints a block only for agents.
            (Some(Course::KeepOnMoving), Some(report)) => {
                let number = self.own_moves(seat);
                output::print(&course::one_move(name, number, mv, &MoveNote::of(report)))?;
            }
            // At a terminal, the questions and answers were printed already.
            (Some(Course::Gobblet), None) if !io::stdin().is_terminal() => {
                output::print(&course::answered(mv))?;
            }
            (Some(_), _) => {}
            (None, _) => output::line(&format!("{} ({name}): {mv}", self.player(seat)))?,
        }
        self.draw()?;
        if self.course == Some(Course::Gobblet) {
            output::print(&course::step_time(took))?;
        }
        Ok(())
    }

    /// Returns the number of moves that this seat has made so far.
    fn own_moves(&self, seat: usize) -> usize {
        let mut back = self.position.boxed();
        std::iter::from_fn(|| back.undo().then(|| back.turn()))
            .filter(|turn| *turn == Turn::Player(seat))
            .count()
    }

    /// Prompts a person at a terminal for a move, or for the cell of the named piece.
    fn prompt(&self, seat: usize, pawn: Option<&str>) -> Result<(), Failure> {
        if !io::stdin().is_terminal() {
            return Ok(());
        }
        match (self.course, pawn) {
            (Some(Course::Gobblet), None) => output::print(course::INSERT_PAWN),
            (Some(Course::Gobblet), Some(_)) => output::print(course::INSERT_LOCATION),
            _ => output::print(&format!("{} to move> ", self.player(seat))),
        }
    }

    /// Reads lines until one is an action.
    fn ask(&mut self, seat: usize) -> Result<PersonAction, Failure> {
        // The Gobblet course asks for the piece, then for its cell.
        let mut pawn: Option<String> = None;
        loop {
            self.prompt(seat, pawn.as_deref())?;
            let mut line = Vec::new();
            let fits = match next_line(&mut io::stdin().lock(), &mut line) {
                Ok(Some(fits)) => fits,
                Ok(None) => {
                    let moves = self.position.history().len();
                    return Err(Failure::Failed(format!(
                        "the input ended after {}, before the game was over",
                        counted(moves as u64, "move")
                    )));
                }
                Err(e) => return Err(Failure::Failed(format!("cannot read the input: {e}"))),
            };
            let Some(line) = str::from_utf8(&line).ok().filter(|_| fits) else {
                output::line("The line is not UTF-8 text, or is too long; type a move or `help`.")?;
                continue;
            };
            let line = match pawn.take() {
                Some(pawn) if line.trim().parse::<u8>().is_ok() => {
                    format!("{pawn}@{}", line.trim())
                }
                _ => line.trim().to_owned(),
            };
            match line.as_str() {
                "" => {}
                line if self.course == Some(Course::Gobblet) && course::is_pawn(line) => {
                    pawn = Some(line.to_owned());
                }
                // A tree may have a move called `help`.
                mv if self.position.moves().iter().any(|legal| legal == mv) => {
                    self.position.play(mv)?;
                    return Ok(PersonAction::Moved);
                }
                "help" | "?" => output::print(HELP)?,
                "moves" => output::line(&self.position.moves().join(" "))?,
                "board" => self.draw()?,
                "undo" if self.undo(seat) => return Ok(PersonAction::TookBack),
                "undo" => output::line("You have no move to take back.")?,
                "resign" => return Ok(PersonAction::Resigned),
                "quit" | "exit" => return Ok(PersonAction::Left),
                mv => match self.position.play(mv) {
                    Ok(()) => return Ok(PersonAction::Moved),
                    Err(e) => output::line(&format!("{e}. Type `moves` for the legal moves."))?,
                },
            }
        }
    }

    /// Returns to the latest position in which a person was to move: takes back one move between two people,
    /// and also the agent's answer against an agent.
    fn undo(&mut self, seat: usize) -> bool {
        let mut back = self.position.boxed();
        while back.undo() {
            if matches!(back.turn(), Turn::Player(s) if s == seat || self.players[s].is_none()) {
                self.position = back;
                return true;
            }
        }
        false
    }
}
