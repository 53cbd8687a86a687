//! `tussle rules`

mod service;

use std::io::{self, BufReader, BufWriter, Write as _};

use clap::Args;
use serde_json::json;
use tussle_catalog::Catalog;

use crate::failure::Failure;
use service::Service;
use tussle_engine::{MAX_LINE_BYTES, next_line};

/// Serve the rules of a game over pipes, for agents in any language
///
/// Standard input has one request per line, standard output one reply per line; both are JSON objects.
/// Requests:
///   {"op":"start"}                     start, or another "position":"…"
///   {"op":"moves","state":S}           legal moves
///   {"op":"apply","state":S,"move":M}  state after a move
///   {"op":"result","state":S}          null, or the utilities of the players
///   {"op":"eval","state":S}            evaluation; "eval":"NAME", "player":K
///   {"op":"draw","state":S}            drawing as text
///   {"op":"playout","state":S}         result of a random game; "seed":N
///   {"op":"release","state":H}         free a handle
///   {"op":"info"}                      game, players, points and evaluations
///
/// A state S is a handle (a number from the reply to start or apply) or a position text. An "id" is sent
/// back. A wrong request is answered with {"error":"…"} and changes nothing.
///
/// Examples:
///   echo '{"op":"start"}' | tussle rules gobblet
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Rules {
    /// Game spec, name[:key=value,…]; see `tussle games`
    game: String,
}

impl Rules {
    pub(crate) fn run(&self, catalog: &Catalog) -> Result<(), Failure> {
        let mut service = Service::new(catalog.game(&self.game)?);
        let mut input = BufReader::new(io::stdin().lock());
        let mut output = BufWriter::new(io::stdout().lock());
        let mut line = Vec::new();
        while let Some(fits) = next_line(&mut input, &mut line)
            .map_err(|e| Failure::Failed(format!("cannot read the input: {e}")))?
        {
            if line.trim_ascii().is_empty() && fits {
                continue;
            }
            let answer = if fits {
                service.answer(&line)
            } else {
                json!({ "error": format!("the line is longer than {MAX_LINE_BYTES} bytes") })
            };
            writeln!(output, "{answer}")?;
            // Replies to requests that were sent together are flushed together.
            if !input.buffer().contains(&b'\n') {
                output.flush()?;
            }
        }
        Ok(output.flush()?)
    }
}
