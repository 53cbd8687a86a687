//! Player specs: an agent spec, or a protocol and a command.

use std::path::Path;

use tussle_catalog::{AnyGame, Error};

use crate::program::look_up;
use crate::{GtpGameError, ProgramError, Protocol};

/// Player that a spec names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerSpec {
    /// An agent of the catalog, by its spec.
    Agent(String),
    /// An external program.
    Program {
        /// Protocol of the program.
        protocol: &'static Protocol,
        /// Command of the program.
        command: String,
    },
}

impl PlayerSpec {
    /// Parses a spec: `ugi:COMMAND`, `gtp:COMMAND` and `json:COMMAND` are programs, all others are agents.
    pub fn parse(spec: &str) -> Self {
        let program = spec.split_once(':').and_then(|(name, command)| {
            let command = command.trim().to_owned();
            Some(Self::Program { protocol: Protocol::named(name.trim())?, command })
        });
        program.unwrap_or_else(|| Self::Agent(spec.to_owned()))
    }
}

/// Error of an agent or a program that cannot play a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlayerError {
    /// The agent does not exist or does not play the game.
    #[error(transparent)]
    Agent(#[from] Error),
    /// The game cannot be played by GTP.
    #[error(transparent)]
    Game(#[from] GtpGameError),
    /// The program cannot be found.
    #[error("{spec}: {source}")]
    Program {
        /// Spec of the player.
        spec: String,
        /// Error of the program.
        source: ProgramError,
    },
}

/// Checks that an agent or a program can play a game, as far as that is known without starting it.
///
/// # Errors
/// If the agent or program does not exist, or cannot play the game.
pub fn check_spec(
    spec: &str,
    folder: Option<&Path>,
    seed: u64,
    game: &dyn AnyGame,
) -> Result<(), PlayerError> {
    match PlayerSpec::parse(spec) {
        PlayerSpec::Agent(spec) => Ok(game.agent(&spec, seed).map(drop)?),
        PlayerSpec::Program { protocol, command } => {
            // Check the game first: the message is more useful than a missing program.
            (protocol.check_game)(game)?;
            look_up(&command, folder)
                .map_err(|source| PlayerError::Program { spec: spec.to_owned(), source })
        }
    }
}

/// Returns true if a spec names a program that cannot set up positions and needs the moves from the start of a game.
pub fn needs_moves(spec: &str) -> bool {
    matches!(PlayerSpec::parse(spec), PlayerSpec::Program { protocol, .. } if protocol.needs_moves)
}

#[cfg(test)]
mod tests {
    use super::{PlayerSpec, Protocol, needs_moves};

    #[test]
    fn a_spec_with_a_protocol_before_the_colon_is_a_program() {
        let program = |protocol, command: &str| {
            let protocol = Protocol::named(protocol).unwrap();
            let command = command.to_owned();
            PlayerSpec::Program { protocol, command }
        };
        assert_eq!(PlayerSpec::parse("ugi:./mine -v"), program("ugi", "./mine -v"));
        assert_eq!(PlayerSpec::parse("gtp: gnugo --mode gtp"), program("gtp", "gnugo --mode gtp"));
        assert_eq!(PlayerSpec::parse("json:a:b"), program("json", "a:b"));
        assert_eq!(PlayerSpec::parse("mcts:nodes=5"), PlayerSpec::Agent("mcts:nodes=5".to_owned()));
        assert!(needs_moves("gtp:gnugo") && !needs_moves("json:./mine") && !needs_moves("random"));
        assert_eq!(PlayerSpec::parse("random"), PlayerSpec::Agent("random".to_owned()));
    }
}
