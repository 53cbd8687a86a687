//! Comparison of the OpenAPI document with the answers of the server.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use tussle_web::ServerLimits;

use crate::client::{Page, TestServer};
use crate::schema::faults;

/// Server with its OpenAPI document.
pub(crate) struct DocumentedServer {
    pub(crate) served: TestServer,
    document: Value,
}

impl DocumentedServer {
    pub(crate) fn new(limits: ServerLimits) -> Self {
        let served = TestServer::new(limits);
        let (_, document) = served.ask("get", "/api/openapi.json", None);
        Self { served, document }
    }

    fn resolve<'a>(&'a self, value: &'a Value) -> &'a Value {
        match value["$ref"].as_str() {
            Some(path) => self.document.pointer(path.trim_start_matches('#')).unwrap(),
            None => value,
        }
    }

    /// Returns the documented path that an address belongs to.
    fn route(&self, address: &str) -> &str {
        let address = address.split('?').next().unwrap_or(address);
        let fits = |path: &&String| {
            path.split('/').count() == address.split('/').count()
                && path
                    .split('/')
                    .zip(address.split('/'))
                    .all(|(a, b)| a == b || a.starts_with('{'))
        };
        self.document["paths"].as_object().unwrap().keys().find(fits).unwrap()
    }

    /// Sends a request, and checks its body and the answer against their schemas.
    pub(crate) fn check(
        &self,
        way: &str,
        address: &str,
        body: Option<&Value>,
        wanted: u16,
    ) -> Value {
        let operation = &self.document["paths"][self.route(address)][way];
        if let (Some(body), 200) = (body, wanted) {
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            assert_eq!(faults(&self.document, schema, body, address), [""; 0]);
        }
        let (status, told) = self.served.ask(way, address, body);
        assert_eq!(status, wanted, "{way} {address} {body:?}: {told}");
        let kind = if status == 200 { "200" } else { "default" };
        let answers = self.resolve(&operation["responses"][kind]);
        let schema = &answers["content"]["application/json"]["schema"];
        let wrong = faults(&self.document, schema, &told, address);
        assert_eq!(wrong, [""; 0], "{way} {address} {body:?}");
        told
    }

    /// Downloads a file and checks its content type.
    pub(crate) fn download(&self, address: &str) {
        let answers = &self.document["paths"][self.route(address)]["get"]["responses"];
        let (status, kind) = self.served.kind(address);
        let known = &self.resolve(&answers["200"])["content"];
        assert!(status == 200 && known.get(&kind).is_some(), "{address}: {status} {kind}");
    }

    pub(crate) fn example(&self, path: &str) -> &Value {
        &self.document["paths"][path]["post"]["requestBody"]["content"]["application/json"]["example"]
    }

    /// Receives the next message of a page and checks it against the schema of this op; returns the event and the message.
    pub(crate) fn hear(&self, page: &mut Page, op: &str) -> (String, Value) {
        let told = page.hear().expect("the socket is open");
        self.check_event(&told, op);
        (told["event"].as_str().unwrap().to_owned(), told)
    }

    fn check_event(&self, told: &Value, op: &str) {
        let socket = &self.document["x-websocket"];
        let event = told["event"].as_str().unwrap();
        let schema = socket["ask"][op]["hear"].get(event).unwrap_or(&socket["hear"][event]);
        let mut body = told.clone();
        body.as_object_mut().unwrap().retain(|key, _| key != "id" && key != "event");
        assert_eq!(faults(&self.document, schema, &body, op), [""; 0], "{op}: {event}");
    }

    /// Plays a tournament to its end; returns its name.
    pub(crate) fn play(&self, wish: &Value) -> String {
        let begun = self.check("post", "/api/tournaments", Some(wish), 200);
        let name = begun["name"].as_str().unwrap().to_owned();
        let mut page = self.served.page();
        page.say(&json!({ "id": 1, "op": "watch", "tournament": name }).to_string());
        loop {
            let (event, told) = self.hear(&mut page, "watch");
            assert_ne!(event, "error", "{told}");
            if event == "done" {
                assert!(told["error"].is_null(), "{told}");
                return name;
            }
        }
    }
}

