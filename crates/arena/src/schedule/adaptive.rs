//! Adaptive: games are spent where the ranking is least certain.

use super::drawn::History;
use crate::Config;

/// How the rounds of an adaptive tournament are drawn.
#[derive(Clone, Debug)]
pub(super) struct Adaptive {
    agents: usize,
}

impl Adaptive {
    pub(super) fn new(config: &Config) -> Self {
        Self { agents: config.agents.len() }
    }

    /// Who meets in the next round.
    pub(super) fn draw(&self, history: &History) -> Vec<[usize; 2]> {
        let active: Vec<usize> = (0..self.agents).filter(|&a| history.active[a]).collect();
        active.windows(2).map(|two| [two[0], two[1]]).collect()
    }
}
