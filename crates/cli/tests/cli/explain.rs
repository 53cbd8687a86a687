//! `tussle explain` as a student meets it.

use crate::common::{Folder, json, stdout, tussle};
use serde_json::json as value;

const LECTURE: &str = "tree:file=examples/trees/lecture-alphabeta.json";
const MCTS: &str = "tree:file=examples/trees/lecture-mcts.json";
const UCB1: &str = "tree:file=examples/trees/ucb1-exercise.json";

fn explain(args: &[&str]) -> String {
    stdout(&[&["explain"], args].concat(), "")
}

/// Returns the error of a command that is rejected because of its input.
fn refused(args: &[&str]) -> String {
    let output = tussle(&[&["explain"], args].concat());
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
    assert!(output.stdout.is_empty(), "{args:?}");
    stderr
}

#[test]
fn cutoffs_of_the_lecture_are_explained_with_reasons() {
    let told = explain(&[LECTURE, "--agent", "alphabeta:order=none"]);
    for line in [
        "\nA (MAX), window (-inf, +inf)\n",
        "\n      H = 4\n    D: H = 4 raises alpha to 4, window (4, +inf)\n",
        "\n    E: J = 9 >= beta 8, so MIN at B would never come here: K pruned\n",
        "\n  C: F = 2 <= alpha 8, so MAX at A would never come here: G with N and O pruned\n",
        "\nAnswer: B, worth 8 to MAX.\n",
        "\n4 of 15 nodes never seen: K, G, N, O.\n",
    ] {
        assert!(told.contains(line), "{line}{told}");
    }
}

#[test]
fn four_simulations_are_explained_with_both_terms_of_every_child() {
    let told = explain(&[MCTS, "--agent", "mcts:c=2", "--nodes", "4"]);
    for number in ["21.6651", "11.6651", "11.4823", "12.0963", "Answer: s2,", "s0 s2 s5"] {
        assert!(told.contains(number), "{number}: {told}");
    }
}

#[test]
fn the_exercise_is_worked_out_with_any_mcts_or_none() {
    let told = explain(&[UCB1]);
    for text in [
        "So d is 1/5.",
        "= 1.294",
        "= 1.309",
        "= 1.451",
        "= 0.528",
        "= 1.458",
        "= 1.426",
        "= 1.093",
        "f, the largest leaf anywhere: 1.458",
        "d, the one that UCT takes, strictly from the top down",
        "the wins of g + h should sum to 5, but they sum to 1 + 0 = 1",
        "new child 0/1, f 6/10, b 33/40, a 16/51",
    ] {
        assert!(told.contains(text), "{text}: {told}");
    }
    assert_eq!(explain(&[UCB1, "--agent", "mcts"]), told);
    assert!(explain(&[UCB1, "--agent", "mcts:c=0.5"]).contains("0.5 * sqrt(ln 50 / 39)"));
    let document = json(&["explain", UCB1, "--json"]);
    assert_eq!(document["largest_leaf"], "f");
    assert_eq!(document["top_down"], "d");
    let a = value!({"name": "a", "wins": 16.0, "visits": 51});
    assert_eq!(document["after_loss"]["largest_leaf"][3], a);
}

#[test]
fn the_exercise_is_drawn_before_and_after_the_update() {
    let folder = Folder::new("ucb1");
    let (svg, html) = (folder.path("svg"), folder.path("page.html"));
    let told = explain(&[UCB1, "--svg", &svg, "--html", &html]);
    assert_eq!(told, explain(&[UCB1]), "the words are printed as well");
    let picture = |number: usize| {
        std::fs::read_to_string(format!("{svg}/{number:04}.svg")).unwrap_or_default()
    };
    for (number, texts) in [
        (4, ["<title>Expand f", ">5/9<", ">33/39<", ">15/50<", ">UCB1 1.458<"]),
        (5, [">new<", ">5/9 → 6/10<", ">33/39 → 33/40<", ">15/50 → 16/51<", ">0/1<"]),
        (7, [">new<", ">1/5 → 2/6<", ">33/39<", ">15/50 → 15/51<", ">0/1<"]),
    ] {
        let picture = picture(number);
        for text in texts {
            assert!(picture.contains(text), "{number}: {text}: {picture}");
        }
    }
    assert_eq!(picture(8), "");
    let page = std::fs::read_to_string(html).unwrap();
    assert!(page.contains("UCB1 by hand: ucb1-exercise") && page.contains("5/9 → 6/10"));
}

#[test]
fn greedy_walks_past_a_win() {
    let told = explain(&["gobblet", "--moves", "B1@0,S1@8,B2@1,S2@7", "--agent", "greedy"]);
    assert!(told.ends_with("The evaluation does not count this win.\n"), "{told}");
    assert!(told.contains("Note: M1@2 wins at once, but the search chose M2@8."));
}