#[test]
fn answers_to_all_examples_match_their_schemas() {
    let told = DocumentedServer::new(ServerLimits::default());
    assert_eq!(told.document["openapi"], "3.1.0");
    told.play(told.example("/api/tournaments"));
    let mut walked = BTreeSet::new();
    // Resume the tournament last: afterwards, the answer to a stop would depend on the time.
    let mut paths: Vec<_> = told.document["paths"].as_object().unwrap().iter().collect();
    paths.sort_by_key(|(path, _)| path.ends_with("/resume"));
    for (path, ways) in paths {
        let parameters = |place: &'static str| {
            let all = ways.as_object().unwrap().values();
            let all = all.filter_map(|operation| operation["parameters"].as_array()).flatten();
            all.filter(move |parameter| parameter["in"] == place)
        };
        let address = parameters("path").fold(path.clone(), |address, parameter| {
            let wrong = faults(&told.document, &parameter["schema"], &parameter["example"], path);
            assert_eq!(wrong, [""; 0]);
            let example = &parameter["example"];
            let example = example.as_str().map_or_else(|| example.to_string(), str::to_owned);
            address.replace(&format!("{{{}}}", parameter["name"].as_str().unwrap()), &example)
        });
        assert!(!address.contains('{'), "{address}: a parameter has no example");
        for way in ["get", "post"] {
            let Some(operation) = ways.get(way).filter(|_| path != "/live") else { continue };
            let example = operation["requestBody"]["content"]["application/json"].get("example");
            assert_eq!(example.is_some(), operation.get("requestBody").is_some(), "{path}");
            if path.contains("/export/") {
                told.download(&address);
            } else if (way, path.as_str()) == ("post", "/api/tournaments") {
                // Played above.
            } else if path.ends_with("/stop") {
                told.check(way, &address, None, 409); // the tournament has ended
            } else {
                told.check(way, &address, example, 200);
            }
            let queries: Vec<String> = parameters("query")
                .map(|query| format!("{}={}", query["name"], query["example"]).replace('"', ""))
                .collect();
            if !queries.is_empty() {
                let picked =
                    told.check(way, &format!("{address}?{}", queries.join("&")), None, 200);
                assert!(picked["total"].as_u64() > Some(0), "{picked}");
            }
            assert!(walked.insert(operation["operationId"].as_str().unwrap()), "{path}");
        }
    }
    assert!(walked.len() >= 18, "{walked:?}");
}

#[test]
fn all_kinds_of_answers_match_their_schemas() {
    let told = DocumentedServer::new(ServerLimits::default());
    let check = |path: &str, body: Value, wanted: u16| {
        told.check("post", path, Some(&body), wanted);
    };
    let over = json!(["a1", "a2", "b1", "b2", "c1"]);
    for game in ["connect4", "gobblet", "keep-on-moving:board=1", "pentago", "backgammon", "go"] {
        check("/api/position", json!({ "game": game }), 200);
    }
    check("/api/position", json!({ "game": "tree:file=lecture-alphabeta" }), 200);
    check("/api/position", json!({ "game": "tictactoe", "moves": over }), 200);
    check("/api/position", json!({ "game": "tictactoe", "moves": ["z9"] }), 400);
    check("/api/position", json!({ "gmae": "tictactoe" }), 422);
    check("/api/roll", json!({ "place": { "game": "go" }, "seed": 1 }), 400);
    check("/api/analyse", json!({ "place": { "game": "tictactoe", "moves": over } }), 200);
    check("/api/analyse", json!({ "place": { "game": "tictactoe" } }), 200);
    check("/api/analyse", json!({ "place": { "game": "backgammon" } }), 400);
    check("/api/analyse", json!({ "place": { "game": "go" }, "agent": "gtp:gnugo" }), 403);
    for agent in ["random", "greedy", "minimax", "maxn", "paranoid", "expectimax"] {
        let wish =
            json!({ "place": { "game": "tictactoe" }, "agent": agent, "depth": 2, "lines": 3 });
        check("/api/analyse", wish, 200);
    }
    let explain = |game: &str, agent: Value, nodes: u64, wanted| {
        let wish = json!({ "place": { "game": game }, "agent": agent, "nodes": nodes });
        check("/api/explain", wish, wanted);
    };
    explain("tree:file=ucb1-exercise", Value::Null, 10, 200);
    explain("tree:file=lecture-mcts", json!("mcts"), 10, 200);
    explain("tree:file=star1", Value::Null, 10, 200);
    explain("tree:file=kplayer", json!("maxn"), 50, 200);
    explain("tictactoe", json!("minimax"), 50, 200);
    explain("backgammon", Value::Null, 10, 400);
    explain("tree:file=/etc/passwd", Value::Null, 10, 403);
    explain("tictactoe", json!("gtp:gnugo"), 10, 403);
    check("/api/explain", json!({ "palce": {} }), 422);
}

