//! The step player: one self-contained HTML file with the tree, the narration and the boards of a search.
//!
//! The script of the page has no knowledge of searches. It gets the slots of the tree once and, for every line of the
//! narration, the changes, so that its pictures are those of [`Explanation::frames`].

mod boards;

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tussle_catalog::AnyPosition;
use tussle_catalog::recording::{ChildWeight, NodeKind, Step};
use tussle_core::{Form, Ink};
use tussle_view::tree::{LABEL, NOTE, NOTE_STEP, NodePlace, NodeStatus, Outline, Plan, Vertex};
use tussle_view::{EscapedText, Theme};

use crate::exercise::Picture;
use crate::frames::{FrameSequence, LEAVES, SlotContent, State, first_and_last, is_sampling};
use crate::{Exercise, Explanation, NarrationLine};
use boards::Boards;

/// Maximum number of narration lines of a page; browsers become slow with more.
const MAX_PAGE_LINES: usize = 4000;

/// Maximum number of children that are listed with their weights.
const MAX_LISTED_CHILDREN: usize = 12;

/// Maximum number of letters of all boards of a page.
const MAX_BOARD_LETTERS: usize = 400_000;

const PAGE: &str = include_str!("../assets/player.html");
const STYLE: &str = include_str!("../assets/player.css");
const SCRIPT: &str = include_str!("../assets/player.js");

impl Explanation {
    /// Returns the page of a search from `position`.
    pub fn page(&self, position: &dyn AnyPosition) -> String {
        let all = self.narration();
        let lines: Vec<NarrationLine> =
            first_and_last(&all, MAX_PAGE_LINES).into_iter().cloned().collect();
        let sequence = FrameSequence::new(self, &lines, LEAVES);
        let cast = Cast::new(&sequence, &lines);
        let mut summary = self.summary().into_iter();
        let page = json!({
            "title": format!("{} searches {}", self.agent, game_name(&self.game)),
            "position": self.position,
            "answer": summary.next(),
            "note": note(summary, all.len(), lines.len()),
            "here": "current node",
            "notations": if is_sampling(self) {
                vec!["total / visits", "→ result of a playout"]
            } else {
                vec!["= value"]
            },
            "size": [sequence.plan.width, sequence.plan.height],
            "text": [LABEL, NOTE, NOTE_STEP],
            "nodes": cast.nodes(&sequence),
            "slots": cast.slots(&sequence),
            "narration": cast.lines(&sequence, &lines),
            "boards": cast.boards(&sequence, position),
        });
        fill_page(&page)
    }
}

/// Writes the page of an exercise, which has pictures without a recorded search.
pub(crate) fn still_pages(
    exercise: &Exercise,
    game: &str,
    pictures: &[Picture],
    plan: &Plan,
) -> String {
    let Some(first) = pictures.first() else { return String::new() };
    let mut parents = vec![-1; first.vertices.len()];
    for (at, vertex) in first.vertices.iter().enumerate() {
        for &child in &vertex.children {
            parents[child] = at as i64;
        }
    }
    let node = |(at, vertex): (usize, &Vertex)| {
        json!([parents[at], vertex.label, outline(vertex.outline), at, vertex.children.len()])
    };
    let slot =
        |(at, place): (usize, &NodePlace)| slot(place, &first.vertices[at], at as i64, parents[at]);
    let mut lines = Vec::new();
    let mut said: Vec<Vec<Value>> = vec![Vec::new(); first.vertices.len()];
    for (number, picture) in pictures.iter().enumerate() {
        let mut changes = Vec::new();
        for (at, vertex) in picture.vertices.iter().enumerate() {
            let own = content(vertex);
            if said[at] != own {
                changes.push(with_number(at, &own));
                said[at] = own;
            }
        }
        if number == 0 {
            // The state before the first line is that of the first picture.
            lines.push(json!(["", -1, 0, changes]));
            changes = Vec::new();
        }
        lines.push(json!([picture.caption, picture.node, 0, changes]));
    }
    fill_page(&json!({
        "title": format!("UCB1 by hand: {}", game_name(game)),
        "position": exercise.name(0),
        "answer": exercise.answer().trim_end(),
        "note": exercise.contradictions.join(" "),
        "here": "simulated node",
        "notations": ["wins/visits of the player who moved into the node"],
        "size": [plan.width, plan.height],
        "text": [LABEL, NOTE, NOTE_STEP],
        "nodes": first.vertices.iter().enumerate().map(node).collect::<Vec<_>>(),
        "slots": plan.nodes.iter().enumerate().map(slot).collect::<Vec<_>>(),
        "narration": lines,
        "boards": null,
    }))
}

