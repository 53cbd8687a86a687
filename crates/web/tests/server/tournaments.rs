//! Requests below `/api/tournaments`.

use std::path::Path;

use serde_json::{Value, json};
use tussle_arena::{Contestant, Store, Tournament, TournamentSpec, run};
use tussle_core::StopFlag;
use tussle_engine::Guard;
use tussle_web::ServerLimits;

use crate::client::TestServer;
use crate::openapi::DocumentedServer;

fn random(game: &str, players: usize) -> Value {
    let agents = vec!["random"; players];
    json!({ "name": "cup", "game": game, "agents": agents, "rounds": 2 })
}

/// Plays a tournament of three players without the server, on a board from a file; returns its name.
fn of_three(stores: &Path) -> String {
    let board = stores.join("three.txt");
    std::fs::write(&board, "1...2\n.....\n..3..\n").unwrap();
    let agents = ["a", "b", "c"].map(|name| Contestant::new(name, "random"));
    let game = format!("keep-on-moving:file={}", board.display());
    let tournament = Tournament::new(
        TournamentSpec::new(vec![game], agents.to_vec()),
        &tussle_catalog::Catalog::standard(),
    )
    .unwrap();
    let mut store = Store::open_or_create(&stores.join("three.db"), tournament.spec()).unwrap();
    let guard = Guard::none();
    run(&tournament, &mut store, &guard, 1, &StopFlag::default(), &mut |_| {}).unwrap();
    "three".to_owned()
}

#[test]
fn answers_about_tournaments_match_their_schemas() {
    let told = DocumentedServer::new(ServerLimits::default());
    let sprt = told.example("/api/tournaments").clone();
    let mut go = random("go:size=5", 3);
    go["name"] = Value::Null;
    go["agents"][0] = json!({ "agent": "greedy", "name": "the best" });
    go["format"] = json!("swiss");
    let played = [(told.play(&sprt), 4), (of_three(&told.served.stores), 4), (told.play(&go), 5)];
    for (name, forms) in played {
        let cup = format!("/api/tournaments/{name}");
        let results = told.check("get", &cup, None, 200);
        assert_eq!(results["state"]["complete"], true, "{results}");
        let has_test = !results["config"]["sprt"].is_null();
        told.check("get", &format!("{cup}/sprt"), None, if has_test { 200 } else { 404 });
        let games = told.check("get", &format!("{cup}/games"), None, 200);
        assert_eq!(games["total"], results["state"]["played"]);
        for game in games["games"].as_array().unwrap() {
            let one = told.check("get", &format!("{cup}/games/{}", game["id"]), None, 200);
            let plies = one["moves"].as_array().unwrap().len() as u64;
            assert_eq!(plies, game["plies"]);
            // The last position has the result in the store, also on a board from a file.
            let at = |ply, wanted| {
                let address = format!("{cup}/games/{}/position/{ply}", game["id"]);
                told.check("get", &address, None, wanted)
            };
            let last = at(plies, 200);
            assert_eq!(
                (&last["moves"], &last["result"]["utilities"]),
                (&one["moves"], &one["result"])
            );
            at(plies + 1, 404);
        }
        let id = &games["games"][0]["id"];
        for form in &["json", "jsonl", "csv", "pgn", "sgf"][..forms] {
            told.download(&format!("{cup}/export/{form}"));
            if *form != "json" {
                told.download(&format!("{cup}/games/{id}/export/{form}"));
            }
        }
    }
    let list = told.check("get", "/api/tournaments", None, 200);
    let list = list["tournaments"].as_array().unwrap();
    assert_eq!(list.len(), 3);
    assert!(list.iter().all(|one| one["complete"] == true), "{list:?}");
}

#[test]
fn missing_and_invalid_names_are_errors_in_json() {
    let told = DocumentedServer::new(ServerLimits::default());
    let get =
        |path: &str, wanted| told.check("get", &format!("/api/tournaments/{path}"), None, wanted);
    let post = |path: &str, body: &Value, wanted| {
        told.check("post", &format!("/api/tournaments/{path}"), Some(body), wanted);
    };
    for path in [
        "",
        "/sprt",
        "/games",
        "/games/0",
        "/games/0/position/0",
        "/games/0/export/pgn",
        "/export/pgn",
        "/export/json",
    ] {
        get(&format!("none{path}"), 404);
        get(&format!("%ff{path}"), 404);
        get(&format!("..%2fnone{path}"), 400);
    }
    told.check("post", "/api/tournaments/none/stop", None, 404);
    post("none/resume", &json!({}), 404);
    told.play(&random("tictactoe", 2));
    for path in
        ["9999", "-1", "x", "9999/position/0", "0/position/-1", "9999/export/pgn", "x/export/pgn"]
    {
        get(&format!("cup/games/{path}"), 404);
    }
    get("cup/sprt", 404);
    for path in ["export/gif", "games/0/export/gif", "games/0/export/sgf", "export/sgf"] {
        get(&format!("cup/{path}"), 400);
    }
    for query in ["from=x", "count=-1", "agent=nobody", "outcome=luck", "verdict=odd", "form=1"] {
        get(&format!("cup/games?{query}"), 400);
    }
    post("cup/resume", &json!({ "jbos": 1 }), 422);
    post("cup/resume", &json!(7), 422);
    post("cup/resume", &json!({ "jobs": 0 }), 400);
    std::fs::write(told.served.stores.join("rubbish.db"), "no store").unwrap();
    get("rubbish", 400);
    let list = told.check("get", "/api/tournaments", None, 200);
    assert!(list["tournaments"].as_array().unwrap().iter().any(|one| one["error"].is_string()));
}

