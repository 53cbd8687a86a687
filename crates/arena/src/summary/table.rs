//! The standing of a tournament.

use std::collections::BTreeMap;

use serde::Serialize;
use tussle_catalog::turns;

use super::{Agent, Tally};
use crate::{Estimate, Pentanomial, Verdict, Wdl};

/// One agent's line in the standing.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Its name.
    pub agent: String,
    /// Of two players a win is worth one point and a draw half of one; more players share what
    /// the game is worth.
    pub points: f64,
    /// How many games it played.
    pub games: u64,
    /// Games won, drawn and lost. Of more than two players those who share the win draw.
    #[serde(flatten)]
    pub score: Wdl,
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
    /// All that its games say about its strength.
    #[serde(skip)]
    pub estimate: Estimate,
}

/// The games of one agent on one seat.
#[derive(Clone, Debug, Serialize)]
pub struct SeatScore {
    /// The seat's name.
    pub seat: String,
    /// How many games.
    pub games: u64,
    /// How they ended.
    #[serde(flatten)]
    pub score: Wdl,
}

/// The agents by points, equal ones as they were configured.
pub(super) fn table(tally: &Tally) -> Vec<Row> {
    let rows = tally.names.iter().zip(&tally.agents);
    let mut rows: Vec<Row> = rows.map(|(name, agent)| row(name, agent, tally.players)).collect();
    rows.sort_by(|a, b| b.points.total_cmp(&a.points));
    rows
}

fn row(name: &str, agent: &Agent, players: usize) -> Row {
    let mut score = Wdl::default();
    for seat in &agent.seats {
        score.wins += seat.wins;
        score.draws += seat.draws;
        score.losses += seat.losses;
    }
    let two = players == 2;
    let estimate = if two { Estimate::of(&score, &agent.pairs) } else { Estimate::default() };
    let seats = agent.seats.iter().enumerate().map(|(seat, &score)| SeatScore {
        seat: turns::player(players, seat),
        games: score.games(),
        score,
    });
    let faults = agent.verdicts.iter().filter(|(verdict, _)| **verdict != Verdict::Normal);
    Row {
        agent: name.to_owned(),
        points: if two { score.points() } else { agent.worth },
        games: score.games(),
        score,
        elo: estimate.elo.value,
        error: estimate.elo.error,
        pentanomial: two.then_some(agent.pairs),
        seats: seats.collect(),
        faults: faults.map(|(verdict, &n)| (verdict.as_str(), n)).collect(),
        estimate,
    }
}