/// Inserts the data of a page into the HTML template.
fn fill_page(page: &Value) -> String {
    // A script element ends at the first `</`, even inside a string, and `<!--` changes how it is parsed.
    let title = page["title"].as_str().unwrap_or_default();
    let page = page.to_string().replace('<', "\\u003c");
    let title = EscapedText(title).to_string();
    // Each part is inserted once, and inserted text is not searched for further placeholders.
    let parts = [
        ("{{title}}", title),
        ("{{style}}", style()),
        ("{{page}}", page),
        ("{{script}}", SCRIPT.to_owned()),
    ];
    let (mut whole, mut rest) = (String::new(), PAGE);
    for (place, part) in parts {
        let Some((before, after)) = rest.split_once(place) else { continue };
        whole += before;
        whole += &part;
        rest = after;
    }
    whole + rest
}

/// Returns the spec of a game without the folders of its file.
fn game_name(spec: &str) -> String {
    let Some((game, file)) = spec.split_once("file=") else { return spec.to_owned() };
    let name = file.rsplit('/').next().unwrap_or(file);
    let name = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    match game {
        "tree:" => name.to_owned(),
        game => format!("{game}{name}"),
    }
}

/// Returns the note below the answer: the cost, and the omitted lines.
fn note(summary: impl Iterator<Item = String>, all: usize, kept: usize) -> String {
    let left_out = (kept < all)
        .then(|| format!("The first {} of {all} lines and the last one are shown.", kept - 1));
    summary.chain(left_out).collect::<Vec<_>>().join(" ")
}

/// Returns the style sheet of the page, with its colours as variables.
fn style() -> String {
    let named = |theme: Theme| {
        let mut list = String::new();
        for (name, ink) in [
            ("background", Ink::Background),
            ("board", Ink::Board),
            ("alt", Ink::BoardAlt),
            ("grid", Ink::Grid),
            ("ink", Ink::Text),
            ("faint", Ink::Faint),
            ("accent", Ink::Accent),
        ] {
            list += &format!("--{name}:{};", theme.ink(ink));
        }
        for player in 0..8 {
            list += &format!("--p{player}:{};", theme.ink(Ink::Player(player)));
        }
        list
    };
    let (light, dark) = (named(Theme::Light), named(Theme::Dark));
    format!(
        ":root{{color-scheme:light;{light}}}\n\
         :root[data-theme=dark]{{color-scheme:dark;{dark}}}\n{STYLE}"
    )
}

/// Nodes of a page, with their numbers there. Nodes of the tree that no line mentions are only counted.
struct Cast {
    /// Number in the page for each number in the tree.
    numbers: BTreeMap<usize, usize>,
    weights: BTreeMap<usize, Vec<ChildWeight>>,
}

impl Cast {
    fn new(sequence: &FrameSequence<'_>, lines: &[NarrationLine]) -> Self {
        let nodes = sequence.told.tree.nodes();
        let mut wanted: Vec<usize> = Vec::new();
        for slot in &sequence.collapsed.slots {
            if let SlotContent::Node(node) = slot.content {
                wanted.push(node);
            }
        }
        wanted.extend(lines.iter().filter_map(|line| line.node));
        let mut weights = BTreeMap::new();
        for (_, steps) in spans(lines, sequence.told) {
            for (at, step) in steps {
                if let Step::Weigh { children, .. } = step {
                    let most = heaviest(children, chosen(sequence.told, at));
                    wanted.extend(most.iter().map(|child| child.node));
                    weights.insert(at, most);
                }
            }
        }
        let mut numbers = BTreeMap::new();
        for mut node in wanted {
            while numbers.insert(node, 0).is_none() {
                let Some(parent) = nodes[node].parent else { break };
                node = parent;
            }
        }
        for (i, number) in numbers.values_mut().enumerate() {
            *number = i;
        }
        Self { numbers, weights }
    }

    fn number(&self, node: usize) -> i64 {
        self.numbers.get(&node).map_or(-1, |&number| number as i64)
    }

