//! `tussle match`

mod document;

use clap::Args;
use tussle_arena::{Record, SpecError, Summary, Tournament, TournamentPatch};
use tussle_catalog::Catalog;
use tussle_core::TimeControl;
use tussle_engine::Programs;
use tussle_stats::Sprt;

use crate::args::{Conditions, Style};
use crate::course::{self, Course};
use crate::failure::Failure;
use crate::output;
use crate::report::results;
use crate::session::{self, Played};

/// Play agents against each other, taking every seat in turn
///
/// Two-player games alternate sides: game 0 and 1, 2 and 3 … are pairs, which begin with the same
/// opening. In games of more players the agents move round the table.
///
/// Agents are those of `tussle agents`, or programs: ugi:COMMAND, gtp:COMMAND (Go), json:COMMAND.
///
/// Examples:
///   tussle match gobblet greedy random --games 200
///   tussle match keep-on-moving:board=0..4 simple random --games 100 --seed 7 --json
///   tussle match connect4 minimax:depth=4 greedy --games 10 --clock 15s+1s
///   tussle match go:size=5 mcts "gtp:gnugo --mode gtp" --clock 2s --games 20 --store go.db
///   tussle match connect4 "json:python3 mine.py" random --opening-plies 4
///   tussle match connect4 mcts:nodes=400 mcts:nodes=200 --sprt elo0=0,elo1=50 --opening-plies 4
///   tussle match gobblet greedy random --games 100 --style course
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Match {
    /// The game: name[:key=value,…], as `tussle games` lists them; `key=0..4` is a list of games,
    /// which the pairs play in turn.
    game: String,
    /// The agents, one for each player: name[:key=value,…], as `tussle agents` lists them, or programs.
    #[arg(required = true)]
    agents: Vec<String>,
    /// How many games to play.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Stop as soon as this test has an answer: elo0=0,elo1=10[,alpha=.05][,beta=.05][,model=normalized],
    /// where the other model is logistic. `--games` is then the most there may be.
    #[arg(long, value_name = "TEST")]
    sprt: Option<Sprt>,
    #[command(flatten)]
    conditions: Conditions,
}

impl Match {
    pub(crate) fn run(&self, catalog: &Catalog, programs: &Programs) -> Result<(), Failure> {
        let named = TournamentPatch::between(&self.game, &self.agents);
        let given = TournamentPatch { sprt: self.sprt, ..self.conditions.patch() };
        let patch = named.overlaid(given);
        let (store, jobs) = (patch.store.clone(), patch.jobs);
        let spec = patch.into_spec().map_err(Failure::usage)?.with_games(self.games);
        let tournament = Tournament::new_match(spec, catalog).map_err(|error| match error {
            SpecError::WrongNumberOfAgents { players, agents, .. } if agents > players as u64 => {
                Failure::usage(format!("{error}, or use `tussle tournament`"))
            }
            error => Failure::usage(error),
        })?;
        let Conditions { terms, json, .. } = &self.conditions;
        let is_course = terms.style == Style::Course && !json;
        if is_course && tournament.players() != 2 {
            return Err(Failure::usage("--style course is for games of two players"));
        }
        session::announce(&tournament, *json);
        let played = session::play(&tournament, store.as_deref(), jobs, programs)?;
        if *json {
            document::print(&tournament, &played)?;
        } else {
            match Course::of(&tournament.spec().games[0]).filter(|_| is_course) {
                Some(course) => print_as_the_course(course, &tournament, &played)?,
                None => results::print(&played.store, false, &[])?,
            }
        }
        played.end()
    }
}

/// Prints what the course of this game prints.
fn print_as_the_course(
    course: Course,
    tournament: &Tournament,
    played: &Played,
) -> Result<(), Failure> {
    // Two of a kind have one name there.
    let names: Vec<&str> = tournament.spec().agents.iter().map(|a| a.spec.as_str()).collect();
    let clock: TimeControl = tournament.terms().clock;
    let each = |tell: &mut dyn FnMut(Record) -> Result<(), Failure>| played.store.for_each(tell);
    match course {
        Course::KeepOnMoving => {
            each(&mut |record| output::print(&course::game(&record, &names, clock)))
        }
        Course::Go => {
            let mut all = course::GoMatch::default();
            each(&mut |record| {
                all.add(&record);
                Ok(())
            })?;
            output::print(&all.text(&names))
        }
        Course::Gobblet => {
            let score = Summary::of(&played.store)?;
            let score = score.row(&tournament.spec().agents[0].name);
            let score = score.map(|row| row.score).unwrap_or_default();
            output::print(&course::tournament(&names, score.wins, score.draws, score.losses))
        }
    }
}