#[test]
fn an_error_about_a_body_names_the_path_of_the_wrong_field() {
    let told = DocumentedServer::new(ServerLimits::default());
    let body = json!({ "place": { "game": "go", "moves": ["C3", 4] }, "seed": 1 });
    let refused = told.check("post", "/api/roll", Some(&body), 422);
    let error = refused["error"].as_str().unwrap();
    assert!(error.contains("place.moves[1]: invalid type: integer `4`"), "{error}");
}

#[test]
fn answers_with_a_move_contain_the_position_after_it() {
    let told = DocumentedServer::new(ServerLimits::default());
    let position = |place: Value| told.check("post", "/api/position", Some(&place), 200);
    let place = json!({ "game": "backgammon" });
    let body = json!({ "place": place, "seed": 3 });
    let roll = told.check("post", "/api/roll", Some(&body), 200);
    assert_eq!(roll["after"], position(json!({ "game": "backgammon", "moves": [roll["move"]] })));

    let mut page = told.served.page();
    let place = json!({ "game": "connect4", "moves": ["4"] });
    let ask = json!({ "id": 1, "op": "search", "place": place, "agent": "greedy", "play": true });
    page.say(&ask.to_string());
    let done = page.wait_for(1, "done");
    let moves = json!(["4", done["report"]["best"]]);
    assert_eq!(done["after"], position(json!({ "game": "connect4", "moves": moves })));
    // Without `play` in the request, the answer does not have it.
    let ask = json!({ "id": 2, "op": "search", "place": place, "agent": "greedy" });
    page.say(&ask.to_string());
    assert_eq!(page.wait_for(2, "done").get("after"), None);
}

#[test]
fn messages_of_the_socket_match_their_schemas() {
    let told = DocumentedServer::new(ServerLimits { searches: 1, ..ServerLimits::default() });
    let ask = told.document["x-websocket"]["ask"].as_object().unwrap();
    let mut ops = BTreeMap::new();
    for (op, asked) in ask {
        let mut body = asked["example"].clone();
        body.as_object_mut().unwrap().retain(|key, _| key != "id" && key != "op");
        assert_eq!(asked["example"]["op"], **op);
        assert_eq!(faults(&told.document, &asked["schema"], &body, op), [""; 0]);
        if op != "stop" {
            let id = asked["example"]["id"].as_u64().unwrap();
            assert_eq!(ops.insert(id, op.as_str()), None, "{op} has an id of its own");
        }
    }
    let mut heard = BTreeSet::new();
    let mut page = told.served.page();
    let mut hear = |page: &mut Page, last: (&str, &str)| loop {
        let news = page.hear().expect("the socket is open");
        // The answer to an invalid message belongs to no task; any op documents it.
        let op = ops.get(&news["id"].as_u64().unwrap()).copied().unwrap_or("stop");
        told.check_event(&news, op);
        let event = news["event"].as_str().unwrap().to_owned();
        heard.insert((op, event.clone()));
        if (op, event.as_str()) == last {
            break;
        }
        assert!(event != "error" && (op != last.0 || event != "done"), "{news}");
    };
    let say = |page: &mut Page, op: &str| page.say(&ask[op]["example"].to_string());
    page.say("{}");
    hear(&mut page, ("stop", "error"));
    for op in ["search", "tree", "review"] {
        let mut busy = told.served.page();
        busy.start_long_search(1);
        say(&mut page, op);
        hear(&mut page, (op, "queued"));
        drop(busy);
        hear(&mut page, (op, "done"));
    }
    // A tree that takes long enough to report progress.
    let mut tree = ask["tree"]["example"].clone();
    (tree["place"], tree["simulations"], tree["open"]) =
        (json!({ "game": "go:size=19" }), json!(100_000), json!([[]]));
    page.say(&tree.to_string());
    hear(&mut page, ("tree", "progress"));
    page.say(&json!({ "id": tree["id"], "op": "stop" }).to_string());
    hear(&mut page, ("tree", "done"));
    say(&mut page, "heat");
    hear(&mut page, ("heat", "done"));
    let cup = json!({ "name": "cup", "game": "tictactoe", "agents": ["random", "random"], "rounds": 100_000 });
    told.check("post", "/api/tournaments", Some(&cup), 200);
    say(&mut page, "watch");
    hear(&mut page, ("watch", "progress"));
    told.check("post", "/api/tournaments/cup/stop", None, 200);
    hear(&mut page, ("watch", "done"));
    for (op, asked) in ask {
        for event in asked["hear"].as_object().unwrap().keys() {
            assert!(heard.contains(&(op.as_str(), event.clone())), "{op} never said {event}");
        }
    }
}
