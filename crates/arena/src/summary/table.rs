//! The standing of a tournament.

use std::collections::BTreeMap;

use serde::Serialize;
use tussle_catalog::turns;
use tussle_engine::Verdict;
use tussle_stats::{Elo, Estimate, Mean, Pentanomial, Ratings, Wdl};

use super::evidence::Evidence;
use super::strength::Tables;
use super::{Agent, Score, SeatAdvantage, Sums, Tally};

/// One agent's line in the standing.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Standing))]
pub struct Row {
    /// Its name.
    pub agent: String,
    /// Its index in the configuration.
    #[serde(skip)]
    pub index: usize,
    /// True if its faults withdrew it: its games do not count, and it stands last.
    pub withdrawn: bool,
    /// Of two players a win is worth one point and a draw half of one; more players share what
    /// the game is worth.
    pub points: f64,
    /// How many games it played that count.
    pub games: u64,
    /// Games won, drawn and lost. Of more than two players those who share the win draw.
    #[serde(flatten)]
    pub score: Wdl,
    /// How strong it is in the whole pool; none without games.
    pub rating: Elo,
    /// Of more than two players, its mean rank, plus or minus.
    pub mean_rank: Option<Mean>,
    /// Of more than two players, the points are right to plus or minus so much.
    pub points_error: Option<f64>,
    /// How much stronger it is than those it met.
    pub elo: Option<f64>,
    /// Plus or minus so much, with a confidence of 95 %.
    pub error: Option<f64>,
    /// Its complete pairs.
    pub pentanomial: Option<Pentanomial>,
    /// By seat.
    pub seats: Vec<SeatScore>,
    /// The games it lost otherwise than by the rules, by verdict.
    pub faults: BTreeMap<&'static str, u64>,
    /// Its games that do not count, because it or an opponent was withdrawn.
    pub uncounted: Uncounted,
    /// All that its games say about its strength.
    #[serde(skip)]
    pub estimate: Estimate,
}

/// Games of one agent that do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Uncounted {
    /// Number of games.
    pub games: u64,
    /// Points it would have had for them.
    pub points: f64,
    /// Games won, drawn and lost.
    #[serde(flatten)]
    pub score: Wdl,
}

/// What a standing is sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Order {
    /// Points: all agents have played the same opponents equally often.
    Points,
    /// Ratings: opponents or numbers of games differ.
    Rating,
}

/// The games of one agent on one seat.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SeatScore {
    /// The seat's name.
    pub seat: String,
    /// How many games.
    pub games: u64,
    /// How they ended.
    #[serde(flatten)]
    pub score: Wdl,
}

/// The agents, the best first and withdrawn ones last: by points, or by rating if they played different
/// opponents or different numbers of games. Equal ones are as they were configured.
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
        // Who has no games is last.
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

fn uncounted(score: &Score, players: usize) -> Uncounted {
    let total = score.total();
    let points = points(score, players);
    Uncounted { games: total.games(), points, score: total }
}

/// Points of an agent: of two players by wins and draws, of more by what the games were worth.
fn points(score: &Score, players: usize) -> f64 {
    if players == 2 { score.total().points() } else { score.worth }
}

/// What the seats are worth, once there are games.
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
    let evidence = Evidence::of_meeting(&score.met(), repetitive);
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
        uncounted: Uncounted::default(),
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

    /// Games of the first two, the former of whom wins nearly all.
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
    fn who_has_no_games_has_no_rating() {
        let summary = sum(3, &duels(20));
        assert_eq!(summary.row("a2").unwrap().rating, Elo::default());
        let [a0, a1] = ["a0", "a1"].map(|name| summary.row(name).unwrap().rating);
        assert!((a0.value.unwrap() + a1.value.unwrap()).abs() < 1e-9);
        assert!(a0.value.unwrap() > 100.0 && a0.error.unwrap() > 10.0);
        let text = serde_json::to_string(&summary).unwrap();
        assert!(text.contains(r#""rating":{"value":null,"error":null}"#), "{text}");
    }

    #[test]
    fn of_a_gauntlet_the_first_is_zero_and_the_best_rated_leads() {
        // The second one is met often and loses, the third once and wins.
        let mut games = duels(20);
        games.push(game(40, &[0, 2], &LOSS));
        games.push(game(41, &[2, 0], &WIN));
        let summary = anchored(Format::Gauntlet, &[], &games);
        let order: Vec<&str> = summary.table.iter().map(|row| row.agent.as_str()).collect();
        assert_eq!(order, ["a2", "a0", "a1"]);
        assert_eq!(summary.row("a0").unwrap().rating, Elo { value: Some(0.0), error: Some(0.0) });
        assert!(summary.row("a1").unwrap().rating.value.unwrap() < -100.0);
        // So it is in a round robin that is not complete: the points of the first are those of 42 games.
        let summary = sum(3, &games);
        let order: Vec<&str> = summary.table.iter().map(|row| row.agent.as_str()).collect();
        assert_eq!((order[0], summary.sorted_by), ("a2", Order::Rating));
        assert!(summary.row("a0").unwrap().points > 30.0);
        // After equally many games it is by points.
        let summary = sum(2, &duels(20));
        assert_eq!(summary.sorted_by, Order::Points);
    }

    #[test]
    fn a_rating_that_is_given_is_kept() {
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
            "anchor: there is no `mcts:nodes=100`; the agents are a0, a1, a2"
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
    fn of_more_players_ranks_have_errors_and_seats_names() {
        let mut games = Vec::new();
        for round in 0..12 {
            for turn in 0..3 {
                let seats = [0, 1, 2].map(|seat| (seat + turn) % 3);
                // a0 wins on the first seat, in every fourth round the second seat does.
                let winner =
                    if round % 4 == 0 { 1 } else { seats.iter().position(|&a| a == 0).unwrap() };
                let mut utilities = [0.0; 3];
                utilities[winner] = 1.0;
                games.push(game(games.len() as u64, &seats, &utilities));
            }
        }
        let summary = sum(3, &games);
        let best = &summary.table[0];
        // 9 rounds of 3 wins and 3 of one: rank 1 in 30 games, 2.5 in 6.
        assert_eq!((best.agent.as_str(), best.points), ("a0", 30.0));
        let rank = best.mean_rank.unwrap();
        assert!((rank.value.unwrap() - 1.25).abs() < 1e-12, "{rank:?}");
        // Rounds bring 3 points or 1: their deviation is 0.905 (of 12, with 11), the sum of 12 has 3.13.
        assert!((best.points_error.unwrap() - 1.96 * 3.133).abs() < 0.01, "{best:?}");
        // What is lost in points is lost in ranks, three halves of it.
        let ratio = rank.error.unwrap() * 36.0 / best.points_error.unwrap();
        assert!((ratio - 1.5).abs() < 1e-9, "{ratio}");
        assert!(best.rating.value.unwrap() > 100.0);
        let seats: Vec<&str> = summary.seat_advantage.iter().map(|s| s.seat.as_str()).collect();
        assert_eq!(seats, ["player-1", "player-2", "player-3"]);
        assert!(summary.seat_advantage[1].elo.value > summary.seat_advantage[0].elo.value);
    }

    #[test]
    fn games_that_repeat_themselves_are_no_more_certain_than_those_that_do_not() {
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
