//! JSON protocol: one request per line, one reply per line.

mod client;
mod examiner;
mod grammar;

use crate::protocol::Protocol;
use crate::seat::program::ProgramSeat;

/// Entry in the table of protocols.
pub(crate) const PROTOCOL: Protocol = Protocol {
    name: "json",
    farewell: None,
    needs_moves: false,
    lines_per_request: 1,
    check_game: |_| Ok(()),
    client: ProgramSeat::<client::Json>::boxed,
    examine: examiner::examine,
};
