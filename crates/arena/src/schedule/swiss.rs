//! Swiss: in every round each meets somebody who has done about as well, and nobody twice.

use super::drawn::History;
use crate::Config;

/// How the rounds of a Swiss tournament are drawn.
#[derive(Clone, Debug)]
pub(super) struct Swiss {
    rounds: u64,
}

impl Swiss {
    pub(super) fn new(config: &Config) -> Self {
        Self { rounds: config.rounds }
    }

    /// Who meets in the next round; nobody when there is none.
    pub(super) fn draw(&self, history: &History) -> Vec<[usize; 2]> {
        if history.rounds == self.rounds {
            return Vec::new();
        }
        let active: Vec<usize> = (0..history.active.len()).filter(|&a| history.active[a]).collect();
        active.chunks_exact(2).map(|two| [two[0], two[1]]).collect()
    }
}
