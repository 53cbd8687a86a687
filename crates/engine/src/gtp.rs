//! The Go text protocol, version 2.

mod client;
mod examiner;
pub(crate) mod grammar;
mod server;

use crate::protocol::Protocol;
use crate::seat::program::ProgramSeat;

pub use server::{Settings, serve};

/// Entry in the table of protocols.
pub(crate) const PROTOCOL: Protocol = Protocol {
    name: "gtp",
    farewell: Some("quit"),
    needs_moves: true,
    lines_per_request: 4,
    check_game: |game| grammar::Rules::of(game.spec()).map(drop),
    client: ProgramSeat::<client::Gtp>::boxed,
    examine: examiner::examine,
};
