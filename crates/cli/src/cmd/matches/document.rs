//! A match as one JSON document.

use serde::Serialize;
use tussle_arena::{MoveTimes, SeatScore, Summary, Tournament, TournamentSpec};
use tussle_core::{TimeControl, duration_text};
use tussle_stats::{Elo, Pentanomial, SprtStatus, Wdl};

use crate::failure::Failure;
use crate::output;
use crate::session::RunResult;

#[derive(Serialize)]
struct Document<'a> {
    game: &'a str,
    agents: &'a [String],
    games: u64,
    /// Results of the first agent.
    #[serde(flatten)]
    score_counts: Wdl,
    /// Share of the points that the first agent got. With two players a win is 1 point and a draw half a
    /// point; more players share one point per game.
    score: f64,
    elo: Option<Elo>,
    normalized_elo: Option<Elo>,
    los: Option<f64>,
    /// Game pairs with 0, ½, 1, 1½ and 2 points for the first agent.
    pentanomial: Option<Pentanomial>,
    seats: &'a [SeatScore],
    mean_length: Option<f64>,
    distinct_games: u64,
    distinct_pairs: u64,
    /// State of the sequential test that ends the match.
    sprt: Option<SprtStatus>,
    /// Games that finished after the test ended; they do not count.
    surplus: u64,
    /// Conclusion from the results, in a sentence.
    conclusion: Option<&'a str>,
    warnings: &'a [String],
    /// Number of games that each agent lost on time.
    time_losses: &'a [u64],
    verdicts: serde_json::Map<String, serde_json::Value>,
    overruns: u64,
    /// Overruns by agent.
    agent_overruns: &'a [u64],
    /// Games that do not count because this machine was too busy.
    void: u64,
    withdrawn: &'a [String],
    /// All game specs, which the pairs play in turn.
    boards: &'a [String],
    margin: String,
    opening_plies: u32,
    clock: TimeControl,
    seed: u64,
    deterministic: bool,
    timing: Timing<'a>,
}

#[derive(Serialize)]
struct Timing<'a> {
    elapsed_ms: f64,
    replays: usize,
    moves: &'a [MoveTimes],
}

/// Prints the document.
pub(super) fn print(tournament: &Tournament, played: &RunResult) -> Result<(), Failure> {
    let TournamentSpec { games: boards, agents, clock, margin, opening_plies, seed, .. } =
        tournament.spec();
    let summary = Summary::of(&played.store)?;
    let row = summary.row(&agents[0].name);
    let row = row.ok_or_else(|| Failure::Failed("no game was played".to_owned()))?;
    let meeting = summary.duel();
    let verdicts = tussle_engine::Verdict::ALL.map(|v| (v.to_string(), summary.verdict(v).into()));
    output::json(&Document {
        game: &boards[0],
        boards,
        agents: &summary.agents,
        games: row.games,
        score_counts: row.score,
        score: if row.games == 0 { 0.0 } else { row.points / row.games as f64 },
        elo: meeting.map(|m| m.estimate.elo),
        normalized_elo: meeting.map(|m| m.estimate.normalized),
        los: meeting.and_then(|m| m.estimate.los),
        pentanomial: meeting.map(|m| m.pentanomial),
        seats: &row.seats,
        mean_length: summary.mean_length,
        distinct_games: summary.distinct_games,
        distinct_pairs: summary.distinct_pairs,
        sprt: summary.sprt,
        surplus: summary.surplus,
        conclusion: summary.conclusion.as_deref(),
        warnings: &summary.warnings,
        time_losses: &summary.time_losses,
        verdicts: verdicts.into_iter().collect(),
        overruns: summary.overruns,
        agent_overruns: &summary.agent_overruns,
        void: summary.void,
        withdrawn: &summary.withdrawn,
        clock: *clock,
        margin: duration_text(*margin),
        opening_plies: *opening_plies,
        seed: *seed,
        deterministic: summary.deterministic,
        timing: Timing {
            elapsed_ms: played.elapsed.as_secs_f64() * 1e3,
            replays: summary.timing.replays.len(),
            moves: &summary.timing.agents,
        },
    })
}
