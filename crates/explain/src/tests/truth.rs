//! Values in a narration are true.

use std::collections::HashMap;

use super::*;

fn of_text(text: &str, agent: &str, limits: &Limits) -> Explanation {
    let game = tussle_catalog::game_from_text("tree", "file", text).unwrap();
    explain(game.as_ref(), game.start().as_ref(), agent, limits, 1).unwrap()
}

fn of_game(game: &str, moves: &str, agent: &str, limits: &Limits) -> Explanation {
    let game = tussle_catalog::game(game).unwrap();
    let mut position = game.start();
    for mv in moves.split(',').filter(|mv| !mv.is_empty()) {
        position.play(mv).unwrap();
    }
    explain(game.as_ref(), position.as_ref(), agent, limits, 1).unwrap()
}

fn lines(told: &Explanation) -> Vec<String> {
    told.narration().into_iter().map(|line| line.text).collect()
}

fn says(told: &Explanation, line: &str) {
    let lines = lines(told);
    assert!(lines.iter().any(|told| told == line), "{line}: {lines:#?}");
}

#[test]
fn a_value_derived_from_a_bound_is_a_bound() {
    let text = r#"{"root":"R","nodes":{"R":{"min":["X","M"]},"X":-1,"M":{"max":["C"]},
        "C":{"min":["D"]},"D":{"max":["p","q"]},"p":17,"q":25}}"#;
    let told = of_text(text, "alphabeta:order=none", &Limits::none());
    says(&told, "C = 17 or more, no less than beta -1");
    says(&told, "M = 17 or more");
}

#[test]
fn a_mean_of_bounds_is_a_bound() {
    let text = r#"{"root":"R","nodes":{"R":{"max":["X","K"]},"X":2,"K":{"chance":["m"]},
        "m":{"min":["p","q"]},"p":-3,"q":-9}}"#;
    let told = of_text(text, "expectimax:prune=star1", &Limits::none());
    says(&told, "K = 1 * -3 = -3 or less");
}

#[test]
fn empty_windows_are_not_narrated() {
    let text = r#"{"root":"R","nodes":{"R":{"max":["X","K"]},"X":2,"K":{"chance":["m","z"]},
        "m":{"min":["p"]},"p":-9,"z":1}}"#;
    let told = of_text(text, "expectimax:prune=star1", &Limits::none());
    let is_closed = |step: &Step| matches!(step, Step::Window { alpha, beta, .. } if alpha >= beta);
    assert!(!told.steps.iter().any(is_closed));
    assert!(lines(&told).iter().all(|line| !line.contains("lowers beta to -9")));
}

/// Random tree of five plies, with the exact value of every node.
struct RandomTree {
    nodes: Vec<String>,
    values: HashMap<String, f64>,
    state: u64,
    has_chance: bool,
}

impl RandomTree {
    fn new(seed: u64, has_chance: bool) -> Self {
        let state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut grown = Self { nodes: Vec::new(), values: HashMap::new(), state, has_chance };
        grown.grow("n", 5);
        grown
    }

    fn below(&mut self, many: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state % many
    }

