//! The document that describes the API, taken at its word.

use serde_json::{Value, json};
use tussle_web::Limits;

use crate::client::Served;

/// What is wrong with a value by its schema; as much of JSON Schema as the document uses.
fn faults(document: &Value, schema: &Value, value: &Value, at: &str) -> Vec<String> {
    if let Some(path) = schema["$ref"].as_str() {
        let schema =
            document.pointer(path.trim_start_matches('#')).expect("the reference leads somewhere");
        return faults(document, schema, value, at);
    }
    if let Some(any) = schema["anyOf"].as_array() {
        let mut all = any.iter().map(|schema| faults(document, schema, value, at));
        return all
            .find(Vec::is_empty)
            .map_or_else(|| vec![format!("{at}: fits nothing")], |_| Vec::new());
    }
    if schema.get("const").is_some_and(|fixed| fixed != value) {
        return vec![format!("{at}: {value} is not {}", schema["const"])];
    }
    if schema["enum"].as_array().is_some_and(|words| !words.contains(value)) {
        return vec![format!("{at}: {value} is none of {}", schema["enum"])];
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let fits = |kind: &&str| match *kind {
        "null" => value.is_null(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{at}: the document has an unknown type {other}"),
    };
    if !kinds.is_empty() && !kinds.iter().any(fits) {
        return vec![format!("{at}: {value} is no {kinds:?}")];
    }
    let mut found = Vec::new();
    if let (Some(items), Some(schema)) = (value.as_array(), schema.get("items")) {
        for (i, item) in items.iter().enumerate() {
            found.extend(faults(document, schema, item, &format!("{at}[{i}]")));
        }
    }
    if let (Some(fields), Some(known)) = (value.as_object(), schema["properties"].as_object()) {
        for key in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if !fields.contains_key(key) {
                found.push(format!("{at}: {key} is missing"));
            }
        }
        for (key, value) in fields {
            match known.get(key) {
                Some(schema) => {
                    found.extend(faults(document, schema, value, &format!("{at}.{key}")));
                }
                None => found.push(format!("{at}: {key} is not documented")),
            }
        }
    }
    found
}

#[test]
fn every_example_is_answered_as_documented() {
    let served = Served::new(Limits::default());
    let (_, document) = served.ask("get", "/api/openapi.json", None);
    assert_eq!(document["openapi"], "3.1.0");
    let mut walked = 0;
    for (path, ways) in document["paths"].as_object().unwrap() {
        for (way, operation) in ways.as_object().unwrap() {
            if path == "/live" {
                continue;
            }
            let body = &operation["requestBody"]["content"]["application/json"];
            let example = body.get("example");
            assert_eq!(example.is_some(), way == "post", "{way} {path} has an example");
            if let Some(example) = example {
                assert_eq!(faults(&document, &body["schema"], example, path), [""; 0]);
            }
            let (status, told) = served.ask(way, path, example);
            assert_eq!(status, 200, "{way} {path}: {told}");
            let schema = &operation["responses"]["200"]["content"]["application/json"]["schema"];
            assert_eq!(faults(&document, schema, &told, path), [""; 0], "{way} {path}");
            walked += 1;
        }
    }
    assert!(walked >= 7);
}

#[test]
fn the_document_knows_every_kind_of_answer() {
    let served = Served::new(Limits::default());
    let (_, document) = served.ask("get", "/api/openapi.json", None);
    let check = |path: &str, body: Value, wanted: u16| {
        let (status, told) = served.ask("post", path, Some(&body));
        assert_eq!(status, wanted, "{path} {body}: {told}");
        let answers = &document["paths"][path]["post"]["responses"];
        let kind = if status == 200 { "200" } else { "default" };
        let schema = &answers[kind]["content"]["application/json"]["schema"];
        assert_eq!(faults(&document, schema, &told, path), [""; 0], "{body}");
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
}

#[test]
fn a_socket_speaks_as_documented() {
    let served = Served::new(Limits::default());
    let (_, document) = served.ask("get", "/api/openapi.json", None);
    let socket = &document["x-websocket"];
    for (name, ask) in socket["ask"].as_object().unwrap() {
        assert_eq!(faults(&document, &ask["schema"], &ask["example"], name), [""; 0]);
    }
    let mut page = served.page();
    page.say(&socket["ask"]["search"]["example"].to_string());
    page.say("{}");
    let (mut done, mut refused) = (false, false);
    while !(done && refused) {
        let told = page.hear().unwrap();
        let event = told["event"].as_str().unwrap();
        assert_eq!(faults(&document, &socket["hear"][event]["schema"], &told, event), [""; 0]);
        done |= event == "done";
        refused |= event == "error";
    }
}
