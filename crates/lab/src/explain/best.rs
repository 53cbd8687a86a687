//! The nodes of the answer.

use super::Explanation;

/// The nodes of the best line, from the root on, as far as the tree knows them.
pub(super) fn best_line(told: &Explanation) -> Vec<usize> {
    let nodes = told.tree.nodes();
    let mut line = vec![0];
    let Some(best) = told.report.lines.first() else { return line };
    for mv in &best.pv {
        let last = line[line.len() - 1];
        let is_next = |&&child: &&usize| nodes[child].mv.as_ref() == Some(mv);
        let Some(&next) = nodes[last].children.iter().find(is_next) else { break };
        line.push(next);
    }
    line
}
