//! Narrations of the lecture examples, step by step.

use super::*;

fn lines(told: &Explanation) -> Vec<String> {
    told.narration().into_iter().map(|line| line.text).collect()
}

/// Explains a search of a tree with this JSON.
fn told_of(text: &str, agent: &str) -> Explanation {
    let game = tussle_catalog::game_from_text("tree", "file", text).unwrap();
    explain(game.as_ref(), game.start().as_ref(), agent, &Limits::none(), 1).unwrap()
}

#[test]
fn the_narration_of_alpha_beta_equals_the_lecture() {
    let told = told("lecture-alphabeta", "alphabeta:order=none", &Limits::none());
    assert_eq!(
        lines(&told),
        [
            "to the end of the tree",
            "A (MAX), window (-inf, +inf)",
            "B (MIN), window (-inf, +inf)",
            "D (MAX), window (-inf, +inf)",
            "H = 4",
            "D: H = 4 raises alpha to 4, window (4, +inf)",
            "I = 8",
            "D: I = 8 raises alpha to 8, window (8, +inf)",
            "D = 8",
            "B: D = 8 lowers beta to 8, window (-inf, 8)",
            "E (MAX), window (-inf, 8)",
            "J = 9",
            "E: J = 9 >= beta 8, so MIN at B would never come here: K pruned",
            "E = 9 or more: K was not searched",
            "B = 8",
            "A: B = 8 raises alpha to 8, window (8, +inf)",
            "C (MIN), window (8, +inf)",
            "F (MAX), window (8, +inf)",
            "L = 2",
            "M = -2",
            "F = 2, no more than alpha 8",
            "C: F = 2 <= alpha 8, so MAX at A would never come here: G with N and O pruned",
            "C = 2 or less: G was not searched",
            "A = 8",
        ]
    );
    let names: Vec<&str> =
        told.best_line().iter().map(|&node| told.tree.nodes()[node].name.as_str()).collect();
    assert_eq!(names, ["A", "B", "D", "I"]);
    let end = told.summary();
    assert_eq!(
        end,
        [
            "Answer: B, worth 8 to MAX.",
            "Best line: A B D I.",
            "It took 11 nodes, 5 of them leaves; 2 cutoffs pruned 2 children.",
            "4 of 15 nodes never seen: K, G, N, O.",
            "It stopped because no deeper search can change the answer.",
        ]
    );
}

#[test]
fn descendants_of_a_pruned_node_are_in_the_tree_and_unseen() {
    let told = told("lecture-alphabeta", "alphabeta:order=none", &Limits::none());
    let unseen: Vec<&str> = told
        .tree
        .nodes()
        .iter()
        .filter(|node| !node.is_seen)
        .map(|node| node.name.as_str())
        .collect();
    assert_eq!(unseen, ["K", "G", "N", "O"]);
    assert_eq!(told.tree.nodes().len(), 15);
}

#[test]
fn right_to_left_nothing_is_pruned() {
    let text = r#"{"root": "A", "nodes": {
        "A": {"max": ["C", "B"]}, "B": {"min": ["E", "D"]}, "C": {"min": ["G", "F"]},
        "D": {"max": ["I", "H"]}, "E": {"max": ["K", "J"]}, "F": {"max": ["M", "L"]},
        "G": {"max": ["O", "N"]}, "H": 4, "I": 8, "J": 9, "K": 3, "L": 2, "M": -2, "N": 9, "O": -1}}"#;
    let told = told_of(text, "alphabeta:order=none");
    assert!(lines(&told).iter().all(|line| !line.contains("pruned")));
    let end = told.summary().join("\n");
    assert!(end.contains("It took 15 nodes, 8 of them leaves; nothing was pruned."), "{end}");
    assert!(end.contains("All 15 nodes were seen."), "{end}");
    assert!(end.contains("Best line: A B D I."), "{end}");
}

#[test]
fn minimax_shows_what_each_node_chooses_among() {
    let told = told("lecture-alphabeta", "minimax", &Limits::none());
    let chosen: Vec<String> = lines(&told).into_iter().filter(|line| line.contains('(')).collect();
    let chosen: Vec<&str> =
        chosen.iter().map(String::as_str).filter(|line| line.contains(" = ")).collect();
    assert_eq!(
        chosen,
        [
            "D = max(H 4, I 8) = 8",
            "E = max(J 9, K 3) = 9",
            "B = min(D 8, E 9) = 8",
            "F = max(L 2, M -2) = 2",
            "G = max(N 9, O -1) = 9",
            "C = min(F 2, G 9) = 2",
            "A = max(B 8, C 2) = 8",
        ]
    );
}

