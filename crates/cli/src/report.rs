//! The results of a match or tournament on the terminal.

pub(crate) mod results;
mod standing;

use std::time::Duration;

use tussle_arena::{Meeting, MoveTimes, Record, Summary, TournamentSpec, export};
use tussle_catalog::text::counted;
use tussle_core::format::duration;
use tussle_engine::Verdict;
use tussle_stats::{Estimate, Pentanomial, SprtStatus, Wdl};

use crate::failure::visible;
use crate::grammar::{is_or_are, plies};
use crate::layout::Table;
use crate::turns;
use standing::{crosstable, seat_advantage, standing, uncounted};

/// Maximum number of lost games that are listed with their evidence.
const MAX_LISTED_LOSSES: usize = 10;

/// Returns the report of a match or tournament: standings, conclusion, faults.
pub(crate) fn text(config: &TournamentSpec, summary: &Summary, losses: &Losses) -> String {
    let mut text = format!("{}\n", head(config, summary));
    if let Some(duel) = summary.duel() {
        text += &block(config, summary, duel);
        text += &seats(summary, duel);
        text += &seat_advantage(summary);
    } else {
        text += &standing(summary);
        text += &uncounted(summary);
        // A single remaining agent has no opponents.
        if summary.players == 2 && summary.agents.len() > summary.withdrawn.len() + 1 {
            text += &format!("\n{}", crosstable(summary));
        }
        let seats = seat_advantage(summary);
        if !seats.is_empty() {
            text += &format!("\n{seats}");
        }
    }
    text += &verdict(summary);
    text += &format!("\n{}", health(config, summary));
    text + &losses.text()
}

/// Returns the conclusion and the warnings.
fn verdict(summary: &Summary) -> String {
    let test = summary.sprt.as_ref().map(|test| match test.accepted {
        Some(_) => {
            "(a sequential test tends to stop at an extreme score, so its Elo estimate is too far from 0)"
                .to_owned()
        }
        None => format!("(the test is undecided after {})", counted(test.pairs, "pair")),
    });
    let warnings = summary.warnings.iter().map(|warning| format!("warning: {warning}"));
    let lines: Vec<String> =
        summary.conclusion.clone().into_iter().chain(test).chain(warnings).collect();
    if lines.is_empty() { String::new() } else { visible(&format!("\n{}\n", lines.join("\n"))) }
}

/// Returns the first line: games, conditions and seed.
fn head(config: &TournamentSpec, summary: &Summary) -> String {
    let (games, all) = (summary.games, summary.scheduled);
    let is_answered = summary.sprt.is_some_and(|test| test.accepted.is_some());
    let some = counted(games, "game");
    let (remaining, cancelled) = (summary.remaining, summary.cancelled);
    let count = match all {
        all if is_answered => format!("{some} of at most {all}"),
        all if games + summary.void >= all => some,
        u64::MAX => format!("{some} so far"),
        _ if cancelled > 0 && remaining == 0 => {
            format!("{some} ({cancelled} cancelled by withdrawals)")
        }
        _ if cancelled > 0 => {
            let all = counted(games + remaining, "game");
            format!("{games} of {all} ({cancelled} more cancelled by withdrawals)")
        }
        all => format!("{games} of {}", counted(all, "game")),
    };
    let void = match summary.void {
        0 => String::new(),
        n => format!(" and {n} void"),
    };
    let specs = one_line(&config.games.join(", "));
    visible(&format!("{specs}: {count}{void}, {}, seed {}", terms(config), config.seed))
}

/// Returns the time and resource limits.
fn terms(config: &TournamentSpec) -> String {
    let mut terms = vec![format!("clock {}", config.clock)];
    terms.extend(config.nodes.map(|nodes| format!("{nodes} nodes per move")));
    terms.extend(config.depth.map(|depth| format!("{} per move", plies(depth.into()))));
    if config.opening_plies > 0 {
        terms.push(format!("openings of {}", plies(config.opening_plies.into())));
    }
    terms.join(", ")
}

