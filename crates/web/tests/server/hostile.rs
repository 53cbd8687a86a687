//! Hostile clients: invalid, large and endless requests.

use std::io::{Read as _, Write as _};
use std::process::Command;
use std::time::Duration;

use serde_json::json;
use tungstenite::{Bytes, Error, Message};
use tussle_arena::{Contestant, Record, Store, TournamentSpec};
use tussle_web::ServerLimits;

use crate::client::{TestServer, answer};

#[test]
fn invalid_messages_are_answered_and_keep_the_socket_open() {
    let served = TestServer::new(ServerLimits::default());
    let mut page = served.page();
    let deep = "[".repeat(100_000);
    let long = format!(r#"{{"id":5,"op":"{}"}}"#, "x".repeat(200_000));
    for (text, id) in [
        ("", 0),
        ("{", 0),
        ("[]", 0),
        ("null", 0),
        (r#"{"op":"stop"}"#, 0),
        (r#"{"id":-1,"op":"stop"}"#, 0),
        (r#"{"id":"7","op":"stop"}"#, 0),
        (r#"{"id":5}"#, 5),
        (r#"{"id":5,"op":"dance"}"#, 5),
        (r#"{"id":5,"op":["search"]}"#, 5),
        (r#"{"id":5,"op":"search"}"#, 5),
        (r#"{"id":5,"op":"search","place":7,"agent":"mcts"}"#, 5),
        (r#"{"id":5,"op":"search","place":{"game":"go"},"agent":"mcts","nodes":-1}"#, 5),
        (r#"{"id":5,"op":"search","place":{"game":"go"},"agent":"mcts","seed":1e99}"#, 5),
        (r#"{"id":5,"op":"search","place":{"game":"go"},"agent":"mcts","extra":1}"#, 5),
        (&deep, 0),
        (&long, 5),
    ] {
        page.say(text);
        let told = page.hear().unwrap();
        assert_eq!((&told["id"], &told["event"]), (&json!(id), &json!("error")), "{told}");
        assert!(told.to_string().len() < 10_000, "the answer does not repeat the message");
    }
    page.socket.send(Message::Binary(Bytes::from_static(&[0, 159, 146, 150]))).unwrap();
    assert_eq!(page.hear().unwrap()["event"], "error");
    for (place, agent, why) in [
        (json!({ "game": "chess" }), "mcts", "unknown game"),
        (json!({ "game": "go:size=99" }), "mcts", "size=99"),
        (json!({ "game": "go", "moves": ["Z9"] }), "mcts", "move 1"),
        (json!({ "game": "go", "start": "?" }), "mcts", ""),
        (json!({ "game": "go" }), "oracle", "unknown agent"),
        (json!({ "game": "go" }), "human", "human player"),
        (json!({ "game": "go" }), "mcts:threads=200", "threads=200"),
        (json!({ "game": "go" }), "mcts:book=/etc/passwd", "may not open files"),
        (json!({ "game": "tree:file=/etc/passwd" }), "mcts", "may not open files"),
        (json!({ "game": "keep-on-moving:file=/etc/passwd" }), "mcts", "may not open files"),
        (json!({ "game": "go" }), "ugi:touch /tmp/started", "may not start programs"),
        (json!({ "game": "go" }), " gtp : sh", "may not start programs"),
        (json!({ "game": "go" }), "json:sh", "may not start programs"),
    ] {
        page.say(&json!({ "id": 6, "op": "search", "place": place, "agent": agent }).to_string());
        let error = page.wait_for(6, "error")["error"].to_string();
        assert!(error.contains(why), "{agent}: {error}");
    }
    page.request_short_search(7);
    page.wait_for(7, "done");
}

#[test]
fn broken_frames_end_only_their_own_socket() {
    let served = TestServer::new(ServerLimits::default());
    let mut witness = served.page();
    let long_ping = [&[0x89, 0xfe, 1, 0, 0, 0, 0, 0], [0; 256].as_slice()].concat();
    let frames: [&[u8]; 6] = [
        &[0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe], // invalid UTF-8
        &[0x81, 0x02, b'h', b'i'],             // not masked
        &[0xf1, 0x80, 0, 0, 0, 0],             // reserved bits
        &[0x80, 0x80, 0, 0, 0, 0],             // continuation without a start
        &[0x81, 0xff, 0, 0, 0, 1, 0, 0, 0, 0, 1, 2, 3, 4], // announces four gigabytes
        &long_ping,
    ];
    for frame in frames {
        let mut page = served.page();
        page.socket.get_mut().write_all(frame).unwrap();
        assert_eq!(page.hear(), None, "{frame:?}");
    }
    let mut page = served.page();
    let _ = page.socket.send(Message::text("x".repeat(300 << 10))); // more than the maximum size of a message
    assert_eq!(page.hear(), None);
    let mut page = served.page();
    page.socket.get_mut().write_all(&[0x81, 0x90, 0, 0, 0, 0, b'{']).unwrap(); // an incomplete message
    drop(page);
    witness.request_short_search(1);
    witness.wait_for(1, "done");
}

#[test]
fn exceeding_the_message_rate_closes_the_socket() {
    let served = TestServer::new(ServerLimits { rate: 5, ..ServerLimits::default() });
    let mut page = served.page();
    let mut refused = None;
    for _ in 0..1000 {
        if page.socket.send(Message::Ping(Bytes::new())).is_err() {
            break;
        }
    }
    while refused.is_none() {
        match page.socket.read() {
            Ok(Message::Close(frame)) => refused = Some(frame.map(|frame| u16::from(frame.code))),
            Ok(_) => {}
            Err(Error::ConnectionClosed | Error::AlreadyClosed | Error::Io(_)) => break,
            Err(error) => panic!("{error}"),
        }
    }
    // The close frame may be lost while this client is still sending.
    assert!(matches!(refused, None | Some(Some(1008))), "{refused:?}");
    assert_eq!(page.hear(), None);
}

#[test]
fn pages_beyond_the_session_limit_are_rejected() {
    let served = TestServer::new(ServerLimits { sessions: 2, ..ServerLimits::default() });
    let host = served.address.to_string();
    let (first, _second) = (served.page(), served.page());
    assert_eq!(served.open_socket(&[("host", &host)]).err(), Some(503));
    drop(first);
    while served.open_socket(&[("host", &host)]).is_err() {} // until the server notices that the page is gone
}

#[test]
fn incomplete_requests_time_out() {
    let patience = Duration::from_millis(200);
    let served =
        TestServer::new(ServerLimits { patience, connections: 2, ..ServerLimits::default() });
    let host = served.address;
    let halves = ["", "GET / HTTP/1.1\r\nhos"];
    let mut slow: Vec<_> = halves.map(|half| (served.connect(), half)).into();
    for (stream, half) in &mut slow {
        stream.write_all(half.as_bytes()).unwrap();
    }
    // Both connections are taken; this one waits until they time out.
    assert_eq!(served.ask("get", "/api/trees", None).0, 200);
    for (mut stream, half) in slow {
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest); // the connection has ended
        assert!(!String::from_utf8_lossy(&rest).contains("200 OK"), "{half}");
    }
    let head = format!(
        "POST /api/position HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: 100\r\n\r\n{{"
    );
    let mut stream = served.connect();
    stream.write_all(head.as_bytes()).unwrap();
    assert_eq!(answer(&mut stream).0, 408);
}

#[test]
fn a_page_that_does_not_read_is_disconnected_without_delaying_other_pages() {
    let limits = ServerLimits {
        rate: u32::MAX,
        patience: Duration::from_millis(200),
        ..ServerLimits::default()
    };
    let served = TestServer::new(limits);
    let mut deaf = served.page();
    let message = format!(r#"{{"id":1,"op":"{}"}}"#, "x".repeat(4000));
    let mut witness = served.page();
    let mut said = 0_u64;
    while deaf.socket.send(Message::text(&message)).is_ok() {
        said += 1;
        if said.is_multiple_of(5000) {
            witness.request_short_search(said);
            witness.wait_for(said, "done");
        }
    }
    witness.request_short_search(0);
    witness.wait_for(0, "done");
}

#[test]
fn large_requests_are_answered_or_rejected() {
    let served = TestServer::new(ServerLimits::default());
    let ask = |place| served.ask("post", "/api/position", Some(&place));
    assert_eq!(ask(json!({ "game": "go:size=19" })).0, 200);
    let (status, told) = ask(json!({ "game": "go", "moves": vec!["pass"; 100_000] }));
    assert_eq!((status, told["error"].as_str().unwrap().contains("at most 256 KB")), (413, true));
    // Pieces move back and forth until the game has a winner.
    let fro = vec!["s1-a1"; 20_000];
    assert_eq!(ask(json!({ "game": "gobblet", "moves": &fro[..10_000] })).0, 400);
    assert_eq!(ask(json!({ "game": "gobblet", "moves": fro })).0, 422);
    let leaf = r#"{"value":1}"#;
    let wide = format!(r#"{{"max":[{}]}}"#, vec![leaf; 20_000].join(","));
    assert!(ask(json!({ "game": "tree", "text": wide })).0 < 500);
    let deep = format!("{}{leaf}{}", r#"{"max":["#.repeat(20_000), "]}".repeat(20_000));
    assert_eq!(ask(json!({ "game": "tree", "text": deep })).0, 400);
    let board = "#".repeat(200_000);
    assert_eq!(ask(json!({ "game": "keep-on-moving", "text": board })).0, 400);
    let typed = served.raw(&served.request("post", "/api/position", Some(&json!(7))));
    assert!(typed.0 >= 400 && typed.1.contains("error"), "{typed:?}");
    assert_eq!(served.ask("get", "/api/position", None).0, 405);
    assert_eq!(served.ask("get", "/etc/passwd", None).0, 404);
    assert_eq!(served.ask("get", "/assets/..%2f..%2fCargo.toml", None).0, 404);
}

#[test]
fn an_agent_cannot_exceed_the_memory_limit() {
    let limits = ServerLimits { memory: 1 << 20, ..ServerLimits::default() };
    let served = TestServer::new(limits);
    for agent in ["mcts:memory=100GB", "mcts:memory=100GB,reuse=on,table=on", "alphabeta:tt=65536"]
    {
        let wish = json!({ "place": { "game": "connect4" }, "agent": agent, "time_ms": 300 });
        let (status, told) = served.ask("post", "/api/analyse", Some(&wish));
        assert_eq!(status, 200, "{agent}: {told}");
        assert!(told["stats"]["bytes"].as_u64().unwrap() <= 1 << 20, "{agent}: {told}");
    }
}

/// Returns a tree in which every node but the last has one child.
fn chain(levels: usize) -> String {
    let nodes = (1..levels).map(|i| format!(r#""{i}":{{"max":["{}"]}}"#, i + 1));
    let nodes: Vec<String> = nodes.chain([format!(r#""{levels}":1"#)]).collect();
    format!(r#"{{"root":"1","nodes":{{{}}}}}"#, nodes.join(","))
}

#[test]
fn trees_of_more_than_200_levels_are_rejected() {
    let served = TestServer::new(ServerLimits::default());
    let mut page = served.page();
    let places = [200, 201, 8300].map(|levels| json!({ "game": "tree", "text": chain(levels) }));
    let path: Vec<String> = (2..=199).map(|i| i.to_string()).collect();
    for (place, fine) in places.iter().zip([true, false, false]) {
        let status = if fine { 200 } else { 400 };
        assert_eq!(served.ask("post", "/api/position", Some(place)).0, status);
        for agent in ["expectimax", "alphabeta:deepen=off", "mcts"] {
            let wish = json!({ "place": place, "agent": agent, "depth": 900 });
            for way in ["/api/explain", "/api/analyse"] {
                let (told, answer) = served.ask("post", way, Some(&wish));
                assert_eq!(told, status, "{way} {agent}: {answer}");
            }
        }
        let ask = json!({
            "id": 1, "op": "tree", "place": place, "agent": "mcts", "simulations": 1000,
            "open": [[], path],
        });
        page.say(&ask.to_string());
        page.wait_for(1, if fine { "done" } else { "error" });
    }
    for wish in [json!({ "depth": 9000 }), json!({ "agent": "minimax:depth=9000" })] {
        let mut wish = wish;
        wish["place"] = json!({ "game": "gobblet" });
        for way in ["/api/explain", "/api/analyse"] {
            let (status, told) = served.ask("post", way, Some(&wish));
            assert_eq!((status, told.to_string().contains("1000 plies")), (400, true), "{told}");
        }
    }
    let ask = json!({
        "id": 2, "op": "tree", "place": { "game": "go" }, "agent": "mcts", "simulations": 10,
        "open": [vec!["pass"; 3000]],
    });
    page.say(&ask.to_string());
    page.wait_for(2, "error");
}

#[test]
fn searches_may_reach_the_end_of_the_longest_games() {
    let served = TestServer::new(ServerLimits::default());
    for game in ["go:size=19", "gobblet", "pentago"] {
        let wish = json!({
            "place": { "game": game }, "agent": "alphabeta:deepen=off,tt=off", "depth": 1000, "time_ms": 500,
        });
        let (status, told) = served.ask("post", "/api/analyse", Some(&wish));
        assert_eq!(status, 200, "{game}: {told}");
    }
    for (game, agent) in [
        ("gobblet", "minimax"),
        ("go:size=19", "minimax"),
        ("gobblet", "alphabeta:deepen=off"),
        ("backgammon", "expectimax"),
        ("gobblet", "alphabeta:deepen=off,threads=2"),
        ("backgammon", "mcts"),
    ] {
        // No depth limit: the search goes to the end of the game.
        let place = json!({ "game": game, "moves": if game == "backgammon" { vec!["31"] } else { vec![] } });
        let wish = json!({ "place": place, "agent": agent, "time_ms": 300 });
        let (status, told) = served.ask("post", "/api/analyse", Some(&wish));
        assert_eq!(status, 200, "{game} {agent}: {told}");
    }
}

#[test]
fn a_too_large_explanation_is_cut_short_or_rejected() {
    let served = TestServer::new(ServerLimits::default());
    let wish = |agent: &str| json!({ "place": { "game": "go:size=19" }, "agent": agent, "nodes": 1_000_000 });
    let request = served.request("post", "/api/explain", Some(&wish("mcts")));
    let (status, text) = served.raw(&request);
    assert!(text.len() < 16 << 20, "{}", text.len());
    if status == 200 {
        assert!(text.contains(r#""cut_short":true"#));
    } else {
        assert!(text.contains("larger than 16 MB"), "{text}");
    }
    let (status, told) = served.ask("post", "/api/explain", Some(&wish("mcts:threads=256")));
    assert_eq!((status, told["error"].as_str().unwrap().contains("threads=256")), (400, true));
}

#[test]
fn requests_for_too_many_threads_are_rejected() {
    let served = TestServer::new(ServerLimits { searches: 4, jobs: 4, ..ServerLimits::default() });
    let mut page = served.page();
    let place = json!({ "game": "connect4", "moves": ["4", "4"] });
    let agent = "mcts:threads=256";
    for ask in [
        json!({ "op": "search", "place": place, "agent": agent }),
        json!({ "op": "review", "place": place, "agent": agent, "nodes": 10 }),
        json!({ "op": "tree", "place": place, "agent": agent, "simulations": 10, "open": [[]] }),
    ] {
        let mut ask = ask;
        ask["id"] = json!(1);
        page.say(&ask.to_string());
        let error = page.wait_for(1, "error");
        assert!(error["error"].as_str().unwrap().contains("threads=256"), "{error}");
    }
    let cup = |threads: u32, jobs: u32| {
        json!({
            "game": "tictactoe", "rounds": 1, "jobs": jobs,
            "agents": [format!("mcts:nodes=10,threads={threads}"), "random"],
        })
    };
    for (threads, jobs, status) in [(256, 1, 400), (2, 3, 503), (2, 2, 200)] {
        let (told, answer) = served.ask("post", "/api/tournaments", Some(&cup(threads, jobs)));
        assert_eq!(told, status, "{answer}");
    }
}

#[test]
fn the_size_of_a_pages_waiting_requests_is_limited() {
    let served = TestServer::new(ServerLimits { searches: 1, ..ServerLimits::default() });
    let mut page = served.page();
    page.start_long_search(1);
    let role = "x".repeat(250_000);
    for id in 2..=6 {
        let place = json!({ "game": "tictactoe" });
        let ask =
            json!({ "id": id, "op": "search", "place": place, "agent": "mcts", "role": role });
        page.say(&ask.to_string());
    }
    let error = page.wait_for(6, "error");
    assert!(error["error"].as_str().unwrap().contains("too many tasks"), "{error}");
}

#[test]
fn a_rejected_page_does_not_keep_its_connection() {
    let served = TestServer::new(ServerLimits { sessions: 1, ..ServerLimits::default() });
    let _page = served.page();
    let host = served.address;
    // The request does not ask to close the connection, but the server does.
    let open_socket = format!(
        "GET /live HTTP/1.1\r\nhost: {host}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    let (status, told) = served.raw(&open_socket);
    assert_eq!((status, told.contains("too many pages")), (503, true), "{told}");
    let (status, told) = served.ask("get", "/live", None);
    assert!(status >= 400 && told["error"].is_string(), "{told}");
}

#[test]
fn a_store_that_names_a_pipe_does_not_block_a_thread() {
    let served = TestServer::new(ServerLimits::default());
    std::fs::create_dir_all(&served.stores).unwrap();
    let pipe = served.stores.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let game = format!("tree:file={}", pipe.display());
    let agents = ["a", "b"].map(|name| Contestant::new(name, "random"));
    let config = TournamentSpec::new(vec![game.clone()], agents.to_vec());
    let mut store = Store::open_or_create(&served.stores.join("trap.db"), &config).unwrap();
    let record = Record { game, seats: vec![0, 1], utilities: vec![0.0; 2], ..Record::default() };
    store.offer(&[record]).unwrap();
    drop(store);
    for name in ["fifo.db", "trap.db-lock"] {
        let path = served.stores.join(name);
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    }
    for path in ["/api/tournaments", "/api/tournaments/trap", "/api/tournaments/trap/games"] {
        assert_eq!(served.ask("GET", path, None).0, 200, "{path}");
    }
    let (status, told) = served.ask("GET", "/api/tournaments/trap/games/0/position/0", None);
    assert!((400..500).contains(&status), "{status} {told}");
    assert!(told.to_string().contains("expected a regular file"), "{told}");
    assert!((400..500).contains(&served.ask("GET", "/api/tournaments/fifo", None).0));
}

#[test]
fn names_with_invisible_characters_are_rejected() {
    let served = TestServer::new(ServerLimits::default());
    let ask = |name: &str, agent: &str| {
        let agents = json!([{ "agent": "random", "name": agent }, "greedy"]);
        let wish = json!({ "name": name, "game": "tictactoe", "agents": agents, "rounds": 1 });
        served.ask("POST", "/api/tournaments", Some(&wish))
    };
    let long = "x".repeat(101);
    for name in ["a\nb", "\u{1b}[2J", "\u{202e}x", "a\u{2066}", "a\u{200b}", "\u{feff}", " ", &long]
    {
        let (status, told) = ask("cup", name);
        assert_eq!(status, 400, "{name:?}: {told}");
        assert!(told["error"].as_str().unwrap().contains("agent 1: the name"), "{told}");
    }
    for name in ["a\u{202e}b", "a\u{2028}b", "a\nb"] {
        assert_eq!(ask(name, "a").0, 400, "{name:?}");
    }
    let plies =
        json!({ "game": "go:size=9", "agents": ["random", "random"], "opening-plies": 201 });
    let (status, told) = served.ask("POST", "/api/tournaments", Some(&plies));
    assert!(status == 400 && told.to_string().contains("at most 200"), "{status} {told}");
}