/// The bound of a cutoff may come from a node far above.
#[test]
fn a_deep_cut_names_the_node_that_set_the_bound() {
    let text = r#"{"root": "a", "nodes": {
        "a": {"max": ["b", "c"]}, "b": 5,
        "c": {"min": ["d", "x"]}, "d": {"max": ["e", "y"]},
        "e": {"min": ["f", "z"]}, "f": 3, "x": 9, "y": 9, "z": 9}}"#;
    let told = told_of(text, "alphabeta:order=none");
    let line = "e: f = 3 <= alpha 5, so MAX at a would never come here: z pruned";
    assert!(lines(&told).contains(&line.to_owned()), "{:#?}", lines(&told));
}

#[test]
fn null_windows_are_narrated_as_tests() {
    let told = told("lecture-alphabeta", "alphabeta", &Limits::none());
    let lines = lines(&told);
    for line in [
        "E (MAX), only a test: less than 8?",
        "E: J = 9 is no less than 8, which answers the test: K pruned",
        "C (MIN), only a test: more than 8?",
        "C: F = 2 is no more than 8, which answers the test: G with N and O pruned",
        "searched again: I = 8",
    ] {
        assert!(lines.iter().any(|told| told == line), "{line}: {lines:#?}");
    }
}

#[test]
fn the_narration_of_mcts_equals_the_lecture() {
    let told = told("lecture-mcts", "mcts:c=2", &Limits::nodes(4));
    assert_eq!(
        lines(&told),
        [
            "expand s0 before the first simulation: s1 and s2",
            "simulation 1",
            "s0 compares mean + bonus: s1 and s2 never visited: +inf",
            "select s1, never visited",
            "simulate s1: 20",
            "back up, total (visits): s1 20 (1), s0 20 (1)",
            "simulation 2",
            "s0 compares mean + bonus: s1 20 + 0 = 20; s2 never visited: +inf",
            "select s2, never visited",
            "simulate s2: 10",
            "back up, total (visits): s2 10 (1), s0 30 (2)",
            "simulation 3",
            "s0 compares mean + bonus: s1 20 + 1.6651 = 21.6651; s2 10 + 1.6651 = 11.6651",
            "select s1, 21.6651",
            "expand s1: s3 and s4",
            "s1 compares mean + bonus: s3 and s4 never visited: +inf",
            "select s3, never visited",
            "simulate s3: 0",
            "back up, total (visits): s3 0 (1), s1 20 (2), s0 30 (3)",
            "simulation 4",
            "s0 compares mean + bonus: s1 10 + 1.4823 = 11.4823; s2 10 + 2.0963 = 12.0963",
            "select s2, 12.0963",
            "expand s2: s5 and s6",
            "s2 compares mean + bonus: s5 and s6 never visited: +inf",
            "select s5, never visited",
            "simulate s5: 14",
            "back up, total (visits): s5 14 (1), s2 24 (2), s0 44 (4)",
        ]
    );
    assert_eq!(
        told.summary()[0],
        "Answer: s2, with the most visits (2 of 4) and a mean of 12 for MAX. \
         s1 has as many visits but a mean of 10."
    );
}

#[test]
fn star1_says_what_the_rest_can_still_bring() {
    let told = told("star1", "expectimax:prune=star1", &Limits::none());
    assert_eq!(
        lines(&told)[1..],
        [
            "choice (MAX), window (-inf, +inf)",
            "left (chance), window (-inf, +inf)",
            "l1 = 4",
            "left: so far 0.5 * 4 = 2; the other 0.5 can bring at most 0.5 * 6 = 3",
            "l2 = 2",
            "left = 0.5 * 4 + 0.5 * 2 = 3",
            "choice: left = 3 raises alpha to 3, window (3, +inf)",
            "right (chance), window (3, +inf)",
            "r1 = 2",
            "right: so far 0.25 * 2 = 0.5; the other 0.75 can bring at most 0.75 * 6 = 4.5, \
             so 5 at best: more than alpha 3; continue",
            "r2 = -2",
            "right: so far 0.25 * 2 - 0.5 * 2 = -0.5; the other 0.25 can bring at most 0.25 * 6 = 1.5, \
             and -0.5 + 1.5 = 1 <= alpha 3, so MAX at choice would never come here: r3 pruned",
            "right = 1 or less",
            "choice = 3",
        ]
    );
}

