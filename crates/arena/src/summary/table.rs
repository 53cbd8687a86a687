//! Standings of a tournament.

use std::collections::BTreeMap;

use serde::Serialize;
use tussle_catalog::turns;
use tussle_engine::Verdict;
use tussle_stats::{Elo, Estimate, Mean, Pentanomial, Ratings, Wdl};

use super::evidence::Evidence;
use super::strength::Tables;
use super::{Agent, Score, SeatAdvantage, Sums, Tally};

/// Row of the standings: results of one agent.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Standing))]
pub struct Row {
    /// Name of the agent.
    pub agent: String,
    /// Index of the agent in the configuration.
    #[serde(skip)]
    pub index: usize,
    /// True if the agent was withdrawn: its games do not count, and it is ranked last.
    pub withdrawn: bool,
    /// Points. In games of two players: 1 for a win and 0.5 for a draw. In games of more players: the sum of the utilities.
    pub points: f64,
    /// Number of counted games.
    pub games: u64,
    /// Games won, drawn and lost. With more than two players, a shared win counts as a draw.
    #[serde(flatten)]
    pub score: Wdl,
    /// Rating among all agents; null without games.
    pub rating: Elo,
    /// Mean rank and its error, in games of more than two players.
    pub mean_rank: Option<Mean>,
    /// 95 % error of the points, in games of more than two players.
    pub points_error: Option<f64>,
    /// Elo difference to the opponents that the agent met.
    pub elo: Option<f64>,
    /// 95 % error of the Elo difference.
    pub error: Option<f64>,
    /// Complete pairs by their score.
    pub pentanomial: Option<Pentanomial>,
    /// Results by seat.
    pub seats: Vec<SeatScore>,
    /// Number of lost games by verdict, without those that were lost by the rules.
    pub faults: BTreeMap<&'static str, u64>,
    /// Games that do not count because this agent or an opponent was withdrawn.
    pub uncounted: UncountedGames,
    /// Estimate of the difference to the opponents, with further statistics.
    #[serde(skip)]
    pub estimate: Estimate,
}

/// Games of one agent that do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UncountedGames {
    /// Number of games.
    pub games: u64,
    /// Points that the agent would have for them.
    pub points: f64,
    /// Games won, drawn and lost.
    #[serde(flatten)]
    pub score: Wdl,
}

/// Order of the standings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Order {
    /// By points, because all agents have played the same opponents equally often.
    Points,
    /// By rating, because opponents or numbers of games differ.
    Rating,
}

/// Results of an agent in one seat.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SeatScore {
    /// Name of the seat.
    pub seat: String,
    /// Number of games.
    pub games: u64,
    /// Games won, drawn and lost.
    #[serde(flatten)]
    pub score: Wdl,
}

/// Returns the standings, the best agent first and withdrawn agents last. The order is by points, or by rating if agents
/// played different opponents or different numbers of games. Equal agents are in the order of the configuration.
pub(super) fn table(
    tally: &Tally,
    sums: &Sums,
    ratings: &Ratings,
    tables: &[Tables],
    is_withdrawn: &[bool],
    repetitive: bool,
) -> (Vec<Row>, Order) {
    let rows = tally.names.iter().zip(&tally.agents).zip(tables).enumerate();
    let mut rows: Vec<Row> = rows
        .map(|(index, ((name, agent), tables))| {
            let score = &sums.scores[index];
            Row {
                index,
                withdrawn: is_withdrawn[index],
                rating: ratings.rating(index),
                uncounted: uncounted(&sums.uncounted[index], tally.players),
                ..row(name, agent, score, tables, tally.players, repetitive)
            }
        })
        .collect();
    let mut counts = rows.iter().filter(|row| !row.withdrawn).map(|row| row.games);
    let first = counts.next();
    let is_uneven = counts.any(|games| Some(games) != first);
    let ranks_by_points = tally.config.format.ranks_by_points() && !is_uneven;
    let order = if ranks_by_points { Order::Points } else { Order::Rating };
    let key = |row: &Row| {
        // Agents without games are last.
        let rating = row.rating.value.unwrap_or(f64::NEG_INFINITY);
        match order {
            Order::Points => [row.points, rating],
            Order::Rating => [rating, row.points],
        }
    };
    rows.sort_by(|a, b| {
        let ([x, xx], [y, yy]) = (key(a), key(b));
        a.withdrawn.cmp(&b.withdrawn).then(y.total_cmp(&x)).then(yy.total_cmp(&xx))
    });
    (rows, order)
}

