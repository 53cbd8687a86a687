//! `tussle play`

use std::io::{self, IsTerminal as _};
use std::time::Instant;

use clap::Args;
use tussle_arena::MoveNote;
use tussle_catalog::{AnyAgent, AnyGame, AnyPosition, HUMAN, is_human};
use tussle_core::{PlayerClock, Report, Rng, Turn};

use super::show::From;
use super::terms::{Style, Terms};
use crate::failure::Failure;
use crate::{course, output, turns};
use tussle_arena::engine::next_line;

/// Play at the terminal, against an agent or another person
///
/// Type a move, or one of: moves, board, undo, resign, help, quit.
///
/// Examples:
///   tussle play tictactoe --vs random
///   tussle play gobblet --vs greedy-improved --side second
///   tussle play connect4
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Play {
    /// The game: name[:key=value,…], as `tussle games` lists them.
    game: String,
    /// Who takes the other seats: an agent as `tussle agents` lists them, or another `human`.
    #[arg(long, default_value = "human", value_name = "AGENT")]
    vs: String,
    /// Your seat: first, second, or its number, from 1.
    #[arg(long, default_value = "first")]
    side: String,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    terms: Terms,
}

const HELP: &str = "
  a move   make it (`moves` lists the legal ones)
  moves    list the legal moves
  board    draw the position again
  undo     take your latest move back
  resign   give the game up
  help     this list
  quit     leave
";

/// A game between people and agents.
struct Table<'a> {
    game: &'a dyn AnyGame,
    position: Box<dyn AnyPosition>,
    /// By seat; `None` is a person.
    agents: Vec<Option<Box<dyn AnyAgent>>>,
    names: Vec<String>,
    terms: &'a Terms,
    /// By seat; people take their time.
    clocks: Vec<PlayerClock>,
    chance: Rng,
}

/// What a person's line led to.
enum Said {
    Moved,
    TookBack,
    Resigned,
    Left,
}

impl Play {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let (game, position) = self.from.open(&self.game)?;
        let players = game.players();
        let mine = self.seat(players)?;
        let against_person = is_human(&self.vs)?;
        let person = match self.terms.style {
            Style::Plain => HUMAN.name,
            Style::Course => course::PERSON,
        };
        let mut agents = Vec::new();
        let mut names = Vec::new();
        for seat in 0..players {
            if seat == mine || against_person {
                agents.push(None);
                names.push(person.to_owned());
            } else {
                let seed = Rng::derive(self.terms.seed(), &[seat as u64]).next_u64();
                agents.push(Some(game.agent(&self.vs, seed)?));
                names.push(self.vs.clone());
            }
        }
        let table = Table {
            game: game.as_ref(),
            position,
            agents,
            names,
            terms: &self.terms,
            clocks: vec![self.terms.clock().start(); players],
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
        let course = self.terms.style == Style::Course;
        if course {
            let clock = self.terms.clock();
            output::print(&course::opening(self.game.spec(), &self.names, clock))?;
        }
        self.draw()?;
        if !course && io::stdin().is_terminal() {
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
            if let Some(agent) = &mut self.agents[seat] {
                let began = Instant::now();
                let budget = self.clocks[seat].budget(began, self.terms.margin());
                let report = agent.choose(self.position.as_ref(), &budget)?;
                if !self.clocks[seat].press(began.elapsed()) {
                    return self.give_up(seat, "ran out of time");
                }
                self.position.play(report.best().map_or("", String::as_str))?;
                self.tell(seat, Some(&report))?;
                continue;
            }
            match self.ask(seat)? {
                Said::Moved => self.tell(seat, None)?,
                Said::TookBack => self.draw()?,
                Said::Resigned => return self.give_up(seat, "resigns"),
                Said::Left => return output::line("The game is left unfinished."),
            }
        }
        let utilities = self.position.utilities().unwrap_or_default();
        if course {
            return output::print(&course::ending(&utilities));
        }
        output::line(&format!("Game over: {}.", turns::result(&utilities)))
    }

    /// Ends the game as lost for this seat.
    fn give_up(&self, seat: usize, why: &str) -> Result<(), Failure> {
        output::line(&format!("{} {why}: the game is lost.", self.player(seat)))?;
        let players = self.names.len();
        if self.terms.style == Style::Course && players == 2 {
            output::print(&course::ending(&turns::defeat(players, seat)))?;
        }
        Ok(())
    }

    fn player(&self, seat: usize) -> String {
        turns::player(self.game.players(), seat)
    }

    fn draw(&self) -> Result<(), Failure> {
        output::print(&format!("\n{}\n", output::drawing(&self.position.scene())))
    }

    /// Tells about the move that this seat has just made.
    fn tell(&self, seat: usize, report: Option<&Report<String>>) -> Result<(), Failure> {
        let moves = self.position.history();
        let (number, name) = (moves.len(), &self.names[seat]);
        let mv = moves.last().map_or("", String::as_str);
        match self.terms.style {
            Style::Course => {
                let note = report.map(MoveNote::of).unwrap_or_default();
                output::print(&course::one_move(name, number, mv, &note))?;
            }
            Style::Plain => output::line(&format!("{} ({name}): {mv}", self.player(seat)))?,
        }
        self.draw()
    }

    /// Reads lines until the person has made up their mind.
    fn ask(&mut self, seat: usize) -> Result<Said, Failure> {
        loop {
            if io::stdin().is_terminal() {
                output::print(&format!("{} to move> ", self.player(seat)))?;
            }
            let mut line = Vec::new();
            let fits = match next_line(&mut io::stdin().lock(), &mut line) {
                Ok(Some(fits)) => fits,
                Ok(None) => {
                    let moves = self.position.history().len();
                    return Err(Failure::Failed(format!(
                        "the input ended after {moves} moves, before the game did"
                    )));
                }
                Err(e) => return Err(Failure::Failed(format!("cannot read the input: {e}"))),
            };
            let Some(line) = str::from_utf8(&line).ok().filter(|_| fits) else {
                output::line("That was no line of text; type a move or `help`.")?;
                continue;
            };
            match line.trim() {
                "" => {}
                // A tree may have a move called `help`.
                mv if self.position.moves().iter().any(|legal| legal == mv) => {
                    self.position.play(mv)?;
                    return Ok(Said::Moved);
                }
                "help" | "?" => output::print(HELP)?,
                "moves" => output::line(&self.position.moves().join(" "))?,
                "board" => self.draw()?,
                "undo" if self.undo(seat) => return Ok(Said::TookBack),
                "undo" => output::line("There is no move of yours to take back.")?,
                "resign" => return Ok(Said::Resigned),
                "quit" | "exit" => return Ok(Said::Left),
                mv => match self.position.play(mv) {
                    Ok(()) => return Ok(Said::Moved),
                    Err(e) => output::line(&format!("{e}. Type `moves` for the legal ones."))?,
                },
            }
        }
    }

    /// Takes back to the latest position in which a person was to move; with two people at the
    /// table that is one move, against an agent the agent's answer goes too.
    fn undo(&mut self, seat: usize) -> bool {
        let mut back = self.position.boxed();
        while back.undo() {
            if matches!(back.turn(), Turn::Player(s) if s == seat || self.agents[s].is_none()) {
                self.position = back;
                return true;
            }
        }
        false
    }
}
