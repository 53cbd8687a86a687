//! Selection policies: weights of the children of a node.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::edge::{Edge, Weight};
use super::leaf::SpecialRewards;

/// Cache of sqrt(ln N) for N up to 65,535 visits, as the bits of `f32`s; 0 if not computed yet.
static ROOTS_OF_LOGS: [AtomicU32; 1 << 16] = [const { AtomicU32::new(0) }; 1 << 16];

#[inline]
fn root_of_log(visits: u32) -> f32 {
    let known = ROOTS_OF_LOGS.get(visits as usize).map_or(0, |root| root.load(Relaxed));
    if known == 0 { compute_root_of_log(visits) } else { f32::from_bits(known) }
}

#[cold]
fn compute_root_of_log(visits: u32) -> f32 {
    let root = f64::from(visits.max(1)).ln().sqrt() as f32;
    if let Some(slot) = ROOTS_OF_LOGS.get(visits as usize) {
        slot.store(root.to_bits(), Relaxed);
    }
    root
}

/// Selection policy of [`Mcts`](super::Mcts): the child that a simulation enters.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum SelectionPolicy {
    /// The child with the largest mean + c sqrt(ln N / n); unvisited children come first.
    #[default]
    Ucb1,
    /// A random child with this probability, else the child with the largest mean (epsilon-greedy).
    Epsilon(f64),
    /// The child with the largest mean + c prior sqrt(N) / (1 + n).
    Puct,
}

impl SelectionPolicy {
    /// Returns the factor of the exploration bonus that all children of a position share.
    #[inline]
    pub(super) fn bonus(self, c: f64, visits: u32) -> f32 {
        let grown = match self {
            Self::Ucb1 => root_of_log(visits),
            // Before any visit the priors decide.
            Self::Puct => f64::from(visits.max(1)).sqrt() as f32,
            Self::Epsilon(_) => 0.0,
        };
        c as f32 * grown
    }

    /// Returns the weight of an edge; `first_play_urgency` is the first-play urgency, the mean of an unvisited edge.
    #[inline]
    pub(super) fn weight<M: Copy>(self, edge: Edge<'_, M>, first_play_urgency: f64) -> Weight {
        self.weight_with(edge, edge.total(), first_play_urgency)
    }

    /// Returns the weight of an edge, given its total reward.
    #[inline]
    pub(super) fn weight_with<M: Copy>(
        self,
        edge: Edge<'_, M>,
        total: f64,
        first_play_urgency: f64,
    ) -> Weight {
        let visits = edge.visits();
        let mean = (total / f64::from(visits)) as f32;
        match self {
            Self::Ucb1 if visits > 0 => Weight { mean, share: 1.0 / (visits as f32).sqrt() },
            Self::Epsilon(_) if visits > 0 => Weight { mean, share: 0.0 },
            Self::Puct => Weight {
                mean: if visits > 0 { mean } else { first_play_urgency as f32 },
                share: edge.prior() / (1.0 + f64::from(visits)) as f32,
            },
            _ => Weight::UNTRIED,
        }
    }

    /// Returns the approximate weight of an edge with virtual loss: as if another visit had the lowest
    /// reward. It need not be exact, which saves a division.
    #[inline]
    pub(super) fn with_virtual_loss<M: Copy>(
        self,
        edge: Edge<'_, M>,
        special: &SpecialRewards,
    ) -> Weight {
        let least = special.least as f32;
        match edge.weight() {
            Weight { mean, .. } if mean == f32::NEG_INFINITY => Weight::NEVER,
            Weight { mean, .. } if mean == f32::INFINITY => Weight { mean: least, share: 1.0 },
            Weight { mean, share } if self == Self::Ucb1 => {
                let one_of_all = share * share;
                Weight {
                    mean: mean - (mean - least) * one_of_all,
                    share: share - 0.5 * share * one_of_all,
                }
            }
            _ => self.weight(edge, special.unvisited),
        }
    }

    /// Returns the mean and the exploration bonus of an edge, for reports and events. `parent` is the number of
    /// visits of the parent.
    pub(super) fn parts<M: Copy>(
        self,
        edge: Edge<'_, M>,
        c: f64,
        parent: u32,
        first_play_urgency: f64,
    ) -> (f64, f64) {
        let (parent, visits) = (f64::from(parent), f64::from(edge.visits()));
        let mean = if visits > 0.0 { edge.mean() } else { first_play_urgency };
        match self {
            Self::Ucb1 if visits > 0.0 => (mean, c * (parent.max(1.0).ln() / visits).sqrt()),
            Self::Epsilon(_) if visits > 0.0 => (mean, 0.0),
            Self::Puct => {
                (mean, c * f64::from(edge.prior()) * parent.max(1.0).sqrt() / (1.0 + visits))
            }
            _ => (0.0, f64::INFINITY),
        }
    }
}