#[test]
fn a_request_that_conflicts_with_a_tournament_gets_409() {
    let told = DocumentedServer::new(ServerLimits::default());
    let post = |path: &str, body: &Value, wanted| {
        told.check("post", &format!("/api/tournaments{path}"), Some(body), wanted)
    };
    let stop = |wanted| told.check("post", "/api/tournaments/cup/stop", None, wanted);
    let mut long = random("tictactoe", 2);
    long["rounds"] = json!(100_000);
    post("", &long, 200);
    post("", &long, 409);
    post("/cup/resume", &json!({}), 409);
    let mut page = told.served.page();
    page.say(r#"{"id":1,"op":"watch","tournament":"cup"}"#);
    stop(200);
    while told.hear(&mut page, "watch").0 != "done" {}
    stop(409);
    post("", &random("connect4", 2), 409);
    post("/cup/resume", &json!({ "jobs": 1 }), 200);
    stop(200);
    let mut wide = random("tictactoe", 2);
    (wide["name"], wide["jobs"]) = (json!("wide"), json!(1000));
    post("", &wide, 503);
}

#[test]
fn a_tournament_of_another_process_can_be_watched_but_not_stopped() {
    let told = DocumentedServer::new(ServerLimits::default());
    let agents = ["a", "b"].map(|name| Contestant::new(name, "random"));
    let config = TournamentSpec::new(vec!["tictactoe".to_owned()], agents.to_vec());
    std::fs::create_dir_all(&told.served.stores).unwrap();
    let store = Store::open_or_create(&told.served.stores.join("theirs.db"), &config).unwrap();
    let state = told.check("get", "/api/tournaments/theirs", None, 200)["state"].clone();
    assert_eq!((&state["running"], &state["complete"]), (&json!("elsewhere"), &json!(false)));
    told.check("post", "/api/tournaments/theirs/stop", None, 409);
    told.check("post", "/api/tournaments/theirs/resume", Some(&json!({})), 409);
    let mut page = told.served.page();
    page.say(r#"{"id":1,"op":"watch","tournament":"theirs"}"#);
    let (event, news) = told.hear(&mut page, "watch");
    assert_eq!((event.as_str(), &news["running"]), ("progress", &json!(true)));
    drop(store);
    while told.hear(&mut page, "watch").0 != "done" {}
}

#[test]
fn programs_and_files_are_forbidden() {
    let told = DocumentedServer::new(ServerLimits::default());
    let start = |key: &str, value: Value, wanted| {
        let mut wish = random("tictactoe", 2);
        wish[key] = value;
        told.check("post", "/api/tournaments", Some(&wish), wanted);
    };
    for agent in ["json:sh -c true", "ugi:true", "gtp:true", "alphabeta:book=/etc/passwd"] {
        start("agents", json!(["random", agent]), 403);
    }
    start("agents", json!(["random", { "agent": "random", "folder": "/" }]), 403);
    start("store", json!("/tmp/x.db"), 403);
    start("openings", json!("/etc/passwd"), 403);
    start("game", json!("tree:file=/etc/passwd"), 403);
    start("name", json!("../x"), 400);
    start("name", json!(7), 400);
    start("agents", json!("random"), 400);
    start("game", json!("chess960"), 400);
    assert_eq!(told.served.ask("post", "/api/tournaments", Some(&json!([]))).0, 422);
    assert!(!told.served.stores.exists(), "no tournament was started");
}

#[test]
fn the_number_of_stores_is_limited() {
    let served = TestServer::new(ServerLimits { stores: 1, ..ServerLimits::default() });
    let mut wish = random("tictactoe", 2);
    wish["name"] = Value::Null;
    let start = || served.ask("post", "/api/tournaments", Some(&wish));
    assert_eq!(start().0, 200);
    let (status, told) = start();
    assert_eq!(
        (status, told.to_string().contains("move some to another folder")),
        (503, true),
        "{told}"
    );
}
