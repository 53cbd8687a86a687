//! The end of a story: the answer, and what it took.

use tussle_core::{Bound, Line, Outcome};

use super::number::{count, grouped, number, values};
use super::story::stopped;
use super::{Explanation, Kind, MOST_STEPS, Saving, Step};

/// So many nodes that were never seen are named.
const NAMED: usize = 24;

/// The nodes from the root along the line that the search expects, as far as it is in the tree.
pub fn best_line(told: &Explanation) -> Vec<usize> {
    let nodes = told.tree.nodes();
    let mut line = vec![0];
    let moves = told.report.lines.first().map_or(&[][..], |best| &best.pv);
    for mv in moves {
        let here = line.last().copied().unwrap_or(0);
        let by = |&&child: &&usize| nodes[child].mv.as_deref() == Some(mv);
        let Some(&child) = nodes[here].children.iter().find(by) else { break };
        line.push(child);
    }
    line
}

/// The answer, its value, the best line, what it cost, what was left out, and why the search stopped; one
/// sentence a line.
pub fn summary(told: &Explanation) -> Vec<String> {
    let mut lines = Vec::new();
    let is_sampling = told.steps.iter().any(|step| matches!(step, Step::Simulate { .. }));
    lines.extend(answer(told, is_sampling));
    lines.extend(line_of_play(told));
    lines.push(costs(told, is_sampling));
    lines.extend(told.saving.as_ref().map(|saving| unseen(told, saving)));
    lines.push(format!("It stopped because {}.", stopped(told.report.stopped)));
    if told.is_cut_short {
        lines.push(format!(
            "The search went on, but only its first {} steps are kept; give it a smaller limit to see all.",
            grouped(told.steps.len().min(MOST_STEPS) as u64)
        ));
    }
    if let (Some(win), Some(best)) = (&told.missed_win, told.report.best()) {
        lines.push(format!(
            "Note: {win} wins at once, and {best} was chosen all the same. {}",
            if is_sampling {
                "The simulations have not shown it yet."
            } else if told.report.outcome() == Some(Outcome::Win) {
                "It wins as surely, and how soon does not count here."
            } else {
                "What this search compares does not count wins."
            }
        ));
    }
    lines
}

/// Whose value a single number is.
fn whose(told: &Explanation) -> String {
    match told.tree.nodes()[0].kind {
        Kind::Player(player) => format!("player {}", player + 1),
        _ => "MAX".to_owned(),
    }
}

/// What simulations of a move gave, in the numbers that they weigh.
fn mean(line: &Line<String>) -> String {
    number(line.sampled.and_then(|sampled| sampled.mean).unwrap_or(line.value))
}

fn answer(told: &Explanation, is_sampling: bool) -> Option<String> {
    let best = told.report.lines.first()?;
    let mv = &best.mv;
    if is_sampling {
        let mover = match told.tree.nodes()[0].kind {
            Kind::Min => "MIN".to_owned(),
            _ => whose(told),
        };
        let mut text = format!(
            "Answer: {mv}, with the most visits ({} of {}) and a mean of {} for {mover}.",
            best.visits,
            told.report.stats.nodes,
            mean(best)
        );
        if let Some(second) = told.report.lines.get(1) {
            if second.visits > best.visits {
                text = format!(
                    "Answer: {mv}, with {} of {} and a mean of {} for {mover}.",
                    count(best.visits, "visit"),
                    told.report.stats.nodes,
                    mean(best)
                );
            } else if second.visits == best.visits {
                let mean = mean(second);
                let but = if mean == self::mean(best) {
                    "and the same mean, but comes later".to_owned()
                } else {
                    format!("but a mean of {mean}")
                };
                text += &format!(" {} has as many visits {but}.", second.mv);
            }
        }
        return Some(text);
    }
    let value = match &told.values {
        Some(all) if told.tree.players() > 2 => format!("worth {}", values(all)),
        Some(all) => format!("worth {} to MAX", number(all.first().copied().unwrap_or(0.0))),
        None => format!("worth {} to {}", number(best.value), whose(told)),
    };
    let bound = if best.bound == Bound::Exact { "" } else { " (a bound)" };
    let proven = match best.outcome {
        // In a tree of numbers, more or less is all there is.
        _ if told.tree.has_names() => String::new(),
        Some(outcome) => {
            let name = match outcome {
                Outcome::Win => "a win",
                Outcome::Draw => "a draw",
                Outcome::Loss => "a loss",
            };
            let plies = best.distance.map(|plies| format!(" in {}", plural(plies, "ply", "plies")));
            format!(", proven: {name}{} for the player to move", plies.unwrap_or_default())
        }
        None => String::new(),
    };
    Some(format!("Answer: {mv}, {value}{bound}{proven}."))
}

fn plural(number: u32, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

fn line_of_play(told: &Explanation) -> Option<String> {
    let line = told.report.lines.first()?;
    let mut names: Vec<&str> = line.pv.iter().map(String::as_str).collect();
    // In a tree from a file the nodes are better known than the moves to them.
    let nodes = best_line(told);
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
        return format!("All {all} nodes{to} were seen.");
    }
    let named = match saving.unseen.len() {
        0 => String::new(),
        n if n <= NAMED => format!(": {}", saving.unseen.join(", ")),
        n => format!(": {} and {} more", saving.unseen[..NAMED].join(", "), n - NAMED),
    };
    let share = if told.tree.has_names() {
        String::new()
    } else {
        format!(" ({:.0} %)", 100.0 * never as f64 / whole as f64)
    };
    format!("{} of {all} nodes{to} never seen{share}{named}.", grouped(never as u64))
}