    /// Returns parent, name, kind, slot and number of children of each node.
    fn nodes(&self, sequence: &FrameSequence<'_>) -> Vec<Value> {
        let nodes = sequence.told.tree.nodes();
        let each = |&node: &usize| {
            let own = &nodes[node];
            let kind = match own.kind {
                NodeKind::Max => "max".to_owned(),
                NodeKind::Min => "min".to_owned(),
                NodeKind::Chance => "chance".to_owned(),
                NodeKind::Player(player) => format!("p{player}"),
                NodeKind::End => "end".to_owned(),
            };
            let parent = own.parent.map_or(-1, |parent| self.number(parent));
            json!([parent, own.name, kind, sequence.collapsed.slot_of[node], own.children.len()])
        };
        self.numbers.keys().map(each).collect()
    }

    /// Returns the slots with all properties that do not change.
    fn slots(&self, sequence: &FrameSequence<'_>) -> Vec<Value> {
        let state = State::new(sequence.told);
        let each = |(at, place): (usize, &NodePlace)| {
            let slot = &sequence.collapsed.slots[at];
            let node = match slot.content {
                SlotContent::Node(node) => self.number(node),
                _ => -1,
            };
            let vertex = sequence.vertex(&state, at);
            let parent = slot.parent.map_or(-1, |parent| parent as i64);
            let mut own = self::slot(place, &vertex, node, parent);
            // The full move, if the label is shortened.
            if let SlotContent::Node(node) = slot.content
                && let Some(mv) = &sequence.told.tree.nodes()[node].mv
                && !vertex.edge.is_empty()
                && *mv != vertex.edge
            {
                own["move"] = json!(mv);
            }
            own
        };
        sequence.plan.nodes.iter().enumerate().map(each).collect()
    }

    /// Returns text, node, depth, changes and weights of children of each line.
    fn lines(&self, sequence: &FrameSequence<'_>, lines: &[NarrationLine]) -> Vec<Value> {
        let mut state = State::new(sequence.told);
        // The first entry is the state before the first line.
        let mut first = Vec::new();
        let mut said: Vec<Vec<Value>> = Vec::new();
        for slot in 0..sequence.collapsed.slots.len() {
            let own = content(&sequence.vertex(&state, slot));
            first.push(with_number(slot, &own));
            said.push(own);
        }
        let mut hidden: BTreeMap<usize, Vec<Value>> = BTreeMap::new();
        let mut each = vec![json!(["", -1, 0, first])];
        for (line, steps) in spans(lines, sequence.told) {
            state.advance_to(line);
            let mut changes = Vec::new();
            let nodes = state.changed();
            let mut slots: Vec<usize> =
                nodes.iter().map(|&node| sequence.collapsed.slot_of[node]).collect();
            slots.sort_unstable();
            slots.dedup();
            for slot in slots {
                let own = content(&sequence.vertex(&state, slot));
                if said[slot] != own {
                    changes.push(with_number(slot, &own));
                    said[slot] = own;
                }
            }
            // Nodes of collapsed subtrees are not drawn, but the page can describe them.
            for node in nodes {
                let number = self.number(node);
                if number < 0 || sequence.collapsed.is_shown(node) {
                    continue;
                }
                let own = notes(&state, node);
                if hidden.get(&node) != Some(&own) {
                    changes
                        .push(with_number(sequence.collapsed.slots.len() + number as usize, &own));
                    hidden.insert(node, own);
                }
            }
            let node = line.node.map_or(-1, |node| self.number(node));
            let mut parts = vec![json!(line.text), json!(node), json!(line.depth), json!(changes)];
            parts.extend(steps.rev().find_map(|(at, step)| self.weights(sequence.told, at, step)));
            each.push(Value::Array(parts));
        }
        each
    }

    /// Returns the number of compared children, the selected one, and those with the largest weights: node, visits,
    /// mean and bonus of each.
    fn weights(&self, told: &Explanation, at: usize, step: &Step) -> Option<Value> {
        let Step::Weigh { children, .. } = step else { return None };
        let chosen = chosen(told, at).map_or(-1, |node| self.number(node));
        let mut flat = vec![json!(children.len()), json!(chosen)];
        for child in self.weights.get(&at)? {
            let bonus =
                if child.bonus.is_finite() { json!(four(child.bonus)) } else { Value::Null };
            flat.extend([
                json!(self.number(child.node)),
                json!(child.visits),
                json!(four(child.mean)),
                bonus,
            ]);
        }
        Some(Value::Array(flat))
    }