/// The mirrored case: for the other player, the bounds are on the other side.
#[test]
fn star1_is_narrated_for_max_also_at_min_nodes() {
    let text = r#"{"root": "choice", "nodes": {
        "choice": {"min": ["left", "right"]}, "left": {"chance": ["l1", "l2"]}, "l1": -4, "l2": -2,
        "right": {"chance": [{"to": "r1", "p": 0.25}, {"to": "r2", "p": 0.5}, {"to": "r3", "p": 0.25}]},
        "r1": -2, "r2": 2, "r3": -6}}"#;
    let lines = lines(&told_of(text, "expectimax:prune=star1"));
    let cut = "right: so far 0.25 * -2 + 0.5 * 2 = 0.5; the other 0.25 can bring at least 0.25 * -6 = -1.5, \
               and 0.5 - 1.5 = -1 >= beta -3, so MIN at choice would never come here: r3 pruned";
    assert!(lines.contains(&cut.to_owned()), "{lines:#?}");
}

/// The course's premise is a range, not the largest leaf: with `r3` worth 0 the largest leaf is 4.
#[test]
fn star1_prunes_by_the_declared_range() {
    let tree = |range: &str, sign: &str, r3: i32| {
        let (mover, flip) = if sign.is_empty() { ("max", "-") } else { ("min", "") };
        format!(
            r#"{{"root": "choice", {range} "nodes": {{
            "choice": {{"{mover}": ["left", "right"]}}, "left": {{"chance": ["l1", "l2"]}}, "l1": {sign}4,
            "l2": {sign}2, "right": {{"chance": [{{"to": "r1", "p": 0.25}}, {{"to": "r2", "p": 0.5}},
            {{"to": "r3", "p": 0.25}}]}}, "r1": {sign}2, "r2": {flip}2, "r3": {r3}}}}}"#
        )
    };
    for (range, sign, r3, words) in [
        ("", "", 0, "can bring at most 0.75 * 4 = 3"),
        (r#""range": [-6, 6],"#, "", 0, "can bring at most 0.75 * 6 = 4.5, so 5 at best"),
        (r#""range": [-2, 9],"#, "", 0, "can bring at most 0.75 * 9 = 6.75"),
        (r#""range": [-6, 6],"#, "-", 0, "can bring at least 0.75 * -6 = -4.5, so -5 at worst"),
        // The ends need not be opposite: MIN's least is the least of MAX's values.
        (r#""range": [-5, 90],"#, "-", 0, "can bring at least 0.75 * -5 = -3.75"),
    ] {
        let told = lines(&told_of(&tree(range, sign, r3), "expectimax:prune=star1"));
        assert!(told.iter().any(|line| line.contains(words)), "{range} {sign}: {told:#?}");
    }
    // A wider range prunes less and does not change the answer.
    for (range, cut) in [("[-6, 6]", true), ("[-13, 13]", true), ("[-14.1, 14.1]", false)] {
        let told =
            told_of(&tree(&format!(r#""range": {range},"#), "", 0), "expectimax:prune=star1");
        let is_cut = lines(&told).iter().any(|line| line.ends_with("r3 pruned"));
        assert_eq!(
            (is_cut, told.summary()[0].as_str()),
            (cut, "Answer: left, worth 3 to MAX."),
            "{range}"
        );
    }
}

#[test]
fn each_of_three_players_takes_its_best_move() {
    let told = told("kplayer", "maxn:prune=none", &Limits::none());
    let lines = lines(&told);
    for line in [
        "LL = (1, 2, 7): a is best for player 3",
        "L = (1, 2, 7): LL is best for player 2",
        "RR = (2, 3, 5): g is best for player 3",
        "start = (2, 3, 5): R is best for player 1",
    ] {
        assert!(lines.iter().any(|told| told == line), "{line}: {lines:#?}");
    }
    assert_eq!(told.summary()[0], "Answer: R, worth (2, 3, 5).");
}

#[test]
fn lines_about_shallow_pruning_name_players_and_values() {
    let text = r#"{"root": "s", "nodes": {
        "s": {"player": 1, "moves": ["l", "r"]}, "l": [6, 2, 2],
        "r": {"player": 2, "moves": ["x", "y"]}, "x": [1, 8, 1], "y": [9, 0, 1]}}"#;
    let lines = lines(&told_of(text, "maxn"));
    let cut = "r: x gives player 2 8, 4 or more, which leaves player 1 no more than the 6 it has by l: y pruned";
    assert!(lines.contains(&cut.to_owned()), "{lines:#?}");
}

#[test]
fn paranoid_narrations_name_the_root_player_and_its_opponents() {
    let lines = lines(&told("kplayer", "paranoid:order=none", &Limits::none()));
    let line = "LL (player 3, against player 1), window (-inf, +inf)";
    assert!(lines.contains(&line.to_owned()), "{lines:#?}");
    assert!(lines.contains(&"LL: a = 1 lowers beta to 1, window (-inf, 1)".to_owned()));
}