    fn grow(&mut self, name: &str, plies: usize) -> f64 {
        let (children, kind) = (1 + self.below(3), self.below(3));
        let (worth, node) = if plies == 0 {
            let value = self.below(60) as f64 - 30.0;
            (value, value.to_string())
        } else {
            let names: Vec<String> = (0..children).map(|nth| format!("{name}{nth}")).collect();
            let worth: Vec<f64> = names.iter().map(|name| self.grow(name, plies - 1)).collect();
            let (kind, worth) = match kind {
                2 if self.has_chance && plies < 5 => {
                    ("chance", worth.iter().sum::<f64>() / worth.len() as f64)
                }
                kind if kind % 2 == 0 => {
                    ("max", worth.into_iter().fold(f64::NEG_INFINITY, f64::max))
                }
                _ => ("min", worth.into_iter().fold(f64::INFINITY, f64::min)),
            };
            (worth, format!(r#"{{"{kind}": {names:?}}}"#))
        };
        self.nodes.push(format!(r#""{name}": {node}"#));
        self.values.insert(name.to_owned(), worth);
        worth
    }

    fn text(&self) -> String {
        format!(r#"{{"root": "n", "nodes": {{{}}}}}"#, self.nodes.join(", "))
    }
}

/// Asserts that every value in the narration is true: `= 5` is exact, `= 5 or more` a lower bound, `= 5 or less` an
/// upper bound. Returns the number of bounds.
fn check_values(agent: &str, seed: u64, has_chance: bool) -> usize {
    let grown = RandomTree::new(seed, has_chance);
    let mut bounds = 0;
    for line in of_text(&grown.text(), agent, &Limits::none()).narration() {
        let line = line.text.trim_start_matches("searched again: ");
        let Some((name, rest)) = line.split_once(" = ") else { continue };
        let Some(&truth) = grown.values.get(name) else { continue };
        // The value of a sum is its last number.
        let rest = rest.rsplit(" = ").next().unwrap();
        let end = rest.find([' ', ',', ':']).unwrap_or(rest.len());
        let value: f64 = rest[..end].parse().unwrap();
        let is = |bound: &str| rest[end..].starts_with(bound);
        let (is_more, is_less) = (is(" or more"), is(" or less"));
        bounds += usize::from(is_more || is_less);
        let holds = match (is_more, is_less) {
            (true, _) => truth > value - 1e-3,
            (_, true) => truth < value + 1e-3,
            _ => (truth - value).abs() < 1e-3,
        };
        assert!(holds, "{agent}, {seed}: {line}, but it is {truth}\n{}", grown.text());
    }
    bounds
}

/// The true values are those of plain minimax and expectimax.
#[test]
fn every_narrated_value_is_true() {
    let mut bounds = 0;
    for seed in 1..150 {
        for agent in ["alphabeta", "alphabeta:order=none", "alphabeta:order=root"] {
            bounds += check_values(agent, seed, false);
        }
        bounds += check_values("expectimax:opponent=best,prune=star1", seed, true);
    }
    assert!(bounds > 1000, "{bounds}");
}

#[test]
fn a_search_without_a_finished_move_does_not_claim_one() {
    let told = of_game("connect4", "", "alphabeta", &Limits::nodes(1));
    assert_eq!(told.summary()[0], "Answer: no move was finished; 1 is only the first move.");
    says(&told, "depth 1 is left unfinished: the node limit was reached");
}

#[test]
fn different_weights_have_different_texts() {
    let told = of_game(
        "gobblet",
        "B1@0,S1@8,B2@1,S2@7",
        "mcts:policy=puct,prior=eval,eval=pairs",
        &Limits::nodes(3),
    );
    let Some(Step::Weigh { children, .. }) =
        told.steps.iter().find(|step| matches!(step, Step::Weigh { .. }))
    else {
        panic!("there is no selection")
    };
    let most = children.iter().map(|child| child.mean + child.bonus).fold(0.0, f64::max);
    let told = lines(&told);
    let weighed = told.iter().find(|line| line.contains("compares mean")).unwrap();
    assert!(weighed.contains(&format!("= {} (never visited)", number::number(most))), "{weighed}");
    assert!(told.contains(&format!("select M1@2, {}", number::number(most))), "{told:#?}");
}

#[test]
fn outcomes_of_chance_have_visits_and_no_totals() {
    let text = r#"{"root":"R","nodes":{"R":{"max":["K"]},"K":{"chance":["a","b"]},"a":3,"b":5}}"#;
    let told = of_text(text, "mcts", &Limits::nodes(3));
    let lines = lines(&told);
    let is_told = |line: &String| line.contains(": a (1), K ") || line.contains(": b (1), K ");
    assert!(lines.iter().any(is_told), "{lines:#?}");
    let document = serde_json::to_value(told.recorded_document()).unwrap();
    let steps = document["steps"].as_array().unwrap();
    let backed = |name: &str| {
        let node = told.tree.nodes().iter().position(|node| node.name == name);
        steps
            .iter()
            .find(|step| step["step"] == "back-up" && node.is_some_and(|node| step["node"] == node))
    };
    assert!(backed("a").or(backed("b")).unwrap()["total"].is_null());
    assert!(backed("K").unwrap()["total"].is_number());
}

#[test]
fn totals_name_their_player() {
    let text = r#"{"root":"R","nodes":{"R":{"min":["A","B"]},"A":{"max":["a"]},"a":5,"B":8}}"#;
    let told = of_text(text, "mcts", &Limits::nodes(3));
    says(&told, "simulate A: 5 for MAX");
    says(&told, "back up, total (visits): A -5 for MIN (1), R -5 for MIN (1)");
    says(&told, "R (MIN) compares mean + bonus: A and B never visited: +inf");
    let three = r#"{"root": "S", "nodes": {"S": {"player": 2, "moves": ["X", "Y"]}, "X": [1, 2, 3], "Y": [2, 5, 2]}}"#;
    let told = of_text(three, "mcts", &Limits::nodes(1));
    says(&told, "simulate X: 1 for player 1");
    says(&told, "back up, total (visits): X 2 for player 2 (1), S 2 for player 2 (1)");
}

#[test]
fn a_proven_move_is_not_described_as_most_visited() {
    let moves = "b2,a1,c1,c3";
    let answer =
        |agent: &str| of_game("tictactoe", moves, agent, &Limits::nodes(300)).summary()[0].clone();
    let listed = answer("mcts-textbook:solver=on,untried=listed");
    assert_eq!(listed, "Answer: a3, proven to win, with 1 of 4 visits.");
    for choice in ["mean", "total", "secure"] {
        let told = answer(&format!("mcts-textbook:final={choice}"));
        assert!(!told.contains("the most visits"), "{told}");
    }
    assert!(answer("mcts-pentago").contains("the best mean"));
    assert!(answer("mcts-textbook").contains("the most visits"));
}

#[test]
fn opponents_are_averaged_also_if_their_replies_are_equal() {
    let text = r#"{"root":"R","nodes":{"R":{"max":["A","B"]},"A":{"min":["a1","a2"]},
        "B":{"min":["b1","b2"]},"a1":3,"a2":3,"b1":2,"b2":2}}"#;
    for agent in ["expectimax:opponent=uniform", "expectimax"] {
        let told = of_text(text, agent, &Limits::none());
        says(&told, "A (MIN, averaged over)");
        says(&told, "A = 3, the mean over 2 replies");
    }
    let told = of_text(text, "expectimax:opponent=best", &Limits::none());
    says(&told, "A = min(a1 3, a2 3) = 3");
}

#[test]
fn replies_under_a_weighted_model_have_probabilities() {
    let told = |model: &str| {
        let agent = format!("expectimax:opponent={model},eval=pairs,depth=2");
        of_game("gobblet", "B1@0,S1@8,B2@1", &agent, &Limits::none())
    };
    for model in ["course", "uniform"] {
        let told = told(model);
        let value = |node: usize| {
            let left = |step: &Step| match step {
                Step::Leave { node: left, values } if *left == node => {
                    Some(values.first()?.number())
                }
                _ => None,
            };
            told.steps.iter().find_map(left).unwrap()
        };
        let nodes = told.tree.nodes();
        let json = serde_json::to_value(told.recorded_document()).unwrap();
        for &reply in &nodes[0].children {
            assert!(json["nodes"][reply]["probability"].is_null());
            let odds = |&node: &usize| {
                let p = json["nodes"][node]["probability"].as_f64().unwrap();
                assert_eq!(Some(p), nodes[node].probability);
                (p, p * value(node))
            };
            let (all, mean) = nodes[reply]
                .children
                .iter()
                .map(odds)
                .fold((0.0, 0.0), |(all, mean), (p, part)| (all + p, mean + part));
            assert!(
                (all - 1.0).abs() < 1e-9 && (mean - value(reply)).abs() < 1e-9,
                "{model} {reply}"
            );
        }
        let lines = lines(&told);
        let weighed = lines.iter().filter(|line| line.contains(", probability 0.0")).count();
        let means = |words: &str| lines.iter().filter(|line| line.contains(words)).count();
        let (weighted, plain) = (means(", the weighted mean over "), means(", the mean over "));
        if model == "course" {
            assert!(weighed > 100 && weighted > 10 && plain == 0, "{lines:#?}");
        } else {
            assert!(weighed == 0 && weighted == 0 && plain > 10, "{lines:#?}");
        }
    }
    // Moves of a small piece have twice the weight.
    let told = told("course");
    let nodes = told.tree.nodes();
    let p = |reply: &str| {
        let first = &nodes[nodes[0].children[0]];
        let child = first.children.iter().find(|&&child| nodes[child].name == reply).unwrap();
        nodes[*child].probability.unwrap()
    };
    assert!((p("S1@6") / p("M1@6") - 2.0).abs() < 1e-9);
}

#[test]
fn the_probabilities_of_a_roll_sum_to_one() {
    let told = of_game("backgammon", "31", "expectimax:depth=2", &Limits::none());
    let nodes = told.tree.nodes();
    let mut rolls = 0;
    for node in
        nodes.iter().filter(|node| node.kind == NodeKind::Chance && !node.children.is_empty())
    {
        let sum: f64 = node.children.iter().filter_map(|&child| nodes[child].probability).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{}: {sum}", node.name);
        assert_eq!(node.children.len(), 21);
        rolls += 1;
    }
    assert!(rolls > 5, "{rolls}");
}

#[test]
fn the_recording_of_greedy_has_the_values_of_its_moves() {
    // The second player is to move, and values are those of the first.
    let told = of_game("gobblet", "B1@0", "greedy", &Limits::none());
    let mut recorded: Vec<(&str, f64)> = Vec::new();
    for step in &told.steps {
        if let Step::Leaf { node, values, .. } = step {
            recorded
                .push((told.tree.nodes()[*node].mv.as_deref().unwrap(), 0.0 - values[0].number()));
        }
    }
    let mut lines: Vec<(&str, f64)> =
        told.report.lines.iter().map(|line| (line.mv.as_str(), line.value.number())).collect();
    for all in [&mut recorded, &mut lines] {
        all.sort_by(|a, b| a.0.cmp(b.0));
    }
    assert_eq!(recorded, lines);
    assert_eq!(recorded.len() as u64, told.report.stats.evaluations);
}

#[test]
fn the_line_of_a_mixed_simulation_has_both_parts_and_the_result() {
    let limits = Limits::nodes(30);
    let told = of_game("connect4", "4,4", "mcts:lambda=0.25", &limits);
    let lines = lines(&told);
    let document = serde_json::to_value(told.recorded_document()).unwrap();
    let mut mixed = 0;
    for (step, json) in told.steps.iter().zip(document["steps"].as_array().unwrap()) {
        let Step::Simulate { node, value, mix: Some(mix) } = step else { continue };
        assert!((0.75 * mix.evaluation + 0.25 * mix.rollout - value).abs() < 1e-9);
        let part = |key: &str| json[key].as_f64().unwrap();
        assert_eq!((part("lambda"), part("evaluation"), part("rollout")), {
            (0.25, mix.evaluation, mix.rollout)
        });
        let [v, z, value] = [mix.evaluation, mix.rollout, *value].map(number::number);
        let name = &told.tree.nodes()[*node].name;
        let line = format!(
            "simulate {name}: evaluation v = {v}, rollout z = {z}, 0.75 * v + 0.25 * z = {value} for MAX"
        );
        assert!(lines.contains(&line), "{line}: {lines:#?}");
        mixed += 1;
    }
    assert!(mixed > 20, "{mixed}");
    // A search with playouts only has no mixture.
    let plain = of_game("connect4", "4,4", "mcts", &limits);
    let has_mix = |step: &Step| matches!(step, Step::Simulate { mix: Some(_), .. });
    assert!(!plain.steps.iter().any(has_mix));
}

#[test]
fn a_search_stopped_at_the_maximum_depth_claims_no_end() {
    let links: Vec<String> =
        (0..2100).map(|n| format!(r#""n{n}": {{"max": ["n{}"]}}"#, n + 1)).collect();
    let text = format!(r#"{{"root": "n0", "nodes": {{{}, "n2100": 7}}}}"#, links.join(", "));
    let told = of_text(&text, "alphabeta", &Limits::none());
    assert_eq!(lines(&told)[0], "to ply 2,048, the maximum depth");
    let end = told.summary().join("\n");
    assert!(end.contains("It stopped because it searches at most 2,048 plies"), "{end}");
    assert!(end.starts_with("Answer: n1, worth 0 to MAX within the searched depth."), "{end}");
}

#[test]
fn windows_are_narrated_from_the_first_line() {
    let told =
        of_text(r#"{"root":"A","nodes":{"A":{"max":["B"]},"B":1}}"#, "alphabeta", &Limits::none());
    says(&told, "A (MAX), window (-inf, +inf)");
}

#[test]
fn named_moves_are_followed_by_their_target() {
    let text = r#"{"root":"A","nodes":{"A":{"max":[{"to":"B","move":"left"},{"to":"C","move":"right"}]},"B":4,"C":2}}"#;
    let told = of_text(text, "alphabeta", &Limits::none());
    assert_eq!(told.summary()[0], "Answer: left, to B, worth 4 to MAX.");
}

#[test]
fn large_values_of_a_tree_are_not_called_wins() {
    let text = r#"{"root":"A","nodes":{"A":{"max":["B","C"]},"B":16777213,"C":1e308}}"#;
    let told = of_text(text, "minimax", &Limits::none());
    says(&told, "A = max(B 16777213, C 1e308) = 1e308");
    assert_eq!(told.summary()[0], "Answer: C, worth 1e308 to MAX.");
}

#[test]
fn narration_and_answer_name_the_winner() {
    let told = of_game("tictactoe", "b2,a1,c1,c3", "alphabeta", &Limits::depth(2));
    says(&told, "the root = MAX wins in 1");
    assert!(told.summary()[0].ends_with(", proven: MAX wins in 1."), "{}", told.summary()[0]);
}

#[test]
fn the_summary_notes_that_one_of_several_threads_is_recorded() {
    let told = of_game("tictactoe", "", "alphabeta:threads=2", &Limits::depth(2));
    let end = told.summary().join("\n");
    assert!(end.contains("It had 2 threads; the steps are those of one of them."), "{end}");
}

#[test]
fn aspiration_windows_are_named_in_the_narration() {
    let told = of_game("connect4", "4,4", "ids:window=aspiration,order=root", &Limits::depth(5));
    let lines = lines(&told);
    let root: Vec<&String> = lines.iter().filter(|line| line.contains("the root (")).collect();
    assert!(root[1].ends_with(", set around the last value"), "{root:#?}");
    assert!(!root[0].contains("guess"), "{root:#?}");
}

#[test]
fn used_moves_of_an_unfinished_depth_are_named() {
    let used = (100..2000).step_by(100).any(|nodes| {
        let told = of_game("connect4", "", "ids", &Limits::nodes(nodes));
        let last = lines(&told).pop().unwrap();
        let has_gaps = told.report.lines.iter().any(|line| line.known_value().is_none());
        assert_eq!(last.ends_with(" used"), has_gaps, "{last}");
        has_gaps
    });
    assert!(used);
}

#[test]
fn a_win_keeps_its_distance_in_the_document() {
    let told = of_game("tictactoe", "a1,b1,b2,c1", "alphabeta-textbook", &Limits::depth(3));
    let json = serde_json::to_value(told.recorded_document()).unwrap();
    let steps = json["steps"].as_array().unwrap();
    let is_win = |step: &&serde_json::Value| step["step"] == "leaf" && step["outcome"] == "win";
    let wins: Vec<_> = steps.iter().filter(is_win).collect();
    assert!(wins.iter().any(|win| win["distance"] == 1), "{wins:?}");
    for win in wins {
        let node = win["node"].as_u64().unwrap() as usize;
        assert_eq!(
            (&win["values"][0], &win["distance"]),
            (&1.0.into(), &json["nodes"][node]["depth"])
        );
    }
    let text = json.to_string();
    assert!(!text.contains("1677721") && !text.contains("NaN"), "{text}");
}
