//! Lines about nodes whose value is the mean of their children.

use tussle_catalog::recording::{Node, NodeKind, Step};
use tussle_core::{Bound, Value};

use super::Narrator;
use super::nature::Role;
use super::stack::Frame;
use super::words::NAMED;

/// Maximum number of terms of a partial sum that are written out.
const TERMS: usize = 4;

/// Partial sum of a mean.
struct Partial {
    /// Sum as text: `0.25 * 2 - 0.5 * 2 = -0.5`.
    text: String,
    sum: f64,
    /// Probability of the remaining outcomes.
    rest: f64,
}

impl Narrator<'_> {
    /// Returns the value of a node as a sum over its children: `left = 0.5 * 4 + 0.5 * 2 = 3`.
    pub(super) fn average(&self, frame: &Frame, value: &[Value]) -> String {
        let (name, shown) = (self.name(frame.node), self.values(value));
        let or = Self::or(
            value.first().copied().unwrap_or(Value::ZERO),
            self.searched_bound(frame, value),
        );
        let is_chance = self.nodes[frame.node].kind == NodeKind::Chance;
        let is_weighted = self.is_weighted(frame.node);
        let is_short = !frame.done.is_empty() && frame.done.len() <= NAMED && value.len() == 1;
        // An unweighted mean of replies is written without probabilities.
        if self.has_odds(frame) && is_short && (is_chance || is_weighted) {
            return format!("{name} = {}", self.partial(frame, NAMED, or).text);
        }
        let mean = if is_weighted { "weighted mean" } else { "mean" };
        let what = self.averaged(frame.node);
        format!("{name} = {shown}{or}, the {mean} over {} {what}", frame.done.len())
    }

    /// Returns the word for the moves that a node is averaged over.
    fn averaged(&self, node: usize) -> &'static str {
        if self.nodes[node].kind == NodeKind::Chance { "outcomes" } else { "replies" }
    }

    fn has_odds(&self, frame: &Frame) -> bool {
        frame.done.iter().all(|(node, _)| self.nodes[*node].probability.is_some())
    }

    /// Returns true if the children of a node are not equally likely.
    fn is_weighted(&self, node: usize) -> bool {
        let mut odds = self.nodes[node].children.iter().map(|&child| self.nodes[child].probability);
        let first = odds.next();
        odds.any(|probability| Some(probability) != first)
    }

    /// Returns the probability of a reply under a weighted opponent model: `, probability 0.04`.
    pub(super) fn likelihood(&self, node: usize) -> String {
        let Node { parent: Some(parent), probability: Some(p), .. } = self.nodes[node] else {
            return String::new();
        };
        if self.nodes[parent].kind == NodeKind::Chance || !self.is_weighted(parent) {
            return String::new();
        }
        format!(", probability {}", self.number(p))
    }

    /// Returns ` or more` or ` or less` for a sum of values and bounds.
    fn or_so_far(frame: &Frame) -> &'static str {
        let is = |bound| frame.done.iter().any(|(node, _)| frame.bound_of(*node) == bound);
        match (is(Bound::Lower), is(Bound::Upper)) {
            (true, false) => " or more",
            (false, true) => " or less",
            _ => "",
        }
    }

    /// Returns the sum so far, with its terms if there are at most `most` of them.
    fn partial(&self, frame: &Frame, most: usize, or: &str) -> Partial {
        let (mut terms, mut sum, mut seen) = (String::new(), 0.0, 0.0);
        for (node, values) in &frame.done {
            let p = self.nodes[*node].probability.unwrap_or(0.0);
            let value = values.first().copied().unwrap_or(Value::ZERO).number();
            // Before the first term, the minus sign belongs to the value and not to the probability.
            let (sign, shown) = match (terms.is_empty(), value < 0.0) {
                (true, _) => ("", value),
                (false, true) => (" - ", -value),
                (false, false) => (" + ", value),
            };
            terms += &format!("{sign}{} * {}", self.number(p), self.number(shown));
            sum += p * value;
            seen += p;
        }
        let text = if frame.done.len() <= most {
            format!("{terms} = {}{or}", self.number(sum))
        } else {
            let what = self.averaged(frame.node);
            format!("{}{or} from {} {what}", self.number(sum), frame.done.len())
        };
        let rest = 1.0 - seen;
        Partial { text, sum, rest: if rest < 1e-9 { 0.0 } else { rest } }
    }

    /// Returns the line after each outcome under Star1: the sum so far, and the bounds of the rest.
    pub(super) fn seen_so_far(&self, node: usize) -> Option<String> {
        let frame = self.frames.last().filter(|frame| frame.node == node)?;
        let is_average = self.nature.role(node) == Role::Average && self.has_odds(frame);
        let (least, most) = self.nature.limits;
        if !is_average || least.or(most).is_none() {
            return None;
        }
        let partial = self.partial(frame, TERMS, Self::or_so_far(frame));
        let (alpha, beta) = frame.entry;
        // Nothing can be pruned without a window, so a long sum gets no further lines.
        let is_idle = !alpha.is_finite() && !beta.is_finite() && frame.done.len() > TERMS;
        if partial.rest == 0.0 || is_idle {
            return None;
        }
        let mut text = format!("{}: so far {}", self.name(node), partial.text);
        let rest = self.number(partial.rest);
        match most {
            Some(most) if alpha.is_finite() => {
                let best = partial.sum + partial.rest * most;
                text += &format!(
                    "; the other {rest} can bring at most {rest} * {} = {}, so {} at best: more than alpha {}; continue",
                    self.number(most),
                    self.number(partial.rest * most),
                    self.number(best),
                    self.number(alpha)
                );
            }
            Some(most) => {
                let bring = self.number(partial.rest * most);
                text += &format!(
                    "; the other {rest} can bring at most {rest} * {} = {bring}",
                    self.number(most)
                );
            }
            None => {}
        }
        if let Some(least) = least.filter(|_| beta.is_finite()) {
            let worst = partial.sum + partial.rest * least;
            let subject = match most {
                Some(_) => "at least".to_owned(),
                None => format!("the other {rest} can bring at least"),
            };
            text += &format!(
                "; {subject} {rest} * {} = {}, so {} at worst: less than beta {}; continue",
                self.number(least),
                self.number(partial.rest * least),
                self.number(worst),
                self.number(beta)
            );
        }
        Some(text)
    }

    /// Returns the reason for a Star1 cutoff: the mean is outside the window for all values of the rest.
    pub(super) fn why_average_is_outside(&self, frame: &Frame) -> String {
        let has_odds = self.has_odds(frame);
        let partial = self.partial(frame, TERMS, Self::or_so_far(frame));
        let (alpha, beta) = frame.entry;
        let (least, most) = self.nature.limits;
        let rest = self.number(partial.rest);
        // The next step leaves the node with a bound below or above the window.
        let is_low = match self.told.steps.get(self.at) {
            Some(Step::Leave { values, .. }) => values.first().is_some_and(|&value| value <= alpha),
            _ => least.is_none(),
        };
        let (limit, extreme, sign, end, bound, role) = if is_low {
            (most, "at most", "<=", "alpha", alpha, Role::Max)
        } else {
            (least, "at least", ">=", "beta", beta, Role::Min)
        };
        let (Some(limit), true) = (limit, has_odds) else {
            return format!(
                "whatever the rest brings, the mean is {sign} {end} {}",
                self.number(bound)
            );
        };
        let bring = partial.rest * limit;
        let total = partial.sum + bring;
        let so = self
            .who_would_not_come(bound, role)
            .map_or(String::new(), |who| format!(", so {who} would never come here"));
        format!(
            "so far {}; the other {rest} can bring {extreme} {rest} * {} = {}, and {} {} {} = {} {sign} {end} {}{so}",
            partial.text,
            self.number(limit),
            self.number(bring),
            self.number(partial.sum),
            if bring < 0.0 { "-" } else { "+" },
            self.number(bring.abs()),
            self.number(total),
            self.number(bound),
        )
    }

    /// Returns the node above that set this bound, with its player.
    fn who_would_not_come(&self, bound: Value, role: Role) -> Option<String> {
        let (_, above) = self.frames.split_last()?;
        let end = |frame: &Frame| if role == Role::Max { frame.window.0 } else { frame.window.1 };
        let frame = above
            .iter()
            .rev()
            .find(|frame| self.nature.role(frame.node) == role && end(frame) == bound)?;
        Some(self.at_node(frame.node))
    }
}
