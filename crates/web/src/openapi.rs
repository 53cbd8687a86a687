//! OpenAPI document, made from the routes and the types of requests and answers.

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

use crate::api_error::ErrorBody;
use crate::server::Shared;
use crate::{api, live};

pub(crate) use mirror::{
    Agent, FileForm, Game, OutcomeName, RunLocation, TournamentRequest, VerdictName,
};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Tussle",
        version = "1",
        license(name = "MIT OR Apache-2.0"),
        description = "Requests of the web board. Every body is JSON, also that of an error: 400 and 422 for an invalid \
                       request, 403 for what the server may not do (start programs, open files), 404 for an object that \
                       does not exist, 409 for a conflict with existing state, 503 for a server at capacity. Unknown \
                       fields are rejected. The host of a request must be an IP address of the server, `localhost` or a \
                       name given with --host, and requests from pages of other sites are rejected. docs/how-to/web/server.md \
                       has examples."
    ),
    components(schemas(ErrorBody), schemas(
        FileForm,
        OutcomeName,
        live::heat::HeatRequest,
        live::heat::HeatDrawing,
        live::review::ReviewRequest,
        live::review::ReviewAnswer,
        tussle_explain::ReviewNews,
        live::search::Search,
        live::search::SearchNews<'static>,
        live::tree::TreeRequest,
        live::tree::OpenTree<'static>,
        live::tree::TreeProgress,
        live::watch::Progress,
        live::watch::Watch,
        live::Failure,
        live::QueueNotice,
    ))
)]
struct Document;

/// Returns the routes and the OpenAPI document that describes them.
pub(crate) fn routes() -> (Router<Arc<Shared>>, utoipa::openapi::OpenApi) {
    OpenApiRouter::with_openapi(Document::openapi())
        .nest("/api", api::routes())
        .routes(routes!(live::connect))
        .split_for_parts()
}

/// Get this document
#[utoipa::path(
    get,
    path = "/openapi.json",
    responses((status = 200, description = "The answer.", body = Object)),
)]
pub(crate) async fn openapi() -> impl IntoResponse {
    static TEXT: LazyLock<String> = LazyLock::new(|| document().to_string());
    ([(CONTENT_TYPE, "application/json")], TEXT.as_str())
}

/// Schemas in which every field may be absent. They are flattened into other schemas, and are present or absent as a whole.
const OPTIONAL: &[&str] = &["SelectionTerms"];

fn document() -> Value {
    let mut document = json!(routes().1);
    document["x-websocket"] = socket::messages();
    for operation in operations(&mut document) {
        operation["responses"]["default"] = json!({ "$ref": "#/components/responses/ApiError" });
    }
    document["components"]["responses"] = json!({
        "ApiError": {
            "description": "Error; `error` is the message for people.",
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/ApiError" } } },
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

/// Returns the names of all schemas that occur in requests.
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

/// Makes nullable fields required: answers always contain them, and leave out only fields that are never null.
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
    fn every_reference_has_a_schema_and_operation_ids_are_unique() {
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
