//! Texts drawn at the nodes after each step, compared with the narration and with the true values.

use std::collections::HashMap;

use super::*;
use crate::frames::State;
use tussle_view::tree::NodeStatus;

/// Returns the JSON of a random tree for two players, and the value of each node.
fn random_tree(seed: u64) -> (String, HashMap<String, f64>) {
    let mut state = seed;
    let mut random = move |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let (mut texts, mut worth, mut children) = (Vec::new(), HashMap::new(), HashMap::new());
    let mut todo = vec![("n".to_owned(), 0usize)];
    let mut order = Vec::new();
    while let Some((name, depth)) = todo.pop() {
        order.push((name.clone(), depth));
        if depth == 5 || (depth > 2 && random(5) == 0) {
            let value = random(19) as f64 - 9.0;
            texts.push(format!("{name:?}: {value}"));
            worth.insert(name, value);
            continue;
        }
        let below: Vec<String> = (0..=random(3)).map(|i| format!("{name}{i}")).collect();
        let who = if depth % 2 == 0 { "max" } else { "min" };
        texts.push(format!("{name:?}: {{{who:?}: {below:?}}}"));
        todo.extend(below.iter().map(|child| (child.clone(), depth + 1)));
        children.insert(name, below);
    }
    for (name, depth) in order.into_iter().rev() {
        let Some(below) = children.get(&name) else { continue };
        let each = below.iter().map(|child| worth[child]);
        let value =
            if depth % 2 == 0 { each.fold(-99.0, f64::max) } else { each.fold(99.0, f64::min) };
        worth.insert(name, value);
    }
    (format!(r#"{{"root": "n", "nodes": {{{}}}}}"#, texts.join(", ")), worth)
}

fn searched(text: &str, agent: &str) -> Explanation {
    let game = tussle_catalog::game_from_text("tree", "file", text).unwrap();
    explain(game.as_ref(), game.start().as_ref(), agent, &Limits::none(), 1).unwrap()
}

#[test]
fn the_lecture_has_two_bounds() {
    let told = told("lecture-alphabeta", "alphabeta:order=none", &Limits::none());
    let mut state = State::new(&told);
    state.advance(told.steps.len());
    let note = |name: &str| {
        let node = told.tree.nodes().iter().position(|node| node.name == name).unwrap();
        state.notes(node).join(" ")
    };
    let drawn = ["A", "B", "C", "D", "E", "F", "J"].map(note);
    assert_eq!(drawn, ["= 8", "= 8", "≤ 2", "= 8", "≥ 9", "= 2", "= 9"]);
}

#[test]
fn every_drawn_value_is_true() {
    let (mut bounds, mut exact) = (0, 0);
    for seed in 0..40 {
        let (text, worth) = random_tree(seed);
        for agent in ["alphabeta", "alphabeta:order=none", "ids", "alphabeta:window=aspiration"] {
            let told = searched(&text, agent);
            // Depths that do not reach the leaves give other values.
            let whole = told.steps.iter().rposition(|step| matches!(step, Step::Iteration(_)));
            let mut state = State::new(&told);
            state.advance(whole.map_or(0, |at| at + 1));
            for steps in whole.unwrap_or(0) + 1..=told.steps.len() {
                state.advance(steps);
                for node in state.changed() {
                    let name = &told.tree.nodes()[node].name;
                    let true_value = worth[name];
                    for note in state.notes(node) {
                        let Some((sign, value)) = note.split_once(' ') else { continue };
                        let Ok(value) = value.parse::<f64>() else { continue };
                        let is_true = match sign {
                            "=" => true_value == value,
                            "≥" => true_value >= value,
                            "≤" => true_value <= value,
                            _ => continue,
                        };
                        assert!(
                            is_true,
                            "{name} is {true_value}, not {note}: {agent}, seed {seed}"
                        );
                        *(if sign == "=" { &mut exact } else { &mut bounds }) += 1;
                    }
                }
            }
        }
    }
    assert!(bounds > 500 && exact > 500, "{bounds} bounds, {exact} values");
}

#[test]
fn null_window_tests_are_drawn_as_narrated() {
    let mut tests = 0;
    for seed in 0..20 {
        let told = searched(&random_tree(seed).0, "alphabeta");
        let mut state = State::new(&told);
        for line in told.narration() {
            state.advance_to(&line);
            let Some(node) = line.node else { continue };
            let notes = state.notes(node).join(" ");
            if let Some((_, asked)) = line.text.split_once("only a test: ") {
                let asked = asked.replace("more than", ">").replace("less than", "<");
                assert_eq!(notes, asked, "{}", line.text);
                tests += 1;
            }
            if let Some((alpha, beta)) = notes.trim_matches(['(', ')']).split_once(", ") {
                assert_ne!(alpha, beta, "{notes} after {}", line.text);
            }
        }
    }
    assert!(tests > 100, "{tests}");
}

/// Returns the pruned nodes, by the last step that pruned or entered each node.
fn is_pruned(told: &Explanation, steps: usize, node: usize) -> bool {
    let nodes = told.tree.nodes();
    let line: Vec<usize> = std::iter::successors(Some(node), |&node| nodes[node].parent).collect();
    let word = told.steps[..steps].iter().rev().find_map(|step| match step {
        Step::Iteration(_) => Some(false),
        Step::Enter { node, .. } if line.contains(node) => Some(false),
        Step::Cut { skipped, .. } if skipped.iter().any(|node| line.contains(node)) => Some(true),
        _ => None,
    });
    word.unwrap_or(false)
}

#[test]
fn a_node_that_is_searched_again_has_no_pruned_descendants() {
    let mut again = 0;
    for seed in 0..12 {
        let told = searched(&random_tree(seed).0, "alphabeta");
        again +=
            told.narration().iter().filter(|line| line.text.starts_with("searched again")).count();
        let mut state = State::new(&told);
        for steps in 1..told.steps.len() {
            state.advance(steps);
            for node in 0..told.tree.nodes().len() {
                let is_grey = state.status(node) == NodeStatus::Pruned;
                assert_eq!(is_grey, is_pruned(&told, steps, node), "{node} after {steps}, {seed}");
            }
        }
    }
    assert!(again > 10, "{again}");
}

#[test]
fn the_node_of_a_line_is_the_current_one() {
    let all = [
        ("star1", "expectimax:prune=star1", Limits::none()),
        ("lecture-mcts", "mcts:c=2", Limits::nodes(4)),
        ("lecture-alphabeta", "alphabeta", Limits::none()),
    ];
    for (game, agent, limits) in all {
        let told = told(game, agent, &limits);
        let lines = told.narration();
        let mut state = State::new(&told);
        for line in &lines {
            state.advance_to(line);
            let Some(node) = line.node else { continue };
            let is_last = line.steps == told.steps.len();
            let status = state.status(node);
            assert!(
                status == NodeStatus::Current || is_last && status == NodeStatus::Best,
                "{}",
                line.text
            );
            let current = (0..told.tree.nodes().len())
                .filter(|&node| state.status(node) == NodeStatus::Current)
                .count();
            assert!(current <= 1, "{}", line.text);
        }
    }
}

#[test]
fn chance_outcomes_have_visits_and_no_total() {
    let game = tussle_catalog::game("backgammon").unwrap();
    let limits = Limits::nodes(60);
    let mut start = game.start();
    start.play("31").unwrap();
    let told = explain(game.as_ref(), start.as_ref(), "mcts", &limits, 1).unwrap();
    let mut state = State::new(&told);
    state.advance(told.steps.len());
    let nodes = told.tree.nodes();
    let mut drawn = 0;
    for (number, node) in nodes.iter().enumerate() {
        let is_drawn = node.parent.is_some_and(|parent| nodes[parent].kind == NodeKind::Chance);
        for note in state.notes(number).iter().filter(|note| !note.starts_with('→')) {
            assert_eq!(note.contains("visit"), is_drawn, "{note}");
            drawn += usize::from(is_drawn);
        }
    }
    assert!(drawn > 5, "{drawn}");
}