    /// Returns the boards of the nodes, up to the maximum size; boards of shown nodes are added first.
    fn boards(&self, sequence: &FrameSequence<'_>, position: &dyn AnyPosition) -> Value {
        // A tree file has no boards.
        if position.game_spec().split(':').next() == Some("tree") {
            return Value::Null;
        }
        let mut order: Vec<usize> = self.numbers.keys().copied().collect();
        order.sort_by_key(|&node| !sequence.collapsed.is_shown(node));
        let mut boards = Boards::default();
        let mut of_node = vec![-1; order.len()];
        for node in order {
            if boards.letters > MAX_BOARD_LETTERS {
                break;
            }
            if let Some(there) = play_to(sequence.told, node, position) {
                of_node[self.numbers[&node]] = boards.add(&there.scene()) as i64;
            }
        }
        let mut json = boards.json();
        json["of"] = json!(of_node);
        json
    }
}

/// Returns the position of a node.
fn play_to(
    told: &Explanation,
    node: usize,
    root: &dyn AnyPosition,
) -> Option<Box<dyn AnyPosition>> {
    let nodes = told.tree.nodes();
    let mut moves = Vec::new();
    let mut at = node;
    while let Some(parent) = nodes[at].parent {
        moves.push(nodes[at].mv.as_deref()?);
        at = parent;
    }
    let mut position = root.boxed();
    for mv in moves.into_iter().rev() {
        position.play(mv).ok()?;
    }
    Some(position)
}

/// Returns the position of a vertex with all properties that do not change.
fn slot(place: &NodePlace, vertex: &Vertex, node: i64, parent: i64) -> Value {
    let mut own = json!({
        "node": node,
        "parent": parent,
        "kind": outline(vertex.outline),
        "label": vertex.label,
        "at": point((place.x, place.y)),
        "half": point((place.reach, place.rise)),
        "labelAt": point(place.label),
        "notesAt": point(place.notes),
        "below": (0..4).map(|notes| round(place.below(notes))).collect::<Vec<_>>(),
    });
    if !place.line.is_empty() {
        own["line"] = json!(place.line.iter().map(|&p| point(p)).collect::<Vec<_>>());
        own["cut"] = point(place.cut);
    }
    if !vertex.edge.is_empty() {
        own["edge"] = json!(vertex.edge);
        own["edgeAt"] = point(place.edge);
    }
    for (key, form) in [("form", &place.form), ("sign", &place.sign)] {
        if let Some(form) = form {
            own[key] = self::form(form);
        }
    }
    own
}

/// Returns the page's name of a shape.
fn outline(outline: Outline) -> String {
    match outline {
        Outline::Max => "max".to_owned(),
        Outline::Min => "min".to_owned(),
        Outline::Chance => "chance".to_owned(),
        Outline::Player(player) => format!("p{player}"),
        Outline::Leaf => "end".to_owned(),
        Outline::Collapsed => "fold".to_owned(),
    }
}

/// Returns the changing properties of a slot: status and notes; for a placeholder also its label.
fn content(vertex: &Vertex) -> Vec<Value> {
    let mut own = vec![json!(status(vertex.status))];
    if vertex.outline == Outline::Collapsed {
        own.push(json!(vertex.label));
    }
    own.extend(vertex.notes.iter().map(|note| json!(note)));
    own
}

fn notes(state: &State<'_>, node: usize) -> Vec<Value> {
    let mut own = vec![json!(status(state.status(node)))];
    own.extend(state.notes(node).into_iter().map(Value::String));
    own
}

fn with_number(number: usize, content: &[Value]) -> Value {
    let mut all = vec![json!(number)];
    all.extend_from_slice(content);
    Value::Array(all)
}

/// Returns the number of a status in the page.
fn status(status: NodeStatus) -> u8 {
    match status {
        NodeStatus::Unknown => 0,
        NodeStatus::Unseen => 1,
        NodeStatus::Open => 2,
        NodeStatus::Current => 3,
        NodeStatus::Done => 4,
        NodeStatus::Best => 5,
        NodeStatus::Pruned => 6,
    }
}

/// Returns the steps of each line, with their numbers. Before the last line, steps may be omitted.
fn spans<'a>(
    lines: &'a [NarrationLine],
    told: &'a Explanation,
) -> impl Iterator<Item = (&'a NarrationLine, impl DoubleEndedIterator<Item = (usize, &'a Step)>)> {
    let mut from = 0;
    lines.iter().map(move |line| {
        let to = line.steps.clamp(from, told.steps.len());
        // If lines are omitted, only the last of their steps is returned.
        let first = if to - from > 1000 { to - 1 } else { from };
        from = to;
        (line, (first..to).map(|at| (at, &told.steps[at])))
    })
}