fn uncounted(score: &Score, players: usize) -> UncountedGames {
    let total = score.total();
    let points = points(score, players);
    UncountedGames { games: total.games(), points, score: total }
}

/// Returns the points of an agent: from wins and draws in games of two players, else the sum of its utilities.
fn points(score: &Score, players: usize) -> f64 {
    if players == 2 { score.total().points() } else { score.utilities }
}

/// Returns the advantage of each seat, without values if no game was played.
pub(super) fn seat_advantage(
    players: usize,
    played: bool,
    ratings: &Ratings,
) -> Vec<SeatAdvantage> {
    let seats = ratings.seats.iter().enumerate().map(|(seat, &elo)| SeatAdvantage {
        seat: turns::player(players, seat),
        elo: if played { elo } else { Elo::default() },
    });
    seats.collect()
}

fn row(
    name: &str,
    agent: &Agent,
    score: &Score,
    tables: &Tables,
    players: usize,
    repetitive: bool,
) -> Row {
    let two = players == 2;
    let evidence = Evidence::of_meeting(&score.against_all(), repetitive);
    let estimate = if two { evidence.estimate() } else { Estimate::default() };
    let seats = score.seats.iter().enumerate().map(|(seat, &score)| SeatScore {
        seat: turns::player(players, seat),
        games: score.games(),
        score,
    });
    let faults = agent.verdicts.iter().filter(|(verdict, _)| **verdict != Verdict::Normal);
    Row {
        agent: name.to_owned(),
        index: 0,
        withdrawn: false,
        uncounted: UncountedGames::default(),
        points: points(score, players),
        games: score.games(),
        score: score.total(),
        rating: Elo::default(),
        mean_rank: (!two).then(|| tables.ranks.mean()),
        points_error: tables.points.error_of_sum(),
        elo: estimate.elo.value,
        error: estimate.elo.error,
        pentanomial: two.then_some(score.pairs),
        seats: seats.collect(),
        faults: faults.map(|(verdict, &n)| (verdict.as_str(), n)).collect(),
        estimate,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{DRAW, LOSS, WIN, config, game, sum};
    use super::*;
    use crate::Format;
    use crate::{Anchor, Record, Summary};

    /// Returns pairs of agents 0 and 1, of which agent 0 wins most games.
    fn duels(pairs: u64) -> Vec<Record> {
        let pair = |pair: u64| {
            let firsts = if pair.is_multiple_of(4) { [DRAW, WIN] } else { [WIN, LOSS] };
            let [one, two] = firsts;
            [game(2 * pair, &[0, 1], &one), game(2 * pair + 1, &[1, 0], &two)]
        };
        (0..pairs).flat_map(pair).collect()
    }

    fn anchored(format: Format, anchors: &[Anchor], games: &[Record]) -> Summary {
        let config = crate::TournamentSpec { format, ..config(3) };
        let mut tally = Tally::new(&config).anchored(anchors).unwrap();
        for game in games {
            tally.add(game);
        }
        tally.finish(Vec::new())
    }

    #[test]
    fn an_agent_without_games_has_no_rating() {
        let summary = sum(3, &duels(20));
        assert_eq!(summary.row("a2").unwrap().rating, Elo::default());
        let [a0, a1] = ["a0", "a1"].map(|name| summary.row(name).unwrap().rating);
        assert!((a0.value.unwrap() + a1.value.unwrap()).abs() < 1e-9);
        assert!(a0.value.unwrap() > 100.0 && a0.error.unwrap() > 10.0);
        let text = serde_json::to_string(&summary).unwrap();
        assert!(text.contains(r#""rating":{"value":null,"error":null}"#), "{text}");
    }

    #[test]
    fn a_gauntlet_rates_its_first_agent_zero_and_is_sorted_by_rating() {
        // The second agent plays often and loses; the third plays one pair and wins.
        let mut games = duels(20);
        games.push(game(40, &[0, 2], &LOSS));
        games.push(game(41, &[2, 0], &WIN));
        let summary = anchored(Format::Gauntlet, &[], &games);
        let order: Vec<&str> = summary.table.iter().map(|row| row.agent.as_str()).collect();
        assert_eq!(order, ["a2", "a0", "a1"]);
        assert_eq!(summary.row("a0").unwrap().rating, Elo { value: Some(0.0), error: Some(0.0) });
        assert!(summary.row("a1").unwrap().rating.value.unwrap() < -100.0);
        // An incomplete round robin is sorted by rating too, although the first agent has most points from 42 games.
        let summary = sum(3, &games);
        let order: Vec<&str> = summary.table.iter().map(|row| row.agent.as_str()).collect();
        assert_eq!((order[0], summary.sorted_by), ("a2", Order::Rating));
        assert!(summary.row("a0").unwrap().points > 30.0);
        // With equal numbers of games the order is by points.
        let summary = sum(2, &duels(20));
        assert_eq!(summary.sorted_by, Order::Points);
    }

    #[test]
    fn an_anchor_keeps_its_given_rating() {
        let anchor: Anchor = "a1=1500".parse().unwrap();
        let summary = anchored(Format::Gauntlet, &[anchor], &duels(20));
        assert_eq!(summary.row("a1").unwrap().rating.value, Some(1500.0));
        assert!(summary.row("a0").unwrap().rating.value.unwrap() > 1600.0);

        let with_equals: Anchor = "mcts:nodes=100=-20.5".parse().unwrap();
        assert_eq!(with_equals, Anchor { agent: "mcts:nodes=100".to_owned(), elo: -20.5 });
        for wrong in ["a1", "a1=", "a1=strong"] {
            assert!(wrong.parse::<Anchor>().is_err(), "{wrong}");
        }
        let Err(why) = Tally::new(&config(3)).anchored(&[with_equals]) else { panic!("unknown") };
        assert_eq!(
            why.to_string(),
            "anchor mcts:nodes=100: no such agent; the agents are a0, a1, a2"
        );
        for wrong in ["a1=inf", "a1=NaN", "a1=1e9"] {
            let anchors = [wrong.parse().unwrap()];
            let Err(why) = Tally::new(&config(3)).anchored(&anchors) else { panic!("{wrong}") };
            assert!(why.to_string().contains("from -10000 to 10000"), "{why}");
        }
        let twice = ["a1=1", "a1=2"].map(|anchor| anchor.parse().unwrap());
        assert!(Tally::new(&config(3)).anchored(&twice).is_err());
    }

    #[test]
    fn games_of_three_have_mean_ranks_with_errors_and_named_seats() {
        let mut games = Vec::new();
        for round in 0..12 {
            for turn in 0..3 {
                let seats = [0, 1, 2].map(|seat| (seat + turn) % 3);
                // a0 wins, except in every fourth round, in which the second seat wins.
                let winner =
                    if round % 4 == 0 { 1 } else { seats.iter().position(|&a| a == 0).unwrap() };
                let mut utilities = [0.0; 3];
                utilities[winner] = 1.0;
                games.push(game(games.len() as u64, &seats, &utilities));
            }
        }
        let summary = sum(3, &games);
        let best = &summary.table[0];
        // a0 wins 3 games in each of 9 rounds and 1 in each of 3: rank 1 in 30 games, 2.5 in 6.
        assert_eq!((best.agent.as_str(), best.points), ("a0", 30.0));
        let rank = best.mean_rank.unwrap();
        assert!((rank.value.unwrap() - 1.25).abs() < 1e-12, "{rank:?}");
        // A round gives 3 points or 1. The sample standard deviation of 12 rounds is 0.905, that of their sum 3.13.
        assert!((best.points_error.unwrap() - 1.96 * 3.133).abs() < 0.01, "{best:?}");
        // One point less means a rank that is 1.5 worse, so the errors have the same ratio.
        let ratio = rank.error.unwrap() * 36.0 / best.points_error.unwrap();
        assert!((ratio - 1.5).abs() < 1e-9, "{ratio}");
        assert!(best.rating.value.unwrap() > 100.0);
        let seats: Vec<&str> = summary.seat_advantage.iter().map(|s| s.seat.as_str()).collect();
        assert_eq!(seats, ["player-1", "player-2", "player-3"]);
        assert!(summary.seat_advantage[1].elo.value > summary.seat_advantage[0].elo.value);
    }

    #[test]
    fn repeated_games_do_not_reduce_the_error() {
        let error = |games: &[Record]| sum(2, games).table[0].rating.error.unwrap();
        let games = duels(80);
        let once = error(&games[..40]);
        let again: Vec<Record> = games
            .iter()
            .map(|game| Record { moves: vec![(game.id % 40).to_string()], ..game.clone() })
            .collect();
        let ratio = error(&again) / once;
        assert!((ratio - 1.0).abs() < 0.1, "{ratio}");
        assert!(error(&games) < 0.6 * once);
    }
}
