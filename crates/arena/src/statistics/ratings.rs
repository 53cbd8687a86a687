//! The strength of everybody in a pool, from all of its games at once.

use super::Elo;

/// Games between agents, added up.
#[derive(Clone, Debug)]
pub struct Pool {
    agents: usize,
    players: usize,
}

/// One game: who sat where and what it was worth to each seat.
#[derive(Clone, Copy, Debug)]
pub struct Sat<'a> {
    /// By seat, the index of the agent.
    pub seats: &'a [usize],
    /// By seat, what the game was worth.
    pub utilities: &'a [f64],
}

/// What the games of a pool say.
#[derive(Clone, Debug)]
pub struct Ratings {
    /// By agent, in Elo.
    pub elo: Vec<f64>,
    /// By agent and agent, the covariance of their ratings in Elo².
    pub covariance: Vec<Vec<f64>>,
    /// How many Elo the first seat of two is worth; of more, each against their mean.
    pub seats: Vec<Elo>,
}

impl Pool {
    /// No games yet.
    pub fn new(agents: usize, players: usize) -> Self {
        Self { agents, players }
    }

    /// Counts the games of one pair (of more than two players: round of the table). They have
    /// one opening, so they are one sample.
    pub fn add(&mut self, games: &[Sat<'_>]) {
        let _ = games;
    }

    /// The ratings; those of `anchors` are given, else their mean is 0.
    pub fn rate(&self, anchors: &[(usize, f64)]) -> Ratings {
        let _ = anchors;
        let n = self.agents;
        Ratings {
            elo: vec![0.0; n],
            covariance: vec![vec![0.0; n]; n],
            seats: vec![Elo::default(); self.players],
        }
    }
}

impl Ratings {
    /// Half the width of the 95 % interval of a rating.
    pub fn error(&self, agent: usize) -> f64 {
        super::normal::Z95 * self.covariance[agent][agent].sqrt()
    }

    /// How much stronger `a` is than `b`, and half the width of the 95 % interval.
    pub fn difference(&self, a: usize, b: usize) -> Elo {
        let cov = &self.covariance;
        let variance = (cov[a][a] + cov[b][b] - 2.0 * cov[a][b]).max(0.0);
        Elo {
            value: Some(self.elo[a] - self.elo[b]),
            error: Some(super::normal::Z95 * variance.sqrt()),
        }
    }
}
