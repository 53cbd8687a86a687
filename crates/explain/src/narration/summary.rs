//! Summary at the end of a narration: the answer and its cost.

use tussle_catalog::recording::{NodeKind, Step};
use tussle_core::format::grouped;
use tussle_core::{Bound, Line, Outcome, StopReason};

use super::rounds::deepest;
use crate::explanation::MAX_STEPS;
use crate::number::{Wins, count, number};
use crate::words::stop_reason;
use crate::{Explanation, Saving};

/// Maximum number of unvisited nodes that are named.
const NAMED: usize = 24;

impl Explanation {
    /// Returns the nodes of the principal variation, from the root on, as far as it is in the tree.
    pub(crate) fn best_line(&self) -> Vec<usize> {
        let nodes = self.tree.nodes();
        let mut line = vec![0];
        let moves = self.report.lines.first().map_or(&[][..], |best| &best.pv);
        for mv in moves {
            let here = line.last().copied().unwrap_or(0);
            let by = |&&child: &&usize| nodes[child].mv.as_deref() == Some(mv);
            let Some(&child) = nodes[here].children.iter().find(by) else { break };
            line.push(child);
        }
        line
    }
}

impl Explanation {
    /// Returns the summary, one sentence per line: the answer, its value, the principal variation, the cost, the
    /// pruned nodes, and the stop reason.
    pub fn summary(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let is_sampling = self.steps.iter().any(|step| matches!(step, Step::Simulate { .. }));
        lines.extend(answer(self, is_sampling));
        lines.extend(line_of_play(self));
        lines.push(costs(self, is_sampling));
        lines.extend(self.saving.as_ref().map(|saving| unseen(self, saving)));
        let is_done = matches!(self.report.stopped, StopReason::Finished | StopReason::Proven);
        lines.push(match deepest(self) {
            Some(ply) if is_done => {
                format!("It stopped because it searches at most {} plies.", grouped(ply as u64))
            }
            _ => format!("It stopped because {}.", stop_reason(self.report.stopped)),
        });
        if let Some(threads) = self.settled.value("threads").filter(|&threads| threads != "1") {
            lines.push(format!("It had {threads} threads; the steps are those of one of them."));
        }
        if self.is_cut_short {
            lines.push(format!(
                "The search took more steps, but only the first {} are kept; set a smaller limit to see all.",
                grouped(self.steps.len().min(MAX_STEPS) as u64)
            ));
        }
        if let (Some(win), Some(best)) = (&self.missed_win, self.report.best()) {
            lines.push(format!(
                "Note: {win} wins at once, but the search chose {best}. {}",
                if is_sampling {
                    "The simulations have not shown it yet."
                } else if self.report.outcome() == Some(Outcome::Win) {
                    "It wins too, and this search does not prefer early wins."
                } else {
                    "The evaluation does not count this win."
                }
            ));
        }
        lines
    }
}

/// Returns the player to whom a single value belongs.
fn whose(told: &Explanation) -> String {
    match told.tree.nodes()[0].kind {
        NodeKind::Player(player) => format!("player {}", player + 1),
        _ => "MAX".to_owned(),
    }
}

/// Writes the mean reward of a move.
fn mean(line: &Line<String>) -> String {
    number(line.sampled.and_then(|sampled| sampled.mean).unwrap_or(line.value.number()))
}

fn answer(told: &Explanation, is_sampling: bool) -> Option<String> {
    let best = told.report.lines.first()?;
    let mv = chosen(told, &best.mv);
    if is_sampling {
        return Some(format!("Answer: {mv}, {}", sampled(told, best)));
    }
    if best.known_value().is_none() {
        return Some(format!("Answer: no move was finished; {mv} is only the first move."));
    }
    let wins = Wins::of(told);
    let value = match &told.values {
        Some(all) if told.tree.players() > 2 => format!("worth {}", wins.values(all)),
        Some(all) => format!("worth {} to MAX", wins.number(all.first().copied().unwrap_or(0.0))),
        None => format!("worth {} to {}", wins.number(best.value.number()), whose(told)),
    };
    let bound = match best.bound {
        _ if deepest(told).is_some() => " within the searched depth",
        Bound::Exact => "",
        _ => " (a bound)",
    };
    let proven = match best.outcome() {
        // Values of a tree file are plain numbers without wins and losses.
        _ if told.tree.has_names() => String::new(),
        Some(outcome) => {
            let plies = best.distance().map_or(String::new(), |plies| format!(" in {plies}"));
            match (outcome, told.tree.nodes()[0].kind) {
                (Outcome::Draw, _) => ", proven: a draw".to_owned(),
                (Outcome::Loss, NodeKind::Max) => format!(", proven: MIN wins{plies}"),
                (Outcome::Loss, NodeKind::Min) => format!(", proven: MAX wins{plies}"),
                (Outcome::Loss, _) => format!(", proven: {} loses{plies}", mover(told)),
                (Outcome::Win, _) => format!(", proven: {} wins{plies}", mover(told)),
            }
        }
        None => String::new(),
    };
    Some(format!("Answer: {mv}, {value}{bound}{proven}."))
}