/// Returns the results of the first of two agents, in nearly the order in which `fastchess` prints them.
fn block(config: &TournamentSpec, summary: &Summary, duel: &Meeting) -> String {
    let Wdl { wins, draws, losses } = duel.score;
    let Meeting { games, estimate, .. } = duel;
    let percent = |share: Option<f64>| {
        share.map_or_else(|| "-".to_owned(), |s| format!("{:.2} %", 100.0 * s))
    };
    let [a, b] = &duel.agents;
    let line = "-".repeat(50);
    let pairs = duel.draw_ratio.map_or_else(String::new, |drawn| {
        let Pentanomial(pairs) = duel.pentanomial;
        let ratio = duel.pairs_ratio.map_or_else(
            || "no pair lost".to_owned(),
            |ratio| format!("pairs won per pair lost: {ratio:.2}"),
        );
        format!(
            "Pairs with 0, 0.5, 1, 1.5, 2 points: {pairs:?}\n\
             Drawn pairs: {}, {ratio}\n",
            percent(Some(drawn)),
        )
    });
    let points = duel.score.points();
    let llr = summary.sprt.as_ref().map_or_else(String::new, llr);
    visible(&format!(
        "{line}\n\
         Results of {a} vs {b} ({}):\n\
         Elo: {}, normalized Elo: {}\n\
         Likelihood of superiority: {}\n\
         Games: {games}, Wins: {wins}, Losses: {losses}, Draws: {draws}, Points: {points:.1} ({})\n\
         {pairs}{llr}{line}\n",
        config.clock,
        elo(estimate),
        normalized(estimate),
        percent(estimate.los),
        percent((*games > 0).then(|| points / *games as f64)),
    ))
}

/// Returns the line of a sequential test.
fn llr(status: &SprtStatus) -> String {
    let SprtStatus { sprt, llr, lower, upper, .. } = status;
    let llr = llr.map_or_else(|| "too few games".to_owned(), |llr| format!("{llr:.2}"));
    let [elo0, elo1] = [sprt.elo0, sprt.elo1];
    format!(
        "Log-likelihood ratio: {llr}, bounds ({lower:.2}, {upper:.2}), hypotheses [{elo0:.2}, {elo1:.2}]\n"
    )
}

/// Formats an Elo difference with its error.
pub(crate) fn elo(estimate: &Estimate) -> String {
    match (estimate.elo.value, estimate.elo.error, estimate.beyond) {
        (Some(value), Some(error), _) => format!("{value:.2} +/- {error:.2}"),
        (Some(value), None, _) => format!("{value:.2} (too few games for an error)"),
        (None, _, Some(beyond)) if beyond > 0.0 => format!("> {beyond:+.0}, all won"),
        (None, _, Some(beyond)) => format!("< {beyond:+.0}, all lost"),
        (None, _, None) => "too few games".to_owned(),
    }
}

fn normalized(estimate: &Estimate) -> String {
    match (estimate.normalized.value, estimate.normalized.error) {
        (Some(value), Some(error)) => format!("{value:.2} +/- {error:.2}"),
        _ => "-".to_owned(),
    }
}

/// Returns the results of the first of two agents by seat.
fn seats(summary: &Summary, duel: &Meeting) -> String {
    let Some(row) = summary.row(&duel.agents[0]) else { return String::new() };
    let mut table =
        Table::new([row.agent.as_str(), "games", "wins", "", "draws", "", "losses", ""]);
    table.numbers(1..=7);
    let all = std::iter::once(("all".to_owned(), row.score));
    let seats = row.seats.iter().map(|seat| (format!("as {}", seat.seat), seat.score));
    for (label, score) in all.chain(seats) {
        let percent = |n: u64| match score.games() {
            0 => String::new(),
            games => format!("{:.1} %", 100.0 * n as f64 / games as f64),
        };
        table.add_row([
            label,
            score.games().to_string(),
            score.wins.to_string(),
            percent(score.wins),
            score.draws.to_string(),
            percent(score.draws),
            score.losses.to_string(),
            percent(score.losses),
        ]);
    }
    visible(&table.text())
}

