//! Explanations of every agent on several games.

use super::*;

fn searched(game: &str, moves: &str, agent: &str, limits: &Limits) -> Explanation {
    let game = tussle_catalog::game(game).unwrap();
    let mut position = game.start();
    for mv in moves.split(',').filter(|mv| !mv.is_empty()) {
        position.play(mv).unwrap();
    }
    explain(game.as_ref(), position.as_ref(), agent, limits, 1).unwrap()
}

/// Asserts the invariants of every narration.
fn check(told: &Explanation) {
    let lines = told.narration();
    let nodes = told.tree.nodes();
    let what = format!("{} on {}", told.agent, told.game);
    assert!(!lines.is_empty(), "{what}");
    let mut before = 0;
    for line in &lines {
        assert!(!line.text.is_empty(), "{what}");
        assert!(line.steps >= before && line.steps <= told.steps.len(), "{what}: {line:?}");
        before = line.steps;
        match line.node {
            Some(node) => assert_eq!(line.depth, nodes[node].depth, "{what}: {line:?}"),
            None => assert_eq!(line.depth, 0),
        }
        assert!(!line.text.contains("NaN"), "{what}: {line:?}");
        // Internal scores of won games must not appear.
        assert!(!line.text.contains("167772"), "{what}: {line:?}");
    }
    assert_eq!(before, told.steps.len(), "{what}: all steps are told");
    assert!(told.narration_text(Some(60)).lines().count() <= 122, "{what}");
    let line = told.best_line();
    assert!(line.windows(2).all(|pair| nodes[pair[1]].parent == Some(pair[0])), "{what}");
    assert!(told.summary().len() >= 4, "{what}");
    let document = serde_json::to_value(told.recorded_document()).unwrap();
    assert_eq!(document["steps"].as_array().unwrap().len(), told.steps.len());
}

#[test]
fn every_search_has_a_narration_on_every_kind_of_game() {
    let games = [
        ("tictactoe", ""),
        ("tictactoe", "b2,a1,c1"),
        ("connect4", "4,4,3"),
        ("gobblet", "B1@4,S1@0"),
        ("keep-on-moving", "D"),
        ("go:size=3", "B2"),
        ("pentago-twist:", "b5:0r"),
    ];
    let agents = [
        "minimax",
        "alphabeta",
        "alphabeta:order=none",
        "alphabeta:window=aspiration,order=root",
        "ids",
        "ids:order=none,tt=off",
        "expectimax",
        "expectimax:opponent=best",
        "expectimax:terminal=eval",
        "alphabeta:value=1,tt=off",
        "alphabeta:threads=2,shuffle=on",
        "maxn",
        "paranoid",
        "greedy",
    ];
    for (game, moves) in games {
        let game = game.trim_end_matches(':');
        for agent in agents {
            let depth = if game == "pentago-twist" && agent == "minimax" { 1 } else { 2 };
            check(&searched(game, moves, agent, &Limits::depth(depth)));
        }
        for agent in ["mcts", "mcts:expand=all", "mcts:policy=puct", "mcts:solver=on"] {
            check(&searched(game, moves, agent, &Limits::nodes(40)));
        }
    }
    for agent in ["expectimax", "maxn", "greedy"] {
        check(&searched("backgammon", "31", agent, &Limits::depth(2)));
    }
    check(&searched("backgammon", "31", "mcts", &Limits::nodes(60)));
    check(&searched("go:size=3", "", "alphabeta:quiesce=on", &Limits::depth(3)));
}

#[test]
fn searches_for_many_players_have_narrations() {
    let board = "1...2\n.....\n3....\n";
    let game = tussle_catalog::game_from_text("keep-on-moving", "file", board).unwrap();
    for agent in ["maxn", "paranoid", "expectimax", "mcts", "greedy"] {
        let limits = Limits::depth(4).or_nodes(300);
        check(&explain(game.as_ref(), game.start().as_ref(), agent, &limits, 1).unwrap());
    }
}

#[test]
fn an_interrupted_search_names_the_unfinished_depth() {
    let told = searched("connect4", "", "ids", &Limits::nodes(500));
    check(&told);
    let last = told.narration().pop().unwrap().text;
    assert!(last.ends_with("is left unfinished: the node limit was reached"), "{last}");
}

