//! Messages of the WebSocket, which have a part of their own in the document: `x-websocket`.

use serde_json::{Map, Value, json};
use tussle_explain::ReviewNews;
use utoipa::ToSchema;

use crate::live::heat::{Change, HeatDrawing};
use crate::live::review::{Review, ReviewAnswer};
use crate::live::search::{Search, SearchNews};
use crate::live::tree::{Explore, OpenTree, TreeProgress};
use crate::live::watch::{Progress, Watch};
use crate::live::{Failure, QueueNotice};

const ABOUT: &str = "Every message is one JSON object of 256 KB at most. A page asks with an `id` of its own, an `op` and the \
    fields of `schema`, and hears of it as `{id, event, …}` with the fields under `hear`: last `done`, or `error` with why there \
    is no answer. `queued` says that others search and this one waits for its turn. `report` and `progress` are left out for \
    pages that are slow. All tasks end with the socket. Messages that cannot be read are answered with `error`; their id is 0 if \
    they have none.";

/// A message that a page may send, and the messages that answer it.
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
        Op::new::<Change>(
            "heat",
            "Another drawing of the latest search that had one, from now on.",
            json!({ "id": 2, "op": "heat", "search": 1, "heat": "visits" }),
        )
        .hears::<HeatDrawing>("done"),
        Op::new::<Explore>(
            "tree",
            "The tree of mcts after a number of simulations; a page that asks again for more lets it grow.",
            json!({
                "id": 3, "op": "tree", "place": tictactoe, "agent": "mcts", "simulations": 1000, "open": [[], ["b2"]],
            }),
        )
        .hears::<TreeProgress>("progress")
        .hears::<OpenTree<'_>>("done"),
        Op::new::<Review>(
            "review",
            "Look at every move of a game.",
            json!({ "id": 4, "op": "review", "place": played, "nodes": 500 }),
        )
        .hears::<ReviewNews>("progress")
        .hears::<ReviewAnswer>("done"),
        Op::new::<Watch>(
            "watch",
            "Hear of a tournament until it ends.",
            json!({ "id": 5, "op": "watch", "tournament": "cup" }),
        )
        .hears::<Progress>("progress")
        .hears::<Progress>("done"),
        Op {
            name: "stop",
            description: "End a task; what it has found so far comes as its `done`.",
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
    fn every_op_of_the_socket_is_described_and_no_other() {
        let described: Vec<&str> = ops().iter().map(|op| op.name).collect();
        let mut described: Vec<String> = described.into_iter().map(str::to_owned).collect();
        described.sort();
        assert_eq!(described, ops_of_error());
    }
}