#[test]
fn explain_chooses_and_reports_a_small_limit() {
    let output = tussle(&["explain", "connect4"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.starts_with("no limit given: 4 plies;"), "{said}");
    let output = tussle(&["explain", "go:size=5", "--agent", "mcts"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.starts_with("no limit given: 200 simulations;"), "{said}");
    for quiet in [&["explain", "connect4", "--depth", "2"][..], &["explain", LECTURE]] {
        assert!(tussle(quiet).stderr.is_empty(), "{quiet:?}");
    }
}

#[test]
fn long_explanations_are_shortened_without_all() {
    let depth2 = ["gobblet", "--depth", "2", "--agent", "minimax"];
    let (short, whole) = (explain(&depth2), explain(&[&depth2[..], &["--all"]].concat()));
    assert!(whole.lines().count() > 2_700, "{}", whole.lines().count());
    assert!(short.lines().count() < 450, "{}", short.lines().count());
    assert!(short.contains("… leaves with the same value share a line: --all shows each\n"));
    for told in [&short, &whole] {
        assert!(told.contains("\n  B1@0 = "), "what the root's moves are worth stays: {told}");
    }
    let simulations = explain(&["go:size=5", "--agent", "mcts", "--nodes", "200"]);
    assert!(simulations.contains(" more lines: --all shows them\n"), "{simulations}");
    assert!(simulations.lines().count() < 500);
    assert!(simulations.contains("\nAnswer: "), "the end is always there: {simulations}");
}

#[test]
fn the_document_has_steps_story_and_report() {
    let document = json(&["explain", LECTURE, "--agent", "alphabeta:order=none", "--json"]);
    assert_eq!(document["position"], "A");
    assert_eq!(document["agent"], "alphabeta:order=none");
    assert_eq!(document["report"]["best"], "B");
    assert_eq!(document["report"]["stats"]["nodes"], 11);
    assert_eq!(document["saving"]["unseen"], value!(["K", "G", "N", "O"]));
    let nodes = document["nodes"].as_array().unwrap();
    let steps = document["steps"].as_array().unwrap();
    let cuts: Vec<_> = steps.iter().filter(|step| step["step"] == "cut").collect();
    assert_eq!(cuts.len(), 2);
    let skipped = cuts[1]["skipped"][0].as_u64().unwrap() as usize;
    assert_eq!((&nodes[skipped]["name"], &nodes[skipped]["seen"]), (&value!("G"), &value!(false)));
    let last = document["story"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["text"], &last["node"]), (&value!("A = 8"), &value!(0)));
    assert_eq!(last["steps"], steps.len());
    // The full window is written as null.
    assert_eq!(steps[1], value!({"step": "enter", "node": 0, "alpha": null, "beta": null}));
}

#[test]
fn omitted_steps_are_reported() {
    let told = explain(&["connect4", "--agent", "minimax", "--depth", "7"]);
    assert!(told.contains("only the first 200,000 are kept"), "{told}");
}

#[test]
fn bad_input_is_refused_with_the_reason() {
    let cases: &[(&[&str], &str)] = &[
        (&[UCB1, "--agent", "alphabeta"], "a tree without values"),
        (&["tictactoe", "--agent", "random"], "does not search"),
        (&["tictactoe", "--agent", "human"], "a human player"),
        (&["tictactoe", "--moves", "a1,b1,a2,b2,a3"], "the game is over"),
        (&["backgammon"], "chance is to move; roll first"),
        (&["nosuch"], "unknown game"),
        (&["tictactoe", "--agent", "nosuch"], "unknown agent"),
        (&["tictactoe", "--nodes", "0"], "--nodes"),
        (&["tictactoe", "--depth", "0"], "--depth"),
        (&["tictactoe", "--moves", "z9"], "move 1"),
        (&["tree"], "expected a file"),
        (&["tree:file=nosuch.json"], "nosuch.json"),
        (&["tree:file=examples/trees/kplayer.json"], "maxn or paranoid"),
    ];
    for (args, reason) in cases {
        let said = refused(args);
        assert!(said.contains(reason), "{args:?}: {said}");
        assert!(!said.contains("no limit given"), "{args:?}: only the reason is said: {said}");
    }
}

#[test]
fn an_exercise_with_too_little_in_it_is_refused() {
    let folder = Folder::new("exercise");
    let path = folder.path("two.json");
    let text = r#"{"root": "a", "nodes": {
        "a": {"max": ["b", "c"], "stats": {"wins": 1, "visits": 9}}, "b": {"stats": null}, "c": {"stats": null}}}"#;
    std::fs::write(&path, text).unwrap();
    let said = refused(&[&format!("tree:file={path}")]);
    assert!(said.contains("the wins and visits of b, c are missing"), "{said}");
}

/// A depth does not limit simulations, so the default limit remains; an exercise needs no search.
#[test]
fn limits_without_effect_are_reported() {
    let said = |args: &[&str]| {
        let output = tussle(&[&["explain"], args].concat());
        assert!(output.status.success(), "{args:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let told = said(&["connect4", "--agent", "mcts", "--depth", "3"]);
    assert!(told.contains("--depth has no effect") && told.contains("200 simulations"), "{told}");
    let told = said(&[UCB1, "--nodes", "5"]);
    assert!(told.contains("--nodes has no effect: "), "{told}");
}
