//! The document that describes the API, made from the routes and from the types of requests and answers.

mod mirror;
mod socket;

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use serde_json::{Value, json};
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::refusal::RefusalBody;
use crate::server::Shared;
use crate::{api, live};

pub(crate) use mirror::{
    Agent, FileForm, Game, OutcomeName, Running, TournamentRequest, VerdictName,
};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Tussle",
        version = "1",
        license(name = "MIT OR Apache-2.0"),
        description = "The web board's questions. Every body is JSON, also refusals: 400 and 422 for what is wrong, 403 for \
                       what the server may not do (programs, files), 404 for what is not there, 409 for what does not go \
                       together, 503 if too much is asked for. Fields that are not named here are refused. Requests must \
                       call the server by an address of its own, `localhost` or a name given with --host, and must not \
                       come from pages of other sites. docs/how-to/web/server.md has examples."
    ),
    components(schemas(RefusalBody), schemas(
        FileForm,
        OutcomeName,
        live::heat::Change,
        live::heat::HeatDrawing,
        live::review::Review,
        live::review::ReviewAnswer,
        tussle_explain::ReviewNews,
        live::search::Search,
        live::search::SearchNews<'static>,
        live::tree::Explore,
        live::tree::OpenTree<'static>,
        live::tree::TreeProgress,
        live::watch::Progress,
        live::watch::Watch,
        live::Failure,
        live::QueueNotice,
    ))
)]
struct Document;

/// Returns the routes that the document describes, and what their types say of them.
pub(crate) fn routes() -> (Router<Arc<Shared>>, utoipa::openapi::OpenApi) {
    OpenApiRouter::with_openapi(Document::openapi())
        .nest("/api", api::routes())
        .routes(routes!(live::connect))
        .split_for_parts()
}

/// This document
#[utoipa::path(
    get,
    path = "/openapi.json",
    responses((status = 200, description = "The answer.", body = Object)),
)]
pub(crate) async fn openapi() -> impl IntoResponse {
    static TEXT: LazyLock<String> = LazyLock::new(|| document().to_string());
    ([(CONTENT_TYPE, "application/json")], TEXT.as_str())
}

/// Schemas of which any field may be absent, beside those that serde leaves out: they are parts of other schemas, and
/// absent as a whole.
const OPTIONAL: &[&str] = &["SelectionTerms"];

fn document() -> Value {
    let mut document = json!(routes().1);
    document["x-websocket"] = socket::messages();
    for operation in operations(&mut document) {
        operation["responses"]["default"] = json!({ "$ref": "#/components/responses/Refusal" });
    }
    document["components"]["responses"] = json!({
        "Refusal": {
            "description": "Refused; `error` says why, for people.",
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Refusal" } } },
        },
    });
    allow_several(&mut document);
    let requests = schemas_of_requests(&document);
    let schemas = document["components"]["schemas"].as_object_mut();
    for (name, schema) in schemas.into_iter().flatten() {
        if !requests.contains(name) && !OPTIONAL.contains(&name.as_str()) {
            require_nullable(schema);
        }
    }
    document
}

fn operations(document: &mut Value) -> impl Iterator<Item = &mut Value> {
    let paths = document["paths"].as_object_mut().into_iter().flatten();
    paths.flat_map(|(_, ways)| ways.as_object_mut().into_iter().flatten().map(|(_, way)| way))
}

/// Replaces `oneOf` by `anyOf`: a value may fit several of the schemas that serde tries in turn.
fn allow_several(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            if let Some(several) = fields.shift_remove("oneOf") {
                fields.insert("anyOf".to_owned(), several);
            }
            fields.values_mut().for_each(allow_several);
        }
        Value::Array(items) => items.iter_mut().for_each(allow_several),
        _ => {}
    }
}

/// Returns the names of all schemas that requests consist of.
fn schemas_of_requests(document: &Value) -> BTreeSet<String> {
    let paths = document["paths"].as_object().into_iter().flatten();
    let operations = paths.flat_map(|(_, ways)| ways.as_object().into_iter().flatten());
    let asked = document["x-websocket"]["ask"].as_object().into_iter().flatten();
    let mut found = BTreeSet::new();
    for (_, operation) in operations {
        collect(document, &operation["requestBody"], &mut found);
        collect(document, &operation["parameters"], &mut found);
    }
    for (_, ask) in asked {
        collect(document, &ask["schema"], &mut found);
    }
    found
}

fn collect(document: &Value, value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            let path = fields.get("$ref").and_then(Value::as_str);
            let name = path.and_then(|path| path.strip_prefix("#/components/schemas/"));
            if let Some(name) = name
                && found.insert(name.to_owned())
            {
                collect(document, &document["components"]["schemas"][name], found);
            }
            fields.values().for_each(|field| collect(document, field, found));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(document, item, found)),
        _ => {}
    }
}

/// Makes fields required that may be null: an answer always has them, and leaves out only fields that are never null.
fn require_nullable(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            let nullable =
                fields.get("properties").and_then(Value::as_object).into_iter().flatten();
            let nullable = nullable.filter(|(_, field)| may_be_null(field));
            let nullable: Vec<Value> = nullable.map(|(name, _)| json!(name)).collect();
            if !nullable.is_empty() {
                let required = fields.entry("required").or_insert_with(|| json!([]));
                required.as_array_mut().into_iter().for_each(|all| all.extend(nullable.clone()));
            }
            fields.values_mut().for_each(require_nullable);
        }
        Value::Array(items) => items.iter_mut().for_each(require_nullable),
        _ => {}
    }
}

fn may_be_null(schema: &Value) -> bool {
    let kinds = schema["type"].as_array().into_iter().flatten();
    let choices = schema["anyOf"].as_array().into_iter().flatten();
    kinds.into_iter().any(|kind| kind == "null")
        || choices.into_iter().any(|one| one["type"] == "null")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reference_leads_to_a_schema_and_every_name_is_described_once() {
        let document = document();
        assert_eq!(document["openapi"], "3.1.0");
        let text = document.to_string();
        for part in text.split("\"$ref\":\"#").skip(1) {
            let path = part.split('"').next().unwrap();
            assert!(document.pointer(path).is_some(), "{path} leads nowhere");
        }
        let ids: Vec<_> = document["paths"].as_object().unwrap().values().collect();
        let ids = ids.iter().flat_map(|ways| ways.as_object().unwrap().values());
        let ids: Vec<_> = ids.map(|way| way["operationId"].as_str().unwrap()).collect();
        let distinct: BTreeSet<_> = ids.iter().collect();
        assert_eq!(distinct.len(), ids.len(), "{ids:?}");
        assert_eq!(ids.len(), 21, "{ids:?}");
    }
}
