//! Visits and win rates of all moves after a short search and after a longer one.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tussle_catalog::{AnyGame, AnyPosition};
use tussle_core::{Limits, Line, Report, SearchStats, SelectionStats, StopReason, Turn};
use tussle_explain::Heat;
use tussle_view::{Figure, Panel};

use super::setup::{Start, StartSupport};
use super::spread::is_without_visits;
use super::swept::{Steps, Swept};
use super::{Context, Kind, Setup};
use crate::Result;
use crate::sentences::{grouped, list, percent, sentence, short};
use crate::table::groups;

/// Share of the most visited move's visits within which other moves are tied: another seed would swap them.
const TIE: f64 = 0.05;

/// Search of the position after these moves, for the seconds of the plan.
#[derive(Debug)]
pub(super) struct VisitsOnBoard {
    pub(super) moves: &'static [&'static str],
}

/// Result of a search.
#[derive(Debug, Serialize, Deserialize)]
struct SearchResult {
    simulations: u64,
    /// Best move first.
    moves: Vec<MoveResult>,
}

#[derive(Debug, Serialize, Deserialize)]
struct MoveResult {
    mv: String,
    visits: u64,
    mean: Option<f64>,
}

impl SearchResult {
    fn of(report: &Report<String>) -> Self {
        let result = |line: &Line<String>| MoveResult {
            mv: line.mv.clone(),
            visits: line.visits,
            mean: line.sampled.and_then(|sampled| sampled.mean),
        };
        Self { simulations: report.stats.nodes, moves: report.lines.iter().map(result).collect() }
    }
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Row {
    agent: String,
    seconds: f64,
    #[serde(rename = "move")]
    mv: String,
    visits: u64,
    #[serde(rename = "share of visits")]
    share: f64,
    #[serde(rename = "win rate")]
    mean: Option<f64>,
    /// Simulations of the search.
    #[serde(skip)]
    simulations: u64,
    /// Player to move.
    #[serde(skip)]
    player: usize,
}

/// Moves of one search.
struct Moves<'a>(Vec<&'a Row>);

impl Moves<'_> {
    fn of(rows: &[Row]) -> Vec<Moves<'_>> {
        groups(rows, |row| (row.agent.as_str(), row.seconds))
            .into_iter()
            .map(|(_, rows)| Moves(rows))
            .collect()
    }

    /// Returns the part of the report that a picture needs.
    fn report(&self) -> Report<String> {
        let line = |row: &&Row| Line {
            visits: row.visits,
            sampled: Some(SelectionStats { mean: row.mean, bonus: 0.0, prior: 0.0 }),
            ..Line::new(row.mv.clone(), row.mean.unwrap_or(0.0))
        };
        let lines = self.0.iter().map(line).collect();
        Report::new(lines, SearchStats::default(), StopReason::Time, Duration::ZERO)
    }

    /// Returns the most visited move, and those that are tied with it.
    fn leaders(&self) -> Vec<String> {
        let most = self.0.iter().map(|row| row.visits).max().unwrap_or(0);
        let near = |row: &&&Row| (most - row.visits) as f64 <= TIE * most as f64;
        self.0.iter().filter(near).map(|row| row.mv.clone()).collect()
    }

    /// Returns the move with the best mean.
    fn best_mean(&self) -> Option<&Row> {
        let visited = self.0.iter().copied().filter(|row| row.mean.is_some());
        visited.max_by(|a, b| a.mean.unwrap_or(0.0).total_cmp(&b.mean.unwrap_or(0.0)))
    }
}

impl VisitsOnBoard {
    /// Returns the position of the search: that of the user, or that of the list in its own game.
    fn position(&self, setup: &Setup, game: &dyn AnyGame) -> Result<Box<dyn AnyPosition>> {
        let mut position = setup.position(game);
        for mv in self.moves.iter().filter(|_| !setup.own.game && !setup.own.start) {
            position.play(mv)?;
        }
        Ok(position)
    }
}

/// Returns the player in the possessive case.
fn possessive(game: &str, player: usize) -> &'static str {
    let is_go = game.split(':').next() == Some("go");
    match (player, is_go) {
        (0, true) => "Black's",
        (_, true) => "White's",
        (0, false) => "the first player's",
        (1, false) => "the second player's",
        (2, false) => "the third player's",
        _ => "the player's",
    }
}

