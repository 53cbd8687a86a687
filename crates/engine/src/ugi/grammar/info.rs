//! Grammar of `info` lines.

use tussle_catalog::AnyGame;
use tussle_core::{Bound, Line, Report};

use crate::external::EngineInfo;

/// Returns a report as one `info` line.
pub(crate) fn info_line(game: &dyn AnyGame, mover: usize, report: &Report<String>) -> String {
    let stats = &report.stats;
    let speed = stats.nodes as f64 / report.elapsed.as_secs_f64().max(1e-6);
    let mut text = format!(
        "info depth {} nodes {} nps {speed:.0} time {}",
        stats.depth,
        stats.nodes,
        report.elapsed.as_millis()
    );
    if let Some(best) = report.lines.first() {
        text += &score(game, mover, best);
        text += " pv ";
        text += &best.pv.join(" ");
    }
    text
}

/// Returns the score for the player to move: a proven outcome with its distance in plies, or the value in hundredths.
fn score(game: &dyn AnyGame, mover: usize, line: &Line<String>) -> String {
    if let Some(outcome) = line.outcome() {
        let plies = line.distance().map_or(String::new(), |plies| format!(" {plies}"));
        return format!(" score {outcome}{plies}");
    }
    // The values of some games are always those of the first player, but an engine reports for the player to move.
    let values = game.values(mover, line);
    let value = values.and_then(|values| values.get(mover).copied()).unwrap_or(line.value.number());
    let is_turned = value != line.value.number();
    let bound = if is_turned { line.bound.turned() } else { line.bound };
    let bound = match bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    if !line.searched || !value.is_finite() {
        return String::new();
    }
    format!(" score cp {}{bound}", (value * 100.0).round() as i64)
}

/// Reads the known parts of the words after `info`.
pub(crate) fn read_info<'a>(info: &mut EngineInfo, mut words: impl Iterator<Item = &'a str>) {
    while let Some(word) = words.next() {
        match word {
            "depth" => info.depth = words.next().and_then(|n| n.parse().ok()).or(info.depth),
            "nodes" => info.nodes = words.next().and_then(|n| n.parse().ok()).or(info.nodes),
            "score" => {
                // Numbers without a known unit are evaluations.
                let number = match words.next() {
                    Some("cp") => {
                        words.next().and_then(|n| n.parse::<f64>().ok()).map(|n| n / 100.0)
                    }
                    Some(number) => number.parse().ok().filter(|n: &f64| n.is_finite()),
                    None => None,
                };
                info.value = number.map(Into::into);
            }
            // The rest of the line is moves or free text.
            "pv" => {
                info.pv = words.map(str::to_owned).collect();
                return;
            }
            "string" => return,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tussle_core::{SearchStats, StopReason};

    use super::*;

    #[test]
    fn unknown_parts_of_info_are_ignored() {
        let told = |line: &str| {
            let mut info = EngineInfo::default();
            read_info(&mut info, line.split_ascii_whitespace());
            info
        };
        let pv = ["depth", "8"].map(str::to_owned).to_vec();
        let full = EngineInfo { value: Some((-1.07).into()), depth: Some(3), nodes: Some(16), pv };
        assert_eq!(told("depth 3 seldepth 9 score cp -107 time 0 nodes 16 pv depth 8"), full);
        assert_eq!(told("score 0.25 depth x").value, Some(0.25.into()));
        assert_eq!(told("string depth 3"), EngineInfo::default());
        assert_eq!(told("score"), EngineInfo::default());
    }

    #[test]
    fn parsing_a_written_info_line_gives_the_same_info() {
        let game = tussle_catalog::game("tictactoe").expect("a game");
        let mut best = Line::new("b2".to_owned(), 0.25);
        best.searched = true;
        best.pv = ["b2", "a1"].map(str::to_owned).to_vec();
        let stats = SearchStats { depth: 3, nodes: 16, ..SearchStats::default() };
        let report = Report::new(vec![best], stats, StopReason::Finished, Duration::from_millis(2));
        let line = info_line(game.as_ref(), 0, &report);
        let mut info = EngineInfo::default();
        read_info(&mut info, line.split_ascii_whitespace().skip(1));
        let pv = report.lines[0].pv.clone();
        assert_eq!(
            info,
            EngineInfo { value: Some(0.25.into()), depth: Some(3), nodes: Some(16), pv }
        );
    }
}
