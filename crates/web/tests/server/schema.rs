//! Validation of values, for the part of JSON Schema that the OpenAPI document uses.

use serde_json::{Map, Value, json};

/// Returns the alternatives of a schema, with references resolved and `allOf` merged. A value must match one of them.
fn alternatives(document: &Value, schema: &Value) -> Vec<Value> {
    if let Some(path) = schema["$ref"].as_str() {
        let found = document.pointer(path.trim_start_matches('#'));
        return alternatives(document, found.unwrap_or_else(|| panic!("{path} leads nowhere")));
    }
    if let Some(any) = schema["anyOf"].as_array() {
        return any.iter().flat_map(|schema| alternatives(document, schema)).collect();
    }
    let mut own = schema.clone();
    let parts = own.as_object_mut().and_then(|own| own.remove("allOf"));
    let Some(parts) = parts else { return vec![own] };
    let parts = parts.as_array().into_iter().flatten();
    parts.fold(vec![own], |wholes, part| {
        let parts = alternatives(document, part);
        wholes.iter().flat_map(|whole| parts.iter().map(|part| joined(whole, part))).collect()
    })
}

/// Returns an object schema with the fields of both.
fn joined(a: &Value, b: &Value) -> Value {
    let fields = [a, b].into_iter().filter_map(|part| part["properties"].as_object());
    let fields: Map<String, Value> =
        fields.flatten().map(|(k, v)| (k.clone(), v.clone())).collect();
    let required = [a, b].into_iter().filter_map(|part| part["required"].as_array());
    let required: Vec<&Value> = required.flatten().collect();
    json!({ "type": "object", "properties": fields, "required": required })
}

/// Returns the errors of a value against its schema; with several alternatives, those against the best match.
pub(crate) fn faults(document: &Value, schema: &Value, value: &Value, at: &str) -> Vec<String> {
    assert!(schema.is_object(), "{at}: there is no schema");
    let all = alternatives(document, schema);
    let all = all.iter().map(|schema| faults_of_alternative(document, schema, value, at));
    all.min_by_key(Vec::len).unwrap_or_default()
}

fn faults_of_alternative(document: &Value, schema: &Value, value: &Value, at: &str) -> Vec<String> {
    if schema["enum"].as_array().is_some_and(|words| !words.contains(value)) {
        return vec![format!("{at}: expected one of {}, found {value}", schema["enum"])];
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
        return vec![format!("{at}: expected {kinds:?}, found {value}")];
    }
    match value {
        Value::Array(items) => {
            let each = items.iter().enumerate();
            each.flat_map(|(i, item)| {
                faults(document, &schema["items"], item, &format!("{at}[{i}]"))
            })
            .collect()
        }
        Value::Object(fields) => faults_of_fields(document, schema, fields, at),
        _ => Vec::new(),
    }
}

fn faults_of_fields(
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
fn values_that_do_not_match_their_schema_are_reported() {
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
