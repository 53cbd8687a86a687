//! `tussle rules`

mod service;

use std::io::{self, BufReader, BufWriter, Write as _};

use clap::Args;
use serde_json::json;
use tussle_catalog::Catalog;

use crate::failure::Failure;
use service::Service;
use tussle_engine::{MAX_LINE_BYTES, next_line};

/// Serve the rules of a game on standard input and output, for agents in any language
///
/// One JSON object a line in, one out. Requests:
///   {"op":"start"}                      the start, or "position":"…" for another one
///   {"op":"moves","state":S}            the legal moves
///   {"op":"apply","state":S,"move":M}   the state after a move
///   {"op":"result","state":S}           null, or what the end is worth to each player
///   {"op":"eval","state":S}             an evaluation; "eval":"NAME:key=value", "player":K
///   {"op":"draw","state":S}             the drawing as text
///   {"op":"playout","state":S}          the result of a random game from there; "seed":N
///   {"op":"release","state":H}          forget a handle
///   {"op":"info"}                       the game, its players, points and evaluations
/// A state S is a handle (a number, as start and apply answer) or a position text. An "id" is
/// sent back. Wrong requests are answered with {"error":"…"} and change nothing.
///
/// Example:
///   echo '{"op":"start"}' | tussle rules gobblet
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Rules {
    /// The game: name[:key=value,…], as `tussle games` lists them.
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
            // Requests that were sent ahead are answered together.
            if !input.buffer().contains(&b'\n') {
                output.flush()?;
            }
        }
        Ok(output.flush()?)
    }
}
