//! UGI, the universal game interface: UCI with numbered players instead of colours, and with `query`.

mod client;
mod examiner;
mod grammar;
mod server;

use crate::protocol::Protocol;
use crate::seat::program::ProgramSeat;

pub use server::serve;

/// Entry in the table of protocols.
pub(crate) const PROTOCOL: Protocol = Protocol {
    name: "ugi",
    farewell: Some("quit"),
    needs_moves: false,
    lines_per_request: 4,
    check_game: |_| Ok(()),
    client: ProgramSeat::<client::Ugi>::boxed,
    examine: examiner::examine,
};
