//! Values and their schemas; as much of JSON Schema as the document uses.

use serde_json::{Map, Value, json};

/// What a reference stands for, with all that it is made of.
fn whole(document: &Value, schema: &Value) -> Value {
    if let Some(path) = schema["$ref"].as_str() {
        let found = document.pointer(path.trim_start_matches('#'));
        return whole(document, found.unwrap_or_else(|| panic!("{path} leads nowhere")));
    }
    let mut schema = schema.clone();
    let parts = schema["allOf"].take();
    for part in parts.as_array().into_iter().flatten() {
        let part = whole(document, part);
        let own = schema["properties"].as_object().cloned().unwrap_or_default();
        let mut all = part["properties"].as_object().cloned().unwrap_or_default();
        all.extend(own);
        schema["properties"] = Value::Object(all);
        let required = [&schema["required"], &part["required"]].map(Value::as_array);
        schema["required"] = json!(required.into_iter().flatten().flatten().collect::<Vec<_>>());
        schema["type"] = json!("object");
    }
    schema
}

/// What is wrong with a value by its schema.
pub(crate) fn faults(document: &Value, schema: &Value, value: &Value, at: &str) -> Vec<String> {
    assert!(schema.is_object(), "{at}: there is no schema");
    let schema = whole(document, schema);
    if let Some(any) = schema["anyOf"].as_array() {
        // Of those that do not fit, the one that fits best.
        let all = any.iter().map(|schema| faults(document, schema, value, at));
        return all.min_by_key(Vec::len).unwrap_or_default();
    }
    if schema["enum"].as_array().is_some_and(|words| !words.contains(value)) {
        return vec![format!("{at}: {value} is none of {}", schema["enum"])];
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => panic!("{at}: the document has no type"),
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
    if !kinds.iter().any(fits) {
        return vec![format!("{at}: {value} is no {kinds:?}")];
    }
    match value {
        Value::Array(items) => {
            let each = items.iter().enumerate();
            each.flat_map(|(i, item)| {
                faults(document, &schema["items"], item, &format!("{at}[{i}]"))
            })
            .collect()
        }
        Value::Object(fields) => of_fields(document, &schema, fields, at),
        _ => Vec::new(),
    }
}

fn of_fields(
    document: &Value,
    schema: &Value,
    fields: &Map<String, Value>,
    at: &str,
) -> Vec<String> {
    let known = &schema["properties"];
    let other = &schema["additionalProperties"];
    if known.is_null() && other.is_null() {
        return Vec::new(); // any object
    }
    let mut found = Vec::new();
    for key in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !fields.contains_key(key) {
            found.push(format!("{at}: {key} is missing"));
        }
    }
    for (key, value) in fields {
        match known.get(key).or(Some(other).filter(|other| other.is_object())) {
            Some(schema) => found.extend(faults(document, schema, value, &format!("{at}.{key}"))),
            None => found.push(format!("{at}: {key} is not documented")),
        }
    }
    found
}

#[test]
fn what_does_not_fit_is_found() {
    let document = json!({ "a": { "type": "object", "properties": { "n": { "type": "integer" } }, "required": ["n"] } });
    let schema = json!({
        "allOf": [{ "$ref": "#/a" }],
        "properties": { "m": { "type": "array", "items": { "anyOf": [{ "type": "null" }, { "type": "string" }] } } },
    });
    let wrong = |value: Value| faults(&document, &schema, &value, "").len();
    assert_eq!(wrong(json!({ "n": 1, "m": [null, "x"] })), 0);
    assert_eq!(wrong(json!({ "n": 1.5 })), 1);
    assert_eq!(wrong(json!({ "m": [] })), 1);
    assert_eq!(wrong(json!({ "n": 1, "m": [7, "x", 8] })), 2);
    assert_eq!(wrong(json!({ "n": 1, "o": 1 })), 1);
    assert_eq!(wrong(json!([])), 1);
    let counts = json!({ "type": "object", "additionalProperties": { "type": "integer" } });
    assert_eq!(faults(&document, &counts, &json!({ "x": 1, "y": "1" }), "").len(), 1);
}
