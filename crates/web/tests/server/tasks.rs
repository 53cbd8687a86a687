//! Searches: whose turn it is, and when they end.

use std::io::Write as _;
use std::time::Duration;

use serde_json::json;
use tussle_web::ServerLimits;

use crate::client::Served;

/// One search at a time.
fn narrow() -> ServerLimits {
    ServerLimits { searches: 1, ..ServerLimits::default() }
}

#[test]
fn a_search_ends_with_its_page() {
    let served = Served::new(narrow());
    let (mut gone, mut other) = (served.page(), served.page());
    gone.search_for_ever(1);
    other.ask_a_trifle(1);
    other.wait_for(1, "queued");
    drop(gone); // without a word
    other.wait_for(1, "done");
}

#[test]
fn a_page_plays_on_with_the_same_player() {
    let served = Served::new(ServerLimits::default());
    let mut page = served.page();
    let mut moves: Vec<String> = Vec::new();
    for id in 1.. {
        let place = json!({ "game": "tictactoe", "moves": moves });
        let seen = served.ask("post", "/api/position", Some(&place)).1;
        if !seen["result"].is_null() {
            break;
        }
        let ask =
            json!({ "id": id, "op": "search", "place": place, "agent": "mcts:nodes=50,reuse=on" });
        page.say(&ask.to_string());
        let best = page.wait_for(id, "done")["report"]["best"].clone();
        assert!(seen["legal"].as_array().unwrap().contains(&best), "{best}");
        moves.push(best.as_str().unwrap().to_owned());
    }
    assert!(moves.len() >= 5);
}

#[test]
fn a_search_that_is_stopped_answers_with_what_it_has() {
    let served = Served::new(narrow());
    let mut page = served.page();
    page.search_for_ever(1);
    page.ask_for_ever(2);
    page.wait_for(2, "queued");
    page.say(r#"{"id":2,"op":"stop"}"#);
    let error = page.wait_for(2, "error");
    assert!(error["error"].as_str().unwrap().contains("before its turn"), "{error}");
    page.say(r#"{"id":1,"op":"stop"}"#);
    let report = &page.wait_for(1, "done")["report"];
    assert_eq!(report["stopped"], "asked");
    assert!(
        report["best"].is_string() && report["stats"]["playouts"].as_u64() > Some(0),
        "{report}"
    );
}

#[test]
fn one_page_leaves_room_for_others() {
    let served = Served::new(ServerLimits { searches: 3, share: 2, ..ServerLimits::default() });
    let (mut greedy, mut other) = (served.page(), served.page());
    greedy.search_for_ever(1);
    greedy.search_for_ever(2);
    greedy.ask_for_ever(3);
    greedy.wait_for(3, "queued");
    other.ask_a_trifle(1);
    assert_eq!(other.hear().unwrap()["event"], "report", "it is not even queued");
    for id in 4..=9 {
        greedy.ask_for_ever(id);
    }
    let error = greedy.wait_for(9, "error");
    assert!(error["error"].as_str().unwrap().contains("too much at once"), "{error}");
}

#[test]
fn whoever_has_had_long_makes_room_for_those_who_wait() {
    let limits = ServerLimits {
        turn: Duration::from_millis(100),
        // Nothing else ends its search too early: it ends by its time, or because it is asked to.
        time: Duration::from_secs(20),
        pulse: Duration::from_hours(1),
        patience: Duration::from_hours(1),
        ..narrow()
    };
    let served = Served::new(limits);
    let (mut long, mut other) = (served.page(), served.page());
    long.search_for_ever(1);
    other.ask_a_trifle(1);
    other.wait_for(1, "queued");
    assert_eq!(long.wait_for(1, "done")["report"]["stopped"], "asked");
    other.wait_for(1, "done");
}

#[test]
fn a_script_that_hangs_up_ends_its_search() {
    let served = Served::new(narrow());
    let wish = json!({ "place": { "game": "go:size=9" }, "agent": "mcts", "time_ms": 600_000 });
    let mut script = served.connect();
    script.write_all(served.request("post", "/api/analyse", Some(&wish)).as_bytes()).unwrap();
    let mut page = served.page();
    let mut id = 0;
    let mut waits = false;
    while !waits {
        // Until the script's search runs, ours is not queued.
        id += 1;
        page.ask_a_trifle(id);
        let mut over = false;
        while !waits && !over {
            let event = page.hear().unwrap()["event"].clone();
            (waits, over) = (event == "queued", event == "done");
        }
    }
    drop(script);
    page.wait_for(id, "done");
}

#[test]
fn a_page_without_a_pulse_is_given_up() {
    let served = Served::new(ServerLimits { pulse: Duration::from_millis(100), ..narrow() });
    let mut dead = served.page();
    dead.search_for_ever(1);
    let mut other = served.page();
    other.ask_a_trifle(1);
    other.wait_for(1, "done"); // `dead` is still connected, but answers no ping
}

#[test]
fn the_server_ends_in_the_middle_of_searches() {
    let mut served = Served::new(ServerLimits { searches: 2, ..ServerLimits::default() });
    let mut pages = [served.page(), served.page(), served.page()];
    pages[0].search_for_ever(1);
    pages[1].search_for_ever(1);
    pages[2].ask_for_ever(1);
    pages[2].wait_for(1, "queued");
    served.end();
    for mut page in pages {
        while let Some(told) = page.hear() {
            assert_eq!(told["event"], "report", "the end of the server is no answer");
        }
    }
}

#[test]
fn a_review_goes_on_though_others_want_to_search_too() {
    let served = Served::new(ServerLimits { turn: Duration::from_millis(1), ..narrow() });
    let (mut reader, mut other) = (served.page(), served.page());
    let moves: Vec<&str> = "4 4 4 4 4 3 3 3 3 2 2 5 5".split(' ').collect();
    let place = json!({ "game": "connect4", "moves": moves });
    let ask = json!({ "id": 1, "op": "review", "place": place, "agent": "mcts", "nodes": 20_000 });
    reader.say(&ask.to_string());
    reader.wait_for(1, "progress");
    // Between its positions there is room for others.
    other.ask_a_trifle(1);
    other.wait_for(1, "done");
    let news = reader.wait_for(1, "progress");
    assert!(news["done"].as_u64() < news["total"].as_u64(), "it was not over yet: {news}");
    let review = reader.wait_for(1, "done");
    assert_eq!(review["review"]["moves"].as_array().map(Vec::len), Some(moves.len()), "{review}");
    reader.say(&ask.to_string());
    reader.wait_for(1, "progress");
    reader.say(r#"{"id":1,"op":"stop"}"#);
    reader.wait_for(1, "error");
}