/// Returns the name of a move; in a tree file whose moves have names, also the node it leads to.
fn chosen(told: &Explanation, mv: &str) -> String {
    let nodes = told.tree.nodes();
    let mut children = nodes[0].children.iter().map(|&child| &nodes[child]);
    match children.find(|node| node.mv.as_deref() == Some(mv)) {
        Some(node) if told.tree.has_names() && node.name != mv => format!("{mv}, to {}", node.name),
        _ => mv.to_owned(),
    }
}

/// Returns the name of the root player.
fn mover(told: &Explanation) -> String {
    match told.tree.nodes()[0].kind {
        NodeKind::Min => "MIN".to_owned(),
        _ => whose(told),
    }
}

/// Returns the reason for the answer of Monte Carlo tree search.
fn sampled(told: &Explanation, best: &Line<String>) -> String {
    let mover = mover(told);
    let lines = &told.report.lines;
    let (own, all) = (grouped(best.visits), grouped(told.report.stats.nodes));
    let visits = format!("{own} of {all} visits");
    let mean_text = format!("a mean of {} for {mover}", mean(best));
    // Only the solver chooses by proofs.
    let is_solver = told.settled.value("solver") == Some("on");
    let proven = match best.outcome().filter(|_| is_solver) {
        Some(Outcome::Win) => Some("proven to win"),
        Some(Outcome::Draw) => Some("proven to be a draw"),
        Some(Outcome::Loss) => Some("proven to lose, as is every move"),
        None => None,
    };
    if let Some(proven) = proven {
        return format!("{proven}, with {visits}.");
    }
    match told.settled.value("final") {
        Some("mean") => {
            return format!("with the best mean, {} for {mover}, in {visits}.", mean(best));
        }
        Some("total") => return format!("with the largest total, in {visits} with {mean_text}."),
        Some("secure") => {
            return format!("with the best mean - c / sqrt(visits), in {visits} with {mean_text}.");
        }
        _ => {}
    }
    // Another move may have more visits only because of proofs.
    if let Some(other) = lines.iter().find(|line| line.visits > best.visits) {
        let why = match other.outcome().filter(|_| is_solver) {
            Some(Outcome::Loss) => format!(" {} has more but is proven to lose.", other.mv),
            _ => String::new(),
        };
        return format!("with {visits} and {mean_text}.{why}");
    }
    let mut text = format!("with the most visits ({own} of {all}) and {mean_text}.");
    if let Some(second) = lines.get(1).filter(|second| second.visits == best.visits) {
        let mean = mean(second);
        let but = match second.outcome().filter(|_| is_solver) {
            Some(Outcome::Loss) => "but is proven to lose".to_owned(),
            _ if mean == self::mean(best) => "and the same mean, but comes later".to_owned(),
            _ => format!("but a mean of {mean}"),
        };
        text += &format!(" {} has as many visits {but}.", second.mv);
    }
    text
}

fn line_of_play(told: &Explanation) -> Option<String> {
    let line = told.report.lines.first()?;
    let mut names: Vec<&str> = line.pv.iter().map(String::as_str).collect();
    // In a tree file, nodes are more familiar than the moves to them.
    let nodes = told.best_line();
    if told.tree.has_names() && nodes.len() == names.len() + 1 {
        names = nodes.iter().map(|&node| told.tree.nodes()[node].name.as_str()).collect();
    }
    Some(format!("Best line: {}.", names.join(" ")))
}

fn costs(told: &Explanation, is_sampling: bool) -> String {
    let stats = &told.report.stats;
    if is_sampling {
        return format!("It took {}.", count(stats.nodes, "simulation"));
    }
    let mut text =
        format!("It took {}, {} of them leaves", count(stats.nodes, "node"), grouped(stats.leaves));
    text.push_str(&match stats.cutoffs {
        0 => "; nothing was pruned".to_owned(),
        cuts => format!("; {} pruned {}", count(cuts, "cutoff"), children(stats.pruned)),
    });
    if stats.table_hits > 0 {
        text += &format!("; {} known from the table", grouped(stats.table_hits));
    }
    text + "."
}

fn children(number: u64) -> String {
    if number == 1 { "1 child".to_owned() } else { format!("{} children", grouped(number)) }
}

fn unseen(told: &Explanation, saving: &Saving) -> String {
    let to = saving.depth.map_or(String::new(), |depth| format!(" to depth {depth}"));
    let Some(whole) = saving.whole else {
        return format!(
            "{} different nodes were seen; the whole tree{to} was not counted.",
            grouped(saving.seen as u64)
        );
    };
    let never = whole.saturating_sub(saving.seen);
    let all = grouped(whole as u64);
    if never == 0 {
        // A node pruned in one place or depth may have been searched in another.
        let later = if told.report.stats.pruned > 0 {
            ": pruned nodes were visited elsewhere or later"
        } else {
            ""
        };
        return format!("All {all} nodes{to} were seen{later}.");
    }
    let named = match saving.unseen.len() {
        0 => String::new(),
        n if n <= NAMED => format!(": {}", saving.unseen.join(", ")),
        n => {
            let more = grouped((n - NAMED) as u64);
            format!(": {} and {more} more", saving.unseen[..NAMED].join(", "))
        }
    };
    let share = if told.tree.has_names() {
        String::new()
    } else {
        format!(" ({:.0} %)", 100.0 * never as f64 / whole as f64)
    };
    format!("{} of {all} nodes{to} never seen{share}{named}.", grouped(never as u64))
}
