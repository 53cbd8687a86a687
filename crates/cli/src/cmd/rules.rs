//! `tussle rules`

mod service;

use std::io::{self, BufRead, BufReader, BufWriter, Read as _, Write as _};

use clap::Args;
use serde_json::json;

use crate::failure::Failure;
use service::Service;

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
///   {"op":"info"}                       the game, its players and evaluations
/// A state S is a handle (a number, as start and apply answer) or a position text. An "id" is
/// sent back. Wrong requests are answered with {"error":"…"} and change nothing.
///
/// Example:
///   echo '{"op":"start"}' | tussle rules gobblet
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Rules {
    /// The game, as a spec string.
    game: String,
}

/// No request needs more.
const LONGEST_LINE: u64 = 1 << 20;

impl Rules {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let mut service = Service::new(tussle_catalog::game(&self.game)?);
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
                json!({ "error": format!("the line is longer than {LONGEST_LINE} bytes") })
            };
            writeln!(output, "{answer}")?;
            // Requests that were sent ahead are answered together.
            if input.buffer().is_empty() {
                output.flush()?;
            }
        }
        Ok(output.flush()?)
    }
}

/// Reads a line; `Some(false)` if it was too long to keep, `None` at the end.
fn next_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<bool>> {
    line.clear();
    let read = input.by_ref().take(LONGEST_LINE).read_until(b'\n', line)?;
    if read == 0 {
        return Ok(None);
    }
    if line.ends_with(b"\n") || (read as u64) < LONGEST_LINE {
        return Ok(Some(true));
    }
    // Skip the rest without holding it.
    loop {
        let buffer = input.fill_buf()?;
        let (skip, found) = match buffer.iter().position(|&b| b == b'\n') {
            Some(at) => (at + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        input.consume(skip);
        if found {
            return Ok(Some(false));
        }
    }
}