impl Kind for VisitsOnBoard {
    type Row = Row;

    fn swept(&self) -> Swept {
        Swept { name: "times in seconds", steps: Steps::Factors }
    }

    fn start(&self) -> StartSupport {
        StartSupport::One
    }

    fn adapt(&self, setup: &mut Setup) -> Result<()> {
        let game = setup.game()?;
        setup.expect_player_to_move(game.as_ref())?;
        let position = self.position(setup, game.as_ref())?;
        let has_spot = |mv: &String| matches!(position.target(mv), Ok(Some(_)));
        if !position.moves().iter().any(has_spot) {
            let why = "has moves that do not lead to spots of a board; use visits-vs-c";
            return Err(setup.unfit_game(game.as_ref(), why));
        }
        if setup.own.agents {
            setup.keep_equivalent_moves(game.as_ref());
        }
        Ok(())
    }

    fn measure(&self, setup: &Setup, context: &mut Context<'_>) -> Result<Vec<Row>> {
        let game = setup.game()?;
        let position = self.position(setup, game.as_ref())?;
        let player = if let Turn::Player(player) = position.turn() { player } else { 0 };
        let total: f64 = setup.points.iter().sum();
        context.begin(setup.name, (1000.0 * total * setup.agents.len() as f64) as u64);
        let mut rows = Vec::new();
        for agent in &setup.agents {
            for &seconds in &setup.points {
                let (seed, moves, spec) = (context.seed, position.history().join(" "), &agent.spec);
                let (rules, place) = (&setup.game, setup.key_of_position(position.as_ref()));
                let key = format!("glance {rules} {moves} {spec} {seconds} s seed {seed}{place}");
                let weight = (1000.0 * seconds) as u64;
                let result = Setup::timed(context, agent, &key, weight, |stop| {
                    let time = Duration::from_secs_f64(seconds);
                    let limits = Limits::none().or_stop(stop).or_time(time);
                    let mut searcher = setup.agent(&game, spec, seed)?;
                    let report = searcher.choose(position.as_ref(), &limits)?;
                    if is_without_visits(position.as_ref(), &report) {
                        return Err(setup.unreported(agent, "visits of all moves"));
                    }
                    Ok(SearchResult::of(&report))
                })?;
                let SearchResult { simulations, moves } = result;
                let all = moves.iter().map(|result| result.visits).sum::<u64>().max(1) as f64;
                rows.extend(moves.into_iter().map(|MoveResult { mv, visits, mean }| {
                    let share = visits as f64 / all;
                    let agent = agent.name.clone();
                    Row { agent, seconds, mv, visits, share, mean, simulations, player }
                }));
            }
        }
        Ok(rows)
    }

    fn figure(&self, setup: &Setup, rows: &[Row]) -> Result<Figure> {
        let game = setup.game()?;
        let position = self.position(setup, game.as_ref())?;
        let searches = Moves::of(rows);
        let reports: Vec<Report<String>> = searches.iter().map(Moves::report).collect();
        // All pictures have one scale of colours.
        let all: Vec<&Report<String>> = reports.iter().collect();
        let player = rows.first().map_or(0, |row| row.player);
        let rate = format!("{} win rate", possessive(&setup.game, player));
        let mut panels = Vec::new();
        for (Moves(rows), report) in searches.iter().zip(&reports) {
            let (seconds, simulations) = (rows[0].seconds, grouped(rows[0].simulations as f64));
            let who = match setup.agents.len() {
                1 => String::new(),
                _ => format!("{}: ", rows[0].agent),
            };
            // A program may report visits only.
            let has_means = rows.iter().any(|row| row.mean.is_some());
            let heats = [(Heat::Visits, "visits"), (Heat::WinRate, rate.as_str())];
            for (heat, what) in heats.into_iter().take(if has_means { 2 } else { 1 }) {
                panels.push(Panel::Board {
                    caption: format!("{who}{what} after {seconds} s ({simulations} simulations)"),
                    scene: heat.scene_beside(game.as_ref(), position.as_ref(), report, &all),
                });
            }
        }
        let game = &setup.game;
        let title = match position.history() {
            [] if matches!(setup.start, Start::Given(_)) => {
                format!("A position of {game}: visits and win rates")
            }
            [] => format!("The first move of {game}: visits and win rates"),
            moves => format!("{game} after {}: visits and win rates", moves.join(" ")),
        };
        Ok(Figure { title, panels })
    }

