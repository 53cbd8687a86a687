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
use crate::session::{self, RunResult};

/// Play agents against each other, taking every seat in turn
///
/// In two-player games, games 0 and 1, 2 and 3 and so on are game pairs: they start with the same opening, with
/// sides swapped. In games of more players the seats rotate.
///
/// Agents are those of `tussle agents`, or programs: ugi:COMMAND, gtp:COMMAND (Go), json:COMMAND.
///
/// Examples:
///   tussle match gobblet greedy random --games 200
///   tussle match keep-on-moving:board=0..4 simple random --seed 7 --json
///   tussle match connect4 minimax:depth=4 greedy --games 10 --clock 15s+1s
///   tussle match go mcts "gtp:gnugo --mode gtp" --games 20 --store go.db
///   tussle match connect4 "json:python3 mine.py" random --opening-plies 4
///   tussle match connect4 mcts:nodes=400 mcts:nodes=200 --opening-plies 4 \
///       --sprt elo0=0,elo1=50
///   tussle match gobblet greedy random --games 100 --style course
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Match {
    /// Game spec, name[:key=value,…]; see `tussle games`. `key=0..4` is a list of games, which the pairs play
    /// in turn
    game: String,
    /// Agent specs, name[:key=value,…], see `tussle agents`; or programs. One for each player
    #[arg(required = true)]
    agents: Vec<String>,
    /// Number of games to play
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Sequential test that ends the match as soon as it accepts a hypothesis, such as elo0=0,elo1=10; with
    /// optional keys alpha=.05, beta=.05 and model=normalized or logistic. `--games` is then the maximum number of
    /// games
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
            return Err(Failure::usage(
                "--style course: expected a game of two players; leave --style out",
            ));
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

/// Prints the match in the style of the course of this game.
fn print_as_the_course(
    course: Course,
    tournament: &Tournament,
    played: &RunResult,
) -> Result<(), Failure> {
    // The courses print specs, even if both agents have the same one.
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
