//! `tussle review`

use crate::common::{Folder, json, stdout, tussle};

#[test]
fn a_game_of_a_store_is_reviewed_without_its_opening() {
    let scratch = Folder::new("review");
    let (store, svg) = (scratch.path("r.db"), scratch.path("v.svg"));
    let mut args = vec!["match", "tictactoe", "random", "greedy", "--games", "2"];
    args.extend(["--opening-plies", "2", "--store", &store]);
    stdout(&args, "");
    let args = ["review", &store, "1", "--json", "--svg", &svg];
    let review = json(&args);
    assert_eq!(review, json(&args)); // the same seed, the same bytes
    let played = json(&["replay", &store, "1", "--json"]);
    let positions = played["positions"].as_array().expect("positions");
    assert_eq!(review["moves"][0]["ply"], 2);
    assert_eq!(review["values"].as_array().map(Vec::len), Some(positions.len()));
    assert!(std::fs::read_to_string(&svg).expect("a graph").contains("</svg>"));
    let text = stdout(&["review", &store, "1", "--all"], "");
    for judged in review["moves"].as_array().expect("moves") {
        assert!(text.contains(judged["words"].as_str().expect("words")), "{text}");
    }
    let missing = tussle(&["review", &store, "7"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("its games are 0 to 1"));
}

#[test]
fn review_without_a_game_is_an_error() {
    for (args, why) in [
        (&["review"][..], "required"),
        (&["review", "--game", "tictactoe"], "the game has no moves to review"),
        (&["review", "--game", "tictactoe", "--moves", "a1,a1"], "move 2"),
        (&["review", "S.db", "1", "--moves", "a1"], "cannot be used with"),
        (&["review", "S.db", "1", "--position", "x"], "cannot be used with"),
        (&["review", "S.db", "1", "--sgf", "g.sgf"], "cannot be used with"),
        (
            &["review", "--game", "tictactoe", "--moves", "a1", "--agent", "json:/bin/true"],
            "a review compares values of many positions on one scale",
        ),
        (&["review", "--game", "tictactoe", "--moves", "a1", "--agent", "random"], "not search"),
    ] {
        let refused = tussle(args);
        assert_eq!(refused.status.code(), Some(2), "{args:?}");
        let error = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(error.contains(why), "{args:?}: {error}");
    }
}

#[test]
fn a_game_that_ended_by_a_fault_is_judged_as_far_as_it_went() {
    let scratch = Folder::new("review-fault");
    let store = scratch.path("r.db");
    // There is no such move: the third of the first player ends the game.
    let mut args = vec!["match", "tictactoe", "script:moves=a1|b2|nowhere"];
    args.extend(["script:moves=c3|c1|nowhere", "--games", "1", "--store", &store]);
    stdout(&args, "");
    let review = json(&["review", &store, "0", "--json"]);
    assert_eq!(review["moves"].as_array().map(Vec::len), Some(4), "{review}");
    let ended = review["ended"].as_str().expect("an end");
    assert!(ended.contains("by a fault of") && ended.contains("(first)"), "{ended}");
    assert!(stdout(&["review", &store, "0"], "").contains(ended));
}