/// Returns the faults, reruns and move times.
fn health(config: &TournamentSpec, summary: &Summary) -> String {
    let late = summary.time_losses.iter().sum::<u64>();
    let broken = summary.verdict(Verdict::Memory) + summary.verdict(Verdict::Protocol);
    let mut text = format!(
        "time losses {late}, overruns {}, crashes {}, illegal moves {}, other faults {broken}\n",
        summary.overruns,
        summary.verdict(Verdict::Crash),
        summary.verdict(Verdict::Illegal),
    );
    let whose = summary.agents.iter().zip(&summary.time_losses).filter(|(_, n)| **n > 0);
    for (agent, losses) in whose {
        text += &format!("time losses of {agent}: {losses}\n");
    }
    let whose = summary.agents.iter().zip(&summary.agent_overruns).filter(|(_, n)| **n > 0);
    for (agent, overruns) in whose {
        text += &format!("overruns of {agent}: {overruns}\n");
    }
    for agent in &summary.withdrawn {
        text += &format!("{agent} was withdrawn after {}\n", counted(config.strikes, "fault"));
    }
    if !summary.timing.replays.is_empty() {
        let n = summary.timing.replays.len() as u64;
        let games = counted(n, "rerun");
        text += &format!("{games} because this machine was too busy\n");
    }
    if summary.surplus > 0 {
        let games = counted(summary.surplus, "game");
        let (were, do_not) =
            if summary.surplus == 1 { ("was", "does not") } else { ("were", "do not") };
        text += &format!("{games} {were} finished after the test ended and {do_not} count\n");
    }
    if let Some(length) = summary.mean_length {
        let (distinct, games) = (summary.distinct_games, summary.games);
        let again =
            if summary.deterministic { "reproducible from the seed" } else { "depends on timing" };
        let are = is_or_are(distinct);
        text += &format!(
            "{distinct} of {} {are} distinct, mean length {length:.1} plies, {again}\n",
            counted(games, "game"),
        );
    }
    let times = summary.timing.agents.iter().filter_map(times);
    visible(&(text + &times.collect::<String>()))
}

fn times(times: &MoveTimes) -> Option<String> {
    let (p50, p99, max) = (times.p50_ms?, times.p99_ms?, times.max_ms?);
    let [p50, p99, max] = [p50, p99, max].map(|ms| duration(Duration::from_secs_f64(ms / 1e3)));
    Some(format!("move times of {}: p50 {p50}, p99 {p99}, longest {max}\n", times.agent))
}

/// Games that ended by a fault: the first few, and the number of the others.
#[derive(Default)]
pub(crate) struct Losses {
    listed: Vec<String>,
    more: u64,
}

impl Losses {
    /// Adds a game if it ended by a fault.
    pub(crate) fn add(&mut self, config: &TournamentSpec, record: &Record) {
        if record.verdict == Verdict::Normal {
            return;
        }
        if self.listed.len() < MAX_LISTED_LOSSES {
            self.listed.push(loss(config, record));
        } else {
            self.more += 1;
        }
    }

    /// Returns the list; empty without faults.
    pub(crate) fn text(&self) -> String {
        if self.listed.is_empty() {
            return String::new();
        }
        let mut text = format!("\n{}", self.listed.concat());
        if self.more > 0 {
            text += &format!("and {} more\n", self.more);
        }
        text
    }
}

/// Describes a game that ended by a fault, with its evidence.
pub(crate) fn loss(config: &TournamentSpec, record: &Record) -> String {
    let names = export::names(config, record);
    let culprit = record.culprit.map_or_else(String::new, |seat| {
        format!(": {} ({})", names[seat], turns::player(names.len(), seat))
    });
    let what = if record.what.is_empty() { String::new() } else { format!(", {}", record.what) };
    let line = format!("game {}, {}{culprit}{what}", record.id, record.verdict);
    let mut text = format!("{}\n", one_line(&line));
    for line in &record.evidence {
        text += &format!("  | {}\n", one_line(line));
    }
    text
}

/// Escapes control characters and joins lines: programs may write anything.
pub(crate) fn one_line(text: &str) -> String {
    visible(text).replace('\n', " ")
}
