//! Searches: their order, preemption and end.

use std::io::Write as _;
use std::time::Duration;

use serde_json::json;
use tussle_web::ServerLimits;

use crate::client::TestServer;

/// Returns limits with one search slot.
fn one_slot() -> ServerLimits {
    ServerLimits { searches: 1, ..ServerLimits::default() }
}

#[test]
fn a_search_ends_with_its_page() {
    let served = TestServer::new(one_slot());
    let (mut gone, mut other) = (served.page(), served.page());
    gone.start_long_search(1);
    other.request_short_search(1);
    other.wait_for(1, "queued");
    drop(gone); // without a close message
    other.wait_for(1, "done");
}

#[test]
fn a_page_plays_a_whole_game_with_one_player() {
    let served = TestServer::new(ServerLimits::default());
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
fn a_stopped_search_answers_with_its_result_so_far() {
    let served = TestServer::new(one_slot());
    let mut page = served.page();
    page.start_long_search(1);
    page.request_long_search(2);
    page.wait_for(2, "queued");
    page.say(r#"{"id":2,"op":"stop"}"#);
    let error = page.wait_for(2, "error");
    assert!(error["error"].as_str().unwrap().contains("before it started"), "{error}");
    page.say(r#"{"id":1,"op":"stop"}"#);
    let report = &page.wait_for(1, "done")["report"];
    assert_eq!(report["stopped"], "asked");
    assert!(
        report["best"].is_string() && report["stats"]["playouts"].as_u64() > Some(0),
        "{report}"
    );
}

#[test]
fn a_page_cannot_take_all_slots() {
    let served = TestServer::new(ServerLimits { searches: 3, share: 2, ..ServerLimits::default() });
    let (mut greedy, mut other) = (served.page(), served.page());
    greedy.start_long_search(1);
    greedy.start_long_search(2);
    greedy.request_long_search(3);
    greedy.wait_for(3, "queued");
    other.request_short_search(1);
    assert_eq!(other.hear().unwrap()["event"], "report", "the search is not queued");
    for id in 4..=9 {
        greedy.request_long_search(id);
    }
    let error = greedy.wait_for(9, "error");
    assert!(error["error"].as_str().unwrap().contains("too many tasks"), "{error}");
}

#[test]
fn a_search_is_preempted_after_its_time_slice_if_another_one_waits() {
    let limits = ServerLimits {
        turn: Duration::from_millis(100),
        // Only the time slice or the time limit may end the search, not a timeout of the connection.
        time: Duration::from_secs(20),
        pulse: Duration::from_hours(1),
        patience: Duration::from_hours(1),
        ..one_slot()
    };
    let served = TestServer::new(limits);
    let (mut long, mut other) = (served.page(), served.page());
    long.start_long_search(1);
    other.request_short_search(1);
    other.wait_for(1, "queued");
    assert_eq!(long.wait_for(1, "done")["report"]["stopped"], "asked");
    other.wait_for(1, "done");
}

#[test]
fn a_search_ends_when_its_script_disconnects() {
    let served = TestServer::new(one_slot());
    let wish = json!({ "place": { "game": "go:size=9" }, "agent": "mcts", "time_ms": 600_000 });
    let mut script = served.connect();
    script.write_all(served.request("post", "/api/analyse", Some(&wish)).as_bytes()).unwrap();
    let mut page = served.page();
    let mut id = 0;
    let mut waits = false;
    while !waits {
        // Searches of this page are queued once the search of the script runs.
        id += 1;
        page.request_short_search(id);
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
fn a_page_that_answers_no_pings_is_disconnected() {
    let served = TestServer::new(ServerLimits { pulse: Duration::from_millis(100), ..one_slot() });
    let mut dead = served.page();
    dead.start_long_search(1);
    let mut other = served.page();
    other.request_short_search(1);
    other.wait_for(1, "done"); // `dead` is still connected, but answers no ping
}

#[test]
fn the_server_shuts_down_while_searches_run() {
    let mut served = TestServer::new(ServerLimits { searches: 2, ..ServerLimits::default() });
    let mut pages = [served.page(), served.page(), served.page()];
    pages[0].start_long_search(1);
    pages[1].start_long_search(1);
    pages[2].request_long_search(1);
    pages[2].wait_for(1, "queued");
    served.end();
    for mut page in pages {
        while let Some(told) = page.hear() {
            assert_eq!(told["event"], "report", "a search that the shutdown ended has no answer");
        }
    }
}

#[test]
fn a_review_yields_to_other_searches_and_finishes() {
    let served = TestServer::new(ServerLimits { turn: Duration::from_millis(1), ..one_slot() });
    let (mut reader, mut other) = (served.page(), served.page());
    let moves: Vec<&str> = "4 4 4 4 4 3 3 3 3 2 2 5 5".split(' ').collect();
    let place = json!({ "game": "connect4", "moves": moves });
    let ask = json!({ "id": 1, "op": "review", "place": place, "agent": "mcts", "nodes": 20_000 });
    reader.say(&ask.to_string());
    reader.wait_for(1, "progress");
    // Between two positions of the review, other searches run.
    other.request_short_search(1);
    other.wait_for(1, "done");
    let news = reader.wait_for(1, "progress");
    assert!(news["done"].as_u64() < news["total"].as_u64(), "the review is not over yet: {news}");
    let review = reader.wait_for(1, "done");
    assert_eq!(review["review"]["moves"].as_array().map(Vec::len), Some(moves.len()), "{review}");
    reader.say(&ask.to_string());
    reader.wait_for(1, "progress");
    reader.say(r#"{"id":1,"op":"stop"}"#);
    reader.wait_for(1, "error");
}
