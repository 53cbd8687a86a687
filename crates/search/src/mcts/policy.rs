//! How to choose on the way down.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::edge::{Edge, Weight};
use super::leaf::Levels;

/// sqrt(ln N) of the numbers of visits that all but a few positions have, as the bits of `f32`s;
/// 0 where nobody has asked yet.
static ROOTS: [AtomicU32; 1 << 16] = [const { AtomicU32::new(0) }; 1 << 16];

#[inline]
fn root_of_log(visits: u32) -> f32 {
    let known = ROOTS.get(visits as usize).map_or(0, |root| root.load(Relaxed));
    if known == 0 { work_out(visits) } else { f32::from_bits(known) }
}

#[cold]
fn work_out(visits: u32) -> f32 {
    let root = f64::from(visits.max(1)).ln().sqrt() as f32;
    if let Some(slot) = ROOTS.get(visits as usize) {
        slot.store(root.to_bits(), Relaxed);
    }
    root
}

/// Selection policy of [`Mcts`](super::Mcts): the child that a simulation enters.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum SelectionPolicy {
    /// The largest mean + c sqrt(ln N / n); unvisited children come first.
    #[default]
    Ucb1,
    /// The largest mean; with this probability any child.
    Epsilon(f64),
    /// The largest mean + c prior sqrt(N) / (1 + n).
    Puct,
}

impl SelectionPolicy {
    /// The part of the bonus that all children of a position share.
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

    /// What an edge weighs in a choice; `unknown` is the mean of what was never visited.
    #[inline]
    pub(super) fn weight<M: Copy>(self, edge: Edge<'_, M>, unknown: f64) -> Weight {
        self.weight_with(edge, edge.total(), unknown)
    }

    /// The same if the total is known.
    #[inline]
    pub(super) fn weight_with<M: Copy>(
        self,
        edge: Edge<'_, M>,
        total: f64,
        unknown: f64,
    ) -> Weight {
        let visits = edge.visits();
        let mean = (total / f64::from(visits)) as f32;
        match self {
            Self::Ucb1 if visits > 0 => Weight { mean, share: 1.0 / (visits as f32).sqrt() },
            Self::Epsilon(_) if visits > 0 => Weight { mean, share: 0.0 },
            Self::Puct => Weight {
                mean: if visits > 0 { mean } else { unknown as f32 },
                share: edge.prior() / (1.0 + f64::from(visits)) as f32,
            },
            _ => Weight::UNTRIED,
        }
    }

    /// About what an edge weighs once somebody is on the way through it and has not come back: as
    /// if another visit had given the least there is. It need not be exact, so nothing is divided.
    #[inline]
    pub(super) fn burdened<M: Copy>(self, edge: Edge<'_, M>, levels: &Levels) -> Weight {
        let least = levels.least as f32;
        match edge.weight() {
            Weight { mean, .. } if mean == f32::INFINITY => Weight { mean: least, share: 1.0 },
            Weight { mean, share } if self == Self::Ucb1 => {
                let one_of_all = share * share;
                Weight {
                    mean: mean - (mean - least) * one_of_all,
                    share: share - 0.5 * share * one_of_all,
                }
            }
            _ => self.weight(edge, levels.middle),
        }
    }

    /// The mean and the bonus of an edge whose parent was visited so often, for people.
    pub(super) fn parts<M: Copy>(
        self,
        edge: Edge<'_, M>,
        c: f64,
        parent: u32,
        unknown: f64,
    ) -> (f64, f64) {
        let (parent, visits) = (f64::from(parent), f64::from(edge.visits()));
        let mean = if visits > 0.0 { edge.mean() } else { unknown };
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
