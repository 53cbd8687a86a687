//! Description of the WebSocket's messages: the part `x-websocket` of the OpenAPI document.

use serde_json::{Map, Value, json};
use tussle_explain::ReviewNews;
use utoipa::ToSchema;

use crate::live::heat::{HeatDrawing, HeatRequest};
use crate::live::review::{ReviewAnswer, ReviewRequest};
use crate::live::search::{Search, SearchNews};
use crate::live::tree::{OpenTree, TreeProgress, TreeRequest};
use crate::live::watch::{Progress, Watch};
use crate::live::{Failure, QueueNotice};

const ABOUT: &str = "Every message is one JSON object of at most 256 KB. A request has an `id` that the page chooses, an `op` \
    and the fields of `schema`. The answers are messages `{id, event, …}` with the fields under `hear`; the last one is `done`, \
    or `error` with a message. `queued` means that the task waits for a search slot. `report` and `progress` may be left out if \
    the page reads slowly. All tasks end with the socket. The answer to an invalid message is an `error`, whose id is 0 if the \
    message has none.";

/// Message that a page may send, and the messages that answer it.
struct Op {
    name: &'static str,
    description: &'static str,
    schema: Value,
    example: Value,
    hear: Map<String, Value>,
}

fn reference<T: ToSchema>() -> Value {
    json!({ "$ref": format!("#/components/schemas/{}", T::name()) })
}

impl Op {
    fn new<T: ToSchema>(name: &'static str, description: &'static str, example: Value) -> Self {
        Self { name, description, schema: reference::<T>(), example, hear: Map::new() }
    }

    fn hears<T: ToSchema>(mut self, event: &str) -> Self {
        self.hear.insert(event.to_owned(), reference::<T>());
        self
    }
}

fn ops() -> Vec<Op> {
    let tictactoe = json!({ "game": "tictactoe" });
    let played = json!({ "game": "tictactoe", "moves": ["a1", "a2", "b2"] });
    vec![
        Op::new::<Search>(
            "search",
            "Search a position.",
            json!({ "id": 1, "op": "search", "place": tictactoe, "agent": "alphabeta", "heat": "value", "play": true }),
        )
        .hears::<SearchNews<'_>>("report")
        .hears::<SearchNews<'_>>("done"),
        Op::new::<HeatRequest>(
            "heat",
            "Change the heat map of the page's latest search that has one.",
            json!({ "id": 2, "op": "heat", "search": 1, "heat": "visits" }),
        )
        .hears::<HeatDrawing>("done"),
        Op::new::<TreeRequest>(
            "tree",
            "Get the tree of an mcts search after a number of simulations. A request for more continues the search.",
            json!({
                "id": 3, "op": "tree", "place": tictactoe, "agent": "mcts", "simulations": 1000, "open": [[], ["b2"]],
            }),
        )
        .hears::<TreeProgress>("progress")
        .hears::<OpenTree<'_>>("done"),
        Op::new::<ReviewRequest>(
            "review",
            "Review every move of a game.",
            json!({ "id": 4, "op": "review", "place": played, "nodes": 500 }),
        )
        .hears::<ReviewNews>("progress")
        .hears::<ReviewAnswer>("done"),
        Op::new::<Watch>(
            "watch",
            "Report the progress of a tournament until it ends.",
            json!({ "id": 5, "op": "watch", "tournament": "cup" }),
        )
        .hears::<Progress>("progress")
        .hears::<Progress>("done"),
        Op {
            name: "stop",
            description: "End a task early. Its result so far is sent as `done`.",
            schema: json!({ "type": "object", "properties": {} }),
            example: json!({ "id": 1, "op": "stop" }),
            hear: Map::new(),
        },
    ]
}

/// Returns the description of all messages.
pub(super) fn messages() -> Value {
    let op = |op: Op| {
        let Op { name, description, schema, example, hear } = op;
        let about = json!({ "description": description, "schema": schema, "example": example, "hear": hear });
        (name.to_owned(), about)
    };
    let ask: Map<String, Value> = ops().into_iter().map(op).collect();
    json!({
        "description": ABOUT,
        "hear": { "queued": reference::<QueueNotice>(), "error": reference::<Failure>() },
        "ask": ask,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::ops_of_error;

    #[test]
    fn the_document_describes_exactly_the_ops_of_the_socket() {
        let described: Vec<&str> = ops().iter().map(|op| op.name).collect();
        let mut described: Vec<String> = described.into_iter().map(str::to_owned).collect();
        described.sort();
        assert_eq!(described, ops_of_error());
    }
}