/// Returns the child that a simulation selected.
fn chosen(told: &Explanation, at: usize) -> Option<usize> {
    match told.steps.get(at + 1) {
        Some(Step::Select { node }) => Some(*node),
        _ => None,
    }
}

/// Returns the children with the largest weights, always including the selected one.
fn heaviest(children: &[ChildWeight], chosen: Option<usize>) -> Vec<ChildWeight> {
    let mut sorted = children.to_vec();
    let weight = |child: &ChildWeight| child.mean + child.bonus;
    sorted.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
    if let Some(at) = sorted.iter().position(|child| Some(child.node) == chosen)
        && at >= MAX_LISTED_CHILDREN
    {
        sorted.swap(at, MAX_LISTED_CHILDREN - 1);
    }
    sorted.truncate(MAX_LISTED_CHILDREN);
    sorted
}

fn form(form: &Form) -> Value {
    match form {
        Form::Rect { x, y, w, h, round } => json!([*x, *y, *w, *h, *round].map(self::round)),
        Form::Circle { x, y, r } => json!([x - r, y - r, 2.0 * r, 2.0 * r, *r].map(self::round)),
        Form::Polygon(points) | Form::Polyline(points) => {
            let pair = |&(x, y): &(f32, f32)| format!("{},{}", self::round(x), self::round(y));
            json!(points.iter().map(pair).collect::<Vec<_>>().join(" "))
        }
        Form::Text { .. } => Value::Null,
    }
}

fn point((x, y): (f32, f32)) -> Value {
    json!([round(x), round(y)])
}

/// Rounds a coordinate to three decimals, which is less than a pixel.
fn round(length: f32) -> f64 {
    (f64::from(length) * 1000.0).round() / 1000.0
}

fn four(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain;
    use tussle_core::Limits;

    fn page(spec: &str, agent: &str, limits: &Limits) -> (Explanation, String) {
        let game = tussle_catalog::game(spec).unwrap();
        let start = game.start();
        let told = explain(game.as_ref(), start.as_ref(), agent, limits, 1).unwrap();
        let page = told.page(start.as_ref());
        (told, page)
    }

    fn inside(page: &str) -> Value {
        let (_, rest) = page.split_once("type=\"application/json\">").unwrap();
        serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
    }

    #[test]
    fn a_page_is_small_and_needs_nothing_from_elsewhere() {
        let (told, page) = page("go:size=5", "mcts-textbook", &Limits::nodes(200));
        assert!(page.len() < 450_000, "{}", page.len());
        for call in ["http://", "https://", "src=", "@import", "url("] {
            let count = page.matches(call).count();
            let names = page.matches("http://www.w3.org/2000/svg").count();
            assert_eq!(count, if call == "http://" { names } else { 0 }, "{call}");
        }
        let inside = inside(&page);
        assert_eq!(inside["narration"].as_array().unwrap().len(), told.narration().len() + 1);
        let boards = inside["boards"]["of"].as_array().unwrap();
        assert!(boards.iter().all(|board| board.as_i64() >= Some(0)), "every node has its board");
    }

    #[test]
    fn a_name_cannot_end_the_script() {
        let nodes = r#"{"root":"</script","nodes":{
            "</script":{"max":[{"move":"b","to":"<!--"},{"move":"c","to":"x{{script}}"}]},
            "<!--":2,"x{{script}}":1}}"#;
        let game = tussle_catalog::game_from_text("tree", "file", nodes);
        let Ok(game) = game else { panic!("{:?}", game.err()) };
        let start = game.start();
        let told = explain(game.as_ref(), start.as_ref(), "minimax", &Limits::none(), 1).unwrap();
        let page = told.page(start.as_ref());
        assert_eq!(page.matches("</script").count(), 2);
        assert_eq!(page.matches("<!--").count(), 0);
        let names: Vec<_> = (0..3).map(|node| inside(&page)["nodes"][node][1].clone()).collect();
        assert_eq!(names, ["</script", "<!--", "x{{script}}"]);
    }

    #[test]
    fn a_long_narration_is_shortened_with_a_note() {
        let (told, page) = page("connect4", "mcts-textbook", &Limits::nodes(1000));
        let inside = inside(&page);
        let lines = inside["narration"].as_array().unwrap();
        assert_eq!(lines.len(), MAX_PAGE_LINES + 1);
        assert_eq!(lines[MAX_PAGE_LINES][0], told.narration().last().unwrap().text);
        assert!(inside["note"].as_str().unwrap().contains("The first 3999 of"));
    }
}