#[test]
fn each_depth_lists_its_changes() {
    let told = searched("tictactoe", "b2,a1,c1", "ids", &Limits::depth(3));
    let done: Vec<String> = told
        .narration()
        .into_iter()
        .map(|line| line.text)
        .filter(|text| text.contains(" is done"))
        .collect();
    assert_eq!(
        done,
        [
            "depth 1 is done: value 1, best c2; the next depth begins with c2, a3, b3, c3, b1, a2",
            "depth 2 is done: value 2, best a3; it was 1, by c2; the next depth begins with a3, c2, b3, c3, b1, a2",
            "depth 3 is done: value 0, best a3; the value was 2",
        ]
    );
}

/// The size of the full tree is compared with the number of all sequences of moves.
#[test]
fn unseen_nodes_are_counted_against_the_full_tree() {
    let told = searched("connect4", "", "alphabeta:tt=off", &Limits::depth(4));
    let saving = told.saving.clone().unwrap();
    let mut start = tussle_catalog::game("connect4").unwrap().start();
    let whole: u64 = (0..=4).map(|depth| start.perft(depth)).sum();
    assert_eq!(saving.whole, Some(usize::try_from(whole).unwrap()));
    assert!(saving.seen < 400, "{saving:?}");
    let text = told.summary().join("\n");
    let never = whole - saving.seen as u64;
    assert!(
        text.contains(&format!(
            "{},{:03} of 2,801 nodes to depth 4 never seen",
            never / 1000,
            never % 1000
        )),
        "{text}"
    );
}

#[test]
fn a_win_that_greedy_misses_is_noted() {
    let moves = "B1@0,S1@8,B2@1,S2@7";
    let told = searched("gobblet", moves, "greedy", &Limits::none());
    check(&told);
    assert_eq!(told.missed_win.as_deref(), Some("M1@2"));
    let lines: Vec<String> = told.narration().into_iter().map(|line| line.text).collect();
    let seen = "M1@2 = 3, evaluated, though the game is over, won by MAX";
    assert!(lines.contains(&seen.to_owned()), "{lines:#?}");
    assert!(lines.last().unwrap().starts_with("the root = 3, the largest of 38, by M2@8 ("));
    assert_eq!(
        told.summary().last().unwrap(),
        "Note: M1@2 wins at once, but the search chose M2@8. The evaluation does not count this win."
    );
    // A search that counts wins takes it.
    let better = searched("gobblet", moves, "greedy-improved", &Limits::none());
    assert_eq!(better.missed_win, None);
    assert_eq!(searched("gobblet", moves, "alphabeta", &Limits::depth(2)).missed_win, None);
}

#[test]
fn an_agent_that_does_not_search_is_rejected() {
    let game = tussle_catalog::game("tictactoe").unwrap();
    let refused = explain(game.as_ref(), game.start().as_ref(), "random", &Limits::none(), 1);
    assert!(refused.unwrap_err().to_string().contains("`random` does not search"));
}

#[test]
fn a_long_search_is_cut_short_with_a_note() {
    let told = searched("connect4", "", "minimax", &Limits::depth(7));
    assert!(told.is_cut_short && told.saving.is_none());
    let end = told.summary().join("\n");
    assert!(end.contains("only the first 200,000 are kept"), "{end}");
    assert!(!end.contains("unfinished"));
}

#[test]
fn default_limits_depend_on_the_game() {
    let depth = |game: &str, agent: &str| {
        let game = tussle_catalog::game(game).unwrap();
        readable_limits(game.start().as_ref(), agent)
            .unwrap()
            .map(|(limits, _)| (limits.depth, limits.nodes))
    };
    assert_eq!(depth("gobblet", "alphabeta"), Some((Some(3), None)));
    assert_eq!(depth("gobblet", "minimax"), Some((Some(2), None)));
    assert_eq!(depth("pentago-twist", "alphabeta"), Some((Some(2), None)));
    assert_eq!(depth("pentago-twist", "minimax"), Some((Some(1), None)));
    assert_eq!(depth("tictactoe", "ids"), Some((Some(4), None)));
    assert_eq!(depth("go", "mcts-go"), Some((None, Some(200))));
    assert_eq!(depth("gobblet", "alphabeta:depth=5"), None);
    assert_eq!(depth("gobblet", "greedy"), None);
}