    fn sentences(&self, setup: &Setup, rows: &[Row]) -> Vec<String> {
        let whose = possessive(&setup.game, rows.first().map_or(0, |row| row.player));
        let searches = Moves::of(rows);
        let mut sentences = Vec::new();
        for search in &searches {
            let [most, ..] = &search.0[..] else { continue };
            let who =
                if setup.agents.len() == 1 { String::new() } else { format!("{}: ", most.agent) };
            let Some(best) = search.best_mean() else {
                sentences.push(sentence(&format!(
                    "{who}after {} s, {} has {} of the visits.",
                    short(most.seconds),
                    most.mv,
                    percent(most.share)
                )));
                continue;
            };
            let same = if most.mv == best.mv {
                "the best of all".to_owned()
            } else {
                format!(
                    "the best one is that of {}, {} in {} visits",
                    best.mv,
                    percent(best.mean.unwrap_or(0.0)),
                    grouped(best.visits as f64)
                )
            };
            let leaders = search.leaders();
            let tie = match leaders.len() {
                0 | 1 => String::new(),
                _ => format!(" (as good as tied: {})", list(&leaders)),
            };
            sentences.push(sentence(&format!(
                "{who}after {} s and {} simulations, {} has {} of the visits{tie}; {whose} win rate behind it is {}, {same}.",
                short(most.seconds),
                grouped(most.simulations as f64),
                most.mv,
                percent(most.share),
                percent(most.mean.unwrap_or(0.0))
            )));
        }
        if let ([early, .., late], [_]) = (&searches[..], &setup.agents[..])
            && let Some(now) = late.0.first()
        {
            let earlier = early.0.iter().find(|row| row.mv == now.mv).map_or(0.0, |row| row.share);
            sentences.push(format!(
                "{}: the share of {} went from {} to {}. One run with one seed: another seed, or a slower machine, \
                 gives other numbers. Moves within {} of the most visited one's visits count as tied.",
                change(&early.leaders(), &late.leaders()),
                now.mv,
                percent(earlier),
                percent(now.share),
                percent(TIE)
            ));
        }
        sentences
    }
}

/// Compares the most visited moves of a short search with those of a longer one.
fn change(then: &[String], now: &[String]) -> String {
    match (then, now) {
        ([a], [b]) if a == b => format!("More time confirmed {b}"),
        (_, [b]) if then.contains(b) => format!("More time decided the tie for {b}"),
        (_, [b]) => format!("More time preferred {b} to {}", list(then)),
        _ => format!("More time left a tie of {}", list(now)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::own_tests::listed;

    fn search(visits: [u64; 3]) -> Vec<Row> {
        let all = visits.iter().sum::<u64>();
        let row = |(mv, visits): (&str, u64)| {
            let (mv, share) = (mv.to_owned(), visits as f64 / all as f64);
            Row {
                mv,
                visits,
                share,
                mean: Some(0.5),
                simulations: all,
                player: 1,
                ..Row::default()
            }
        };
        ["a", "b", "c"].into_iter().zip(visits).map(row).collect()
    }

    #[test]
    fn almost_equal_visits_are_a_tie() {
        let [tied, clear, other] =
            [[155_670, 155_164, 90_000], [100, 94, 3], [1, 1, 50]].map(search);
        let leaders = |rows: &[Row]| Moves::of(rows)[0].leaders();
        assert_eq!(leaders(&tied), ["a", "b"]);
        assert_eq!(leaders(&clear), ["a"]);
        let said = |then: &[Row], now: &[Row]| change(&leaders(then), &leaders(now));
        assert_eq!(said(&clear, &tied), "More time left a tie of a and b");
        assert_eq!(said(&tied, &clear), "More time decided the tie for a");
        assert_eq!(said(&clear, &clear), "More time confirmed a");
        assert_eq!(said(&clear, &other), "More time preferred c to a");
    }

    #[test]
    fn a_win_rate_is_that_of_the_player_to_move() {
        let kind = VisitsOnBoard { moves: &["C3"] };
        let said = kind.sentences(&listed("visits-heatmap"), &search([5, 3, 2]));
        assert!(said[0].contains("White's win rate behind it is 50 %"), "{said:?}");
        assert_eq!(possessive("connect4", 1), "the second player's");
    }
}
