//! Tournaments: answers of the server, and the pages that show them.

mod requests;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tussle_arena::{Contestant, Store, Summary, Tournament, TournamentSpec, export, run};
use tussle_core::StopFlag;
use tussle_engine::Guard;
use tussle_testkit::browser::{Browser, is_there};
use tussle_web::Options;

use crate::served::TestServer;
use requests::{get, post};

/// Timeout after which a test fails, far longer than a tournament takes.
const TOURNAMENT_TIMEOUT: Duration = Duration::from_mins(1);

/// Store folder that is removed after the test.
struct Stores(PathBuf);

impl Stores {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("tussle-web-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        Self(folder)
    }

    fn serve(&self) -> TestServer {
        TestServer::new(Options { stores: self.0.clone(), ..Options::default() })
    }
}

impl Drop for Stores {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Plays a tournament without a server.
fn play(config: &Value, store: Option<&Path>) -> Store {
    let config: TournamentSpec = serde_json::from_value(config.clone()).unwrap();
    let tournament = Tournament::new(config, &tussle_catalog::Catalog::standard()).unwrap();
    let mut store = match store {
        Some(path) => Store::open_or_create(path, tournament.spec()).unwrap(),
        None => Store::in_memory(tournament.spec()).unwrap(),
    };
    let guard = Guard::none();
    run(&tournament, &mut store, &guard, 1, &StopFlag::default(), &mut |_| {}).unwrap();
    store
}

/// Waits until a tournament ends; returns its results.
fn wait_for_end(served: &TestServer, name: &str) -> Value {
    let end = Instant::now() + TOURNAMENT_TIMEOUT;
    loop {
        let (status, told) = get(served, &format!("/api/tournaments/{name}"));
        assert_eq!(status, 200, "{told}");
        if told["state"]["running"].is_null() {
            return told;
        }
        assert!(Instant::now() < end, "{name} does not end");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn small(name: &str) -> Value {
    json!({
        "name": name, "game": "tictactoe", "nodes": 30, "rounds": 3, "opening-plies": 1, "jobs": 2,
        "agents": ["greedy", "random", { "name": "tree", "agent": "mcts" }],
    })
}

#[test]
fn a_tournament_of_a_page_has_the_results_of_the_arena() {
    let stores = Stores::new("same");
    let served = stores.serve();
    let (status, begun) = post(&served, "/api/tournaments", &small("cup"));
    assert_eq!((status, &begun["kept"]), (200, &json!(true)), "{begun}");
    let mut told = wait_for_end(&served, "cup");
    assert_eq!((&told["state"]["played"], &told["state"]["complete"]), (&json!(18), &json!(true)));
    let tree = &told["config"]["agents"][2];
    assert_eq!((&tree["name"], &tree["spec"]), (&json!("tree"), &json!("mcts")));

    let store = play(&told["config"], None);
    let mut expected = serde_json::to_value(Summary::of(&store).unwrap()).unwrap();
    for document in [&mut told, &mut expected] {
        let fields = document.as_object_mut().unwrap();
        for own in ["timing", "state", "config", "players"] {
            fields.remove(own);
        }
    }
    assert_eq!(told, expected);

    // The downloaded file equals an export of the store.
    let mut csv = Vec::new();
    export::write(&store, export::ExportFormat::Csv, &mut csv).unwrap();
    let (status, file) = requests::text(&served, "/api/tournaments/cup/export/csv");
    assert_eq!((status, file.as_bytes()), (200, &csv[..]));
    let (status, game) = get(&served, "/api/tournaments/cup/games/5");
    let record = store.game(5).unwrap().unwrap();
    assert_eq!((status, &game["moves"]), (200, &json!(record.moves)));
    assert_eq!((&game["previous"], &game["next"]), (&json!(4), &json!(6)));
    let (_, won) = get(&served, "/api/tournaments/cup/games?agent=tree&outcome=win&count=2");
    let wins = &expected["table"].as_array().unwrap().iter().find(|row| row["agent"] == "tree");
    assert_eq!(won["total"], wins.unwrap()["wins"]);
    assert!(won["games"].as_array().unwrap().iter().all(|game| game["winner"] == "tree"), "{won}");
}

#[test]
fn stopping_and_resuming_changes_no_game() {
    let stores = Stores::new("stopped");
    let served = stores.serve();
    let wish = json!({
        "name": "pieces", "game": "connect4", "nodes": 200, "rounds": 20, "opening-plies": 2,
        "agents": ["mcts", "random"],
    });
    post(&served, "/api/tournaments", &wish);
    let (status, why) = post(&served, "/api/tournaments", &wish);
    assert_eq!(status, 409, "{why}");
    let (status, _) = post(&served, "/api/tournaments/pieces/stop", &json!({}));
    assert_eq!(status, 200);
    let stopped = wait_for_end(&served, "pieces");
    assert_eq!(stopped["state"]["complete"], json!(false), "{}", stopped["state"]);
    drop(served); // only the store remains

    let served = stores.serve();
    let other = json!({ "name": "pieces", "game": "connect4", "agents": ["mcts", "greedy"] });
    let (status, why) = post(&served, "/api/tournaments", &other);
    assert_eq!(status, 409, "{why}");
    assert!(why["error"].as_str().unwrap().contains("another configuration"), "{why}");
    let (status, why) = post(&served, "/api/tournaments/pieces/resume", &json!({ "jobs": 2 }));
    assert_eq!(status, 200, "{why}");
    let whole = wait_for_end(&served, "pieces");
    assert_eq!(whole["state"]["played"], json!(40));
    let (_, file) = requests::text(&served, "/api/tournaments/pieces/export/pgn");
    let mut pgn = Vec::new();
    export::write(&play(&whole["config"], None), export::ExportFormat::Pgn, &mut pgn).unwrap();
    assert!(file.as_bytes() == pgn, "the games differ");
}

#[test]
fn files_programs_and_too_large_tournaments_are_rejected() {
    let stores = Stores::new("refused");
    let served = stores.serve();
    let with = |key: &str, value: Value| {
        let mut wish = small("cup");
        wish[key] = value;
        wish
    };
    let cases = [
        (with("name", json!("../x.db")), 400, "not a valid name"),
        (with("name", json!("/tmp/x")), 400, "not a valid name"),
        (with("agents", json!(["random", "ugi:sh -c true"])), 403, "--allow-programs"),
        (with("agents", json!(["random", "ids:book=/etc/passwd"])), 403, "may not open files"),
        (
            with("agents", json!(["random", { "agent": "greedy", "folder": "/" }])),
            403,
            "may not open files",
        ),
        (with("game", json!("tree:file=/etc/passwd")), 403, "may not open files"),
        (with("openings", json!("/etc/passwd")), 403, "may not open files"),
        (with("store", json!("/tmp/x.db")), 403, "may not open files"),
        (with("rounds", json!(1_000_000)), 400, "at most 1000000"),
        (with("agents", json!(vec!["random"; 33])), 400, "at most 32"),
        (with("jobs", json!(1000)), 503, "in parallel"),
        (with("agents", json!(["random"])), 400, "2 players"),
        (with("agents", json!("random")), 400, "agents: "),
        (with("nodes", json!(-5)), 400, "found -5"),
        (with("rounds", json!(1.5)), 400, "found 1.5"),
        (with("seed", json!(-1)), 400, "found -1"),
        (with("depth", json!(1_u64 << 32)), 400, "found 4294967296"),
        (with("clock", json!(5)), 400, "found 5"),
        (with("format", json!("knockout")), 400, "knockout"),
        (with("sprt", json!("elo0=5,elo1=0")), 400, "elo0"),
    ];
    for (wish, expected, part) in cases {
        let (status, told) = post(&served, "/api/tournaments", &wish);
        let why = told["error"].as_str().unwrap_or_default();
        assert_eq!(status, expected, "{wish}: {why}");
        assert!(why.contains(part), "{wish}: {why}");
    }
    for path in ["..%2Fx.db", "%2Fetc%2Fpasswd", ".hidden"] {
        assert_eq!(get(&served, &format!("/api/tournaments/{path}")).0, 400, "{path}");
    }
    assert_eq!(get(&served, "/api/tournaments/nothing").0, 404);
    assert_eq!(get(&served, "/api/tournaments/nothing/export/json").0, 404);
    assert!(!stores.0.exists(), "no tournament was started");
}

#[test]
fn without_a_writable_folder_games_are_kept_until_the_server_ends() {
    let stores = Stores::new("nowhere");
    std::fs::write(&stores.0, "a file, not a folder").unwrap();
    let served = TestServer::new(Options { stores: stores.0.join("in"), ..Options::default() });
    let (status, begun) = post(&served, "/api/tournaments", &small("cup"));
    assert_eq!((status, &begun["kept"]), (200, &json!(false)), "{begun}");
    assert!(begun["note"].as_str().unwrap().contains("until the server ends"), "{begun}");
    assert_eq!(wait_for_end(&served, "cup")["state"]["played"], json!(18));
    drop(served);
    std::fs::remove_file(&stores.0).unwrap();
}

#[test]
fn a_tournament_can_be_played_from_the_form() {
    if !is_there() {
        return;
    }
    let stores = Stores::new("form");
    let served = stores.serve();
    let mut browser = Browser::start(1280, 900).unwrap();
    browser.visit(&format!("{}/#tournaments", served.url)).unwrap();
    browser.wait_for("document.querySelectorAll('.empty, .begin').length === 2").unwrap();
    // The form shows errors of the server.
    let set = |selector: &str, value: &str| {
        format!(
            "(() => {{ const field = document.querySelector({selector:?}); field.value = {value:?}; \
             field.dispatchEvent(new Event('input', {{ bubbles: true }})); return true; }})()"
        )
    };
    browser.eval(&set(".agent-spec", "mtcs")).unwrap();
    let start = browser.eval("document.querySelector('button.primary').click()");
    start.unwrap();
    browser
        .wait_for("document.querySelector('[role=alert].wrong').textContent.includes('mcts')")
        .unwrap();
    browser.eval(&set(".agent-spec", "mcts")).unwrap();
    // Invalid numbers are reported before the request is sent, and their field gets the focus.
    for (field, value, words) in [
        ("rounds", "", "Rounds: expected a whole number, 1 or more."),
        ("nodes", "-5", "Nodes: expected a whole number, 1 or more, or an empty field."),
        ("seed", "1.5", "Seed: expected a whole number, 0 or more."),
    ] {
        let selector = format!("[name={field}]");
        let old = browser.eval(&format!("document.querySelector('{selector}').value")).unwrap();
        browser.eval(&set(&selector, value)).unwrap();
        browser.eval("document.querySelector('button.primary').click()").unwrap();
        let told = browser
            .eval("[document.querySelector('.wrong').textContent, document.activeElement.name]");
        assert_eq!(told.unwrap(), json!([words, field]));
        browser.eval(&set(&selector, old.as_str().unwrap())).unwrap();
    }
    browser.eval(&set("[name=rounds]", "12")).unwrap();
    browser.eval(&set("[name=nodes]", "400")).unwrap();
    browser.eval("document.querySelector('button.primary').click()").unwrap();
    browser
        .wait_for("(p => !!p && p.max === 144 && p.value > 0 && p.value < 144)(document.querySelector('progress'))")
        .unwrap();
    browser
        .wait_for("document.querySelector('.cup-status').textContent.includes('complete')")
        .unwrap();

    let hash = browser.eval("location.hash").unwrap();
    let name = hash.as_str().unwrap().strip_prefix("#tournaments/").unwrap().to_owned();
    let (_, told) = get(&served, &format!("/api/tournaments/{name}"));
    let order: Vec<&str> = told["table"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["agent"].as_str().unwrap())
        .collect();
    for meeting in told["meetings"].as_array().unwrap() {
        let [row, column] =
            [0, 1].map(|i| order.iter().position(|name| *name == meeting["agents"][i]).unwrap());
        let cell = format!(
            "document.querySelector('.cross tbody').rows[{row}].cells[{}].textContent",
            column + 1
        );
        let [wins, draws, losses] = ["wins", "draws", "losses"].map(|key| &meeting[key]);
        let text = browser.eval(&cell).unwrap();
        assert!(
            text.as_str().unwrap().ends_with(&format!("/24+{wins} ={draws} −{losses}")),
            "{text}"
        );
    }
    let conclusion = browser.eval("document.querySelector('.conclusion').textContent").unwrap();
    assert_eq!(conclusion, told["conclusion"]);
    browser.resize(360, 740).unwrap();
    let wide = "[...document.querySelectorAll('main *')].filter(one => !one.closest('.wide') && \
                one.getBoundingClientRect().right > 361).map(one => one.outerHTML.slice(0, 80)).join()";
    assert_eq!(browser.eval(wide).unwrap(), json!(""));
    assert_eq!(browser.eval("document.documentElement.scrollWidth").unwrap(), json!(360));
    let complaints: Vec<&String> =
        browser.complaints().iter().filter(|text| !text.contains("400")).collect();
    assert!(complaints.is_empty(), "{complaints:?}");
}

#[test]
fn a_store_of_another_process_shows_its_sprt_and_its_games() {
    if !is_there() {
        return;
    }
    let stores = Stores::new("opened");
    std::fs::create_dir_all(&stores.0).unwrap();
    let agents =
        vec![Contestant::new("many", "mcts:nodes=150"), Contestant::new("few", "mcts:nodes=20")];
    let config = TournamentSpec {
        rounds: 100,
        opening_plies: 3,
        sprt: Some("elo0=0,elo1=200".parse().unwrap()),
        ..TournamentSpec::new(vec!["connect4".to_owned()], agents)
    };
    let store = play(&serde_json::to_value(config).unwrap(), Some(&stores.0.join("duel.db")));
    let summary = Summary::of(&store).unwrap();
    let record = store.game(3).unwrap().unwrap();
    drop(store);
    let served = stores.serve();
    // The SPRT accepted a hypothesis before the last game, so the tournament is complete.
    assert!(summary.sprt.unwrap().accepted.is_some());
    let (_, list) = get(&served, "/api/tournaments");
    let duel = &list["tournaments"][0];
    assert!(duel["played"].as_u64() < duel["scheduled"].as_u64(), "{duel}");
    assert_eq!(duel["complete"], json!(true));
    let mut browser = Browser::start(1280, 900).unwrap();
    browser.visit(&format!("{}/#tournaments/duel", served.url)).unwrap();
    browser.wait_for("!!document.querySelector('#test polyline')").unwrap();
    let points = browser.eval("document.querySelector('#test polyline').points.length").unwrap();
    // One pair is too few for a ratio.
    assert_eq!(points, json!(summary.sprt.unwrap().pairs - 1));
    browser.wait_for("document.querySelectorAll('.games tbody tr').length > 3").unwrap();

    browser.visit(&format!("{}/#tournaments/duel/game/3/4", served.url)).unwrap();
    let last = record.moves.len();
    let at = |ply: usize| {
        format!(
            "document.querySelector('.replay-status')?.textContent.startsWith('{ply} of {last}: {}')",
            record.moves[ply - 1]
        )
    };
    browser.wait_for(&at(4)).unwrap();
    browser.press("ArrowRight").unwrap();
    browser.wait_for(&at(5)).unwrap();
    assert_eq!(browser.eval("location.hash").unwrap(), json!("#tournaments/duel/game/3/5"));
    browser.press("End").unwrap();
    browser.wait_for(&at(last)).unwrap();
    let thought =
        browser.eval("document.querySelectorAll('.replay-curve polyline').length").unwrap();
    assert_eq!(thought, json!(2));
    // The graph is a slider: a key makes one step, and its text names the player and the value.
    browser.eval("document.querySelector('.graph').focus()").unwrap();
    browser.press("Home").unwrap();
    browser.press("PageDown").unwrap();
    browser.press("ArrowLeft").unwrap();
    browser.wait_for(&at(last - 1)).unwrap();
    let note = &record.notes[last - 1];
    let words = browser.eval("document.querySelector('.graph').getAttribute('aria-valuetext')");
    let words = words.unwrap();
    let words = words.as_str().unwrap();
    let seat = note.seat.unwrap();
    let sign = if seat == 0 { 1.0 } else { -1.0 };
    let value = format!("{:.2}", (sign * note.value.unwrap()).abs());
    let who = ["many", "few"][record.seats[seat]];
    assert!(words.contains(who) && words.ends_with(&value), "{words}: {who} {value}");
    assert_eq!(browser.eval("document.title").unwrap(), json!("Game 3 · duel · Tussle"));
    // The page of a missing game links to other games.
    browser.visit(&format!("{}/#tournaments/duel/game/9999", served.url)).unwrap();
    browser
        .wait_for("!!document.querySelector('main a[href=\"#tournaments/duel/game/0\"]')")
        .unwrap();
    let complaints: Vec<&String> =
        browser.complaints().iter().filter(|text| !text.contains("404")).collect();
    assert!(complaints.is_empty(), "{complaints:?}");
}

/// Compares a store that is complete although games of a withdrawn agent are missing with one that is not complete.
#[test]
fn withdrawn_agents_are_last_and_their_missing_games_cannot_be_resumed() {
    let stores = Stores::new("withdrawn");
    std::fs::create_dir_all(&stores.0).unwrap();
    let agent = |spec: &str| Contestant::new(spec, spec);
    // The first move of the second agent is illegal.
    let agents = ["random", "script:moves=nowhere", "greedy", "greedy-improved"].map(agent);
    let config = TournamentSpec {
        rounds: 2,
        opening_plies: 2,
        ..TournamentSpec::new(vec!["gobblet".to_owned()], agents.to_vec())
    };
    let config = serde_json::to_value(config).unwrap();
    let store = play(&config, Some(&stores.0.join("class.db")));
    let summary = Summary::of(&store).unwrap();
    drop(store);
    let part: TournamentSpec = serde_json::from_value(config).unwrap();
    let whole = Store::read(&stores.0.join("class.db")).unwrap();
    let mut half = Store::open_or_create(&stores.0.join("half.db"), &part).unwrap();
    let mut records = Vec::new();
    whole
        .for_each(|record| {
            records.push(record);
            Ok::<_, tussle_arena::StoreError>(())
        })
        .unwrap();
    half.offer(&records[..records.len() - 5]).unwrap();
    drop((whole, half));

    let served = stores.serve();
    let (_, list) = get(&served, "/api/tournaments");
    let complete = |name: &str| {
        let all = list["tournaments"].as_array().unwrap();
        all.iter().find(|one| one["name"] == name).unwrap()["complete"].clone()
    };
    assert_eq!((complete("class"), complete("half")), (json!(true), json!(false)));
    let (_, class) = get(&served, "/api/tournaments/class");
    assert_eq!((&class["state"]["complete"], &class["remaining"]), (&json!(true), &json!(0)));
    let (_, part) = get(&served, "/api/tournaments/half");
    assert_eq!((&part["state"]["complete"], &part["remaining"]), (&json!(false), &json!(5)));

    if !is_there() {
        return;
    }
    let mut browser = Browser::start(1280, 900).unwrap();
    browser.visit(&format!("{}/#tournaments/class", served.url)).unwrap();
    browser.wait_for("document.querySelectorAll('.standing tbody tr').length === 4").unwrap();
    let text = |browser: &mut Browser, what: &str| {
        let found = browser.eval(&format!("document.querySelector('{what}')?.innerText ?? ''"));
        found.unwrap().as_str().unwrap().to_owned()
    };
    let status = text(&mut browser, ".cup-status");
    assert!(status.contains(": complete; ") && status.contains("cancelled"), "{status}");
    let hidden =
        "[...document.querySelectorAll('button')].find(b => b.textContent === 'Resume').hidden";
    assert_eq!(browser.eval(hidden).unwrap(), json!(true));
    let last = text(&mut browser, ".standing tbody tr:last-child th");
    assert!(last.contains("nowhere") && last.contains("withdrawn"), "{last}");
    let first = text(&mut browser, ".standing tbody tr:first-child th");
    assert_eq!(first, summary.table[0].agent);
    assert!(text(&mut browser, ".conclusion").starts_with(&first));
    assert!(text(&mut browser, ".uncounted").contains("random"));
    assert!(!text(&mut browser, ".cross").contains("nowhere"));

    browser.visit(&format!("{}/#tournaments/half", served.url)).unwrap();
    browser
        .wait_for("document.querySelector('.cup-status')?.textContent.includes('can be resumed')")
        .unwrap();
    assert_eq!(browser.eval(hidden).unwrap(), json!(false));
}

#[test]
fn a_game_of_three_players_on_a_board_from_a_file_can_be_replayed() {
    if !is_there() {
        return;
    }
    let stores = Stores::new("three");
    std::fs::create_dir_all(&stores.0).unwrap();
    let board = stores.0.join("board.txt");
    std::fs::write(&board, "1...2\n.....\n..3..\n").unwrap();
    let agents = ["a", "b", "c"].map(|name| Contestant::new(name, "random")).to_vec();
    let config =
        TournamentSpec::new(vec![format!("keep-on-moving:file={}", board.display())], agents);
    let store = play(&serde_json::to_value(config).unwrap(), Some(&stores.0.join("three.db")));
    let record = store.game(1).unwrap().unwrap();
    drop(store);
    let served = stores.serve();
    let mut browser = Browser::start(360, 740).unwrap();
    browser.visit(&format!("{}/#tournaments/three/game/1/0", served.url)).unwrap();
    let last = record.moves.len();
    let mut boards = BTreeSet::new();
    for ply in 0..=last {
        let shown = format!(
            "document.querySelector('.replay-status')?.textContent.startsWith('{ply} of {last}: ')"
        );
        browser.wait_for(&shown).unwrap();
        let (_, told) = get(&served, &format!("/api/tournaments/three/games/1/position/{ply}"));
        assert_eq!(
            told["position"],
            json!(record.position(&tussle_catalog::Catalog::standard(), ply).unwrap().text())
        );
        let drawn = "document.querySelector('.replay-board svg').outerHTML";
        boards.insert(browser.eval(drawn).unwrap().to_string());
        browser.press("ArrowRight").unwrap();
    }
    assert_eq!(boards.len(), last + 1, "every move changes the drawing");
    let text = browser.eval("document.querySelector('.replay-status').textContent").unwrap();
    let text = text.as_str().unwrap();
    let ended = match record.winner() {
        Some(index) => format!("{} won", ["a", "b", "c"][index]),
        None => "a tie of ".to_owned(),
    };
    assert!(text.contains(&ended) && !text.contains("333"), "{text}");
    let links = "[...document.querySelectorAll('.replay-side a')].map(a => a.textContent).join()";
    let links = browser.eval(links).unwrap();
    assert!(!links.as_str().unwrap().contains("Play from here"), "{links}");
    let why = browser.eval("document.querySelector('.replay-side').textContent").unwrap();
    assert!(why.as_str().unwrap().contains("a file of the server"), "{why}");
    assert!(browser.complaints().is_empty(), "{:?}", browser.complaints());
}
