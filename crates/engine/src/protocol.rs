//! Table of the protocols of external programs. A new protocol is a folder with its constant, and a line here.

use std::fmt;
use std::sync::Arc;

use tussle_catalog::AnyGame;
use tussle_catalog::text::joined;
use tussle_core::TimeControl;

use crate::check::probe::Probe;
use crate::external::ExternalProgram;
use crate::{CheckError, GtpGameError, Point, Seat, gtp, json, ugi};

/// All protocols. `tussle_catalog::is_program` must know their names.
static PROTOCOLS: &[Protocol] = &[ugi::PROTOCOL, gtp::PROTOCOL, json::PROTOCOL];

/// Protocol of an external program.
pub struct Protocol {
    /// Name before the colon of a spec.
    pub(crate) name: &'static str,
    /// Line that asks a program to quit. Without one, the end of its input does.
    pub(crate) farewell: Option<&'static str>,
    /// True if programs cannot set up positions and need the moves from the start of a game.
    pub(crate) needs_moves: bool,
    /// Number of lines of a request, for messages of the examiner.
    pub(crate) lines_per_request: usize,
    /// Checks that programs can play a game.
    pub(crate) check_game: fn(&dyn AnyGame) -> Result<(), GtpGameError>,
    /// Creates the client: a seat for a program.
    pub(crate) client: fn(ExternalProgram) -> Box<dyn Seat>,
    /// Examines a program, as [`check`](crate::check()) does.
    pub(crate) examine: Examine,
}

/// Function that examines a program on a game with an optional time control. It passes on each point as soon as it is done.
pub(crate) type Examine = fn(
    Probe,
    Arc<dyn AnyGame>,
    Option<TimeControl>,
    &mut dyn FnMut(&Point),
) -> Result<Vec<Point>, CheckError>;

impl Protocol {
    /// Returns the protocol with this name.
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        PROTOCOLS.iter().find(|protocol| protocol.name == name)
    }

    /// Returns the forms of the specs of programs, for messages.
    pub(crate) fn spec_forms() -> String {
        let forms = PROTOCOLS.iter().map(|protocol| format!("{}:COMMAND", protocol.name));
        joined(&forms.collect::<Vec<_>>(), "or")
    }

    /// Returns the name before the colon of a spec.
    pub fn name(&self) -> &'static str {
        self.name
    }
}

impl fmt::Debug for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Protocol").field(&self.name).finish()
    }
}

/// Protocols with the same name are equal.
impl PartialEq for Protocol {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Protocol {}

#[cfg(test)]
mod tests {
    use tussle_catalog::{PROTOCOL_NAMES, is_program};

    use super::PROTOCOLS;

    #[test]
    fn the_catalog_knows_the_names_of_all_protocols() {
        for protocol in PROTOCOLS {
            assert!(is_program(&format!("{}:./mine", protocol.name)), "{protocol:?}");
        }
        assert_eq!(PROTOCOLS.len(), PROTOCOL_NAMES.len());
    }
}
