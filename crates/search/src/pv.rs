//! Principal variations of a depth-first search.

/// Best continuation found so far, for each ply.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pv<M>(Vec<Vec<M>>);

impl<M: Copy> Pv<M> {
    pub(crate) fn new() -> Self {
        Self(Vec::new())
    }

    /// Clears the line at this ply.
    #[inline]
    pub(crate) fn clear(&mut self, ply: usize) {
        if self.0.len() <= ply + 1 {
            self.0.resize_with(ply + 2, Vec::new);
        }
        self.0[ply].clear();
    }

    /// Sets the best line at `ply` to this move followed by the best line of the next ply.
    #[inline]
    pub(crate) fn set(&mut self, ply: usize, mv: M) {
        let (here, below) = self.0.split_at_mut(ply + 1);
        let line = &mut here[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&below[0]);
    }

    /// Returns the best line at this ply.
    pub(crate) fn line(&self, ply: usize) -> &[M] {
        self.0.get(ply).map_or(&[], Vec::as_slice)
    }
}
